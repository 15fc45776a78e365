import BAPackKit
import SystemIO

/// The paths that new files have in packs: those that files next to them have there.
struct PlacedPaths {
  private let tree: AssetTree
  private let existing: [ExistingPack]
  private let files: NewFiles
  /// The paths in the proposed packs.
  private let proposed: [SourceReach]
  /// The folders with folders of languages, and their paths in the existing localized packs.
  private var languageFolders: [[UInt8]: [UInt8]] = [:]

  /// The number of files of a folder that are compared.
  private static let mostCompared = 32

  init(
    _ proposal: Proposal, in tree: AssetTree, _ files: NewFiles, besides existing: [ExistingPack]
  ) {
    self.tree = tree
    self.existing = existing
    self.files = files
    proposed = proposal.packs.map { SourceReach($0.manifest.fileSelectors) }
    for pack in existing {
      guard let language = pack.manifest.language else { continue }
      for case .renamedDirectory(let source, let destination) in pack.manifest.fileSelectors {
        let path = FilePath(source.utf8)
        guard let own = pack.offset.treePath(of: path.normalized.bytes),
          let name = FilePath(own).components.last,
          LanguageName(name.bytes[...])?.isSpelling(of: language) ?? false
        else { continue }
        let parent = Array(own.dropLast(name.bytes.count + 1))
        languageFolders[parent] = FilePath(destination.utf8).normalized.bytes
      }
    }
  }

  /// Returns the path that the proposal gives to a file.
  func proposedPath(of file: Int) -> [UInt8] {
    let path = tree.path(ofFile: file)
    let pack = Int(files.proposed[file])
    return pack < 0 ? path : proposed[pack].destinations(of: path).first ?? path
  }

  /// Returns the language of the folder of a file, if existing packs have the folders of other
  /// languages next to it.
  func language(of file: Int) -> LanguageTag? {
    guard !languageFolders.isEmpty else { return nil }
    let names = FilePath(tree.path(ofFile: file)).components
    for (index, name) in names.enumerated().dropLast()
    where languageFolders[FilePath(joining: names[..<index]).bytes] != nil {
      return LanguageName(name.bytes[...])?.tag
    }
    return nil
  }

  /// Returns the path of a file of a language in a pack of this language: that of the same file in
  /// the existing packs of other languages; nil if these have no such file.
  func pathInEveryLanguage(of file: Int, _ language: LanguageTag) -> [UInt8]? {
    let names = FilePath(tree.path(ofFile: file)).components
    for (index, name) in names.enumerated().dropLast() {
      guard let folder = languageFolders[FilePath(joining: names[..<index]).bytes],
        LanguageName(name.bytes[...])?.isSpelling(of: language) ?? false
      else { continue }
      return RootOffset.join(folder, FilePath(joining: names[(index + 1)...]).bytes[...])
    }
    return nil
  }

  /// Returns the path of a file in an existing pack.
  func path(of file: Int, in index: Int) -> [UInt8]? {
    let pack = existing[index]
    guard let own = pack.offset.path(of: tree.path(ofFile: file)) else { return nil }
    if let language = pack.manifest.language,
      let path = pathInEveryLanguage(of: file, language)
    {
      return path
    }
    // Without renamed folders, the app uses the paths of the source root.
    guard pack.contents.reach.renames else { return own }
    let path = proposedPath(of: file)
    var folder = Int(tree.files[file].folder)
    while true {
      let entries = pack.contents.entries(in: tree.allFiles(of: folder))
      for neighbour in entries.prefix(Self.mostCompared) {
        if let path = self.path(path, like: neighbour, in: pack) { return path }
      }
      if folder == AssetTree.rootFolder { break }
      folder = Int(tree.folders[folder].parent)
    }
    switch pack.offset {
    case .inside(let prefix): return RootOffset.join(prefix, path[...])
    case .around, .apart: return pack.offset.path(of: path) ?? path
    }
  }

  /// Returns a path with the change that the proposed path of a neighbour has in the pack; nil if
  /// the change concerns other folders.
  private func path(
    _ path: [UInt8], like neighbour: Int, in pack: ExistingPack
  ) -> [UInt8]? {
    guard let source = pack.offset.path(of: tree.path(ofFile: neighbour)),
      let real = pack.contents.reach.destinations(of: source).first
    else { return nil }
    let old = FilePath(proposedPath(of: neighbour)).components
    let new = FilePath(real).components
    let common = zip(old.reversed(), new.reversed()).prefix { $0 == $1 }.count
    let names = FilePath(path).components
    guard names.count > old.count - common, names.starts(with: old.dropLast(common)) else {
      return nil
    }
    return FilePath(joining: new.dropLast(common) + names[(old.count - common)...]).bytes
  }
}

extension LanguageName {
  /// Returns whether a folder with this name can contain the files of a language: next to the
  /// folder of Brazil, 'pt' is the one of Portugal.
  func isSpelling(of language: LanguageTag) -> Bool {
    tag.isAnotherRegion(of: language)
  }
}
