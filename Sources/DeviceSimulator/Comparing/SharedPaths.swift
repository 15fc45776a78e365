package import BAPackKit
import SystemIO

/// The paths that several packs of a release have, where a device may have those packs together: which
/// of them answers is undefined.
///
/// Packs of different languages share paths on purpose, and are left out.
package struct SharedPaths: Sendable {
  /// A path, and the packs that have it.
  package struct Path: Sendable, Equatable {
    package var path: String
    package var packs: [PackID]
    /// Whether it has the same bytes in all of them; nil where nobody looked.
    package var hasSameBytes: Bool?
  }

  /// The paths, in order of the packs.
  package private(set) var paths: [Path] = []
  /// How many there are whose bytes differ, or may differ.
  package var ambiguousCount: Int { paths.count { $0.hasSameBytes != true } }

  /// More files than this are not compared: what is shared by mistake is shared by the thousand.
  private static let mostCompared = 100

  private struct Place: Hashable {
    var pack: Int
    var file: Int
  }

  /// Looks for them among the packs that a device is offered.
  package init(of release: Release, for profile: DeviceProfile, in world: World) {
    let packs = release.offered(to: profile).packs
    var first: [UInt64: Place] = [:]
    first.reserveCapacity(packs.reduce(0) { $0 + ($1.contents?.count ?? 0) })
    var more: [UInt64: [Place]] = [:]
    for (number, pack) in packs.enumerated() {
      guard let contents = pack.contents else { continue }
      for file in 0..<contents.count {
        let key = contents.fingerprint(at: file)
        let place = Place(pack: number, file: file)
        if let other = first[key] {
          more[key, default: [other]].append(place)
        } else {
          first[key] = place
        }
      }
    }
    for places in more.values.sorted(by: { ($0[0].pack, $0[0].file) < ($1[0].pack, $1[0].file) }) {
      add(places, of: packs, world)
    }
  }

  private mutating func add(_ places: [Place], of packs: [ReleasedPack], _ world: World) {
    // Fingerprints may be equal by accident.
    var groups: [[UInt8]: [Place]] = [:]
    for place in places {
      guard let contents = packs[place.pack].contents else { continue }
      groups[Array(contents[place.file]), default: []].append(place)
    }
    for (path, places) in groups.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
      guard places.count > 1 else { continue }
      let having = places.map { packs[$0.pack] }
      let tags = having.compactMap(\.offered.language)
      if tags.count == having.count, Set(tags).count == tags.count { continue }
      let sizes = Set(places.compactMap { packs[$0.pack].contents?.size(at: $0.file) })
      let text = FilePath(path).text
      var isSame: Bool? = sizes.count > 1 ? false : nil
      if isSame == nil, paths.count < Self.mostCompared {
        isSame = world.haveSameBytes(text, having)
      }
      paths.append(Path(path: text, packs: having.map(\.id), hasSameBytes: isSame))
    }
  }
}
