/// A hint for an error or a finding: an action that is not an edit of a text.
///
/// ``description`` fits any program. A program with a more precise text, such as the name of its
/// option, chooses this text by ``code``. Later versions may have more codes.
public struct Remedy: Sendable, Hashable, CustomStringConvertible {
  /// The stable name of the action, such as `use-fewer-threads`; nil for advice that is only text.
  public let code: String?
  /// The instruction, without names of options and without a full stop: "use fewer threads".
  public let description: String
  /// The name that the action is about, such as the path of a file; nil if there is none.
  public let subject: String?

  /// Creates an action with a name.
  package init(_ code: String, _ description: String, about subject: String? = nil) {
    self.code = code
    self.description = description
    self.subject = subject
  }

  /// Advice as a text: "check the disk".
  package static func advice(_ phrase: String) -> Remedy { Remedy(stringLiteral: phrase) }
}

extension Remedy: ExpressibleByStringInterpolation {
  /// Creates advice from a text.
  public init(stringLiteral phrase: String) {
    code = nil
    description = phrase
    subject = nil
  }
}
