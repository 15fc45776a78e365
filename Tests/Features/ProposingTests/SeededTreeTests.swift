import BAPackKit
import Proposing
import SystemIO
import TestSupport
import Testing

struct SeededTreeTests {
  private static let seeds: [UInt64] = [1, 2, 3, 4]

  private func paths(of tree: AssetTree) -> [[UInt8]] { tree.files.indices.map(tree.path(ofFile:)) }

  @Test func `equal seeds give equal folders, and other seeds give others`() {
    for seed in Self.seeds {
      let pairs = zip(SeededTrees.all(seed: seed), SeededTrees.all(seed: seed))
      for (tree, second) in pairs {
        #expect(tree.name == second.name)
        #expect(tree.files.map(\.path) == second.files.map(\.path))
        #expect(tree.files.map(\.size) == second.files.map(\.size))
        #expect(tree.files.map(\.place) == second.files.map(\.place))
      }
    }
    let sizes = Set(Self.seeds.map { SeededTrees.all(seed: $0).flatMap(\.files).map(\.size) })
    #expect(sizes.count == Self.seeds.count)
  }

  @Test func `each path occurs once, and once in the packs of its language`() {
    for tree in Self.seeds.flatMap({ SeededTrees.all(seed: $0) + [SeededTrees.mixed(seed: $0)] }) {
      #expect(Set(tree.files.map(\.path)).count == tree.files.count, "\(tree)")
      var localized = 0
      for file in tree.files { if case .localized = file.place { localized += 1 } }
      #expect(tree.languages.values.map(\.count).reduce(0, +) == localized, "\(tree)")
      for (language, paths) in tree.languages {
        #expect(paths.isDisjoint(with: tree.outside), "\(tree), \(language)")
      }
      if localized > 0 { #expect(tree.languages.count >= 2, "\(tree)") }
    }
  }

  @Test func `the structures of translations have languages, and the others none`() {
    for seed in Self.seeds {
      for tree in SeededTrees.languages(seed: seed) where !tree.name.hasPrefix("texts") {
        #expect(!tree.languages.isEmpty, "\(tree)")
      }
      for tree in SeededTrees.falseLanguages(seed: seed) + SeededTrees.others(seed: seed) {
        #expect(tree.languages.isEmpty, "\(tree)")
      }
    }
  }

  @Test func `the tree and the folder on the disk have the same files`() throws {
    for tree in SeededTrees.all(seed: 7) {
      let folder = try TemporaryFolder()
      try tree.write(to: folder)
      let asset = tree.assetTree(root: FilePath(folder.path))
      let skipped = tree.files.filter { file in
        file.path.split(separator: UInt8(ascii: "/")).dropLast().contains {
          SeededTree.isSkipped(Array($0))
        }
      }
      let entries = paths(of: asset)
      let inspected = Set(entries).intersection(tree.files.map(\.path))
      #expect(inspected.count == tree.files.count - skipped.count, "\(tree)")
      #expect(Set(entries).count == entries.count, "\(tree)")
      for file in tree.files {
        let size = try folder.size(of: file.path)
        #expect(size == file.size, "\(tree)")
      }
    }
  }

  @Test func `a name of a language in a seeded folder has the expected tag`() {
    for tree in Self.seeds.flatMap({ SeededTrees.languages(seed: $0) }) {
      for file in tree.files {
        guard case .localized(let language, let path) = file.place else { continue }
        let parts = file.path.split { $0 == UInt8(ascii: "/") }
        let folders = parts.dropLast().compactMap { LanguageName($0) }
        let suffix = suffixes(of: parts.last ?? []).lazy.compactMap { LanguageName($0) }.first
        let tags = (folders + [suffix].compactMap(\.self)).map(\.tag.description)
        let isPlain = path == file.path && language == tree.primaryLanguage
        #expect(tags == [language] || isPlain, "\(String(decoding: file.path, as: UTF8.self))")
      }
    }
  }

  /// Returns the part of a file name before its extension, after each separator.
  private func suffixes(of name: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
    guard let end = name.lastIndex(of: UInt8(ascii: ".")) else { return [] }
    let stem = name[..<end]
    let starts = stem.indices.filter { "_-.".utf8.contains(stem[$0]) }
    return starts.map { stem[($0 + 1)...] }
  }
}
