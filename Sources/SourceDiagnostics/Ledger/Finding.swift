/// Something a person wrote that is wrong, or worth a second look: where, why, and what to do.
public struct Finding: Sendable, Equatable {
  /// A stable name such as `json.unknown-key`, which `explain` and scripts can rely on.
  public struct ID: Sendable, Hashable, ExpressibleByStringLiteral {
    /// The name as it is printed.
    public var name: String

    /// Makes an ID from its printed name.
    public init(stringLiteral name: String) { self.name = name }
  }

  /// How much a finding weighs.
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

  /// Another place that belongs to a finding, with a few words about it.
  public struct Label: Sendable, Equatable {
    /// The place.
    public var span: SourceSpan
    /// What is there.
    public var text: String

    /// Names a place.
    public init(_ span: SourceSpan, _ text: Message) {
      self.span = span
      self.text = text.text
    }
  }

  /// The rule that made the finding.
  public var id: ID
  /// How much it weighs.
  public var severity: Severity
  /// One line, lower case, without a full stop, names in 'quotes'.
  public var message: String
  /// Where, unless the finding is about the whole text.
  public var span: SourceSpan?
  /// Other places that belong to it.
  public var labels: [Label]
  /// Why it matters.
  public var notes: [String]
  /// What to do.
  public var fixes: [Fix]
  /// How many findings this one stands for: more than one where a full list counts the others.
  public var occurrences = 1

  /// Makes a finding.
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

/// A way to mend a finding: words for a person, and edits for a program.
public struct Fix: Sendable, Equatable {
  /// How far a program may go with a fix.
  public enum Grade: Sendable {
    /// Keeps the meaning, or restores the only meaning that is possible.
    case safe
    /// Probably what was meant; a person decides.
    case unsafe
    /// Words only.
    case shownOnly
  }

  /// Replaces one stretch of the text.
  public struct Edit: Sendable, Equatable {
    /// What is replaced; an empty span inserts.
    public var span: SourceSpan
    /// What stands there afterwards.
    public var replacement: String

    /// Replaces `span` by `replacement`.
    public init(_ span: SourceSpan, _ replacement: String) {
      self.span = span
      self.replacement = replacement
    }
  }

  /// What it does, as an instruction: "write 'iOS'".
  public var message: String
  /// How far a program may go with it.
  public var grade: Grade
  /// The edits, which never overlap.
  public var edits: [Edit]
  /// What the words stand for where a program may have words of its own.
  public private(set) var remedies: [any Remediation] = []

  /// Makes a fix.
  public init(_ message: Finding.Message, _ grade: Grade, edits: [Edit] = []) {
    self.message = message.text
    self.grade = grade
    self.edits = edits
  }

  /// Makes a fix of things to do, any of which helps.
  public init(_ remedies: [any Remediation]) {
    self.init(Self.phrase(remedies) { _ in nil }, .shownOnly)
    self.remedies = remedies
  }

  /// The same in words that a program has for its remedies.
  public func worded(by phrase: (any Remediation) -> String?) -> Fix {
    guard !remedies.isEmpty else { return self }
    var fix = self
    fix.message = Self.phrase(remedies, phrase).text
    return fix
  }

  private static func phrase(
    _ remedies: [any Remediation], _ phrase: (any Remediation) -> String?
  ) -> Finding.Message {
    .init(whole: remedies.map { phrase($0) ?? $0.description }.joined(separator: ", or "))
  }

  /// Fixes are the same that say and do the same.
  public static func == (left: Fix, right: Fix) -> Bool {
    left.message == right.message && left.grade == right.grade && left.edits == right.edits
  }
}

/// Something to do that is no edit of a text.
///
/// Its description has words that fit any program; one that knows better, such as the name of its
/// option, says that instead.
public protocol Remediation: Sendable, Hashable, CustomStringConvertible {}
