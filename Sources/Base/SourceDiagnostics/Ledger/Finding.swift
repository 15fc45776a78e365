/// A problem in a text of the user: its place, its reason, and possible fixes.
public struct Finding: Sendable, Equatable {
  /// A stable name such as `json.unknown-key`, for `explain` and scripts.
  public struct ID: Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The name in messages.
    public var name: String
    /// The name.
    public var description: String { name }

    /// Creates an ID from its printed name.
    public init(stringLiteral name: String) { self.name = name }
  }

  /// The severity of a finding.
  public enum Severity: String, Sendable, Comparable, CaseIterable {
    case note, warning, error

    /// Orders severities from note to error.
    public static func < (left: Severity, right: Severity) -> Bool {
      func weight(_ severity: Severity) -> Int {
        switch severity {
        case .note: 0
        case .warning: 1
        case .error: 2
        }
      }
      return weight(left) < weight(right)
    }
  }

  /// Another place that belongs to a finding, with a short text about it.
  public struct Label: Sendable, Equatable {
    /// The place.
    public var span: SourceSpan
    /// The text of the label.
    public var text: String

    /// Creates a label of a place.
    public init(_ span: SourceSpan, _ text: Message) {
      self.span = span
      self.text = text.text
    }
  }

  /// The rule that made the finding.
  public var id: ID
  /// The severity.
  public var severity: Severity
  /// One line, lower case, without a full stop, names in 'quotes'.
  public var message: String
  /// The place; nil if the finding is about the whole text.
  public var span: SourceSpan?
  /// Other places that belong to it.
  public var labels: [Label]
  /// The reasons why it matters.
  public var notes: [String]
  /// The possible fixes.
  public var fixes: [Fix]
  /// The number of findings that this one represents: more than one if a full list counts the
  /// others.
  public var occurrences = 1
  /// The path in the pack of the file that it is about, or of the first of several files.
  package var path: String?
  /// The files, if it is about several files of one kind.
  package var fileGroups: [FileGroup] = []
  /// Whether a project may lower its severity although it is an error.
  package var canLower = false
  /// Whether it is an error that a project cannot accept.
  package var mustStayError: Bool { severity == .error && !canLower }

  /// Creates a finding.
  public init(
    _ id: ID, _ severity: Severity, _ message: Message, at span: SourceSpan? = nil,
    labels: [Label] = [], notes: [Message] = [], fixes: [Fix] = []
  ) {
    self.id = id
    self.severity = severity
    self.message = message.text
    self.span = span
    self.labels = labels
    self.notes = notes.map(\.text)
    self.fixes = fixes
  }
}

/// A correction for a finding: a text for the user, and edits for a program.
public struct Fix: Sendable, Equatable {
  /// The grade of a fix: whether a program may apply it.
  public enum Grade: Sendable {
    /// Keeps the meaning, or restores the only meaning that is possible.
    case safe
    /// Probably correct; the user decides.
    case unsafe
    /// A description without edits.
    case shownOnly
  }

  /// A replacement of one span of the text.
  public struct Edit: Sendable, Equatable {
    /// The replaced text; an empty span inserts.
    public var span: SourceSpan
    /// The new text.
    public var replacement: String

    /// Replaces `span` by `replacement`.
    public init(_ span: SourceSpan, _ replacement: String) {
      self.span = span
      self.replacement = replacement
    }
  }

  /// The effect, as an instruction: "write 'iOS'".
  public var message: String
  /// Whether a program may apply it.
  public var grade: Grade
  /// The edits, which never overlap.
  public var edits: [Edit]
  /// The actions that the message describes, for programs with their own texts.
  public private(set) var remedies: [Remedy] = []

  /// Creates a fix.
  public init(_ message: Finding.Message, _ grade: Grade, edits: [Edit] = []) {
    self.message = message.text
    self.grade = grade
    self.edits = edits
  }

  /// Creates a fix with alternative actions.
  public init(_ remedies: [Remedy]) {
    self.init(Self.phrase(remedies) { _ in nil }, .shownOnly)
    self.remedies = remedies
  }

  /// Returns the same fix with the program's own texts for its remedies.
  public func worded(by phrase: (Remedy) -> String?) -> Fix {
    guard !remedies.isEmpty else { return self }
    var fix = self
    fix.message = Self.phrase(remedies, phrase).text
    return fix
  }

  private static func phrase(
    _ remedies: [Remedy], _ phrase: (Remedy) -> String?
  ) -> Finding.Message {
    .init(whole: remedies.map { phrase($0) ?? $0.description }.joined(separator: ", or "))
  }

  /// Returns whether both fixes have the same message and the same effect.
  public static func == (left: Fix, right: Fix) -> Bool {
    left.message == right.message && left.grade == right.grade && left.edits == right.edits
  }
}
