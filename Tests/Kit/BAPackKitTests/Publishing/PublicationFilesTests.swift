import Foundation
import Glibc
import SourceDiagnostics
import SystemIO
import TestSupport
import Testing

@testable import BAPackKit

@Suite("A manifest and its record on disk")
struct PublicationFilesTests {
  private func publication(_ version: Int) throws -> Publication {
    DownloadManifest.create(
      from: [(.sample("a", content: "a"), version)], for: .iOS,
      at: try PackURLs(base: "https://d.example.com"))
  }

  private func write(
    _ publication: Publication, to files: PublicationFiles, replacing: Bool,
    over document: DownloadManifestDocument? = nil
  ) throws {
    var publication = publication
    let text = publication.text(over: document)
    try files.write(try #require(text), publication.record, replacing: replacing, .unstoppable)
  }

  private func names(_ folder: borrowing TemporaryFolder) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
  }

  @Test
  func `written files are read with equal contents, and no other files remain`() throws {
    let folder = try TemporaryFolder()
    let files = PublicationFiles(folder.path("m.json"))
    #expect(!files.exist)
    #expect(try files.readRecord(.unstoppable) == nil)
    let first = try publication(3)
    try write(first, to: files, replacing: false)
    #expect(try names(folder) == ["m.json", "m.json.lock.json"])
    #expect(try files.readManifest(.unstoppable).manifest == first.manifest)
    #expect(try files.readRecord(.unstoppable)?.record == first.record)
  }

  @Test(arguments: [SystemCall.open, .write, .sync, .rename], [1, 2])
  func `a failing call leaves the old manifest and a matching record`(
    call: SystemCall, times: Int
  ) throws {
    let folder = try TemporaryFolder()
    let files = PublicationFiles(folder.path("m.json"))
    let first = try publication(3)
    try write(first, to: files, replacing: false)
    let second = try #require(first.manifest).updated(
      with: [.sample("a", content: "b")], for: .iOS, at: nil, record: first.record, named: "m.json")
    for skipping in 0..<times {
      let fault = ForcedFailure(call, .fail(EIO), times: 1, skipping: skipping)
      #expect(throws: PackError.self) {
        try ForcedFailures.inject(fault) { try write(second, to: files, replacing: true) }
      }
      #expect(try names(folder) == ["m.json", "m.json.lock.json"])
      #expect(try files.readManifest(.unstoppable).manifest == first.manifest)
      let record = try #require(files.readRecord(.unstoppable)?.record)
      #expect(record.sha256(of: "a", version: 3) == digest("a"))
    }
    try write(second, to: files, replacing: true)
    #expect(try files.readManifest(.unstoppable).manifest == second.manifest)
  }

  @Test
  func `a failed first publication leaves no manifest`() throws {
    let folder = try TemporaryFolder()
    let files = PublicationFiles(folder.path("m.json"))
    let first = try publication(0)
    for call in [SystemCall.open, .write, .sync, .link] {
      #expect(throws: PackError.self) {
        try ForcedFailures.inject(.always(call, EIO)) {
          try write(first, to: files, replacing: false)
        }
      }
      #expect(try names(folder) == [])
    }
  }

  @Test(
    arguments: [
      (EACCES, "write to a folder with write permission"), (ENOENT, "create the folder first"),
      (ENOSPC, "free some space"),
    ] as [(Int32, Remedy)])
  func `a system error has a remedy`(code: Int32, remedy: Remedy) throws {
    let folder = try TemporaryFolder()
    let files = PublicationFiles(folder.path("m.json"))
    let first = try publication(0)
    let error = #expect(throws: PackError.self) {
      try ForcedFailures.inject(.always(.open, code)) {
        try write(first, to: files, replacing: false)
      }
    }
    #expect(error?.remedies == [remedy])
  }

  @Test
  func `a missing manifest, or a folder in its place, is reported`() throws {
    let folder = try TemporaryFolder()
    let missing = #expect(throws: PackError.self) {
      try PublicationFiles(folder.path("m.json")).readManifest(.unstoppable)
    }
    #expect(missing?.message.contains("m.json': No such file") == true)
    #expect(throws: PackError.self) { try PublicationFiles(folder.path).readManifest(.unstoppable) }
  }

  // MARK: Existing files

  @Test(arguments: [0o600, 0o640])
  func `an update keeps permissions, attributes, links and comments`(mode: UInt32) throws {
    let folder = try TemporaryFolder()
    let first = try publication(3)
    let text = String(decoding: try #require(first.manifest).json(), as: UTF8.self)
    let commented =
      "// Served since May.\n" + text.replacing("\"version\": 3,", with: "\"version\": 3, // ?")
    try folder.makeFile("real/ios.json", Array(commented.utf8), mode: mode)
    try folder.makeFile("real/ios.json.lock.json", first.record.json(), mode: mode)
    try folder.makeLink("live.json", to: "real/ios.json")
    let files = PublicationFiles(folder.path("live.json"))
    let document = try files.readManifest(.unstoppable)
    let record = try #require(files.readRecord(.unstoppable)?.record)
    #expect(record == first.record)
    let second = try #require(document.manifest).updated(
      with: [.sample("a", content: "b")], for: .iOS, at: nil, record: record, named: "live.json")
    try write(second, to: files, replacing: true, over: document)
    #expect(try names(folder) == ["live.json", "real"])
    let target = try FileManager.default.destinationOfSymbolicLink(atPath: folder.path("live.json"))
    #expect(target == "real/ios.json")
    for name in ["real/ios.json", "real/ios.json.lock.json"] {
      #expect(try FileStatus(ofFileAt: folder.path(name)).permissions == mode)
    }
    #expect(
      String(decoding: try folder.contents("real/ios.json"), as: UTF8.self)
        == commented.replacing("\"version\": 3", with: "\"version\": 4"))
  }

  @Test
  func `an update without changes writes no file`() throws {
    let folder = try TemporaryFolder()
    let files = PublicationFiles(folder.path("m.json"))
    let first = try publication(3)
    try write(first, to: files, replacing: false)
    let before = try FileStatus(ofFileAt: files.path)
    try write(first, to: files, replacing: true)
    #expect(try FileStatus(ofFileAt: files.path) == before)
  }

  @Test
  func `a special file is not replaced`() throws {
    let folder = try TemporaryFolder()
    try folder.makePipe("m.json")
    let files = PublicationFiles(folder.path("m.json"))
    let first = try publication(3)
    #expect(throws: PackError.self) { try write(first, to: files, replacing: true) }
    #expect(try FileStatus(ofFileAt: files.path).kind == .pipe)
  }

  // MARK: Locking

  @Test
  func `two processes change a manifest one after the other, and leave no lock`()
    async throws
  {
    let folder = try TemporaryFolder()
    try folder.makeFile("m.json", "0")
    let path = folder.path("m.json")
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask {
          for _ in 0..<5 {
            try? PublicationFiles(path).alone(.unstoppable) { () throws(PackError) in
              // Read, wait for the other process, write: without a lock most changes would be lost.
              let number = (try? String(contentsOfFile: path, encoding: .utf8)).flatMap { Int($0) }
              sched_yield()
              try? String((number ?? -1000) + 1).write(
                toFile: path, atomically: true, encoding: .utf8)
            }
          }
        }
      }
    }
    #expect(String(decoding: try folder.contents("m.json"), as: UTF8.self) == "20")
    #expect(try names(folder) == ["m.json"])
  }

  @Test
  func `the lock of a killed process is released`() throws {
    let folder = try TemporaryFolder()
    try folder.makeFile("m.json.lock")
    var hasWaited = false
    try PublicationFiles(folder.path("m.json")).alone(.unstoppable, waiting: { hasWaited = true }) {
    }
    #expect(!hasWaited)
    #expect(try names(folder) == [])
  }
}

