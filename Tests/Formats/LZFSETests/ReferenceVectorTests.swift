import Foundation
import LZFSE
import Testing

/// Tests with streams of the reference encoder and their inputs.
@Suite struct ReferenceVectorTests {
  struct Vector: CustomTestStringConvertible, Sendable {
    let name: String
    let base64: String
    let bytes: [UInt8]

    var testDescription: String { name }

    func stream() throws -> [UInt8] { [UInt8](try #require(Data(base64Encoded: base64))) }
  }

  static let all = [
    Vector(name: "empty", base64: Vectors.empty, bytes: []),
    Vector(name: "bvx- of seven bytes", base64: Vectors.stored, bytes: noise(7)),
    Vector(name: "bvx- of noise", base64: Vectors.storedNoise, bytes: noise(64)),
    Vector(name: "bvxn", base64: Vectors.vn, bytes: settings(20)),
    Vector(name: "bvx2", base64: Vectors.entropy, bytes: settings(300)),
    Vector(name: "bvx1", base64: Vectors.plain, bytes: settings(300)),
    Vector(
      name: "one symbol", base64: Vectors.oneSymbol, bytes: [UInt8](repeating: 7, count: 5000)),
  ]

  /// Returns the same text as make_lzfse_vectors.py.
  private static func settings(_ count: Int) -> [UInt8] {
    (0..<count).flatMap { [UInt8]("item.\($0) = \($0 * $0 % 97);\n".utf8) }
  }

  private static func noise(_ count: Int) -> [UInt8] {
    var state: UInt32 = 1
    return (0..<count).map { _ in
      state = (state &* 1_103_515_245 &+ 12345) & 0x7fff_ffff
      return UInt8(truncatingIfNeeded: state >> 16)
    }
  }

  @Test(arguments: all)
  func `streams of the reference encoder are read`(vector: Vector) throws {
    #expect(try decode(vector.stream(), capacity: vector.bytes.count) == vector.bytes)
  }

  /// The encodings of the reference encoder for inputs that are too small for tables, in bytes.
  private static let small: [(count: Int, settings: Int, rows: Int)] = [
    (1, 24, 20), (2, 36, 28), (3, 51, 36), (5, 60, 52), (8, 77, 71), (13, 103, 88), (21, 149, 124),
    (34, 224, 179), (55, 335, 270), (89, 502, 422), (144, 771, 657), (233, 1166, 1046),
  ]

  @Test(arguments: Effort.allCases, small.indices)
  func `a small stream is no larger than the reference's`(effort: Effort, index: Int) throws {
    let expected = Self.small[index]
    let rows = (0..<expected.count).flatMap {
      [$0, $0 * 7, 0, 1, $0 / 3, 200, 200, 9].map { UInt8(truncatingIfNeeded: $0) }
    }
    for (bytes, size) in [
      (Self.settings(expected.count), expected.settings), (rows, expected.rows),
    ] {
      let stream = try encode(bytes, effort)
      #expect(stream.count <= size)
      #expect(try decode(stream, capacity: bytes.count) == bytes)
    }
  }

  @Test(arguments: all)
  func `a stream that is truncated anywhere is an error`(vector: Vector) throws {
    let stream = try vector.stream()
    var decoder = Decoder()
    for count in 0..<stream.count {
      #expect(throws: LZFSEError.inputEndsEarly) {
        try decode([UInt8](stream.prefix(count)), with: &decoder, capacity: vector.bytes.count)
      }
    }
  }

  @Test(arguments: all)
  func `an output that is a byte too small is an error`(vector: Vector) throws {
    guard !vector.bytes.isEmpty else { return }
    let stream = try vector.stream()
    #expect(throws: LZFSEError.outputTooSmall) {
      try decode(stream, capacity: vector.bytes.count - 1)
    }
  }

  @Test(arguments: all)
  func `a changed byte is an error or changes the decoded bytes`(vector: Vector) throws {
    let stream = try vector.stream()
    var decoder = Decoder()
    for place in stream.indices {
      for change in [0x01, 0x80, 0xff] as [UInt8] {
        var damaged = stream
        damaged[place] ^= change
        let result = try? decode(damaged, with: &decoder, capacity: vector.bytes.count + 8)
        // After damaged streams, a decoder must continue like a new one.
        var fresh = Decoder()
        let expected = try? decode(damaged, with: &fresh, capacity: vector.bytes.count + 8)
        #expect(result == expected)
      }
    }
    // The decoder still works.
    let bytes = try decode(stream, with: &decoder, capacity: vector.bytes.count)
    #expect(bytes == vector.bytes)
  }

  @Test func `bytes after the stream are not read`() throws {
    let stream = try Self.all[4].stream()
    var decoder = Decoder()
    let target = UnsafeMutableRawBufferPointer.allocate(byteCount: 8000, alignment: 1)
    defer { unsafe target.deallocate() }
    var output = unsafe OutputRawSpan(buffer: target, initializedCount: 0)
    let read = try unsafe decoder.decode((stream + [1, 2, 3]).span.bytes, into: &output)
    #expect(read == stream.count)
    #expect(output.byteCount == Self.all[4].bytes.count)
  }

  @Test func `errors report the reason and the position`() throws {
    #expect(throws: LZFSEError.malformed(.unknownBlock, blockOffset: 0)) {
      try decode([UInt8]("bvx3".utf8), capacity: 10)
    }
    let stored: [UInt8] = [UInt8]("bvx-".utf8) + [1, 0, 0, 0, 65]
    let error = LZFSEError.malformed(.unknownBlock, blockOffset: 9)
    #expect(throws: error) { try decode(stored + [UInt8]("junk".utf8), capacity: 10) }
    #expect(error.description == "unknown kind of block in the LZFSE block at byte 9")
  }
}
