import Arguments
import BAPackKit
import Foundation
import SourceDiagnostics
import TestSupport
import Testing

@testable import BAPackCommands

/// Lists of known findings: what identifies a finding, and what a run with a list reports.
@Suite struct KnownFindingsTests {
  private static func make(in folder: borrowing TemporaryFolder) throws {
    try folder.makeFile(
      "game/ba-package.json", #"{"packs": ["Packs/*.json"], "output": "out"}"#)
    try folder.makeFile("game/Packs/art.json", manifest("art", "Art"))
    try folder.makeFile("game/Packs/wav.json", manifest("wav", "Wav"))
    for name in ["Art/a.psd", "Art/.DS_Store", "Wav/a.txt", "Wav/b.wav"] {
      try folder.makeFile("game/\(name)", name == "Wav/b.wav" ? "" : "x")
    }
  }

  /// Returns a manifest with the platform `iOS` twice, which is a warning.
  private static func manifest(_ id: String, _ directory: String, comment: String = "") -> String {
    #"""
    {\#(comment)"assetPackID": "\#(id)", "downloadPolicy": {"onDemand": {}},
     "fileSelectors": [{"directory": "\#(directory)"}], "platforms": ["iOS", "iOS"]}
    """#
  }

  private func validate(_ words: String..., in folder: borrowing TemporaryFolder) -> Captured {
    Captured(["validate", "--strict", "--project", folder.path("game")] + words)
  }

  private func known(_ folder: borrowing TemporaryFolder) -> String {
    folder.path("game/known.json")
  }

  @Test func `recorded findings are not reported, in every format`() throws {
    let folder = try TemporaryFolder()
    try Self.make(in: folder)
    let all = validate(in: folder)
    #expect(all.ending == .status(.failed))
    #expect(all.messages.contains("2 manifests: 4 warnings and 1 note\n"))
    let record = validate("--record-findings", known(folder), in: folder)
    #expect(record.ending == .status(.done))
    #expect(record.messages.contains("Recorded 5 findings in '\(known(folder))'.\n"))
    let run = validate("--known-findings", known(folder), in: folder)
    #expect(run.ending == .status(.done))
    #expect(run.messages.hasSuffix("2 manifests: no problems, 5 known findings\n"))
    for format in ["json", "github"] {
      let run = validate("--known-findings", known(folder), "--format", format, in: folder)
      #expect(run.output == "")
      #expect(run.ending == .status(.done))
    }
    let sarif = validate("--known-findings", known(folder), "--format", "sarif", in: folder)
    let log = try #require(JSONValue(parsing: sarif.output))
    #expect(log["runs"]?.elements.first?["results"]?.elements == [])
  }

  @Test func `a record has no positions, and has paths relative to its folder`() throws {
    let folder = try TemporaryFolder()
    try Self.make(in: folder)
    _ = validate("--record-findings", folder.path("game/known.json"), in: folder)
    let text = String(decoding: try folder.contents("game/known.json"), as: UTF8.self)
    #expect(
      text.hasPrefix(
        #"""
        {
          "format": 1,
          "findings": [
            {
              "id": "files.junk",
              "path": "Packs/art.json",
              "message": "'Art/.DS_Store' is selected, but is unlikely to be an asset",
              "count": 1
            },

        """#), "\(text)")
    #expect(!text.contains("line"))
    try folder.makeFolder("game/ci")
    _ = validate("--record-findings", folder.path("game/ci/known.json"), in: folder)
    let other = String(decoding: try folder.contents("game/ci/known.json"), as: UTF8.self)
    #expect(other.contains(#""path": "../Packs/art.json""#))
  }

  @Test(arguments: ["", "\n\n\n", "// a comment\n  ", "\"userInfo\": {\"a\": [1,\n2]}, "])
  func `a change of other lines keeps findings known`(_ comment: String) throws {
    let folder = try TemporaryFolder()
    try Self.make(in: folder)
    _ = validate("--record-findings", known(folder), in: folder)
    try folder.makeFile(
      "game/Packs/art.json", Self.manifest("art", "Art", comment: comment))
    let run = validate("--known-findings", known(folder), in: folder)
    #expect(run.ending == .status(.done))
    #expect(run.messages.hasSuffix("2 manifests: no problems, 5 known findings\n"))
  }

  @Test func `a level of the project does not matter for the identity`() throws {
    let folder = try TemporaryFolder()
    try Self.make(in: folder)
    _ = validate("--record-findings", known(folder), in: folder)
    let run = validate(
      "--known-findings", known(folder), "--finding", "files.*=error", in: folder)
    #expect(run.ending == .status(.done))
  }

  @Test func `equal findings are counted, and one more is reported`() throws {
    let folder = try TemporaryFolder()
    try Self.make(in: folder)
    let twice = #"["iOS", "iOS", "iOS"]"#
    let text = Self.manifest("art", "Art").replacing(#"["iOS", "iOS"]"#, with: twice)
    try folder.makeFile("game/Packs/art.json", text)
    let record = validate("--record-findings", known(folder), in: folder)
    #expect(record.messages.contains("Recorded 6 findings"))
    let document = String(decoding: try folder.contents("game/known.json"), as: UTF8.self)
    #expect(document.contains(#""count": 2"#))
    try folder.makeFile(
      "game/Packs/art.json", text.replacing(twice, with: #"["iOS", "iOS", "iOS", "iOS"]"#))
    let run = validate("--known-findings", known(folder), in: folder)
    #expect(run.ending == .status(.failed))
    #expect(
      run.messages.hasSuffix("1 warning, 6 known findings; '--fix' fixes 1\n")
        || run.messages.hasSuffix("1 warning, 6 known findings\n"))
  }

  @Test func `fixed findings are counted, and a part of the project proves only its own`() throws {
    let folder = try TemporaryFolder()
    try Self.make(in: folder)
    _ = validate("--record-findings", known(folder), in: folder)
    try folder.makeFile("game/Wav/b.wav", "sound")
    try FileManager.default.removeItem(atPath: folder.path("game/Art/.DS_Store"))
    let run = validate("--known-findings", known(folder), in: folder)
    #expect(
      run.messages.contains(
        "2 known findings no longer occur; '--record-findings' updates the record\n"))
    let art = validate(
      folder.path("game/Packs/art.json"), "--known-findings", known(folder), in: folder)
    #expect(art.messages.contains("1 known finding no longer occurs;"))
    let texts = validate("--known-findings", known(folder), "--no-files", in: folder)
    #expect(!texts.messages.contains("no longer"))
  }

  @Test(arguments: [
    ("game/ba-package.json", #"{"packs": ["Packs/*.json"], "findings": [{"id": "a.b"}]}"#),
    ("game/Packs/art.json", "{"),
    ("game/Packs/art.json", Self.manifest("art", "Missing")),
  ])
  func `after an error that prevents packs, no finding is recorded`(
    file: String, text: String
  ) throws {
    let folder = try TemporaryFolder()
    try Self.make(in: folder)
    _ = validate("--record-findings", known(folder), in: folder)
    let record = try folder.contents("game/known.json")
    try folder.makeFile(file, text)
    let all = validate(in: folder)
    let errors = all.messages.split(separator: "\n").filter { $0.contains(" error: ") }
    #expect(!errors.isEmpty, "\(all.messages)")
    for option in ["--record-findings", "--known-findings"] {
      let run = validate(option, known(folder), in: folder)
      #expect(run.ending == .status(.failed))
      for error in errors { #expect(run.messages.contains(error), "\(run.messages)") }
      #expect(run.messages.contains("no findings were recorded") == (option == "--record-findings"))
    }
    #expect(try folder.contents("game/known.json") == record)
  }

  @Test func `a check of some manifests does not replace a record`() throws {
    let folder = try TemporaryFolder()
    try Self.make(in: folder)
    let art = folder.path("game/Packs/art.json")
    _ = validate("--record-findings", known(folder), in: folder)
    let record = try folder.contents("game/known.json")
    let part = validate(art, "--record-findings", known(folder), in: folder)
    #expect(part.ending == .status(.failed))
    #expect(part.messages.contains("only some of the project's manifests were checked"))
    // Without the project file, the list itself shows the unchecked files.
    let alone = Captured(
      "validate", "--no-project", art, "--source-root", folder.path("game"), "--record-findings",
      known(folder))
    #expect(alone.ending == .status(.failed))
    #expect(alone.messages.contains("'Packs/wav.json', which was not checked"))
    let texts = validate("--no-files", "--record-findings", known(folder), in: folder)
    #expect(texts.ending == .status(.usage))
    #expect(try folder.contents("game/known.json") == record)
    let both = folder.path("game/Packs/wav.json")
    #expect(
      validate(art, both, "--record-findings", known(folder), in: folder).ending == .status(.done))
  }

  /// A folder of files, two packs with the same paths, and two languages with different paths.
  private static func makeSeveral(_ names: [String], in folder: borrowing TemporaryFolder) throws {
    for name in names {
      try folder.makeFile("game/Art/\(name).psd", "x")
      try folder.makeFile("game/Art/.\(name).swp", "x")
      try folder.makeFile("game/fr/\(name)", "x")
    }
    try folder.makeFile("game/fr/both", "x")
    try folder.makeFile("game/de/both", "x")
    try folder.makeFile(
      "game/ba-package.json", #"{"packs": ["Packs/*.json"], "output": "out"}"#)
    for (id, source, end) in [
      ("a", #""directory": "Art""#, ""), ("b", #""directory": "Art""#, ""),
      ("fr", #""directorySource": "fr", "directoryDestination": "V""#, #", "language": "fr""#),
      ("de", #""directorySource": "de", "directoryDestination": "V""#, #", "language": "de""#),
    ] {
      try folder.makeFile(
        "game/Packs/\(id).json",
        #"""
        {"assetPackID": "\#(id)", "downloadPolicy": {"onDemand": {}}, "platforms": [],
         "fileSelectors": [{\#(source)}]\#(end)}
        """#)
    }
  }

  @Test func `each file of a finding about several files is known separately`() throws {
    let folder = try TemporaryFolder()
    try Self.makeSeveral(["c", "e"], in: folder)
    _ = validate("--record-findings", known(folder), in: folder)
    let known = known(folder)
    #expect(validate("--known-findings", known, in: folder).messages.contains("no problems, "))
    // Files before, between and after the known ones.
    try Self.makeSeveral(["b", "d", "f"], in: folder)
    let run = validate("--known-findings", known, in: folder)
    #expect(run.ending == .status(.failed))
    for message in [
      "note: 'Art/b.psd' and 2 more files are selected, but apps do not read this format",
      "warning: 'Art/.b.swp' and 2 more files are selected, but are unlikely to be assets",
      "warning: the packs 'a' and 'b' both contain 'Art/.b.swp' and 5 more files",
      "warning: 'de' does not contain 'V/b', 'V/d' and 'V/f'",
    ] {
      #expect(run.messages.contains(message), "\(message): \(run.messages)")
    }
    // A file that goes is no new finding.
    for name in ["b", "c", "d", "f"] {
      for file in ["Art/\(name).psd", "Art/.\(name).swp", "fr/\(name)"] {
        try FileManager.default.removeItem(atPath: folder.path("game/\(file)"))
      }
    }
    let rest = validate("--known-findings", known, in: folder)
    #expect(rest.ending == .status(.done), "\(rest.messages)")
    #expect(rest.messages.contains(" no longer occur; "))
  }

  @Test func `an error that only the project makes is recorded`() throws {
    let folder = try TemporaryFolder()
    try Self.make(in: folder)
    for option in ["--record-findings", "--known-findings"] {
      let run = validate(option, known(folder), "--finding", "files.*=error", in: folder)
      #expect(run.ending == .status(.done), "\(run.messages)")
    }
  }

  @Test func `a missing or damaged record is an error, and a damaged one is kept`() throws {
    let folder = try TemporaryFolder()
    try Self.make(in: folder)
    let missing = validate("--known-findings", known(folder), in: folder)
    #expect(missing.ending == .status(.failed))
    #expect(missing.messages.contains("there is no list of known findings"))
    try folder.makeFile("game/known.json", "{")
    for option in ["--known-findings", "--record-findings"] {
      #expect(validate(option, known(folder), in: folder).ending == .status(.failed))
    }
    #expect(try folder.contents("game/known.json") == Array("{".utf8))
  }

  @Test func `omitted findings are known by their number`() throws {
    let text = SourceText(Array("text".utf8), named: "m")
    var ledger = Ledger(about: text, keeping: 2)
    for _ in 0..<5 { ledger.add(Finding("a.b", .warning, "found")) }
    let identities = ledger.identities { $0 }
    #expect(identities.map(\.count) == [2, 3])
    #expect(identities.last?.identity.message == "warnings that are not listed")
    var known = Dictionary(uniqueKeysWithValues: identities.map { ($0.identity, $0.count) })
    for _ in 0..<2 { ledger.add(Finding("a.b", .warning, "found")) }
    #expect(ledger.remove(&known) { $0 } == 5)
    #expect(ledger.count(.warning) == 2)
    #expect(known.values.allSatisfy { $0 == 0 })
  }

  @Test func `a record survives a round trip`() throws {
    let text = SourceText(Array("text".utf8), named: "folder/m")
    var ledger = Ledger(about: text)
    ledger.add(Finding("a.b", .warning, "found"))
    ledger.add(Finding("a.b", .warning, "found"))
    try expectRoundTrip(KnownFindings(of: ledger, at: "known.json"))
  }
}
