import Arguments
import BAPackKit
import Foundation
import SourceDiagnostics
import TestSupport
import Testing

@testable import BAPackCommands

/// Frequent mistakes of new users have a remedy, and a fix that is applied removes its finding.
@Suite struct NewcomerTests {
  private static let whole: [(key: String, text: String)] = [
    ("assetPackID", #""assetPackID": "a""#),
    ("downloadPolicy", #""downloadPolicy": {"onDemand": {}}"#),
    ("fileSelectors", #""fileSelectors": [{"directory": "Art"}]"#),
    ("platforms", #""platforms": ["iOS"]"#),
  ]

  /// Returns a manifest with a member instead of the valid one.
  private static func manifest(_ member: String) -> String {
    let others = whole.filter { !member.contains("\"\($0.key)\"") }.map(\.text)
    return "{" + (others + [member]).joined(separator: ", ") + "}"
  }

  @Test(
    arguments: [
      (#""downloadPolicy": "onDemand""#, #"write {"onDemand": {}}"#, .safe),
      (#""downloadPolicy": "on-demand""#, #"write {"onDemand": {}}"#, .safe),
      (
        #""downloadPolicy": "essential""#,
        #"write {"essential": {"installationEventTypes": "#
          + #"["firstInstallation", "subsequentUpdate"]}}"#,
        .unsafe
      ),
      (#""downloadPolicy": {"prefetch": ["firstInstallation"]}"#, nil, .unsafe),
      (#""fileSelectors": ["Art"]"#, #"write {"directory":"Art"}"#, .unsafe),
      (#""fileSelectors": ["Art/a.txt"]"#, #"write {"file":"Art/a.txt"}"#, .unsafe),
      (#""fileSelectors": ["Art/*.txt"]"#, #"write {"filePattern":"Art/*.txt"}"#, .unsafe),
      (#""fileSelectors": "Art""#, #"write [{"directory":"Art"}]"#, .unsafe),
      (#""fileSelectors": "Art/a.txt""#, #"write [{"file":"Art/a.txt"}]"#, .unsafe),
      (#""fileSelectors": "Assets/**""#, #"write [{"filePattern":"Assets/**"}]"#, .safe),
      (#""fileSelectors": {"directory": "Art"}"#, "write the value in brackets: [ ]", .unsafe),
      (#""platforms": "iOS""#, "write the value in brackets: [ ]", .safe),
      (#""language": "french""#, "write 'fr'", .unsafe),
      (#""language": "jp""#, "write 'ja'", .unsafe),
      (
        #""fileSelectors": [{"directory": "Art", "exclude": "*.psd"}]"#,
        #"write a separate selector: {"fileExclusion":"*.psd"}"#, .unsafe
      ),
      (
        #""fileSelectors": [{"exclude": ["*.psd", "b"], "directory": "Art"}]"#,
        #"write a separate selector: {"fileExclusion":"*.psd"}, {"fileExclusion":"b"}"#, .unsafe
      ),
      (#""assetPackID": "My Core Pack!""#, "write 'My-Core-Pack'", .unsafe),
      (#""assetPackID": "level/1""#, "write 'level-1'", .unsafe),
    ] as [(String, String?, Fix.Grade)])
  func `a mistake has a fix, which removes its finding`(
    _ member: String, _ message: String?, _ grade: Fix.Grade
  ) throws {
    let text = Self.manifest(member)
    let before = ManifestDocument(parsing: Array(text.utf8), named: "m")
    let fixes = before.findings.flatMap(\.fixes).filter { !$0.edits.isEmpty }
    let fix = try #require(fixes.first, "\(before.findings.map(\.message))")
    if let message { #expect(fix.message == message) }
    #expect(fix.grade == grade)
    let (after, applied) = ManifestDocument.fixed(
      Array(text.utf8), named: "m", unsafe: grade == .unsafe)
    #expect(applied > 0)
    #expect(
      after.findings.filter { $0.severity != .note }.map(\.message) == [],
      "\(String(decoding: after.source.bytes, as: UTF8.self))")
  }

  @Test(arguments: [
    ("assetPackID", #"such as "assetPackID": "Tutorial""#),
    ("fileSelectors", #"such as "fileSelectors": [{"directory": "Textures"}]"#),
    ("downloadPolicy", #"such as "downloadPolicy": {"essential": "#),
    ("platforms", #"such as "platforms": ["iOS""#),
  ])
  func `a missing key has an example`(_ key: String, _ example: String) {
    let members = Self.whole.filter { $0.key != key }.map(\.text)
    let text = "{" + members.joined(separator: ", ") + "}"
    let run = Captured("validate", "--no-project", "--no-files", "-", input: text)
    #expect(run.messages.contains("fix: add the key, \(example)"), "\(run.messages)")
    let events = Captured(
      "validate", "--no-project", "--no-files", "-",
      input: Self.manifest(#""downloadPolicy": {"essential": {}}"#))
    #expect(
      events.messages.contains(
        #"such as "installationEventTypes": ["firstInstallation", "subsequentUpdate"]"#))
  }

  @Test(arguments: [("Assets", "../Assets"), ("../Asets", "../Assets")])
  func `a wrong source root names the folder that exists`(_ wrong: String, _ right: String) throws {
    let folder = try TemporaryFolder()
    try folder.makeFile("Assets/Art/a.txt", "x")
    let text = Self.manifest(#""sourceRoot": "\#(wrong)""#)
    try folder.makeFile("Packs/a.json", text)
    let run = Captured("validate", "--no-project", folder.path("Packs/a.json"))
    #expect(run.messages.contains("fix: write '\(right)'\n"), "\(run.messages)")
    #expect(run.messages.contains("hint: the path is relative to the folder of the manifest\n"))
    try folder.makeFile(
      "Packs/a.json", text.replacing("\"\(wrong)\"", with: "\"\(right)\""))
    #expect(
      Captured("validate", "--no-project", folder.path("Packs/a.json")).ending == .status(.done))
  }

  private static func makeProject(_ packs: String, in folder: borrowing TemporaryFolder) throws {
    try folder.makeFile("ba-package.json", #"{"packs": ["\#(packs)"], "output": "out"}"#)
    try folder.makeFile("Art/a.txt", "x")
    try folder.makeFile("Packs/a.json", Self.manifest(#""assetPackID": "Art""#))
  }

  @Test func `a wrong pattern of the project is one error, with the pattern that has matches`()
    throws
  {
    let folder = try TemporaryFolder()
    try Self.makeProject("Pakcs/*.json", in: folder)
    let run = Captured("validate", "--project", folder.path("ba-package.json"))
    #expect(run.ending == .status(.failed))
    #expect(run.messages.contains("fix: write 'Packs/*.json'\n"), "\(run.messages)")
    #expect(
      run.messages.hasSuffix("ba-package.json': 1 error; no manifest was checked\n"),
      "\(run.messages)")
  }

  @Test func `a folder without manifests and packs does not hide an ID of the project`() throws {
    let folder = try TemporaryFolder()
    try Self.makeProject("Packs/*.json", in: folder)
    let words = ["--project", folder.path("ba-package.json")]
    for command in ["evaluate", "validate", "pack"] {
      let run = try BuiltProgram.run([command, "Art"] + words, after: "cd '\(folder.path("."))'")
      #expect(run.status == 0, "\(command): \(run.messages)")
    }
    // A folder of packs has priority over an ID.
    try FileManager.default.moveItem(
      atPath: folder.path("out/Art.aar"), toPath: folder.path("Art/x.aar"))
    let run = try BuiltProgram.run(["evaluate", "Art"] + words, after: "cd '\(folder.path("."))'")
    #expect(run.messages.contains("the folder contains no manifest"), "\(run.messages)")
  }

  @Test func `a full disk is reported once`() throws {
    let folder = try TemporaryFolder()
    try Self.makeProject("Packs/*.json", in: folder)
    let run = try BuiltProgram.run(
      [
        "pack", folder.path("Packs/a.json"), "--project", folder.path("ba-package.json"), "-o", "-",
      ],
      output: "/dev/full")
    #expect(run.status == 1)
    #expect(run.messages.ranges(of: "No space left on device").count == 1, "\(run.messages)")
  }

  @Test func `a NUL in a text has a position`() throws {
    let folder = try TemporaryFolder()
    try folder.makeFile("a.json", "// note\n \0{}")
    let path = folder.path("a.json")
    let run = Captured("validate", "--no-project", path)
    #expect(
      run.messages.hasPrefix("\(path):2:2: error: the text contains a NUL character ["),
      "\(run.messages)")
  }

  @Test func `swapped operands of extract are named`() throws {
    let folder = try TemporaryFolder()
    try folder.makeFile("core.aar", "x")
    let pack = folder.path("core.aar")
    let run = Captured("extract", "Art/a.txt", pack, "-o", "out")
    #expect(run.ending == .status(.usage))
    let text = run.messages.replacing("\n", with: " ")
    #expect(text.contains("hint: use 'ba-package extract \(pack) Art/a.txt -o out'"), "\(text)")
  }

  @Test func `only notes are printed as notes, and the last line counts them`() throws {
    let folder = try TemporaryFolder()
    for number in 0..<30 { try folder.makeFile("Art/\(number)/a.psd", "x") }
    let selectors = (0..<30).map { #"{"directory": "Art/\#($0)"}"# }.joined(separator: ", ")
    try folder.makeFile("a.json", Self.manifest(#""fileSelectors": [\#(selectors)]"#))
    let run = Captured(
      "validate", "--no-project", folder.path("a.json"), "--source-root", folder.path(""))
    let lines = run.messages.split(separator: "\n")
    #expect(lines.count { $0.contains(" note: ") } == 30)
    #expect(lines.last == "1 manifest: 30 notes")
    #expect(lines.count { $0.contains(" fix: add ") } == 30)
  }

  @Test(arguments: [
    (["upload", "a.aar"], "'appStore.app' of a project file can provide it"),
    (["diff"], "'baseline' of a project file can provide it"),
    (
      ["download-manifest", "create", "a.aar", "--ios", "-o", "x.json", "--no-project"],
      "'--download-base-url"
    ),
    (["simulate", "x.scenario"], "use '--scenario x.scenario'"),
    (["validate", "-", "--files-from", "-"], "Standard input ('-') can be read only once"),
    (["validate", "-", "-"], "Standard input ('-') can be read only once"),
    (["pack", "-", "-", "-o", "x"], "Standard input ('-') can be read only once"),
    (["init", "--add", "/"], "There is no project file in this folder"),
  ])
  func `an incomplete command line names the key, and has one exit status`(
    _ words: [String], _ text: String
  ) {
    let run = Captured(words)
    #expect(run.ending == .status(.usage))
    #expect(run.messages.replacing("\n", with: " ").contains(text), "\(run.messages)")
  }
}
