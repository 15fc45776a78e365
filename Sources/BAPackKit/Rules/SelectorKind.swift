import SourceDiagnostics

/// A selector says which kind it is by its key.
enum SelectorKind {
  static let rule = Rule(
    "selector.unknown-kind", mending: .unsafe,
    what: "A selector has no key that names files.",
    why: "The key of a selector says how it chooses files; without one it chooses none.",
    example: .init(
      wrong: #""fileSelectors": [{"folder": "Textures"}]"#,
      right: #""fileSelectors": [{"directory": "Textures"}]"#))

  /// Words that people try.
  private static let synonyms: [String: SelectorKey] = [
    "pattern": .filePattern, "glob": .filePattern, "files": .filePattern, "path": .file,
    "filename": .file, "folder": .directory, "dir": .directory, "exclude": .fileExclusion,
    "exclusion": .fileExclusion, "fileexclude": .fileExclusion,
  ]

  static func finding(_ selector: JSONNode, unknown: [JSONNode]) -> Diagnostic {
    let known = SelectorKey.allCases.map(\.rawValue)
    let note: Diagnostic.Message = "it may have \(Diagnostic.list(known))"
    guard let key = unknown.first else {
      return rule.finding(
        .error, "this selector has no key", at: selector.span, notes: [note])
    }
    let name = key.string ?? ""
    let near = synonyms[name.lowercased()]?.rawValue ?? Spelling.nearest(to: name, among: known)
    return rule.finding(
      .error, "a selector has no key '\(key.string ?? "")'", at: key.span, notes: [note],
      fixes: near.map { [.replaceText(of: key, by: $0)] } ?? [])
  }
}
