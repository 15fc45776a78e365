import Arguments
import Foundation
import SystemIO
import TestSupport
import Testing

@testable import BAPackCommands

/// `convert` from the command line to the files that it writes.
@Suite("convert")
struct ConvertTests {
  private static let script = #"""
    "DepotBuildConfig"
    {
      "DepotID" "1001"
      "ContentRoot" "..\content\"
      "FileMapping" { "LocalPath" "*" "DepotPath" "." "Recursive" "1" }
      "FileExclusion" "*.pdb"
    }
    """#

  private func game() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.makeFile("content/voice.bank", "voice")
    try folder.makeFile("content/sub/line.ogg", "line")
    try folder.makeFile("content/voice.pdb", "symbols")
    try folder.makeFile("scripts/voice-english.vdf", Self.script)
    return folder
  }

  @Test
  func `the command line of Apple's tool creates a manifest that validates and packs`() throws {
    let folder = try game()
    let output = folder.path("packs/voice-english.json")
    try folder.makeFolder("packs")
    let run = Captured(
      "convert", "--asset-pack-id", "voice-english", "-l", "en-US", "--on-demand",
      folder.path("scripts/voice-english.vdf"), "-o", output, "--content-root",
      folder.path("content"), "--compare")
    #expect(run.ending == .status(.done), "\(run.messages)")
    #expect(
      String(decoding: try folder.contents("packs/voice-english.json"), as: UTF8.self) == """
        {
          "assetPackID": "voice-english",
          "downloadPolicy": {
            "onDemand": {}
          },
          "fileSelectors": [
            {
              "directory": "."
            },
            {
              "fileExclusion": "*.pdb"
            }
          ],
          "platforms": [
            "iOS",
            "macOS",
            "tvOS",
            "visionOS"
          ],
          "sourceRoot": "../content",
          "language": "en-US"
        }

