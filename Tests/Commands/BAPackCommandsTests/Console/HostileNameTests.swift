import Foundation
import SystemIO
import TestSupport
import Testing

/// Names that are not plain text, and names that are too long, as arguments of every command and as
/// paths in manifests.
///
/// The program must not crash, and use the correct files.
@Suite("Hostile names in every command", .world)
struct HostileNameTests {
  /// Runs the program in a folder; no run may crash.
  private func run(
    _ arguments: [String], in folder: String, status: Int32 = 0,
    _ place: SourceLocation = #_sourceLocation
  ) throws {
    let run = try BuiltProgram.run(arguments, after: "cd '\(folder)'")
    let line = arguments.map { FilePath($0).shown.prefix(80) }.joined(separator: " ")
    let ended = !run.wasSignalled && run.status == status
    #expect(ended, "\(line)\n\(run.messages.prefix(2000))", sourceLocation: place)
    #expect(run.peakMemory < 256 << 20, "\(line)", sourceLocation: place)
  }

  private func manifest(_ selectors: String) -> [UInt8] {
    Array(
      """
      {"assetPackID": "Pack", "downloadPolicy": {"onDemand": {}}, "platforms": ["iOS"],
       "fileSelectors": [\(selectors)]}
      """.utf8)
  }

  @Test(arguments: HostileNames.possible)
  func `a name of any bytes works in every path`(name: [UInt8]) throws {
    let folder = try TemporaryFolder()
    let at = { (path: [UInt8]) in FilePath(path + name).text }
    try folder.makeFile(named: Array("in/".utf8) + name + Array("/a/x".utf8), [1, 2, 3])
    try folder.makeFile(named: Array("m/".utf8) + name, manifest(#"{"directory": "a"}"#))
    let source = ["--source-root", at(Array("in/".utf8))]
    let text = at(Array("m/".utf8))
    for command in ["validate", "evaluate"] {
      try run([command, text] + source, in: folder.path)
    }
    // The slash makes the output a folder, even if its name ends with an extension.
    try run(["pack", text, "-o", at(Array("out/".utf8)) + "/"] + source, in: folder.path)
    let archive = at(Array("out/".utf8)) + "/Pack.aar"
    let outputs = FilePath(folder.path).appending(FilePath(archive))
    #expect(try FileStatus(ofFileAt: outputs.text).kind == .file)
    for command in ["list", "info", "verify"] { try run([command, archive], in: folder.path) }
    try run(["verify", archive, "--against", text] + source, in: folder.path)
    try run(["extract", archive, "-o", at(Array("./".utf8))], in: folder.path)
    let extracted = FilePath(folder.path).appending(FileName(name)).appending(FilePath("a/x"))
    #expect(try FileStatus(ofFileAt: extracted.text).size == 3)
    try run(["template", "-o", at(Array("m/../in/".utf8)) + "/t.json"], in: folder.path)
    try run(
      [
        "download-manifest", "create", archive, "--ios", "--download-base-url",
        "https://d.example.com/p", "-o", at(Array("out/".utf8)) + "/download.json",
      ], in: folder.path)
  }

  @Test(arguments: HostileNames.text)
  func `a name of text works in every key of a manifest, and is printed unchanged`(name: String)
    throws
  {
    let folder = try TemporaryFolder()
    let json = String(decoding: try JSONEncoder().encode(name), as: UTF8.self)
    let written = String(json.unicodeScalars.dropFirst().dropLast())
    try folder.makeFile(named: Array("in/\(name)/\(name)".utf8), [1, 2, 3])
    try folder.makeFile("in/keep", "k")
    try folder.makeFile(
      "m.json",
      manifest(
        """
        {"directory": "in/\(written)"}, {"file": "in/keep"},
        {"fileSource": "in/\(written)/\(written)", "fileDestination": "d/\(written)"}
        """))
    try run(["pack", "m.json", "-o", "p.aar"], in: folder.path)
    try run(["verify", "p.aar", "--against", "m.json"], in: folder.path)
    try run(["extract", "p.aar", "-o", "x"], in: folder.path)
    for path in ["in/\(name)/\(name)", "d/\(name)", "in/keep"] {
      let extracted = FilePath(folder.path("x")).appending(FilePath(path.utf8))
      #expect(try FileStatus(ofFileAt: extracted.text).kind == .file)
    }
    let operand = FilePath("d/\(name)".utf8).text
    try run(["extract", "p.aar", "-o", "y", "--", operand], in: folder.path)
    let chosen = FilePath(folder.path("y/d")).appending(FileName(name.utf8))
    #expect(try FileStatus(ofFileAt: chosen.text).size == 3)
  }

  @Test(arguments: HostileNames.tooLong)
  func `a name that no file can have is an error in every position`(name: [UInt8]) throws {
    let folder = try TemporaryFolder()
    let long = String(decoding: name, as: UTF8.self)
    try folder.makeFile("a", "x")
    try folder.makeFile("good.json", manifest(#"{"file": "a"}"#))
    try run(["pack", "good.json", "-o", "good.aar"], in: folder.path)
    for arguments in [
      ["validate", long], ["evaluate", long], ["pack", "good.json", "-o", long],
      ["pack", "good.json", "-o", "out/" + long + "/x.aar"],
      ["pack", "good.json", "-o", long + ".aar"],
      ["validate", "good.json", "--source-root", long], ["list", long], ["info", long],
      ["verify", long], ["extract", long, "-o", "x"], ["extract", "good.aar", "-o", long],
      ["extract", "good.aar", "-o", "x", long], ["template", "-o", long],
    ] {
      try run(arguments, in: folder.path, status: 1)
    }
    for selector in [
      #"{"file": "\#(long)"}"#, #"{"directory": "\#(long)/x"}"#, #"{"filePattern": "\#(long)*"}"#,
      #"{"fileSource": "a", "fileDestination": "\#(long)"}"#,
      #"{"fileSource": "a", "fileDestination": "d/\#(long)/x"}"#,
    ] {
      try folder.makeFile("long.json", manifest(selector))
      try run(["validate", "long.json"], in: folder.path, status: 1)
    }
    let exclusion = #"{"file": "a"}, {"fileExclusion": "\#(long)"}"#
    try folder.makeFile("long.json", manifest(exclusion))
    try run(["validate", "long.json"], in: folder.path)
  }
}
