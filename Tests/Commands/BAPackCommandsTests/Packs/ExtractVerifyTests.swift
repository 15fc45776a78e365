import Arguments
import Foundation
import TestSupport
import Testing

@testable import BAPackCommands

@Suite final class ExtractVerifyTests {
  private let folder: TemporaryFolder
  private var pack: String { folder.path("a.aar") }
  private var target: String { folder.path("out") }

  init() throws {
    folder = try TemporaryFolder()
    try folder.makeFile("a.aar", PackBytes.sample.container(blockSize: 256))
  }

  @Test
  func `extract prints the number of files, and prints nothing with --quiet`() throws {
    let run = Captured("extract", pack, "-o", target, "-v")
    #expect(run.ending == .status(.done))
    #expect(run.output.isEmpty)
    #expect(run.messages.hasPrefix("Levels\nLevels/one.json\nLevels/two.json\nempty\nrun.sh\n"))
    #expect(run.messages.contains("\(target): 4 files, 72 bytes in "))
    let again = Captured("extract", pack, "-o", target)
    #expect(again.ending == .status(.failed))
    #expect(
      again.messages == """
        Error: '\(target)' is not empty
        hint: choose another folder, or use --force to write into this one

        """)
    let quiet = Captured("extract", "-q", "--force", pack, "-o", target, "run.sh")
    #expect(quiet.ending == .status(.done))
    #expect(quiet.messages.isEmpty)
  }

  @Test
  func `extract --format json writes one object`() {
    let run = Captured("extract", pack, "Levels", "-o", target, "--format", "json", "-q")
    #expect(run.output.hasPrefix("{\n  \"path\": \"\(target)\",\n  \"files\": 2,\n"))
    #expect(run.output.contains("\"bytes\": 62"))
  }

  @Test
  func `extract writes an archive if the output has the extension of an archive`() {
    let run = Captured("extract", pack, "-o", folder.path("x.tar.zst"))
    #expect(run.ending == .status(.done))
    #expect(FileManager.default.fileExists(atPath: folder.path("x.tar.zst")))
    let again = Captured("extract", pack, "-o", folder.path("x.tar.zst"))
    #expect(again.messages.hasPrefix("Error: '\(folder.path("x.tar.zst"))' already exists\n"))
  }

  @Test
  func `a pack is not replaced by its export, not even with --force`() throws {
    try folder.makeFile("a.zip", PackBytes.sample.container())
    let path = folder.path("a.zip")
    let run = Captured("extract", path, "-f", "-o", path)
    #expect(run.ending == .status(.failed))
    #expect(
      run.messages
        == "Error: cannot replace '\(path)': the command reads or writes this file, too\n"
        + "hint: specify another file with -o\n")
    #expect(try folder.contents("a.zip") == PackBytes.sample.container())
  }

  @Test
  func `extract creates parent folders, and removes them after an error`() throws {
    #expect(
      Captured("extract", pack, "absent", "-o", folder.path("new/deep/x")).ending
        == .status(.failed))
    #expect(!FileManager.default.fileExists(atPath: folder.path("new")))
    #expect(Captured("extract", pack, "-o", folder.path("new/deep/x")).ending == .status(.done))
    #expect(FileManager.default.fileExists(atPath: folder.path("new/deep/x/run.sh")))
  }

  @Test
  func `an existing file in the output folder is reported`() throws {
    try folder.makeFolder("out/run.sh")
    let run = Captured("extract", pack, "-f", "-o", target)
    #expect(run.ending == .status(.failed))
    #expect(
      run.messages == """
        Error: cannot extract to '\(target)/run.sh': it is a folder
        hint: remove it, or extract to another folder

        """)
  }

  @Test
  func `the extension of an unsupported archive format is an error without a slash`() throws {
    for name in ["x.rar", "X.TAR.LZ", "x.aar"] {
      let run = Captured("extract", pack, "-o", folder.path(name))
      #expect(run.ending == .status(.usage))
      #expect(
        run.messages.hasPrefix(
          "Error: '\(folder.path(name))' has the extension of an archive format that cannot be "
            + "written\nhint: use .zip, "
        ))
      #expect(!FileManager.default.fileExists(atPath: folder.path(name)))
    }
    #expect(Captured("extract", pack, "-o", folder.path("x.rar/")).ending == .status(.done))
    #expect(FileManager.default.fileExists(atPath: folder.path("x.rar/run.sh")))
  }

  @Test
  func `a pipe is not a readable pack`() throws {
    try folder.makePipe("pipe")
    let path = folder.path("pipe")
    #expect(
      Captured("list", path).messages
        == "Error: cannot read '\(path)': it is not a regular file\n"
        + "hint: save it to a file first: reading requires random access\n")
  }

  @Test
  func `extract needs an output`() {
    #expect(Captured("extract", pack).ending == .status(.usage))
    #expect(Captured("extract", "-o", target).ending == .status(.usage))
  }

  @Test
  func `verify reports every pack, and fails when one has errors`() throws {
    try folder.makeFile("b.aar", PackBytes.beginning.stream)
    let good = Captured("verify", pack)
    #expect(good.ending == .status(.done))
    #expect(good.messages == "1 pack: no problems\n")
    let run = Captured("verify", pack, folder.path("b.aar"), folder.path("absent.aar"))
    #expect(run.ending == .status(.failed))
    #expect(
      run.messages == """
        Error: cannot open '\(folder.path("absent.aar"))': No such file or directory
        \(folder.path("b.aar")): error: the pack has no 'Manifest.json' [archive.no-manifest]
        2 packs: 1 error; 1 pack could not be read

        """)
    #expect(run.output.isEmpty)
  }

  @Test
  func `verify accepts folders; one without packs fails, and the others are verified`()
    throws
  {
    try folder.makeFile("packs/inner/b.aar", PackBytes.sample.container(blockSize: 256))
    try folder.makeFile("packs/notes.txt", "no pack")
    let whole = Captured("verify", folder.path("packs"), pack)
    #expect(whole.ending == .status(.done), "\(whole.messages)")
    #expect(whole.messages == "2 packs: no problems\n")
    try folder.makeFolder("empty")
    let run = Captured("verify", folder.path("empty"), folder.path("packs"))
    #expect(run.ending == .status(.failed))
    #expect(
      run.messages.hasPrefix(
        """
        Error: there are no packs in '\(folder.path("empty"))'
        hint: specify a folder with packs (*.aar)

        """), "\(run.messages)")
    #expect(run.messages.contains("1 pack"))
    #expect(Captured("verify", folder.path("empty")).ending == .status(.failed))
  }

  @Test
  func `verify applies the rules of the host to the manifest in a pack`() throws {
    try folder.makeFolder("in")
    try folder.makeFile("in/a.txt", "a")
    let manifest = folder.path("m.json")
    try folder.makeFile(
      "m.json",
      """
      {"assetPackID": "com.example", "downloadPolicy": {"onDemand": {}}, "platforms": [],
       "sourceRoot": "in", "fileSelectors": [{"file": "a.txt"}]}
      """)
    let dotted = folder.path("dotted.aar")
    #expect(Captured("pack", manifest, "-o", dotted, "-q").ending == .status(.done))
    #expect(Captured("verify", dotted, "--hosting", "apple").ending == .status(.failed))
    let own = Captured("verify", dotted, "--hosting", "self")
    #expect(own.ending == .status(.done))
    #expect(own.messages == "1 pack: no problems\n")
  }

  @Test
  func `verify writes its findings to standard output in formats for programs`() throws {
    try folder.makeFile("b.aar", PackBytes.beginning.stream)
    let json = Captured("verify", folder.path("b.aar"), "--format", "json")
    #expect(json.output.contains("\"id\":\"archive.no-manifest\""))
    #expect(json.messages == "1 pack: 1 error\n")
    let github = Captured("verify", folder.path("b.aar"), "--format", "github")
    #expect(github.output.hasPrefix("::error "))
  }

  @Test
  func `verify --against compares with the files of a manifest`() throws {
    try folder.makeFile("source/Levels/one.json", "{\"name\": \"one\", \"name2\": \"one\"}")
    try folder.makeFile("source/Levels/two.json", "{\"name\": \"two\", \"name2\": \"twa\"}")
    try folder.makeFile("source/run.sh", "#!/bin/sh\n", mode: 0o755)
    try folder.makeFile("source/日本.txt", "")
    try folder.makeFolder("source/empty")
    try folder.makeFile("m.json", PackBytes.manifest(selecting: [#"{"directory": "."}"#]))
    let run = Captured(
      "verify", pack, "--against", folder.path("m.json"), "--source-root", folder.path("source"))
    #expect(run.ending == .status(.failed))
    #expect(
      run.messages.contains("'Levels/two.json' differs from its source at byte 28"))
    #expect(run.messages.hasSuffix("1 pack: 1 error\n"))
  }

  @Test func `verify --against has the severities with which the packs were made`() throws {
    try folder.makeFile("game/a.txt", "x")
    try folder.makeFile(
      "game/m.json",
      PackBytes.manifest(selecting: [#"{"file": "a.txt"}"#, #"{"filePattern": "*.wav"}"#]))
    func project(_ level: String) throws -> [String] {
      try folder.makeFile(
        "game/ba-package.json",
        """
        {"packs": ["m.json"], "output": "o", "findings": {"files.nothing-selected": "\(level)"}}
        """)
      return ["--project", folder.path("game")]
    }
    let lowered = try project("note")
    #expect(Captured(["pack"] + lowered).ending == .status(.done))
    let words = ["verify", "--against", folder.path("game/m.json")]
    let run = Captured(words + lowered)
    #expect(run.ending == .status(.done), "\(run.messages)")
    #expect(Captured(words + (try project("error"))).ending == .status(.failed))
  }

  /// Returns the digest of a file, and a different one.
  private func digest(_ name: String) throws -> String {
    let run = Captured("verify", folder.path(name), "--sha256", zeros)
    let text = try #require(run.messages.split(separator: "the SHA-256 is ").dropFirst().first)
    return String(text.prefix(64))
  }

  private let zeros = String(repeating: "0", count: 64)

  @Test
  func `verify checks several packs against one digest, or one each`() throws {
    try folder.makeFile("b.aar", PackBytes.sample.container())
    let other = folder.path("b.aar")
    let (a, b) = (try digest("a.aar"), try digest("b.aar"))
    func run(_ digests: String...) -> Captured {
      Captured(["verify", pack, other] + digests.flatMap { ["--sha256", $0] })
    }
    #expect(run(a, b).ending == .status(.done))
    #expect(run(b, a).messages.hasSuffix("2 packs: 2 errors\n"))
    #expect(run(a).messages.hasSuffix("2 packs: 1 error\n"))
    #expect(run(a, b, b).ending == .status(.usage))
    #expect(Captured("verify", pack, pack, "--sha256", a).ending == .status(.done))
    #expect(Captured("verify", pack, "--sha256", "12").ending == .status(.usage))
    #expect(Captured("verify", pack, "--sha256", a, "--sums", "x").ending == .status(.usage))
    #expect(Captured("verify", pack, "--sha256", zeros).messages.contains("[archive.digest]"))
  }

  @Test
  func `verify --sums checks many packs against the output of sha256sum`() throws {
    try folder.makeFile("packs/b.aar", PackBytes.sample.container())
    let other = folder.path("packs/b.aar")
    let (a, b) = (try digest("a.aar"), try digest("packs/b.aar"))
    func run(_ list: String) throws -> Captured {
      try folder.makeFile("SUMS", list)
      return Captured("verify", "--sums", folder.path("SUMS"), pack, other)
    }
    for list in [
      "\(a)  a.aar\n\(b)  b.aar\n", "\(a) *\(pack)\r\n\(b) */somewhere/else/b.aar",
      "# made by hand\n\n\(b.uppercased())  ./packs/b.aar\n\(a)  x/a.aar\n\(zeros)  c.aar\n",
      "SHA256 (a.aar) = \(a)\nSHA256(packs/b.aar)= \(b)\n",
      // The path of a pack takes precedence over the name of another.
      "\(zeros)  elsewhere/a.aar\n\(a)  \(pack)\n\(b)  b.aar\n",
    ] {
      let checked = try run(list)
      #expect(checked.ending == .status(.done), "\(list)\(checked.messages)")
      #expect(checked.messages == "2 packs: no problems\n")
    }
    let swapped = try run("\(b)  a.aar\n\(a)  b.aar\n")
    #expect(swapped.ending == .status(.failed))
    #expect(swapped.messages.hasSuffix("2 packs: 2 errors\n"))
    let list = folder.path("SUMS")
    for (text, message) in [
      ("\(a)  a.aar\n", "'\(list)' has no line for '\(other)'"),
      (
        "\(a)  x/a.aar\n\(b)  y/a.aar\n\(b)  b.aar\n",
        "'\(list)' has several lines for '\(pack)', with different digests"
      ),
      ("\(a)  a.aar\n12  b.aar\n", "line 2 of '\(list)' is not in the format of sha256sum"),
    ] {
      let refused = try run(text)
      #expect(refused.ending == .status(.failed))
      #expect(refused.messages.hasPrefix("Error: " + message + "\n"), "\(refused.messages)")
    }
  }

  @Test
  func `names that sha256sum escapes are found`() throws {
    let name = "a\\b\nc.aar"
    try folder.makeFile(name, PackBytes.sample.container())
    let line = try "\\\(digest(name))  a\\\\b\\nc.aar\n"
    try folder.makeFile("SUMS", line)
    let run = Captured("verify", "--sums", folder.path("SUMS"), folder.path(name))
    #expect(run.ending == .status(.done), "\(run.messages)")
  }

  @Test
  func `verify --against compares several packs with one manifest, or each with its own`() throws {
    for id in ["one", "two"] {
      try folder.makeFile("\(id)/text", id)
      try folder.makeFile(
        "\(id).json",
        """
        {"assetPackID": "\(id)", "downloadPolicy": {"onDemand": {}}, "platforms": [],
         "sourceRoot": "\(id)", "fileSelectors": [{"file": "text"}]}
        """)
    }
    let manifests = ["one", "two"].map { folder.path($0 + ".json") }
    #expect(Captured(["pack", "-q", "-o", folder.path("p")] + manifests).ending == .status(.done))
    let packs = ["one", "two"].map { folder.path("p/\($0).aar") }
    let against = manifests.flatMap { ["--against", $0] }
    let both = Captured(["verify"] + packs.reversed() + against)
    #expect(both.ending == .status(.done), "\(both.messages)")
    #expect(both.messages == "2 packs: no problems\n")
    for id in ["one", "two"] {
      let text = try String(contentsOfFile: folder.path("\(id).json"), encoding: .utf8)
      try folder.makeFile(
        "manifests/\(id).json", text.replacing("\"\(id)\", \"file", with: "\"../\(id)\", \"file"))
    }
    let all = Captured(["verify"] + packs + ["--against", folder.path("manifests")])
    #expect(all.ending == .status(.done), "\(all.messages)")
    #expect(all.messages.hasSuffix("2 packs: no problems\n"))
    let one = Captured(["verify"] + packs + ["--against", manifests[0]])
    #expect(one.ending == .status(.failed))
    #expect(one.messages.contains("\(packs[1]): error: "))
    #expect(!one.messages.contains("\(packs[0]): error: "))
    let other = Captured(["verify", pack] + packs + against)
    #expect(other.ending == .status(.failed))
    #expect(
      other.messages.hasPrefix(
        "Error: no given manifest has the ID 'sample' of the pack '\(pack)'\n"))
    try folder.makeFile("two/text", "owt")
    let changed = Captured(["verify"] + packs + against)
    #expect(changed.messages.hasSuffix("2 packs: 1 error\n"), "\(changed.messages)")
  }

  @Test
  func `the help of verify lists the limits of the check`() {
    let help = Captured("verify", "--help").output.split(separator: "\n").map {
      $0.trimmingCharacters(in: .whitespaces)
    }.joined(separator: " ")
    #expect(!help.contains("everything that is wrong"))
    #expect(help.contains("A pack holds no digest of its contents"))
  }
}
