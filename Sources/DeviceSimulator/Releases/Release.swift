package import BAPackKit

/// A pack as a server has it at one time.
package struct ReleasedPack: Sendable, Equatable {
  /// What devices are told of it.
  package var offered: OfferedPack
  /// Its version there.
  package var version: Int
  /// Its files; nil where only a manifest is known.
  package var contents: PackContents?
  /// Where its archive is: a path or an address; empty where nobody knows.
  package var place: String
  /// Rules that this description rests on.
  package var rules: [SemanticRule]

  /// Describes a pack.
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

  /// The ID under which the app asks for it.
  package var id: PackID { offered.id }

  /// Returns the message for a manifest that lists the pack for a platform that its archive omits.
  func platformMistake(on platform: Platform) -> String {
    let own = offered.platforms.map(\.rawValue).joined(separator: ", ")
    return "the manifest lists '\(id)' for \(platform.rawValue), and its archive is for \(own)"
  }

  /// Why a device does not get it even if the app requests it; nil if it gets it.
  func obstacleToRequests(on profile: DeviceProfile) -> PackObstacle? {
    offered.obstacleToRequests(
      on: profile.platform, knowsLocalizedPacks: profile.knowsLocalizedPacks)
  }

  /// Whether it is for the device's platform, and localized only where its system knows such packs.
  package func isOffered(to profile: DeviceProfile) -> Bool {
    obstacleToRequests(on: profile) == nil
  }
}

/// What a server has at one time.
package struct Release: Sendable, Equatable {
  /// How it was named: a path or an address.
  package let name: String
  /// The packs, in the order of the manifest.
  package let packs: [ReleasedPack]
  /// Rules that concern whoever reads it.
  package let rules: [SemanticRule]
  private let places: [PackID: Int]

  /// Describes a release; of two packs with one ID the first counts.
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

  /// The packs that a device is offered: those for its platform, and localized packs only if its
  /// system supports them.
  package func offered(to profile: DeviceProfile) -> Release {
    Release(name, packs.filter { $0.isOffered(to: profile) }, rules: rules)
  }

  /// The pack with an ID, if a device is offered it.
  package subscript(id: PackID, to profile: DeviceProfile) -> ReleasedPack? {
    self[id].flatMap { $0.isOffered(to: profile) ? $0 : nil }
  }

  /// The languages of its localized packs, each once.
  package var languages: [LanguageTag] { packs.compactMap(\.offered.language).inOrder }
}
