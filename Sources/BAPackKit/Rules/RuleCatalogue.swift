public import SourceDiagnostics

/// All rules there are, for `explain`, the reference and SARIF.
public enum RuleCatalogue {
  /// Every rule, in the order of the reference.
  public static let all: [Rule] =
    TextRules.all + [
      NotAManifest.rule, PlaceholderLeft.rule,
      PackIDEmpty.rule, PackIDCharacters.rule, PackIDGrammar.rule, PackIDStyle.rule,
      PolicyCount.rule, PolicyUnknown.rule, PolicyNoEvents.rule, PolicyUnknownEvent.rule,
      PolicyDuplicateEvent.rule, PolicyOnDemandValue.rule,
      SelectorNone.rule, SelectorKind.rule, SelectorHalfPair.rule, SelectorTwoKinds.rule,
      SelectorEmptyPath.rule, SelectorNulCharacter.rule, SelectorAbsolute.rule,
      SelectorParent.rule, SelectorTrailingSlash.rule, SelectorBackslash.rule,
      SelectorGlobSigns.rule, SelectorDuplicate.rule,
      PlatformUnknown.rule, PlatformDuplicate.rule,
      SourceRootPath.rule,
      LanguageMalformed.rule, LanguageSubtag.rule, LanguageSeparator.rule, LanguageCase.rule,
      LanguageUnassigned.rule, LanguageDeprecated.rule, LanguageThreeLetters.rule,
      LanguageSelfHosted.rule,
      UserInfoAppleHosted.rule,
      PacksSameID.rule, PacksCount.rule,
    ] + SelectionRules.all + ArchiveRules.all + DownloadRules.all

  /// The rule with an ID.
  public static func rule(_ id: Diagnostic.ID) -> Rule? { all.first { $0.id == id } }

  /// The ID that was probably meant by a name that is none.
  public static func nearest(to name: String) -> String? {
    Spelling.nearest(to: name, among: all.map(\.id.name))
  }
}

extension Rule {
  /// The whole text about the rule, as `explain` prints it.
  public var explanation: String {
    var text = "\(id.name)\n\n\(what)\n\n\(why)\n\nWrong"
    if let hosting = example.hosting { text += " with '--hosting \(hosting.rawValue)'" }
    text += ":\n\n\(indented(example.wrong))\n\nRight:\n\n\(indented(example.right))\n"
    return text
  }

  private func indented(_ text: String) -> String {
    text.split(separator: "\n").map { "    \($0)" }.joined(separator: "\n")
  }
}

extension RuleCatalogue {
  /// A renderer of SARIF logs that knows all rules.
  public static func sarif(version: String) -> SARIFRenderer {
    SARIFRenderer(
      tool: "ba-package", version: version,
      rules: all.map {
        .init(id: $0.id, summary: $0.what, help: "\($0.what)\n\n\($0.why)")
      })
  }
}
