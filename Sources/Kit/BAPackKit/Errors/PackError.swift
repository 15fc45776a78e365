public import SourceDiagnostics
import TerminalText

/// An error of the system or of a file, with a message and remedies.
public struct PackError: Error, Sendable, Equatable {
  /// The kind of problem, for a program that reacts to it; later versions may have more kinds.
  public struct Kind: Sendable, Hashable, CustomStringConvertible {
    /// The name of the kind, such as `exists`.
    public let name: String
    /// The number that belongs to the kind, such as `errno` or an offset; nil if there is none.
    package let number: UInt64?

    /// The name, and the number if there is one: `system(13)`.
    public var description: String { number.map { "\(name)(\($0))" } ?? name }

    package init(_ name: String, _ number: UInt64? = nil) {
      self.name = name
      self.number = number
    }

    /// A system call failed; the number is `errno`.
    public static func system(_ code: Int32) -> Kind {
      Kind("system", UInt64(UInt32(bitPattern: code)))
    }
    /// The bytes are not in the expected format; `offset` is the position of the error, if known.
    public static func malformed(offset: UInt64?) -> Kind { Kind("malformed", offset) }
    /// The file is a valid archive, but not an asset pack.
    public static let notAnAssetPack = Kind("not-an-asset-pack")
    /// A file changed during the operation, for example a source file after the pack was planned.
    public static let changed = Kind("changed")
    /// A file already exists at the path of an output.
    public static let exists = Kind("exists")
    /// A requested item does not exist: a path in a pack, a pack with an ID.
    public static let missing = Kind("missing")
    /// A request matches several items, but one is required.
    public static let ambiguous = Kind("ambiguous")
    /// A value is invalid, such as a project with errors.
    public static let invalidValue = Kind("invalid-value")
    /// A size or a number exceeds a limit.
    public static let limit = Kind("limit")
    /// The operation was cancelled.
    public static let interrupted = Kind("interrupted")
    /// The operation would use more memory than is allowed.
    public static let memory = Kind("memory")
    /// The library does not support the operation.
    public static let unsupported = Kind("unsupported")

    // Kinds of errors of operations that are not public.

    /// Two requests exclude each other.
    package static let conflict = Kind("conflict")
    /// Another host did not respond in time.
    package static let timedOut = Kind("timed-out")
    /// The name of another host has no address.
    package static let unknownHost = Kind("unknown-host")

    /// `errno`, if a system call failed.
    public var systemError: Int32? {
      name == Kind.system(0).name ? number.map { Int32(truncatingIfNeeded: $0) } : nil
    }

    /// Whether the bytes are not in the expected format.
    public var isMalformed: Bool { name == Kind.malformed(offset: nil).name }

    /// The position of the error in a file with an unexpected format, if known.
    public var offset: UInt64? { isMalformed ? number : nil }
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
  package init(_ kind: Kind, _ message: String, remedies: [Remedy]) {
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
  package init(_ kind: Kind, _ message: String, remedy: Remedy? = nil) {
    self.init(kind, message, remedies: remedy.map { [$0] } ?? [])
  }
}
