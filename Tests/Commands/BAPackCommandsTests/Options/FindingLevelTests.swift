import Arguments
import BAPackCommands
import BAPackKit
import Foundation
import SourceDiagnostics
import TestSupport
import Testing

/// The levels of findings from options and project files, and their effect on commands.
@Suite struct FindingLevelTests {
  /// A kind of findings, and the files and selectors that cause one.
  struct Kind: Sendable, CustomTestStringConvertible {
    let id: String
    let usual: Finding.Severity
    let canLower: Bool
    var selector = #"{"directory": "Art"}"#
    var files = ["Art/a.txt"]

    var testDescription: String { id }
  }

  private static let kinds = [
    Kind(
      id: "files.working-file", usual: .note, canLower: true, files: ["Art/a.txt", "Art/a.psd"]),
    Kind(id: "files.junk", usual: .warning, canLower: true, files: ["Art/a.txt", "Art/.DS_Store"]),
    Kind(
      id: "files.nothing-selected", usual: .error, canLower: true,
      selector: #"{"directory": "Art"}, {"filePattern": "Sounds/*.wav"}"#),
    Kind(
      id: "files.missing", usual: .error, canLower: false,
      selector: #"{"directory": "Art"}, {"file": "b.txt"}"#),
  ]

  private static func make(
    _ kind: Kind, levels: String? = nil, in folder: borrowing TemporaryFolder
  ) throws {
    let findings = levels.map { ", \"findings\": \($0)" } ?? ""
    try folder.makeFile(
      "game/ba-package.json", #"{"packs": ["Packs/*.json"], "output": "out"\#(findings)}"#)
    try folder.makeFile("game/Packs/art.json", manifest("art", kind.selector))
    for file in kind.files { try folder.makeFile("game/\(file)", "x") }
  }

  private static func manifest(_ id: String, _ selectors: String) -> String {
    #"""
    {"assetPackID": "\#(id)", "downloadPolicy": {"onDemand": {}},
     "fileSelectors": [\#(selectors)], "platforms": []}
    """#
  }

  private func run(_ words: String..., in folder: borrowing TemporaryFolder) -> Captured {
    Captured(words + ["--project", folder.path("game")])
  }

  @Test(arguments: kinds, FindingLevel.allCases)
  func `a level is in effect in every command, except for errors that must remain errors`(
    _ kind: Kind, _ level: FindingLevel
  ) throws {
    let folder = try TemporaryFolder()
    try Self.make(kind, in: folder)
    for command in ["validate", "pack", "evaluate"] {
      let run = run(command, "--finding", "\(kind.id)=\(level.rawValue)", in: folder)
      guard kind.canLower || level == .error else {
        #expect(run.ending == .status(.usage))
        #expect(run.messages.contains("'\(kind.id)' is an error that cannot be lowered"))
        continue
      }
      #expect(run.ending == .status(level == .error ? .failed : .done), "\(command)")
      let line = run.messages.split(separator: "\n").first { $0.contains("[\(kind.id)]") }
      if let severity = level.severity {
        #expect(line?.contains(" \(severity.rawValue): ") == true, "\(command)")
        #expect(!run.messages.contains("finding off"))
      } else {
        #expect(line == nil, "\(command)")
        #expect(run.messages.contains("1 finding off"), "\(command)")
      }
    }
    let archive = try? folder.contents("game/out/art.aar")
    #expect((archive != nil) == (level != .error && kind.canLower))
  }

  @Test(arguments: kinds, FindingLevel.allCases)
  func `the project file sets the same levels, and verify ignores them`(
    _ kind: Kind, _ level: FindingLevel
  ) throws {
    let folder = try TemporaryFolder()
    try Self.make(kind, levels: #"{"\#(kind.id)": "\#(level.rawValue)"}"#, in: folder)
    let run = run("validate", in: folder)
    guard kind.canLower || level == .error else {
      #expect(run.messages.contains("error that cannot be lowered [project.finding]"))
      return
    }
    #expect(run.ending == .status(level == .error ? .failed : .done))
    guard kind.usual != .error else { return }
    // The packs exist for every level.
    #expect(
      self.run("pack", "--finding", "\(kind.id)=note", in: folder).ending == .status(.done))
    let verified = self.run(
      "verify", "--against", folder.path("game/Packs/art.json"), in: folder)
    #expect(verified.ending == .status(.done))
    #expect(!verified.messages.contains("off"))
  }

  @Test(arguments: [
    "json.syntax", "files.missing", "files.link", "files.pointer", "id.empty", "packs.same-id",
    "selector.absolute", "files.name", "project.path",
  ])
  func `errors of syntax, paths, links, pointers and IDs cannot be lowered`(_ id: String) {
    for level in ["off", "note", "warning"] {
      let run = Captured("validate", "--no-files", "-", "--finding", "\(id)=\(level)")
      #expect(run.ending == .status(.usage))
      #expect(run.messages.contains("'\(id)' is an error that cannot be lowered"))
    }
  }

  @Test func `an unknown ID has a suggestion, and a pattern must match an ID`() throws {
    let folder = try TemporaryFolder()
    try Self.make(Self.kinds[0], levels: #"{"files.working-files": "off"}"#, in: folder)
    let run = run("validate", in: folder)
    #expect(run.ending == .status(.failed))
    #expect(
      run.messages.contains(
        "ba-package.json:1:59: error: no finding of manifests, files, budgets or project files has "
          + "the ID 'files.working-files' [project.finding]\n"))
    let option = Captured("validate", "-", "--finding", "packz.*=off")
    #expect(option.ending == .status(.usage))
    let level = Captured("validate", "-", "--finding", "files.junk=silent")
    #expect(level.messages.contains("off, note, warning or error"))
    let fixed = self.run("validate", "--fix", "--unsafe", in: folder)
    #expect(fixed.ending == .status(.done))
    #expect(fixed.messages.contains("no problems, 1 finding off\n"))
  }

  @Test func `an option overrides the file, and a single ID a pattern`() throws {
    let folder = try TemporaryFolder()
    try Self.make(
      Self.kinds[0], levels: #"{"files.working-file": "warning", "files.*": "error"}"#, in: folder)
    #expect(run("validate", in: folder).messages.contains(": warning: 'a.psd'") == false)
    #expect(run("validate", in: folder).messages.contains("1 manifest: 1 warning\n"))
    #expect(run("validate", "--strict", in: folder).ending == .status(.failed))
    let option = run("validate", "--finding", "files.*=note", in: folder)
    #expect(option.messages.contains("1 manifest: 1 note\n"))
  }

  @Test func `an exception is for some paths, and other files of the finding remain`() throws {
    let folder = try TemporaryFolder()
    var kind = Self.kinds[0]
    kind.files = ["Art/a.psd", "Art/Voices/b.psd", "Art/Voices/c.psd", "Art/.DS_Store"]
    try Self.make(
      kind,
      levels: #"""
        [{"id": "files.working-file", "paths": ["Art/Voices/**"], "level": "off", "reason": "kept"},
         {"id": "files.junk", "manifests": ["Packs/a*.json"], "level": "error", "reason": "no"}]
        """#, in: folder)
    let run = run("validate", in: folder)
    #expect(run.ending == .status(.failed))
    #expect(run.messages.contains("note: 'Art/a.psd' is selected, but apps do not read this"))
    #expect(!run.messages.contains("Voices"))
    #expect(run.messages.contains("error: 'Art/.DS_Store'"))
    #expect(run.messages.hasSuffix("1 manifest: 1 error and 1 note, 1 finding off\n"))
  }

  @Test func `an exception for shared paths leaves the other shared paths`() throws {
    let folder = try TemporaryFolder()
    var kind = Self.kinds[0]
    kind.files = ["Art/Voices/a.wav", "Art/Voices/b.wav", "Art/c.wav"]
    try Self.make(
      kind,
      levels: #"""
        [{"id": "files.shared-path", "paths": ["Art/Voices/**"], "level": "off", "reason": "equal"}]
        """#, in: folder)
    try folder.makeFile("game/Packs/b.json", Self.manifest("b", kind.selector))
    let run = run("validate", in: folder)
    #expect(run.messages.contains("warning: the packs 'art' and 'b' both contain 'Art/c.wav' ["))
    #expect(!run.messages.contains("Voices"))
    #expect(run.messages.hasSuffix("2 manifests: 1 warning, 1 finding off\n"))
  }

  @Test func `an exception needs a reason, and one without a finding is a warning`() throws {
    let folder = try TemporaryFolder()
    let entry = #"{"id": "files.junk", "paths": ["Sounds/**"], "level": "off""#
    try Self.make(Self.kinds[1], levels: "[\(entry)}]", in: folder)
    #expect(run("validate", in: folder).messages.contains("must contain the key 'reason'"))
    try Self.make(Self.kinds[1], levels: #"[\#(entry), "reason": " "}]"#, in: folder)
    #expect(run("validate", in: folder).messages.contains("the reason is empty"))
    try Self.make(Self.kinds[1], levels: #"[\#(entry), "reason": "old"}]"#, in: folder)
    let line = "warning: no finding matches this entry for 'files.junk' [project.unused-finding]"
    #expect(run("validate", in: folder).messages.contains(line))
    // A part of the project, or of its checks, does not prove that an entry is unused.
    #expect(!run("validate", "--no-files", in: folder).messages.contains("unused-finding"))
    #expect(
      !run("validate", folder.path("game/Packs/art.json"), in: folder).messages
        .contains("unused-finding"))
  }

  @Test func `an error for one host is not lowered, and the entry is reported`() throws {
    let folder = try TemporaryFolder()
    try Self.make(Self.kinds[1], levels: #"{"id.grammar": "off"}"#, in: folder)
    try folder.makeFile("game/Packs/art.json", Self.manifest("a.b", #"{"file": "Art/a.txt"}"#))
    let off = run("validate", in: folder)
    #expect(off.messages.hasSuffix("1 manifest: no problems, 1 finding off\n"))
    let apple = run("validate", "--hosting", "apple", in: folder)
    #expect(apple.ending == .status(.failed))
    #expect(apple.messages.contains("[id.grammar]"))
    #expect(
      apple.messages.contains(
        "the severity 'off' of 'id.grammar' has no effect: these errors cannot be lowered"))
  }

  @Test func `budgets of archives can be warnings`() throws {
    let folder = try TemporaryFolder()
    try Self.make(
      Self.kinds[0], levels: #"{"budget.total": "warning"}, "budgets": {"total": "10B"}"#,
      in: folder)
    let run = run("pack", in: folder)
    #expect(run.ending == .status(.done))
    #expect(run.messages.contains(": warning: total "))
    let strict = self.run("pack", "-f", "--finding", "budget.total=error", in: folder)
    #expect(strict.ending == .status(.failed))
  }

  @Test func `report and diff follow the levels of budgets`() throws {
    let folder = try TemporaryFolder()
    try Self.make(
      Self.kinds[0], levels: #"{"budget.*": "error"}, "budgets": {"total": "10B"}"#, in: folder)
    let lower = ["--finding", "budget.total=warning"]
    #expect(run("pack", lower[0], lower[1], in: folder).ending == .status(.done))
    let packs = folder.path("game/out")
    for words in [["report", "-o", folder.path("report.json")], ["diff", packs, packs]] {
      let project = ["--project", folder.path("game")]
      #expect(Captured(words + project).ending == .status(.failed), "\(words[0])")
      let run = Captured(words + project + (words[0] == "report" ? ["-f"] : []) + lower)
      #expect(run.ending == .status(.done), "\(words[0])")
      #expect(run.messages.contains("warning: total "), "\(words[0])")
    }
  }

  @Test func `an unchanged pack is examined again if a level makes an error`() throws {
    let folder = try TemporaryFolder()
    try Self.make(Self.kinds[0], in: folder)
    try folder.makeFile("game/Art/other.json", #"{"assetPackID": "x", "fileSelectors": []}"#)
    #expect(run("pack", "--update", in: folder).ending == .status(.done))
    let again = run("pack", "--update", "--finding", "files.junk=note", in: folder)
    #expect(again.messages.hasSuffix("0 packed, 1 unchanged\n"))
    let strict = run("pack", "--update", "--finding", "files.junk=error", in: folder)
    #expect(strict.ending == .status(.failed))
    #expect(strict.messages.contains("error: 'Art/other.json' is a packaging manifest"))
  }

  @Test func `a SARIF log has the levels in effect, and explain prints them`() throws {
    let folder = try TemporaryFolder()
    try Self.make(
      Self.kinds[1], levels: #"{"files.junk": "error", "language.systems": "off"}"#, in: folder)
    let log = try #require(
      JSONValue(parsing: run("validate", "--format", "sarif", in: folder).output))
    let sarif = try #require(log["runs"]?.elements.first)
    #expect(sarif["results"]?.elements.first?["level"] == .string("error"))
    let overrides = try #require(
      sarif["invocations"]?.elements.first?["ruleConfigurationOverrides"]?.elements)
    #expect(
      overrides.map { $0["descriptor"]?["id"] } == [
        .string("language.systems"), .string("files.junk"),
      ])
    #expect(
      overrides.map { $0["configuration"] } == [
        .object([.init("enabled", .bool(false))]), .object([.init("level", .string("error"))]),
      ])
    let text = run("explain", "files.junk", in: folder).output
    #expect(text.contains("\n\nIn this project: error"))
    #expect(text.contains("ba-package.json:1:59)."))
    let object = try #require(
      JSONValue(parsing: run("explain", "files.junk", "--format", "json", in: folder).output))
    #expect(object["levels"]?.elements.map { $0["level"] } == [.string("error")])
    #expect(!Captured("explain", "files.junk", "--no-project").output.contains("In this project"))
  }

  @Test func `project prints the levels in the form of the file`() throws {
    let folder = try TemporaryFolder()
    let entry = #"{"id": "files.junk", "paths": ["a/**"], "level": "off", "reason": "why"}"#
    for (levels, printed) in [
      (#"{"files.junk": "off"}"#, " files.junk = off "),
      ("[\(entry)]", " id = files.junk, paths = a/**, level = off, reason = why "),
    ] {
      try Self.make(Self.kinds[1], levels: levels, in: folder)
      #expect(run("project", in: folder).output.contains(printed))
      let json = try #require(
        JSONValue(parsing: run("project", "--format", "json", in: folder).output))
      let settings = try #require(json["settings"]?.elements)
      let value = settings.first { $0["key"] == .string("findings") }?["value"]
      #expect(value == JSONValue(parsing: levels))
    }
  }

  @Test(arguments: [
    (["files.working-file=error", "files.*=off"], "[]"),
    (["files.*=off", "files.working-file=error"], "[]"),
    ([], #"{"files.working-file": "error", "files.*": "off"}"#),
    ([], #"{"files.*": "off", "files.working-file": "error"}"#),
    (
      [],
      #"""
      [{"id": "files.working-file", "level": "error", "reason": "r"},
       {"id": "files.*", "level": "off", "reason": "r"}]
      """#
    ),
    (["files.*=error"], #"{"files.working-file": "off"}"#),
    (["files.*=off", "files.work*=error"], "[]"),
    (["files.working-file=off", "files.working-file=error"], "[]"),
  ])
  func `an ID wins over a pattern, then the last setting, and options over the project file`(
    _ options: [String], _ levels: String
  ) throws {
    let folder = try TemporaryFolder()
    try Self.make(Self.kinds[0], levels: levels, in: folder)
    let run = Captured(
      ["validate", "--project", folder.path("game")] + options.flatMap { ["--finding", $0] })
    #expect(run.ending == .status(.failed), "\(run.messages)")
    #expect(run.messages.contains(" error: "))
  }
}
