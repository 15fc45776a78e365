package import SourceDiagnostics

/// The rules for manifests, their files, budgets and project files.
///
/// A project can set the levels of their findings.
package enum CheckedRules {
  /// All of them, in the order of the reference.
  package static let all: [Rule] =
    TextRules.all + ManifestRules.all + PackIDRules.all + PolicyRules.all + SelectorRules.all
    + PlatformRules.all + LanguageRules.all + PacksTogetherRules.all + files + ProjectRules.all
    + BudgetRules.all

  private static let files: [Rule] =
    SourceRules.all + FileListRules.all + PatternRules.all + NameRules.all + JunkRules.all
    + ContentRules.all + FilesTogetherRules.all

  /// A mistake in a setting: its description, and the nearest known ID.
  package typealias Fault = (message: Finding.Message, near: String?)

  /// Returns the mistake in a setting for some rules about a subject; nil if there is none.
  package static func fault(
    in setting: FindingSetting, among all: [Rule] = all,
    about subject: Finding.Message = "manifests, files, budgets or project files"
  ) -> Fault? {
    let rules = all.filter { setting.names($0.id) }
    if rules.isEmpty {
      return (
        "no finding of \(subject) has the ID '\(setting.id)'",
        Spelling.nearest(to: setting.id, among: all.map(\.id.name))
      )
    }
    guard setting.level != .error, rules.allSatisfy(\.isAlwaysError) else { return nil }
    return (
      rules.count == 1
        ? "'\(setting.id)' is an error that cannot be lowered"
        : "all findings of '\(setting.id)' are errors that cannot be lowered", nil
    )
  }

  /// Adds a finding for each setting of a project file without effect.
  ///
  /// `findings` are those of a complete check of the project. A setting without a reason is a
  /// general level, and may match nothing.
  package static func addUnused(
    _ policy: FindingPolicy, for hosting: Hosting?, into findings: inout Ledger
  ) {
    let use = findings.decided
    // Budgets of archives are known only after packing.
    let known = Set(
      all.filter { rule in
        rule.severity(for: hosting) != nil && !BudgetRules.all.contains { $0.id == rule.id }
      }.map(\.id))
    for (number, setting) in policy.settings.enumerated() {
      let isRefused =
        use.refused.contains(number) && !use.settings.contains(number) && setting.namesOneID
      let isUnused =
        setting.reason != nil && !use.settings.contains(number) && !use.refused.contains(number)
        && known.contains(where: setting.names)
      guard isRefused || isUnused else { continue }
      findings.add(
        ProjectRules.unused(setting, isRefused: isRefused),
        about: setting.place?.source ?? SourceText([], named: ""))
    }
  }
}
