import BAPackKit
import Foundation
import SourceDiagnostics
import SystemIO
import TestSupport
import Testing

@testable import AppStoreConnect
@testable import AppStoreMock

/// Uploads that are killed at any point, and the next run.
@Suite(.mustEnd) struct KilledUploadTests {
  private func check(_ desk: UploadDesk, _ moments: [Int]) throws {
    let mock = desk.mock
    #expect(mock.packs.count == 1, "\(moments)")
    #expect(mock.versions.map(\.state) == [.processing], "\(moments)")
    #expect(mock.mockFiles.count == 1, "\(moments)")
    #expect(mock.commits == 1, "\(moments)")
    #expect(try mock.bytes(ofVersion: 1) == desk.folder.contents("cave.aar"), "\(moments)")
  }

  @Test func `after a kill at any point, the next run completes one version once`()
    throws
  {
    var moment = 0
    while true {
      let (desk, isLast) = try UploadDesk.run(killedAt: [moment])
      try check(desk, [moment])
      if isLast { break }
      moment += 1
    }
    #expect(moment > 14)
  }

  @Test(.heavy) func `an upload that is killed twice creates one complete version`() throws {
    // Each point of the first run, before and after requests of the second one.
    for first in 0..<20 {
      for second in stride(from: first % 3, to: 20, by: 3) {
        let (desk, _) = try UploadDesk.run(killedAt: [first, second])
        try check(desk, [first, second])
      }
    }
  }

  @Test(arguments: ["/v1/backgroundAssetVersions", "/v1/backgroundAssetUploadFiles"])
  func `a request of a killed run that arrives during the next run is not repeated`(
    path: String
  ) throws {
    let desk = try UploadDesk()
    desk.mock.interference = { method, seen, _ in
      method == "POST" && seen == path ? .killAndDelay : nil
    }
    #expect(throws: PackError.self) { try desk.upload() }
    desk.mock.revive()
    desk.whilePausing = { [mock = desk.mock] _ in mock.applyDelayed() }
    _ = try desk.upload()
    #expect(desk.pauses.count == 1)
    try check(desk, [])
    // Without a request in progress there is no pause.
    desk.mock.interference = { method, seen, _ in
      method == "POST" && seen == path ? .killBefore : nil
    }
    try desk.write(4000, seed: 9)
    #expect(throws: PackError.self) { try desk.upload() }
    desk.mock.revive()
    desk.advance(60)
    _ = try desk.upload()
    #expect(desk.pauses.count == 1)
  }

