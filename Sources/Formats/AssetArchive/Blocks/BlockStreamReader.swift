import BlockCodecs
package import SystemIO

/// The decoded blocks of a container as one stream of bytes.
///
/// With several threads, the next blocks are read and decoded while the current one is used, and
/// delivered in order. A single block is decoded on the caller's thread. A block that is skipped
/// before its decoding starts is neither read nor decoded. Damage in a block that is skipped whole
/// is not an error.
///
/// The maximum memory is 256 MiB plus one block, independently of the archive's headers: decoding
/// of a block starts only if all blocks being decoded fit into 256 MiB. A larger block is decoded
/// alone, when no other block is in memory. A block that needs more than ``Parallelism/memory`` is
/// rejected.
package struct BlockStreamReader: ~Copyable {
  /// The amount of parallel work.
  package struct Parallelism: Sendable {
    package var threads: Int
    package var window: Int
    /// The maximum memory of one block in bytes.
    package var memory: UInt64

    package init(threads: Int, window: Int? = nil, memory: UInt64 = Self.defaultMemory) {
      self.threads = max(1, threads)
      self.window = max(1, window ?? (threads > 1 ? 2 * threads : 1))
      self.memory = memory
    }

    /// Enough for blocks of usual sizes.
    ///
    /// A limit is necessary because the header of a small file can declare a block of 1 GiB.
    package static let defaultMemory: UInt64 = 512 << 20

    /// One thread, which decodes a block when it is read.
    package static let none = Parallelism(threads: 1)
  }

  private let source: SharedSource
  private var walk: BlockWalk
  private var ring: WorkRing<DecodingSlot, DecodingWorker>
  /// The maximum memory of one block, and of several together, in bytes.
  private let memory: UInt64
  private let sharedMemory: UInt64
  /// The memory of the blocks that are being read and decoded.
  private var underWay: UInt64 = 0
  /// The block that is being delivered; when it has been used up, its memory is used again.
  private var present = DecodingSlot()
  /// The number of its bytes that have been used.
  private var used = 0
  /// The file offset of the block after the current one.
  private var nextFileOffset: UInt64
  /// The next block, if its header was read but there was no memory for it yet.
  private var upcoming: BlockPlace?
  /// The offset of the next byte in the decoded stream.
  package private(set) var position: UInt64 = 0
  /// The failure of the walk or of the file; thrown after the blocks before it are delivered.
  private var pending: Failure?

  private static let mostSharedMemory: UInt64 = 256 << 20

  package init(
    _ source: consuming ByteSource, parallelism: Parallelism = .none
  ) throws(Failure) {
    let start = try BlockWalk(source)
    var walk = start
    // An error in the header is reported when the block is read.
    let first = parallelism.threads > 1 ? try? walk.next(source) : nil
    // A single block is not decoded ahead, so it needs no threads.
    let isSingle = first?.end == source.size
    let parallelism =
      isSingle ? Parallelism(threads: 1, memory: parallelism.memory) : parallelism
    let algorithm = walk.container?.algorithm ?? .stored
    let source = SharedSource(source)
    // More threads would exceed the shared memory even with the smallest blocks.
    let most = Int(Self.mostSharedMemory) / (2 * DecodingWorker.mostKept)
    let ring = try WorkRing<DecodingSlot, DecodingWorker>(
      window: min(parallelism.window, most), threads: min(parallelism.threads, most),
      makeWorker: { DecodingWorker(algorithm) },
      perform: { worker, slot in slot.fill(from: source.bytes, with: &worker) })
    nextFileOffset = start.fileOffset
    upcoming = first
    memory = parallelism.memory
    sharedMemory = min(Self.mostSharedMemory, parallelism.memory)
    self.source = source
    self.walk = first == nil ? start : walk
    self.ring = ring
  }

  /// The header of the container; nil for an archive without a container.
  package var container: ContainerHeader? { walk.container }

  /// Returns a failure with the error in the file and its position.
  func malformed(_ reason: String, at place: Failure.Place) -> Failure {
    source.bytes.malformed(reason, at: place)
  }

  /// Returns the failure with the name of the file.
  func naming(_ failure: Failure) -> Failure { failure.withPath(source.bytes.name) }

  package var fileSize: UInt64 { source.bytes.size }

  /// The file offset of a short block with others after it, among the blocks that were read.
  package var shortInnerBlock: UInt64? { walk.shortInnerBlock }

  /// The place of the next byte, for messages.
  package var place: Failure.Place {
    Failure.Place(fileOffset: fileOffset, streamOffset: position)
  }

  private var fileOffset: UInt64 {
    guard left > 0 else { return nextFileOffset }
    let block = present.place
    return block.header.isStored ? block.payloadOffset + UInt64(used) : block.fileOffset
  }

  /// The number of unused bytes of the current block.
  private var left: Int { present.count - used }

  /// Returns the number of unused bytes of the current block; 0 only at the end of the stream.
  ///
  /// If all bytes of the current block have been used, waits for the next block.
  package mutating func available() throws(Failure) -> Int {
    if left > 0 { return left }
    readAhead()
    guard takeNext() else {
      if let pending { throw pending }
      return 0
    }
    try checkPresent()
    return left
  }

  /// Calls a function with the first `count` of the available bytes.
  package func withBytes<Success, Thrown: Error>(
    _ count: Int, _ body: (RawSpan) throws(Thrown) -> Success
  ) throws(Thrown) -> Success {
    let range = used..<used + count
    return try present.block.withBytes { bytes throws(Thrown) in
      try body(bytes.extracting(range))
    }
  }

  /// Marks `count` of the available bytes as used.
  package mutating func advance(_ count: Int) {
    used += count
    position += UInt64(count)
  }

  /// Appends the next `count` bytes to `taken`; fewer only at the end of the stream.
  mutating func take(_ count: Int, appendingTo taken: inout [UInt8]) throws(Failure) {
    var missing = count
    while missing > 0 {
      let ready = min(try available(), missing)
      guard ready > 0 else { return }
      withBytes(ready) { taken.append(copying: $0) }
      advance(ready)
      missing -= ready
    }
  }

  /// Skips `count` bytes, or as many as there are; returns their number.
  package mutating func skip(_ count: UInt64) throws(Failure) -> UInt64 {
    let start = position
    while position - start < count {
      let distance = count - (position - start)
      if left > 0 {
        advance(Int(min(UInt64(left), distance)))
      } else if takeNext() {
        // A block that cannot be decoded matters only if a part of it is used.
        if UInt64(left) > distance { try checkPresent() }
      } else if try !passBlock(upTo: distance), try available() == 0 {
        break
      }
    }
    return position - start
  }

  /// Moves to any byte of the decoded stream by walking the block headers; false if the stream ends
  /// before it.
  package mutating func seek(to target: UInt64) throws(Failure) -> Bool {
    if target < position || pending != nil {
      discardPendingBlocks()
      walk.restart()
      nextFileOffset = walk.fileOffset
      upcoming = nil
      pending = nil
      position = 0
    }
    let distance = target - position
    return try skip(distance) == distance
  }

  // MARK: - Blocks

  private mutating func nextBlock() throws(Failure) -> BlockPlace? {
    if let upcoming = upcoming.take() { return upcoming }
    return try walk.next(source.bytes)
  }

  /// Skips the next block without reading it, if it is not longer than `limit`; only when no block
  /// is being decoded.
  private mutating func passBlock(upTo limit: UInt64) throws(Failure) -> Bool {
    if let pending { throw pending }
    guard let block = try nextBlock() else { return false }
    guard block.header.rawSize <= limit else {
      upcoming = block
      return false
    }
    position += block.header.rawSize
    nextFileOffset = block.end
    return true
  }

  /// Starts decoding as many of the next blocks as the memory permits; all bytes of the current
  /// block have been used.
  private mutating func readAhead() {
    do throws(Failure) {
      while pending == nil, ring.hasRoom, let block = try nextBlock() {
        guard ring.count == 0 || underWay + block.sharedNeed <= sharedMemory else {
          upcoming = block
          return
        }
        guard block.need <= memory else {
          throw Failure(
            .tooLarge(needed: block.need, limit: memory), source.bytes.name, at: block.place)
        }
        used = 0
        var slot = exchange(&present, with: DecodingSlot())
        slot.place = block
        underWay += block.sharedNeed
        ring.give(slot)
      }
    } catch {
      pending = error
    }
  }

  /// Waits for the oldest block being decoded and makes it the current one; false if there is none.
  private mutating func takeNext() -> Bool {
    used = 0
    // Its memory is freed before another block arrives.
    present = DecodingSlot()
    guard let slot = ring.takeOldest() else { return false }
    underWay -= slot.place.sharedNeed
    nextFileOffset = slot.place.end
    present = slot
    return true
  }

  /// Throws if the current block could not be read or decoded; every later call throws the same.
  private mutating func checkPresent() throws(Failure) {
    guard let failure = present.failure else { return }
    discardPendingBlocks()
    pending = failure
    throw failure
  }

  private mutating func discardPendingBlocks() {
    while takeNext() {}
  }
}

