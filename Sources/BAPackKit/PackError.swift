import TerminalText

/// What the machine or an archive refused: one thing, with the file it was about and the remedy.
public struct PackError: Error, Sendable, Equatable {
  /// What kind of refusal it was, for a program that reacts to it.
  public enum Kind: Sendable, Equatable {
    /// The operating system refused; the number is `errno`.
    case system(Int32)
    /// The bytes are not what they should be; the offset is where this shows.
    case malformed(offset: UInt64?)
    /// A source file is not what it was when the pack was planned.
    case changed
    /// An output is in the way.
    case exists
    /// Somebody asked to stop.
    case interrupted
    /// It would take more memory than is allowed.
    case memory
    /// The request cannot be met: a limit, a form that is not supported.
    case unsupported
  }

  /// What kind of refusal it was.
  public var kind: Kind
  /// One line that names the file: "cannot read 'Textures/hero.png': Input/output error".
  public var message: String
  /// What can be done about it: any of these, where anything can be.
  public var remedies: [Remedy]

  /// Makes an error; what its words quote, such as names of files, is made fit to show.
  public init(_ kind: Kind, _ message: String, remedies: [Remedy]) {
    self.kind = kind
    self.message = shown(message)
    self.remedies = remedies
  }

  /// Makes an error that one thing helps against, or nothing that is known.
  public init(_ kind: Kind, _ message: String, remedy: Remedy? = nil) {
    self.init(kind, message, remedies: remedy.map { [$0] } ?? [])
  }
}