        """)
    #expect(Captured("validate", output).ending == .status(.done))
    let archive = folder.path("packs/voice.aar")
    #expect(Captured("pack", output, "-o", archive).ending == .status(.done))
    #expect(Captured("verify", archive, "--against", output).ending == .status(.done))
    #expect(Captured("list", archive).output == "sub/line.ogg\nvoice.bank\n")
  }

  @Test
  func `a dry run prints, and neither it nor an error writes a file`() throws {
    let folder = try game()
    let script = folder.path("scripts/voice-english.vdf")
    let output = folder.path("out/x.json")
    let dry = Captured(
      "convert", script, "--dry-run", "--compare", "-o", output, "--content-root",
      folder.path("content"))
    #expect(dry.ending == .status(.done), "\(dry.messages)")
    #expect(dry.output.contains("\"assetPackID\": \"voice-english\""))
    #expect(dry.messages.contains("Would write '\(output)':"))
    let missing = folder.path("missing")
    let printed = Captured("convert", script, "--content-root", missing)
    #expect(printed.output.contains("\"assetPackID\": \"voice-english\""))
    #expect(printed.messages.contains("[convert.not-at-hand]"))
    let unproved = Captured("convert", script, "--content-root", missing, "--compare")
    #expect(unproved.ending == .status(.failed))
    #expect(unproved.messages.contains("the files of 'voice-english' are not available"))
    #expect(unproved.output.isEmpty)
    // The root of the script is outside its folder, so it has to be specified.
    let outside = Captured("convert", script)
    #expect(outside.ending == .status(.failed))
    #expect(outside.output.isEmpty)
    #expect(
      outside.messages.contains(":4:17: error: '..\\content\\' leads out of the script's folder"))
    #expect(outside.messages.contains("--content-root"))
    let bad = Captured(
      "convert", script, "--asset-pack-id", "../x", "-o", folder.path("out"), "--content-root",
      missing,
      "--format", "json")
    #expect(bad.ending == .status(.failed))
    #expect(bad.output.contains(#""id":"id.characters""#), "\(bad.output)")
    #expect(
      bad.messages.hasSuffix("No files were written: 1 error, 1 warning and 4 notes\n"),
      "\(bad.messages)")
    #expect((try? FileStatus(ofFileAt: folder.path("out"))) == nil)
  }

  @Test
  func `an app creates all manifests in a folder, or none`() throws {
    let folder = try game()
    try folder.makeFile(
      "app.vdf",
      #"""
      "AppBuild" { "AppID" "1000" "ContentRoot" "content" "Depots" {
        "1001" { "FileMapping" { "LocalPath" "*.bank" "DepotPath" "." } }
        "1002" { "FileMapping" { "LocalPath" "sub\*.ogg" "DepotPath" "." } }
      } }
      """#)
    let app = folder.path("app.vdf")
    let file = Captured("convert", app, "--essential", "-o", folder.path("one.json"))
    #expect(file.ending == .status(.failed))
    #expect(file.messages.contains("is for one manifest, but the input has 2 manifests\n"))
    let packs = folder.path("Packs")
    try folder.makeFile("Packs/depot-1002.json", "mine")
    let refused = Captured("convert", app, "--essential", "-o", packs)
    #expect(refused.ending == .status(.failed))
    #expect(refused.messages.contains("use --force to replace it"))
    #expect((try? FileStatus(ofFileAt: packs + "/depot-1001.json")) == nil)
    let run = Captured("convert", app, "--essential", "-o", packs, "--force", "--compare")
    #expect(run.ending == .status(.done), "\(run.messages)")
    #expect(Captured("validate", packs).ending == .status(.done))
    #expect(Captured("evaluate", packs + "/depot-1002.json").output == "line.ogg\n")
    // The ID of each begins with a common prefix.
    let named = Captured("convert", app, "--essential", "--asset-pack-id", "game", "-o", packs)
    #expect(named.ending == .status(.done), "\(named.messages)")
    #expect(try folder.contents("Packs/game-depot-1001.json").count > 100)
    // Files that were written into the input are ignored.
    let again = Captured(
      "convert", folder.path("scripts/voice-english.vdf"), "--content-root", folder.path("content"),
      "-o", folder.path("content/me.json"), "--compare")
    #expect(again.ending == .status(.done), "\(again.messages)")
    let inside = Captured("evaluate", folder.path("content/me.json"))
    #expect(inside.output == "sub/line.ogg\nvoice.bank\n", "\(inside.messages)")
  }

  @Test(arguments: ["content", "content/sub", "content/Packs"])
  func `manifests in the folder of the input are ignored, in this run and in the next one`(
    place: String
  ) throws {
    let folder = try game()
    let depot = #"{ "FileMapping" { "LocalPath" "*" "DepotPath" "." "Recursive" "1" } }"#
    try folder.makeFile(
      "app.vdf",
      #""AppBuild" { "ContentRoot" "content" "Depots" { "1" \#(depot) "2" \#(depot) } }"#)
    let line = [
      "convert", folder.path("app.vdf"), "--on-demand", "--compare", "-o", folder.path(place),
    ]
    for arguments in [line, line + ["--force"], line + ["--dry-run"]] {
      let run = Captured(arguments)
      #expect(run.ending == .status(.done), "\(run.messages)")
      let files = Captured("evaluate", folder.path("\(place)/depot-1.json"))
      #expect(files.output == "sub/line.ogg\nvoice.bank\nvoice.pdb\n", "\(files.messages)")
    }
    #expect(Captured(line).messages.contains("already exists"))
  }

  @Test
  func `standard input and pipes are read once`() throws {
    let folder = try game()
    let arguments = ["--content-root", folder.path("content"), "--on-demand", "--compare"]
    let piped = Captured(["convert", "-"] + arguments, input: Self.script)
    #expect(piped.ending == .status(.done), "\(piped.messages)")
    #expect(piped.output.contains("\"assetPackID\": \"stdin\""))
    let pipe = Pipe()
    try pipe.fileHandleForWriting.write(contentsOf: Data(Self.script.utf8))
    try pipe.fileHandleForWriting.close()
    // An existing output requires the files to be read again, but not the pipe.
    try folder.makeFile("Packs/voice.json")
    let path = "/dev/fd/\(pipe.fileHandleForReading.fileDescriptor)"
    let run = Captured(
      ["convert", path, "--asset-pack-id", "voice"] + arguments
        + ["-o", folder.path("Packs"), "--force"])
    #expect(run.ending == .status(.done), "\(run.messages)")
    #expect(try folder.contents("Packs/voice.json").count > 100)
  }

  @Test
  func `an error in an input is reported with its position`() throws {
    let folder = try TemporaryFolder()
    try folder.makeFile("bad.vdf", "\"DepotBuild\"\n{\n  \"Desc\" \"x\n  \"FileMapping\" { }\n}\n")
    let path = folder.path("bad.vdf")
    let run = Captured("convert", path)
    #expect(run.ending == .status(.failed))
    #expect(
      run.messages.contains(
        "\n\(path):3:10: error: a word has no closing quote [steam.syntax]\n"),
      "\(run.messages)")
    #expect(Captured("convert", folder.path("none.vdf")).ending == .status(.failed))
    #expect(Captured("convert", folder.path).messages.contains("[convert.unknown-input]"))
    let forced = Captured("convert", "--from", "steam", folder.path)
    #expect(forced.messages.contains("a Steam build script is a text file, and this input is not"))
    for arguments in [["--format", "json"], ["--dry-run", "--format", "sarif", "-o", "x"]] {
      #expect(Captured(["convert", path] + arguments).ending == .status(.usage))
    }
  }

  @Test
  func `the depot script of the example game selects the intended files`() throws {
    let folder = try TemporaryFolder()
    let script = Checkout.file("Examples/Lantern/Steam/depot_build_1001.vdf")
    let assets = Checkout.file("Examples/Lantern/Assets")
    let run = Captured(
      "convert", script.path(percentEncoded: false), "--content-root",
      assets.path(percentEncoded: false), "--asset-pack-id", "lantern-steam", "--on-demand",
      "--compare", "-o", folder.path("lantern.json"))
    #expect(run.ending == .status(.done), "\(run.messages)")
    let files = Captured("evaluate", folder.path("lantern.json")).output
    #expect(files.contains("Music/island.wav\n"))
    #expect(files.contains("Textures/Tiles/cave.png\n"))
    #expect(!files.contains("draft"))
  }
}
