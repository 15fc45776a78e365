package import BAPackKit
import SystemIO

/// Waiting for the service to process versions that were uploaded.
package struct Processing {
  /// A version that is waited for.
  package struct Awaited: Sendable, Hashable {
    package let pack: PackID
    package let version: VersionKey

    package init(_ pack: PackID, _ version: VersionKey) {
      self.pack = pack
      self.version = version
    }
  }

  /// How a version is while, or after, it was waited for.
  package enum Outcome: Sendable, Equatable {
    /// Internal testers have it.
    case testable
    case failed
    /// It is still being processed; a state that is new is that, too.
    case unfinished

    package init(_ version: PackVersion) {
      self = version.hasFailed ? .failed : version.isTestable ? .testable : .unfinished
    }
  }

  private let service: AppStoreService

  package init(_ service: AppStoreService) { self.service = service }

  private static let firstPause: Duration = .seconds(5)
  private static let longestPause: Duration = .seconds(30)
  /// A key may ask about 3,500 times an hour.
  private static let pauseForEach: Duration = .seconds(3)

  /// Looks again and again until all are over or the time is; what was seen last is given, whatever
  /// it is, and each change is told as it is seen.
  package func wait(
    for versions: [Awaited], atMost time: Duration?,
    changed: (Awaited, PackVersion) -> Void = { _, _ in }
  ) throws(PackError) -> [Awaited: PackVersion] {
    var seen: [Awaited: PackVersion] = [:]
    var waited: Duration = .zero
    var pause = Self.firstPause
    let start = service.clock.now()
    while true {
      var open = 0
      for item in versions where seen[item].map({ Outcome($0) == .unfinished }) ?? true {
        let found = try AppStoreService.asking("look at \(item.version.words) of '\(item.pack)'") {
          () throws(ServiceTrouble) in try service.version(item.version.id)
        }
        if seen.updateValue(found, forKey: item) != found { changed(item, found) }
        if Outcome(found) == .unfinished { open += 1 }
      }
      waited = .seconds(max(0, service.clock.now().seconds(since: start)))
      guard open > 0, time.map({ waited < $0 }) ?? true else { return seen }
      let wanted = max(pause, Self.pauseForEach * open)
      let next = time.map { min(wanted, $0 - waited) } ?? wanted
      try AppStoreService.asking("wait") { () throws(ServiceTrouble) in
        try service.pausing(max(next, .milliseconds(1)))
      }
      pause = min(pause * 3 / 2, Self.longestPause)
    }
  }
}

/// What the packs of an app take of what the service gives it.
package struct HostedUse: Sendable, Equatable {
  package let bytes: UInt64
  package let packs: Int
  /// How many packs do not say what they take.
  package let silent: Int

  package init(_ packs: [PackRecord]) {
    let live = packs.filter { !$0.isArchived }
    bytes = live.compactMap(\.usedBytes).reduce(0) { $0.addingSaturated($1) }
    self.packs = live.count
    silent = live.count { $0.usedBytes == nil }
  }
}
