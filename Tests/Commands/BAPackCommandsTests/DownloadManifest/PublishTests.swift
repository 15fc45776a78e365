import Arguments
import Foundation
import TestSupport
import Testing

@testable import BAPackCommands

/// `download-manifest publish` and `rollback` with a folder as the destination.
@Suite(.mustEnd, .needs("rclone")) struct PublishTests {
  private static let urls = [
    "--download-base-url", "https://cdn.example.com/packs", "--url-template",
    "{base}/{id}-{version}.aar",
  ]

  /// A folder with a pack of these texts, and its first release.
  private static func release(_ text: String) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try pack(text, in: folder)
    let messages = run(folder, "create", ["--ios", "-o", folder.path("ios.json")])
    #expect(messages == "")
    return folder
  }

  private static func pack(_ text: String, in folder: borrowing TemporaryFolder) throws {
    try folder.makeFile("a.txt", Array(text.utf8))
    try folder.makeFile(
      "cave.json",
      #"""
      {"assetPackID": "cave", "downloadPolicy": {"onDemand": {}}, "platforms": [],
       "fileSelectors": [{"file": "a.txt"}]}
      """#)
    let pack = Captured(
      "pack", folder.path("cave.json"), "--source-root", folder.path, "-o",
      folder.path("cave.aar"), "--force")
    #expect(pack.ending == .status(.done), "\(pack.messages)")
  }

  /// Runs `create` or `update`; returns the messages of an error.
  private static func run(
    _ folder: borrowing TemporaryFolder, _ command: String, _ arguments: [String],
    urls: [String] = urls
  ) -> String {
    let run = Captured(
      ["download-manifest", command] + arguments + [folder.path("cave.aar")] + urls
        + ["--publish-to", folder.path("site/packs")])
    return run.ending == .status(.done) ? "" : run.messages
  }

  private static func update(_ folder: borrowing TemporaryFolder, _ text: String) throws {
    try pack(text, in: folder)
    let messages = run(folder, "update", [folder.path("ios.json")])
    #expect(messages == "")
  }

  private static func publish(_ folder: borrowing TemporaryFolder, to place: String = "live")
    -> Captured
  {
    Captured(
      "download-manifest", "publish", folder.path(place), folder.path("ios.json"), "--files",
      folder.path("site"))
  }

  private static func files(_ folder: borrowing TemporaryFolder) throws -> Set<String> {
    Set(
      try FileManager.default.subpathsOfDirectory(atPath: folder.path("live"))
        .filter { $0 != "packs" })
  }

  @Test(.heavy) func `packs and manifest are published, and the former manifest comes back`()
    throws
  {
    let folder = try Self.release("one")
    let first = Self.publish(folder)
    #expect(first.ending == .status(.done), "\(first.messages)")
    #expect(first.messages.contains("ios.json: published 1 pack"))
    #expect(try Self.files(folder) == ["ios.json", "packs/cave-0.aar"])
    let one = try folder.contents("live/ios.json")
    #expect(one == (try folder.contents("ios.json")))
    #expect(Self.publish(folder).messages.contains("ios.json: already published"))
    try Self.update(folder, "two and more")
    #expect(Self.publish(folder).ending == .status(.done))
    #expect(
      try Self.files(folder)
        == ["ios.json", "ios.json.former", "packs/cave-0.aar", "packs/cave-1.aar"])
    let two = try folder.contents("live/ios.json")
    #expect(two == (try folder.contents("ios.json")))
    // A second run keeps the former manifest.
    #expect(Self.publish(folder).ending == .status(.done))
    #expect(try folder.contents("live/ios.json.former") == one)
    let back = Captured("download-manifest", "rollback", folder.path("live"), "ios.json")
    #expect(back.ending == .status(.done), "\(back.messages)")
    #expect(try folder.contents("live/ios.json") == one)
    #expect(try folder.contents("live/ios.json.former") == two)
  }

  @Test(.heavy) func `an interrupted transfer is continued`() throws {
    let folder = try Self.release("one")
    #expect(Self.publish(folder).ending == .status(.done))
    try Self.update(folder, "two and more")
    // A part of the archive, and the manifest under its other name.
    let archive = try folder.contents("site/packs/cave-1.aar")
    try folder.makeFile("live/packs/cave-1.aar", Array(archive.prefix(9)))
    try folder.makeFile("live/ios.json.new", [])
    let run = Self.publish(folder)
    #expect(run.ending == .status(.done), "\(run.messages)")
    #expect(try folder.contents("live/packs/cave-1.aar") == archive)
    #expect(!FileManager.default.fileExists(atPath: folder.path("live/ios.json.new")))
  }

  @Test func `a manifest without its packs is not published`() throws {
    let folder = try Self.release("one")
    try FileManager.default.removeItem(atPath: folder.path("site/packs/cave-0.aar"))
    try folder.makeFile("site/packs/other.aar", [1])
    let run = Self.publish(folder)
    #expect(run.ending == .status(.failed))
    #expect(run.messages.contains("'ios.json' was not published: no file for 'cave'"))
    try folder.makeFile("site/packs/cave-0.aar", [1])
    let small = Self.publish(folder)
    #expect(small.messages.contains("'packs/cave-0.aar' has 1 bytes instead of"))
    #expect(!FileManager.default.fileExists(atPath: folder.path("live/ios.json")))
  }

  @Test(.heavy) func `an address with other bytes and a lower version are refused`() throws {
    let folder = try TemporaryFolder()
    let fixed = ["--download-base-url", "https://cdn.example.com/packs"]
    try Self.pack("one", in: folder)
    let create = ["--ios", "-o", folder.path("ios.json")]
    #expect(Self.run(folder, "create", create, urls: fixed) == "")
    #expect(Self.publish(folder).ending == .status(.done))
    let live = try folder.contents("live/packs/cave")
    let before = try folder.contents("ios.json")
    try Self.pack("two and more", in: folder)
    try FileManager.default.removeItem(atPath: folder.path("site/packs/cave"))
    #expect(Self.run(folder, "update", [folder.path("ios.json")], urls: fixed) == "")
    let run = Self.publish(folder)
    #expect(run.ending == .status(.failed))
    #expect(run.messages.contains("is published with other bytes"), "\(run.messages)")
    #expect(try folder.contents("live/packs/cave") == live)
    try folder.makeFile("live/ios.json", try folder.contents("ios.json"))
    try folder.makeFile("ios.json", before)
    let lower = Self.publish(folder)
    #expect(lower.messages.contains("and version 1 is published"), "\(lower.messages)")
  }

  @Test func `without a former manifest, nothing is rolled back`() throws {
    let folder = try Self.release("one")
    #expect(Self.publish(folder).ending == .status(.done))
    let back = Captured("download-manifest", "rollback", folder.path("live"), "ios.json")
    #expect(back.ending == .status(.failed))
    #expect(back.messages.contains("there is no former manifest"), "\(back.messages)")
  }

  @Test func `a wrong destination is an error without its address`() throws {
    let folder = try Self.release("one")
    let place = ":webdav,url='http://127.0.0.1:1/planted':"
    let run = Captured(
      "download-manifest", "publish", place, folder.path("ios.json"), "--files",
      folder.path("site"))
    #expect(run.ending == .status(.failed))
    #expect(run.messages.contains("rclone ended with status"), "\(run.messages)")
    #expect(!run.messages.contains("planted"))
  }
}
