import SourceDiagnostics

/// A file is served under the name that its address ends in.
enum DownloadUploadName {
  static let rule = Rule(
    "download.upload-name", .always(.note),
    what: "Files are called otherwise than the addresses of their packs end.",
    why: """
      'pack' writes '<ID>.aar', and the usual address of a pack ends in its ID. Whoever uploads the \
      files has to give them the names of the addresses, or '--url-template' says '{base}/{id}.aar'.
      """,
    example: .init(
      wrong: "Packs/level-1.aar for https://downloads.example.com/packs/level-1",
      right: "Packs/level-1.aar for https://downloads.example.com/packs/level-1.aar"))

  static func finding(_ uploads: [PackUpload]) -> Diagnostic? {
    guard let first = uploads.first else { return nil }
    let others = uploads.count - 1
    let more: Diagnostic.Message =
      others == 0 ? "" : others == 1 ? ", and 1 more file" : ", and \(others) more files"
    return rule.finding(
      .note, "upload '\(path: first.path)' as '\(first.name)'" + more, at: nil,
      notes: uploads.dropFirst().prefix(100).map { "upload '\(path: $0.path)' as '\($0.name)'" },
      fixes: [
        Fix(
          "or lay the files out with 'download-manifest create --publish-to <folder>'", .shownOnly)
      ])
  }
}
