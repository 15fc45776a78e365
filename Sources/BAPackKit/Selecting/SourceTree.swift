import Glibc
import SystemIO

/// Files and folders below a root, as the selection sees them: a folder on a disk, or an archive.
///
/// No call follows a symbolic link; ``lookUp(_:from:)`` does that, one link after the other, so
/// that both kinds of tree have the same rules.
protocol SourceTree: Sendable {
  /// A folder that was reached from the root; it knows the way back.
  associatedtype Folder: Sendable

  var root: Folder { get }
  /// The folder that `folder` was opened in; nil for the root.
  func parent(of folder: Folder) -> Folder?
  func list(_ folder: Folder) throws(Failure) -> DirectoryListing
  func status(of folder: Folder) throws(Failure) -> FileStatus
  func status(of item: DirectoryListing.Item, in listing: DirectoryListing, of folder: Folder)
    throws(Failure) -> FileStatus
  func status(of name: FileName, in folder: Folder) throws(Failure) -> FileStatus
  func linkTarget(of name: FileName, in folder: Folder) throws(Failure) -> [UInt8]
  func open(_ name: FileName, in folder: Folder) throws(Failure) -> Folder
  /// Throws if the file could not be read later, as far as that can be told without opening it.
  func checkReadable(_ name: FileName, _ status: FileStatus, in folder: Folder) throws(Failure)
  /// Why a file is known to be unreadable; the words follow its path.
  func flaw(of name: FileName, in folder: Folder) -> String?
  /// What an archive has in this folder that cannot be on a disk.
  func strays(in folder: Folder) -> [Stray]
}

/// An entry of an archive that cannot be on a disk; an error if it is selected.
struct Stray: Sendable {
  /// Its path below the folder that it would be in.
  var path: [UInt8]
  /// Why it cannot be; the words follow the path.
  var flaw: String
}

/// A disk has none of these.
extension SourceTree {
  func flaw(of name: FileName, in folder: Folder) -> String? { nil }
  func strays(in folder: Folder) -> [Stray] { [] }
}

/// What a path below a root leads to, with links followed.
enum Found<Folder> {
  case folder(Folder)
  /// A file, or something that a pack cannot have, in its real place.
  case file(FileName, FileStatus, in: Folder)
}

/// Why a path leads nowhere, or not to a place where we may go.
enum LookupFault: Error {
  /// A link with an absolute path.
  case absoluteLink(target: [UInt8])
  /// A link that leads above the root on its way.
  case leavesRoot(target: [UInt8])
  /// A link to something that does not exist.
  case dangling(target: [UInt8])
  /// Links that lead to each other.
  case loop
  /// The next name does not exist; the number of components that were found.
  case missing(after: Int)
  /// Something that must be a folder is not; the number of components up to and including it.
  case notFolder(upTo: Int)
  case system(Failure)
}

extension SourceTree {
  /// How many links one path may lead through; the same as on Linux.
  private var mostLinks: Int { 40 }

  /// Follows a path and its symbolic links, and never leaves the root.
  func lookUp(_ path: [FileName], from start: Folder) throws(LookupFault) -> Found<Folder> {
    var folder = start
    var pending = Array(path.reversed())
    // Pending components up to this number come from the path itself, the others from links.
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
