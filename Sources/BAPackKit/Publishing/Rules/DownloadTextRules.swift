import SourceDiagnostics

/// What can be wrong with the texts of a publication before they have a meaning.
enum DownloadTextRules {
  static let all: [Rule] = [
    otherFile, conflict, tooLarge,
  ]

  /// A download manifest, or its record, is given where one is meant.
  static let otherFile = Rule(
    "download.other-file",
    what: "Another file was given in the place of a download manifest or its record.",
    why: """
      The manifest of a pack, an archive and a download manifest have different places on a \
      command line. Whatever the file is, it is left as it is.
      """,
    example: .init(
      wrong: #"{"assetPackID": "Tutorial", "fileSelectors": [{"directory": "Levels"}]}"#,
      right: #"{"assetPacks": [{"id": "tutorial", …}]}"#))

  static func otherFile(_ what: Finding.Message, _ meant: PublicationText) -> Finding {
    let (phrase, remedy): (Finding.Message, Remedy) =
      switch meant {
      case .manifest:
        ("a download manifest", .nameDownloadManifest)
      case .record:
        (
          "the record of a download manifest",
          "restore the record; the manifest may stand in its place by mistake"
        )
      }
    return otherFile.finding(
      "this is \(what), not \(phrase)", at: nil, fixes: [Fix([remedy])])
  }

  /// A merge is finished before anything is published.
  static let conflict = Rule(
    "download.conflict",
    what: "A download manifest or its record has the marks of a merge that nobody finished.",
    why: """
      Two people published from two branches. Which versions devices have seen is known only from \
      both sides together.
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
        ("manifest", "keep the side with the higher versions, then update with the packs of both")
      case .record:
        (
          "record",
          "keep the versions of both sides; where one version has two digests, keep the one that "
            + "was served"
        )
      }
    return conflict.finding(
      "the \(name) has the marks of a merge that was not finished", at: nil,
      fixes: [Fix(remedy, .shownOnly)])
  }

  /// What is written can be read again.
  static let tooLarge = Rule(
    "download.too-large",
    what: "What would be written could not be read again.",
    why: """
      A manifest has at most 16 MiB and 512 levels. The userInfo of a pack stands deeper in a \
      download manifest than in the pack's own, and those of all packs stand there together.
      """,
    example: .init(
      wrong: "a userInfo that is nested 511 times", right: "a userInfo of a few values"))

  static func tooLarge(_ reason: String) -> Finding {
    tooLarge.finding(
      "what would be written could not be read again: \(path: reason)", at: nil,
      fixes: [Fix("make the userInfo of the packs smaller, or give fewer packs", .shownOnly)])
  }
}
