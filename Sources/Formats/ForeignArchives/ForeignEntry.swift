package import SystemIO

/// One entry of an archive that libarchive reads.
package struct ForeignEntry: Sendable, Equatable {
  package enum Kind: Sendable, Equatable {
    case file
    case directory
    /// The target is unchanged: neither resolved nor checked.
    case symbolicLink(target: [UInt8])
    /// A second name for the contents of another entry.
    case hardLink(target: [UInt8])
    /// A device, a pipe or a socket, with its noun in messages.
    case special(String)
  }

  var isLink: Bool { if case .symbolicLink = kind { true } else { false } }

  /// Its index in the archive; ``ForeignContents`` finds the contents by this index.
  package var index: Int
  /// `/`-separated, relative, without `.` and empty components.
  package var path: [UInt8]
  package var kind: Kind
  /// The number of bytes in a file; nil while that is unknown.
  package var size: UInt64?
  /// The lower twelve bits of the mode.
  package var permissions: UInt32
  package var userID: UInt64
  package var groupID: UInt64
  /// Whether the archive contains the owner.
  package var hasOwner = true
  /// Whether the archive contains the permissions.
  package var hasPermissions = true
  package var modified: Moment?
  /// Whether its contents cannot be read without a password.
  package var isEncrypted: Bool
  /// The index of the entry with the contents: of several names of a file, one has them.
  package var contents: Int
  /// The reason why a file cannot have such a path; in a message it follows the path.
  package var pathFlaw: String?
  /// The reason why the contents cannot be read; in a message it follows the path.
  package var flaw: String?

  package init(
    index: Int = 0, path: [UInt8], kind: Kind, size: UInt64? = nil, permissions: UInt32 = 0o644,
    userID: UInt64 = 0, groupID: UInt64 = 0, modified: Moment? = nil,
    isEncrypted: Bool = false
  ) {
    self.index = index
    contents = index
    self.path = path
    self.kind = kind
    self.size = size
    self.permissions = permissions
    self.userID = userID
    self.groupID = groupID
    self.modified = modified
    self.isEncrypted = isEncrypted
  }
}
