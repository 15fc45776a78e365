package import BAPackKit

/// The reason for a decision of a proposal.
package struct Reason: Sendable {
  /// The rule that made the decision, which `explain` describes.
  package var rule: Rule
  /// The reason in words, for this folder: "8 sibling folders of levels".
  package var text: String

  /// Whether it says how often a pack changed.
  package var isOfHistory: Bool { rule.id == GroupingRules.history.id }

  package init(_ rule: Rule, _ text: String) {
    self.rule = rule
    self.text = text
  }
}
