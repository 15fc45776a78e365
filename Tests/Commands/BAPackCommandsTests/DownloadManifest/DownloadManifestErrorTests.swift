import Arguments
import BAPackCommands
import Foundation
import SourceDiagnostics
import TestSupport
import Testing

/// Common user errors with download manifests and their records.
@Suite("download-manifest after user errors")
final class DownloadManifestErrorTests {
  let folder: TemporaryFolder
  let base = "https://downloads.example.com/packs"

  init() throws {
    folder = try TemporaryFolder()
    try folder.makeFile("a.aar", pack("a"))
    try folder.makeFile("b.aar", pack("b", contents: "hello, hello"))
  }

  private func path(_ name: String) -> String { folder.path(name) }

  private func run(_ command: String, _ arguments: String...) -> Captured {
    Captured(["download-manifest", command] + arguments)
  }

  @discardableResult
  private func create(_ more: String...) -> Captured {
    Captured(
      [
        "download-manifest", "create", path("a.aar"), path("b.aar"), "-o", path("m.json"), "--ios",
        "--download-base-url", base,
      ] + more)
  }

  private func text(_ name: String) throws -> String {
    String(decoding: try folder.contents(name), as: UTF8.self)
  }

  @Test func `an ID that is no file name is an error, and only its size is printed`() throws {
    create()
    let id = String(repeating: "x", count: 100_000)
    try folder.makeFile("long.json", try text("m.json").replacing("\"a\"", with: "\"\(id)\""))
    for run in [run("check", path("long.json")), Captured(["simulate", path("long.json")])] {
      #expect(run.ending == .status(.failed))
      #expect(run.messages.contains("the ID has 100000 bytes; the maximum is 251 [id.characters]"))
      #expect(run.messages.utf8.count + run.output.utf8.count < 1000)
    }
  }

  private func json(_ run: Captured) throws -> JSONNode {
    let document = JSONDocument(parsing: SourceText(Array(run.output.utf8), named: "out"))
    #expect(document.findings.all == [])
    return try #require(document.root)
  }

  @Test(
    arguments: ["assetPacks", "id", "url", "version", "downloadSize", "downloadPolicy"],
    ["first", "upper", "more", "less"])
  func `a misspelt key fails the check, and an update of another pack does not change the file`(
    key: String, how: String
  ) throws {
    create()
    let wrong =
      switch how {
      case "first": key.prefix(1).uppercased() + key.dropFirst()
      case "upper": key.uppercased()
      case "more": key + "s"
      default: String(key.dropLast())
      }
    let text = try text("m.json").replacing("\"\(key)\"", with: "\"\(wrong)\"", maxReplacements: 1)
    try folder.makeFile("m.json", text)
    try folder.makeFile("b.aar", pack("b", contents: "new"))
    #expect(run("check", path("m.json")).ending == .status(.failed))
    let update = run("update", path("m.json"), path("b.aar"))
    #expect(update.ending == .status(.failed))
    #expect(update.messages.hasSuffix("No manifest was changed: 1 error\n"))
    #expect(try self.text("m.json") == text)
  }

