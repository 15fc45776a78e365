import BAPackKit
import Proposing
import SystemIO
import TestSupport
import Testing

/// A folder of assets as a value, with the place that an expert would give each file.
struct SeededTree: Sendable, CustomTestStringConvertible {
  /// The structure and the seed.
  var name: String
  var primaryLanguage: String?
  var files: [File] = []

  struct File: Sendable {
    /// The path below the root, without a slash at its start.
    var path: [UInt8]
    var size: UInt64
    var place: Place
  }

  /// The place of a file in a proposal.
  enum Place: Sendable, Hashable {
    /// In a pack without a language.
    case common
    /// In the pack of a language, with a path in the pack.
    case localized(String, as: [UInt8])
    /// In one pack with the other files of a sibling, such as `Levels/02`.
    case sibling(String)
    /// In a pack with the other files of a quality, such as `Textures/hd`.
    case tier(String)
    /// In a pack with only this platform.
    case platform(String)
    /// In a pack of music or videos.
    case media
    /// In no pack, because of the rule with the ID.
    case leftOut(String)
    /// In one pack without a language, or in no pack.
    case open
  }

  init(_ name: String, primaryLanguage: String? = nil) {
    self.name = name
    self.primaryLanguage = primaryLanguage
  }

  var testDescription: String { name }

  mutating func add(_ path: String, size: UInt64, _ place: Place = .common) {
    add(Array(path.utf8), size: size, place)
  }

  mutating func add(_ path: [UInt8], size: UInt64, _ place: Place = .common) {
    files.append(File(path: path, size: size, place: place))
  }

  mutating func add(_ path: String, size: UInt64, in language: String, as packPath: String) {
    add(path, size: size, .localized(language, as: Array(packPath.utf8)))
  }
}

extension SeededTree {
  /// The options with the primary language, and with a limit that fits the sizes.
  var options: ProposalOptions {
    var options = ProposalOptions()
    options.primaryLanguage = primaryLanguage.flatMap { LanguageTag($0) }
    options.essentialLimit = min(50_000_000, max(1, files.reduce(0) { $0 + $1.size } / 6))
    return options
  }
}

// MARK: - Expectation

extension SeededTree {
  /// The paths in the packs of each language.
  var languages: [String: Set<[UInt8]>] {
    var languages: [String: Set<[UInt8]>] = [:]
    for file in files {
      guard case .localized(let language, let path) = file.place else { continue }
      languages[language, default: []].insert(path)
    }
    return languages
  }

  /// The paths of the files that must be in packs without a language.
  var outside: Set<[UInt8]> {
    Set(
      files.compactMap { file in
        switch file.place {
        case .common, .sibling, .tier, .platform, .media: file.path
        case .localized, .leftOut, .open: nil
        }
      })
  }

  /// The paths of the files that must be in no pack, for each ID of a rule.
  var leftOut: [String: Set<[UInt8]>] {
    var rules: [String: Set<[UInt8]>] = [:]
    for file in files {
      if case .leftOut(let rule) = file.place { rules[rule, default: []].insert(file.path) }
    }
    return rules
  }
}

// MARK: - Forms

extension SeededTree {
  private final class Folder {
    var files: [(name: [UInt8], size: UInt64)] = []
    var folders: [[UInt8]: Folder] = [:]
  }

  /// The tree as the walk of a folder returns it.
  func assetTree(root: FilePath = "assets") -> AssetTree {
    let top = Folder()
    for file in files {
      let parts = file.path.split(separator: UInt8(ascii: "/")).map(Array.init)
      var folder = top
      for part in parts.dropLast() {
        let next = folder.folders[part] ?? Folder()
        folder.folders[part] = next
        folder = next
      }
      folder.files.append((parts.last ?? [], file.size))
    }
    var tree = AssetTree(root: root)
    Self.addContents(of: top, to: &tree, in: AssetTree.rootFolder)
    return tree
  }

  private static func addContents(of folder: Folder, to tree: inout AssetTree, in index: Int) {
    let skipped = folder.folders.keys.filter(isSkipped)
    let files =
      folder.files.map { ($0.name, $0.size, AssetTree.Kind.file) }
      + skipped.map { ($0, 0, .skippedFolder) }
    for (name, size, kind) in files.sorted(by: { $0.0.lexicographicallyPrecedes($1.0) }) {
      tree.addFile(named: name, size: size, kind: kind, in: index)
    }
    let folders = folder.folders.filter { !isSkipped($0.key) }
    for (name, inner) in folders.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
      let child = tree.beginFolder(named: name, in: index)
      addContents(of: inner, to: &tree, in: child)
    }
    tree.endFolder(index)
  }

  /// Returns whether a walk does not inspect a folder.
  static func isSkipped(_ name: [UInt8]) -> Bool {
    let text = String(decoding: name, as: UTF8.self).lowercased()
    return [".git", "__macosx", "node_modules", ".godot", "wip", "unused"].contains(text)
  }

  /// Creates the files; they are holes.
  func write(to folder: borrowing TemporaryFolder) throws {
    for file in files { try folder.makeHole(named: file.path, size: file.size) }
  }
}
