import AppStoreConnect
import BAPackKit
import Foundation
import SystemIO
import TestSupport
import Testing

/// Files that change while they are uploaded: the service never completes an archive other than the one
/// that was checked.
@Suite(.mustEnd) struct ChangedFileTests {
  private func sent(_ desk: UploadDesk) throws -> [Range<UInt64>] {
    try desk.journals().look(at: "cave").current?.sent.parts.map(\.range) ?? []
  }

  @Test(arguments: FileChange.allCases, [0, 1, 3])
  func `a change before or after any part ends the upload, and nothing of the run is kept`(
    change: FileChange, part: Int
  ) throws {
    for isBefore in [true, false] {
      let desk = try UploadDesk()
      let original = try desk.folder.contents("cave.aar")
      let file = try ChangingFile(desk.folder.path("cave.aar"), by: change)
      let archive = try desk.archive()
      let apply = { [unowned desk] in
        guard desk.standIn.puts.count == part else { return }
        try? file.apply(change, at: [500, 1500, 2500, 3400])
      }
      if isBefore { desk.standIn.beforePart = apply } else { desk.standIn.afterPart = apply }
      let words = "\(change) \(isBefore ? "before" : "after") part \(part)"
      do {
        _ = try desk.upload(archive)
        // All had been read by then, and nothing shows the change.
        #expect(change == .mapping && part == 3 && !isBefore, "\(words)")
        #expect(desk.standIn.bytes(ofVersion: 1) == original, "\(words)")
        continue
      } catch {
        #expect((error as? PackError)?.kind == .changed, "\(words): \(error)")
      }
      #expect(desk.standIn.commits == 0, "\(words)")
      #expect(try sent(desk).isEmpty, "\(words)")
      // The file is put back, as by a copy from elsewhere.
      desk.standIn.beforePart = {}
      desk.standIn.afterPart = {}
      try desk.folder.makeFile("cave.aar", original)
      #expect(try desk.upload()?.number == 1, "\(words)")
      #expect(desk.standIn.bytes(ofVersion: 1) == original, "\(words)")
      #expect(desk.standIn.commits == 1)
    }
  }

  @Test(arguments: FileChange.allCases)
  func `what an earlier run sent stays, and only parts of the changed run are sent again`(
    change: FileChange
  ) throws {
    let desk = try UploadDesk(9000)
    let original = try desk.folder.contents("cave.aar")
    desk.standIn.fault = { _, path, number in
      path.hasPrefix("/upload") && number == 4 ? .killBefore : nil
    }
    #expect(throws: PackError.self) { try desk.upload() }
    desk.standIn.revive()
    desk.standIn.fault = { _, _, _ in nil }
    let file = try ChangingFile(desk.folder.path("cave.aar"), by: change)
    let archive = try desk.archive()
    desk.standIn.beforePart = { [unowned desk] in
      guard desk.standIn.puts.count == 6 else { return }
      try? file.apply(change, at: [500, 4500, 6500, 8500])
    }
    let error = #expect(throws: PackError.self) { try desk.upload(archive) }
    #expect(error?.kind == .changed)
    #expect(try sent(desk) == [0..<1000, 1000..<2000, 2000..<3000, 3000..<4000])
    desk.standIn.beforePart = {}
    try desk.folder.makeFile("cave.aar", original)
    #expect(try desk.upload()?.number == 1)
    #expect(desk.standIn.bytes(ofVersion: 1) == original)
    #expect(desk.standIn.puts.suffix(5) == [4, 5, 6, 7, 8])
  }

