import Foundation
import Glibc
import SystemIO
import TestSupport
import Testing

@Suite("Files with holes")
struct SparseFileTests {
  private static func write(_ bytes: [UInt8], to path: String, in pieces: [Int]) throws {
    var file = SparseFile(try FileDescriptor.open(path, for: .creating(permissions: 0o600)))
    var start = 0
    for count in pieces + [bytes.count] {
      let end = min(bytes.count, start + count)
      try Array(bytes[start..<end]).withRawSpan { span throws(Failure) in try file.write(span) }
      start = end
    }
    try file.finish().close()
  }

  /// Returns the space that a file uses on the disk in bytes.
  private static func room(_ path: String) -> Int {
    var status = stat()
    return unsafe stat(path, &status) == 0 ? Int(status.st_blocks) * 512 : -1
  }

  @Test
  func `any bytes, in any pieces, are written unchanged`() throws {
    let folder = try TemporaryFolder()
    var random = Seeded(seed: 7)
    for round in 0..<40 {
      var bytes: [UInt8] = []
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        let count = Int.random(in: 0...200_000, using: &random)
        let isZero = Bool.random(using: &random)
        bytes += (0..<count).map { isZero ? 0 : UInt8(truncatingIfNeeded: $0 / 7 * 31) }
      }
      let pieces = (0..<8).map { _ in Int.random(in: 0...150_000, using: &random) }
      try Self.write(bytes, to: folder.path("\(round)"), in: pieces)
      #expect(try folder.contents("\(round)") == bytes, "round \(round)")
    }
  }

  @Test(arguments: [1 << 20, 100_003, 4096])
  func `long runs of zeros use no space, in any pieces`(piece: Int) throws {
    let folder = try TemporaryFolder()
    let data = [UInt8](repeating: 1, count: 5000)
    for (name, bytes) in [
      ("zeros", [UInt8](repeating: 0, count: 8 << 20)),
      ("between", data + [UInt8](repeating: 0, count: 8 << 20) + data),
      ("first", [UInt8](repeating: 0, count: 8 << 20) + data),
    ] {
      let path = folder.path(name)
      try Self.write(bytes, to: path, in: Array(repeating: piece, count: bytes.count / piece))
      #expect(try folder.contents(name) == bytes)
      #expect(Self.room(path) < 300_000, "\(name): \(Self.room(path))")
    }
  }
}
