package import BAPackKit
import SourceDiagnostics

/// A rule about apps: a kind of finding, the answer of App Store Connect or of the system, and how
/// certain the answer is.
package struct AppRule: Sendable {
  /// The rule, for the reference and for reports.
  package let rule: Rule
  /// The answer of App Store Connect or of the system, in one sentence.
  package let answer: String
  /// The certainty of the answer.
  package let certainty: Certainty

  init(
    _ id: Finding.ID, _ weight: Rule.Weight = .always(.error), canLower: Bool = false,
    what: String, answer: String, _ certainty: Certainty, why: String? = nil,
    example: Rule.Example
  ) {
    let reason = why.map { "\($0) " } ?? ""
    let sentence = answer.prefix(1).uppercased() + answer.dropFirst()
    rule = Rule(
      id, weight, canLower: canLower, what: what,
      why: "\(reason)\(sentence)\(Self.mark(certainty)).", example: example)
    self.answer = answer
    self.certainty = certainty
  }

  private static func mark(_ certainty: Certainty) -> String { " (certainty: \(certainty))" }

  /// Returns a finding with the answer, and the change that removes it.
  func finding(
    _ message: Finding.Message, at span: SourceSpan? = nil, change: Finding.Message,
    notes: [Finding.Message] = []
  ) -> Finding {
    rule.finding(
      message, at: span, notes: [.init(whole: answer + Self.mark(certainty))] + notes,
      fixes: [Fix(change, .shownOnly)])
  }

  /// Returns a finding for the exceptional case of the rule.
  func exception(
    _ message: Finding.Message, at span: SourceSpan? = nil, change: Finding.Message
  ) -> Finding {
    rule.exception(
      message, at: span, notes: [.init(whole: answer + Self.mark(certainty))],
      fixes: [Fix(change, .shownOnly)])
  }
}

/// The rules about apps.
package enum AppRules {
  /// All rules, in the order of the reference.
  package static let table: [AppRule] =
    AppKeyRules.all + AppExtensionRules.all + AppSignatureRules.all + AppSystemRules.all
    + AppContentRules.all + AppProjectRules.all
  package static let all: [Rule] = table.map(\.rule)
}
