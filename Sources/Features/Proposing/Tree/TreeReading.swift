package import BAPackKit
import Glibc
package import SystemIO
import TerminalText

extension AssetTree {
  /// The maximum depth of folders that are inspected; each of them is open during the inspection of
  /// its subfolders.
  package static let deepest = 256
  /// The maximum number of files and folders, as in the selection of a pack.
  package static let mostEntries = 4_000_000

  /// Reads the names and sizes of all files below a folder.
  ///
  /// The entries of a folder are in the order of the bytes of their names, files before subfolders.
  /// No link is followed except to find the size of its target. The memory is that of
  /// the tree, and one list of names for each level of folders.
  ///
  /// - Throws: ``PackError`` if the folder is not a readable folder, if it contains more than
  ///   ``mostEntries``, or if a disk reports an error.
  package init(
    reading root: FilePath, including inclusions: [String] = [], _ work: Work
  ) throws(PackError) {
    self.init(root: root, including: inclusions)
    var levels = [OpenLevel(folder: Self.rootFolder, OpenFolder(try open(folder: root), in: nil))]
    try readEntries(of: &levels[0], depth: 0, work)
    while var level = levels.popLast() {
      guard let name = level.pending.popLast() else {
        endFolder(level.folder)
        continue
      }
      let parent = level.folder
      let open = level.open
      levels.append(level)
      guard
        let opened = try present({ () throws(Failure) in
          OpenFolder(try open.descriptor.open(name, for: .directory), in: open)
        })
      else { continue }
      var next = OpenLevel(folder: beginFolder(named: name.bytes, in: parent), opened)
      try readEntries(of: &next, depth: levels.count, work)
      levels.append(next)
    }
  }

  /// Returns whether a folder is not inspected because of its name.
  package static func skipsFolder(named name: some Collection<UInt8>) -> Bool {
    name.first == dot
      || skippedFolders.contains(String(decoding: name.map(\.lowercased), as: UTF8.self))
  }

  private static let leftOutNames = LeftOutNames()

  private static let skippedFolders: Set<String> = LeftOutRules.named.reduce(into: []) {
    $0.formUnion($1.folders)
  }
}

/// A folder whose subfolders are being read.
private struct OpenLevel {
  let folder: Int
  let open: OpenFolder
  /// The subfolders that follow, the last one first.
  var pending: [FileName] = []

  init(folder: Int, _ open: OpenFolder) {
    self.folder = folder
    self.open = open
  }
}

extension AssetTree {
  /// Adds the files of a folder to the tree, and notes its subfolders.
  private mutating func readEntries(
    of level: inout OpenLevel, depth: Int, _ work: Work
  ) throws(PackError) {
    let folder = level.open
    let listing = try mapFailure(.reading) { () throws(Failure) in
      try folder.descriptor.list()
    }
    var documents = PackDocuments(inFolderNamed: name(ofFolder: level.folder))
    for (index, item) in listing.items.enumerated() {
      if index & 0x3FFF == 0 { try reportProgress(work) }
      try checkCount(level.pending.count)
      let name = listing.name(of: item)
      var size: UInt64 = 0
      var kind = item.kind
      var isReadable = true
      switch kind {
      case .directory, .symbolicLink: break
      case .file, .characterDevice, .blockDevice, .pipe, .socket, .unknown:
        guard
          let status = try present({ () throws(Failure) in
            try folder.descriptor.status(of: item, in: listing)
          })
        else { continue }
        kind = status.kind
        if kind == .file {
          size = status.size
          isReadable = folder.canRead(name, status)
        }
      }
      switch kind {
      case .file where isReadable:
        let isOwn = documents.recognizeDocument(name, size, in: folder)
        addFile(
          named: name, size: size, kind: isOwn ? .documentOfPacks : .file, in: level.folder)
      case .file, .characterDevice, .blockDevice, .pipe, .socket, .unknown:
        addFile(named: name, size: size, kind: .special, in: level.folder)
      case .symbolicLink:
        switch folder.target(ofLink: FileName(name)) {
        case .file(let target, let size):
          addFile(named: name, size: size, in: level.folder)
          // A link under another name must not publish a key.
          let text = (try? folder.descriptor.linkTarget(of: FileName(name))) ?? []
          setRuleOfTarget(Self.leftOutNames.rule(ofTarget: target, text))
        case .folder: addFile(named: name, size: 0, kind: .folderLink, in: level.folder)
        case .unusable: addFile(named: name, size: 0, kind: .unusableLink, in: level.folder)
        }
      case .directory:
        if Self.skipsFolder(named: name), !includes(name, in: level.folder) {
          addFile(named: name, size: 0, kind: .skippedFolder, in: level.folder)
        } else if depth < Self.deepest, try folder.canList(name) {
          level.pending.append(FileName(name))
        } else {
          addFile(named: name, size: 0, kind: .unreadableFolder, in: level.folder)
        }
      }
    }
    level.pending.reverse()
    try reportProgress(work)
  }

