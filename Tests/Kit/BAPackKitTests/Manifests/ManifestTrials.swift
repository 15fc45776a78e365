import BAPackKit
import SourceDiagnostics

extension Trial {
  /// The trials of the rules about manifests, projects and selected files, by the ID of the rule.
  static let ofManifestRules: [String: Trial] = [
    "project.not-a-project": .project,
    "project.packs": .project,
    "project.path": .project,
    "project.value": .project,
    "project.no-effect": .project,
    "project.address": .project,
    "project.secret": .project,
    "project.budget": .project,
    "project.baseline": .project,
    "project.app": .project,
    "project.finding": .project,
    "project.unused-finding": .exception("files.junk", path: "Voices/.DS_Store"),
    "shards.missing": .collected(
      of: ["cave", "forest"], wrong: ["cave"], right: ["cave", "forest"]),
    "shards.twice": .collected(of: ["cave"], wrong: ["cave", "cave"], right: ["cave"]),
    "shards.foreign": .collected(of: ["cave"], wrong: ["cave", "old"], right: ["cave"]),
    "budget.essential": .budget(
      wrong: .example(.example("tutorial", 230_000_000)),
      right: .example(.example("tutorial", 90_000_000))),
    "budget.total": .budget(
      wrong: .example(.example("levels", 2_100_000_000)),
      right: .example(.example("levels", 1_500_000_000))),
    "budget.hosted": .budget(
      wrong: .example(.example("levels", 120_000_000_000)),
      right: .example(.example("levels", 70_000_000_000))),
    "budget.update": .budget(
      wrong: .example(.example("level-cave", 52_300_000)),
      right: .example(.example("cave-backdrop", 5_400_000))),
    "budget.packs": .budget(
      wrong: .example(.example("voices-en", 45_000_000), .example("voices-fr", 45_000_000)),
      right: .example(.example("voices-en", 35_000_000), .example("voices-fr", 35_000_000))),
    "budget.files": .budget(
      wrong: .example(.example("voices", 0, files: [("Voices/intro.wav", 40_000_000)])),
      right: .example(.example("voices", 0, files: [("Voices/intro.wav", 4_000_000)]))),
    "budget.unmatched": .budget(
      wrong: .example(.example("voices-en", 1)), right: .example(.example("voices-en", 1))),
    "language.systems": .app(wrong: [#""language": "fr""#], right: [#""assetPackID": "Level""#]),
    "manifest.not-archivable": .made(
      wrong: Array(
        ("\"userInfo\": {\"edition\": " + String(repeating: "[", count: 500)
          + String(repeating: "]", count: 500) + "}").utf8),
      right: Array(#""userInfo": {"edition": 2}"#.utf8)),
    "packs.same-id": .app(
      wrong: [#""assetPackID": "Tutorial""#, #""assetPackID": "Tutorial""#],
      right: [#""assetPackID": "Tutorial""#, #""assetPackID": "Tutorial-2""#]),
    "packs.similar-ids": .app(
      wrong: [#""assetPackID": "café""#, #""assetPackID": "cafe\u0301""#],
      right: [#""assetPackID": "cafe""#]),
    "packs.count": .app(
      wrong: (0...DeliveryLimits.current.packs).map { "\"assetPackID\": \"level-\($0)\"" },
      right: (0..<DeliveryLimits.current.packsBefore).map { "\"assetPackID\": \"level-\($0)\"" }),
    "packs.primary-language": .app(
      wrong: [#""assetPackID": "voices-fr", "language": "fr""#],
      right: [
        #""assetPackID": "voices-fr", "language": "fr""#,
        #""assetPackID": "voices-en", "language": "en""#,
      ], primaryLanguage: LanguageTag("en")),
    "json.encoding": .made(wrong: [0x7B, 0xE9, 0x7D], right: [0x7B, 0x7D]),
    "json.too-deep": .made(
      wrong: Array(
        ("\"userInfo\": {\"edition\": " + String(repeating: "[", count: 513)
          + String(repeating: "]", count: 513) + "}").utf8),
      right: Array(#""userInfo": {"edition": []}"#.utf8)),
    "json.too-large": .made(
      wrong: [UInt8](repeating: 0x20, count: (16 << 20) + 1), right: Array("{}".utf8)),
    "text.too-many-findings": .made(
      wrong: Array("\"platforms\": [\(String(repeating: "1, ", count: 1001))]".utf8),
      right: Array(#""platforms": []"#.utf8)),
    "files.pointer": .files(
      [
        .file(
          "Textures/hero.png",
          Array("version https://git-lfs.github.com/spec/v1\noid sha256:…\nsize 12345\n".utf8))
      ], correct: ["Textures/hero.png"]),
    "files.mac-program": .files([
      "Tools/settings",
      // A Mach-O file that does not name its platform.
      .file(
        "Tools/convert",
        [0xFE, 0xED, 0xFA, 0xCE, 0, 0, 0, 7, 0, 0, 0, 3, 0, 0, 0, 2]
          + [UInt8](repeating: 0, count: 12)),
    ]),
    "files.hosting-limit": .files([
      "Level1/map", .hole("Level2/map", size: DeliveryLimits.current.hostedBytes),
    ]),
    "files.essential-size": .files([.hole("Textures/map", size: 200_000_000)]),
    "files.shared-path": .app(
      wrong: [
        #""assetPackID": "Level", "fileSelectors": [{"file": "icon.png"}]"#,
        """
        "assetPackID": "Tutorial", \
        "fileSelectors": [{"fileSource": "a.png", "fileDestination": "icon.png"}]
        """,
      ],
      right: [
        #""assetPackID": "Level", "fileSelectors": [{"file": "icon.png"}]"#,
        """
        "assetPackID": "Tutorial", \
        "fileSelectors": [{"fileSource": "a.png", "fileDestination": "Tutorial/icon.png"}]
        """,
      ], files: ["a.png", "icon.png"]),
    "files.localized-difference": .app(
      wrong: [
        #""assetPackID": "film-en", "language": "en", "fileSelectors": [{"file": "intro.mp4"}]"#,
        #""assetPackID": "film-fr", "language": "fr", "fileSelectors": [{"file": "intro.fr.mp4"}]"#,
      ],
      right: [
        #""assetPackID": "film-en", "language": "en", "fileSelectors": [{"file": "intro.mp4"}]"#,
        """
        "assetPackID": "film-fr", "language": "fr", \
        "fileSelectors": [{"fileSource": "intro.fr.mp4", "fileDestination": "intro.mp4"}]
        """,
      ], files: ["intro.mp4", "intro.fr.mp4"]),
    "files.junk": .files(["Textures/hero.png", "Textures/.DS_Store"]),
    "files.empty-file": .files([.file("Textures/hero.png", [])], correct: ["Textures/hero.png"]),
    "files.working-file": .files(["Textures/hero.png", "Textures/hero.psd"]),
    "files.name": .files(["a.txt"]),
    "files.two-sources": .files(["icon.png", .file("draft.png", [1])]),
    "files.file-and-folder": .files(["a.txt", "b.txt"]),
    "files.similar-names": .files(["Icon.png", "icon.png"]),
    "files.nothing-selected": .files(["Audio/theme.wav"]),
    "files.unused-exclusion": .files(["Audio/theme.wav", "Audio/notes.txt"]),
    "files.source-root": .files(["assets/Textures/hero.png"]),
    "files.missing": .files(["Textures/hero.png"]),
    "files.wrong-kind": .files(["Textures/hero.png"]),
    "files.link": .files(["Textures/hero.png", .link("Textures/latest", to: "nowhere")]),
    "files.special-file": .files(["run/settings", .pipe("run/control")]),
    "files.unreadable": .files(["Saves/open", .refused("Saves/private")]),
    "files.empty-folder": .files([.folder("build/empty"), "build/assets/hero.png"]),
    "files.empty": .files(["Audio/drafts/theme.wav", "Audio/theme.wav"]),
  ]
}
