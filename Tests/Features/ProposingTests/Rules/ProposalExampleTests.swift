import BAPackKit
import Glibc
import Proposing
import SystemIO
import TestSupport
import Testing

/// Tests that the example of every rule of proposals is true: files as in the wrong part are
/// packed, or left out, as the right part describes.
@Suite struct ProposalExampleTests {
  /// The files of an example, and the proposal for them.
  struct Trial: Sendable {
    /// The files with their sizes.
    var files: [String: Int] = [:]
    /// Files with a text.
    var texts: [String: String] = [:]
    /// Symbolic links with their targets.
    var links: [String: String] = [:]
    var primaryLanguage: String?
    var exclusions: [String] = []
    /// The packs that the right part names, with their files.
    var packs: [String: Set<String>] = [:]
    /// The files that the rule leaves out.
    var leftOut: Set<String> = []
  }

  /// Rules without a tested example, with the reason.
  private static let withoutTrial = [
    "init.special": "root reads all folders; `all kinds of entries are in the tree` shows it",
    "init.history": "a history; `what changes is not in a pack with what is stable` shows it",
    "init.name": "a name that is not UTF-8; `a name that no manifest can contain` shows it",
  ]

  private static let rules = ProposalRules.all.filter { withoutTrial[$0.id.name] == nil }

  private static let localized = rules.firstIndex { $0.id == "init.localized" }

  /// The result of a proposal.
  private struct Outcome {
    /// The IDs of the rules of its reasons and notes.
    var rules: Set<String>
    var packs: [String: Set<String>] = [:]
    /// The rules of files in no pack.
    var leftOut: [String: String] = [:]

    init(_ trial: Trial, in folder: borrowing TemporaryFolder) throws {
      let project = try FoundProject.find(at: FilePath(folder.path), .unstoppable)
      let tree = try AssetTree(
        reading: FilePath(folder.path).appending(project.assets), .unstoppable)
      var options = ProposalOptions()
      options.primaryLanguage = trial.primaryLanguage.flatMap { LanguageTag($0) }
      options.exclusions = trial.exclusions
      let total = trial.files.values.reduce(0, +)
      options.essentialLimit = min(50_000_000, UInt64(max(total, 100)))
      options.ownPaths = ["Packs", "ba-package.json"]
      options.outputPaths = ["build"]
      let proposal = Proposal(of: tree, in: project, options)
      let reasons = proposal.packs.flatMap(\.reasons) + proposal.leftOut.map(\.reason)
      rules = Set((reasons + proposal.notes + project.advice).map(\.rule.id.name))
      func path(_ file: Int) -> String {
        project.assets.appending(FilePath(tree.path(ofFile: file))).text
      }
      for pack in proposal.packs {
        packs[pack.manifest.assetPackID] = Set(pack.files.joined().map(path))
      }
      for group in proposal.leftOut {
        for file in group.files { leftOut[path(file)] = group.reason.rule.id.name }
      }
    }
  }

  @Test(arguments: rules.indices)
  func `an example is proposed as its right part describes`(index: Int) throws {
    let rule = Self.rules[index]
    let trial = try #require(Self.trials[rule.id.name], "\(rule.id.name)")
    let folder = try TemporaryFolder()
    for (path, size) in trial.files {
      try folder.makeFile(path)
      #expect(unsafe truncate(folder.path(path), size) == 0)
    }
    for (path, text) in trial.texts { try folder.makeFile(path, text) }
    for (path, target) in trial.links {
      try folder.makeFolder(String(path.prefix { $0 != "/" }))
      try folder.makeLink(path, to: target)
    }
    let outcome = try Outcome(trial, in: folder)
    #expect(outcome.rules.contains(rule.id.name), "\(rule.id.name): \(outcome)")
    for (id, files) in trial.packs {
      #expect(outcome.packs[id] == files, "\(rule.id.name): \(outcome)")
      #expect(rule.example.right.contains(id), "\(rule.id.name): \(id)")
    }
    let leftOut = Set(outcome.leftOut.filter { $0.value == rule.id.name }.keys)
    #expect(leftOut == trial.leftOut, "\(rule.id.name): \(outcome)")
    #expect(outcome.leftOut.count == leftOut.count, "\(rule.id.name): \(outcome)")
    // Without the files that the rule leaves out, it leaves out nothing.
    guard !leftOut.isEmpty else { return }
    for path in leftOut { try folder.remove(path) }
    let rest = try Outcome(trial, in: folder)
    #expect(rest.packs == outcome.packs, "\(rule.id.name)")
    #expect(rest.leftOut == [:], "\(rule.id.name)")
  }

