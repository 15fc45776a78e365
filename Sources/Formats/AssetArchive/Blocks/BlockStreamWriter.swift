import BlockCodecs
package import SystemIO

/// The destination of the container of one stream; the code that fills the stream makes the calls.
package protocol BlockTarget: AnyObject {
  /// Receives the next bytes.
  func write(_ bytes: RawSpan) throws(Failure)
  /// Receives the end of the stream.
  func end(_ statistics: BlockStatistics) throws(Failure)
  /// Receives no more bytes, and discards the earlier ones.
  func giveUp(_ failure: Failure)
}

/// Turns consecutive streams of bytes into containers of blocks, encoded in parallel and written in
/// order.
///
/// A stream without encoding gets no container and is written unchanged, as Apple's tools do: few
/// readers other than ours and Apple's support a container of stored blocks.
///
/// The caller's thread fills blocks and writes the results, and encodes blocks when it would
/// otherwise wait; each other thread encodes blocks, with its own encoder (``WorkRing``). While the
/// last blocks of one stream are encoded, the next stream is filled: therefore, many small streams
/// have the speed of a large one, and share its window. Each stream has one target, and the streams
/// are written in their order. A failure affects one stream; the others continue.
///
/// The bytes depend only on the stream, the algorithm, the effort and the block size. Memory is
/// `window x (2 x block size) + threads x encoder`: an encoded block is kept only if it is shorter
/// than the block, so no buffer is larger than a block. A ``BlockStore`` saves time and changes no
/// bytes.
package struct BlockStreamWriter: ~Copyable {
  private var ring: WorkRing<EncodingSlot, EncodingWorker>
  /// The block that is being filled; it has no memory until ``prepare()`` allocates some.
  private var present = EncodingSlot()
  private let blockSize: Int
  /// The first bytes of a container; a bare stream has none.
  private let start: [UInt8]
  private let isBare: Bool
  private let work: Work
  /// The streams that are not completely written yet; only the last one can still be filled.
  private var streams: [Stream] = []
  /// The number of completed streams before them.
  private var gone = 0

  private struct Stream {
    let target: any BlockTarget
    var statistics = BlockStatistics()
    var hasStart = false
    var hasEnded = false
    var failure: Failure?
    /// The number of its blocks that are being encoded.
    var underWay = 0
  }

  /// Creates a writer without a stream; `work` can stop the operation between blocks.
  package init(
    _ settings: BlockSettings, store: (any BlockStore)? = nil, _ work: Work
  ) throws(Failure) {
    let container =
      settings.algorithm == .stored
      ? nil : ContainerHeader(settings.algorithm, blockSize: UInt64(settings.blockSize))
    start = container?.encoded ?? []
    ring = try WorkRing(
      window: settings.window, threads: settings.threads,
      makeWorker: { EncodingWorker(settings, store: store) },
      perform: { worker, slot in slot.encode(with: &worker) })
    blockSize = settings.blockSize
    self.work = work
    isBare = container == nil
  }

  /// Begins a stream; the one before it must have ended.
  package mutating func begin(_ target: any BlockTarget) {
    precondition(streams.last?.hasEnded ?? true)
    streams.append(Stream(target: target))
  }

  /// The number of bytes for which the current block has room; after ``prepare()`` it is not 0.
  package var room: Int { present.raw.freeCapacity }

  /// Makes room for at least one byte; for that it may write a finished block.
  package mutating func prepare() throws(Failure) {
    if let failure = streams.last?.failure { throw failure }
    guard room == 0 else { return }
    if ring.hasRoom {
      present = try EncodingSlot(blockSize: blockSize)
    } else if var oldest = try writeOldest() {
      oldest.raw.removeAll()
      present = oldest
      if let failure = streams.last?.failure { throw failure }
    }
  }

  /// Lets `read` write up to `limit` bytes into the current block, without a copy.
  package mutating func fill<Success, Thrown: Error>(
    upTo limit: Int, _ read: (inout OutputRawSpan) throws(Thrown) -> Success
  ) throws(Thrown) -> Success {
    let result = try present.raw.append(upTo: limit, read)
    giveIfFull()
    return result
  }

  /// Appends all of `bytes`.
  package mutating func write(_ bytes: RawSpan) throws(Failure) {
    var start = 0
    while start < bytes.byteCount {
      try prepare()
      start += present.raw.append(bytes.extracting(start..<bytes.byteCount))
      giveIfFull()
    }
  }

  /// Ends the current stream.
  ///
  /// Its last blocks may not be written yet: its target receives the result.
  package mutating func end() {
    if present.raw.count > 0 { give() }
    streams[streams.count - 1].hasEnded = true
    endWholeStreams()
  }

  /// Ends the current stream without a result, for the reason of the caller.
  package mutating func giveUp(_ failure: Failure) {
    guard let last = streams.indices.last, !streams[last].hasEnded else { return }
    present.raw.removeAll()
    fail(last, failure)
    streams[last].hasEnded = true
    endWholeStreams()
  }

  /// Writes the remaining blocks of all streams.
  package consuming func finish() {
    do throws(Failure) {
      while try writeOldest() != nil {}
    } catch {
      for index in streams.indices { fail(index, error) }
    }
  }

  private mutating func giveIfFull() {
    if present.raw.count == blockSize { give() }
  }

  /// Submits the current block to the ring; `prepare` has ensured that the ring has room.
  private mutating func give() {
    let last = streams.count - 1
    streams[last].underWay += 1
    present.stream = gone + last
    ring.give(exchange(&present, with: EncodingSlot()))
  }

  /// Waits for the oldest block being encoded, writes it and returns its memory; nil if there is
  /// none.
  private mutating func writeOldest() throws(Failure) -> EncodingSlot? {
    try work.check()
    guard let oldest = ring.takeOldest() else { return nil }
    let index = oldest.stream - gone
    streams[index].underWay -= 1
    if streams[index].failure == nil {
      do throws(Failure) {
        try write(oldest, index)
      } catch {
        fail(index, error)
      }
    }
    endWholeStreams()
    return oldest
  }

  private mutating func write(_ block: borrowing EncodingSlot, _ index: Int) throws(Failure) {
    if case .failed(let error) = block.outcome { throw error }
    try begin(index)
    let target = streams[index].target
    let header = block.header
    if !isBare {
      try header.encoded.withRawSpan { head throws(Failure) in try target.write(head) }
    }
    try block.withPayload { payload throws(Failure) in try target.write(payload) }
    if isBare {
      streams[index].statistics.count(pieceOf: header.rawSize)
    } else {
      streams[index].statistics.count(header, wasFound: block.wasFound)
    }
  }

  /// Writes the start of the container, once.
  private mutating func begin(_ index: Int) throws(Failure) {
    guard !streams[index].hasStart else { return }
    streams[index].hasStart = true
    streams[index].statistics.fileBytes = UInt64(start.count)
    let target = streams[index].target
    try start.withRawSpan { bytes throws(Failure) in try target.write(bytes) }
  }

  /// Ends the streams at the front of which all blocks are written.
  private mutating func endWholeStreams() {
    while let first = streams.first, first.hasEnded, first.underWay == 0 {
      if first.failure == nil {
        do throws(Failure) {
          try begin(0)
          try first.target.end(streams[0].statistics)
        } catch {
          fail(0, error)
        }
      }
      streams.removeFirst()
      gone += 1
    }
  }

  private mutating func fail(_ index: Int, _ failure: Failure) {
    guard streams[index].failure == nil else { return }
    streams[index].failure = failure
    streams[index].target.giveUp(failure)
  }
}
