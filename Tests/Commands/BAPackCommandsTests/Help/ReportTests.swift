import Arguments
import BAPackKit
import Foundation
import SourceDiagnostics
import SystemIO
import TestSupport
import Testing

@testable import BAPackCommands

@Suite("Reports for terminals and services")
struct ReportTests {
  private static let wrong = """
    {"assetPackID": "T", "downloadPolicy": {"onDemand": {}},
     "fileSelectors": [{"file": "a"}], "platforms": ["ios"]}
    """

  @Test
  func `--color always prints excerpts and colors in a pipe`() {
    let run = Captured(
      "validate", "--no-files", "--color", "always", "-", input: Self.wrong,
      environment: ["NO_COLOR": "1"])
    #expect(run.messages.contains("\u{1B}[1;31merror:\u{1B}[0m"))
    #expect(run.messages.contains("^^^^^"))
    let never = Captured(
      "validate", "--no-files", "--color", "never", "-", input: Self.wrong, terminal: true)
    #expect(!never.messages.contains("\u{1B}"))
    #expect(never.messages.contains("^^^^^"))
  }

  @Test
  func `annotations contain paths relative to the workspace`()
    throws
  {
    let folder = try TemporaryFolder()
    try folder.makeFile("work/game/Packs/m.json", Self.wrong)
    try folder.makeLink("alias", to: "work")
    try folder.makeLink("work/link.json", to: "game/Packs/m.json")
    func annotated(_ path: String, _ top: String, _ format: String = "github") -> String {
      Captured(
        "validate", "--no-files", "--format", format, path,
        environment: ["GITHUB_WORKSPACE": folder.path(top)]
      ).output
    }
    for (path, top, expected) in [
      ("work/game/Packs/m.json", "work", "game/Packs/m.json"),
      ("work/game/../game/./Packs/m.json", "work/", "game/Packs/m.json"),
      ("alias/game/Packs/m.json", "work", "game/Packs/m.json"),
      ("work/game/Packs/m.json", "alias", "game/Packs/m.json"),
      ("work/link.json", "work", "link.json"),
    ] {
      #expect(annotated(folder.path(path), top).hasPrefix("::error file=\(expected),line=2,"))
      #expect(annotated(folder.path(path), top, "sarif").contains("\"uri\": \"\(expected)\""))
    }
    let elsewhere = folder.path("work/game/Packs/m.json")
    #expect(annotated(elsewhere, "nowhere").hasPrefix("::error file=\(elsewhere),"))
    // Relative to where the tests run.
    let here = FileManager.default.currentDirectoryPath
    let relative = Captured(
      "validate", "--no-files", "--format", "github", "nowhere.json",
      environment: ["GITHUB_WORKSPACE": (here as NSString).deletingLastPathComponent])
    let name = (here as NSString).lastPathComponent
    #expect(relative.output.hasPrefix("::error file=\(name)/nowhere.json,"))
  }

