import BAPackKit
import Foundation
import Glibc
import SystemIO
import TestSupport
import Testing

/// Tests of packing from archives with entries in another order, under failures.
@Suite("Failures of an archive as the source root")
struct ArchiveSourceFailureTests {
  private static let spool = ProcessState.variable("TMPDIR") ?? "/var/tmp"

  /// An archive without any entry in the order of the pack.
  private static func tar(_ names: [String] = ["z", "m", "a"], size: Int = 100_000) -> [UInt8] {
    var tar = TarBytes()
    for name in names { tar.add(name, contents: String(repeating: name, count: size)) }
    return tar.archive
  }

  private func plan(_ path: String) throws -> PackPlan {
    let root = try SourceRoot(opening: path, .unstoppable)
    let document = document(#"{"directory": "."}"#)
    let resolution = try Selection.resolve(document, in: root, .unstoppable)
    return try PackPlan(
      #require(document.manifest), resolution.selection, from: root,
      settings: PackSettings(compression: .none))
  }

  /// Packs `source.tar` of a folder; a failure leaves no file and no open descriptor.
  private func pack(
    _ folder: borrowing TemporaryFolder, _ faults: ForcedFailure...,
    change: (String) throws -> Void = { _ in }
  ) throws -> PackError? {
    let output = try TemporaryFolder()
    let failure: PackError?
    do {
      let plan = try plan(folder.path("source.tar"))
      try change(folder.path("source.tar"))
      failure = ForcedFailures.inject(faults) {
        do throws(PackError) {
          _ = try PackSeries.Job(plan, to: output.path("x.aar")).pack(.unstoppable)
          return nil
        } catch {
          return error
        }
      }
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: output.path)
    #expect(names == (failure == nil ? ["x.aar"] : []))
    #expect(try openDescriptors(below: output.path) == [])
    #expect(try openDescriptors(below: folder.path) == [])
    return failure
  }

  @Test
  func `errors of the temporary file: full disk, limit, read error, no folder`() throws {
    let folder = try TemporaryFolder()
    try folder.makeFile("source.tar", Self.tar())
    let cases: [(SystemCall, Int32, message: String, remedy: Remedy)] = [
      (
        .write, ENOSPC, "write a temporary file in '\(Self.spool)': No space left on device",
        "free some space there, or set TMPDIR to a folder on another disk"
      ),
      (
        .write, EFBIG, "write a temporary file in '\(Self.spool)': File too large",
        "raise the limit on file sizes (ulimit -f)"
      ),
      (
        .read, EIO, "read a temporary file in '\(Self.spool)': Input/output error",
        "check the disk, or set TMPDIR to a folder on another disk"
      ),
      (
        .open, EACCES, "create a temporary file in '\(Self.spool)': Permission denied",
        "set TMPDIR to a folder with write permission"
      ),
    ]
    for (call, code, message, remedy) in cases {
      for skipping in 0..<2 {
        let fault = ForcedFailure(call, .fail(code), times: 1, skipping: skipping, path: Self.spool)
        let error = try pack(folder, fault)
        #expect(error?.kind == .system(code))
        #expect(error?.message == "cannot " + message)
        #expect(error?.remedies == [remedy])
      }
    }
    #expect(try pack(folder, ForcedFailure(.write, .shorten(to: 7777), path: Self.spool)) == nil)
    #expect(try pack(folder, .twice(.write, EINTR, path: Self.spool)) == nil)
  }

  @Test
  func `an archive with read errors is reported with a remedy in both passes`() throws {
    let folder = try TemporaryFolder()
    try folder.makeFile("source.tar", Self.tar())
    let path = folder.path("source.tar")
    for skipping in 0..<2 {
      let fault = ForcedFailure(.read, .fail(EIO), times: 1, skipping: skipping, path: "source.tar")
      let error = try pack(folder, fault)
      #expect(error?.kind == .system(EIO))
      #expect(error?.message == "cannot read '\(path)': Input/output error")
      #expect(error?.remedies == ["check the disk, or get another copy of the file"])
    }
    let first = ForcedFailures.inject(.once(.read, EIO, path: "source.tar")) {
      #expect(throws: PackError.self) { try SourceRoot(opening: path, .unstoppable) }
    }
    #expect(first?.message == "cannot read '\(path)': Input/output error")
    #expect(first?.remedies == ["check the disk, or get another copy of the file"])
  }

  /// Writes into the existing file, without replacing it.
  private static func overwrite(_ path: String, _ bytes: [UInt8]) throws {
    let file = try FileHandle(forWritingTo: URL(filePath: path))
    try file.truncate(atOffset: 0)
    try file.write(contentsOf: Data(bytes))
    try file.close()
  }

  @Test
  func `an archive that shrinks, grows or is rewritten between the passes is an error`() throws {
    for bytes in [
      Array(Self.tar().prefix(150_000)), Array(Self.tar().prefix(1000)), [],
      Self.tar(["z", "m", "a", "b"]), Self.tar(["b", "m", "a"]), Self.tar(["a", "m", "z"]),
      Array("hello".utf8),
    ] {
      let folder = try TemporaryFolder()
      try folder.makeFile("source.tar", Self.tar())
      // Another time than now, so that the time of the change always differs.
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: 1)],
        ofItemAtPath: folder.path("source.tar"))
      let error = try pack(folder) { try Self.overwrite($0, bytes) }
      #expect(error?.kind == .changed)
      #expect(
        error?.message == "'\(folder.path("source.tar"))' changed during packing")
      #expect(error?.remedies == ["run again when no process writes to it"])
    }
  }

  @Test
  func `an archive that changes during reading is an error, at any time`() throws {
    for skipping in 0..<4 {
      let folder = try TemporaryFolder()
      try folder.makeFile("source.tar", Self.tar(size: 400_000))
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: 1)],
        ofItemAtPath: folder.path("source.tar"))
      let path = folder.path("source.tar")
      let change = ForcedFailure(
        .read, .run { try? Self.overwrite(path, Self.tar(["b", "c", "d"], size: 400_000)) },
        times: 1, skipping: skipping, path: "source.tar")
      let error = try pack(folder, change)
      #expect(error?.kind == .changed)
      #expect(error?.message == "'\(path)' changed during packing")
    }
  }

  @Test
  func `an archive that is rewritten between the passes with the old time is an error`() throws {
    let folder = try TemporaryFolder()
    try folder.makeFile("source.tar", Self.tar())
    let error = try pack(folder) { _ in
      try folder.writeKeepingTime(Self.tar(["b", "m", "a"]), into: "source.tar")
    }
    #expect(error?.kind == .changed)
  }

  @Test
  func `an archive that is removed or replaced is read from the open file, or an error`() throws {
    let folder = try TemporaryFolder()
    let other = folder.path("other")
    let changes: [(String) throws -> Void] = [
      { try FileManager.default.removeItem(atPath: $0) },
      { try #require(unsafe rename(other, $0) == 0) },
    ]
    for change in changes {
      try folder.makeFile("source.tar", Self.tar())
      try folder.makeFile("other", Self.tar(["q"]))
      // The removal of the name is a change of the file, if the clock ticked since its last one.
      let error = try pack(folder, change: change)
      #expect(error == nil || error?.kind == .changed)
    }
  }
}
