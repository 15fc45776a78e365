import Glibc
import SystemIO
import TestSupport
import Testing

@Suite("Reading files with holes")
struct SequentialReaderTests {
  /// Reads a file in pieces of at most `step` bytes.
  private static func read(
    _ folder: borrowing TemporaryFolder, _ name: String, step: Int
  ) throws -> [UInt8] {
    let file = try FileDescriptor.open(folder.path(name), for: .reading)
    let status = try file.status()
    var reader = SequentialReader(file, status)
    var bytes: [UInt8] = []
    while true {
      let piece = try [UInt8](capacity: step) { (output) throws(Failure) in
        _ = try reader.read(into: &output)
      }
      if piece.isEmpty { return bytes }
      bytes += piece
    }
  }

  @Test
  func `the bytes of a file are read with any data and holes`() throws {
    let folder = try TemporaryFolder()
    var seeded = Seeded(seed: 21)
    for round in 0..<40 {
      let size = seeded.next(below: 400_000)
      var expected = [UInt8](repeating: 0, count: size)
      try folder.makeHole("f\(round)", size: size)
      for _ in 0..<seeded.next() % 5 where size > 0 {
        let start = seeded.next(below: size)
        let count = min(size - start, seeded.next(below: 30_000))
        let piece = (0..<count).map { _ in UInt8(truncatingIfNeeded: seeded.next()) }
        try folder.write(piece, at: start, into: "f\(round)")
        expected.replaceSubrange(start..<start + count, with: piece)
      }
      for step in [1 << 20, 4096, 70_001] {
        #expect(try Self.read(folder, "f\(round)", step: step) == expected)
        // If the system cannot distinguish holes from data, all bytes are read.
        let plain = try ForcedFailures.inject(.always(.seek, EINVAL)) {
          try Self.read(folder, "f\(round)", step: step)
        }
        #expect(plain == expected)
      }
    }
  }

  @Test
  func `a hole is not read`() throws {
    let folder = try TemporaryFolder()
    let size = 64 << 20
    try folder.makeHole("hole", size: size)
    // One read alone is allowed: the one that finds the end.
    let bytes = try ForcedFailures.inject(ForcedFailure(.read, .fail(EIO), skipping: 1)) {
      try Self.read(folder, "hole", step: 1 << 20)
    }
    #expect(bytes.count == size)
    #expect(bytes.withRawSpan { $0.isZero })
  }

  @Test
  func `zeros are distinguished from other bytes`() {
    for count in 0..<70 {
      var bytes = [UInt8](repeating: 0, count: count)
      #expect(bytes.withRawSpan { $0.isZero } && bytes.isZero)
      for place in bytes.indices {
        bytes[place] = 1
        #expect(!bytes.withRawSpan { $0.isZero } && !bytes.isZero)
        bytes[place] = 0
      }
    }
  }
}
