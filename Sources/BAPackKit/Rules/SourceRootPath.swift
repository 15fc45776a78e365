import SourceDiagnostics

/// The source root is relative to the manifest.
enum SourceRootPath {
  static let rule = Rule(
    "source-root.path",
    what: "'sourceRoot' is absolute or empty.",
    why: """
      It starts at the manifest's folder, so that a project works wherever it lies; '..' is \
      allowed. For a folder somewhere else there is '--source-root'.
      """,
    example: .init(wrong: #""sourceRoot": "/home/me/game""#, right: #""sourceRoot": "../game""#))

  static func check(_ path: String, at span: SourceSpan) -> Diagnostic? {
    if path.isEmpty {
      return rule.finding(
        .error, "the source root is empty", at: span, notes: ["the manifest's own folder is '.'"])
    }
    if path.utf8.contains(0) {
      return rule.finding(.error, "the source root has a NUL character in it", at: span)
    }
    guard SelectorAbsolute.isAbsolute(path) else { return nil }
    return rule.finding(
      .error, "the source root '\(path)' is absolute", at: span,
      notes: ["it is relative to the manifest; '--source-root' takes any folder"])
  }
}
