import BAPackKit
import SourceDiagnostics
import SystemIO
import TestSupport
import Testing

/// Tests of the division of packs into shards.
@Suite struct ShardTests {
  @Test(arguments: ["", "2", "0/8", "9/8", "2/0", "a/b", "1/2/3", "-1/2", "1/10001", "1/", " 1/2"])
  func `an invalid shard is rejected`(_ text: String) { #expect(Shard(written: text) == nil) }

  @Test func `a shard is parsed`() {
    #expect(Shard(written: "2/8")?.number == 2)
    #expect(Shard(written: "2/8")?.count == 8)
    #expect(Shard(written: "1/1") != nil)
  }

  private static func parts(
    _ ids: [String], _ sizes: PackSizes, into count: Int
  ) throws -> [[String]] {
    try (1...count).map { number in
      try #require(Shard(written: "\(number)/\(count)"))
        .indices(of: ids.map { PackID($0) }, sizes: sizes).map { ids[$0] }
    }
  }

  @Test func `every pack is in one shard for all sizes, and the order does not matter`() throws {
    var random = Seeded(seed: 19)
    for _ in 0..<200 {
      let ids = (0..<Int(random.next() % 40)).map { "pack-\($0)" }
      var sizes = PackSizes()
      for id in ids where random.next() % 4 > 0 {
        sizes[PackID(id)] = random.next() % 9 == 0 ? .max : random.next() % 1_000_000
      }
      // The record also contains packs that no longer exist.
      sizes[PackID("gone")] = 17
      let count = Int(random.next() % 9) + 1
      let parts = try Self.parts(ids, sizes, into: count)
      #expect(parts.flatMap(\.self).sorted() == ids.sorted())
      let shuffled = try Self.parts(ids.shuffled(using: &random), sizes, into: count)
      #expect(shuffled.map { $0.sorted() } == parts.map { $0.sorted() })
    }
  }

  @Test func `without sizes the shards differ by at most one pack`() throws {
    let ids = (0..<60).map { "p\($0)" }
    for count in [1, 7, 8, 60, 61] {
      let counts = try Self.parts(ids, PackSizes(), into: count).map(\.count)
      #expect((counts.max() ?? 0) - (counts.min() ?? 0) <= 1)
    }
  }

  @Test func `no shard is much larger than necessary if sizes are recorded`() throws {
    var random = Seeded(seed: 20)
    for _ in 0..<100 {
      var sizes = PackSizes()
      let ids = (0..<30).map { "p\($0)" }
      var all: [UInt64] = []
      for id in ids {
        let size = random.next() % 1000 + 1
        sizes[PackID(id)] = size
        all.append(size)
      }
      let parts = try Self.parts(ids, sizes, into: 4)
      let largest = parts.map { $0.reduce(0) { $0 + (sizes[PackID($1)] ?? 0) } }.max() ?? 0
      // No division is better than this, and the result is at most a third larger (Graham).
      let least = max(all.max() ?? 0, (all.reduce(0, +) + 3) / 4)
      #expect(largest * 3 <= least * 4 + 3)
    }
  }

  @Test func `the record is equal for equal sizes, and can be read again`() throws {
    var sizes = PackSizes()
    sizes[PackID("b")] = 2
    sizes[PackID("a")] = .max
    let text = String(decoding: try sizes.encoded(), as: UTF8.self)
    #expect(
      text == """
        {
          "format": 1,
          "packs": {
            "a": 18446744073709551615,
            "b": 2
          }
        }

        """)
    #expect(try PackSizes.read(sizes.encoded(), named: "").document == sizes)
    try expectRoundTrip(sizes)
    let wrong = [
      "[]", "{}", #"{"packs": {}}"#, #"{"format": 1}"#, #"{"format": 1, "packs": 1}"#,
      #"{"format": 1, "packs": {"a": "x"}}"#, #"{"format": 0, "packs": {}}"#, "<<<<<<< HEAD",
    ]
    for text in wrong {
      #expect(throws: StateFault.self) { try PackSizes.read(Array(text.utf8), named: "") }
    }
    #expect(throws: StateFault.newer(format: 2)) {
      try PackSizes.read(Array(#"{"format": 2, "packs": [}"#.utf8), named: "")
    }
    let folder = try TemporaryFolder()
    try folder.makeFile("ba-package.json", "{}")
    let place = ProjectPlace(named: folder.path)
    #expect(try PackSizes(for: place) == PackSizes())
    try folder.makeFile("ba-package.sizes.json", "<<<<<<< HEAD")
    #expect(throws: PackError.self) { try PackSizes(for: place) }
  }
}
