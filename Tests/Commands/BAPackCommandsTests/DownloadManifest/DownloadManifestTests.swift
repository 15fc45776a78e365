import Arguments
import BAPackCommands
import Foundation
import SourceDiagnostics
import TestSupport
import Testing

/// Returns the archive of a pack with one file, written byte by byte.
func pack(
  _ id: String, contents: String = "hello", policy: String = #"{"onDemand": {}}"#,
  platforms: String = "", more: String = ""
) -> [UInt8] {
  var pack = PackBytes.beginning
  pack.addFile("Contents/a.txt", Array(contents.utf8))
  let manifest = """
    {"assetPackID": "\(id)", "downloadPolicy": \(policy), "fileSelectors": [{"file": "a.txt"}],
     "platforms": [\(platforms)]\(more)}
    """
  pack.addFile("Manifest.json", Array(manifest.utf8))
  return pack.container()
}

private let essential = #"{"essential": {"installationEventTypes": ["firstInstallation"]}}"#

@Suite("download-manifest")
final class DownloadManifestTests {
  let folder: TemporaryFolder
  let base = "https://downloads.example.com/packs"

  init() throws {
    folder = try TemporaryFolder()
    try folder.makeFile("a.aar", pack("a"))
    try folder.makeFile("b.aar", pack("b", contents: "hello, hello", policy: essential))
  }

  private func path(_ name: String) -> String { folder.path(name) }

  private func create(_ more: String...) -> Captured {
    Captured(
      ["download-manifest", "create", path("a.aar"), path("b.aar"), "-o", path("m.json")] + more)
  }

  private func update(_ more: String...) -> Captured {
    Captured(["download-manifest", "update", path("m.json")] + more)
  }

  private func text(_ name: String) throws -> String {
    String(decoding: try folder.contents(name), as: UTF8.self)
  }

  private func versions() throws -> [String] {
    try text("m.json").split(separator: "\n").filter { $0.contains("\"version\"") }
      .map { $0.filter(\.isNumber) }
  }

  @Test
  func `leftovers of a killed run next to a manifest are removed, and reported`() throws {
    try folder.makeFile("pack.json", #"{"platforms": ["ios"]}"#)
    for run in [
      { self.create("--ios", "--download-base-url", self.base) },
      { self.update(self.path("a.aar")) },
      { Captured("validate", "--fix", "--no-files", self.path("pack.json")) },
    ] {
      try folder.makeFile(".ba-package-0a1b2c.tmp", "half of it")
      #expect(
        run().messages.hasPrefix(
          "Removed '\(path(".ba-package-0a1b2c.tmp"))', left over from an interrupted run.\n"))
      #expect(!FileManager.default.fileExists(atPath: path(".ba-package-0a1b2c.tmp")))
    }
  }