  @Test(arguments: [FileChange.overwrite, .mapping])
  func `changed and put back, and killed at any moment: the archive that was checked is completed`(
    change: FileChange
  ) throws {
    for moment in 0..<24 {
      let desk = try UploadDesk()
      let original = try desk.folder.contents("cave.aar")
      let file = try ChangingFile(desk.folder.path("cave.aar"), by: change)
      let archive = try desk.archive()
      var count = 0
      desk.standIn.fault = { _, _, _ in
        defer { count += 2 }
        if count + 3 == moment || count + 4 == moment {
          try? file.apply(change, at: [700, 2700])
        }
        return count == moment ? .killBefore : count + 1 == moment ? .killAfter : nil
      }
      do { _ = try desk.upload(archive) } catch {
        #expect([.changed, .interrupted].contains((error as? PackError)?.kind), "\(error)")
      }
      #expect(desk.standIn.commits == 0 || desk.standIn.bytes(ofVersion: 1) == original)
      desk.standIn.revive()
      desk.standIn.fault = { _, _, _ in nil }
      try desk.folder.makeFile("cave.aar", original)
      _ = try desk.upload()
      #expect(desk.standIn.versions.map(\.state) == ["PROCESSING"], "\(moment)")
      #expect(desk.standIn.bytes(ofVersion: 1) == original, "\(moment)")
      #expect(desk.standIn.commits == 1, "\(moment)")
    }
  }

  // MARK: What the journal and the storage have

  /// An upload whose parts are all recorded, and that was killed before it was completed.
  private func sentDesk() throws -> UploadDesk {
    let desk = try UploadDesk()
    desk.standIn.fault = { method, _, _ in method == "PATCH" ? .killBefore : nil }
    #expect(throws: PackError.self) { try desk.upload() }
    desk.standIn.revive()
    desk.standIn.fault = { _, _, _ in nil }
    return desk
  }

  private static let journal = "state/app-store/stand-in/42/cave.json"

  @Test func `a range without a digest, as older programs recorded it, is sent again`() throws {
    let desk = try sentDesk()
    let text = String(decoding: try desk.folder.contents(Self.journal), as: UTF8.self)
    let old = text.replacing(/,\s*"[0-9a-f]{32}"/, with: "")
    #expect(old != text)
    try desk.folder.makeFile(Self.journal, old)
    // What the older program sent of a file that had changed.
    desk.standIn.files[0].parts[1]?[7] ^= 0xFF
    #expect(try desk.upload()?.number == 1)
    #expect(try desk.standIn.bytes(ofVersion: 1) == desk.folder.contents("cave.aar"))
  }

  @Test func `a digest in the journal that is not the archive's is found before completing`()
    throws
  {
    let desk = try sentDesk()
    do {
      let journals = try desk.journals()
      var journal = try journals.take("cave")
      journal.current?.sent.insert(1000..<2000, md5: String(repeating: "0", count: 32))
      try journals.keep(journal)
    }
    desk.standIn.files[0].parts[1] = [1, 2, 3]
    let before = desk.standIn.puts.count
    #expect(try desk.upload()?.number == 1)
    #expect(desk.standIn.puts.dropFirst(before) == [1])
    #expect(try desk.standIn.bytes(ofVersion: 1) == desk.folder.contents("cave.aar"))
  }

  @Test func `a part that the storage has with other bytes is sent again, by its tag`() throws {
    let desk = try UploadDesk()
    desk.standIn.damage = { part, times, bytes in
      if part == 2, times < 2 { bytes[3] ^= 1 }
    }
    #expect(try desk.upload()?.number == 1)
    #expect(desk.standIn.puts == [0, 1, 2, 3, 2, 2])
    #expect(try desk.standIn.bytes(ofVersion: 1) == desk.folder.contents("cave.aar"))
    let broken = try UploadDesk()
    broken.standIn.damage = { part, _, bytes in if part == 2 { bytes[3] ^= 1 } }
    let error = #expect(throws: PackError.self) { try broken.upload() }
    #expect(error?.message.contains("other bytes than were sent of version 1") == true)
    #expect(broken.standIn.commits == 0)
  }

  @Test(arguments: [nil, "\"abc\"", "\"00000000000000000000000000000000\"", "W/\"x\""])
  func `tags of another kind are no digests`(tag: String?) throws {
    let desk = try UploadDesk()
    desk.standIn.tag = { _ in tag }
    #expect(try desk.upload()?.number == 1)
    #expect(desk.standIn.puts == [0, 1, 2, 3])
  }
}
