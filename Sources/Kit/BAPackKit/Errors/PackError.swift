import TerminalText

/// An error of the system or of a file, with a message and remedies.
public struct PackError: Error, Sendable, Equatable {
  /// The kind of problem, for a program that reacts to it.
  public enum Kind: Sendable, Equatable {
    /// A system call failed; the number is `errno`.
    case system(Int32)
    /// The bytes are not in the expected format; `offset` is the position of the error, if known.
    case malformed(offset: UInt64?)
    /// The file is a valid archive, but not an asset pack.
    case notAnAssetPack
    /// A file changed during the operation, for example a source file after the pack was planned.
    case changed
    /// A file already exists at the path of an output.
    case exists
    /// A requested item does not exist: a path in a pack, a line in a list, a pack with an ID.
    case missing
    /// A request matches several items, but one is required.
    case ambiguous
    /// A value is invalid, such as an address.
    case invalidValue
    /// Two requests exclude each other.
    case conflict
    /// The item is for a platform other than the requested one.
    case wrongPlatform
    /// A size or a number exceeds a limit.
    case limit
    /// The operation was cancelled.
    case interrupted
    /// The operation would use more memory than is allowed.
    case memory
    /// The library does not support the operation.
    case unsupported
    /// Another host did not respond in time.
    case timedOut
    /// The name of another host has no address.
    case unknownHost
    /// A server or a proxy responded with an HTTP status that is an error.
    case server(status: Int)
    /// The certificate of a server is not trusted.
    case untrusted
    /// A transfer failed in another way, for example because the connection was closed.
    case transfer
  }

  /// The kind of problem.
  public var kind: Kind
  /// One line with the name of the file: "cannot read 'Textures/hero.png': Input/output error".
  public var message: String
  /// The remedies; each of them is sufficient.
  public var remedies: [Remedy]
  /// The file and the reason, if the message is "cannot read 'file': reason".
  private var unread: (file: String, reason: String)?

  /// Creates an error; control characters in the message are escaped.
  public init(_ kind: Kind, _ message: String, remedies: [Remedy]) {
    self.kind = kind
    self.message = shown(message)
    self.remedies = remedies
  }

  /// Creates an error for a file that cannot be read.
  init(_ kind: Kind, reading file: String, _ reason: String, remedies: [Remedy] = []) {
    self.init(kind, "cannot read '\(file)': \(reason)", remedies: remedies)
    unread = (shown(file), shown(reason))
  }

  /// Returns the text for a place after the name of a file: the reason alone if that is the file
  /// that cannot be read, or else the message.
  func phrase(after file: String) -> String {
    if let unread, unread.file == shown(file) { unread.reason } else { message }
  }

  /// Returns whether both errors have the same kind, message and remedies.
  public static func == (left: PackError, right: PackError) -> Bool {
    left.kind == right.kind && left.message == right.message && left.remedies == right.remedies
  }

  /// Creates an error with at most one remedy.
  public init(_ kind: Kind, _ message: String, remedy: Remedy? = nil) {
    self.init(kind, message, remedies: remedy.map { [$0] } ?? [])
  }
}