extension BlockPlace {
  /// The memory for decoding the block: for its bytes, and for the encoded ones.
  fileprivate var need: UInt64 {
    header.rawSize + (header.isStored ? 0 : header.storedSize)
  }

  /// The memory to count for it together with other blocks.
  ///
  /// Buffers are used again, so they are never very small, and a decoder may keep up to 64 MiB of
  /// its output.
  fileprivate var sharedNeed: UInt64 {
    let least = UInt64(DecodingWorker.mostKept)
    let history = header.rawSize > least ? min(header.rawSize, 64 << 20) : 0
    return max(header.rawSize, least) + max(header.storedSize, least) + history
  }
}

/// The bytes that all threads of a reader read from, each at its own place.
private final class SharedSource: Sendable {
  let bytes: ByteSource

  init(_ bytes: consuming ByteSource) { self.bytes = bytes }
}

// MARK: - The file itself

/// The headers of all blocks of a file that is already open, from the first one on.
package struct BlockHeaders {
  private let source: SharedSource
  private var walk: BlockWalk

  fileprivate init(_ source: SharedSource, _ walk: BlockWalk) {
    self.source = source
    self.walk = walk
    self.walk.restart()
  }

  /// Whether there is a container; without one, the file is read in pieces.
  package var areContained: Bool { walk.container != nil }

  /// The decoded size of all blocks that were read.
  package var decodedSize: UInt64 { walk.streamOffset }

  /// Returns the next block; nil at the end of the file.
  package mutating func next() throws(Failure) -> BlockPlace? { try walk.next(source.bytes) }
}

extension BlockStreamReader {
  /// The headers of all blocks; the place in the stream does not change.
  package var blockHeaders: BlockHeaders { BlockHeaders(source, walk) }
}
