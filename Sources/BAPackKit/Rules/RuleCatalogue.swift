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
      PacksSameID.rule, SimilarIDs.inManifests, PacksCount.rule, PrimaryLanguage.rule,
      LocalizedSystems.rule,
    ] + SelectionRules.all

  /// The rule with an ID.
  public static func rule(_ id: Diagnostic.ID) -> Rule? { all.first { $0.id == id } }

  /// The ID that was probably meant by a name that is none.
  public static func nearest(to name: String) -> String? {
    Spelling.nearest(to: name, among: all.map(\.id.name))
  }
}
