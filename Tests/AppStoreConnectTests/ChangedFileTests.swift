import AppStoreConnect
import BAPackKit
import Foundation
import SystemIO
import TestSupport
import Testing

/// Uploads of files that change during the upload.
///
/// The service completes only the archive that was checked.
@Suite(.mustEnd) struct ChangedFileTests {
  private func sent(_ desk: UploadDesk) throws -> [Range<UInt64>] {
    try desk.journals().journal(of: "cave").current?.sent.parts.map(\.range) ?? []
  }

  @Test(arguments: FileChange.allCases, [0, 1, 3])
  func `a file change before or after any part ends the upload, and no sent part is recorded`(
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
        // All parts were already read. A write through a mapping leaves no time stamp.
        #expect(change == .mapping && part == 3 && !isBefore, "\(words)")
        #expect(desk.standIn.bytes(ofVersion: 1) == original, "\(words)")
        continue
      } catch {
        #expect((error as? PackError)?.kind == .changed, "\(words): \(error)")
      }
      #expect(desk.standIn.commits == 0, "\(words)")
      #expect(try sent(desk).isEmpty, "\(words)")
      // Restores the original file.
      desk.standIn.beforePart = {}
      desk.standIn.afterPart = {}
      try desk.folder.makeFile("cave.aar", original)
      #expect(try desk.upload()?.number == 1, "\(words)")
      #expect(desk.standIn.bytes(ofVersion: 1) == original, "\(words)")
      #expect(desk.standIn.commits == 1)
    }
  }

  @Test(arguments: FileChange.allCases)
  func `parts of an earlier run are kept, and only parts of the changed run are sent again`(
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
  func `after a file change and a kill at any moment, the next run completes the checked archive`(
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

  // MARK: Journal and storage

  /// Returns an upload that is killed after all parts are recorded, before its completion.
  private func sentDesk() throws -> UploadDesk {
    let desk = try UploadDesk()
    desk.standIn.fault = { method, _, _ in method == "PATCH" ? .killBefore : nil }
    #expect(throws: PackError.self) { try desk.upload() }
    desk.standIn.revive()
    desk.standIn.fault = { _, _, _ in nil }
    return desk
  }

  private static let journal = "state/app-store/stand-in/42/cave.json"

  @Test func `a range without a digest, recorded by an older version, is sent again`() throws {
    let desk = try sentDesk()
    let text = String(decoding: try desk.folder.contents(Self.journal), as: UTF8.self)
    let old = text.replacing(/,\s*"[0-9a-f]{32}"/, with: "")
    #expect(old != text)
    try desk.folder.makeFile(Self.journal, old)
    // The older version sent different bytes of a changed file.
    desk.standIn.files[0].parts[1]?[7] ^= 0xFF
    #expect(try desk.upload()?.number == 1)
    #expect(try desk.standIn.bytes(ofVersion: 1) == desk.folder.contents("cave.aar"))
  }

  @Test func `a wrong digest in the journal is detected before the upload is completed`()
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

  @Test func `a part whose stored bytes differ is detected by its tag and sent again`() throws {
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
    #expect(error?.message.contains("has wrong bytes in 1 of 4 parts of version 1") == true)
    #expect(broken.standIn.commits == 0)
  }

  @Test(arguments: [nil, "\"abc\"", "\"00000000000000000000000000000000\"", "W/\"x\""])
  func `tags are not compared if no tag is the MD5 digest of its part`(tag: String?) throws {
    let desk = try UploadDesk()
    desk.standIn.tag = { _ in tag }
    #expect(try desk.upload()?.number == 1)
    #expect(desk.standIn.puts == [0, 1, 2, 3])
  }
}
