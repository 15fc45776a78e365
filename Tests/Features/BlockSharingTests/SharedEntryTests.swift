import AssetArchive
import SystemIO
import TestSupport
import Testing

@testable import BlockSharing

@Suite("Entries of a shared cache")
struct SharedEntryTests {
  private static let key = BlockKey(Array(0..<32))
  private static let secret = Array("0123456789abcdef".utf8)

  private func bytes(
    _ form: BlockEncoding, _ encoded: [UInt8], secret: [UInt8]? = nil
  ) throws -> [UInt8] {
    try encoded.withRawSpan { encoded throws(Failure) in
      try SharedEntry.bytes(Self.key, form, encoded, secret: secret)
    }
  }

  private func payload(
    _ bytes: [UInt8], _ key: BlockKey = Self.key, secret: [UInt8]? = nil
  ) -> [UInt8]? {
    SharedEntry(bytes, for: key, secret: secret).map { Array(bytes[$0.payload]) }
  }

  @Test
  func `an entry contains only the standard output of an action`() throws {
    #expect(
      try bytes(.encoded, [1, 2, 3])
        == [0x2A, 13] + Array("BAPKSHB1e".utf8) + [0, 1, 2, 3])
    #expect(try bytes(.stored, []) == [0x2A, 10] + Array("BAPKSHB1s".utf8) + [0])
    // The size is encoded with seven bits per byte.
    #expect(
      try bytes(.encoded, Array(repeating: 7, count: 300)).prefix(3) == [0x2A, 0xB6, 0x02])
  }

  @Test(arguments: [0, 1, 100, 127, 128, 70_000], [nil, secret])
  func `a written entry can be read`(size: Int, secret: [UInt8]?) throws {
    var seeded = Seeded(seed: 1)
    let noise = seeded.noise(size)
    let entry = try bytes(.encoded, noise, secret: secret)
    #expect(payload(entry, secret: secret) == noise)
    // Without a secret, every entry can be read.
    #expect(payload(entry) == noise)
    #expect(SharedEntry(try bytes(.stored, []), for: Self.key, secret: nil)?.form == .stored)
  }

  @Test
  func `with a secret, only entries with its code for this block are valid`() throws {
    let entry = try bytes(.encoded, [1, 2, 3], secret: Self.secret)
    #expect(payload(entry, secret: Self.secret) == [1, 2, 3])
    #expect(payload(try bytes(.encoded, [1, 2, 3]), secret: Self.secret) == nil)
    #expect(payload(entry, secret: Self.secret + [1]) == nil)
    #expect(payload(entry, BlockKey(Array(1..<33)), secret: Self.secret) == nil)
    for index in entry.indices {
      for bit in 0..<8 {
        var damaged = entry
        damaged[index] ^= 1 << bit
        #expect(payload(damaged, secret: Self.secret) == nil, "\(index) \(bit)")
      }
      #expect(payload(Array(entry.prefix(index)), secret: Self.secret) == nil)
    }
  }

  @Test
  func `fields that servers add are ignored`() throws {
    let entry = try bytes(.encoded, [1, 2, 3])
    // `execution_metadata` with the name of a worker, and fields of each kind.
    let added: [[UInt8]] = [
      [0x4A, 6, 0x0A, 4, 0x61, 0x62, 0x63, 0x64], [0x20, 0], [0x99, 0x01, 1, 2, 3, 4, 5, 6, 7, 8],
      [0x9D, 0x01, 1, 2, 3, 4], [0x98, 0x01, 0xFF, 0xFF, 0x03], [0x32, 0],
    ]
    for more in added {
      #expect(payload(entry + more) == [1, 2, 3])
      #expect(payload(more + entry) == [1, 2, 3])
    }
  }

  @Test
  func `other data is not an entry`() throws {
    let entry = try bytes(.encoded, [1, 2, 3])
    let others: [[UInt8]] = [
      [], [0], [0x2A], [0x2A, 5, 1], [0x2A, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01],
      Array(repeating: 0xFF, count: 100), [0x2A, 0], [0x2B] + entry.dropFirst(), entry + [0x20, 1],
      Array("<html>Not found</html>".utf8), [0x2A, 10] + Array("BAPKSHB1e".utf8) + [7],
      [0x2A, 10] + Array("BAPKSHB1x".utf8) + [0], [0x2A, 11] + Array("BAPKSHB1s".utf8) + [0, 1],
      [0x2A, 12] + Array("BAPKSHB1e".utf8) + [32, 1, 2],
    ]
    for bytes in others { #expect(payload(bytes) == nil, "\(bytes)") }
    var seeded = Seeded(seed: 3)
    for _ in 0..<2000 {
      var damaged = entry + [0x4A, 6, 0x0A, 4, 0x61, 0x62, 0x63, 0x64]
      for _ in 0..<3 {
        damaged[Int(seeded.next() % UInt64(damaged.count))] = UInt8(seeded.next() & 255)
      }
      _ = payload(damaged)
    }
  }

  @Test
  func `a name is a digest of the key and of the entry format`() throws {
    #expect(
      try SharedEntry.name(of: Self.key)
        == "5b404f6ddc678e816314db4ef061a6dfc72a2e6b54cd60423b8dc1b6ce09cd0a")
  }
}
