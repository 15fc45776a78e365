import BAPackKit
import SystemIO

/// Finds the paths that released apps can read before a release and not after it.
///
/// The file at a path depends on all packs of the device.
struct LostPathSearch {
  /// A file of a pack with a path.
  private struct PackFile {
    var isOld: Bool
    var pack: Int
    var file: Int
  }

  private var sides: OfferedSides
  private let sorts: DeviceSorts
  /// The places of paths that a device may treat as equal, keyed by fingerprint.
  private var places: [UInt64: [PackFile]] = [:]
  /// The files whose digests must be compared.
  private(set) var comparedOld: [PackID: Set<Int>] = [:]
  private(set) var comparedNew: [PackID: Set<Int>] = [:]

  /// A Mac treats more paths as equal than other platforms.
  private static let forms = PathForms(on: .macOS)
  private static let exactForms = PathForms(on: .iOS)

  init(of walks: [PathWalk], _ old: Inventory, _ new: Inventory) {
    sides = OfferedSides(old, new)
    sorts = DeviceSorts(sides)
    findPlaces(of: walks)
    for group in places.values { addComparedFiles(group) }
  }

  private mutating func findPlaces(of walks: [PathWalk]) {
    var wanted: Set<UInt64> = []
    for walk in walks {
      for path in walk.touchedPaths + walk.removedPaths {
        wanted.insert(Self.forms.fingerprint(of: path))
      }
    }
    for pack in sides.ids.indices
    where sorts.of([pack]).contains(where: { sorts[$0].changes(pack) }) {
      for contents in [sides.oldContents[pack], sides.newContents[pack]].compactMap({ $0 }) {
        for file in 0..<contents.count {
          wanted.insert(Self.forms.fingerprint(of: contents[file]))
        }
      }
    }
    if wanted.isEmpty { return }
    for (isOld, all) in [(true, sides.oldContents), (false, sides.newContents)] {
      for (pack, contents) in all.enumerated() {
        guard let contents else { continue }
        for file in 0..<contents.count {
          let key = Self.forms.fingerprint(of: contents[file])
          guard wanted.contains(key) else { continue }
          places[key, default: []].append(PackFile(isOld: isOld, pack: pack, file: file))
        }
      }
    }
  }

  private func contents(_ place: PackFile) -> PackContents? {
    place.isOld ? sides.oldContents[place.pack] : sides.newContents[place.pack]
  }

  private func path(_ place: PackFile) -> AssetPath {
    contents(place)?[place.file] ?? AssetPath(unchecked: [])
  }

  /// A path and a size on one side.
  private struct SizedPath: Hashable {
    var isOld: Bool
    var path: AssetPath
    var size: UInt64
  }

  /// Adds the digests to compare: files of one size at one path, in packs that a device may have
  /// together.
  ///
  /// The app can request packs of all languages.
  private mutating func addComparedFiles(_ group: [PackFile]) {
    guard group.count > 1 else { return }
    let same = Dictionary(grouping: group) { place in
      let size = contents(place)?.size(at: place.file) ?? 0
      return SizedPath(isOld: place.isOld, path: path(place), size: size)
    }
    for (key, places) in same where places.count > 1 {
      let packs = key.isOld ? sides.old : sides.new
      for platform in Platform.allCases {
        let offered = places.filter { packs[$0.pack]?.isOffered(on: platform) ?? false }
        guard offered.count > 1 else { continue }
        for place in offered {
          if key.isOld {
            comparedOld[sides.ids[place.pack], default: []].insert(place.file)
          } else {
            comparedNew[sides.ids[place.pack], default: []].insert(place.file)
          }
        }
      }
    }
  }

  // MARK: Lost paths

  /// A path that some devices lose.
  private struct Lost {
    var path: AssetPath
    var state: PathOnDevices
    var losses: PathOnDevices.Losses
  }

  /// Adds the breaks of released apps to the changes.
  func settle(_ changes: inout [PackChange], _ old: Inventory, _ new: Inventory) {
    markMoves(&changes)
    var all = self
    all.sides.update(old, new)
    let lost = all.lost()
    if lost.isEmpty { return }
    var marks = MarkedChanges(changes, sides, sorts, of: Set(lost.map(\.path)))
    for path in lost {
      for (pack, gone) in path.losses.gone.sorted(by: { $0.key < $1.key }) {
        marks.mark(path.path, path.state, gone: pack, gone)
      }
      if !path.losses.rivals.isEmpty { marks.mark(path.path, rivals: path.losses.rivals) }
    }
    changes = marks.changes
  }