  @Test(arguments: rules.indices)
  func `the files of a trial are those of the example`(index: Int) throws {
    let rule = Self.rules[index]
    let trial = try #require(Self.trials[rule.id.name], "\(rule.id.name)")
    let paths = Array(trial.files.keys) + trial.texts.keys + trial.links.keys
    // The paths in localized packs are without the language.
    let texts = [rule.example.wrong] + (index == Self.localized ? [] : [rule.example.right])
    for text in texts {
      // The words that are paths: 'Voices/en/', 'hero.png~'.
      for word in text.split(whereSeparator: { ", '".contains($0) }).map(String.init)
      where word.contains("/") && !word.hasPrefix("/") || word.contains(".") && word != "." {
        guard !word.hasSuffix("."), !word.hasPrefix("*"), !word.hasPrefix("/") else { continue }
        #expect(
          paths.contains { $0 == word || $0.hasPrefix(word) || $0.hasSuffix("/" + word) },
          "\(rule.id.name): \(word)")
      }
    }
  }

  @Test func `each rule of proposals has a trial`() {
    let names = Set(Self.rules.map(\.id.name))
    #expect(Set(Self.trials.keys) == names)
    #expect(names.count + Self.withoutTrial.count == ProposalRules.all.count)
  }
}

extension ProposalExampleTests {
  private static let kilobyte = 1000
  private static let megabyte = 1_000_000

  /// Returns the same size for paths.
  private static func files(_ paths: String..., size: Int = 100) -> [String: Int] {
    Dictionary(uniqueKeysWithValues: paths.map { ($0, size) })
  }

  private static let levels = Dictionary(
    uniqueKeysWithValues: (1...300).map { ("Levels/\($0)/map.json", 20 * kilobyte) })

  private static let manifest = """
    {"assetPackID": "x", "downloadPolicy": {"onDemand": {}}, "fileSelectors": [{"file": "a"}]}
    """

  /// The trials, by the IDs of their rules.
  private static let trials: [String: Trial] = engines.merging(leavingOut) { first, _ in first }
    .merging(grouping) { first, _ in first }

  private static let engines: [String: Trial] = [
    "init.engine": Trial(
      files: files("assets/levels/1.json", "lib/main.dart"),
      texts: ["pubspec.yaml": "name: game\nflutter:\n  assets:\n    - assets/levels/\n"]),
    "init.export": Trial(
      files: files("Assets/Textures/hero.psd", "ServerData/iOS/textures_assets_all.bundle"),
      texts: ["ProjectSettings/ProjectVersion.txt": "m_EditorVersion: 2022.3.10f1\n"]),
    "init.folder-of-assets": Trial(files: files("Makefile", "src/main.c", "Assets/hero.png")),
  ]

  private static let leavingOut: [String: Trial] = [
    "init.secret": Trial(
      files: files("AuthKey_2X9R4HXF34.p8", ".env", "UI/a.png"),
      leftOut: ["AuthKey_2X9R4HXF34.p8", ".env"]),
    "init.junk": Trial(
      files: files(".DS_Store", "Thumbs.db", "hero.png~", "UI/a.png"),
      leftOut: [".DS_Store", "Thumbs.db", "hero.png~"]),
    "init.source": Trial(
      files: files("Art/hero.psd", "Art/hero.png"), leftOut: ["Art/hero.psd"]),
    "init.code": Trial(
      files: files("Game/main.cpp", "Game/map.json"), leftOut: ["Game/main.cpp"]),
    "init.script": Trial(
      files: files("Missions/door.lua", "Missions/map.json"), leftOut: ["Missions/door.lua"]),
    "init.bundle": Trial(
      files: files("de.lproj/Localizable.strings", "de.lproj/intro.mp4"),
      leftOut: ["de.lproj/Localizable.strings"]),
    "init.editor": Trial(
      files: files("hero.png.import", "hero.gd.uid", "project.godot", "UI/a.png"),
      leftOut: ["hero.png.import", "hero.gd.uid", "project.godot"]),
    "init.build": Trial(
      files: files("DerivedData/a.bin", ".godot/b.bin", "UI/a.png"),
      leftOut: ["DerivedData", ".godot"]),
    "init.document": Trial(
      files: files("Music/README.md", "Music/LICENSE"), leftOut: ["Music/README.md"]),
    "init.unfinished": Trial(
      files: files("Levels/wip/a.map", "Levels/01/a.map"), leftOut: ["Levels/wip"]),
    "init.link": Trial(
      files: files("UI/a.png"), links: ["Fonts/main.ttf": "/usr/share/fonts/main.ttf"],
      leftOut: ["Fonts/main.ttf"]),
    "init.platform-variant": Trial(
      files: files("Bundles/Android/a.bundle", "Bundles/iOS/a.bundle"),
      leftOut: ["Bundles/Android/a.bundle"]),
    "init.excluded": Trial(
      files: files("UI/hero-draft.png", "UI/hero.png"), exclusions: ["*-draft.png"],
      leftOut: ["UI/hero-draft.png"]),
    "init.own-file": Trial(
      files: files("UI/a.png"), texts: ["ba-package.json": "{}", "Packs/x.json": manifest],
      leftOut: ["ba-package.json", "Packs/x.json"]),
    "init.output": Trial(
      files: files("build/cache.bin", "UI/a.png"), leftOut: ["build/cache.bin"]),
    "init.nested-project": Trial(
      files: files("UI/a.png"),
      texts: [
        "Addons/winter/ba-package.json": "{}", "Addons/winter/Packs/x.json": manifest,
      ],
      leftOut: ["Addons/winter/ba-package.json", "Addons/winter/Packs/x.json"]),
    "init.similar-name": Trial(
      files: files("Data/a.bin", "Data/b.bin", "data/c.bin"), leftOut: ["data/c.bin"]),
    "init.second-spelling": Trial(
      files: files("Voices/en/hello.wav", "Voices/english/hello.wav", "Voices/de/hello.wav"),
      packs: ["voices-en": ["Voices/en/hello.wav"]], leftOut: ["Voices/english/hello.wav"]),
  ]

