package import BAPackKit
package import SourceDiagnostics
import SystemIO

/// The paths that several packs of a release have, if a device can have these packs together.
///
/// The device reads the file of any of these packs. Paths that the file system of the device may
/// treat as equal count as one path. Packs of different languages share paths on purpose and
/// are omitted.
package struct SharedPaths: Sendable {
  /// A path and the packs that contain it.
  package struct Path: Sendable, Equatable {
    package var path: String
    package var packs: [PackID]
    /// Whether the files have the same bytes; nil if they were not compared.
    package var hasSameBytes: Bool?
    /// Other paths in these packs that may be the same file on the device.
    package var alike: [String] = []
  }

  /// The paths, in the order of the packs.
  package private(set) var paths: [Path] = []

  /// The maximum number of compared files; a packing mistake often affects thousands of files.
  private static let mostCompared = 100

  /// Paths whose files have the same size in all packs: index in `paths`, bytes and packs.
  private var undecided: [(place: Int, path: AssetPath, packs: [Int])] = []

  private struct Place {
    var pack: Int
    var file: Int
  }

  /// Finds the shared paths of the packs that a device is offered.
  package init(of release: Release, for profile: DeviceProfile, in source: ReleaseSource) {
    let packs = release.offered(to: profile).packs
    let forms = PathForms(on: profile.platform)
    var owners = PathOwners(forms, expecting: packs.reduce(0) { $0 + ($1.contents?.count ?? 0) })
    for (number, pack) in packs.enumerated() {
      guard let contents = pack.contents else { continue }
      for file in 0..<contents.count { owners.add(contents[file], of: number) }
    }
    var rivals: [PathOwners.Owners: [[Int]]] = [:]
    var numbers: [String: Int] = [:]
    var shared: [(groups: [[Int]], places: [Place])] = []
    for (number, pack) in packs.enumerated() {
      guard let contents = pack.contents else { continue }
      for file in 0..<contents.count {
        let set = owners.owners(of: contents[file])
        let groups =
          rivals[set]
          ?? PackAudience.rivals(among: owners.packs(set), on: profile.platform) {
            packs[$0].offered.audience
          }
        rivals[set] = groups
        guard groups.contains(where: { $0.contains(number) }) else { continue }
        let key = forms.key(contents[file])
        let index = numbers[key] ?? shared.count
        if index == shared.count {
          numbers[key] = index
          shared.append((groups, []))
        }
        shared[index].places.append(Place(pack: number, file: file))
      }
    }
    for (groups, places) in shared {
      for group in groups { add(places.filter { group.contains($0.pack) }, of: packs) }
    }
    compare(packs, in: source)
  }

  /// Adds paths that may be equal; there are at least two.
  private mutating func add(_ places: [Place], of packs: [ReleasedPack]) {
    let contents = places.compactMap { place in
      packs[place.pack].contents.map { (path: $0[place.file], size: $0.size(at: place.file)) }
    }
    guard let path = contents.first?.path else { return }
    var alike: [String] = []
    // Two strings that differ only in Unicode normalization compare as equal.
    var seen: Set<AssetPath> = [path]
    for other in contents where seen.insert(other.path).inserted {
      alike.append(other.path.text)
    }
    var numbers: [Int] = []
    for place in places where numbers.last != place.pack { numbers.append(place.pack) }
    if Set(contents.map(\.size)).count == 1, alike.isEmpty, undecided.count < Self.mostCompared {
      undecided.append((paths.count, path, numbers))
    }
    paths.append(
      Path(
        path: path.text, packs: numbers.map { packs[$0].id },
        hasSameBytes: Set(contents.map(\.size)).count > 1 || !alike.isEmpty ? false : nil,
        alike: alike))
  }

  /// Compares files with the same path and size; reads each pack once for all of its paths.
  private mutating func compare(_ packs: [ReleasedPack], in source: ReleaseSource) {
    var wanted: [Int: [Int]] = [:]
    for (number, path) in undecided.enumerated() {
      for pack in path.packs { wanted[pack, default: []].append(number) }
    }
    var digests: [Int: [UInt8]] = [:]
    var isOpen = [Bool](repeating: true, count: undecided.count)
    for pack in wanted.keys.sorted() {
      let numbers = (wanted[pack] ?? []).filter { isOpen[$0] }
      if numbers.isEmpty { continue }
      let found = source.digests(packs[pack], numbers.map { undecided[$0].path })
      for (place, number) in numbers.enumerated() {
        guard let found else {
          isOpen[number] = false
          continue
        }
        guard digests.updateValue(found[place], forKey: number).map({ $0 != found[place] }) ?? false
        else { continue }
        paths[undecided[number].place].hasSameBytes = false
        isOpen[number] = false
      }
    }
    for (number, path) in undecided.enumerated() where isOpen[number] {
      paths[path.place].hasSameBytes = true
    }
    undecided = []
  }
}

extension SharedPaths.Path: Described {
  package static let table = Table<Self>(written: "a shared path") {
    Key("path", written: \.path, .text, "The path.")
    Key("packs", written: \.packs, .list(of: .packID), "The IDs of the packs that have it.")
    Key(
      "sameBytes", written: \.hasSameBytes, .nullable(.flag),
      "Whether the files are equal; null if they were not compared.")
    Key(
      "alike", written: \.alike, .list(of: .text),
      "Other paths that may be the same file on the device.")
  }
}
