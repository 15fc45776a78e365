// Long because all runs of the command share a game, its prompts and its terminals.

import Arguments
import BAPackCommands
import Foundation
import Glibc
import SourceDiagnostics
import SystemIO
import TestSupport
import Testing

/// `init` on folders of assets, with the input of a user.
@Suite("init", .mustEnd)
final class InitTests {
  private let folder: TemporaryFolder
  private static let project = "ba-package.json"
  private static let scenario = "Scenarios/first-launch.scenario"

  init() throws { folder = try TemporaryFolder() }

  /// Creates a small game with levels and two languages.
  private func makeGame(_ name: String = "game") throws {
    try folder.makeFile("\(name)/UI/button.png", [1, 2, 3])
    try folder.makeFile("\(name)/UI/button.psd", [1, 2, 3, 4])
    for level in ["01", "02", "03"] {
      try folder.makeHole("\(name)/Levels/\(level)/map.bin", size: 6_000_000)
    }
    for language in ["en", "de"] {
      try folder.makeHole("\(name)/Voices/\(language)/hello.wav", size: 4_000_000)
    }
  }

  private func contents(_ name: String = "game") throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: folder.path(name)).sorted()
  }

  private func run(
    _ arguments: String..., input: String? = nil, terminal: Bool = false, columns: Int = 80
  ) -> Captured {
    Captured(["init"] + arguments, input: input, columns: columns, terminal: terminal)
  }

  private func object(_ text: String) throws -> JSONValue {
    try #require(JSONValue(parsing: text))
  }

  private func texts(_ value: JSONValue?) -> [String] { value?.elements.compactMap(\.word) ?? [] }

  // MARK: Additions

  @Test func `--add puts new files into packs, and then finds none`() throws {
    try makeGame()
    let game = folder.path("game")
    #expect(run(game, "--yes").ending == .status(.done))
    let complete = "Every file is in a pack, or a rule leaves it out."
    #expect(run(game, "--add").messages.contains(complete))
    try folder.makeHole("game/Levels/04/map.bin", size: 6_000_000)
    try folder.makeHole("game/Voices/fr/hello.wav", size: 2_000_000)
    let before = try contents()
    let plan = run(game, "--add", "--format", "json")
    #expect(plan.ending == .status(.usage), "\(plan.messages)")
    let files = ["Packs/level-04.json", "Packs/voices-fr.json"]
    #expect(texts(try object(plan.output)["new"]) == files)
    let diff = run(game, "--add", "--diff").output
    for file in files { #expect(diff.contains("+++ b/\(file)\n"), "\(diff)") }
    #expect(try contents() == before)
    let added = run(game, "--add", "--yes")
    #expect(added.ending == .status(.done), "\(added.messages)")
    #expect(try Set(contents()).subtracting(before) == Set(files))
    #expect(run(game, "--add").messages.contains(complete))
    let check = Captured("validate", "--strict", "--project", game)
    #expect(check.ending == .status(.done), "\(check.messages)")
  }

  @Test func `--scenario writes the scenario again after the packs were changed`() throws {
    try makeGame()
    let game = folder.path("game")
    #expect(run(game, "--yes").ending == .status(.done))
    let current = run(game, "--scenario", "--yes")
    #expect(current.ending == .status(.done), "\(current.messages)")
    let manifest = "game/Packs/level-02.json"
    let text = String(decoding: try folder.contents(manifest), as: UTF8.self)
    try folder.makeFile(manifest, text.replacing("\"level-02\"", with: "\"island\""))
    let diff = run(game, "--scenario", "--diff")
    #expect(diff.ending == .status(.done), "\(diff.messages)")
    #expect(diff.output.contains("\n-") && diff.output.contains("island"), "\(diff.output)")
    let refused = run(game, "--scenario")
    #expect(refused.ending == .status(.usage))
    #expect(run(game, "--scenario", "--yes").ending == .status(.done))
    let scenario = String(decoding: try folder.contents("game/\(Self.scenario)"), as: UTF8.self)
    #expect(scenario.contains("island") && !scenario.contains("level-02"), "\(scenario)")
    #expect(Captured("pack", "--project", game).ending == .status(.done))
    let simulation = Captured(
      "simulate", "--project", game, "--scenario", folder.path("game/\(Self.scenario)"))
    #expect(simulation.ending == .status(.done), "\(simulation.messages)")
    #expect(run(game, "--scenario").messages.contains("are up to date"))
  }

  @Test func `--policy and --include change the proposal`() throws {
    try makeGame()
    try folder.makeFile("game/Levels/02/door.lua", "open()")
    let game = folder.path("game")
    let proposed = run(game, "--dry-run", "--policy", "voices-de=on-demand", "--include", "*.lua")
    #expect(proposed.ending == .status(.done), "\(proposed.messages)")
    #expect(!proposed.output.contains("scripts"), "\(proposed.output)")
    #expect(run(game, "--dry-run").output.contains("'--include' packs files"))
    let unknown = run(game, "--dry-run", "--policy", "voices-dd=prefetch")
    #expect(unknown.ending == .status(.failed))
    #expect(unknown.messages.contains("did you mean 'voices-de'?"), "\(unknown.messages)")
  }

  // MARK: Writing

  @Test(arguments: [
    "Movies/intro[1]_*.mp4", #"Movies/intro\1_*.mp4"#, "V[O]/*/1.wav", #"V\O/*/1.wav"#,
    "VO/*/a[1].wav", #"VO/*/a\1.wav"#, "Levels/L[1]/*/voice.wav",
  ])
  func `languages in names with characters of patterns are valid packs`(path: String) throws {
    try folder.makeFile("game/UI/button.png", [1, 2, 3])
    for language in ["en", "de"] {
      try folder.makeHole("game/" + path.replacing("*", with: language), size: 2_000_000)
    }
    let game = folder.path("game")
    let made = run(game, "--yes")
    #expect(made.ending == .status(.done), "\(made.messages)")
    let check = Captured("validate", "--strict", "--project", game)
    #expect(check.ending == .status(.done), "\(check.messages)")
  }

  @Test func `--yes writes the files of --dry-run, and they are a valid project`() throws {
    try makeGame()
    let before = try contents()
    let game = folder.path("game")
    let dry = run(game, "--dry-run", "--format", "json")
    #expect(dry.ending == .status(.done), "\(dry.messages)")
    #expect(try contents() == before)
    let plan = try object(dry.output)
    let files = texts(plan["files"])
    #expect(files.contains(Self.project) && files.contains(Self.scenario))
    #expect(texts(plan["written"]) == [])

    let real = run(game, "--yes", "--format", "json")
    #expect(real.ending == .status(.done), "\(real.messages)")
    let result = try object(real.output)
    #expect(Set(texts(result["written"])) == Set(files + [".gitignore"]))
    let differing = plan.members.filter { result[$0.0] != $0.1 }.map { $0.0 }
    #expect(differing == ["written"])
    let new = Set(try contents()).subtracting(before)
    #expect(new.isSuperset(of: files))
    for pack in plan["packs"]?.elements ?? [] {
      let path = try #require(pack["manifestPath"]?.word)
      let written = try object(String(decoding: folder.contents("game/\(path)"), as: UTF8.self))
      let planned = try #require(pack["manifest"])
      for (name, value) in planned.members { #expect(written[name] == value, "\(path) \(name)") }
    }
    let check = Captured("validate", "--strict", "--project", game)
    #expect(check.ending == .status(.done), "\(check.messages)")
  }

  @Test func `the result matches its schema`() throws {
    try makeGame()
    let schema = try object(Captured("schema", "--for", "init").output)
    let game = folder.path("game")
    for more in [["--dry-run"], ["--yes"]] {
      let run = Captured(["init", game, "--format", "json"] + more)
      #expect(SchemaCheck(schema).problems(in: try object(run.output)) == [])
    }
  }

  @Test(arguments: ["Assets", "./Assets/", "data", "Sub/Resources"])
  func `a folder of assets below the current folder is the source root`(name: String) throws {
    let path = FilePath(name).normalized.text
    try makeGame("game/\(path)")
    let run = try BuiltProgram.run(["init", name, "-y"], after: "cd '\(folder.path("game"))'")
    #expect(run.status == 0, "\(run.messages)")
    let project = Captured("project", "--project", folder.path("game"), "--format", "json").output
    #expect(project.contains(path))
    #expect(try contents().contains(Self.project))
    #expect(run.messages.contains("ba-package pack\n") && !run.messages.contains("  cd "))
    let check = try BuiltProgram.run(["validate"], after: "cd '\(folder.path("game"))'")
    #expect(check.status == 0, "\(check.messages)")
  }

  @Test(arguments: ["game", "../run/Assets", "Assets"])
  func `another folder is the folder of its project, which the next steps name`(
    name: String
  ) throws {
    try makeGame("run/game")
    try makeGame("run/Assets")
    let given = name == "Assets" ? folder.path("run/Assets") : name
    let run = try BuiltProgram.run(["init", given, "-y"], after: "cd '\(folder.path("run"))'")
    #expect(run.status == 0, "\(run.messages)")
    #expect(run.messages.contains("\n  cd \(given)\n"))
    let folderName = name == "game" ? "game" : "Assets"
    #expect(try contents("run/\(folderName)").contains(Self.project))
    #expect(try !contents("run").contains(Self.project))
  }

  @Test func `the folder of the manifests can be chosen`() throws {
    try makeGame()
    let run = run(folder.path("game"), "--packs-dir", "Config/Packs", "--yes")
    #expect(run.ending == .status(.done), "\(run.messages)")
    #expect(try contents().contains { $0.hasPrefix("Config/Packs/") && $0.hasSuffix(".json") })
    #expect(try !contents().contains("Packs"))
  }

  // MARK: Questions

  @Test func `without a terminal the proposal is printed, and the status is 64`() throws {
    try makeGame()
    let before = try contents()
    for format in ["text", "json"] {
      let run = run(folder.path("game"), "--format", format)
      #expect(run.ending == .status(.usage))
      #expect(run.output.contains(format == "text" ? "compressed*" : "\"packs\""))
      #expect(run.messages.contains("--yes") && run.messages.contains("--dry-run"))
    }
    #expect(try contents() == before)
  }

  @Test(arguments: [
    ("en\n\nn\n", false), ("en\n27\nNO\n", false), ("en\n\n", false), ("en\n", false), ("", false),
    ("\n\nmaybe\nn\n", false), ("\n\n\n", true), ("en\n\ny\n", true),
    ("en\nnew\n26.1\nperhaps\nYes\n", true),
  ])
  func `only an empty line or yes writes the files`(_ input: String, _ isWritten: Bool) throws {
    try makeGame()
    let run = run(folder.path("game"), input: input, terminal: true)
    #expect(run.ending == .status(.done), "\(run.messages)")
    #expect(run.messages.contains("Write ba-package.json, Packs/ ("))
    #expect(run.messages.contains("and a line in .gitignore? [Y/n/?]"))
    #expect(run.messages.contains("No file was written.") == !isWritten)
    #expect(try contents().contains(Self.project) == isWritten)
  }

  @Test func `a prompt at a terminal chooses the primary language`() throws {
    try makeGame()
    let game = folder.path("game")
    let prompted = run(game, input: "xx\nde\n\n\n", terminal: true)
    #expect(prompted.messages.contains("Primary language [en]:"))
    #expect(prompted.messages.contains("no files in the language 'xx'"))
    #expect(prompted.output.contains("Primary language: de"))
    let settings = Captured("project", "--project", game, "--format", "json").output
    #expect(settings.contains("\"de\""), "\(settings)")

    try makeGame("other")
    let option = run(
      folder.path("other"), "--primary-language", "de", input: "\nn\n", terminal: true)
    #expect(!option.messages.contains("Primary language ["))
    let chosen = run(folder.path("other"), "--dry-run")
    let words = chosen.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(words.contains("Primary language: en"), "\(words)")
    #expect(words.contains("'--primary-language' sets another one."), "\(words)")
  }

  @Test func `the prompt for the primary language offers those of all translations`() throws {
    for name in ["Voices/de", "Voices/fr", "Text/en", "Text/es"] {
      for file in ["a", "b"] {
        try folder.makeHole("game/\(name)/\(file).wav", size: 2_000_000)
      }
    }
    let prompted = run(folder.path("game"), input: "fr\n\n\n", terminal: true)
    #expect(prompted.messages.contains("Languages: en, es, de, fr\n"), "\(prompted.messages)")
    #expect(try contents().filter { $0.hasPrefix("Packs/voices-") }.count == 2)
    let check = Captured("validate", "--strict", "--project", folder.path("game"))
    #expect(check.ending == .status(.done), "\(check.messages)")
  }

  @Test(arguments: [("\n\nn\n", false), ("\n\n\n", true)])
  func `a real terminal shows the prompts and reads the input`(
    _ typed: String, _ isWritten: Bool
  ) throws {
    try makeGame()
    let terminal = try PseudoTerminal()
    terminal.type(typed)
    let run = try BuiltProgram.run(
      ["init", folder.path("game")], environment: ["TERM": "xterm"],
      after: "exec 0<>'\(terminal.path)' 2>&0")
    let shown = terminal.shown()
    #expect(run.status == 0, "\(shown)")
    #expect(shown.contains("Primary language [en]:"))
    #expect(shown.contains("? [Y/n/?]"))
    #expect(shown.contains("No file was written.") == !isWritten)
    #expect(try contents().contains(Self.project) == isWritten)
  }

  @Test(arguments: [SIGINT, SIGTERM])
  func `a signal at a prompt ends the program, and no file is written`(signal: Int32) throws {
    try makeGame()
    let before = try contents()
    let terminal = try PseudoTerminal()
    let output = folder.path("output")
    let run = try BuiltProgram.run(
      ["init", folder.path("game"), "--primary-language", "en", "--oldest-os", "26"],
      after: "exec 0<>'\(terminal.path)' 2>&0",
      interrupted: .init(signal: signal) { _ in
        terminal.shown().contains("[Y/n/?]")
      }, output: output)
    #expect(run.wasSignalled)
    #expect(run.status == signal)
    #expect(terminal.shown().contains("Interrupted"))
    #expect(try contents() == before)
  }

  @Test func `an interrupt of the search ends the program, and no file is written`() throws {
    try makeGame()
    let before = try contents()
    let alarm = try Alarm()
    alarm.ring()
    let output = TextStream()
    let messages = TextStream()
    let ending = BAPackCommands.run(
      ["init", folder.path("game"), "--yes"],
      Console(output: output, messages: messages, Work(until: alarm)))
    #expect(ending == .signal(SIGINT))
    #expect(messages.captured.hasPrefix("Interrupted"))
    #expect(output.captured == "")
    #expect(try contents() == before)
  }

  @Test func `with --yes and --quiet no proposal is printed, and the files are written`() throws {
    try makeGame()
    let quiet = run(folder.path("game"), "--yes", "--quiet")
    #expect(quiet.ending == .status(.done), "\(quiet.messages)")
    #expect(quiet.output == "")
    #expect(FileManager.default.fileExists(atPath: folder.path("game/ba-package.json")))
  }

  // MARK: Existing files

  @Test func `a folder with a project file is not initialized again`() throws {
    try makeGame()
    try folder.makeFolder("game/.git")
    let first = run(folder.path("game"), "--yes")
    #expect(first.ending == .status(.done), "\(first.messages)")
    let before = try contents()
    for name in ["game", "game/Levels"] {
      let again = run(folder.path(name), "--yes")
      #expect(again.ending == .status(.failed))
      #expect(again.messages.contains("ba-package.json' already exists"))
      #expect(again.messages.contains("'ba-package init --add'"))
    }
    #expect(try contents() == before)
  }

  @Test func `a project file above that is for another folder does not matter`() throws {
    try makeGame("repository/two")
    try folder.makeFolder("repository/.git")
    try folder.makeFolder("repository/one")
    try folder.makeFile(
      "repository/ba-package.json", #"{"packs": ["Packs/*.json"], "sourceRoot": "one"}"#)
    let run = run(folder.path("repository/two"), "--yes")
    #expect(run.ending == .status(.done), "\(run.messages)")
    #expect(try contents("repository/two").contains(Self.project))
  }

  @Test func `no existing file is replaced`() throws {
    try makeGame()
    let game = folder.path("game")
    let files = texts(try object(run(game, "--dry-run", "--format", "json").output)["files"])
    for name in files where name != Self.project {
      try folder.makeFile("game/\(name)", "mine")
      let before = try contents()
      for more in ["--yes", "--dry-run"] {
        let run = run(game, more)
        #expect(run.ending == .status(.failed))
        #expect(run.messages.contains("'\(game)/\(name)' already exists"))
        #expect(run.messages.contains("--packs-dir") == name.hasPrefix("Packs/"))
      }
      #expect(try contents() == before)
      #expect(try folder.contents("game/\(name)") == Array("mine".utf8))
      try folder.remove("game/\(name)")
    }
  }

  @Test func `folders with other files contain assets, and no files of the project`() throws {
    try makeGame()
    for name in ["Packs/knight.png", "Scenarios/island.map", "build/wall.png"] {
      try folder.makeFile("game/\(name)", [1])
    }
    let game = folder.path("game")
    let before = try Set(contents())
    let first = run(game, "--yes", columns: 200)
    #expect(first.ending == .status(.done), "\(first.messages)")
    #expect(
      first.output.contains("the output folder: rename it if it contains assets (.png)"))
    let added = try Set(contents()).subtracting(before)
    #expect(added.isSuperset(of: ["AssetPacks/core.json", "AssetPacks/first-launch.scenario"]))
    #expect(
      added.allSatisfy {
        $0.hasPrefix("AssetPacks") || $0 == Self.project || $0 == ".gitignore"
      })
    #expect(try folder.contents("game/.gitignore") == Array("/build/packs/\n".utf8))
    let packed = Captured("evaluate", "--project", game).output
    for name in ["Packs/knight.png", "Scenarios/island.map"] {
      #expect(packed.contains(name), "\(packed)")
    }
    for name in ["build/", "AssetPacks/"] { #expect(!packed.contains(name), "\(packed)") }
  }

  @Test(arguments: ["/build/", "build", "# mine\nbuild/"])
  func `a line that .gitignore has is not promised`(_ text: String) throws {
    try makeGame()
    try folder.makeFile("game/.gitignore", text)
    let list =
      "ba-package.json, Packs/ (5 manifests), Scenarios/first-launch.scenario "
      + "and Scenarios/oldest-system.scenario"
    let prompted = run(folder.path("game"), input: "n\n", terminal: true)
    #expect(prompted.messages.contains("Write \(list)? [Y/n/?]"), "\(prompted.messages)")
    #expect(run(folder.path("game"), "--yes").messages.contains("Wrote \(list).\n"))
    #expect(try folder.contents("game/.gitignore") == Array(text.utf8))
  }

  @Test(arguments: [
    ("file Packs/a.json", "", "'Packs' already contains 'a.json'"),
    ("file Packs/core.json/a", "", "already exists"),
    ("folder ba-package.json", "", "ba-package.json' already exists"),
    ("folder .gitignore", "", "it is not a file"),
    ("link .gitignore", "", "it is a symbolic link"),
    ("file Manifests", "Manifests", "is not a folder"),
    ("file Manifests/a.png", "Manifests", "it contains 'a.png'"),
    ("link Manifests", "Manifests", "is a symbolic link"),
    ("link Manifests", "Manifests/inner", "is a symbolic link"),
    ("folder build", "build", "version control ignores it"),
    ("folder build", "build/packs", "version control ignores it"),
    ("folder a", "ba-package.json", "the name of the project file"),
  ])
  func `an obstacle stops --yes and --dry-run, and its remedy names options of init`(
    _ existing: String, _ packs: String, _ message: String
  ) throws {
    try makeGame()
    let words = existing.split(separator: " ")
    let path = "game/\(words[1])"
    switch words[0] {
    case "file": try folder.makeFile(path, [1])
    case "link": try folder.makeLink(path, to: folder.path("outside"))
    case "folder": try folder.makeFolder(path)
    default: Issue.record("\(existing)")
    }
    let before = try contents()
    for more in ["--yes", "--dry-run"] {
      let choice = packs.isEmpty ? [] : ["--packs-dir", packs]
      let run = Captured(["init", folder.path("game"), more] + choice)
      #expect(run.ending == .status(.failed))
      #expect(run.messages.contains(message), "\(run.messages)")
      #expect(run.messages.contains("\nhint: "))
      for option in [" -o", "--force", "--project"] { #expect(!run.messages.contains(option)) }
      #expect(run.messages.contains("--packs-dir") || !message.contains("Packs' already"))
    }
    #expect(try contents() == before)
  }

  // MARK: Invalid input

  @Test func `a folder that is empty, missing, a file or unreadable is an error`() throws {
    try folder.makeFolder("empty")
    try folder.makeFile("file")
    let empty = run(folder.path("empty"), "--yes")
    let refusal = "there are no files to pack in '\(folder.path("empty"))'\nhint: "
    #expect(empty.messages.contains(refusal))
    for name in ["missing", "file", "empty"] {
      let run = run(folder.path(name), "--yes")
      #expect(run.ending == .status(.failed))
      #expect(run.messages.hasPrefix("Error: "))
      #expect(run.messages.contains("\nhint: "))
      #expect(run.output == "")
    }
    try folder.makeFolder("locked", mode: 0)
    guard ProcessState.userID != 0 else { return }
    #expect(run(folder.path("locked"), "--yes").ending == .status(.failed))
  }

  @Test(arguments: [
    ("--exclude /a", "the path '/a' is absolute"),
    ("--exclude a/../b", "'..'"),
    ("--exclude [", "has a '[' without a ']'"),
    ("--exclude=", "empty"),
    ("--packs-dir ..", "a folder below the project"),
    ("--packs-dir /tmp", "a folder below the project"),
    ("--packs-dir .", "a folder below the project"),
    ("--packs-dir a*", "cannot contain this path"),
    ("--policy core=often", "'essential', 'prefetch' or 'on-demand'"),
    ("--include /a", "the path '/a' is absolute"),
    ("--diff", "has no effect without '--add' or '--scenario'"),
    ("--essential-limit much", "expected a size such as 4G or 500M"),
    ("--primary-language german-language", "expected a language"),
    ("--platforms ios", "Did you mean 'iOS'?"),
    ("--hosting google", "'apple' or 'self'"),
    ("--yes --dry-run", "cannot be used together"),
    ("one two", "Unexpected argument"),
  ])
  func `an invalid option is a usage error`(_ options: String, _ message: String) throws {
    let run = Captured(["init"] + options.split(separator: " ").map(String.init))
    #expect(run.ending == .status(.usage))
    #expect(run.messages.contains(message), "\(run.messages)")
    #expect(run.output == "")
  }

  @Test func `a folder of manifests that is the folder of assets is an error`() throws {
    try makeGame("game/Assets")
    let run = try BuiltProgram.run(
      ["init", "Assets", "--packs-dir", "Assets", "-y"], after: "cd '\(folder.path("game"))'")
    #expect(run.status == 1)
    #expect(run.messages.contains("'Assets': it is the folder of the assets"))
  }

  // MARK: Other commands

  @Test func `a folder without manifests, and a missing project, lead to init`() throws {
    try makeGame()
    let game = folder.path("game")
    for command in ["pack", "validate", "evaluate"] {
      let run = Captured(command, game)
      // 'pack' also requires an output, which the project file would provide.
      #expect(run.ending == .status(command == "pack" ? .usage : .failed))
      let words = run.messages.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      #expect(words.contains("'ba-package init \(game)' proposes packs"), "\(words)")
      let bare = try BuiltProgram.run([command], after: "cd '\(game)'")
      #expect(bare.status == 64)
      #expect(bare.messages.contains("'ba-package init'"), "\(bare.messages)")
    }
  }

  // MARK: Names

  @Test func `names of any bytes are escaped in the text and exact in JSON`() throws {
    try makeGame()
    for name in HostileNames.possible {
      try folder.makeFile(named: Array("game/UI/".utf8) + name, [1])
      try folder.makeFile(named: Array("game/UI/".utf8) + name.prefix(200) + Array(".psd".utf8))
    }
    let text = run(folder.path("game"), "--dry-run")
    #expect(text.ending == .status(.done), "\(text.messages)")
    let raw = text.output.unicodeScalars.filter {
      $0 != "\n" && ($0.properties.generalCategory == .control || $0 == "\u{202E}")
    }
    #expect(raw.isEmpty)
    let json = run(folder.path("game"), "--dry-run", "--format", "json")
    let value = try object(json.output)
    let paths = value["leftOut"]?.elements.flatMap { $0["paths"]?.elements ?? [] } ?? []
    let encoded = Set(paths.compactMap { $0["pathBase64"]?.word })
    #expect(encoded.contains(Data(Array("UI/".utf8) + [0xE9]).base64EncodedString()))
    let schema = try object(Captured("schema", "--for", "init").output)
    #expect(SchemaCheck(schema).problems(in: value) == [])
  }
}

extension JSONValue {
  fileprivate var word: String? {
    guard case .string(let text) = self else { return nil }
    return text
  }
}

// MARK: - Names

extension InitTests {
  @Test(arguments: [
    ["VO/EN/a.wav", "VO/En/b.wav"], ["Data/a.bin", "data/a.bin", "data/b.bin"],
    ["UI/Icon.png", "UI/icon.png", "UI/b.png"], ["UI/e\u{301}.png", "UI/\u{E9}.png"],
    ["b", "B/x.bin", "B/y.bin"],
  ])
  func `of names that differ only by case, one is left out`(paths: [String]) throws {
    for path in paths { try folder.makeFile("game/" + path, path) }
    let run = self.run(folder.path("game"), "--yes")
    #expect(run.ending == .status(.done))
    let words = run.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(words.contains("names that some devices do not distinguish"), "\(run.output)")
    #expect(!run.messages.contains("warning"), "\(run.messages)")
    let project = folder.path("game/ba-package.json")
    let check = Captured("validate", "--strict", "--project", project)
    #expect(check.ending == .status(.done), "\(check.messages)")
  }

  @Test(arguments: (UInt64(1)...6).sampled(every: 3))
  func `the packs of a folder with difficult names have no findings`(seed: UInt64) throws {
    var random = Seeded(seed: seed)
    let names = [
      "a", "A", "Data", "data", "DATA", "e\u{301}", "\u{E9}", "x\\y", "[q]", "[", "]", "*", "?",
      "a*b", "{c}", "!d", "en", "EN", "En", "de", "VO", "Levels", "levels", "01", "UI",
    ]
    let ends = [".png", ".PNG", ".wav", ".bin", "", "[1].png", "*.wav", "\\.bin"]
    func pick(_ texts: [String]) -> String { texts[random.next(below: texts.count)] }
    for round in 0..<4 {
      let game = "game\(round)"
      var folders: Set<String> = []
      var files: Set<String> = []
      for _ in 0..<(2 + random.next(below: 14)) {
        let parts = (0..<random.next(below: 4)).map { _ in pick(names) }
        let path = (parts + [pick(names) + pick(ends)]).joined(separator: "/")
        let above = parts.indices.map { parts[...$0].joined(separator: "/") }
        guard !folders.contains(path), files.isDisjoint(with: above) else { continue }
        folders.formUnion(above)
        files.insert(path)
        try folder.makeFile("\(game)/\(path)", path)
      }
      let run = self.run(folder.path(game), "--yes", "--primary-language", "en")
      guard run.ending == .status(.done) else {
        Issue.record("\(files.sorted()): \(run.messages)")
        continue
      }
      let check = Captured(
        "validate", "--strict", "--project", folder.path("\(game)/ba-package.json"))
      #expect(check.ending == .status(.done), "\(files.sorted()): \(check.messages)")
    }
  }
}
