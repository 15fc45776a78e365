import BAPackKit
import SourceDiagnostics

extension Trial {
  /// The trials of the rules about lists of files, by the ID of the rule.
  static let ofFileLists = Dictionary(
    uniqueKeysWithValues: RuleCatalogue.all.filter {
      $0.id.name.hasPrefix("list.") && RuleTrialTests.withoutTrial[$0.id.name] == nil
    }
    .map { ($0.id.name, Trial.list) })

  /// The trials of the rules about archives and comparisons, by the ID of the rule.
  static let ofPackRules: [String: Trial] = [
    "archive.damaged": .packs(
      wrong: .init("Contents/", "Contents/a", .manifest(#"{"directory": "."}"#), shape: .cutOff),
      right: .init("Contents/", "Contents/a", .manifest(#"{"directory": "."}"#))),
    "archive.short-block": .packs(
      wrong: .init(
        "Contents/", "Contents/a", .manifest(#"{"directory": "."}"#), shape: .shortBlock),
      right: .init("Contents/", "Contents/a", .manifest(#"{"directory": "."}"#))),
    "archive.entry": .packs(
      wrong: .init("Contents/", .link("Contents/a", to: "b"), .manifest(#"{"directory": "."}"#)),
      right: .init("Contents/", "Contents/a", .manifest(#"{"directory": "."}"#))),
    "archive.path": .packs(
      wrong: .init("Contents/", "Contents/../evil", .manifest(#"{"directory": "."}"#)),
      right: .init("Contents/", "Contents/levels.json", .manifest(#"{"directory": "."}"#))),
    "archive.duplicate": .packs(
      wrong: .init("Contents/", "Contents/a", "Contents/a", .manifest(#"{"directory": "."}"#)),
      right: .init("Contents/", "Contents/a", "Contents/b", .manifest(#"{"directory": "."}"#))),
    "archive.misplaced": .packs(
      wrong: .init("Contents/", "Contents/a/b", .manifest(#"{"directory": "."}"#)),
      right: .init("Contents/", "Contents/a/", "Contents/a/b", .manifest(#"{"directory": "."}"#))),
    "archive.size": .packs(
      wrong: .init(
        "Contents/", .claiming("Contents/a", 1 << 60), .manifest(#"{"directory": "."}"#)),
      right: .init("Contents/", "Contents/a", .manifest(#"{"directory": "."}"#))),
    "archive.length": .packs(
      wrong: .init(
        "Contents/", .swallowing("Contents/a", "Contents/b"), "Contents/c",
        .manifest(#"{"directory": "."}"#)),
      right: .init(
        "Contents/", "Contents/a", "Contents/b", "Contents/c", .manifest(#"{"directory": "."}"#))),
    "archive.recorded": .packs(
      wrong: .init(
        "Contents/", .recording("Contents/a", size: 5), .manifest(#"{"directory": "."}"#)),
      right: .init(
        "Contents/", .recording("Contents/a", size: 1), .manifest(#"{"directory": "."}"#))),
    "archive.field": .packs(
      wrong: .init("Contents/", .extended("Contents/a"), .manifest(#"{"directory": "."}"#)),
      right: .init("Contents/", "Contents/a", .manifest(#"{"directory": "."}"#))),
    "archive.similar-names": .packs(
      wrong: .init(
        "Contents/", "Contents/Icon.png", "Contents/icon.png", .manifest(#"{"directory": "."}"#)),
      right: .init("Contents/", "Contents/icon.png", .manifest(#"{"directory": "."}"#))),
    "archive.outside-contents": .packs(
      wrong: .init("Contents/", "notes.txt", .manifest(#"{"directory": "."}"#)),
      right: .init("Contents/", "Contents/notes.txt", .manifest(#"{"directory": "."}"#))),
    "archive.no-contents": .packs(
      wrong: .init(.manifest(#"{"directory": "."}"#)),
      right: .init("Contents/", "Contents/a", .manifest(#"{"directory": "."}"#))),
    "archive.no-manifest": .packs(
      wrong: .init("Contents/", "Contents/Manifest.json"),
      right: .init("Contents/", "Contents/a", .manifest(#"{"directory": "."}"#))),
    "archive.invalid-manifest": .packs(
      wrong: .init(
        "Contents/", "Contents/a", .file("Manifest.json", Array(#"{"assetPackID": ""}"#.utf8))),
      right: .init("Contents/", "Contents/a", .manifest(#"{"directory": "."}"#))),
    "archive.digest": .packs(
      wrong: .init(
        "Contents/", "Contents/a", .manifest(#"{"directory": "."}"#), isOtherFile: true),
      right: .init("Contents/", "Contents/a", .manifest(#"{"directory": "."}"#))),
    "archive.not-selected": .packs(
      wrong: .init(
        "Contents/", "Contents/a.txt", "Contents/b.txt", .manifest(#"{"file": "a.txt"}"#)),
      right: .init("Contents/", "Contents/a.txt", .manifest(#"{"file": "a.txt"}"#))),
    "archive.missing": .packs(
      wrong: .init(
        "Contents/", "Contents/a.txt", .manifest(#"{"directory": "."}"#),
        comparedWith: #"{"directory": "."}"#, ["a.txt", "b.txt"]),
      right: .init(
        "Contents/", "Contents/a.txt", "Contents/b.txt", .manifest(#"{"directory": "."}"#),
        comparedWith: #"{"directory": "."}"#, ["a.txt", "b.txt"])),
    "archive.surplus": .packs(
      wrong: .init(
        "Contents/", "Contents/a.txt", "Contents/b.txt", .manifest(#"{"directory": "."}"#),
        comparedWith: #"{"directory": "."}"#, ["a.txt"]),
      right: .init(
        "Contents/", "Contents/a.txt", "Contents/b.txt", .manifest(#"{"directory": "."}"#),
        comparedWith: #"{"directory": "."}"#, ["a.txt", "b.txt"])),
    "archive.differs": .packs(
      wrong: .init(
        "Contents/", "Contents/a.txt", "Contents/b.txt", .manifest(#"{"directory": "."}"#),
        comparedWith: #"{"directory": "."}"#, ["a.txt", .file("b.txt", [1])]),
      right: .init(
        "Contents/", "Contents/a.txt", "Contents/b.txt", .manifest(#"{"directory": "."}"#),
        comparedWith: #"{"directory": "."}"#, ["a.txt", "b.txt"])),
    "archive.manifest-differs": .packs(
      wrong: .init(
        "Contents/", "Contents/a.txt", .manifest(#"{"file": "a.txt"}"#),
        comparedWith: #"{"directory": "."}"#, ["a.txt"]),
      right: .init(
        "Contents/", "Contents/a.txt", .manifest(#"{"directory": "."}"#),
        comparedWith: #"{"directory": "."}"#, ["a.txt"])),
  ]
}
