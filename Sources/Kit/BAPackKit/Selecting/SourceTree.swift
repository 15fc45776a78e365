import Glibc
import SystemIO

/// The files and folders below a root for the selection: a folder on a disk, an archive, or a list.
///
/// No function follows a symbolic link except ``lookUp(_:from:)``, which follows one link after the
/// other, so that the same rules apply to both kinds of trees.
protocol SourceTree: Sendable {
  /// A folder that was reached from the root, with its parent folders.
  associatedtype Folder: Sendable

  var root: Folder { get }
  /// Returns the folder in which `folder` was opened; nil for the root.
  func parent(of folder: Folder) -> Folder?
  func list(_ folder: Folder) throws(Failure) -> DirectoryListing
  func status(of folder: Folder) throws(Failure) -> FileStatus
  func status(of item: DirectoryListing.Item, in listing: DirectoryListing, of folder: Folder)
    throws(Failure) -> FileStatus
  func status(of name: FileName, in folder: Folder) throws(Failure) -> FileStatus
  func linkTarget(of name: FileName, in folder: Folder) throws(Failure) -> [UInt8]
  func open(_ name: FileName, in folder: Folder) throws(Failure) -> Folder
  /// Throws if the file is known to be unreadable without opening it.
  func checkReadable(_ name: FileName, _ status: FileStatus, in folder: Folder) throws(Failure)
  /// Returns the reason why a file is known to be unreadable, as text after its path.
  func flaw(of name: FileName, in folder: Folder) -> String?
  /// Returns the entries of an archive in this folder that cannot exist on a disk.
  func strays(in folder: Folder) -> [Stray]
  /// The number of its files and folders, and the bytes of their paths; nil if they are not listed
  /// yet.
  var listedSize: (entries: Int, pathBytes: Int)? { get }
}

/// An archive entry that cannot exist on a disk, which is an error if it is selected.
struct Stray: Sendable {
  /// The path below the folder that would contain the entry.
  var path: [UInt8]
  /// The reason, as text after the path.
  var flaw: String
}

// A folder on a disk has none of these.
extension SourceTree {
  func flaw(of name: FileName, in folder: Folder) -> String? { nil }
  func strays(in folder: Folder) -> [Stray] { [] }
  var listedSize: (entries: Int, pathBytes: Int)? { nil }
}

/// The target of a path below a root, with links followed.
enum Found<Folder> {
  case folder(Folder)
  /// A file, or an unsupported kind of file, in its real folder.
  case file(FileName, FileStatus, in: Folder)
}

/// A fault in following a path.
enum LookupFault: Error {
  /// A link with an absolute path.
  case absoluteLink(target: [UInt8])
  /// A link that leads above the root.
  case leavesRoot(target: [UInt8])
  /// A link to a path that does not exist.
  case dangling(target: [UInt8])
  /// A loop of links.
  case loop
  /// A name that does not exist; the number of components before it.
  case missing(after: Int)
  /// A file instead of a folder; the number of components up to and including it.
  case notFolder(upTo: Int)
  case system(Failure)
}

extension SourceTree {
  /// The maximum number of links in one path, as on Linux.
  private var mostLinks: Int { 40 }

  /// Follows a path and its symbolic links, without leaving the root.
  func lookUp(_ path: [FileName], from start: Folder) throws(LookupFault) -> Found<Folder> {
    var folder = start
    var pending = Array(path.reversed())
    // Pending components up to this number are part of the path itself, the others are from links.
    var pathCount = path.count
    var links = 0
    var target: [UInt8] = []
    while let name = pending.popLast() {
      let isOwn = pending.count < pathCount
      if isOwn { pathCount = pending.count }
      if name == "." || name.bytes.isEmpty { continue }
      if name == ".." {
        guard let parent = parent(of: folder) else { throw .leavesRoot(target: target) }
        folder = parent
        continue
      }
      let seen = path.count - pathCount
      let status = try withLookup(
        orAbsent: isOwn ? .missing(after: seen - 1) : .dangling(target: target)
      ) { () throws(Failure) in try self.status(of: name, in: folder) }
      switch status.kind {
      case .symbolicLink:
        links += 1
        if links > mostLinks { throw .loop }
        target = try withLookup { () throws(Failure) in try linkTarget(of: name, in: folder) }
        if target.first == slash { throw .absoluteLink(target: target) }
        pending += target.split(separator: slash).reversed().map { FileName($0) }
      case .directory:
        folder = try withLookup { () throws(Failure) in try open(name, in: folder) }
      default:
        guard pending.allSatisfy({ $0 == "." }) else {
          throw isOwn ? .notFolder(upTo: seen) : .dangling(target: target)
        }
        return .file(name, status, in: folder)
      }
    }
    return .folder(folder)
  }

  private func withLookup<Result>(
    orAbsent absent: LookupFault? = nil, _ body: () throws(Failure) -> Result
  ) throws(LookupFault) -> Result {
    do throws(Failure) {
      return try body()
    } catch {
      if error.code == ENOENT || error.code == ENAMETOOLONG, let absent { throw absent }
      throw .system(error)
    }
  }
}
