import SourceDiagnostics
import SystemIO

/// Symbolic links stay within the source root at every step.
enum LinkTrouble {
  static let rule = Rule(
    "files.link",
    what: "A symbolic link is absolute, leaves the source root, leads nowhere or in a circle.",
    why: """
      A pack holds files, not links, so links are followed; but only within the source root, at every \
      step, so that nothing gets into a pack that is not below the folder it is made from.
      """,
    example: .init(
      wrong: #""fileSelectors": [{"directory": "Textures"}]"#,
      right: #""fileSelectors": [{"directory": "Textures"}, {"fileExclusion": "Textures/latest"}]"#)
  )

  static func finding(
    _ path: String, _ trouble: LookupTrouble, at span: SourceSpan?, _ fix: Fix?
  ) -> Diagnostic {
    let reason: Diagnostic.Message =
      switch trouble {
      case .absoluteLink(let target): "has the absolute target '\(path: shownBytes(target))'"
      case .leavesRoot(let target): "leaves the source root: '\(path: shownBytes(target))'"
      case .dangling(let target) where PointerFiles.isAnnexLink(to: Array(target)):
        "stands for a file that git-annex keeps elsewhere: run git annex get"
      case .dangling(let target): "leads nowhere: '\(path: shownBytes(target))'"
      case .loop, .missing, .notFolder, .system: "leads in a circle"
      }
    return rule.finding(
      .error, "the link '\(path: path)' \(reason)", at: span, fixes: fix.map { [$0] } ?? [])
  }
}
