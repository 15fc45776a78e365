package import BAPackKit

/// A pack of a release.
package struct ReleasedPack: Sendable, Equatable {
  /// The values in the manifest.
  package var offered: OfferedPack
  /// The version.
  package var version: Int
  /// The files; nil if only a manifest is known.
  package var contents: PackContents?
  /// The path or address of the archive; empty if it is unknown.
  package var place: String
  /// The rules on which this description is based.
  package var rules: [SemanticRule]

  /// Creates a pack.
  package init(
    _ offered: OfferedPack, version: Int, contents: PackContents? = nil, place: String = "",
    rules: [SemanticRule] = []
  ) {
    self.offered = offered
    self.version = version
    self.contents = contents
    self.place = place
    self.rules = rules
  }

  /// The ID with which the app requests it.
  package var id: PackID { offered.id }

  /// Returns the message for a manifest that lists the pack for a platform that its archive omits.
  func platformMistake(on platform: Platform) -> String {
    let own = offered.platforms.map(\.rawValue).joined(separator: ", ")
    return "the manifest lists '\(id)' for \(platform.rawValue), but its archive is for \(own)"
  }

  /// Returns the reason why a device cannot get the pack on request; nil if it can.
  func obstacleToRequests(on profile: DeviceProfile) -> PackObstacle? {
    offered.obstacleToRequests(
      on: profile.platform, knowsLocalizedPacks: profile.knowsLocalizedPacks)
  }

  /// Whether a device is offered the pack: the platform must match, and a localized pack requires a
  /// system that supports such packs.
  package func isOffered(to profile: DeviceProfile) -> Bool {
    obstacleToRequests(on: profile) == nil
  }
}

/// A release: the packs of a server at one time.
package struct Release: Sendable, Equatable {
  /// The name: a path or an address.
  package let name: String
  /// The packs, in the order of the manifest.
  package let packs: [ReleasedPack]
  /// The rules for reading the release.
  package let rules: [SemanticRule]
  private let places: [PackID: Int]

  /// Creates a release; of two packs with the same ID, the first is used.
  package init(_ name: String, _ packs: [ReleasedPack], rules: [SemanticRule] = []) {
    self.name = name
    self.packs = packs
    self.rules = rules
    places = Dictionary(packs.enumerated().map { ($1.id, $0) }) { first, _ in first }
  }

  /// The pack with an ID.
  package subscript(id: PackID) -> ReleasedPack? { places[id].map { packs[$0] } }

  /// Whether the files of all packs are known.
  package var knowsContents: Bool { packs.allSatisfy { $0.contents != nil } }

  /// Returns the release as a device is offered it.
  ///
  /// It contains the packs for the device's platform, and localized packs only if its system
  /// supports them.
  package func offered(to profile: DeviceProfile) -> Release {
    Release(name, packs.filter { $0.isOffered(to: profile) }, rules: rules)
  }

  /// The pack with an ID, if a device is offered it.
  package subscript(id: PackID, to profile: DeviceProfile) -> ReleasedPack? {
    self[id].flatMap { $0.isOffered(to: profile) ? $0 : nil }
  }

  /// The languages of its localized packs, without duplicates.
  package var languages: [LanguageTag] { packs.compactMap(\.offered.language).inOrder }
}
