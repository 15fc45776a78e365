package import BAPackKit

/// A channel of App Store Connect, which has one live version of each pack.
package enum Channel: String, Sendable, CaseIterable {
  case store, external, `internal`
}

/// The live versions of a channel.
package struct LiveRelease: Sendable, Equatable {
  /// The number of the release that was published; nil before the first one.
  package var release: Int?
  /// Packs whose live versions are from other releases, because they were submitted later.
  package var submitted: [PackID: Int] = [:]
}
