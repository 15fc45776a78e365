import CSystem
import Glibc

/// The identity of a file, independent of its name: unique on this host.
package struct FileIdentity: Sendable, Hashable {
  package var device: UInt64
  /// Its inode; in an archive, the position of the entry with its contents.
  package var number: UInt64

  package init(device: UInt64, number: UInt64) {
    self.device = device
    self.number = number
  }
}

package enum FileKind: UInt8, Sendable {
  case file, directory, symbolicLink, characterDevice, blockDevice, pipe, socket
  /// The file system did not report the kind; read the file's status.
  case unknown

  /// Whether the file is not data on a disk: a device, a pipe or a socket.
  package var isSpecial: Bool {
    switch self {
    case .characterDevice, .blockDevice, .pipe, .socket: true
    case .file, .directory, .symbolicLink, .unknown: false
    }
  }
}

package struct FileStatus: Sendable, Hashable {
  package var identity: FileIdentity
  package var kind: FileKind
  package var size: UInt64
  /// The space that the file uses on the disk; less than its size if it has holes.
  package var allocated: UInt64
  /// The lower twelve bits of the mode.
  package var permissions: UInt32
  package var userID: UInt32
  package var groupID: UInt32
  package var modified: Moment
  package var changed: Moment
  /// The values that the archive does not contain, and that are placeholders; none for a disk.
  package var unknown: Unknown

  package struct Unknown: OptionSet, Sendable, Hashable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let permissions = Unknown(rawValue: 1)
    package static let owner = Unknown(rawValue: 2)
    package static let time = Unknown(rawValue: 4)
  }

  package init(
    identity: FileIdentity, kind: FileKind, size: UInt64, permissions: UInt32, userID: UInt32,
    groupID: UInt32, modified: Moment, changed: Moment, allocated: UInt64? = nil,
    unknown: Unknown = []
  ) {
    self.identity = identity
    self.kind = kind
    self.size = size
    self.allocated = allocated ?? size
    self.permissions = permissions
    self.userID = userID
    self.groupID = groupID
    self.modified = modified
    self.changed = changed
    self.unknown = unknown
  }
}

extension FileStatus {
  /// Returns whether both describe the same file, and the system recorded no write between them.
  ///
  /// The allocated space is not compared: some file systems update it later.
  package func isSameFile(as other: FileStatus) -> Bool {
    identity == other.identity && kind == other.kind && size == other.size
      && modified == other.modified && changed == other.changed
  }

  init(_ status: stat) {
    self.init(
      identity: FileIdentity(device: UInt64(status.st_dev), number: UInt64(status.st_ino)),
      kind: FileKind(mode: status.st_mode), size: UInt64(max(0, status.st_size)),
      permissions: status.st_mode & 0o7777, userID: status.st_uid, groupID: status.st_gid,
      modified: Moment(status.st_mtim), changed: Moment(status.st_ctim),
      allocated: UInt64(max(0, status.st_blocks)) * 512)
  }
}

extension FileKind {
  init(mode: mode_t) {
    self =
      switch mode & S_IFMT {
      case S_IFREG: .file
      case S_IFDIR: .directory
      case S_IFLNK: .symbolicLink
      case S_IFCHR: .characterDevice
      case S_IFBLK: .blockDevice
      case S_IFIFO: .pipe
      case S_IFSOCK: .socket
      default: .unknown
      }
  }
}
