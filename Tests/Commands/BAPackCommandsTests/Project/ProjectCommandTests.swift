import Arguments
import BAPackCommands
import BAPackKit
import Foundation
import SystemIO
import TestSupport
import Testing

/// A project file instead of operands and options.
@Suite("The project file")
struct ProjectCommandTests {
  /// Creates a small game: two packs, one of which specifies its source root.
  static func make(
    _ members: String = #""output": "build/packs""#, in folder: borrowing TemporaryFolder
  ) throws {
    try folder.makeFile("game/ba-package.json", #"{"packs": ["Packs/*.json"], \#(members)}"#)
    for (id, root) in [("cave", ""), ("forest", #", "sourceRoot": "../Other""#)] {
      try folder.makeFile(
        "game/Packs/\(id).json",
        #"""
        {"assetPackID": "\#(id)", "downloadPolicy": {"onDemand": {}},
         "fileSelectors": [{"directory": "\#(id)"}], "platforms": []\#(root)}
        """#)
    }
    try folder.makeFile("game/cave/map.txt", "a cave")
    try folder.makeFile("game/Other/forest/map.txt", "a forest")
  }

  func run(
    _ arguments: String..., in folder: borrowing TemporaryFolder,
    environment: [String: String] = [:]
  ) -> Captured {
    Captured(arguments + ["--project", folder.path("game")], environment: environment)
  }

  @Test(arguments: [["--level", "fast"], ["--block-size", "2M"]])
  func `an option for compression is an error in a project without compression`(arguments: [String])
    throws
  {
    let folder = try TemporaryFolder()
    try Self.make(#""output": "build", "compression": "none""#, in: folder)
    let project = ["--project", folder.path("game")]
    let refused = Captured(["pack"] + arguments + project)
    #expect(refused.ending == .status(.failed))
    #expect(
      refused.messages.hasPrefix(
        "Error: '\(arguments[0])' has no effect with 'compression' of 'none' in the project file\n")
    )
    #expect(
      Captured(["pack", "--compression", "lz4"] + arguments + project).ending == .status(.done))
    try Self.make(#""output": "build", "compression": "none", "level": "best""#, in: folder)
    let checked = Captured(["validate"] + project)
    #expect(checked.ending == .status(.failed))
    #expect(checked.messages.contains("[project.no-effect]"))
  }

  @Test
  func `without operands the packs of the project are validated, evaluated, packed and verified`()
    throws
  {
    let folder = try TemporaryFolder()
    try Self.make(in: folder)
    let checked = run("validate", in: folder)
    #expect(checked.ending == .status(.done))
    #expect(
      checked.messages
        == "'\(folder.path("game/ba-package.json"))' and 2 manifests: no problems\n")
    #expect(run("evaluate", in: folder).output == "cave/map.txt\nforest/map.txt\n")
    let packed = run("pack", in: folder)
    #expect(packed.ending == .status(.done), "\(packed.messages)")
    for id in ["cave", "forest"] {
      #expect(PackReader.isPack(try folder.contents("game/build/packs/\(id).aar")))
    }
    let verified = run("verify", in: folder)
    #expect(verified.ending == .status(.done))
    #expect(verified.messages == "2 packs: no problems\n")
    try folder.remove("game/build/packs/cave.aar")
    #expect(run("verify", in: folder).ending == .status(.failed))
  }

  @Test
  func `options take precedence: the packs are those of the same options without a project`() throws
  {
    let folder = try TemporaryFolder()
    try Self.make(#""output": "out", "compression": "lzma", "threads": 1"#, in: folder)
    #expect(run("pack", in: folder).ending == .status(.done))
    #expect(
      run("pack", "--compression", "zlib", "-o", folder.path("other"), in: folder).ending
        == .status(.done))
    for (codec, name) in [("lzma", "game/out"), ("zlib", "other")] {
      let plain = Captured(
        "pack", folder.path("game/Packs/forest.json"), "-o", folder.path("plain-\(codec)"),
        "--compression", codec)
      #expect(plain.ending == .status(.done))
      #expect(
        try folder.contents("\(name)/forest.aar") == folder.contents("plain-\(codec)/forest.aar"))
    }
    // A given manifest is packed with the project's settings, without the others.
    let one = run("pack", folder.path("game/Packs/cave.json"), "--force", in: folder)
    #expect(one.ending == .status(.done), "\(one.messages)")
  }

  @Test
  func
    `the source root is that of the option, the manifest, the project, or the project's folder`()
    throws
  {
    let folder = try TemporaryFolder()
    try Self.make(#""sourceRoot": "Assets""#, in: folder)
    try folder.makeFile("game/Assets/cave/other.txt")
    #expect(run("evaluate", in: folder).output == "cave/other.txt\nforest/map.txt\n")
    try folder.makeFile("given/cave/x.txt")
    try folder.makeFile("given/forest/y.txt")
    #expect(
      run("evaluate", "--source-root", folder.path("given"), in: folder).output
        == "cave/x.txt\nforest/y.txt\n")
  }

  @Test
  func `errors in a project file are reported with their positions, and stop every command`() throws
  {
    let folder = try TemporaryFolder()
    try Self.make(#""hosting": "appel""#, in: folder)
    let file = folder.path("game/ba-package.json")
    let message = "\(file):1:40: error: 'hosting' cannot be 'appel' [project.value]\n"
    for arguments in [["validate"], ["pack"], ["evaluate"], ["verify"], ["project"], ["clean"]] {
      let run = Captured(arguments + ["--project", file])
      #expect(run.ending == .status(.failed))
      #expect(run.messages.hasPrefix(message), "\(arguments): \(run.messages)")
    }
    let fixed = Captured("validate", "--fix", "--unsafe", "--project", file)
    #expect(fixed.ending == .status(.done), "\(fixed.messages)")
    #expect(try String(contentsOfFile: file, encoding: .utf8).contains(#""hosting": "apple""#))
    let json = Captured("validate", "--format", "json", "--project", file)
    #expect(json.output == "")
  }

  @Test
  func `errors in a project file stop a run with given packs, with a hint`() throws {
    let folder = try TemporaryFolder()
    try Self.make(in: folder)
    #expect(run("pack", in: folder).ending == .status(.done))
    try Self.make(#""hosting": "appel""#, in: folder)
    let manifest = folder.path("game/Packs/cave.json")
    let pack = folder.path("game/build/packs/cave.aar")
    for arguments in [
      ["validate", manifest], ["pack", manifest, "-o", folder.path("x.aar")],
      ["evaluate", manifest],
      ["verify", pack], ["simulate", pack],
    ] {
      let run = Captured(arguments + ["--project", folder.path("game")])
      #expect(run.ending == .status(.failed))
      #expect(run.messages.contains("'hosting' cannot be 'appel'"), "\(run.messages)")
      #expect(
        run.messages.hasSuffix("; '--no-project' ignores the project file\n"),
        "\(arguments): \(run.messages)")
    }
    // Commands that do not use the project file do not read it.
    let served = Captured("upload", pack, "--app", "1", "--project", folder.path("game"))
    #expect(!served.messages.contains("appel"), "\(served.messages)")
    // Without operands the project file is required.
    #expect(!run("pack", in: folder).messages.contains("--no-project"))
  }

  @Test
  func `simulate uses the primary language of the project for given packs, too`() throws {
    let folder = try TemporaryFolder()
    try Self.make(#""output": "build/packs", "primaryLanguage": "fr""#, in: folder)
    try folder.makeFile(
      "game/Packs/cave.json",
      #"""
      {"assetPackID": "cave", "downloadPolicy": {"essential": {"installationEventTypes":
       ["firstInstallation"]}}, "fileSelectors": [{"directory": "cave"}], "platforms": [],
       "language": "fr"}
      """#)
    #expect(run("pack", in: folder).ending == .status(.done))
    let arguments = ["simulate", folder.path("game/build/packs"), "--language", "en"]
    let without = Captured(arguments)
    let with = Captured(arguments + ["--project", folder.path("game")])
    #expect(with.output == Captured(arguments + ["--primary-language", "fr"]).output)
    #expect(with.output != without.output)
  }

  @Test
  func `a list without matches is an error at its position`() throws {
    let folder = try TemporaryFolder()
    try folder.makeFile(
      "game/ba-package.json", #"{"packs": ["Packs/*.json", "x.json"], "output": "o"}"#)
    let run = run("validate", in: folder)
    #expect(run.ending == .status(.failed))
    let file = folder.path("game/ba-package.json")
    #expect(
      run.messages.contains("\(file):1:12: error: no file matches 'Packs/*.json' [project.packs]"))
    #expect(run.messages.contains("\(file):1:28: error: there is no 'x.json' [project.packs]"))
  }

  @Test
  func `the project file does not match its pattern of manifests`() throws {
    let folder = try TemporaryFolder()
    try Self.make(in: folder)
    try folder.makeFile("game/ba-package.json", #"{"packs": ["**/*.json"], "output": "o"}"#)
    #expect(run("validate", in: folder).ending == .status(.done))
    let named = Captured("validate", folder.path("game/ba-package.json"), "--no-project")
    #expect(named.ending == .status(.failed))
  }

  @Test
  func `outputs are in the project, unless an option specifies another folder`() throws {
    let folder = try TemporaryFolder()
    try Self.make(in: folder)
    try folder.makeFolder("elsewhere")
    try folder.makeLink("game/build", to: "../elsewhere")
    let refused = run("pack", in: folder)
    #expect(refused.ending == .status(.failed))
    #expect(refused.messages.contains("outside the project"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("elsewhere")) == [])
    #expect(run("pack", "-o", folder.path("elsewhere"), in: folder).ending == .status(.done))
    try Self.make(#""output": "o", "cache": {"folder": "build/cache"}"#, in: folder)
    #expect(run("pack", in: folder).messages.contains("outside the project"))
  }

  @Test
  func `the cache of a project is in the cache folder of the user`() throws {
    let folder = try TemporaryFolder()
    try Self.make(#""output": "o", "cache": {}"#, in: folder)
    let run = run("pack", in: folder, environment: ["XDG_CACHE_HOME": folder.path("caches")])
    #expect(run.ending == .status(.done), "\(run.messages)")
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path("caches/ba-package/blocks"))
        .contains("CACHEDIR.TAG"))
  }

  @Test
  func `without a project file, a missing argument is an error with a hint`() {
    for (arguments, missing) in [
      (["validate"], "'<manifest> ...'"), (["verify"], "'<pack> ...'"),
      (["evaluate"], "'<manifest>'"), (["pack", "a.json"], "'--output-path <path>'"),
    ] {
      let run = Captured(arguments)
      #expect(run.ending == .status(.usage))
      #expect(run.messages.hasPrefix("Error: Missing expected argument \(missing)\nhint: "))
      #expect(run.messages.contains("\nUsage: ba-package \(arguments[0]) "))
      // The tests run at the top of the checkout, which has a project in a subfolder.
      let message = run.messages.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      #expect(
        message.contains(" hint: found 'Examples/Lantern/ba-package.json': use '--project ")
          || message.contains(" hint: a project file can provide it; 'ba-package init' "))
    }
    #expect(Captured("project").ending == .status(.usage))
    #expect(Captured("clean").ending == .status(.usage))
  }

  @Test
  func `a given project file that does not exist is reported`() throws {
    let folder = try TemporaryFolder()
    let run = Captured("pack", "--project", folder.path("no.json"))
    #expect(run.ending == .status(.failed))
    #expect(run.messages.contains("no.json"))
    #expect(run.messages.contains("template --project"))
  }

  // MARK: Settings in effect

  @Test
  func `project prints each value with its origin`() throws {
    let folder = try TemporaryFolder()
    try Self.make(
      #""output": "o", "hosting": "apple", "level": "best", "cache": {"limit": "1G"}"#, in: folder)
    let run = run(
      "project", "--level", "fast", in: folder,
      environment: ["XDG_CACHE_HOME": folder.path("caches")])
    #expect(run.ending == .status(.done), "\(run.messages)")
    let file = folder.path("game/ba-package.json")
    func origin(_ key: String) -> String? {
      run.output.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
        .first { $0.first == key }?.dropFirst(2).joined(separator: " ")
    }
    #expect(origin("hosting") == "\(file):1:55")
    #expect(origin("level") == "--level")
    #expect(origin("compression") == "default")
    #expect(origin("sourceRoot") == "default: the project's folder")
    #expect(origin("cache.folder") == "XDG_CACHE_HOME")
    #expect(run.output.contains("2 manifests:"))
    #expect(run.output.contains("\(folder.path("game/Packs/forest.json")):2:"))
  }

  @Test
  func `project prints the same as JSON`() throws {
    let folder = try TemporaryFolder()
    try Self.make(in: folder)
    let run = run("project", "--format", "json", in: folder)
    let object = try #require(
      JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
    #expect(object["project"] as? String == folder.path("game/ba-package.json"))
    let settings = try #require(object["settings"] as? [[String: Any]])
    let output = settings.first { $0["key"] as? String == "output" }
    #expect(output?["value"] as? String == folder.path("game/build/packs"))
    #expect(output?["origin"] as? String == "project")
    #expect((output?["place"] as? String)?.hasSuffix("ba-package.json:1:39") == true)
    let packs = try #require(object["packs"] as? [[String: Any]])
    #expect(packs.map { $0["assetPackID"] as? String } == ["cave", "forest"])
    #expect(packs.map { $0["origin"] as? String } == ["default", "manifest"])
  }

  // MARK: Templates

  @Test
  func `the template, its schema and a complete file agree`() throws {
    let folder = try TemporaryFolder()
    let text = Captured("template", "--project").output
    #expect(text.contains("[Path to Manifest]"))
    let schema = Captured("schema", "--project").output
    _ = try JSONSerialization.jsonObject(with: Data(schema.utf8))
    #expect(schema.contains("\"primaryLanguage\""))
    #expect(schema != Captured("schema").output)
    try Self.make(in: folder)
    try folder.makeFile(
      "game/ba-package.json", text.replacing("[Path to Manifest]", with: "Packs/*.json"))
    #expect(run("validate", in: folder).ending == .status(.done))
    let strict = Captured("template", "--project", "--strict-json", "--schema", "s.json").output
    let object = try JSONSerialization.jsonObject(with: Data(strict.utf8)) as? [String: Any]
    #expect(object?["$schema"] as? String == "s.json")
    let both = Captured("template", "--project", "--essential")
    #expect(both.ending == .status(.usage))
  }

  @Test
  func `a run inside a project finds it, and prints paths relative to the folder of the run`()
    throws
  {
    let folder = try TemporaryFolder()
    try Self.make(in: folder)
    try folder.makeFolder("game/.git")
    let run = try BuiltProgram.run(["pack"], after: "cd '\(folder.path("game/Packs"))'")
    #expect(run.status == 0, "\(run.messages)")
    #expect(run.messages.contains("../build/packs/cave.aar"))
    #expect(PackReader.isPack(try folder.contents("game/build/packs/forest.aar")))
    let none = try BuiltProgram.run(
      ["pack", "--no-project"], after: "cd '\(folder.path("game/Packs"))'")
    #expect(none.status == 64)
  }
}
