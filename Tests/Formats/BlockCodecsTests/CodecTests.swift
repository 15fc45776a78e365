import BlockCodecs
import LZFSE
import SystemIO
import TestSupport
import Testing

@Suite("Block codecs")
struct CodecTests {
  static let writable = BlockAlgorithm.writable
  static let sizes = [1, 2, 13, 100, 4095, 65_535, 65_536, 65_537, 200_000]

  @Test(arguments: writable, Effort.allCases)
  func `an encoded block decodes to the same bytes`(algorithm: BlockAlgorithm, effort: Effort)
    throws
  {
    let encoder = try algorithm.makeEncoder(effort: effort, blockSize: 200_000)
    let decoder = try algorithm.makeDecoder()
    for size in Self.sizes {
      var seeded = Seeded(seed: UInt64(size))
      let inputs = [
        [UInt8](repeating: 7, count: size), seeded.text(size), seeded.noise(size),
      ]
      for input in inputs {
        let block = try #require(try encode(input, with: encoder, room: 2 * size + 1024))
        #expect(try decode(block, with: decoder, size: size) == input)
      }
    }
  }

  @Test(arguments: writable)
  func `a used encoder writes the bytes of a new one`(algorithm: BlockAlgorithm) throws {
    var seeded = Seeded(seed: 1)
    let first = seeded.text(90_000)
    let second = seeded.text(70_000)
    let used = try algorithm.makeEncoder(effort: .default, blockSize: 100_000)
    _ = try encode(first, with: used, room: 100_000)
    _ = try encode(first, with: used, room: 50)
    let new = try algorithm.makeEncoder(effort: .default, blockSize: 100_000)
    #expect(
      try encode(second, with: used, room: 100_000)
        == encode(second, with: new, room: 100_000))
  }

  @Test(arguments: writable)
  func `an output that is one byte too small is an error`(algorithm: BlockAlgorithm) throws {
    var seeded = Seeded(seed: 2)
    let input = seeded.text(70_000)
    let size = try #require(try encoded(input, algorithm)).count
    #expect(size < 70_000 / 2)
    #expect(try encoded(input, algorithm, room: size) != nil)
    #expect(try encoded(input, algorithm, room: size - 1) == nil)
    #expect(try encoded(seeded.noise(70_000), algorithm, room: 69_999) == nil)
  }

  @Test(arguments: writable)
  func `a size that is wrong by one byte is an error`(algorithm: BlockAlgorithm) throws {
    var seeded = Seeded(seed: 3)
    let input = seeded.text(66_000)
    let block = try #require(try encoded(input, algorithm))
    #expect(throws: Failure.self) { try decoded(block, algorithm, size: 65_999) }
    #expect(throws: Failure.self) { try decoded(block, algorithm, size: 66_001) }
    #expect(throws: Failure.self) { try decoded(block + [0], algorithm, size: 66_000) }
    #expect(throws: Failure.self) { try decoded([], algorithm, size: 1) }
  }

  @Test(arguments: writable)
  func `a block that is truncated anywhere is an error`(algorithm: BlockAlgorithm) throws {
    var seeded = Seeded(seed: 4)
    let input = seeded.text(3000)
    let block = try #require(try encoded(input, algorithm))
    for size in 0..<block.count {
      #expect(throws: Failure.self, "\(size) bytes") {
        try decoded(Array(block.prefix(size)), algorithm, size: 3000)
      }
    }
  }

  @Test(arguments: writable)
  func `a changed byte is an error or changes the decoded bytes`(algorithm: BlockAlgorithm)
    throws
  {
    var seeded = Seeded(seed: 5)
    let block = try #require(try encoded(seeded.text(2000), algorithm))
    let decoder = try algorithm.makeDecoder()
    for place in block.indices {
      for mask: UInt8 in [0x01, 0x80, 0xFF] {
        var damaged = block
        damaged[place] ^= mask
        // After damaged blocks, a decoder must continue like a new one.
        let fresh = try algorithm.makeDecoder()
        let result = try? decode(damaged, with: decoder, size: 2000)
        #expect(result == (try? decode(damaged, with: fresh, size: 2000)))
      }
    }
    #expect(try decode(block, with: decoder, size: 2000).count == 2000)
  }

  @Test
  func `the first bytes are those that Apple's readers require`() throws {
    var seeded = Seeded(seed: 6)
    let input = seeded.text(5000)
    #expect(try encoded(input, .zlib)?.prefix(2) == [0x78, 0x5E])
    #expect(
      try encoded(input, .lzma)?.prefix(12)
        == [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00, 0x00, 0x00, 0xFF, 0x12, 0xD9, 0x41])
    let lz4 = try #require(try encoded(input, .lz4))
    #expect(lz4.prefix(8) == Array("bv41".utf8)[...] + [0x88, 0x13, 0, 0])
    #expect(lz4.suffix(4).elementsEqual("bv4$".utf8))
    #expect(try encoded(input, .lzfse)?.prefix(3).elementsEqual("bvx".utf8) == true)
  }

  @Test
  func `the xz dictionary is no larger than the block`() throws {
    var seeded = Seeded(seed: 7)
    let block = try #require(try encoded(seeded.text(1 << 16), .lzma))
    // The block header follows the 12-byte stream header: size, flags, filter 0x21, 1, dictionary.
    #expect(block[14..<16] == [0x21, 0x01])
    #expect(block[16] == 8)  // 2 << (8 / 2 + 11) = 64 KiB
  }

  @Test
  func `stored and read-only algorithms have no encoder`() throws {
    #expect(throws: Failure.self) { try decoded([1], .stored, size: 2) }
    for algorithm in [BlockAlgorithm.lzbitmap, .stored] {
      #expect(throws: Failure(.notWritable("\(algorithm)"))) { try encoded([1, 2, 3], algorithm) }
    }
  }
}
