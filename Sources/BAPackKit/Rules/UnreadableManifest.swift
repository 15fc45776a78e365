public import SourceDiagnostics

/// A manifest that was named can be read.
public enum UnreadableManifest {
  static let rule = Rule(
    "manifest.unreadable",
    what: "A manifest, or the folder that its files are in, cannot be read.",
    why: """
      What was not looked at is not known to be right, so the check has failed, whatever was found in \
      the other manifests.
      """,
    example: .init(wrong: "Packs/tutorial.json, which is not there", right: "Packs/Tutorial.json"))

  /// What the machine refused, as a finding about the file.
  public static func finding(_ error: PackError) -> Diagnostic {
    rule.finding(
      .error, .init(whole: error.message), at: nil,
      fixes: error.remedies.isEmpty ? [] : [Fix(error.remedies)])
  }
}
