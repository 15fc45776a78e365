import SourceDiagnostics

/// The rules for the text of a download manifest and of its record.
enum DownloadTextRules {
  static let all: [Rule] = [
    otherFile, conflict, tooLarge,
  ]

  static let otherFile = Rule(
    "download.other-file",
    what: "The file is neither a download manifest nor its version lock.",
    why: """
      The commands have separate arguments for pack manifests, archives and download manifests. \
      ba-package did not change the file.
      """,
    example: .init(
      wrong: #"{"assetPackID": "Tutorial", "fileSelectors": [{"directory": "Levels"}]}"#,
      right: #"{"assetPacks": [{"id": "tutorial", …}]}"#))

  static func otherFile(_ what: Finding.Message, _ expected: PublicationText) -> Finding {
    let (phrase, remedy): (Finding.Message, Remedy) =
      switch expected {
      case .manifest:
        ("a download manifest", .specifyDownloadManifest)
      case .record:
        (
          "the version lock of a download manifest",
          "restore the version lock; it may have been overwritten with the manifest"
        )
      }
    return otherFile.finding(
      "this is \(what), not \(phrase)", at: nil, fixes: [Fix([remedy])])
  }

  static let conflict = Rule(
    "download.conflict",
    what: "A download manifest or its version lock contains conflict markers of a merge.",
    why: """
      Packs were published from two branches. Only both sides together contain all published \
      versions.
      """,
    example: .init(
      wrong: """
        {"assetPacks": [
        <<<<<<< HEAD
          {"id": "tutorial", …}
        =======
          {"id": "level-1", …}
        >>>>>>> release
        ]}
        """,
      right: #"{"assetPacks": [{"id": "tutorial", …}, {"id": "level-1", …}]}"#))

  static func conflict(_ text: PublicationText) -> Finding {
    let (name, remedy): (Finding.Message, Finding.Message) =
      switch text {
      case .manifest:
        (
          "manifest",
          "keep the side with the higher versions, then update with the packs of both sides"
        )
      case .record:
        (
          "record",
          "keep the versions of both sides; if a version has two digests, keep the digest of "
            + "the served archive"
        )
      }
    return conflict.finding(
      "the \(name) contains conflict markers of a merge", at: nil,
      fixes: [Fix(remedy, .shownOnly)])
  }

  static let tooLarge = Rule(
    "download.too-large",
    what: "The new download manifest would exceed the limit for its size or nesting.",
    why: """
      A manifest has at most 16 MiB and 512 levels. In a download manifest, the userInfo of a pack \
      is nested deeper than in the pack's manifest, and the userInfo of all packs is in one file.
      """,
    example: .init(
      wrong: "a userInfo that is nested 511 times", right: "a userInfo of a few values"))

  static func tooLarge(_ reason: String) -> Finding {
    tooLarge.finding(
      "the result would exceed a limit: \(path: reason)", at: nil,
      fixes: [Fix("reduce the userInfo of the packs, or specify fewer packs", .shownOnly)])
  }
}
