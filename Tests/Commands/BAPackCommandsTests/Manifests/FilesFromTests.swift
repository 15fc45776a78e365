import Arguments
import Foundation
import TestSupport
import Testing

/// `--files-from`: commands that read exactly the files of a list.
@Suite struct FilesFromTests {
  /// Files, a manifest of all of them with a source root that does not exist, and a list.
  private static func prepare(_ folder: borrowing TemporaryFolder) throws {
    for name in ["Art/a b.png", "Art/ä.png", "run.sh"] {
      try folder.makeFile("src/\(name)", name, mode: name == "run.sh" ? 0o755 : 0o644)
      // The inputs of a sandbox are absolute links to files with other modes.
      let store = "store/\(abs(name.hashValue))"
      try folder.makeFile(store, name, mode: 0o555)
      try folder.makeLink("sandbox/\(name)", to: folder.path(store))
    }
    try manifest(folder)
    try list(folder, ["Art/a b.png", "Art/ä.png", "run.sh"])
  }

  private static func manifest(_ folder: borrowing TemporaryFolder, root: String = "absent") throws
  {
    try folder.makeFile(
      "m.json",
      """
      {"assetPackID": "Art", "downloadPolicy": {"onDemand": {}}, "platforms": [],
       "sourceRoot": "\(root)", "fileSelectors": [{"directory": "."}]}
      """)
  }

  private static func list(
    _ folder: borrowing TemporaryFolder, _ names: [String], nul: Bool = false
  ) throws {
    let (tab, end) = nul ? ("\0", "\0") : ("\t", "\n")
    let lines = names.map { name in
      [name == "run.sh" ? "755" : "644", folder.path("sandbox/\(name)"), name]
        .joined(separator: tab) + end
    }
    try folder.makeFile("list", lines.joined())
  }

  private static func pack(
    _ folder: borrowing TemporaryFolder, _ name: String, _ options: String...
  ) -> Captured {
    Captured(
      ["pack", folder.path("m.json"), "--no-project", "-o", folder.path(name)] + options)
  }

  @Test func `an archive from a list has the bytes of an archive from the folder`() throws {
    let folder = try TemporaryFolder()
    try Self.prepare(folder)
    let plain = Self.pack(folder, "plain.aar", "--source-root", folder.path("src"))
    #expect(plain.ending == .status(.done), "\(plain.messages)")
    let listed = Self.pack(folder, "listed.aar", "--files-from", folder.path("list"))
    #expect(listed.ending == .status(.done), "\(listed.messages)")
    #expect(try folder.contents("listed.aar") == folder.contents("plain.aar"))
    try Self.list(folder, ["run.sh", "Art/ä.png", "Art/a b.png"], nul: true)
    let nul = Self.pack(folder, "nul.aar", "--files-from", folder.path("list"), "-0")
    #expect(nul.ending == .status(.done), "\(nul.messages)")
    #expect(try folder.contents("nul.aar") == folder.contents("plain.aar"))
    for command in [
      [
        "validate", "--no-project", "--files-from", folder.path("list"), "-0",
        folder.path("m.json"),
      ],
      [
        "verify", "--no-project", folder.path("plain.aar"), "--against", folder.path("m.json"),
        "--files-from", folder.path("list"), "-0",
      ],
    ] {
      let run = Captured(command)
      #expect(run.ending == .status(.done), "\(run.messages)")
    }
  }

  @Test func `the list can be on standard input, once`() throws {
    let folder = try TemporaryFolder()
    try Self.prepare(folder)
    let list = String(decoding: try folder.contents("list"), as: UTF8.self)
    let run = Captured(
      "evaluate", "--no-project", "--files-from", "-", folder.path("m.json"), input: list)
    #expect(run.output == "Art/a b.png\nArt/ä.png\nrun.sh\n", "\(run.messages)")
    let both = Captured("evaluate", "--no-project", "--files-from", "-", "-", input: list)
    #expect(both.ending == .status(.usage))
    #expect(both.messages.contains("Standard input ('-') can be read only once"))
  }