  @Test
  func `a log lists the rules of its part of the program, with all properties`() throws {
    let folder = try TemporaryFolder()
    try folder.makeFile("d.json", #"{"assetPacks": []}"#)
    try folder.makeFile("x.aar", "no pack")
    for (arguments, part, foreign) in [
      (["validate", "--no-files", "-"], RuleCatalogue.Part.manifests, "archive."),
      (["verify", folder.path("x.aar")], .packs, "download."),
      (["download-manifest", "check", folder.path("d.json")], .publishing, "files."),
    ] {
      let run = Captured(arguments + ["--format", "sarif"], input: Self.wrong)
      let log = try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any]
      let runs = try #require(log?["runs"] as? [[String: Any]])
      let tool = runs[0]["tool"] as? [String: Any]
      let driver = try #require(tool?["driver"] as? [String: Any])
      let rules = try #require(driver["rules"] as? [[String: Any]])
      let ids = rules.compactMap { $0["id"] as? String }
      #expect(ids == RuleCatalogue.rules(of: part).map(\.id.name))
      #expect(!ids.contains { $0.hasPrefix(foreign) })
      for rule in rules {
        let configuration = rule["defaultConfiguration"] as? [String: String]
        #expect(["error", "warning", "note"].contains(configuration?["level"]))
        // The address is known only to builds for installation.
        let address = rule["helpUri"] as? String
        #expect(address.map { URL(string: $0)?.scheme } == Build.repository.map { _ in "https" })
        for key in ["shortDescription", "fullDescription", "help"] {
          #expect((rule[key] as? [String: String])?["text"]?.isEmpty == false)
        }
      }
      for result in try #require(runs[0]["results"] as? [[String: Any]]) {
        let index = try #require(result["ruleIndex"] as? Int)
        #expect(ids[index] == result["ruleId"] as? String)
      }
    }
  }

  @Test
  func `programs get every finding, the text has ten of a kind, and both have the total`() throws {
    let folder = try TemporaryFolder()
    for number in 0..<1200 { try folder.makeFile("assets/\(number).png", "") }
    let manifest = folder.path("m.json")
    try folder.makeFile(
      "m.json",
      #"""
      {"assetPackID": "T", "downloadPolicy": {"onDemand": {}},
       "fileSelectors": [{"directory": "assets"}], "platforms": []}
      """#)
    let root = ["--source-root", folder.path]
    let text = Captured(["validate", manifest] + root)
    #expect(text.messages.split(separator: "\n").count { $0.contains("files.empty-file") } == 10)
    #expect(text.messages.contains("hint: 1190 more of this kind, 1200 in all"))
    #expect(text.messages.hasSuffix("1 manifest: 1,200 warnings\n"))
    for format in ["json", "github"] {
      let run = Captured(["validate", manifest, "--format", format] + root)
      #expect(run.output.split(separator: "\n").count == 1200)
    }
    let sarif = Captured(["validate", manifest, "--format", "sarif"] + root)
    #expect(sarif.output.split(separator: "\"ruleId\"").count == 1201)
  }

  @Test
  func `the severity of a finding is that of its rule`() throws {
    let cases: [(String, String, Hosting?)] = [
      ("id.grammar", #""assetPackID": "a.b""#, nil),
      ("id.grammar", #""assetPackID": "a.b""#, .apple),
      ("id.style", #""assetPackID": "a--b""#, .apple),
      ("user-info.apple-hosted", #""userInfo": {}"#, .apple),
      ("language.self-hosted", #""language": "de""#, .selfHosted),
      ("platform.unknown", #""platforms": ["x"]"#, nil),
      ("platform.duplicate", #""platforms": ["iOS", "iOS"]"#, nil),
    ]
    for (id, member, hosting) in cases {
      let others = [
        ("assetPackID", #""T""#), ("downloadPolicy", #"{"onDemand": {}}"#),
        ("fileSelectors", #"[{"file": "a"}]"#), ("platforms", "[]"),
      ].filter { !member.hasPrefix("\"\($0.0)\"") }.map { "\"\($0.0)\": \($0.1)" }
      let text = "{" + ([member] + others).joined(separator: ", ") + "}"
      let document = ManifestDocument(parsing: Array(text.utf8), named: "m", for: hosting)
      let rule = RuleCatalogue.all.first { $0.id.name == id }
      #expect(document.findings.map(\.id.name) == [id])
      #expect(document.findings.all.first?.severity == rule?.severity(for: hosting))
    }
    let appleOnly = try #require(
      RuleCatalogue.all.first { $0.id == "user-info.apple-hosted" })
    #expect(appleOnly.severity(for: nil) == nil)
  }

  @Test
  func `the reference of all findings is the output of the program`() throws {
    let reference = Checkout.file("docs/reference")
    if ProcessInfo.processInfo.environment["RECORD_FINDINGS"] != nil {
      let folder = reference.appending(path: "findings")
      try? FileManager.default.removeItem(at: folder)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
      for page in FindingsReference.pages {
        try page.text.write(
          to: reference.appending(path: page.path), atomically: true, encoding: .utf8)
      }
    }
    for page in FindingsReference.pages {
      #expect(
        try String(contentsOf: reference.appending(path: page.path), encoding: .utf8) == page.text,
        "'RECORD_FINDINGS=1 swift test --filter ReportTests' updates the reference")
    }
    let files = try FileManager.default.contentsOfDirectory(
      atPath: reference.appending(path: "findings").path(percentEncoded: false))
    #expect(Set(files) == Set(FindingsReference.areas.map { $0.name + ".md" }))
  }

  @Test func `each rule is in one area of the reference`() {
    let areas = FindingsReference.areas
    #expect(areas.flatMap(FindingsReference.rules).count == Rulebook.all.count)
    for area in areas { #expect(!FindingsReference.rules(of: area).isEmpty, "\(area.name)") }
  }
}