@Suite("Reading archives to publish")
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

  @Test
  func `manifest, sizes and digest are read from the file, through links`() throws {
    let folder = try TemporaryFolder()
    // More than the digest reads at a time.
    let contents = [UInt8](repeating: 7, count: 2_500_000)
    let whole = bytes("big", contents)
    try folder.makeFile("big.aar", whole)
    try folder.makeLink("linked.json", to: "big.aar")
    let archive = try PublishedArchive(reading: folder.path("linked.json"), .unstoppable)
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
    #expect(archive.isOffered(for: .iOS) && !archive.isOffered(for: .macOS))
  }

  @Test
  func `a folder provides archives that the manifest can use, and reports unreadable ones`()
    throws
  {
    let folder = try TemporaryFolder()
    try folder.makeFile("z.aar", bytes("z", [1]))
    try folder.makeFile("a", bytes("a", [2]))
    try folder.makeFile("c-3.pack", bytes("c", [3]))
    try folder.makeFile("broken.AAR", "no archive")
    try folder.makeFile(".hidden.aar", bytes("hidden", [4]))
    try folder.makeFile("notes.txt", "no archive either")
    try folder.makeFolder("folder.aar")
    func pack(_ id: PackID, _ url: String) -> PublishedPack {
      PublishedPack(
        id: id, url: url, version: 0, downloadSize: 1, downloadPolicy: .onDemand)
    }
    let found = try ArchiveFolder(
      reading: folder.path,
      for: [
        pack("a", "https://d.example.com/a"), pack("c", "https://d.example.com/c-3.pack"),
        pack("none", "https://d.example.com/none"),
      ], .unstoppable)
    #expect(found.archives.map(\.id) == ["a", "c", "z"])
    #expect(found.unreadable.pages.map(\.source.name) == [folder.path("broken.AAR")])
    #expect(found.unreadable.ids == ["download.archive-unreadable"])
    #expect(throws: PackError.self) {
      try ArchiveFolder(reading: folder.path("nowhere"), for: [], .unstoppable)
    }
  }
}
