import TerminalText

/// What the machine or an archive refused: a single problem, with the file's name and the remedy.
public struct PackError: Error, Sendable, Equatable {
  /// The kind of problem, for a program that reacts to it.
  public enum Kind: Sendable, Equatable {
    /// The operating system refused; the number is `errno`.
    case system(Int32)
    /// The bytes are wrong; the offset says where that was noticed.
    case malformed(offset: UInt64?)
    /// The file is a sound archive, but no asset pack.
    case notAnAssetPack
    /// A source file has changed since the pack was planned.
    case changed
    /// What stands in the place of an output is in the way.
    case exists
    /// What was asked for is not there: a path in a pack, a line in a list, a pack of that ID.
    case missing
    /// What was asked for could be one thing or another.
    case ambiguous
    /// A value that was given cannot be right, such as an address.
    case invalidValue
    /// Two things that were asked for exclude each other.
    case conflict
    /// It is for another platform than the one that was asked for.
    case wrongPlatform
    /// It is more than anything may have that is to be read again, or than anybody can mean.
    case limit
    /// The user asked to stop.
    case interrupted
    /// It would take more memory than is allowed.
    case memory
    /// This program cannot do that, whatever is given to it.
    case unsupported
    /// Another machine did not answer in time.
    case timedOut
    /// No address is known for the name of another machine.
    case unknownHost
    /// A server, or the proxy before it, said no with a status of HTTP.
    case server(status: Int)
    /// A server does not prove that it is who it should be.
    case untrusted
    /// A transfer failed in another way, such as a connection that was cut.
    case transfer
  }

  /// The kind of problem.
  public var kind: Kind
  /// One line that names the file: "cannot read 'Textures/hero.png': Input/output error".
  public var message: String
  /// What can be done about it; any of these is enough.
  public var remedies: [Remedy]
  /// Where the message says no more than that a file cannot be read, and why.
  private var unread: (file: String, reason: String)?

  /// Makes an error; names of files and other quoted text in it are escaped.
  public init(_ kind: Kind, _ message: String, remedies: [Remedy]) {
    self.kind = kind
    self.message = shown(message)
    self.remedies = remedies
  }

  /// Says that a file cannot be read.
  init(_ kind: Kind, reading file: String, _ reason: String, remedies: [Remedy] = []) {
    self.init(kind, "cannot read '\(file)': \(reason)", remedies: remedies)
    unread = (shown(file), shown(reason))
  }

  /// What it says behind the name of a file: the message, or the reason alone where that is the
  /// file that cannot be read.
  func phrase(behind file: String) -> String {
    if let unread, unread.file == shown(file) { unread.reason } else { message }
  }

  /// Whether both say the same.
  public static func == (left: PackError, right: PackError) -> Bool {
    left.kind == right.kind && left.message == right.message && left.remedies == right.remedies
  }

  /// Makes an error with one remedy, or without any.
  public init(_ kind: Kind, _ message: String, remedy: Remedy? = nil) {
    self.init(kind, message, remedies: remedy.map { [$0] } ?? [])
  }
}
