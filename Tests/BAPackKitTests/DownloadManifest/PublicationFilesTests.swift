import BAPackKit
import Foundation
import SourceDiagnostics
import SystemIO
import TestSupport
import Testing

@Suite("A manifest and its record on disk")
struct PublicationFilesTests {
  private func publication(_ version: Int) throws -> Publication {
    DownloadManifest.create(
      from: [(.sample("a", content: "a"), version)], for: .iOS,
      at: try PackURLs(base: "https://d.example.com"))
  }

  private func names(_ folder: borrowing TemporaryFolder) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
  }

  @Test("what is written is what is read, and nothing else is left")
  func roundTrip() throws {
    let folder = try TemporaryFolder()
    let files = PublicationFiles(folder.path("m.json"))
    #expect(!files.exist)
    #expect(try files.readRecord() == nil)
    let first = try publication(3)
    try files.write(first, replacing: false)
    #expect(try names(folder) == ["m.json", "m.json.lock.json"])
    #expect(try files.readManifest().manifest == first.manifest)
    #expect(try files.readRecord()?.record == first.record)
  }

  @Test(
    "a call that fails leaves the old manifest, and a record that fits it",
    arguments: [SystemCall.open, .write, .sync, .rename], [1, 2])
  func failure(call: SystemCall, times: Int) throws {
    let folder = try TemporaryFolder()
    let files = PublicationFiles(folder.path("m.json"))
    let first = try publication(3)
    try files.write(first, replacing: false)
    let second = try #require(first.manifest).updated(
      with: [.sample("a", content: "b")], for: .iOS, at: nil, record: first.record, named: "m.json")
    for skipping in 0..<times {
      let fault = Fault(call, .fail(EIO), times: 1, skipping: skipping)
      #expect(throws: PackError.self) {
        try Faults.inject(fault) { try files.write(second, replacing: true) }
      }
      #expect(try names(folder) == ["m.json", "m.json.lock.json"])
      #expect(try files.readManifest().manifest == first.manifest)
      let record = try #require(files.readRecord()?.record)
      #expect(record.sha256(of: "a", version: 3) == digest("a"))
    }
    try files.write(second, replacing: true)
    #expect(try files.readManifest().manifest == second.manifest)
  }

  @Test("a first publication that fails leaves no manifest")
  func firstFailure() throws {
    let folder = try TemporaryFolder()
    let files = PublicationFiles(folder.path("m.json"))
    let first = try publication(0)
    for call in [SystemCall.open, .write, .sync, .link] {
      #expect(throws: PackError.self) {
        try Faults.inject(.always(call, EIO)) { try files.write(first, replacing: false) }
      }
      #expect(try names(folder) == [])
    }
  }

  @Test(
    "what the system refuses comes with a remedy",
    arguments: [
      (EACCES, "write to a folder that you may write to"), (ENOENT, "create the folder first"),
      (ENOSPC, "free some space"),
    ])
  func remedies(code: Int32, remedy: String) throws {
    let folder = try TemporaryFolder()
    let files = PublicationFiles(folder.path("m.json"))
    let first = try publication(0)
    let error = #expect(throws: PackError.self) {
      try Faults.inject(.always(.open, code)) { try files.write(first, replacing: false) }
    }
    #expect(error?.remedy == remedy)
  }

  @Test("a manifest that is not there, or a folder in its place, is named")
  func unreadable() throws {
    let folder = try TemporaryFolder()
    let missing = #expect(throws: PackError.self) {
      try PublicationFiles(folder.path("m.json")).readManifest()
    }
    #expect(missing?.message.contains("m.json': No such file") == true)
    #expect(throws: PackError.self) { try PublicationFiles(folder.path).readManifest() }
  }
}

@Suite("Reading archives that are to be published")
struct PublishedArchiveReadingTests {
  private func bytes(_ id: String, _ contents: [UInt8]) -> [UInt8] {
    var pack = PackBytes.beginning
    pack.addFile("Contents/a.bin", contents)
    let manifest = """
      {"assetPackID": "\(id)", "downloadPolicy": {"onDemand": {}},
       "fileSelectors": [{"file": "a.bin"}], "platforms": ["iOS"], "userInfo": {"n": 1.50}}
      """
    pack.addFile("Manifest.json", Array(manifest.utf8))
    return pack.container()
  }

  @Test("manifest, sizes and digest come from the file, through links")
  func reads() throws {
    let folder = try TemporaryFolder()
    // More than the digest takes in at once.
    let contents = [UInt8](repeating: 7, count: 2_500_000)
    let whole = bytes("big", contents)
    try folder.makeFile("big.aar", whole)
    try folder.makeLink("linked.json", to: "big.aar")
    let archive = try PublishedArchive(reading: folder.path("linked.json"))
    #expect(archive.id == "big")
    #expect(archive.size == UInt64(whole.count))
    #expect(archive.installedSize == 2_500_000)
    #expect(archive.manifest.userInfo == .object([.init("n", .number("1.50"))]))
    #expect(
      archive.sha256
        == (try sha256(whole)).map { byte in
          (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }.joined())
    #expect(archive.fileName == "linked.json")
    #expect(archive.isMeant(for: .iOS) && !archive.isMeant(for: .macOS))
  }

  @Test("a folder gives the archives that the manifest can mean, and names those it cannot read")
  func folder() throws {
    let folder = try TemporaryFolder()
    try folder.makeFile("z.aar", bytes("z", [1]))
    try folder.makeFile("a", bytes("a", [2]))
    try folder.makeFile("c-3.pack", bytes("c", [3]))
    try folder.makeFile("broken.AAR", "no archive")
    try folder.makeFile(".hidden.aar", bytes("hidden", [4]))
    try folder.makeFile("notes.txt", "no archive either")
    try folder.makeFolder("folder.aar")
    func pack(_ id: String, _ url: String) -> PublishedPack {
      PublishedPack(
        id: id, url: url, version: 0, downloadSize: 1, downloadPolicy: .onDemand)
    }
    let found = try ArchiveFolder(
      reading: folder.path,
      for: [
        pack("a", "https://d.example.com/a"), pack("c", "https://d.example.com/c-3.pack"),
        pack("none", "https://d.example.com/none"),
      ])
    #expect(found.archives.map(\.id) == ["a", "c", "z"])
    #expect(found.unreadable.map(\.source.name) == [folder.path("broken.AAR")])
    #expect(found.unreadable.ids == ["download.archive-unreadable"])
    #expect(throws: PackError.self) {
      try ArchiveFolder(reading: folder.path("nowhere"), for: [])
    }
  }
}
