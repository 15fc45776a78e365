import AssetArchive
import SystemIO
import TestSupport
import Testing

@Suite("Reading archives")
struct ReaderTests {
  typealias Sample = PackBytes

  /// An archive with a folder and three files, one empty, one across blocks, with fields of
  /// every kind.
  static let stream: [UInt8] = {
    var bytes = Sample.header([
      Sample.type("D"), Sample.path(""), Sample.field("UID8", [0xF5, 1, 0, 0, 0, 0, 0, 0]),
      Sample.field("MTMT", [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 7, 0, 0, 0]),
      Sample.field("ZZZ*"),
    ])
    bytes += Sample.header(
      [
        Sample.path("empty"), Sample.type("F"), Sample.field("DATA", [0, 0]),
      ], magic: "YAA1")
    // Data of several blobs follow in the order of the fields; an unknown one is skipped.
    bytes += Sample.header([
      Sample.type("F"), Sample.path("two"), Sample.field("QQQA", [3, 0]), Sample.data(700),
      Sample.field("SH2H", [UInt8](repeating: 9, count: 32)),
    ])
    bytes += [1, 2, 3] + (0..<700).map { UInt8(truncatingIfNeeded: $0) }
    bytes += Sample.header([Sample.type("F"), Sample.path("last"), Sample.data(1)]) + [42]
    return bytes
  }()

  @Test(arguments: [1, 7, 64, 512, 4096], [1, 2, 3, 8])
  func `every container, block size and number of threads gives the same entries`(
    blockSize: Int, threads: Int
  ) throws {
    for bytes in [Self.stream, Sample(stream: Self.stream).container(blockSize: blockSize)] {
      for window in [1, 2, 8] {
        var reader = try ArchiveReader(bytes, threads: threads, window: window)
        let entries = try reader.readAll()
        #expect(
          entries.map { $0.entry.header.path.map { String(decoding: $0.bytes, as: UTF8.self) } }
            == ["", "empty", "two", "last"])
        #expect(entries[0].entry.header.fields.userID == 501)
        #expect(entries[0].entry.header.fields.modified == Moment(seconds: -1, nanoseconds: 7))
        #expect(entries[1].entry.header.fields.dataSize == 0)
        #expect(entries[1].data == [])
        #expect(entries[2].data.count == 703)
        #expect(entries[2].data[4] == 1)
        #expect(entries[3].data == [42])
      }
    }
  }

  @Test(arguments: [1, 23, 24, 25, 100, 300])
  func `an undocumented field is listed once, among any number of others`(count: Int) throws {
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ".utf8)
    let fields = (0..<count).flatMap { index in
      [UInt8(ascii: "Q"), letters[index / 26], letters[index % 26], UInt8(ascii: "*")]
    }
    func header(_ more: [UInt8]) -> [UInt8] {
      let rest = Array("TYP1DPATP".utf8) + [1, 0, UInt8(ascii: "a")] + fields + more
      let length = 6 + rest.count
      return Array("AA01".utf8) + [UInt8(length & 0xFF), UInt8(length >> 8)] + rest
    }
    var reader = try ArchiveReader(header([]))
    #expect(try reader.nextEntry()?.header.fields.unusual.count == count)
    for index in [0, count / 2, count - 1] {
      let again = Array(fields[4 * index..<4 * index + 4])
      var reader = try ArchiveReader(header(again))
      let name = String(decoding: again.prefix(3), as: UTF8.self)
      let failure = #expect(throws: Failure.self) { try reader.nextEntry() }
      #expect(failure?.reason.contains("the field \(name) is listed twice") == true)
    }
  }

  @Test
  func `every documented field has one kind of value`() throws {
    for rule in FieldRule.all {
      let rest = Array(rule.key.description.utf8) + [UInt8(ascii: "*")]
      var reader = try ArchiveReader(Array("AA01".utf8) + [UInt8(6 + rest.count), 0] + rest)
      let failure = #expect(throws: Failure.self) { try reader.nextEntry() }
      #expect(failure?.reason.contains("the field \(rule.key) is not a \(rule.kind)") == true)
    }
  }

  @Test
  func `chunks have the key of their blob and their offset in it`() throws {
    var reader = try ArchiveReader(Sample(stream: Self.stream).container(blockSize: 256))
    while let entry = try reader.nextEntry(), entry.header.path?.path?.shown != "two" {}
    var seen: [String: UInt64] = [:]
    while let chunk = try reader.nextChunk() {
      #expect(chunk.offset == seen[chunk.key.description, default: 0])
      reader.withChunk { #expect($0.byteCount == chunk.count) }
      seen[chunk.key.description, default: 0] += UInt64(chunk.count)
    }
    #expect(seen == ["QQQ": 3, "DAT": 700])
  }

  @Test(arguments: [1, 2])
  func `one entry can be read alone, in any order`(threads: Int) throws {
    let bytes = Sample(stream: Self.stream).container(blockSize: 32)
    var first = try ArchiveReader(bytes)
    let entries = try first.readAll()
    var reader = try ArchiveReader(bytes, threads: threads)
    for entry in entries.reversed() + entries {
      try reader.seek(to: entry.entry.offset)
      #expect(try reader.nextEntry()?.header == entry.entry.header)
      #expect(try reader.readData() == entry.data)
    }
    #expect(throws: Failure.self) { try reader.seek(to: UInt64(Self.stream.count) + 1) }
  }

  @Test
  func `blocks that are skipped are not decoded`() throws {
    var bytes = Sample(stream: Self.stream).container(blockSize: 64)
    // A block inside the 700 bytes becomes one that claims to be encoded and cannot be decoded.
    let block = 12 + 6 * (16 + 64)
    bytes.replaceSubrange(block + 8..<block + 16, with: Sample.big(63))
    bytes.remove(at: block + 16)
    var reader = try ArchiveReader(bytes)
    var paths = 0
    while try reader.nextEntry() != nil { paths += 1 }
    #expect(paths == 4)
    var whole = try ArchiveReader(bytes)
    do {
      _ = try whole.readAll()
      Issue.record("a broken block was read")
    } catch {
      #expect(error.isAboutBytes)
      #expect(error.place == Failure.Place(fileOffset: UInt64(block), streamOffset: 6 * 64))
    }
  }

  @Test
  func `a stream of no bytes is an archive without entries`() throws {
    var reader = try ArchiveReader([])
    #expect(try reader.nextEntry() == nil)
    var container = try ArchiveReader(Sample.containerStart(blockSize: 1 << 20))
    #expect(try container.nextEntry() == nil)
    #expect(container.container?.blockSize == 1 << 20)
  }
}