  @Test func `a mistake in the list stops each command, with its line`() throws {
    let folder = try TemporaryFolder()
    try Self.prepare(folder)
    try folder.makeFile("list", "644\t\(folder.path("sandbox/run.sh"))\trun.sh\n600\tx\ty\n")
    for command in ["pack", "validate", "evaluate"] {
      let run = Captured(
        [command, "--no-project", folder.path("m.json"), "--files-from", folder.path("list")]
          + (command == "pack" ? ["-o", folder.path("o.aar")] : []))
      #expect(run.ending == .status(.failed))
      #expect(
        run.messages.contains("/list:2:1: error: the mode is '600' [list.mode]\n"),
        "\(run.messages)")
      #expect(run.messages.contains("/list:2:1: fix: write 644 or 755\n"), "\(run.messages)")
      #expect(!run.messages.contains("files.missing"), "\(run.messages)")
    }
    #expect(!FileManager.default.fileExists(atPath: folder.path("o.aar")))
  }

  @Test func `a depfile has the sources and the list`() throws {
    let folder = try TemporaryFolder()
    try Self.prepare(folder)
    let run = Self.pack(
      folder, "Art.aar", "--files-from", folder.path("list"), "--depfile", folder.path("Art.d"),
      "--depfile-format", "ninja")
    #expect(run.ending == .status(.done), "\(run.messages)")
    let text = String(decoding: try folder.contents("Art.d"), as: UTF8.self)
      .replacing(folder.path(""), with: "")
    #expect(
      text == """
        Art.aar: \\
          m.json \\
          list \\
          sandbox/Art/a\\ b.png \\
          sandbox/Art/ä.png \\
          sandbox/run.sh

        """)
  }

  @Test func `an update packs only after a change of a listed file or of the list`() throws {
    let folder = try TemporaryFolder()
    try Self.prepare(folder)
    func update() -> String {
      let run = Self.pack(
        folder, "out", "--update", "--verbose", "--files-from", folder.path("list"))
      return run.messages.split(separator: "\n").last.map(String.init) ?? ""
    }
    #expect(update() == "1 packed, 0 unchanged")
    #expect(update() == "0 packed, 1 unchanged")
    try folder.remove("sandbox/Art/ä.png")
    try folder.makeFile("sandbox/Art/ä.png", "new")
    #expect(update() == "1 packed, 0 unchanged")
    try Self.list(folder, ["Art/ä.png", "run.sh"])
    #expect(update() == "1 packed, 0 unchanged")
    #expect(update() == "0 packed, 1 unchanged")
  }

  @Test func `a cache and shards work with a list`() throws {
    let folder = try TemporaryFolder()
    try Self.prepare(folder)
    try folder.makeFile(
      "n.json",
      """
      {"assetPackID": "Text", "downloadPolicy": {"onDemand": {}}, "platforms": [],
       "fileSelectors": [{"file": "run.sh"}]}
      """)
    for shard in ["1/2", "2/2"] {
      let run = Captured(
        "pack", folder.path("m.json"), folder.path("n.json"), "--no-project", "-o",
        folder.path("out"), "--files-from", folder.path("list"), "--shard", shard, "--cache",
        folder.path("cache"))
      #expect(run.ending == .status(.done), "\(run.messages)")
    }
    for name in ["Art", "Text"] {
      #expect(FileManager.default.fileExists(atPath: folder.path("out/\(name).aar")))
    }
  }

  @Test func `options that a list excludes are errors`() {
    for (line, message) in [
      ("--source-root .", "'--source-root' and '--files-from' cannot be used together"),
      ("--preserve-metadata", "'--files-from' and '--preserve-metadata' cannot be used together"),
    ] {
      let run = Captured(
        ["pack", "m.json", "-o", "x.aar", "--files-from", "l"]
          + line.split(separator: " ").map(String.init))
      #expect(run.ending == .status(.usage))
      #expect(run.messages.hasPrefix("Error: \(message)\n"), "\(run.messages)")
    }
    let run = Captured("validate", "m.json", "-0")
    #expect(run.messages.hasPrefix("Error: '--null' has no effect without '--files-from'\n"))
  }
}