  @Test func `parts that were received before a kill are not sent again`() throws {
    let desk = try UploadDesk(9000)
    desk.mock.interference = { _, path, number in
      path.hasPrefix("/upload") && number == 5 ? .killBefore : nil
    }
    #expect(throws: PackError.self) { try desk.upload() }
    desk.mock.revive()
    try desk.upload()
    #expect(desk.mock.puts == [0, 1, 2, 3, 4, 5, 6, 7, 8])
    #expect(
      desk.notices.contains { if case .remark(.resumes(_, 5000)) = $0 { true } else { false } })
  }

  @Test func `after seven days a new version is created`() throws {
    let desk = try UploadDesk()
    desk.mock.interference = { _, path, number in
      path.hasPrefix("/upload") && number == 2 ? .killBefore : nil
    }
    #expect(throws: PackError.self) { try desk.upload() }
    desk.mock.revive()
    desk.advance(8 * 86_400)
    #expect(try desk.upload()?.number == 2)
    // The new version had no uploaded parts.
    #expect(!desk.notices.contains { if case .remark(.resumes) = $0 { true } else { false } })
  }

  @Test func `the next run removes the files of a killed run, and keeps locks in use`() throws {
    let desk = try UploadDesk()
    try desk.upload()
    let folder = "state/app-store/mock.test/42"
    let temporary = String(decoding: TemporaryName.make().bytes, as: UTF8.self)
    for name in ["cave.json.lock", "gone.json.lock", temporary] {
      try desk.folder.makeFile("\(folder)/\(name)", "")
    }
    let busy = try desk.journals()
    _ = try busy.lock("busy")
    try desk.write(1000, seed: 3)
    #expect(try desk.upload()?.number == 2)
    let names = try FileManager.default.contentsOfDirectory(atPath: desk.folder.path(folder))
    #expect(names.sorted() == ["busy.json.lock", "cave.json"])
    try busy.save(try busy.lock("busy"))
  }

  @Test func `a journal is written under its lock, even if it was not read before`() throws {
    let desk = try UploadDesk()
    let journals = try desk.journals()
    try journals.save(UploadJournal(of: "cave"))
    let lock = desk.folder.path("state/app-store/mock.test/42/cave.json.lock")
    #expect(FileManager.default.fileExists(atPath: lock))
    withExtendedLifetime(journals) {}
  }

  @Test func `another archive uses only the version without a file`() throws {
    for (path, versions) in [
      ("/v1/backgroundAssetUploadFiles", 1), ("/upload", 2),
    ] {
      let desk = try UploadDesk()
      desk.mock.interference = { method, seen, _ in
        method != "GET" && seen.hasPrefix(path) ? .killBefore : nil
      }
      #expect(throws: PackError.self) { try desk.upload() }
      desk.mock.revive()
      try desk.write(1234, seed: 8)
      #expect(try desk.upload()?.number == versions)
      #expect(try desk.mock.bytes(ofVersion: versions) == desk.folder.contents("cave.aar"))
    }
  }

  @Test func `an archive with a lost response is recorded before the next one`() throws {
    let desk = try UploadDesk()
    desk.mock.interference = { method, _, _ in method == "PATCH" ? .killAfter : nil }
    #expect(throws: PackError.self) { try desk.upload() }
    desk.mock.revive()
    try desk.write(1234, seed: 8)
    #expect(try desk.upload()?.number == 2)
    let journal = try desk.journals().journal(of: "cave")
    #expect(journal.delivered.map(\.version.number) == [1, 2])
  }

  @Test(arguments: [true, false])
  func `the newest archive is not sent again because another one was sent in part or whole`(
    arrives: Bool
  ) throws {
    let desk = try UploadDesk()
    let first = try desk.folder.contents("cave.aar")
    #expect(try desk.upload()?.number == 1)
    try desk.write(1234, seed: 8)
    desk.mock.interference = { method, _, _ in
      method == "PATCH" ? (arrives ? .killAfter : .killBefore) : nil
    }
    #expect(throws: PackError.self) { try desk.upload() }
    desk.mock.revive()
    // If the other archive arrived, it is the newest, and the first one becomes a version after it.
    try desk.folder.makeFile("cave.aar", first)
    #expect(try desk.upload()?.number == (arrives ? 3 : 1))
    #expect(desk.count("PATCH backgroundAssetUploadFiles") == (arrives ? 3 : 2))
    let version = try #require(desk.outcome?.version)
    #expect(desk.outcome == (arrives ? .uploaded(version) : .notNeeded(version)))
    #expect(try desk.journals().journal(of: "cave").delivered.count == (arrives ? 3 : 1))
    #expect(try desk.upload() == nil)
  }

  // MARK: The journal

  @Test func `only the user can read a journal, and links are refused`() throws {
    let desk = try UploadDesk()
    try desk.upload()
    let path = desk.folder.path("state/app-store/mock.test/42/cave.json")
    #expect(try FileStatus(ofFileAt: path).permissions == 0o600)
    let journal = try desk.journals().journal(of: "cave")
    #expect(journal.current == nil)
    #expect(journal.delivered.map(\.version.number) == [1])
    try desk.folder.makeFile("elsewhere", try Data(contentsOf: URL(filePath: path)).map { $0 })
    try FileManager.default.removeItem(atPath: path)
    try FileManager.default.createSymbolicLink(
      atPath: path, withDestinationPath: desk.folder.path("elsewhere"))
    #expect(throws: PackError.self) { try desk.journals().journal(of: "cave") }
    #expect(throws: PackError.self) { try desk.journals().save(journal) }
  }

  @Test(arguments: [
    "{", "[]", "{\"format\": \"app-store-uploads 2\", \"uploads\": []}",
    "{\"format\": \"app-store-uploads 1\", \"uploads\": [{\"service\": \"s\", \"app\": \"1\"}]}",
  ])
  func `an unreadable journal stops the upload with a hint`(text: String) throws {
    let desk = try UploadDesk()
    let path = "state/app-store/mock.test/42/cave.json"
    for folder in [
      "state", "state/app-store", "state/app-store/mock.test", "state/app-store/mock.test/42",
    ] {
      try desk.folder.makeFolder(folder)
    }
    try desk.folder.makeFile(path, text)
    let error = #expect(throws: PackError.self) { try desk.upload() }
    #expect(error?.remedies.count == 2)
    #expect(error?.message.contains("upload journal") == true)
    #expect(desk.changes.isEmpty)
    #expect(throws: PackError.self) { try desk.journals().save(UploadJournal(of: "cave")) }
    #expect(try desk.folder.contents(path) == Array(text.utf8))
  }

  @Test func `a record has separate entries for all apps and services`() throws {
    let desk = try UploadDesk()
    let path = desk.folder.path("uploads.json")
    func store(_ service: String, _ app: String) throws -> JournalStore {
      JournalStore(
        inRecord: path,
        of: JournalStore.Owner(try ServiceAddress(service), try #require(ResourceID(app))),
        .unstoppable)
    }
    for (service, app) in [("https://a", "1"), ("https://a", "2"), ("https://b", "1")] {
      let store = try store(service, app)
      for pack in ["x", "y"] {
        var journal = try store.lock(PackID(pack))
        #expect(journal.current == nil)
        journal.current = UploadJournal.Attempt(
          archive: .init(sha256: service + app + pack, size: 1), began: desk.now,
          phase: .making(above: 3))
        try store.save(journal)
      }
    }
    let kept = try store("https://b", "1").journal(of: "y")
    #expect(kept.current?.archive.sha256 == "https://b1y")
    #expect(kept.current?.phase == .making(above: 3))
    #expect(try FileStatus(ofFileAt: path).permissions == 0o600)
  }
}