  /// Returns whether the user included a subfolder whose name would leave it out.
  private func includes(_ name: ArraySlice<UInt8>, in folder: Int) -> Bool {
    guard !inclusions.isEmpty else { return false }
    let start = folder == Self.rootFolder ? [] : path(ofFolder: folder) + [slash]
    return inclusions.contains { $0.matchesPathOrFolder(start + name) }
  }

  private func reportProgress(_ work: Work) throws(PackError) {
    try work.checkCancellation()
    work.report?(Work.Progress(done: UInt64(files.count)))
  }

  private func checkCount(_ pending: Int) throws(PackError) {
    guard files.count + folders.count + pending < Self.mostEntries else {
      throw PackError(
        .limit, "'\(root.shown)' contains more than \(Self.mostEntries) files and folders",
        remedy: "specify a folder with fewer files, such as the one with the assets of the app")
    }
  }
}

extension OpenFolder {
  /// Returns whether this process can read a file in this folder.
  fileprivate func canRead(_ name: ArraySlice<UInt8>, _ status: FileStatus) -> Bool {
    // A file that is readable for all users needs no second system call.
    status.permissions & 0o444 == 0o444
      || (try? descriptor.checkReadable(FileName(name))) != nil
  }

  /// Returns whether this process can list a subfolder and examine its entries.
  fileprivate func canList(_ name: ArraySlice<UInt8>) throws(PackError) -> Bool {
    do throws(Failure) {
      _ = try descriptor.open(FileName(name), for: .directory).status(of: ".")
      return true
    } catch {
      switch error.code {
      // The result would depend on other processes.
      case EMFILE, ENFILE, ENOMEM: throw PackError(error, while: .reading)
      default: return false
      }
    }
  }
}

/// Returns the result of a function, or nil if the file was removed since its folder was listed.
private func present<Result>(
  _ body: () throws(Failure) -> Result
) throws(PackError) -> Result? {
  do throws(Failure) {
    return try body()
  } catch {
    if error.code == ENOENT { return nil }
    throw PackError(error, while: .reading)
  }
}

/// Opens a folder that the user gave; it may be a link.
///
/// - Throws: ``PackError`` if it is not a folder whose entries this process can list and examine.
func open(folder path: FilePath) throws(PackError) -> FileDescriptor {
  let given = path.bytes.isEmpty ? FilePath(CollectionOfOne(dot)) : path
  do throws(Failure) {
    let folder = try FileDescriptor.open(given.text, for: .directory)
    _ = try folder.status(of: ".")
    return folder
  } catch {
    switch error.code {
    case ENOENT:
      throw PackError(
        .system(ENOENT), "there is no folder '\(given.shown)'",
        remedy: "specify an existing folder")
    case ENOTDIR:
      throw PackError(
        .system(ENOTDIR), "'\(given.shown)' is not a folder",
        remedy: "specify the folder of the project or of its assets")
    default: throw PackError(error, while: .reading)
    }
  }
}
