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

  @Test("extract unpacks and says how much; quietly it says nothing")
  func extract() throws {
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
          choose another folder, or use --force to write into this one

        """)
    let quiet = Captured("extract", "-q", "--force", pack, "-o", target, "run.sh")
    #expect(quiet.ending == .status(.done))
    #expect(quiet.messages.isEmpty)
  }

  @Test("extract --format json writes one object")
  func extractJSON() {
    let run = Captured("extract", pack, "Levels", "-o", target, "--format", "json", "-q")
    #expect(run.output.hasPrefix("{\n  \"path\": \"\(target)\",\n  \"files\": 2,\n"))
    #expect(run.output.contains("\"bytes\": 62"))
  }

  @Test("extract writes an archive when the output is called like one")
  func export() {
    let run = Captured("extract", pack, "-o", folder.path("x.tar.zst"))
    #expect(run.ending == .status(.done))
    #expect(FileManager.default.fileExists(atPath: folder.path("x.tar.zst")))
    let again = Captured("extract", pack, "-o", folder.path("x.tar.zst"))
    #expect(again.messages.hasPrefix("Error: '\(folder.path("x.tar.zst"))' exists already\n"))
  }

  @Test("a pack is not replaced by what is made of it, not even with --force")
  func exportOverItself() throws {
    try folder.makeFile("a.zip", PackBytes.sample.container())
    let path = folder.path("a.zip")
    let run = Captured("extract", path, "-f", "-o", path)
    #expect(run.ending == .status(.failed))
    #expect(
      run.messages == "Error: '\(path)' is the pack itself\n  choose another name with -o\n")
    #expect(try folder.contents("a.zip") == PackBytes.sample.container())
  }

  @Test("extract makes the folders above its own, and takes them back when it fails")
  func foldersAbove() throws {
    #expect(
      Captured("extract", pack, "absent", "-o", folder.path("new/deep/x")).ending
        == .status(.failed))
    #expect(!FileManager.default.fileExists(atPath: folder.path("new")))
    #expect(Captured("extract", pack, "-o", folder.path("new/deep/x")).ending == .status(.done))
    #expect(FileManager.default.fileExists(atPath: folder.path("new/deep/x/run.sh")))
  }

  @Test("what is in the way of a file is named")
  func folderInTheWay() throws {
    try folder.makeFolder("out/run.sh")
    let run = Captured("extract", pack, "-f", "-o", target)
    #expect(run.ending == .status(.failed))
    #expect(
      run.messages == """
        Error: '\(target)/run.sh' is in the way: it is a folder
          remove it, or extract into another folder

        """)
  }

  @Test("a name that ends like an archive we cannot write is no folder, unless it says so")
  func unwritableArchive() throws {
    for name in ["x.rar", "X.TAR.LZ", "x.aar"] {
      let run = Captured("extract", pack, "-o", folder.path(name))
      #expect(run.ending == .status(.usage))
      #expect(
        run.messages.hasPrefix(
          "Error: '\(folder.path(name))' ends like an archive that cannot be written; use .zip, "))
      #expect(!FileManager.default.fileExists(atPath: folder.path(name)))
    }
    #expect(Captured("extract", pack, "-o", folder.path("x.rar/")).ending == .status(.done))
    #expect(FileManager.default.fileExists(atPath: folder.path("x.rar/run.sh")))
  }

  @Test("a pipe is no pack that can be read")
  func pipe() throws {
    try folder.makePipe("pipe")
    let path = folder.path("pipe")
    #expect(
      Captured("list", path).messages
        == "Error: cannot read '\(path)': it is no regular file\n"
        + "  save it to a file first: it is not read in one go\n")
  }

  @Test("extract needs an output")
  func usage() {
    #expect(Captured("extract", pack).ending == .status(.usage))
    #expect(Captured("extract", "-o", target).ending == .status(.usage))
  }

  @Test("verify reports every pack, and fails when one has errors")
  func verify() throws {
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
        2 packs: 1 error

        """)
    #expect(run.output.isEmpty)
  }

  @Test("verify applies the rules of the host to the manifest in a pack")
  func verifyForHost() throws {
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

  @Test("verify writes its findings to standard output in forms for programs")
  func verifyFormats() throws {
    try folder.makeFile("b.aar", PackBytes.beginning.stream)
    let json = Captured("verify", folder.path("b.aar"), "--format", "json")
    #expect(json.output.contains("\"id\":\"archive.no-manifest\""))
    #expect(json.messages == "1 pack: 1 error\n")
    let github = Captured("verify", folder.path("b.aar"), "--format", "github")
    #expect(github.output.hasPrefix("::error "))
  }

  @Test("verify --against compares with the files of a manifest")
  func against() throws {
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
      run.messages.contains("'Levels/two.json' differs from the source from byte 28 on"))
    #expect(run.messages.hasSuffix("1 pack: 1 error\n"))
  }

  @Test("verify takes one pack where it compares, and a digest of 64 digits")
  func verifyUsage() {
    #expect(Captured("verify", pack, pack, "--against", "m.json").ending == .status(.usage))
    #expect(Captured("verify", pack, "--sha256", "12").ending == .status(.usage))
    let wrong = Captured("verify", pack, "--sha256", String(repeating: "0", count: 64))
    #expect(wrong.ending == .status(.failed))
    #expect(wrong.messages.contains("[archive.digest]"))
  }
}