struct UploadJournalTests {
  @Test(arguments: [
    #""step":"making","above":3"#, #""step":"reserving","versionID":"v","version":4"#,
    #""step":"sending","versionID":"v","version":4,"fileID":"f""#,
    #""step":"completing","versionID":"v","fileID":"f""#,
    #""step":"validating","versionID":"v","fileID":"f""#,
  ])
  func `a journal is written without changes`(_ step: String) throws {
    let text =
      #"{"pack":"cave","delivered":[{"versionID":"u","version":2,"sha256":"ab","bytes":7,"#
      + #""date":"2026-07-01T10:00:00Z"}],"current":{"sha256":"cd","bytes":9,"#
      + #""manifest":{"sha256":"ef","bytes":3},"manifestChecked":true,"#
      + #""began":"2026-07-02T10:00:00Z",\#(step),"sent":[[0,5,"aa","bb"],[5,9,"cc"]]}}"#
    let source = SourceText(Array(text.utf8), named: "journal")
    var findings = Ledger(about: source)
    let root = try #require(JSONDocument(parsing: source).root)
    let journal = try #require(UploadJournal.table.read(root, into: &findings), "\(findings.all)")
    #expect(UploadJournal.table.value(of: journal).description == text)
    try expectRoundTrip(journal)
    try expectRoundTrip(try #require(journal.current))
    try expectRoundTrip(try #require(journal.delivered.first))
  }

  @Test func `a part without a digest is sent again, and a wrong step is an error with its line`()
    throws
  {
    func read(_ rest: String) throws -> UploadRecord {
      let text = """
        {"format": "app-store-uploads 1", "uploads": [{"service": "h", "app": "1", "pack": "p",
          "delivered": [], "current": {"sha256": "cd", "bytes": 9, "began": "2026-07-02T10:00:00Z",
          \(rest)}}]}
        """
      return try UploadRecord.read(Array(text.utf8), named: "uploads.json").document
    }
    let record = try read(#""step": "making", "above": 1, "sent": [[0, 5]]"#)
    #expect(
      JSONWriter.string(.object(record.members), .compact).contains(#""above":1,"sent":[]"#))
    #expect(
      throws: StateFault.damaged(
        "line 3: 'step' must be 'making', 'reserving', 'sending', 'completing' or 'validating', "
          + "not 'leaving'")
    ) { try read(#""step": "leaving""#) }
  }
}
