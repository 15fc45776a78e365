import Foundation
import SourceDiagnostics
import SystemIO
import TestSupport
import Testing

@testable import BAPackKit

/// `verify --against` reports every difference to a new pack.
@Suite("Against the source") final class AgainstSourceTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.makeFile("in/a/x.txt", "x", mode: 0o640)
    try folder.makeFile("in/run", "#!", mode: 0o755)
    try folder.makeFolder("in/empty", mode: 0o750)
    for (index, name) in ["in/a/x.txt", "in/run", "in/empty", "in/a"].enumerated() {
      try setTime(name, 1_500_000_000 + index)
    }
  }

  private func setTime(_ name: String, _ seconds: Int) throws {
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: Double(seconds))],
      ofItemAtPath: folder.path(name))
  }

  private func source() throws -> Verification.Source {
    let document = ManifestDocument(
      parsing: PackBytes.manifest(selecting: [#"{"directory": "."}"#]), named: "m")
    let root = try SourceRoot(opening: folder.path("in"), .unstoppable)
    return Verification.Source(
      try #require(document.manifest),
      try Selection.resolve(document, in: root, .unstoppable).selection,
      in: root)
  }

  private func pack(_ metadata: PackSettings.Metadata) throws {
    let source = try source()
    let plan = try PackPlan(
      source.manifest, source.selection, from: source.root,
      settings: PackSettings(metadata: metadata))
    _ = try PackSeries.Job(plan, to: folder.path("a.aar")).pack(.unstoppable)
  }

  private func differences() throws -> [String] {
    try Verification().verify(folder.path("a.aar"), against: [try source()], .unstoppable).findings
      .map(\.message)
  }

  private static let changes: [(String, @Sendable (AgainstSourceTests) throws -> Void)] = [
    ("'a/x.txt' has the mode 640", { try $0.folder.setMode("in/a/x.txt", 0o600) }),
    ("'run' has the mode 755", { try $0.folder.setMode("in/run", 0o711) }),
    ("'empty' has the mode 750", { try $0.folder.setMode("in/empty", 0o755) }),
    (
      "'run' has the modification time 2017-07-14T02:40:01Z instead of 2017-07-14T02:40:09Z",
      { try $0.setTime("in/run", 1_500_000_009) }
    ),
    (
      "'a' has the modification time 2017-07-14T02:40:03Z",
      { try $0.setTime("in/a", 1_600_000_000) }
    ),
  ]

  @Test(arguments: 0..<5)
  func `metadata of the source files are compared`(index: Int) throws {
    let (message, change) = Self.changes[index]
    try pack(.preserved)
    #expect(try differences() == [])
    try change(self)
    let found = try differences()
    #expect(found.count == 1, "\(found)")
    #expect(found.first?.hasPrefix(message) == true, "\(found)")
  }

  @Test(arguments: 0..<5)
  func `a pack without metadata does not differ in metadata`(index: Int) throws {
    try pack(.fixed)
    #expect(try differences() == [])
    try Self.changes[index].1(self)
    #expect(try differences() == [])
  }

  @Test
  func `owners are compared`() throws {
    let status = try source().selection[0].metadata
    var pack = PackBytes.beginning
    pack.add(
      type: "D",
      [
        PackBytes.path("Contents/a"), Array("UID4".utf8) + PackBytes.little(77_777, 4),
        Array("GID4".utf8) + PackBytes.little(88_888, 4),
      ])
    pack.addManifest(selecting: [#"{"directory": "."}"#])
    try folder.makeFile("a.aar", pack.stream)
    #expect(
      try differences().contains(
        "'a' has the owner 77777 instead of \(status?.userID ?? 0); the group 88888 instead of "
          + "\(status?.groupID ?? 0)"))
  }

  @Test(arguments: [
    (#"{"a": 1, "b": [1, "x"]}"#, #"{"b": [1.0, "\u0078"], "a": 10e-1}"#, true),
    (#"{"a": {"x": 0.50, "y": null}}"#, #"{"a": {"y": null, "x": 5E-1}}"#, true),
    (#"{"a": -0}"#, #"{"a": 0}"#, true),
    (#"{"a": 1}"#, #"{"a": 2}"#, false),
    (#"{"a": 9007199254740993}"#, #"{"a": 9007199254740992}"#, false),
    (#"{"a": 1e400}"#, #"{"a": 1e401}"#, false),
    (#"{"a": [1, 2]}"#, #"{"a": [2, 1]}"#, false),
    (#"{"a": 1}"#, #"{"a": "1"}"#, false),
    (#"{"a": 1}"#, #"{"b": 1}"#, false),
    (#"{"a": true}"#, #"{"a": 1}"#, false),
    ("{\"a\": \"\u{E9}\"}", "{\"a\": \"e\u{301}\"}", false),
  ])
  func `userInfo is compared by its value`(left: String, right: String, isSame: Bool) throws {
    func manifest(_ userInfo: String) -> ManifestDocument {
      let text = PackBytes.manifest(selecting: [#"{"directory": "."}"#])
      return ManifestDocument(
        parsing: Array(
          String(decoding: text, as: UTF8.self).replacing(
            #""platforms": []"#, with: #""platforms": [], "userInfo": \#(userInfo)"#
          ).utf8), named: "m")
    }
    func compare(_ left: String, _ right: String) throws -> [String] {
      let root = try SourceRoot(opening: folder.path("in"), .unstoppable)
      let packed = try #require(manifest(left).manifest)
      let selection = try Selection.resolve(manifest(left), in: root, .unstoppable).selection
      let plan = try PackPlan(packed, selection, from: root, settings: PackSettings())
      var options = PackSeries.Options()
      options.replacesExisting = true
      _ = try PackSeries.Job(plan, to: folder.path("a.aar")).pack(.unstoppable, options)
      let source = Verification.Source(
        try #require(manifest(right).manifest), selection, in: root)
      return try Verification().verify(folder.path("a.aar"), against: [source], .unstoppable)
        .findings
        .map(\.message)
    }
    let differs = ["the pack's manifest differs in 'userInfo'"]
    #expect(try compare(left, right) == (isSame ? [] : differs))
    #expect(try compare(right, left) == (isSame ? [] : differs))
    let archive = try PublishedArchive(reading: folder.path("a.aar"), .unstoppable)
    let published = PublishedPack(
      id: archive.id, url: "https://example.com/a.aar", version: 1, downloadSize: archive.size,
      downloadPolicy: archive.manifest.downloadPolicy,
      userInfo: manifest(left).manifest?.userInfo)
    let document = DownloadManifestDocument(
      parsing: DownloadManifest(packs: [published]).json(), named: "d")
    var check = DownloadManifestCheck(document)
    check.archives = ArchiveFolder(path: folder.path, archives: [archive])
    let ids = check.findings().map(\.id.name)
    #expect(ids.contains("download.pack-differs") == !isSame, "\(ids)")
  }
}

extension TemporaryFolder {
  fileprivate borrowing func setMode(_ name: String, _ mode: Int) throws {
    try FileManager.default.setAttributes(
      [.posixPermissions: mode], ofItemAtPath: path(name))
  }
}
