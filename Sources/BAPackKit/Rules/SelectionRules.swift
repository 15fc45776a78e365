/// What the selection of files finds wrong, for `explain` and the reference.
///
/// Each rule is in a file of its own beside the selection and is listed here.
enum SelectionRules {
  static let all: [Rule] = [
    MissingFile.rule, NothingSelected.rule, WrongKind.rule, EmptyFolder.rule, EmptySelection.rule,
    LinkTrouble.rule, SpecialFile.rule, UnreadableFile.rule, TwoSources.rule, FileAndFolder.rule,
    DestinationPath.rule, MalformedPattern.rule, UnusedExclusion.rule, SimilarNames.rule,
    JunkFiles.rule, PointerFiles.rule, UselessFiles.empty, UselessFiles.working, MacProgram.rule,
    SourceRootTrouble.rule, HostingLimit.rule, SharedPaths.rule,
    LocalizedPacks.rule,
  ]
}
