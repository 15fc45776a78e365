package import BAPackKit
package import SourceDiagnostics
import SystemIO

/// The paths that several packs of a release have, where a device may have those packs together: which
/// of them answers is undefined.
///
/// So it is with paths that may be one for the file system of the device.
///
/// Packs of different languages share paths on purpose, and are left out.
package struct SharedPaths: Sendable {
  /// A path, and the packs that have it.
  package struct Path: Sendable, Equatable {
    package var path: String
    package var packs: [PackID]
    /// Whether it has the same bytes in all of them; nil where nobody looked.
    package var hasSameBytes: Bool?
    /// Other paths in these packs that may be the same file on the device.
    package var alike: [String] = []
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
    let forms = PathForms(on: profile.platform)
    var first: [UInt64: Place] = [:]
    first.reserveCapacity(packs.reduce(0) { $0 + ($1.contents?.count ?? 0) })
    var more: [UInt64: [Place]] = [:]
    for (number, pack) in packs.enumerated() {
      guard let contents = pack.contents else { continue }
      for file in 0..<contents.count {
        let key = forms.fingerprint(of: contents[file])
        let place = Place(pack: number, file: file)
        if let other = first[key] {
          more[key, default: [other]].append(place)
        } else {
          first[key] = place
        }
      }
    }
    for places in more.values.sorted(by: { ($0[0].pack, $0[0].file) < ($1[0].pack, $1[0].file) }) {
      // Fingerprints may be equal by accident.
      var groups: [String: [Place]] = [:]
      for place in places {
        guard let contents = packs[place.pack].contents else { continue }
        groups[forms.key(contents[place.file]), default: []].append(place)
      }
      for group in groups.values.sorted(by: { ($0[0].pack, $0[0].file) < ($1[0].pack, $1[0].file) })
      where group.count > 1 {
        add(group, of: packs, world)
      }
    }
  }

  /// Adds paths that may be one, of which there are at least two.
  private mutating func add(_ places: [Place], of packs: [ReleasedPack], _ world: World) {
    let having = places.map { packs[$0.pack] }
    let tags = having.compactMap(\.offered.language)
    if tags.count == having.count, Set(tags).count == tags.count { return }
    let contents = places.compactMap { place in
      packs[place.pack].contents.map { (path: $0[place.file], size: $0.size(at: place.file)) }
    }
    guard let path = contents.first?.path else { return }
    var alike: [String] = []
    for other in contents where !other.path.elementsEqual(path) {
      let text = FilePath(other.path).text
      // Texts are equal that differ only by normalisation.
      if !alike.contains(where: { $0.utf8.elementsEqual(text.utf8) }) { alike.append(text) }
    }
    let text = FilePath(path).text
    var isSame: Bool? = Set(contents.map(\.size)).count > 1 || !alike.isEmpty ? false : nil
    if isSame == nil, paths.count < Self.mostCompared { isSame = world.haveSameBytes(text, having) }
    var ids: [PackID] = []
    for pack in having where !ids.contains(pack.id) { ids.append(pack.id) }
    paths.append(Path(path: text, packs: ids, hasSameBytes: isSame, alike: alike))
  }
}

extension SharedPaths {
  /// The paths as programs read them.
  package var json: JSONValue {
    .array(
      paths.map {
        .object([
          .init("path", .string($0.path)),
          .init("packs", .array($0.packs.map { .string($0.text) })),
          .init("sameBytes", $0.hasSameBytes.map { .bool($0) } ?? .null),
          .init("alike", .array($0.alike.map { .string($0) })),
        ])
      })
  }
}
