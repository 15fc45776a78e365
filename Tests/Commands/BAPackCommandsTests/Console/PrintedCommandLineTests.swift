import Arguments
import Foundation
import TestSupport
import Testing

/// Command lines from Apple's pages, unchanged, and from scripts that are in public repositories.
@Suite(.mustEnd) struct PrintedCommandLineTests {
  /// A line, and the file that it creates.
  struct Line: Sendable, CustomTestStringConvertible {
    let text: String
    let source: String
    var file: String?
    var status: Int32 = 0

    var testDescription: String { text }
  }

  static let lines = [
    Line(
      text: "xcrun ba-package template -o Manifest.json", source: "Apple: creating packs",
      file: "Manifest.json"),
    Line(
      text: #"cd ~/Documents/The\ Coast/ && xcrun ba-package Manifest.json -o Tutorial.aar"#,
      source: "Apple: creating packs", file: "Documents/The Coast/Tutorial.aar"),
    Line(
      text: "xcrun ba-package convert --asset-pack-id voice-english -l en-US --on-demand "
        + "voice-english.vdf -o voice-english.json", source: "WWDC26-378",
      file: "voice-english.json"),
    // The same line on the page of the session has two hyphens.
    Line(
      text: "xcrun ba-package convert --asset-pack-id voice-english --l en-US --on-demand "
        + "voice-english.vdf -o voice-english.json", source: "WWDC26-378, code tab",
      file: "voice-english.json"),
    Line(
      text: "xcrun ba-serve --host localhost Tutorial.aar HighQualityTextures.aar",
      source: "Apple: testing"),
    // Printed is '[Base URL]' instead of the URL.
    Line(
      text: "xcrun ba-serve url-override https://localhost:60382", source: "Apple: testing",
      status: 1),
    // It prints the steps on the device.
    Line(text: "xcrun ba-serve url-override --clear", source: "polaris-key", status: 1),
    Line(
      text: "xcrun ba-package package Packaging/clip.json --output-path Output/clip.aar",
      source: "RawCull", file: "Output/clip.aar"),
    Line(
      text: #"mpath=$PWD/Packaging/clip.json aar=$PWD/x.aar; "#
        + #"xcrun ba-package package "$mpath" -o "$aar" -q"#, source: "polaris-key", file: "x.aar"),
    Line(text: "xcrun ba-package evaluate Packaging/clip.json", source: "RawCull"),
    Line(
      text: "xcrun ba-package download-manifest create A.aar B.aar --asset-pack-versions 1 1 "
        + "--macos --download-base-url https://downloads.example.com/packs/ "
        + "--output-path Output/manifest.json", source: "RawCull", file: "Output/manifest.json"),
    Line(
      text: #"BASE=https://downloads.example.com; xcrun ba-package download-manifest create "#
        + #"[AB].aar --asset-pack-versions 2 2 --ios --download-base-url "$BASE" -o m.json -q"#,
      source: "polaris-key, with another pattern", file: "m.json"),
  ]

  /// The lines after which others of the same page run.
  static let sequences = [
    [lines[2].text, "xcrun ba-package voice-english.json -o voice-english.aar"]
  ]

  /// `xcrun` starts the built program; a server ends when it is ready.
  private static let setUp = """
    set -eu
    mkdir bin
    ln -s "$1" bin/ba-package
    ln -s "$1" bin/ba-serve
    xcrun() {
      tool=$HOME/bin/$1
      shift
      case $tool in
      */ba-serve)
        if [ "$1" = url-override ]; then
          "$tool" "$@"
        else
          "$tool" "$@" --port 0 --exec -- true
        fi ;;
      *) "$tool" "$@" ;;
      esac
    }

    """

  private func run(
    _ lines: [String], in folder: borrowing TemporaryFolder
  ) throws -> BuiltProgram.Run {
    for name in ["A", "B", "Tutorial", "HighQualityTextures", "Documents/The Coast/Manifest"] {
      let isManifest = name.hasSuffix("Manifest")
      let place = isManifest ? "Documents/The Coast/" : ""
      let id = isManifest ? "Tutorial" : name
      try folder.makeFile(
        "\(place)\(isManifest ? "Manifest" : name).json",
        """
        {"assetPackID": "\(id)", "downloadPolicy": {"onDemand": {}}, "platforms": [],
         "fileSelectors": [{"file": "a.txt"}]}
        """)
      try folder.makeFile("\(place)a.txt", Array("a".utf8))
      guard !isManifest else { continue }
      let pack = Captured(
        "pack", folder.path("\(name).json"), "--source-root", folder.path, "-o",
        folder.path("\(name).aar"))
      #expect(pack.ending == .status(.done), "\(pack.messages)")
    }
    try folder.makeFile("Packaging/clip.json", try folder.contents("A.json"))
    try folder.makeFile("Output/.keep", [])
    try folder.makeFile("content/hello.txt", Array("hello".utf8))
    try folder.makeFile(
      "voice-english.vdf",
      """
      "DepotBuildConfig"
      {
        "DepotID" "1001"
        "ContentRoot" "content"
        "FileMapping" { "LocalPath" "*" "DepotPath" "." "Recursive" "1" }
      }
      """)
    let script = "cd '\(folder.path)'\n\(Self.setUp)\(lines.joined(separator: "\n"))"
    let run = try BuiltProgram.run(
      ["--version"],
      environment: ["HOME": folder.path, "XDG_DATA_HOME": folder.path("data")], after: script)
    return run
  }

  @Test(arguments: lines)
  func `a printed command line is accepted unchanged`(line: Line) throws {
    let folder = try TemporaryFolder()
    let run = try run([line.text], in: folder)
    #expect(run.status == line.status, "\(line.source): \(run.messages)")
    if let file = line.file {
      #expect(FileManager.default.fileExists(atPath: folder.path(file)), "\(run.messages)")
    }
  }

  @Test(arguments: sequences)
  func `the lines of a page work one after the other`(lines: [String]) throws {
    let folder = try TemporaryFolder()
    let run = try run(lines, in: folder)
    #expect(run.status == 0, "\(run.messages)")
    let list = Captured("list", folder.path("voice-english.aar"))
    #expect(list.output.contains("hello.txt"), "\(list.output) \(list.messages)")
  }
}
