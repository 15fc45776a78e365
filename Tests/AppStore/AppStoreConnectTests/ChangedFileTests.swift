import AppStoreConnect
import BAPackKit
import Foundation
import SystemIO
import TestSupport
import Testing

@testable import AppStoreMock

/// Uploads of files that change during the upload.
///
/// The service completes only the archive that was checked.
@Suite(.mustEnd) struct ChangedFileTests {
  private func sent(_ desk: UploadDesk) throws -> [Range<UInt64>] {
    try desk.journals().journal(of: "cave").current?.received.parts.map(\.range) ?? []
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
        guard desk.mock.puts.count == part else { return }
        try? file.apply(change, at: [500, 1500, 2500, 3400])
      }
      if isBefore { desk.mock.beforePart = apply } else { desk.mock.afterPart = apply }
      let words = "\(change) \(isBefore ? "before" : "after") part \(part)"
      do {
        _ = try desk.upload(archive)
        // All parts were already read. A write through a mapping leaves no time stamp.
        #expect(change == .mapping && part == 3 && !isBefore, "\(words)")
        #expect(desk.mock.bytes(ofVersion: 1) == original, "\(words)")
        continue
      } catch {
        #expect((error as? PackError)?.kind == .changed, "\(words): \(error)")
      }
      #expect(desk.mock.commits == 0, "\(words)")
      #expect(try sent(desk).isEmpty, "\(words)")
      // Restores the original file.
      desk.mock.beforePart = {}
      desk.mock.afterPart = {}
      try desk.folder.makeFile("cave.aar", original)
      #expect(try desk.upload()?.number == 1, "\(words)")
      #expect(desk.mock.bytes(ofVersion: 1) == original, "\(words)")
      #expect(desk.mock.commits == 1)
    }
  }

  @Test(arguments: FileChange.allCases)
  func `a file change at any request completes the checked archive, or nothing`(
    change: FileChange
  ) throws {
    var completed = 0
    for moment in 0..<12 {
      let desk = try UploadDesk()
      let original = try desk.folder.contents("cave.aar")
      let file = try ChangingFile(desk.folder.path("cave.aar"), by: change)
      let archive = try desk.archive()
      var count = 0
      desk.mock.interference = { _, _, _ in
        defer { count += 1 }
        if count == moment { try? file.apply(change, at: [500, 1500, 2500, 3400]) }
        return nil
      }
      do {
        _ = try desk.upload(archive)
        completed += 1
        #expect(desk.mock.bytes(ofVersion: 1) == original, "\(moment)")
      } catch {
        #expect((error as? PackError)?.kind == .changed, "\(moment): \(error)")
        #expect(desk.mock.commits == 0, "\(moment)")
      }
    }
    // After the last part, the archive is complete.
    #expect((1..<12).contains(completed))
  }

  @Test(arguments: FileChange.allCases)
  func `parts of an earlier run are kept, and only parts of the changed run are sent again`(
    change: FileChange
  ) throws {
    let desk = try UploadDesk(9000)
    let original = try desk.folder.contents("cave.aar")
    desk.mock.interference = { _, path, number in
      path.hasPrefix("/upload") && number == 4 ? .killBefore : nil
    }
    #expect(throws: PackError.self) { try desk.upload() }
    desk.mock.revive()
    let file = try ChangingFile(desk.folder.path("cave.aar"), by: change)
    let archive = try desk.archive()
    desk.mock.beforePart = { [unowned desk] in
      guard desk.mock.puts.count == 6 else { return }
      try? file.apply(change, at: [500, 4500, 6500, 8500])
    }
    let error = #expect(throws: PackError.self) { try desk.upload(archive) }
    #expect(error?.kind == .changed)
    #expect(try sent(desk) == [0..<1000, 1000..<2000, 2000..<3000, 3000..<4000])
    desk.mock.beforePart = {}
    try desk.folder.makeFile("cave.aar", original)
    #expect(try desk.upload()?.number == 1)
    #expect(desk.mock.bytes(ofVersion: 1) == original)
    #expect(desk.mock.puts.suffix(5) == [4, 5, 6, 7, 8])
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
      desk.mock.interference = { _, _, _ in
        defer { count += 2 }
        if count + 3 == moment || count + 4 == moment {
          try? file.apply(change, at: [700, 2700])
        }
        return count == moment ? .killBefore : count + 1 == moment ? .killAfter : nil
      }
      do { _ = try desk.upload(archive) } catch {
        #expect([.changed, .interrupted].contains((error as? PackError)?.kind), "\(error)")
      }
      #expect(desk.mock.commits == 0 || desk.mock.bytes(ofVersion: 1) == original)
      desk.mock.revive()
      try desk.folder.makeFile("cave.aar", original)
      _ = try desk.upload()
      #expect(desk.mock.versions.map(\.state) == [.processing], "\(moment)")
      #expect(desk.mock.bytes(ofVersion: 1) == original, "\(moment)")
      #expect(desk.mock.commits == 1, "\(moment)")
    }
  }

  // MARK: Journal and storage

  /// Returns an upload that is killed after all parts are recorded, before its completion.
  private func sentDesk() throws -> UploadDesk {
    let desk = try UploadDesk()
    desk.mock.interference = { method, _, _ in method == "PATCH" ? .killBefore : nil }
    #expect(throws: PackError.self) { try desk.upload() }
    desk.mock.revive()
    return desk
  }

  private static let journal = "state/app-store/mock.test/42/cave.json"

  @Test func `a range without a digest, recorded by an older version, is sent again`() throws {
    let desk = try sentDesk()
    let text = String(decoding: try desk.folder.contents(Self.journal), as: UTF8.self)
    let old = text.replacing(/,\s*"[0-9a-f]{32}"/, with: "")
    #expect(old != text)
    try desk.folder.makeFile(Self.journal, old)
    // The older version sent different bytes of a changed file.
    try desk.mock.replacePart(1, by: Array(repeating: 7, count: 1000))
    #expect(try desk.upload()?.number == 1)
    #expect(try desk.mock.bytes(ofVersion: 1) == desk.folder.contents("cave.aar"))
  }

  @Test func `a wrong digest in the journal is detected before the upload is completed`()
    throws
  {
    let desk = try sentDesk()
    do {
      let journals = try desk.journals()
      var journal = try journals.lock("cave")
      journal.current?.received.insert(1000..<2000, md5: String(repeating: "0", count: 32))
      try journals.save(journal)
    }
    try desk.mock.replacePart(1, by: Array(repeating: 7, count: 1000))
    let before = desk.mock.puts.count
    #expect(try desk.upload()?.number == 1)
    #expect(desk.mock.puts.dropFirst(before) == [1])
    #expect(try desk.mock.bytes(ofVersion: 1) == desk.folder.contents("cave.aar"))
  }

  @Test func `a part whose stored bytes differ is detected by its tag and sent again`() throws {
    let desk = try UploadDesk()
    try desk.mock.fail("PUT /upload/*: corrupt call 3", "PUT /upload/*: corrupt call 5")
    #expect(try desk.upload()?.number == 1)
    #expect(desk.mock.puts == [0, 1, 2, 3, 2, 2])
    #expect(try desk.mock.bytes(ofVersion: 1) == desk.folder.contents("cave.aar"))
    let broken = try UploadDesk()
    try broken.mock.fail("PUT /upload/*: corrupt call 3", "PUT /upload/*: corrupt calls 5-99")
    let error = #expect(throws: PackError.self) { try broken.upload() }
    #expect(error?.message.contains("has wrong bytes in 1 of 4 parts of version 1") == true)
    #expect(broken.mock.commits == 0)
  }

  @Test(arguments: [nil, "\"abc\"", "W/\"x\""])
  func `tags without the form of an MD5 digest are not compared`(tag: String?) throws {
    let desk = try UploadDesk()
    desk.mock.tag = { _ in tag }
    #expect(try desk.upload()?.number == 1)
    #expect(desk.mock.puts == [0, 1, 2, 3])
  }

  @Test func `a damaged file of one part is detected by its tag and sent again`() throws {
    let desk = try UploadDesk(700)
    try desk.mock.fail("PUT /upload/*: corrupt once")
    #expect(try desk.upload()?.number == 1)
    #expect(desk.mock.puts == [0, 0])
    #expect(try desk.mock.bytes(ofVersion: 1) == desk.folder.contents("cave.aar"))
  }

  @Test func `a wrong tag of a file of one part is reported after a second upload`() throws {
    let desk = try UploadDesk(700) { $0.md5 = .compare }
    desk.mock.tag = { _ in "\"00000000000000000000000000000000\"" }
    let error = #expect(throws: PackError.self) { try desk.upload() }
    #expect(error?.message.contains("for 1 of 1 parts of version 1, also after a second") == true)
    #expect(error?.remedies.last == .sendChecksum)
    #expect(desk.mock.puts == [0, 0])
    #expect(desk.mock.commits == 0)
    // The service compares the checksum instead.
    desk.options.sendsMD5 = true
    #expect(try desk.upload()?.number == 1)
    #expect(try desk.mock.bytes(ofVersion: 1) == desk.folder.contents("cave.aar"))
  }
}
