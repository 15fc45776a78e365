package import BAPackKit
import SystemIO
import TerminalText

/// The packs of an app and their paths, from which code for the app is generated.
///
/// Memory is 24 bytes and a string for each path, and 64 bytes more while it is created.
package struct PackConstants: Sendable {
  /// A pack, with its files.
  package struct Pack: Sendable {
    package var id: PackID
    /// The language of a localized pack; nil for other packs.
    package var language: LanguageTag?
    /// The download policy; nil if it is unknown.
    package var policy: DownloadPolicy?
    package var contents: PackContents

    /// Creates a pack.
    package init(
      _ id: PackID, language: LanguageTag? = nil, policy: DownloadPolicy? = nil,
      _ contents: PackContents
    ) {
      self.id = id
      self.language = language
      self.policy = policy
      self.contents = contents
    }
  }

  /// A path as the app sees it.
  struct Path: Sendable, Equatable {
    let text: String
    /// The index of its packs in ``PackConstants/owners``.
    let owners: Int
  }

  /// The packs in the order of their IDs.
  let packs: [Pack]
  /// The different sets of packs that contain a path, as indices of ``packs``.
  let owners: [[Int]]
  /// The paths of all packs in the order of their bytes, each once.
  let paths: [Path]
  /// The paths of all folders with files, in the order of their bytes.
  let folders: [String]
  /// The number of paths without a constant, because they are not UTF-8.
  package let unnamedPathCount: Int

  /// Merges the paths of packs.
  package init(_ packs: [Pack]) {
    self.packs = packs.sorted { $0.id < $1.id }
    var all: [(path: AssetPath, pack: Int)] = []
    all.reserveCapacity(packs.reduce(0) { $0 + $1.contents.count })
    for (number, pack) in self.packs.enumerated() {
      for index in 0..<pack.contents.count { all.append((pack.contents[index], number)) }
    }
    all.sort { $0.path == $1.path ? $0.pack < $1.pack : $0.path < $1.path }
    var owners: [[Int]] = []
    var numbers: [[Int]: Int] = [:]
    var paths: [Path] = []
    // Strings would be compared by canonical equivalence.
    var folders: Set<AssetPath> = []
    var unnamedPathCount = 0
    var start = 0
    while start < all.count {
      let path = all[start].path
      let end = all[start...].firstIndex { $0.path != path } ?? all.count
      let set = all[start..<end].map(\.pack)
      start = end
      guard let text = String(validating: path.bytes, as: UTF8.self) else {
        unnamedPathCount += 1
        continue
      }
      let number = numbers[set, default: owners.count]
      if number == owners.count {
        owners.append(set)
        numbers[set] = number
      }
      paths.append(Path(text: text, owners: number))
      var folder = path.parts.folder.dropLast()
      while !folder.isEmpty, folders.insert(AssetPath(unchecked: folder)).inserted {
        folder = AssetPath(unchecked: folder).parts.folder.dropLast()
      }
    }
    self.owners = owners
    self.paths = paths
    self.folders = folders.sorted().map { String(decoding: $0.bytes, as: UTF8.self) }
    self.unnamedPathCount = unnamedPathCount
  }

  /// Returns the IDs of the packs with a path, with their languages: `voices-en (en), voices-fr
  /// (fr)`.
  func ownerNames(_ number: Int) -> String {
    owners[number].map { pack in
      let language = packs[pack].language.map { " (\($0))" } ?? ""
      return shown(packs[pack].id.text) + language
    }.joined(separator: ", ")
  }
}

/// The amount of constants for paths in generated code.
package enum PathDetail: String, Sendable, CaseIterable {
  /// A constant for each file and each folder.
  case files
  /// A constant for each folder.
  case folders
  /// No constants for paths.
  case none
}

extension PackConstants {
  /// Returns the most detailed constants of which a compiler can read a file quickly.
  package func detail(for language: CodeLanguage) -> PathDetail {
    let limit = language.pathLimit
    if paths.count <= limit { return .files }
    return folders.count <= limit ? .folders : .none
  }

  /// The number of paths.
  package var pathCount: Int { paths.count }
}
