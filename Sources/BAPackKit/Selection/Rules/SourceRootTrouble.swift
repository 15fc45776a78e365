import SourceDiagnostics

/// The source root that a manifest names can be opened.
enum SourceRootTrouble {
  static let rule = Rule(
    "files.source-root",
    what: "The folder or archive that 'sourceRoot' names cannot be opened.",
    why: """
      'sourceRoot' starts from the folder that the manifest is in, not from the current one. It is a \
      folder, or an archive such as a .zip.
      """,
    example: .init(wrong: #""sourceRoot": "../asets""#, right: #""sourceRoot": "../assets""#))

  /// Says that the files were left alone: with a source root that cannot be read all of them would
  /// seem to be missing.
  static func filesUnchecked(at span: SourceSpan) -> Diagnostic {
    rule.finding(
      .note, "the files are not checked before 'sourceRoot' says where they are", at: span)
  }

  static func finding(_ error: PackError, at span: SourceSpan) -> Diagnostic {
    rule.finding(.error, .init(whole: error.message), at: span)
  }
}
