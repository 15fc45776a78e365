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
    // A path that looks like a pattern has been told what it is; another name would be a second hint.
    let nearest = SelectorGlobSigns.sign(in: path) == nil ? nearest : nil
    let names = SimilarNames.distinguishable(path, nearest ?? "")
    let question: Diagnostic.Message =
      nearest == nil ? "" : "; did you mean '\(path: names.second)'?"
    return rule.finding(
      .error, "there is no \(isFolder ? "folder" : "file") '\(names.first)'\(question)", at: span,
      notes: ["paths start at the source root, '\(path: root)'"],
      fixes: nearest.map { [findings.rewrite(span, $0)] } ?? [])
  }

  /// One finding for all that is missing, when another folder has it.
  static func elsewhere(
    _ first: Absent, and more: Int, root: String, other: OtherRoot, _ locations: ManifestLocations,
    _ findings: SelectionFindings
  ) -> Diagnostic {
    let place = other.path.shown
    let path = String(decoding: FilePath(joining: first.path).bytes, as: UTF8.self)
    let remedy: Diagnostic.Message =
      other.setting.map { "set 'sourceRoot' to '\(path: $0)', or run there" }
      ?? "make that the source root"
    var notes: [Diagnostic.Message] = ["paths start at the source root, '\(path: root)'"]
    if more > 0 {
      let others: Diagnostic.Message =
        more == 1 ? "does 1 more that is" : "do \(more) more that are"
      notes.insert("so \(others) missing", at: 0)
    }
    return rule.finding(
      .error,
      "there is no \(first.wantsFolder ? "folder" : "file") '\(path)', but it exists in "
        + "'\(path: place)': \(remedy)",
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
    return Fix("set 'sourceRoot' to '\(path: path)'", .unsafe, edits: edits)
  }
}
