import AssetArchive
import SystemIO
import TestSupport
import Testing

@Suite("Damaged archives")
struct DamagedArchiveTests {
  typealias Sample = PackBytes

  static func failure(_ bytes: [UInt8], threads: Int = 1) -> Failure? {
    do throws(Failure) {
      var reader = try ArchiveReader(bytes, threads: threads)
      _ = try reader.readAll()
      return nil
    } catch {
      return error
    }
  }

  static let entry = Sample.header([Sample.type("F"), Sample.path("a"), Sample.data(2)]) + [1, 2]

  static let cases: [(name: String, bytes: [UInt8], offset: UInt64, reason: String)] = [
    ("magic", Array("AAR1".utf8) + entry, 0, "not an Apple Archive"),
    (
      "second magic", entry + Array("JUNK12".utf8), 0,
      "expected the start of an entry ('AA01')"
    ),
    ("tail", entry + [0x41, 0x41], 0, "2 bytes follow the last entry"),
    ("short header", Array("AA01".utf8) + [3, 0], 0, "an entry header cannot be 3 bytes long"),
    (
      "long header", Array("AA01".utf8) + [255, 255], 0, "the archive ends inside an entry's header"
    ),
    ("no type", Sample.header([Sample.path("a")]), 0, "an entry has no type (TYP)"),
    ("no path", Sample.header([Sample.type("F")]), 0, "an entry has no path (PAT)"),
    (
      "type", Sample.header([Sample.field("TYP1", [1]), Sample.path("a")]), 0,
      "unknown entry type 1"
    ),
    (
      "twice", Sample.header([Sample.type("F"), Sample.path("a"), Sample.path("b")]), 0,
      "the field PAT is listed twice"
    ),
    (
      "kind", Sample.header([Sample.type("F"), Sample.path("a"), Sample.field("MOD*")]), 0,
      "the field MOD is not a number"
    ),
    (
      "subtype", Sample.header([Sample.type("F"), Sample.path("a"), Sample.field("MODz")]), 0,
      "the field MOD has the unknown subtype 0x7a"
    ),
    (
      "name", Sample.header([Sample.type("F"), Sample.path("a"), Sample.field("M.D1", [1])]), 0,
      "a field has no valid name"
    ),
    (
      "long field", Sample.header([Sample.type("F"), Sample.field("PATP", [9, 0, 65])]), 0,
      "a field extends past its entry's header"
    ),
    (
      "nanoseconds",
      Sample.header([
        Sample.type("F"), Sample.path("a"),
        Sample.field("MTMT", [0, 0, 0, 0, 0, 0, 0, 0, 255, 255, 255, 255]),
      ]), 0,
      "the field MTM has 4294967295 nanoseconds"
    ),
    (
      "blob",
      Sample.header([
        Sample.type("F"), Sample.path("a"),
        Sample.field("DATC", [0, 0, 0, 0, 0, 0, 0, 0x10]),
      ]) + [1], 0,
      "the archive ends inside the DAT data of an entry"
    ),
    ("letter", Sample.containerStart("m", blockSize: 1024), 3, "unknown compression 'm'"),
    ("container", Array("pbze".utf8) + [0, 0], 6, "the container's header is truncated"),
    (
      "block size", Sample.containerStart(blockSize: 1 << 32), 4,
      "invalid block size 4294967296"
    ),
    (
      "no block size", Sample.containerStart(blockSize: 0), 4,
      "invalid block size 0"
    ),
    (
      "raw size",
      Sample.containerStart(blockSize: 64) + Sample.block(raw: 1 << 60, stored: 9),
      12, "a block of 1152921504606846976 bytes in a container of 64-byte blocks"
    ),
    (
      "stored size",
      Sample.containerStart(blockSize: 64) + Sample.block(raw: 64, stored: 65), 12,
      "a block stored in 65 bytes in a container of 64-byte blocks"
    ),
    (
      "payload", Sample.containerStart(blockSize: 64) + Sample.block(raw: 64, stored: 64), 12,
      "the file ends inside a block"
    ),
    (
      "block header", Sample.containerStart(blockSize: 64) + Sample.big(64), 12,
      "the file ends inside a block's header"
    ),
  ]

  @Test(arguments: cases.indices)
  func `each fault is reported with its position in the file`(index: Int) throws {
    let sample = Self.cases[index]
    for threads in [1, 2] {
      let failure = try #require(Self.failure(sample.bytes, threads: threads), "\(sample.name)")
      #expect(failure.kind == .malformed(sample.reason))
      if sample.offset > 0 { #expect(failure.place?.fileOffset == sample.offset) }
    }
  }

  @Test
  func `an archive that is truncated anywhere except between two entries is an error`() throws {
    let stream = ReaderTests.stream
    var reader = try ArchiveReader(stream)
    var ends: Set<Int> = [stream.count]
    while let entry = try reader.nextEntry() { ends.insert(Int(entry.offset)) }
    for size in 0..<stream.count {
      #expect((Self.failure(Array(stream.prefix(size))) == nil) == ends.contains(size))
    }
    let container = Sample(stream: stream).container(blockSize: 100)
    for size in 1..<container.count where (size - 12) % 116 != 0 {
      #expect(Self.failure(Array(container.prefix(size))) != nil, "\(size) bytes")
    }
  }

  @Test
  func `a changed byte gives the same result with any number of threads`()
    throws
  {
    let container = Sample(stream: ReaderTests.stream).container(blockSize: 300)
    for place in container.indices where place < 400 || place % 3 == 0 {
      for mask: UInt8 in [0x01, 0x20, 0xFF] {
        var damaged = container
        damaged[place] ^= mask
        #expect(Self.failure(damaged) == Self.failure(damaged, threads: 2), "byte \(place)")
      }
    }
  }

  @Test
  func `a partial block before others is accepted and reported`() throws {
    let stream = ReaderTests.stream
    let bytes = Sample.container(of: [stream[..<100], stream[100...]], blockSize: 1000)
    var reader = try ArchiveReader(bytes)
    #expect(try reader.readAll().count == 4)
    #expect(reader.shortInnerBlock == 12)
  }
}
