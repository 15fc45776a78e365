import AssetArchive
import SystemIO

/// A cursor over the blocks of a pack, which computes the stored size of ranges of the decoded
/// stream.
struct BlockCursor {
  private var headers: BlockHeaders
  private var block: BlockPlace?
  private(set) var blocks = PackInspection.Blocks()
  /// The start of the block in which the previous range ended, and the number of bytes of that
  /// range in it that are not yet counted as shared.
  private var tail: (block: UInt64, unshared: UInt64)?
  /// The number of bytes of the previous range in a block that it shares with the latest range.
  private(set) var sharedBefore: UInt64 = 0
  /// The start of the block in which the latest range ends, and the number of bytes of the range in
  /// it; nil if all ranges were empty.
  private(set) var last: (block: UInt64, bytes: UInt64)?

  init(_ reader: borrowing PackReader) {
    headers = reader.blockHeaders
  }

  private mutating func next() throws(PackError) {
    block = try mapFailure(.reading) { () throws(Failure) in try headers.next() }
    guard let block, headers.areContained else { return }
    blocks.count += 1
    blocks.compressed += block.header.isStored ? 0 : 1
    blocks.decodedSize += block.header.rawSize
    blocks.storedSize += block.header.storedSize
  }

  /// Returns the share of the file for a range of the decoded stream; ranges must be in order.
  mutating func share(
    of range: Range<UInt64>
  ) throws(PackError) -> PackContents.StoredShare {
    var stored = 0.0
    var uncompressed: UInt64 = 0
    var shared: UInt64 = 0
    sharedBefore = 0
    var at = range.lowerBound
    while at < range.upperBound {
      if block.map({ $0.streamOffset + $0.header.rawSize <= at }) ?? true { try next() }
      guard let block else { break }
      let end = min(range.upperBound, block.streamOffset + block.header.rawSize)
      guard end > at else { continue }
      stored += Double(end - at) * Double(block.header.storedSize) / Double(block.header.rawSize)
      if block.header.isStored { uncompressed += end - at }
      last = (block.streamOffset, end - at)
      if at == range.lowerBound, let tail, tail.block == block.streamOffset {
        sharedBefore = tail.unshared
        shared = end - at
        self.tail = (block.streamOffset, 0)
      } else {
        tail = (block.streamOffset, end - at)
      }
      at = end
    }
    return .init(
      stored: UInt64(stored.rounded()), uncompressed: uncompressed, shared: shared)
  }

  /// Counts the remaining blocks.
  mutating func finish() throws(PackError) {
    repeat { try next() } while block != nil
  }
}