  @Test
  func `create writes the manifest and its record, and reports it on standard error`() throws {
    let run = create("--ios", "--download-base-url", base)
    #expect(run.ending == .status(.done))
    #expect(run.output == "")
    let lines = run.messages.split(separator: "\n")
    #expect(
      lines.dropLast() == [
        "'a': added as version 0", "'b': added as version 0",
        "Upload '\(path("a.aar"))' as 'a'.", "Upload '\(path("b.aar"))' as 'b'.",
        """
        Created '\(path("m.json")).lock.json', the version lock of these packs. Keep it with the \
        manifest.
        """,
      ])
    #expect(lines.last?.hasPrefix("\(path("m.json")): 2 packs for iOS, ") == true)
    #expect(lines.last?.hasSuffix(" to download: 2 added") == true)
    #expect(try text("m.json").contains("\"url\": \"\(base)/a\""))
    #expect(try text("m.json.lock.json").contains("\"platform\": \"iOS\""))
    #expect(try versions() == ["0", "0"])
  }

  @Test
  func `an existing manifest or record is an error without --force`() throws {
    try folder.makeFile("m.json", "mine")
    let refused = create("--ios", "--download-base-url", base)
    #expect(refused.ending == .status(.failed))
    #expect(
      refused.messages == """
        Error: '\(path("m.json"))' already exists
        hint: use 'download-manifest update', or use --force to replace it; versions never decrease

        """)
    #expect(try text("m.json") == "mine")
    // The versions in an unreadable manifest are unknown.
    let unreadable = create("--ios", "--download-base-url", base, "--force")
    #expect(unreadable.ending == .status(.failed))
    #expect(unreadable.messages.contains("remove it if it was never published"))
    #expect(try text("m.json") == "mine")
    try folder.remove("m.json")
    #expect(create("--ios", "--download-base-url", base).ending == .status(.done))
    #expect(create("--ios", "--download-base-url", base, "--force").ending == .status(.done))
    try folder.remove("m.json")
    let record = create("--ios", "--download-base-url", base)
    #expect(record.messages.hasPrefix("Error: '\(path("m.json.lock.json"))' already exists\n"))
  }

  @Test
  func `versions are in the order of the packs, exactly one for each`() throws {
    let done = create(
      "--ios", "--download-base-url", base, "--asset-pack-versions", "7", "3")
    #expect(done.ending == .status(.done))
    #expect(try versions() == ["7", "3"])
    let few = create("--ios", "--download-base-url", base, "--asset-pack-versions", "7")
    #expect(few.ending == .status(.usage))
    #expect(few.messages.contains("but '\(path("b.aar"))' has no version: 2 packs, 1 version\n"))
    let many = create("--ios", "--download-base-url", base, "--asset-pack-versions=1", "2", "3")
    #expect(many.ending == .status(.usage))
    let negative = create("--ios", "--download-base-url", base, "--asset-pack-versions=-1", "2")
    #expect(negative.ending == .status(.usage))
  }

  @Test
  func `a missing required option is named`() {
    #expect(create("--download-base-url", base).messages.contains("'--ios', '--macos'"))
    #expect(create("--ios").messages.contains("'--download-base-url <url>'"))
    #expect(
      create("--ios", "--tvos", "--download-base-url", base).messages
        .contains("'--ios' and '--tvos' cannot be used together"))
    let http = create("--ios", "--download-base-url", "http://localhost")
    #expect(http.ending == .status(.usage))
    #expect(http.messages.contains("use --allow-http for a test server"))
    #expect(
      create("--ios", "--download-base-url", "http://localhost", "--allow-http").ending
        == .status(.done))
  }

  @Test
  func `every archive that cannot be published is reported, and no file is written`() throws {
    try folder.makeFile("a.aar", pack("a", platforms: #""tvOS""#))
    try folder.makeFile("b.aar", pack("b", platforms: #""macOS""#))
    let platform = create("--ios", "--download-base-url", base)
    #expect(platform.ending == .status(.failed))
    #expect(platform.messages.contains("the pack 'a' supports 'tvOS' and is omitted"))
    #expect(platform.messages.contains("the pack 'b' supports 'macOS' and is omitted"))
    #expect(platform.messages.contains("no pack supports 'iOS'"))
    #expect(platform.messages.hasSuffix("No files were written: 1 error and 2 warnings\n"))
    try folder.makeFile("a.aar", "no archive")
    try folder.remove("b.aar")
    let unreadable = create("--ios", "--download-base-url", base)
    #expect(unreadable.messages.contains("\(path("a.aar")): error: cannot read"))
    #expect(unreadable.messages.contains("\(path("b.aar")): error: cannot open"))
    #expect(throws: (any Error).self) { try text("m.json") }
    #expect(throws: (any Error).self) { try text("m.json.lock.json") }
  }

  @Test
  func `an archive without a valid manifest is an error with the reason`() throws {
    try folder.makeFile("a.aar", PackBytes.beginning.container())
    try folder.makeFile("b.aar", pack("b", policy: "{}"))
    let refused = create("--ios", "--download-base-url", base)
    #expect(refused.messages.contains("'\(path("a.aar"))' contains no 'Manifest.json'"))
    #expect(refused.messages.contains("the manifest in '\(path("b.aar"))' is not valid:"))
  }

  @Test
  func `update increments changed packs, and accepts the options of Apple's tool`() throws {
    _ = create("--ios", "--download-base-url", base)
    try folder.makeFile("c.json", pack("c"))
    try folder.makeFile("a.json", pack("a", contents: "HELLO"))
    let run = update(
      "--asset-pack-paths", path("a.json"), path("b.aar"), "--asset-pack-paths", path("c.json"),
      "--ios", "--download-base-url", base + "/")
    #expect(run.ending == .status(.done))
    #expect(
      run.messages.split(separator: "\n").dropLast() == [
        "'a': version 0 -> 1, its bytes differ from those of version 0",
        "'b': unchanged, version 0", "'c': added as version 0",
        "Upload '\(path("a.json"))' as 'a'.", "Upload '\(path("b.aar"))' as 'b'.",
        "Upload '\(path("c.json"))' as 'c'.",
      ])
    #expect(try versions() == ["1", "0", "0"])
    #expect(update(path("a.json"), "-q").messages == "")
    #expect(try versions() == ["1", "0", "0"])
  }

  @Test
  func `update keeps the platform, and another one is an error`() throws {
    _ = create("--ios", "--download-base-url", base)
    let other = update(path("a.aar"), "--macos")
    #expect(other.ending == .status(.failed))
    #expect(other.messages.contains("is for iOS, not for macOS"))
    try folder.remove("m.json.lock.json")
    let unknown = update(path("a.aar"))
    #expect(unknown.messages.contains("the platform of '\(path("m.json"))' is unknown"))
    #expect(try versions() == ["0", "0"])
  }

  @Test
  func `update without a record reports its assumptions, and writes a new one`() throws {
    _ = create("--ios", "--download-base-url", base)
    try folder.remove("m.json.lock.json")
    let run = update(path("a.aar"), "--ios")
    #expect(run.ending == .status(.done))
    #expect(
      run.messages.contains(
        "warning: 'a' is treated as changed: there is no '\(path("m.json.lock.json"))'"))
    #expect(run.messages.contains("the version lock of these packs"))
    #expect(try versions() == ["1", "0"])
    #expect(update(path("a.aar")).messages.contains("'a': unchanged, version 1"))
  }

  @Test
  func `a damaged manifest or record stops the update, and no file is changed`() throws {
    _ = create("--ios", "--download-base-url", base)
    try folder.makeFile("a.aar", pack("a", contents: "new"))
    let whole = try text("m.json.lock.json")
    try folder.makeFile("m.json.lock.json", "{")
    let record = update(path("a.aar"))
    #expect(record.ending == .status(.failed))
    #expect(record.messages.contains("\(path("m.json.lock.json")):1:2: error:"))
    try folder.makeFile("m.json.lock.json", whole)
    try folder.makeFile("m.json", #"{"assetPacks": [{"id": "a"}]}"#)
    let manifest = update(path("a.aar"))
    #expect(manifest.messages.contains("the pack 'a' must contain the key 'url'"))
    #expect(manifest.messages.hasSuffix("No manifest was changed: 4 errors\n"))
    #expect(try text("m.json.lock.json") == whole)
  }

  @Test
  func `removing a pack warns that devices delete it`() throws {
    _ = create("--ios", "--download-base-url", base)
    let run = update("--remove", "a")
    #expect(run.ending == .status(.done))
    #expect(
      run.messages.contains(
        "warning: the pack 'a' is removed from the manifest: devices delete "
          + "it"))
    #expect(try versions() == ["0"])
    #expect(update("--remove", "a").ending == .status(.failed))
    #expect(
      update().messages.contains("Missing packs: specify archives, or '--remove <id>'"))
  }

  @Test
  func `the report as JSON has the action of every pack`() throws {
    _ = create("--ios", "--download-base-url", base)
    try folder.makeFile("a.aar", pack("a", contents: "HELLO"))
    let run = update(path("a.aar"), "--remove", "b", "--format", "json")
    let document = JSONDocument(parsing: SourceText(Array(run.output.utf8), named: "out"))
    #expect(document.findings.isEmpty)
    #expect(document.root?["manifest"]?.string == path("m.json"))
    #expect(document.root?["platform"]?.string == "iOS")
    let packs = document.root?["assetPacks"].map { Array($0.elements) } ?? []
    #expect(packs.map { $0["action"]?.string } == ["raised", "removed"])
    #expect(packs.first?["version"]?.number == "1")
    #expect(packs.first?["previousVersion"]?.number == "0")
    #expect(packs.first?["sha256"]?.string?.count == 64)
  }

  @Test
  func `check accepts published packs, and reports changed ones`() throws {
    _ = create("--ios", "--download-base-url", base)
    let right = Captured(
      ["download-manifest", "check", path("m.json"), "--archives", folder.path])
    #expect(right.ending == .status(.done))
    #expect(right.messages.contains("note: upload '\(path("a.aar"))' as 'a', and 1 more file"))
    #expect(right.messages.hasSuffix("\(path("m.json")): 1 note\n"))
    try folder.makeFile("a.aar", pack("a", contents: "HELLO"))
    let wrong = Captured(
      ["download-manifest", "check", path("m.json"), "--archives", folder.path])
    #expect(wrong.ending == .status(.failed))
    #expect(wrong.messages.contains("the bytes of 'a' changed, but its version is still 0"))
  }

  @Test
  func `check compares with the earlier manifest and with the property list`() throws {
    _ = create("--ios", "--download-base-url", base)
    try folder.makeFile("old.json", folder.contents("m.json"))
    let plist = Captured([
      "download-manifest", "info-plist", path("a.aar"), path("b.aar"), "--download-base-url", base,
      "--manifest-url", "https://www.example.com/m.json", "--app-group-id", "group.a",
    ])
    #expect(plist.ending == .status(.done))
    #expect(plist.messages == "")
    try folder.makeFile("Info.plist", plist.output)
    func check(_ more: String...) -> Captured {
      Captured(
        [
          "download-manifest", "check", path("m.json"), "--previous", path("old.json"),
          "--info-plist", path("Info.plist"),
        ] + more)
    }
    #expect(check("--archives", folder.path).ending == .status(.done))
    try folder.makeFile("Info.plist", plist.output.replacing("<integer>12<", with: "<integer>11<"))
    #expect(check().ending == .status(.done))
    let small = check("--archives", folder.path, "--format", "json")
    #expect(small.ending == .status(.failed))
    #expect(small.output.contains("BAEssentialMaxInstallSize is 11"))
    _ = update("--remove", "a")
    #expect(check().ending == .status(.done))
    let strict = check("--strict")
    #expect(strict.ending == .status(.failed))
    #expect(strict.messages.contains("the pack 'a' of '\(path("old.json"))' is missing"))
  }

  @Test
  func `info-plist prints the list on standard output, and other keys as messages`() {
    let arguments = [
      "download-manifest", "info-plist", path("a.aar"), path("b.aar"), "--download-base-url", base,
    ]
    let run = Captured(arguments + ["--headroom", "50%"])
    #expect(run.output.hasPrefix("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE plist "))
    // 12 bytes and half of that; on-demand packs do not count.
    #expect(run.output.contains("<key>BAMaxInstallSize</key>\n\t<integer>0</integer>"))
    #expect(run.output.contains("<key>BAEssentialMaxInstallSize</key>\n\t<integer>18</integer>"))
    #expect(
      run.messages
        == "Add 'BAManifestURL' and 'BAAppGroupID' to the file, or use --manifest-url and "
        + "--app-group-id.\n")
    let json = Captured(arguments + ["--unmanaged", "--format", "json", "--quiet"])
    #expect(json.output.hasPrefix("{\"BAEssentialMaxInstallSize\":12,"))
    #expect(json.messages == "")
    #expect(Captured(arguments + ["--headroom", "much"]).ending == .status(.usage))
    let twice = Captured(arguments + [path("a.aar"), "--headroom", "0%"])
    #expect(twice.ending == .status(.failed))
    #expect(twice.messages.contains("the pack 'a' is given twice"))
  }
}
