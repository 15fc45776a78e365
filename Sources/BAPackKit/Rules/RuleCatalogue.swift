public import SourceDiagnostics

/// All rules there are, for `explain`, the reference and SARIF.
public enum RuleCatalogue {
  /// A part of the program that finds things.
  public enum Part: Sendable, CaseIterable {
    /// Manifests and the files that they select.
    case manifests
    /// Finished packs, and the manifests in them.
    case packs
    /// What a server of one's own tells devices.
    case publishing
  }

  /// Every rule, in the order of the reference.
  public static let all: [Rule] = manifestRules + ArchiveRules.all + DownloadRules.all

  /// The rules that a part of the program knows.
  public static func rules(of part: Part) -> [Rule] {
    switch part {
    case .manifests: manifestRules
    case .packs: manifestRules + ArchiveRules.all
    case .publishing: TextRules.all + [LanguageSelfHosted.rule] + DownloadRules.all
    }
  }

  private static let manifestRules: [Rule] =
    TextRules.all + [
      UnreadableManifest.rule, NotAManifest.rule, PlaceholderLeft.rule,
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
      UserInfoAppleHosted.rule, ManifestArchivable.rule,
      PacksSameID.rule, PacksCount.rule, PrimaryLanguage.rule, LocalizedSystems.rule,
    ] + SelectionRules.all

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
  /// Where the rules can be read about: each has an anchor of its name there, without the dot.
  private static let page = "https://github.com/OWNER/ba-package/blob/main/FINDINGS.md"

  /// A renderer of SARIF logs that knows the rules of a part of the program.
  public static func sarif(
    version: String, of part: Part = .manifests, for hosting: Hosting? = nil
  ) -> SARIFRenderer {
    SARIFRenderer(
      tool: "ba-package", version: version,
      rules: rules(of: part).map { rule in
        .init(
          id: rule.id, level: rule.severity(for: hosting) ?? rule.greatestSeverity,
          summary: rule.what, reason: rule.why, help: rule.explanation,
          address: "\(page)#\(rule.id.name.filter { $0 != "." })")
      })
  }

  /// The reference of all findings, in Markdown.
  public static var reference: String {
    var text = """
      # Findings

      Everything that `ba-package` can find wrong, as `ba-package explain` tells it.

      """
    for rule in all {
      text += "\n## \(rule.id.name)\n\n\(rule.weightInWords)\n\n\(rule.what)\n\n\(rule.why)\n"
      let hosting = rule.example.hosting.map { " with `--hosting \($0.rawValue)`" } ?? ""
      text += "\nWrong\(hosting):\n\n```json5\n\(rule.example.wrong)\n```\n"
      text += "\nRight:\n\n```json5\n\(rule.example.right)\n```\n"
    }
    return text
  }
}

extension Rule {
  /// How much it weighs, as the reference says it.
  fileprivate var weightInWords: String {
    let weights: [(Hosting?, String)] = [
      (nil, "no host named"), (.apple, "`--hosting apple`"), (.selfHosted, "`--hosting self`"),
    ]
    let words = weights.map { hosting, name in
      "\(severity(for: hosting)?.rawValue ?? "nothing") (\(name))"
    }
    if case .always(let severity) = weight {
      return severity.rawValue.prefix(1).uppercased() + severity.rawValue.dropFirst() + "."
    }
    return "By host: " + words.joined(separator: ", ") + "."
  }
}
