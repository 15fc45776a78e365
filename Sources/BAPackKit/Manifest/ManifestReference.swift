import SourceDiagnostics

/// The reference of the manifest language and of its rules, as Markdown, made from their tables.
public enum ManifestReference {
  /// Every key with what it takes and what it is for.
  public static var keys: String {
    var text = "| key | value | |\n|---|---|---|\n"
    for key in ManifestKeys.root where key.presence != .ignored {
      text += row(key, note: key.presence == .optional ? "optional" : "required")
    }
    for key in ManifestKeys.policies { text += row(key, note: "in `downloadPolicy`") }
    text += row(ManifestKeys.events, note: "in `essential` and `prefetch`")
    for key in ManifestKeys.selectors.flatMap(\.self) { text += row(key, note: "in a selector") }
    return text
  }

  /// Every rule with what it finds, why, and an example.
  public static var rules: String {
    RuleCatalogue.all.map { rule in
      """
      ### `\(rule.id.name)`

      \(rule.what)

      \(rule.why)

      ```json5
      // wrong
      \(rule.example.wrong)
      // right
      \(rule.example.right)
      ```

      """
    }.joined(separator: "\n")
  }

  private static func row(_ key: JSONKey, note: String) -> String {
    let text = ([key.summary] + key.details).joined(separator: " ")
    return "| `\(key.name)` (\(note)) | \(key.shape.expectation) | \(text) |\n"
  }
}
