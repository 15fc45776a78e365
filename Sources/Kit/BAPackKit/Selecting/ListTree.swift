import Glibc
import SourceDiagnostics
import SystemIO

/// A source root that is a ``FileList``: its destinations as a tree.
///
/// The tree uses no memory in addition to the list. A folder is a range of the sorted files. Only
/// the sources of the list are opened, and their links are followed.
struct ListTree: SourceTree {
  /// A folder: the files below it, and the length of its path with a slash at the end.
  struct Folder: Sendable {
    var files: Range<Int>
    var prefix: Int
  }

  private enum Found {
    case file(FileList.Entry)
    case folder(Folder)
  }

  let list: FileList

  var root: Folder { Folder(files: 0..<list.entries.count, prefix: 0) }

  /// Returns the source of the file at a path; nil if there is none.
  func source(at path: ArraySlice<UInt8>) -> FilePath? {
    var folder = root
    for name in path.split(separator: slash) {
      switch find(name, in: folder) {
      case .folder(let found): folder = found
      case .file(let entry):
        return entry.destination.count == path.count ? list.source(of: entry) : nil
      case nil: return nil
      }
    }
    return nil
  }

  /// Returns the name of a file, or of the folder around it, directly in a folder.
  private func name(ofFileAt index: Int, in folder: Folder) -> ArraySlice<UInt8> {
    let path = list.bytes[list.entries[index].destination]
    return path.dropFirst(folder.prefix).prefix { $0 != slash }
  }

  private func find(_ name: ArraySlice<UInt8>, in folder: Folder) -> Found? {
    let start = firstFile(in: folder) { !$0.lexicographicallyPrecedes(name) }
    guard start < folder.files.upperBound, self.name(ofFileAt: start, in: folder) == name else {
      return nil
    }
    let entry = list.entries[start]
    let prefix = folder.prefix + name.count + 1
    if entry.destination.count < prefix { return .file(entry) }
    let end = firstFile(in: folder) { name.lexicographicallyPrecedes($0) }
    return .folder(Folder(files: start..<end, prefix: prefix))
  }

  /// Returns the index of the first file in a folder whose name satisfies a condition, as do all
  /// names after it.
  private func firstFile(
    in folder: Folder, where condition: (ArraySlice<UInt8>) -> Bool
  ) -> Int {
    var (low, high) = (folder.files.lowerBound, folder.files.upperBound)
    while low < high {
      let middle = low + (high - low) / 2
      if condition(name(ofFileAt: middle, in: folder)) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

extension ListTree {
  func parent(of folder: Folder) -> Folder? {
    guard folder.prefix > 0 else { return nil }
    let path = list.bytes[list.entries[folder.files.lowerBound].destination]
    var parent = root
    for name in path.prefix(folder.prefix - 1).split(separator: slash).dropLast() {
      guard case .folder(let found) = find(name, in: parent) else { return nil }
      parent = found
    }
    return parent
  }

  func list(_ folder: Folder) throws(Failure) -> DirectoryListing {
    var names: [(name: [UInt8], kind: FileKind)] = []
    var index = folder.files.lowerBound
    while index < folder.files.upperBound {
      let name = name(ofFileAt: index, in: folder)
      switch find(name, in: Folder(files: index..<folder.files.upperBound, prefix: folder.prefix)) {
      case .folder(let found):
        names.append((Array(name), .directory))
        index = found.files.upperBound
      case .file, nil:
        names.append((Array(name), .file))
        index += 1
      }
    }
    return DirectoryListing(names)
  }

  func status(of folder: Folder) throws(Failure) -> FileStatus {
    FileStatus(
      // No file system has this device number.
      identity: FileIdentity(
        device: .max, number: UInt64(folder.files.lowerBound) << 16 | UInt64(folder.prefix)),
      kind: .directory, size: 0, permissions: 0o755, userID: 0, groupID: 0,
      modified: Moment(seconds: 0), changed: Moment(seconds: 0),
      unknown: [.permissions, .owner, .time])
  }

  func status(of item: DirectoryListing.Item, in listing: DirectoryListing, of folder: Folder)
    throws(Failure) -> FileStatus
  {
    try status(of: listing.fileName(of: item), in: folder)
  }

  func status(of name: FileName, in folder: Folder) throws(Failure) -> FileStatus {
    switch find(name.bytes[...], in: folder) {
    case .folder(let found): return try status(of: found)
    case .file(let entry):
      var status = try FileStatus(ofFileAt: list.source(of: entry).text)
      status.permissions = entry.isExecutable ? 0o755 : 0o644
      // Owners and times of the sources are those of this machine.
      status.unknown = [.permissions, .owner, .time]
      return status
    case nil: throw Failure(.status, name.shown, code: ENOENT)
    }
  }

  func linkTarget(of name: FileName, in folder: Folder) throws(Failure) -> [UInt8] {
    throw Failure(.follow, name.shown, code: EINVAL)
  }

  func open(_ name: FileName, in folder: Folder) throws(Failure) -> Folder {
    guard case .folder(let found) = find(name.bytes[...], in: folder) else {
      throw Failure(.open, name.shown, code: ENOENT)
    }
    return found
  }

  /// Does nothing: the sources were examined when the list was opened.
  func checkReadable(_ name: FileName, _ status: FileStatus, in folder: Folder) {}
}

extension ListTree {
  /// Examines the sources of a list; reports sources that are missing or are not readable files.
  init(opening list: FileList, _ findings: inout Ledger, _ work: Work) throws(PackError) {
    self.list = list
    var hasText = false
    for (index, entry) in list.entries.enumerated() {
      if index.isMultiple(of: 1024) { try work.checkCancellation() }
      guard let fault = Self.fault(of: list.source(of: entry).text) else { continue }
      if !hasText { findings.turn(to: list.text) }
      hasText = true
      findings.add(FileListRules.source) {
        FileListRules.source(
          shownBytes(list.bytes[entry.source]), fault,
          at: SourceSpan(entry.source.lowerBound, entry.source.upperBound))
      }
    }
  }

  private static func fault(of source: String) -> FileListRules.SourceFault? {
    do throws(Failure) {
      let status = try FileStatus(ofFileAt: source)
      guard status.kind == .file else { return .kind(status.kind) }
      if status.permissions & 0o444 != 0o444 {
        _ = try FileDescriptor.open(source, for: .reading)
      }
      return nil
    } catch {
      switch error.code {
      case ENOENT, ENOTDIR:
        let isLink = (try? FileStatus(ofLinkAt: source).kind) == .symbolicLink
        return isLink ? .danglingLink : .missing
      default: return .unreadable(error.reason)
      }
    }
  }
}
