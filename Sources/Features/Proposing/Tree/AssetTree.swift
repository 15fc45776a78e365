import BAPackKit
package import SystemIO

/// The files and folders below a folder, with the names in one array.
///
/// The folders are in the order of a walk: each folder is followed by its subfolders, and all files
/// of a folder and its subfolders are contiguous. A file needs about 24 bytes and its name.
package struct AssetTree: Sendable {
  /// The folder that was inspected.
  package let root: FilePath
  /// The folders; the first one is ``root``.
  package private(set) var folders: [Folder] = []
  /// The files, and other entries that are not folders to inspect.
  package private(set) var files: [File] = []
  private var names: [UInt8] = []
  /// The size after compression of files of a kind, divided by that before it, where samples were
  /// measured; the kinds are extensions in lower case.
  var shareOfKinds: [String: Double] = [:]
  /// Patterns of folders that are inspected although their names leave them out.
  let inclusions: [PathPattern]
  /// The rules that leave out the targets of links, by the indices of the links.
  private var rulesOfTargets: [Int: LeftOutRule] = [:]

  /// The position of a name in the names of the tree.
  package struct Name: Sendable {
    fileprivate var start: UInt32
    fileprivate var length: UInt32
  }

  /// A folder that was inspected.
  package struct Folder: Sendable {
    fileprivate var name: Name
    /// The index of its folder; the root contains itself.
    package fileprivate(set) var parent: UInt32
    fileprivate var firstFile: UInt32
    fileprivate var ownFilesEnd: UInt32
    fileprivate var filesEnd: UInt32
    fileprivate var foldersEnd: UInt32
  }

  /// A file, or another entry that is not a folder to inspect.
  package struct File: Sendable {
    package let size: UInt64
    fileprivate let name: Name
    /// The index of its folder.
    package let folder: UInt32
    package let kind: Kind
  }

  /// The kind of an entry.
  package enum Kind: UInt8, Sendable {
    /// A regular file, or a link to one below the root.
    case file
    /// A folder whose contents were not inspected, because of its name.
    case skippedFolder
    /// A folder that cannot be listed, or is nested too deeply.
    case unreadableFolder
    case folderLink
    /// A link that is absolute, leaves the root, or has no target.
    case unusableLink
    /// A device, a pipe, a socket, or a file that cannot be read.
    case special
    /// A manifest or a scenario of ba-package, according to its contents.
    case documentOfPacks
  }

  /// Creates a tree without files.
  package init(root: FilePath, including inclusions: [String] = []) {
    self.root = root
    self.inclusions = inclusions.compactMap { try? PathPattern(forExclusion: $0) }
    beginFolder(named: [], in: 0)
  }
}

// MARK: - Access

extension AssetTree {
  /// The index of the root in ``folders``.
  package static let rootFolder = 0

  /// Returns the bytes of a folder's name; empty for the root.
  package func name(ofFolder folder: Int) -> ArraySlice<UInt8> { bytes(of: folders[folder].name) }

  /// Returns the bytes of a file's name.
  package func name(ofFile file: Int) -> ArraySlice<UInt8> { bytes(of: files[file].name) }

  /// Returns the rule that leaves out the target of a link.
  func ruleOfTarget(ofLink file: Int) -> LeftOutRule? { rulesOfTargets[file] }

  private func bytes(of name: Name) -> ArraySlice<UInt8> {
    names[Int(name.start)..<Int(name.start + name.length)]
  }

  /// Returns the path of a folder below the root; empty for the root.
  package func path(ofFolder folder: Int) -> [UInt8] {
    var parts: [ArraySlice<UInt8>] = []
    var folder = folder
    while folder != Self.rootFolder {
      parts.append(name(ofFolder: folder))
      folder = Int(folders[folder].parent)
    }
    return Array(parts.reversed().joined(separator: CollectionOfOne(slash)))
  }

  /// Returns the path of a file below the root.
  package func path(ofFile file: Int) -> [UInt8] {
    let folder = Int(files[file].folder)
    let name = name(ofFile: file)
    return folder == Self.rootFolder ? Array(name) : path(ofFolder: folder) + [slash] + name
  }

  /// Returns the indices of the files in a folder, without those in its subfolders.
  package func ownFiles(of folder: Int) -> Range<Int> {
    Int(folders[folder].firstFile)..<Int(folders[folder].ownFilesEnd)
  }

  /// Returns the indices of all files in a folder and its subfolders.
  package func allFiles(of folder: Int) -> Range<Int> {
    Int(folders[folder].firstFile)..<Int(folders[folder].filesEnd)
  }

  /// Returns the indices of all folders below a folder, without the folder itself.
  package func allFolders(of folder: Int) -> Range<Int> {
    folder + 1..<Int(folders[folder].foldersEnd)
  }

  /// Returns the indices of the subfolders of a folder, in the order of their names.
  package func subfolders(of folder: Int) -> [Int] {
    var result: [Int] = []
    var next = folder + 1
    while next < Int(folders[folder].foldersEnd) {
      result.append(next)
      next = Int(folders[next].foldersEnd)
    }
    return result
  }
}

// MARK: - Creation, in the order of a walk

extension AssetTree {
  /// Adds a folder; its files and subfolders are added next, then ``endFolder(_:)`` is called.
  @discardableResult package mutating func beginFolder(
    named name: some Collection<UInt8>, in parent: Int
  ) -> Int {
    let count = UInt32(files.count)
    let name = store(name)
    folders.append(
      Folder(
        name: name, parent: UInt32(parent), firstFile: count, ownFilesEnd: count, filesEnd: count,
        foldersEnd: UInt32(folders.count + 1)))
    return folders.count - 1
  }

  /// Adds an entry to the folder that was begun last; a folder's files are added before its
  /// subfolders.
  package mutating func addFile(
    named name: some Collection<UInt8>, size: UInt64, kind: Kind = .file, in folder: Int
  ) {
    assert(folder == folders.count - 1, "the files of a folder are added before its subfolders")
    files.append(File(size: size, name: store(name), folder: UInt32(folder), kind: kind))
    folders[folder].ownFilesEnd = UInt32(files.count)
    folders[folder].filesEnd = UInt32(files.count)
  }

  /// Sets the rule that leaves out the target of the link that was added last.
  mutating func setRuleOfTarget(_ rule: LeftOutRule?) {
    if let rule { rulesOfTargets[files.count - 1] = rule }
  }

  /// Ends a folder after its subfolders.
  package mutating func endFolder(_ folder: Int) {
    folders[folder].filesEnd = UInt32(files.count)
    folders[folder].foldersEnd = UInt32(folders.count)
  }

  private mutating func store(_ name: some Collection<UInt8>) -> Name {
    let start = UInt32(names.count)
    names.append(contentsOf: name)
    return Name(start: start, length: UInt32(names.count) - start)
  }
}
