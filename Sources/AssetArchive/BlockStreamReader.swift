import BlockCodecs
package import SystemIO

/// What the blocks of a container decode to, as one stream of bytes.
///
/// With several threads the next blocks are read and decoded while the present one is used, and
/// delivered in their order. What is skipped before it was begun is neither read nor decoded. Memory is
/// `window x (largest stored + largest raw size met) + threads x decoder`, where the window shrinks
/// for large blocks so that it stays below 256 MiB or one block.
package struct BlockStreamReader: ~Copyable {
  /// How much work is done at once.
  package struct Parallelism: Sendable {
    package var threads: Int
    package var window: Int

    package init(threads: Int, window: Int? = nil) {
      self.threads = max(1, threads)
      self.window = max(1, window ?? (threads > 1 ? 2 * threads : 1))
    }

    /// Decodes only what is asked for, when it is asked for.
    package static let none = Parallelism(threads: 1)
  }

  private let source: SharedSource
  private var walk: BlockWalk
  private var ring: WorkRing<DecodingSlot, BlockDecoder?>
  /// How many bytes of the oldest slot have been used.
  private var used = 0
  /// Where the next byte to be delivered is in the decoded stream.
  package private(set) var position: UInt64 = 0
  /// What comes where the block walk or the file failed, after the blocks before it.
  private var pending: ArchiveError?

  private static let memoryLimit: UInt64 = 256 << 20

  package init(
    _ source: consuming ByteSource, parallelism: Parallelism = .none
  ) throws(ArchiveError) {
    let walk = try BlockWalk(source)
    let algorithm = walk.container?.algorithm ?? .stored
    let blockSize = min(source.size, walk.container?.blockSize ?? UInt64(BlockWalk.pieceSize))
    let affordable = Int(clamping: Self.memoryLimit / (2 * max(1, blockSize)))
    let source = SharedSource(source)
    let ring: WorkRing<DecodingSlot, BlockDecoder?>
    do {
      ring = try WorkRing(
        window: max(1, min(parallelism.window, affordable)), threads: parallelism.threads,
        makeSlot: { DecodingSlot() }, makeWorker: { nil },
        perform: { decoder, slot in
          slot.load(from: source.bytes)
          slot.decode(&decoder, algorithm)
        })
    } catch {
      throw .system(error)
    }
    self.source = source
    self.walk = walk
    self.ring = ring
  }

  /// What the container says of itself; nil for an archive without one.
  package var container: ContainerHeader? { walk.container }

  /// What messages call the file.
  package var name: String { source.bytes.name }

  /// How many bytes the file has.
  package var fileSize: UInt64 { source.bytes.size }

  /// Where in the file a block that is not full has others behind it, as far as was read.
  package var shortInnerBlock: UInt64? { walk.shortInnerBlock }

  /// The place of the next byte, for messages.
  package var place: ArchiveError.Place {
    ArchiveError.Place(fileOffset: fileOffset, streamOffset: position)
  }

  private var fileOffset: UInt64 {
    guard !ring.isEmpty else { return walk.fileOffset }
    let block = ring.oldest.place
    guard block.header.isStored else { return block.fileOffset }
    return block.payloadOffset + UInt64(used)
  }

  /// How many bytes can be had at once; 0 only at the end of the stream.
  package mutating func available() throws(ArchiveError) -> Int {
    if !ring.isEmpty {
      let left = ring.oldest.count - used
      if left > 0 { return left }
      release()
    }
    readAhead()
    guard !ring.isEmpty else {
      if let pending { throw pending }
      return 0
    }
    ring.waitForOldest()
    if let failure = ring.oldest.failure { throw failure }
    return ring.oldest.count
  }

  /// Lends the first `count` of the available bytes.
  package func withBytes<Success, Failure: Error>(
    _ count: Int, _ body: (RawSpan) throws(Failure) -> Success
  ) throws(Failure) -> Success {
    let range = used..<used + count
    return try ring.oldest.withBytes { bytes throws(Failure) in
      try body(bytes.extracting(range))
    }
  }

  /// Goes past `count` of the available bytes.
  package mutating func advance(_ count: Int) {
    used += count
    position += UInt64(count)
  }

  /// Takes exactly `count` bytes, fewer only where the stream ends.
  package mutating func take(_ count: Int) throws(ArchiveError) -> [UInt8] {
    var taken: [UInt8] = []
    taken.reserveCapacity(min(count, 1 << 16))
    while taken.count < count {
      let ready = min(try available(), count - taken.count)
      guard ready > 0 else { break }
      withBytes(ready) { taken.append(copying: $0) }
      advance(ready)
    }
    return taken
  }

  /// Goes past `count` bytes, and says how many there were.
  package mutating func skip(_ count: UInt64) throws(ArchiveError) -> UInt64 {
    let start = position
    while position - start < count {
      let left = count - (position - start)
      if ring.isEmpty, try passBlock(upTo: left) { continue }
      let ready = min(UInt64(try available()), left)
      guard ready > 0 else { break }
      advance(Int(ready))
      if ring.oldest.count == used { release() }
    }
    return position - start
  }

  /// Goes to any byte of the decoded stream by walking block headers; false when it ends before.
  package mutating func seek(to target: UInt64) throws(ArchiveError) -> Bool {
    if target < position {
      while !ring.isEmpty { release() }
      walk.restart()
      pending = nil
      position = 0
    }
    let distance = target - position
    return try skip(distance) == distance
  }

  /// Passes the next block without reading it when it is not longer than `limit`.
  private mutating func passBlock(upTo limit: UInt64) throws(ArchiveError) -> Bool {
    if let pending { throw pending }
    let before = walk
    guard let block = try walk.next(source.bytes) else { return false }
    guard block.header.rawSize <= limit else {
      walk = before
      return false
    }
    position += block.header.rawSize
    return true
  }

  private mutating func release() {
    ring.releaseOldest()
    used = 0
  }

  /// Fills the free slots with the blocks that follow.
  private mutating func readAhead() {
    while pending == nil, ring.hasFreeSlot {
      do throws(ArchiveError) {
        guard let block = try walk.next(source.bytes) else { return }
        ring.free.place = block
        ring.post()
      } catch {
        pending = error
      }
    }
  }
}

/// The bytes that all threads of a reader read from, each where it likes.
private final class SharedSource: Sendable {
  let bytes: ByteSource

  init(_ bytes: consuming ByteSource) { self.bytes = bytes }
}
