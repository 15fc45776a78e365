/// The contents of a file that is kept between runs, and the rules for that file.
package protocol StateDocument: Equatable, Sendable {
  /// The kind of file, for messages: "upload journal".
  static var noun: String { get }
  /// The consequence if the user moves the file away, for messages: "archives are uploaded again".
  static var loss: String { get }
  /// The largest number of bytes that the file may have.
  static var largest: Int { get }
  static var rules: StateRules { get }

  /// Reads the contents of a file that is not empty. Messages use `name` for the file.
  static func read(_ bytes: [UInt8], named name: String) throws(StateFault) -> StateReading<Self>

  /// Returns the contents of the file.
  func encoded() throws(Failure) -> [UInt8]
}

/// A document that can be rebuilt from other files.
///
/// A file that cannot be read is treated as missing.
package protocol StateCache: StateDocument {}

extension StateCache {
  package static var loss: String { "it is rebuilt" }
}

/// A document that was read.
package struct StateReading<Document> {
  package var document: Document
  /// Whether the file has the format that this program writes.
  ///
  /// If not, the first change makes a copy of the file in its old format.
  package var isCurrent: Bool

  package init(_ document: Document, isCurrent: Bool = true) {
    self.document = document
    self.isCurrent = isCurrent
  }
}

extension StateReading: Sendable where Document: Sendable {}

/// The rules for reading and writing a file that is kept between runs.
package struct StateRules: Sendable {
  package enum Access: Sendable {
    /// Only the user may read and write the file.
    case owner
    /// A new file gets the default permissions. A replaced file keeps its owner, permissions and
    /// attributes.
    case everyone
  }

  package var access: Access
  /// Whether a change is on the disk before the program continues.
  package var isSynced: Bool
  /// Whether the name may be a symbolic link, which is kept.
  package var followsLinks: Bool
  /// Whether a missing folder is created.
  package var makesFolder: Bool

  package init(
    _ access: Access, isSynced: Bool = true, followsLinks: Bool = false, makesFolder: Bool = true
  ) {
    self.access = access
    self.isSynced = isSynced
    self.followsLinks = followsLinks
    self.makesFolder = makesFolder
  }
}

extension StateFailure {
  package init<Document: StateDocument>(_ fault: StateFault, _: Document.Type) {
    self.init(fault, noun: Document.noun, loss: Document.loss)
  }
}
