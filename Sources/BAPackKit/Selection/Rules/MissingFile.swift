import SourceDiagnostics
import SystemIO

/// What a selector names is there.
enum MissingFile {
  static let rule = Rule(
    "files.missing",
    what: "A file or folder that a selector names is not in the source root.",
    why: """
      An app that asks for the file would find out on a customer's device. Paths start at the source \
      root: '--source-root', else the manifest's 'sourceRoot', else the current folder.
      """,
    example: .init(
      wrong: #""fileSelectors": [{"file": "Textures/hero.pgn"}]"#,
      right: #""fileSelectors": [{"file": "Textures/hero.png"}]"#))

  static func finding(
    _ path: String, isFolder: Bool, root: String, nearest: String?, at span: SourceSpan?,
    _ findings: SelectionFindings
  ) -> Diagnostic {
    let question = nearest.map { "; did you mean '\($0)'?" } ?? ""
    return rule.finding(
      .error, "there is no \(isFolder ? "folder" : "file") '\(path)'\(question)", at: span,
      notes: ["paths start at the source root, '\(root)'"],
      fixes: nearest.map { [findings.rewrite(span, $0)] } ?? [])
  }

  /// One finding for all that is missing, when another folder has it.
  static func elsewhere(
    _ first: Absent, and more: Int, root: String, other: OtherRoot, _ locations: ManifestLocations,
    _ findings: SelectionFindings
  ) -> Diagnostic {
    let place = other.path.shown
    let path = FilePath(joining: first.path).text
    let remedy = other.setting.map { "set 'sourceRoot' to '\($0)', or run there" }
    var notes = ["paths start at the source root, '\(root)'"]
    if more > 0 {
      let others = more == 1 ? "does 1 more that is" : "do \(more) more that are"
      notes.insert("so \(others) missing", at: 0)
    }
    return rule.finding(
      .error,
      "there is no \(first.wantsFolder ? "folder" : "file") '\(path)', but it exists in '\(place)': "
        + (remedy ?? "make that the source root"),
      at: findings.source(of: first.selector), notes: notes,
      fixes: other.setting.map { [setRoot($0, locations)] } ?? [])
  }

  private static func setRoot(_ path: String, _ locations: ManifestLocations) -> Fix {
    let value = JSONWriter.string(.string(path), .compact)
    var edits: [Fix.Edit] = []
    if let written = locations.sourceRoot {
      edits = [Fix.Edit(written, value)]
    } else if let list = locations.fileSelectors {
      edits = [Fix.Edit(SourceSpan(list.end, list.end), ", \"sourceRoot\": " + value)]
    }
    return Fix("set 'sourceRoot' to '\(path)'", .unsafe, edits: edits)
  }
}
