import Arguments
import SystemIO
import TestSupport
import Testing

@testable import BAPackCommands

/// Files that commands make in addition to their results never replace files of another kind.
@Suite struct MadeFileTests {
  private static let manifest = #"""
    {"assetPackID": "a", "downloadPolicy": {"onDemand": {}},
     "fileSelectors": [{"directory": "Art"}], "platforms": []}
    """#

  private static func make(in folder: borrowing TemporaryFolder) throws {
    for name in ["a", "b"] {
      try folder.makeFile("Packs/\(name).json", manifest.replacing(#""a""#, with: "\"\(name)\""))
    }
    try folder.makeFile("Art/a.txt", "x")
    try folder.makeFile("u.json", #"{"assets": []}"#)
    #expect(
      Captured(
        "pack", "--no-project", folder.path("Packs/a.json"), "--source-root", folder.path(""),
        "-o", folder.path("a.aar")
      ).ending == .status(.done))
  }

  @Test(arguments: [
    ["validate", "--junit", "Packs/a.json", "Packs/b.json"],
    ["validate", "Packs/b.json", "--junit", "Packs/b.json"],
    ["validate", "Packs/b.json", "--junit", "Art/a.txt"],
    ["verify", "a.aar", "--junit", "a.aar"],
    ["simulate", "a.aar", "--scenario", "Art/a.txt", "--junit", "Packs/a.json"],
    ["pack", "Packs/a.json", "-f", "-o", "b.aar", "--depfile", "Art/a.txt"],
    ["pack", "Packs/a.json", "-f", "-o", "b.aar", "--depfile", "Packs/a.json"],
    ["report", "a.aar", "-f", "--format", "json", "-o", "a.aar"],
    ["serve", "a.aar", "--log", "Packs/a.json"],
    ["app-store", "mock", "--log", "Art/a.txt"],
    ["unmanaged", "update", "u.json", "Art/a.txt", "--managed-output", "u.json"],
    ["unmanaged", "update", "u.json", "Art/a.txt", "--managed-output", "Packs/a.json"],
  ])
  func `an option never names an input or a file of another kind`(_ line: [String]) throws {
    let folder = try TemporaryFolder()
    try Self.make(in: folder)
    let files = ["Packs/a.json", "Packs/b.json", "Art/a.txt", "a.aar", "u.json"]
    let before = try files.map { file in try folder.contents(file) }
    let words = line.map { word in files.contains(word) ? folder.path(word) : word }
    let run = Captured(words.map { $0 == "b.aar" ? folder.path($0) : $0 })
    #expect(run.ending == .status(.failed))
    #expect(
      run.messages.hasPrefix("Error: cannot replace '")
        || run.messages.hasPrefix("Error: cannot append to '"), "\(run.messages)")
    #expect(run.messages.contains("specify another file with -"))
    #expect(try files.map { file in try folder.contents(file) } == before)
  }

  @Test func `an earlier file of the same kind and an empty file are replaced`() throws {
    let folder = try TemporaryFolder()
    try Self.make(in: folder)
    try folder.makeFile("report.xml", "")
    try folder.makeFile("a.d", "")
    for _ in 0..<2 {
      let check = Captured(
        "validate", "--no-project", folder.path("Packs/a.json"), "--source-root", folder.path(""),
        "--junit", folder.path("report.xml"))
      #expect(check.ending == .status(.done), "\(check.messages)")
      let packing = Captured(
        "pack", "--no-project", folder.path("Packs/a.json"), "--source-root", folder.path(""),
        "-f", "-o", folder.path("a.aar"), "--depfile", folder.path("a.d"))
      #expect(packing.ending == .status(.done), "\(packing.messages)")
    }
    #expect(MadeFile.junit.matches(try folder.contents("report.xml")))
    #expect(MadeFile.depfile.matches(try folder.contents("a.d")))
  }

  /// Options that name a file which the command reads, or which has a separate format that is
  /// checked when it is read.
  private static let others = [
    "record", "record-findings", "known-findings", "state",
  ]

  @Test func `every option for a file that a command writes is known`() {
    let known = Set(
      MadeFile.options.map(\.name) + MadeFile.otherOutputs + Self.others)
    for path in CommandPath(CommandTable.program).all {
      for parameter in path.parameters where parameter.form == .option {
        guard case .files = parameter.completion else { continue }
        let text = (parameter.help + " " + parameter.details).lowercased()
        let writes =
          parameter.group == .output || text.hasPrefix("write") || text.contains("append")
          || text.contains("to this file")
        #expect(!writes || known.contains(parameter.name), "\(path.name) --\(parameter.name)")
      }
    }
  }
}
