package import SystemIO

/// One thing in an archive that libarchive reads.
package struct ForeignEntry: Sendable, Equatable {
  package enum Kind: Sendable, Equatable {
    case file
    case directory
    /// The target is as it was stored: not resolved, not judged.
    case symbolicLink(target: [UInt8])
    /// A second name for the contents of another entry.
    case hardLink(target: [UInt8])
    /// A device, a pipe or a socket, in the words of a message.
    case special(String)
  }

  var isLink: Bool { if case .symbolicLink = kind { true } else { false } }

  /// Its place in the archive, by which it is asked for again.
  package var index: Int
  /// `/`-separated, relative, without `.` and empty components.
  package var path: [UInt8]
  package var kind: Kind
  /// The number of bytes in a file; nil while the archive has not said.
  package var size: UInt64?
  /// The lower twelve bits of the mode.
  package var permissions: UInt32
  package var userID: UInt64
  package var groupID: UInt64
  /// Whether the archive says to whom it belongs.
  package var hasOwner = true
  /// Whether it says who may do what with it.
  package var hasPermissions = true
  package var modified: Moment?
  package var created: Moment?
  /// Its contents cannot be read without a password.
  package var isEncrypted: Bool
  /// The place of the entry that holds the contents: of several names, one does.
  package var contents: Int
  /// Whether a second name came with the contents of its group.
  var holdsData = false
  /// Why nothing can be at such a path, in words that follow it.
  package var pathFlaw: String?
  /// Why the contents are not to be had, in words that follow the path.
  package var flaw: String?

  package init(
    index: Int = 0, path: [UInt8], kind: Kind, size: UInt64? = nil, permissions: UInt32 = 0o644,
    userID: UInt64 = 0, groupID: UInt64 = 0, modified: Moment? = nil,
    created: Moment? = nil, isEncrypted: Bool = false
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
    self.created = created
    self.isEncrypted = isEncrypted
  }
}
