import BAPackKit
import SystemIO

/// The paths in packs that files have, as devices compare them: without case and normalization.
struct TakenPaths {
  private var files = PathOwners(PathForms(on: .macOS))
  private var folders = PathOwners(PathForms(on: .macOS))
  private var audiences: [Int: PackAudience] = [:]
  /// The folders of each pack.
  private var known: [Int: Set<[UInt8]>] = [:]
  /// The paths of files in each pack that files of its own language can replace.
  private var fills: [Int: Set<[UInt8]>] = [:]

  /// Adds a pack without files.
  mutating func add(_ pack: Int, _ manifest: Manifest) {
    audiences[pack] = PackAudience(platforms: manifest.platforms, language: manifest.language)
  }

  /// Adds the path of a file in a pack; another file of the pack can replace a fill.
  mutating func add(_ path: [UInt8], of pack: Int, isFill: Bool = false) {
    if isFill { fills[pack, default: []].insert(path) } else { fills[pack]?.remove(path) }
    files.add(AssetPath(unchecked: path[...]), of: pack)
    var end = path.lastIndex(of: slash)
    while let last = end {
      let folder = Array(path[..<last])
      guard known[pack, default: []].insert(folder).inserted else { return }
      folders.add(AssetPath(unchecked: folder[...]), of: pack)
      end = folder.lastIndex(of: slash)
    }
  }

  /// Returns a pack that a device can have together with `pack`, and that has a file or a folder
  /// where the path is a file, or a file where it is a folder; nil if there is none.
  func pack(with path: [UInt8], besideFilesOf pack: Int) -> Int? {
    let isFill = fills[pack]?.contains(path) ?? false
    func rival(_ owners: PathOwners, _ path: ArraySlice<UInt8>) -> Int? {
      owners.packs(owners.owners(of: AssetPath(unchecked: path))).first {
        !(isFill && $0 == pack) && areTogether($0, pack)
      }
    }
    if let found = rival(files, path[...]) ?? rival(folders, path[...]) { return found }
    for end in path.indices where path[end] == slash {
      if let found = rival(files, path[..<end]) { return found }
    }
    return nil
  }

  /// Returns whether a device can have two packs.
  private func areTogether(_ one: Int, _ other: Int) -> Bool {
    guard one != other, let one = audiences[one], let other = audiences[other] else { return true }
    let isOffered = Platform.allCases.contains { one.isOffered(on: $0) && other.isOffered(on: $0) }
    guard isOffered, let language = one.language, let second = other.language else {
      return isOffered
    }
    return language.isEquivalent(to: second)
  }
}
