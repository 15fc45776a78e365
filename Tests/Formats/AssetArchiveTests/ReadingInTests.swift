@testable import AssetArchive
import SystemIO

extension ArchiveReader {
  init(
    _ bytes: [UInt8], threads: Int = 1, window: Int? = nil
  ) throws(Failure) {
    try self.init(
      ByteSource(bytes, name: "sample"),
      parallelism: BlockStreamReader.Parallelism(threads: threads, window: window))
  }

  /// Returns each entry with the joined bytes of its blobs.
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

extension BlockStreamReader {
  /// Returns the next `count` bytes; fewer only at the end of the stream.
  mutating func take(_ count: Int) throws(Failure) -> [UInt8] {
    var taken: [UInt8] = []
    try take(count, appendingTo: &taken)
    return taken
  }
}