  private static let grouping: [String: Trial] = [
    "init.localized": Trial(
      files: files("Voices/en/hello.wav", "Voices/de/hello.wav"),
      packs: ["voices-en": ["Voices/en/hello.wav"], "voices-de": ["Voices/de/hello.wav"]]),
    "init.own-paths": Trial(
      files: files("Voices/en/1.wav", "Voices/de/1.wav", "Voices/fr/2.wav"),
      packs: [
        "voices-en": ["Voices/en/1.wav"], "voices-de": ["Voices/de/1.wav"],
        "voices-fr": ["Voices/fr/2.wav"],
      ]),
    "init.other-languages": Trial(
      files: files("Voices/de/a.wav", "Voices/fr/a.wav", "Text/en/a.txt", "Text/es/a.txt"),
      primaryLanguage: "en",
      packs: [
        "voices": ["Voices/de/a.wav", "Voices/fr/a.wav"], "text-en": ["Text/en/a.txt"],
        "text-es": ["Text/es/a.txt"],
      ]),
    "init.text": Trial(
      files: files(
        "locale/de/LC_MESSAGES/game.mo", "locale/fr/LC_MESSAGES/game.mo", size: 90 * megabyte)),
    "init.siblings": Trial(
      files: files("Worlds/01/a.map", "Worlds/02/a.map", "Worlds/03/a.map", size: 9 * megabyte),
      packs: ["world-02": ["Worlds/02/a.map"], "world-03": ["Worlds/03/a.map"]]),
    "init.first": Trial(
      files: files("Levels/01/a.map", "Levels/02/a.map", "Levels/03/a.map", size: 9 * megabyte),
      packs: ["core": ["Levels/01/a.map"]]),
    "init.tier": Trial(
      files: files("Textures/hd/hero.png", "Textures/sd/hero.png"),
      packs: [
        "textures-hd": ["Textures/hd/hero.png"], "textures-sd": ["Textures/sd/hero.png"],
      ]),
    "init.platform": Trial(
      files: files("Bundles/iOS/a.bundle", "Bundles/macOS/a.bundle"),
      packs: [
        "bundles-iOS": ["Bundles/iOS/a.bundle"], "bundles-macOS": ["Bundles/macOS/a.bundle"],
      ]),
    "init.model": Trial(
      files: files("Models/segment.mlmodelc/a.bin", "Models/chat.gguf"),
      packs: ["segment": ["Models/segment.mlmodelc/a.bin"], "chat": ["Models/chat.gguf"]]),
    "init.media": Trial(
      files: files("Music/theme.ogg", size: 4 * megabyte), packs: ["music": ["Music/theme.ogg"]]),
    "init.core": Trial(
      files: files("UI/a.png", "Fonts/a.ttf"), packs: ["core": ["UI/a.png", "Fonts/a.ttf"]]),
    "init.folder": Trial(
      files: files("Models/tree.usdz", size: 400 * megabyte),
      packs: ["models": ["Models/tree.usdz"]]),
    "init.joined": Trial(files: levels),
    "init.split": Trial(
      files: files("Movies/a.mp4", "Movies/b.mp4", "Movies/c.mp4", size: 3000 * megabyte),
      packs: [
        "videos-1": ["Movies/a.mp4"], "videos-2": ["Movies/b.mp4"], "videos-3": ["Movies/c.mp4"],
      ]),
  ]
}