  @Test
  func `an input of another type is identified, and is not changed`() throws {
    create()
    let manifest = """
      {"assetPackID": "a", "downloadPolicy": {"onDemand": {}}, "fileSelectors": [{"file": "a"}],
       "platforms": []}
      """
    try folder.makeFile("pack.json", manifest)
    try folder.makeFile("pack.aar", pack("x"))
    for (name, arguments) in [
      ("pack.json", "the manifest of a pack"), ("pack.aar", "an asset pack"),
      ("m.json.lock.json", "the version lock of a manifest"),
    ] {
      let before = try folder.contents(name)
      for refused in [
        run("check", path(name)), run("update", path(name), path("a.aar"), "--ios"),
        Captured(
          "download-manifest", "create", path("a.aar"), "-o", path(name), "--ios", "--force",
          "--download-base-url", base),
      ] {
        #expect(refused.ending == .status(.failed))
        #expect(
          refused.messages.contains(
            "\(path(name)): error: this is \(arguments), not a download manifest"))
      }
      #expect(try folder.contents(name) == before)
    }
  }

  @Test
  func `an update keeps comments and layout, and writes the changes`() throws {
    create()
    let commented = try text("m.json")
      .replacing("{\n  \"assetPacks\"", with: "// Served since May.\n{\n  assetPacks")
      .replacing("\"version\": 0", with: "\"version\": 0, // counted by one")
      .replacing(", // counted by one,", with: ", // counted by one")
    try folder.makeFile("m.json", commented, mode: 0o600)
    try folder.makeFile("b.aar", pack("b", contents: "new"))
    try folder.makeFile("c.aar", pack("c"))
    let update = run("update", path("m.json"), path("b.aar"), path("c.aar"), "--remove", "a")
    #expect(update.ending == .status(.done), "\(update.messages)")
    let text = try text("m.json")
    #expect(text.hasPrefix("// Served since May.\n{\n  assetPacks: ["))
    #expect(text.contains("\"version\": 1, // counted by one\n"))
    #expect(text.contains("\"id\": \"c\",\n      \"url\": \"\(base)/c\","))
    #expect(!text.contains("\"a\""))
    #expect(run("check", path("m.json")).ending == .status(.done))
    let mode = try FileManager.default.attributesOfItem(atPath: path("m.json"))[.posixPermissions]
    #expect(mode as? Int == 0o600)
  }

  @Test
  func `the form of URLs is kept, so that a new version gets a new URL`() throws {
    create("--url-template", "{base}/{id}-{version}.aar")
    try folder.makeFile("b.aar", pack("b", contents: "new"))
    #expect(run("update", path("m.json"), path("b.aar")).ending == .status(.done))
    #expect(try text("m.json").contains("\(base)/b-1.aar"))
    #expect(run("check", path("m.json")).ending == .status(.done))
    try folder.makeFile("m.json", try text("m.json").replacing("b-1.aar", with: "b-0.aar"))
    let check = run("check", path("m.json"))
    #expect(check.ending == .status(.failed))
    #expect(check.messages.contains("version 1 of 'b' is not at the recorded address"))
  }

  @Test
  func `a rebuilt manifest continues its versions, or reports the reason`() throws {
    create("--asset-pack-versions", "7", "3")
    try folder.makeFile("b.aar", pack("b", contents: "new"))
    #expect(create("--force").ending == .status(.done))
    #expect(try text("m.json").contains("\"version\": 7"))
    #expect(try text("m.json").contains("\"version\": 4"))
    let lower = create("--force", "--asset-pack-versions", "0", "9")
    #expect(lower.ending == .status(.failed))
    #expect(lower.messages.contains("the version of 'a' decreases from 7 to 0"))
    try folder.remove("m.json")
    #expect(create("--force").messages.contains("version 4"))
    try folder.makeFile("m.json.lock.json", "{")
    let damaged = create("--force")
    #expect(damaged.ending == .status(.failed))
    #expect(damaged.messages.contains("\(path("m.json.lock.json")):1:2: error:"))
  }

  @Test
  func `an error of create is an object with the findings, or the reason, in JSON`() throws {
    try folder.makeFile("a.aar", pack("a", platforms: #""tvOS""#))
    try folder.makeFile("b.aar", "no pack")
    let findings = try json(create("--format", "json"))
    #expect(findings["written"]?.bool == false)
    let first = findings["findings"]?.elements.first { _ in true }
    #expect(first?["id"]?.string == "download.archive-unreadable")
    #expect(first?["path"]?.string == path("b.aar"))
    try folder.makeFile("b.aar", pack("b"))
    try folder.makeFile("m.json", "mine")
    let error = try json(create("--format", "json"))
    #expect(error["error"]?["message"]?.string == "'\(path("m.json"))' already exists")
    #expect(error["error"]?["remedy"]?.string?.isEmpty == false)
    let done = try json(create("-f", "-o", path("n.json"), "--format", "json"))
    #expect(done["written"]?.bool == true)
    let warning = done["findings"]?.elements.first { _ in true }
    #expect(warning?["id"]?.string == "download.platform")
    #expect(done["assetPacks"]?.elements.first { _ in true }?["uploadAs"]?.string == "b")
  }

  @Test
  func `'-o -' writes the manifest to standard output, and writes no file`() throws {
    let run = create("-o", "-")
    #expect(run.ending == .status(.done))
    #expect(create().ending == .status(.done))
    #expect(run.output == (try text("m.json")))
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    #expect(names == ["a.aar", "b.aar", "m.json", "m.json.lock.json"])
    #expect(!FileManager.default.fileExists(atPath: "-"))
    #expect(create("-o", "-", "--format", "json").ending == .status(.usage))
  }

  @Test
  func `--publish-to copies packs by their URLs, and replaces files only with --force`() throws {
    func expectNoProblems() {
      let check = run("check", path("m.json"), "--archives", path("www"))
      #expect(check.messages == "\(path("m.json")): no problems\n")
    }
    let template = "{base}/v{version}/{id}.aar"
    let done = create("--url-template", template, "--publish-to", path("www"))
    #expect(done.ending == .status(.done), "\(done.messages)")
    #expect(done.messages.contains("Copied 2 packs to '\(path("www"))'."))
    #expect(try folder.contents("www/v0/a.aar") == folder.contents("a.aar"))
    expectNoProblems()
    try folder.makeFile("b.aar", pack("b", contents: "new"))
    let update = run(
      "update", path("m.json"), path("b.aar"), "--publish-to", path("www"), "--download-base-url",
      base, "--url-template", template)
    #expect(update.ending == .status(.done), "\(update.messages)")
    #expect(try folder.contents("www/v1/b.aar") == folder.contents("b.aar"))
    expectNoProblems()
    // Another publication of other bytes at the same URL.
    try folder.makeFile("a.aar", pack("a", contents: "other"))
    let refused = create(
      "-o", path("n.json"), "--url-template", template, "--publish-to", path("www"))
    #expect(refused.ending == .status(.failed))
    #expect(
      refused.messages.contains("'\(path("www"))/v0/a.aar' already exists with other bytes"))
    #expect(!FileManager.default.fileExists(atPath: path("n.json")))
  }

  @Test
  func `check finds packs in folders, and with names that a shell would split`() throws {
    create()
    try folder.makeFile("www/deep/down/a.aar", folder.contents("a.aar"))
    try folder.makeFile("www/b\tb.aar", folder.contents("b.aar"))
    try folder.makeFile("www/.hidden/c.aar", "nothing")
    let check = run("check", path("m.json"), "--archives", path("www"))
    #expect(check.ending == .status(.done), "\(check.messages)")
  }

  @Test
  func `info-plist counts the same packs as check`() throws {
    try folder.makeFile(
      "m.aar",
      pack(
        "m", policy: #"{"prefetch": {"installationEventTypes": ["firstInstallation"]}}"#,
        platforms: #""macOS""#))
    try folder.makeFile(
      "p.aar",
      pack(
        "p", contents: "123",
        policy: #"{"prefetch": {"installationEventTypes": ["firstInstallation"]}}"#,
        platforms: #""iOS""#))
    func plist(_ more: String...) -> Captured {
      Captured(
        [
          "download-manifest", "info-plist", path("a.aar"), path("m.aar"), path("p.aar"),
          "--download-base-url", base,
        ] + more)
    }
    let ios = plist("--platform", "iOS")
    #expect(ios.output == plist("--ios").output)
    #expect(ios.output.contains("<key>BAMaxInstallSize</key>\n\t<integer>3</integer>"))
    #expect(ios.messages.contains("'\(path("m.aar"))' is not for iOS and is ignored."))
    let none = plist()
    #expect(none.ending == .status(.failed))
    #expect(none.messages.contains("select one with --platform"))
    #expect(plist("--tvos", "--url-template", "https://{id}.b.com/x").ending == .status(.usage))
    #expect(plist("--ios", "--app-group-id", "a\u{1}").ending == .status(.usage))
  }
}
