package import BAPackKit

/// All rules of proposals, for `explain` and the reference.
///
/// Each decision of a proposal refers to one of them.
package enum ProposalRules {
  /// The rules in the order of the reference.
  package static let all: [Rule] = EngineRules.all + LeftOutRules.all + GroupingRules.all
}
