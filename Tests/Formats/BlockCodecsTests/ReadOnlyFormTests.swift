import BlockCodecs
import SystemIO
import Testing

@Suite("Forms that others write")
struct ReadOnlyFormTests {
  @Test
  func `an LZ4 frame may refer to the frames before it`() throws {
    let first = Array("0123456789abcdef".utf8)
    var block = Array("bv4-".utf8) + [16, 0, 0, 0] + first
    // A match of 16 from 16 back, then five literals, which must end an LZ4 block.
    let lz4: [UInt8] = [0x0C, 16, 0, 0x50] + Array("vwxyz".utf8)
    block += Array("bv41".utf8) + [21, 0, 0, 0, UInt8(lz4.count), 0, 0, 0] + lz4
    block += Array("bv4$".utf8)
    #expect(try decoded(block, .lz4, size: 37) == first + first + Array("vwxyz".utf8))
    // The same match without earlier bytes.
    let alone = Array(block[24...])
    #expect(throws: Failure.malformed("an LZ4 frame is damaged")) {
      try decoded(alone, .lz4, size: 21)
    }
  }

  @Test
  func `LZBITMAP chunks, stored and with bitmaps`() throws {
    let stored: [UInt8] = [0x5A, 0x42, 0x4D, 0x09, 9, 0, 0, 3, 0, 0, 1, 2, 3, 6, 0, 0, 0, 0, 0]
    #expect(try decoded(stored, .lzbitmap, size: 3) == [1, 2, 3])
    // Eight literals by the inline bitmap 0xFF, then five times eight copies from 8 back (nibble 3
    // names the first descriptor: bitmap 0, no new period; 15 and 1 repeat it 4 + 1 times).
    let literals: [UInt8] = Array("ABCDEFGH".utf8)
    let bitmaps: [UInt8] = [0xFF]
    let nibbles: [UInt8] = [0x30, 0x1F]
    let start = 15
    let periodsAt = start + literals.count
    let nibblesAt = periodsAt + bitmaps.count
    let length = nibblesAt + nibbles.count + 17
    var chunk: [UInt8] = [UInt8(length), 0, 0, 48, 0, 0]
    chunk += [UInt8(periodsAt), 0, 0, UInt8(periodsAt), 0, 0, UInt8(nibblesAt), 0, 0]
    chunk += literals + bitmaps + nibbles + [UInt8](repeating: 0, count: 17)
    let block = Array("ZBM".utf8) + [0x09] + chunk + [6, 0, 0, 0, 0, 0]
    let expected = [[UInt8]](repeating: literals, count: 6).flatMap(\.self)
    #expect(try decoded(block, .lzbitmap, size: 48) == expected)
    for size in 0..<block.count {
      #expect(throws: Failure.self) {
        try decoded(Array(block.prefix(size)), .lzbitmap, size: 48)
      }
    }
    for place in block.indices {
      for value: UInt8 in [0, 1, 0x7F, 0xFF] {
        var damaged = block
        damaged[place] = value
        _ = try? decoded(damaged, .lzbitmap, size: 48)
      }
    }
  }

  @Test
  func `digests are those of the standard`() throws {
    var digest = try Digest(.sha256)
    unsafe digest.update(Array("ab".utf8).span.bytes)
    unsafe digest.update(Array("c".utf8).span.bytes)
    let hex = digest.finish().map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
    #expect(
      hex.joined() == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    let empty = try Digest(.sha1).finish()
    #expect(empty.prefix(3) == [0xDA, 0x39, 0xA3])
  }
}
