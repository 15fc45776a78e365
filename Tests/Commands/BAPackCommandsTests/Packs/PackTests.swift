import Arguments
import BAPackCommands
import Foundation
import TestSupport
import Testing

@Suite("pack")
struct PackTests {
  /// A folder with a manifest and two files to pack, and the output of the command.
  private struct Game: ~Copyable {
    let folder: TemporaryFolder
    var manifest: String { folder.path("m.json") }

    init(_ selectors: String = #"{"directory": "Art"}"#, id: String = "Tutorial") throws {
      let folder = try TemporaryFolder()
      try folder.makeFile("Art/a.txt", "some text")
      try folder.makeFile("Art/b/c.bin", [UInt8](repeating: 7, count: 100_000))
      try folder.makeFile(
        "m.json",
        """
        {"assetPackID": "\(id)", "downloadPolicy": {"onDemand": {}}, "platforms": [],
         "sourceRoot": ".", "fileSelectors": [\(selectors)]}
        """)
      self.folder = folder
    }

    func pack(_ arguments: String...) -> Captured { Captured(["pack", manifest] + arguments) }

    func names(_ path: String = "") throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: folder.path(path)).sorted()
    }
  }

  @Test
  func `a pack is written with a summary`() throws {
    let game = try Game()
    let output = game.folder.path("x.aar")
    let run = game.pack("-o", output)
    #expect(run.ending == .status(.done))
    #expect(run.output == "")
    let summary = #/^.*x\.aar: 2 files, 100 KB in, \d+ bytes out \(\d\.\d %\), \d.* s\n$/#
    #expect(run.messages.wholeMatch(of: summary) != nil)
    #expect(Captured("list", output).output == "Art/a.txt\nArt/b/c.bin\n")
  }

  @Test func `an archive that is larger than its files has no percentage`() throws {
    let game = try Game(#"{"file": "small.txt"}"#)
    try game.folder.makeFile("small.txt", "34 bytes, which do not fill a block")
    let run = game.pack("-o", game.folder.path("x.aar"))
    #expect(run.messages.contains(": 1 file, 35 bytes in, "), "\(run.messages)")
    #expect(!run.messages.contains("%"), "\(run.messages)")
  }

  @Test
  func `'package' is 'pack', and 'pack' is the default`() throws {
    let game = try Game()
    let (first, second) = (game.folder.path("1.aar"), game.folder.path("2.aar"))
    #expect(Captured("package", game.manifest, "-q", "-o", first).ending == .status(.done))
    #expect(Captured(game.manifest, "-q", "--output-path", second).ending == .status(.done))
    #expect(try Data(contentsOf: URL(filePath: first)) == Data(contentsOf: URL(filePath: second)))
  }

  @Test
  func `an output that does not end in .aar is a folder, created if necessary`() throws {
    let game = try Game()
    #expect(game.pack("-q", "-o", game.folder.path("out/of/the/way")).ending == .status(.done))
    #expect(try game.names("out/of/the/way") == ["Tutorial.aar"])
  }

  @Test
  func `an existing archive is an error with a hint, and is replaced with --force`() throws {
    let game = try Game()
    try game.folder.makeFile("x.aar", "old")
    let output = game.folder.path("x.aar")
    let run = game.pack("-o", output)
    #expect(run.ending == .status(.failed))
    #expect(
      run.messages == """
        Error: '\(output)' already exists
        hint: use --force to replace it, or specify another file with -o

        """)
    #expect(try Data(contentsOf: URL(filePath: output)) == Data("old".utf8))
    #expect(game.pack("-q", "-o", output, "--force").ending == .status(.done))
    #expect(try Data(contentsOf: URL(filePath: output)).prefix(4) == Data("pbze".utf8))
  }

  @Test
  func `a folder with the name of the archive is an error before any work, with --force too`()
    throws
  {
    let game = try Game()
    try game.folder.makeFolder("x.aar")
    let output = game.folder.path("x.aar")
    for arguments in [[], ["--force"]] {
      let run = Captured(["pack", game.manifest, "-o", output] + arguments)
      #expect(run.ending == .status(.failed))
      #expect(
        run.messages == """
          Error: cannot write '\(output)': Is a directory
          hint: remove the folder, or specify another file with -o

          """)
    }
  }

  @Test
  func `a file in place of the output folder is reported`() throws {
    let game = try Game()
    try game.folder.makeFile("taken", "a file")
    let output = game.folder.path("taken")
    #expect(
      game.pack("-o", output).messages == """
        Error: '\(output)' exists and is not a folder
        hint: specify a folder with -o, or an archive that ends in '.aar'

        """)
  }

  @Test
  func `an input is never replaced, not even with --force`() throws {
    let game = try Game()
    let manifest = game.folder.path("m.aar")
    try FileManager.default.moveItem(atPath: game.manifest, toPath: manifest)
    let before = try game.folder.contents("m.aar")
    let run = Captured("pack", manifest, "-f", "-o", manifest)
    #expect(run.ending == .status(.failed))
    #expect(
      run.messages == """
        Error: cannot replace '\(manifest)': the command reads or writes this file, too
        hint: specify another file with -o

        """)
    var tar = TarBytes()
    tar.add("Art/a.txt", contents: "x")
    try game.folder.makeFile("in.aar", tar.archive)
    let source = game.folder.path("in.aar")
    #expect(
      Captured("pack", manifest, "--source-root", source, "-f", "-o", source).messages
        .hasPrefix("Error: cannot replace '\(source)': the command reads or writes this file"))
    #expect(try game.folder.contents("m.aar") == before)
    #expect(try game.folder.contents("in.aar") == tar.archive)
  }

  @Test
  func `errors of the manifest stop the command before any work`() throws {
    let game = try Game(#"{"file": "Art/none.txt"}"#)
    let run = game.pack("-o", game.folder.path("out"))
    #expect(run.ending == .status(.failed))
    #expect(run.messages.contains("m.json:2:"))
    #expect(run.messages.hasSuffix("No packs were written: 1 error\n"))
    #expect(try game.names() == ["Art", "m.json"])
  }

  @Test
  func `a folder that was created for outputs is removed if it is empty`() throws {
    let game = try Game()
    try game.folder.makeFile("taken", "a file")
    let run = game.pack("-o", game.folder.path("taken/out"))
    #expect(run.ending == .status(.failed))
    #expect(run.messages.contains("Not a directory"))
    #expect(try game.names() == ["Art", "m.json", "taken"])
  }

  @Test(arguments: [
    "x.aar", "out/x.aar", "out", "out/of/the/way",
  ])
  func `a second run into a folder of the input gives the same bytes`(output: String) throws {
    let game = try Game(#"{"directory": "."}, {"fileExclusion": "m.json"}"#)
    let arguments = ["pack", game.manifest, "-q", "-f", "-o", game.folder.path(output)]
    if output == "out/x.aar" { try game.folder.makeFolder("out") }
    let cached = arguments + ["--cache", game.folder.path("kept/blocks")]
    var first: [UInt8]?
    for arguments in [arguments, arguments, cached, cached] {
      let run = Captured(arguments)
      #expect(run.ending == .status(.done), "\(run.messages)")
      let name = output.hasSuffix(".aar") ? output : output + "/Tutorial.aar"
      let bytes = try game.folder.contents(name)
      #expect(bytes == first ?? bytes)
      #expect(Captured("list", game.folder.path(name)).output == "Art/a.txt\nArt/b/c.bin\n")
      first = bytes
    }
  }

  @Test
  func `the extension of an archive is not case-sensitive`() throws {
    let game = try Game()
    #expect(game.pack("-q", "-o", game.folder.path("X.AAR")).ending == .status(.done))
    #expect(game.pack("-q", "-o", game.folder.path("new.Aar")).ending == .status(.done))
    #expect(try game.names() == ["Art", "X.AAR", "m.json", "new.Aar"])
    #expect(try game.folder.contents("X.AAR") == game.folder.contents("new.Aar"))
  }

  @Test
  func `'-' is standard output, and can only be used for the archive`() throws {
    let game = try Game()
    #expect(game.pack("-q", "-o", game.folder.path("x.aar")).ending == .status(.done))
    let run = game.pack("-o", "-")
    #expect(run.ending == .status(.done))
    #expect(run.outputBytes == (try game.folder.contents("x.aar")))
    #expect(run.messages.hasPrefix("standard output: 2 files, 100 KB in, "))
    for arguments in [["--sha256"], ["--format", "json"]] {
      let refused = Captured(["pack", game.manifest, "-o", "-"] + arguments)
      #expect(refused.ending == .status(.usage))
      #expect(refused.messages.contains("Standard output ('-') is used for the archive"))
    }
    let two = Captured("pack", game.manifest, game.manifest, "-o", "-")
    #expect(
      two.messages.contains("'-' is one archive, but 2 manifests were given\nhint: use a folder"))
    let terminal = Captured(["pack", game.manifest, "-o", "-"], terminal: true)
    #expect(terminal.ending == .status(.failed))
    #expect(terminal.outputBytes == [])
    #expect(terminal.messages.contains("refusing to write an archive to a terminal"))
    #expect(game.pack("-o", "-", "--dry-run").output.hasPrefix("Tutorial.aar: 2 files, "))
    #expect(try game.names() == ["Art", "m.json", "x.aar"])
  }

  @Test
  func `with --hosting apple, any codec but LZFSE is a warning`() throws {
    let game = try Game()
    for codec in ["lzfse", "zlib", "lzma", "lz4", "none"] {
      for hosting in [["--hosting", "apple"], ["--hosting", "self"], []] {
        let run = Captured(
          ["pack", game.manifest, "-q", "-f", "-o", game.folder.path("x.aar")]
            + ["--compression", codec] + hosting)
        #expect(run.ending == .status(.done))
        let warning = """
          Warning: App Store Connect accepts packs that are compressed with LZFSE; it is unknown \
          whether it accepts '--compression \(codec)'

          """
        #expect(run.messages == (codec != "lzfse" && hosting.contains("apple") ? warning : ""))
      }
    }
  }

  @Test
  func `--dry-run fails if packing would fail, with the same message, and writes no file`() throws {
    let game = try Game()
    try game.folder.makeFile("taken", "a file")
    try game.folder.makeFile("there.aar", "old")
    try game.folder.makeFolder("folder.aar")
    let names = try FileManager.default.subpathsOfDirectory(atPath: game.folder.path).sorted()
    let good = ["-o", game.folder.path("x.aar")]
    let attempts: [[String]] = [
      ["-o", game.folder.path("there.aar")], ["-f", "-o", game.folder.path("folder.aar")],
      ["-o", game.folder.path("none/x.aar")], ["-o", game.folder.path("taken")],
      ["-o", game.folder.path("taken/x.aar")], ["-o", game.folder.path("taken/out")],
      ["-o", game.folder.path("new/" + String(repeating: "x", count: 300))],
      ["-f", "-o", game.manifest + "/"], good + ["--source-root", game.folder.path("none")],
    ]
    for arguments in attempts {
      let dry = Captured(["pack", game.manifest, "--dry-run"] + arguments)
      #expect(
        try FileManager.default.subpathsOfDirectory(atPath: game.folder.path).sorted() == names)
      let real = Captured(["pack", game.manifest] + arguments)
      #expect(real.ending == .status(.failed), "\(arguments)")
      #expect(dry.ending == real.ending, "\(arguments)")
      #expect(dry.messages == real.messages)
      #expect(dry.output == "")
    }
    // If packing would succeed, the dry run succeeds.
    for arguments in [
      good, ["-f", "-o", game.folder.path("there.aar")], ["-o", game.folder.path("n/e")],
    ] {
      #expect(Captured(["pack", game.manifest, "--dry-run"] + arguments).ending == .status(.done))
      #expect(
        try FileManager.default.subpathsOfDirectory(atPath: game.folder.path).sorted() == names)
    }
    let epoch = ["SOURCE_DATE_EPOCH": "soon"]
    #expect(
      Captured(["pack", game.manifest, "--dry-run"], environment: epoch).ending == .status(.failed))
  }

  @Test
  func `--dry-run prints the plan and writes no file`() throws {
    let game = try Game(#"{"fileSource": "Art/a.txt", "fileDestination": "b.txt"}"#)
    let output = game.folder.path("x.aar")
    let run = game.pack("-o", output, "--dry-run")
    #expect(
      run.output == """
        \(output): 1 file, 9 bytes
          b.txt <- Art/a.txt  (9 bytes)

        """)
    let json = game.pack("-o", output, "--dry-run", "--format", "json")
    #expect(
      json.output == #"""
        {"path":"\#(output)",\#
        "assetPackID":"Tutorial","files":1,"contentBytes":9,"entries":[{"path":"b.txt",\#
        "type":"file","source":"Art/a.txt","size":9,"selector":0}]}

        """#)
    #expect(try game.names() == ["Art", "m.json"])
  }

  @Test
  func `--dry-run requires no output, and prints the name of the archive`() throws {
    let game = try Game(#"{"file": "Art/a.txt"}"#)
    let run = game.pack("--dry-run")
    #expect(run.ending == .status(.done))
    #expect(run.output == "Tutorial.aar: 1 file, 9 bytes\n  Art/\n  Art/a.txt  (9 bytes)\n")
    #expect(
      game.pack("--dry-run", "--format", "json").output.hasPrefix(#"{"path":"Tutorial.aar","#))
    #expect(try game.names() == ["Art", "m.json"])
    let forReal = game.pack()
    #expect(forReal.ending == .status(.usage))
    #expect(
      forReal.messages.hasPrefix(
        "Error: Missing expected argument '--output-path <path>'\nhint: "))
    #expect(forReal.messages.contains("\nUsage: ba-package pack "))
    let help = Captured("help", "pack").output
    #expect(
      help.split(whereSeparator: \.isWhitespace).joined(separator: " ").contains(
        "(not needed with --dry-run)"))
  }

  @Test
  func `--sha256 and --format json describe the written file`() throws {
    let game = try Game()
    let output = game.folder.path("x.aar")
    let digest = game.pack("-q", "-o", output, "--sha256").output
    #expect(digest.wholeMatch(of: #/[0-9a-f]{64}  .*x\.aar\n/#) != nil)
    let json = game.pack("-q", "-f", "-o", output, "--sha256", "--format", "json").output
    let object = try #require(
      JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
    #expect(object["sha256"] as? String == String(digest.prefix(64)))
    #expect(object["files"] as? Int == 2)
    #expect(object["contentBytes"] as? Int == 100_009)
    #expect(object["blocks"] as? Int == 1)
    let size = try FileManager.default.attributesOfItem(atPath: output)[.size] as? Int
    #expect(object["archiveBytes"] as? Int == size)
  }

  @Test
  func `times come from --timestamp, else from SOURCE_DATE_EPOCH`() throws {
    let game = try Game()
    let output = game.folder.path("x.aar")
    func time(_ arguments: String..., environment: [String: String] = [:]) -> String {
      let run = Captured(
        ["pack", game.manifest, "-q", "-f", "-o", output] + arguments, environment: environment)
      guard run.ending == .status(.done) else { return run.messages }
      let line = Captured("list", "-l", output).output.split(separator: "\n").first ?? ""
      return String(line.split(separator: " ")[2])
    }
    #expect(time() == "2001-01-01T00:00:00Z")
    #expect(time(environment: ["SOURCE_DATE_EPOCH": "86400"]) == "1970-01-02T00:00:00Z")
    #expect(
      time("--timestamp", "2026-11-20", environment: ["SOURCE_DATE_EPOCH": "1"])
        == "2026-11-20T00:00:00Z")
    #expect(
      time(environment: ["SOURCE_DATE_EPOCH": "soon"]).hasPrefix(
        "Error: SOURCE_DATE_EPOCH is 'soon', which is not a number of seconds\n"))
  }

  @Test(arguments: [
    ["--threads", "0"], ["--block-size", "1"], ["--block-size", "2T"], ["--level", "max"],
    ["--compression", "zip"], ["--timestamp", "soon"],
  ])
  func `an invalid command line is a usage error`(arguments: [String]) throws {
    let game = try Game()
    let run = Captured(["pack", game.manifest, "-o", game.folder.path("x.aar")] + arguments)
    #expect(run.ending == .status(.usage))
    #expect(run.messages.contains("See 'ba-package pack -h' for all options."))
  }

  @Test
  func `several manifests require a folder, and each has an archive`() throws {
    let game = try Game()
    let other = try Game(id: "Second")
    let one = Captured("pack", game.manifest, other.manifest, "-o", game.folder.path("x.aar"))
    #expect(one.ending == .status(.usage))
    #expect(one.messages.contains("is one archive, but 2 manifests were given\nhint: use a folder"))
    let both = Captured("pack", game.manifest, other.manifest, "-o", game.folder.path("out"))
    #expect(both.ending == .status(.done))
    #expect(try game.names("out") == ["Second.aar", "Tutorial.aar"])
    let copy = game.folder.path("copy.json")
    try FileManager.default.copyItem(atPath: game.manifest, toPath: copy)
    let same = Captured("pack", game.manifest, copy, "-o", game.folder.path("more"))
    #expect(same.messages.contains("the ID 'Tutorial' is already used by another manifest"))
  }

  @Test
  func `--verbose prints each entry, and --quiet prints no text`() throws {
    let game = try Game()
    let output = game.folder.path("x.aar")
    #expect(
      game.pack("-v", "-o", output).messages.hasPrefix("Art\nArt/a.txt\nArt/b\nArt/b/c.bin\n"))
    #expect(game.pack("-q", "-f", "-o", output).messages == "")
  }
}
