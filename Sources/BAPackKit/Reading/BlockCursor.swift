import AssetArchive
import SystemIO

/// Follows the blocks of a pack along with its entries, and tells how much of the file a stretch
/// takes.
struct BlockCursor {
  private var headers: BlockHeaders
  private var block: BlockPlace?
  private(set) var blocks = PackInspection.Blocks()
  /// Where the block begins in which the stretch before ended, and how many of its bytes there are
  /// not counted as shared yet.
  private var tail: (block: UInt64, unshared: UInt64)?
  /// How many bytes of the stretch before are in a block that it shares with the latest one.
  private(set) var sharedBefore: UInt64 = 0
  /// Where the block begins in which the latest stretch ends, and how many of the stretch's bytes
  /// it has; nil if no stretch had any bytes.
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

  /// How much of the file a stretch of the decoded stream takes; stretches are asked for in order.
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

  /// Counts the blocks that remain.
  mutating func finish() throws(PackError) {
    repeat { try next() } while block != nil
  }
}
