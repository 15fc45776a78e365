import Arguments
import BAPackCommands
import Foundation
import SourceDiagnostics
import TestSupport
import Testing

/// Reports for GitLab and for systems that read JUnit reports.
@Suite struct CIReportTests {
  private static let manifest = """
    {"assetPackID": "T", "downloadPolicy": {"onDemand": {}},
     "fileSelectors": [{"file": "a"}],
     "platforms": ["ios", "iOS", "iOS", "iOS"]}
    """

  private func issues(_ text: String) throws -> [JSONValue] {
    try #require(JSONValue(parsing: text)).elements
  }

  @Test func `a Code Quality report has the required members, and severities of GitLab`() throws {
    let folder = try TemporaryFolder()
    try folder.makeFile("work/Packs/m.json", Self.manifest)
    let run = Captured(
      "validate", "--no-files", folder.path("work/Packs/m.json"), "--format", "gitlab",
      "--finding", "platform.duplicate=note",
      environment: ["CI_PROJECT_DIR": folder.path("work")])
    #expect(run.ending == .status(.failed))
    let issues = try issues(run.output)
    #expect(
      issues.map { $0["check_name"] }
        == [
          .string("platform.unknown"), .string("platform.duplicate"), .string("platform.duplicate"),
        ]
    )
    #expect(issues.map { $0["severity"] } == [.string("major"), .string("info"), .string("info")])
    for issue in issues {
      #expect(
        issue.members.map(\.0) == [
          "description", "check_name", "fingerprint", "severity", "location",
        ])
      #expect(issue["location"]?["path"] == .string("Packs/m.json"))
      #expect(issue["location"]?["lines"]?["begin"] == .integer(3))
    }
    #expect(issues[0]["description"] == .string("there is no platform 'ios' for asset packs"))
    let valid = Captured("validate", "--no-files", "-", "--format", "gitlab", input: "{}")
    #expect(!(try self.issues(valid.output).isEmpty))
  }

  @Test func `fingerprints are unique, and do not depend on other lines`() throws {
    func fingerprints(_ text: String) throws -> [JSONValue?] {
      let run = Captured("validate", "--no-files", "-", "--format", "gitlab", input: text)
      return try issues(run.output).map { $0["fingerprint"] }
    }
    let first = try fingerprints(Self.manifest)
    #expect(Set(first.compactMap { $0?.text }).count == 3)
    #expect(try fingerprints("\n// comment\n" + Self.manifest) == first)
    #expect(try fingerprints(Self.manifest.replacing("ios", with: "IOS")) != first)
  }

  @Test func `a run without findings has an empty report`() throws {
    let text = Self.manifest.replacing(#""ios", "iOS", "iOS", "#, with: "")
    let run = Captured("validate", "--no-files", "-", "--format", "gitlab", input: text)
    #expect(run.ending == .status(.done))
    #expect(try issues(run.output).isEmpty)
  }

  @Test func `validate writes a suite for each manifest, and a failure for each error`() throws {
    let folder = try TemporaryFolder()
    try folder.makeFile("bad.json", Self.manifest)
    try folder.makeFile(
      "good.json",
      Self.manifest.replacing(#""ios", "iOS", "iOS", "#, with: "").replacing("\"T\"", with: "\"G\"")
    )
    func report(_ words: String...) throws -> String {
      let run = Captured(
        ["validate", "--no-files", "--no-project", folder.path("bad.json")] + words
          + [folder.path("good.json"), "--junit", folder.path("report.xml")])
      #expect(run.ending == .status(.failed))
      return String(decoding: try folder.contents("report.xml"), as: UTF8.self)
    }
    let text = try report()
    let (bad, good) = (folder.path("bad.json"), folder.path("good.json"))
    #expect(text.hasPrefix("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n"))
    #expect(
      text.contains("<testsuite name=\"\(bad)\" tests=\"1\" failures=\"1\" errors=\"0\">"))
    #expect(
      text.contains("<testcase classname=\"\(bad)\" name=\"line 3: platform.unknown\">\n"))
    #expect(
      text.contains("<failure message=\"there is no platform 'ios' for asset packs\">\(bad):3:16:"))
    #expect(text.contains("<system-out>\(bad):3:"))
    #expect(
      text.contains(
        "<testsuite name=\"\(good)\" tests=\"1\" failures=\"0\" errors=\"0\">\n"
          + "    <testcase classname=\"\(good)\" name=\"no findings\"/>\n  </testsuite>"))
    #expect(try report("--strict").contains("tests=\"3\" failures=\"3\""))
  }

  @Test func `verify writes a suite for each pack, also for unreadable ones`() throws {
    let folder = try TemporaryFolder()
    try folder.makeFile("x.aar", PackBytes.sample.container())
    try folder.makeFile("bad.aar", "no pack")
    let run = Captured(
      "verify", "--no-project", folder.path("x.aar"), folder.path("bad.aar"),
      folder.path("none.aar"), "--junit", folder.path("report.xml"))
    #expect(run.ending == .status(.failed))
    let text = String(decoding: try folder.contents("report.xml"), as: UTF8.self)
    for name in ["x.aar", "bad.aar", "none.aar"] {
      #expect(text.contains("<testsuite name=\"\(folder.path(name))\""), "\(text)")
    }
    #expect(text.contains("<error message=\""))
  }
}

extension JSONValue {
  fileprivate var text: String? { if case .string(let text) = self { text } else { nil } }
}
