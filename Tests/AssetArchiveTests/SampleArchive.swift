import AssetArchive
import SystemIO

/// Bytes of archives, put together by hand.
enum SampleArchive {
  static func header(_ fields: [UInt8]..., magic: String = "AA01") -> [UInt8] {
    let fields = fields.flatMap(\.self)
    let length = fields.count + 6
    return Array(magic.utf8) + [UInt8(length & 255), UInt8(length >> 8)] + fields
  }

  static func field(_ name: String, _ value: [UInt8] = []) -> [UInt8] { Array(name.utf8) + value }

  static func path(_ path: String) -> [UInt8] {
    field("PATP", [UInt8(path.utf8.count & 255), UInt8(path.utf8.count >> 8)] + Array(path.utf8))
  }

  static let directory = field("TYP1", [UInt8(ascii: "D")])
  static let file = field("TYP1", [UInt8(ascii: "F")])

  /// The blob field of contents that follow.
  static func data(_ count: Int) -> [UInt8] {
    field("DATB", (0..<4).map { UInt8(truncatingIfNeeded: count >> (8 * $0)) })
  }

  /// A container whose blocks are stored.
  static func container(_ stream: [UInt8], blockSize: Int) -> [UInt8] {
    var bytes = Array("pbze".utf8) + number(blockSize)
    var start = 0
    while start < stream.count {
      let block = stream[start..<min(start + blockSize, stream.count)]
      bytes += number(block.count) + number(block.count) + block
      start += blockSize
    }
    return bytes
  }

  static func number(_ value: Int) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: value >> (56 - 8 * $0)) }
  }
}

extension ArchiveReader {
  init(
    _ bytes: [UInt8], threads: Int = 1, window: Int? = nil
  ) throws(Failure) {
    try self.init(
      ByteSource(bytes, name: "sample"),
      parallelism: BlockStreamReader.Parallelism(threads: threads, window: window))
  }

  /// Everything: each entry with the bytes of its blobs, joined.
  mutating func readAll() throws(Failure) -> [(entry: Entry, data: [UInt8])] {
    var all: [(entry: Entry, data: [UInt8])] = []
    while let entry = try nextEntry() { all.append((entry, try readData())) }
    return all
  }

  mutating func readData() throws(Failure) -> [UInt8] {
    var data: [UInt8] = []
    while try nextChunk() != nil { withChunk { data.append(copying: $0) } }
    return data
  }
}

/// Bytes kept in memory.
struct MemorySink: ByteSink {
  private(set) var bytes: [UInt8] = []

  mutating func write(_ bytes: RawSpan) { self.bytes.append(copying: bytes) }
}