  private func lost() -> [Lost] {
    var known: [PathOnDevices: PathOnDevices.Losses] = [:]
    var lost: [Lost] = []
    func judge(_ path: AssetPath, _ state: PathOnDevices) {
      let losses = known[state] ?? state.losses(on: sorts)
      known[state] = losses
      if !losses.isEmpty { lost.append(Lost(path: path, state: state, losses: losses)) }
    }
    for group in places.values {
      // Nearly all groups have one path.
      let paths = Set(group.lazy.filter(\.isOld).map(path))
      for path in paths { judge(path, state(of: path, in: group)) }
    }
    // A pack with unknown files represents its files.
    for pack in sides.ids.indices where sides.old[pack] != nil && sides.oldContents[pack] == nil {
      var state = PathOnDevices()
      state.old = [.init(pack: pack, bytes: 0)]
      if sides.new[pack] != nil { state.new = state.old }
      judge(AssetPath(unchecked: []), state)
    }
    return lost.sorted { $0.path < $1.path }
  }

  private func state(of path: AssetPath, in group: [PackFile]) -> PathOnDevices {
    var state = PathOnDevices()
    var owners: (old: [PackFile], new: [PackFile]) = ([], [])
    var similar: (old: [PackFile], new: [PackFile]) = ([], [])
    for place in group {
      let other = self.path(place)
      if other == path {
        if place.isOld { owners.old.append(place) } else { owners.new.append(place) }
      } else if Self.forms.areAlike(other, path) {
        if place.isOld { similar.old.append(place) } else { similar.new.append(place) }
      }
    }
    state.old = numbered(owners.old)
    state.new = numbered(owners.new)
    state.oldSimilar = similarPaths(similar.old, of: path, besides: owners.old)
    state.newSimilar = similarPaths(similar.new, of: path, besides: owners.new)
    return state
  }

  /// Numbers files by their bytes; of a pack with unknown files, the bytes are those of the first.
  ///
  /// Without digests, only the sizes are compared.
  private func numbered(_ places: [PackFile]) -> [PathOnDevices.Owner] {
    var first: [UInt64: [ArraySlice<UInt8>?: Int]] = [:]
    var count = 0
    return places.map { place in
      guard let contents = contents(place) else {
        return PathOnDevices.Owner(pack: place.pack, bytes: 0)
      }
      let size = contents.size(at: place.file)
      let digest = contents.digest(at: place.file).map { Array($0)[...] }
      let known = first[size]
      let number =
        digest == nil ? known?.values.min() : known?[digest] ?? known?[nil]
      if number == nil { count += 1 }
      first[size, default: [:]][digest] = number ?? count - 1
      return PathOnDevices.Owner(pack: place.pack, bytes: number ?? count - 1)
    }
  }

  private func similarPaths(
    _ places: [PackFile], of path: AssetPath, besides owners: [PackFile]
  ) -> [PathOnDevices.SimilarPath] {
    var found: [Int: Bool] = [:]
    let owners = Set(owners.map(\.pack))
    for place in places where !owners.contains(place.pack) {
      let byCase = !Self.exactForms.areAlike(self.path(place), path)
      found[place.pack] = found[place.pack] ?? true && byCase
    }
    return found.sorted { $0.key < $1.key }.map { .init(pack: $0.key, byCase: $0.value) }
  }

  // MARK: Moved files

  /// Marks files as moved that were removed from one pack and added to another with the same path
  /// and bytes.
  private func markMoves(_ changes: inout [PackChange]) {
    struct Key: Hashable {
      var path: AssetPath
      var digest: [UInt8]
    }
    var gone: [Key: (change: Int, file: Int)] = [:]
    for (number, change) in changes.enumerated() {
      for (place, file) in change.files.enumerated() where file.kind == .removed {
        if let digest = file.digest {
          gone[Key(path: file.path, digest: digest)] = (number, place)
        }
      }
    }
    if gone.isEmpty { return }
    var moved: [Int: Set<Int>] = [:]
    for (number, change) in changes.enumerated() {
      for (place, file) in change.files.enumerated() where file.kind == .added {
        guard let digest = file.digest,
          let from = gone.removeValue(forKey: Key(path: file.path, digest: digest)),
          from.change != number, let before = changes[from.change].old
        else { continue }
        moved[from.change, default: []].insert(from.file)
        changes[number].files[place].kind = .moved(from: before.id)
        changes[number].files[place].oldSize = changes[from.change].files[from.file].oldSize
      }
    }
    for (number, places) in moved {
      changes[number].files = changes[number].files.enumerated()
        .filter { !places.contains($0.offset) }.map(\.element)
    }
  }
}
