import SourceDiagnostics

/// A manifest is a text.
enum NotAManifest {
  static let rule = Rule(
    "manifest.not-a-manifest",
    what: "A folder, an archive or another binary file was given as a manifest.",
    why: """
      'validate', 'evaluate' and 'pack' start from a manifest, the JSON text that says what a \
      pack is. 'list', 'info' and 'verify' look into finished packs.
      """,
    example: .init(
      wrong: "pbze", right: #"{"assetPackID": "Tutorial"}"#))

  /// Recognises archives by their first bytes, and other files that are no text.
  static func check(_ bytes: [UInt8]) -> Diagnostic? {
    let form = FileForm(Array(bytes.prefix(FileForm.look)))
    guard let remedy = form.remedyAsManifest else { return nil }
    return rule.finding(
      .error, "this is \(form.words), not a manifest", at: nil,
      fixes: [Fix([remedy])])
  }

  static func folder() -> Diagnostic {
    rule.finding(.error, "this is a folder with no manifest in it", at: nil)
  }
}
