import TerminalText

/// What the machine or an archive refused: a single problem, with the file's name and the remedy.
public struct PackError: Error, Sendable, Equatable {
  /// The kind of problem, for a program that reacts to it.
  public enum Kind: Sendable, Equatable {
    /// The operating system refused; the number is `errno`.
    case system(Int32)
    /// The bytes are wrong; the offset says where that was noticed.
    case malformed(offset: UInt64?)
    /// A source file has changed since the pack was planned.
    case changed
    /// An output exists already.
    case exists
    /// The user asked to stop.
    case interrupted
    /// It would take more memory than is allowed.
    case memory
    /// The request cannot be fulfilled: a limit is exceeded, or a format is not supported.
    case unsupported
    /// Another machine did not answer in time.
    case timedOut
    /// No address is known for the name of another machine.
    case unknownHost
  }

  /// The kind of problem.
  public var kind: Kind
  /// One line that names the file: "cannot read 'Textures/hero.png': Input/output error".
  public var message: String
  /// What can be done about it; any of these is enough.
  public var remedies: [Remedy]

  /// Makes an error; names of files and other quoted text in it are escaped.
  public init(_ kind: Kind, _ message: String, remedies: [Remedy]) {
    self.kind = kind
    self.message = shown(message)
    self.remedies = remedies
  }

  /// Makes an error with one remedy, or without any.
  public init(_ kind: Kind, _ message: String, remedy: Remedy? = nil) {
    self.init(kind, message, remedies: remedy.map { [$0] } ?? [])
  }
}
