import Foundation
import Glibc
import SystemIO
import TestSupport
import Testing

@Suite("Files written in large pieces")
struct SequentialFileTests {
  static let piece = SequentialFile.pieceSize

  /// Writes `bytes` in steps of uneven sizes.
  static func write(_ bytes: [UInt8], to path: String) throws(Failure) {
    var file = try SequentialFile(try AtomicFile(path))
    var start = 0
    var step = 1
    while start < bytes.count {
      let end = min(bytes.count, start + step)
      try bytes.withRawSpan { all throws(Failure) in
        try file.write(all.extracting(start..<end))
      }
      start = end
      step = step * 5 % 1_300_003 + 1
    }
    try file.complete().publish()
  }

  static func bytes(_ count: Int) -> [UInt8] {
    // The period is not the size of a page, so a piece at the wrong position is detected.
    var dice = Seeded(seed: UInt64(count))
    let pattern = (0..<10_007).map { _ in UInt8(truncatingIfNeeded: dice.next()) }
    var bytes: [UInt8] = []
    while bytes.count < count { bytes += pattern.prefix(count - bytes.count) }
    return bytes
  }

  @Test(arguments: [0, 1, 4095, piece - 1, piece, piece + 1, 2 * piece, 2 * piece + 4097])
  func `files of every size have the written bytes`(count: Int) throws {
    let folder = try TemporaryFolder()
    let bytes = Self.bytes(count)
    try Self.write(bytes, to: folder.path("x.aar"))
    let written = try Data(contentsOf: URL(filePath: folder.path("x.aar")))
    #expect(written == Data(bytes))
  }

  /// Failures of file systems that do not support writes past the page cache, or not all of them.
  static let refusals: [[ForcedFailure]] = [
    [.once(.write, EINVAL, path: "x.aar")],
    [ForcedFailure(.write, .fail(EINVAL), times: 1, skipping: 1, path: "x.aar")],
    [ForcedFailure(.write, .shorten(to: 1 << 20), path: "x.aar")],
    [ForcedFailure(.write, .shorten(to: 1_000_001), path: "x.aar")],
    [ForcedFailure(.write, .shorten(to: 777), times: 1, skipping: 1, path: "x.aar")],
    [.twice(.write, EINTR, path: "x.aar")],
  ]

  @Test(arguments: 0..<6)
  func `bytes that a call does not accept are written by the next calls`(index: Int) throws {
    let folder = try TemporaryFolder()
    let bytes = Self.bytes(2 * Self.piece + 12_345)
    try ForcedFailures.inject(Self.refusals[index]) {
      try Self.write(bytes, to: folder.path("x.aar"))
    }
    let written = try Data(contentsOf: URL(filePath: folder.path("x.aar")))
    #expect(written == Data(bytes))
  }

  @Test(arguments: [ENOSPC, EIO])
  func `a full or broken disk is an error with its path and leaves no file`(code: Int32) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("x.aar")
    let bytes = Self.bytes(2 * Self.piece + 1)
    for skipping in 0..<3 {
      let fault = ForcedFailure(.write, .fail(code), skipping: skipping, path: "x.aar")
      #expect(throws: Failure(.write, path, code: code)) {
        try ForcedFailures.inject(fault) { () throws(Failure) in try Self.write(bytes, to: path) }
      }
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }
  }

  @Test
  func `a failure that does not concern direct writing is thrown`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("x.aar")
    #expect(throws: Failure(.write, path, code: EINVAL)) {
      try ForcedFailures.inject(.always(.write, EINVAL, path: "x.aar")) { () throws(Failure) in
        try Self.write(Self.bytes(2 * Self.piece), to: path)
      }
    }
  }
}
