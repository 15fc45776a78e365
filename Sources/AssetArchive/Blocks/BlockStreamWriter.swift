import BlockCodecs
package import SystemIO

/// Turns a stream of bytes into a container of blocks, encoded in parallel and written in order.
///
/// A stream that is not to be encoded gets no container and is written as it is, as Apple's tools
/// do: few readers other than ours and Apple's take a container of stored blocks.
///
/// The caller's thread fills blocks and writes the results; worker threads that own their encoders
/// do the rest (``WorkRing``). The bytes depend only on the stream, the algorithm, the effort and
/// the block size. Memory is `window x (2 x block size) + threads x encoder`: an encoded block is
/// kept only if it is shorter than the block, so no buffer is larger than a block. A ``BlockStore``
/// saves time and changes nothing else.
package struct BlockStreamWriter<Sink: ByteSink & ~Copyable>: ~Copyable {
  private var sink: Sink
  private var ring: WorkRing<EncodingSlot, EncodingWorker>
  /// The block that is being filled; it has no memory until ``prepare()`` gives it some.
  private var present = EncodingSlot()
  private let blockSize: Int
  private let isBare: Bool
  private let isInterrupted: @Sendable () -> Bool
  /// What has been written so far; blocks that are being encoded are not counted.
  package private(set) var statistics = BlockStatistics()

  /// Begins a container; `isInterrupted` is asked between blocks.
  package init(
    to sink: consuming Sink, _ settings: BlockSettings, store: (any BlockStore)? = nil,
    isInterrupted: @escaping @Sendable () -> Bool = { false }
  ) throws(Failure) {
    let container =
      settings.algorithm == .stored
      ? nil : ContainerHeader(settings.algorithm, blockSize: UInt64(settings.blockSize))
    let start = container?.encoded ?? []
    try start.withRawSpan { bytes throws(Failure) in try sink.write(bytes) }
    ring = try WorkRing(
      window: settings.window, threads: settings.threads,
      makeWorker: { EncodingWorker(settings, store: store) },
      perform: { worker, slot in slot.encode(with: &worker) })
    self.sink = sink
    blockSize = settings.blockSize
    self.isInterrupted = isInterrupted
    isBare = container == nil
    statistics.fileBytes = UInt64(start.count)
  }

  /// How many more bytes the current block takes; ``prepare()`` makes sure that there are some.
  package var room: Int { present.raw.freeCapacity }

  /// Makes room for at least one byte; for that it may write a finished block.
  package mutating func prepare() throws(Failure) {
    guard room == 0 else { return }
    if ring.hasRoom {
      present = try EncodingSlot(blockSize: blockSize)
    } else if var oldest = try writeOldest() {
      oldest.raw.removeAll()
      present = oldest
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

  /// Writes what is left; returns the sink and the statistics.
  package consuming func finish() throws(Failure) -> Finished {
    if present.raw.count > 0 { give() }
    while try writeOldest() != nil {}
    return Finished(sink: sink, statistics: statistics)
  }

  /// The result of a finished stream.
  package struct Finished: ~Copyable {
    package var sink: Sink
    package var statistics: BlockStatistics
  }

  private mutating func giveIfFull() {
    if present.raw.count == blockSize { give() }
  }

  /// Hands the current block to the workers; `prepare` has made sure that the ring has room.
  private mutating func give() {
    ring.give(exchange(&present, with: EncodingSlot()))
  }

  /// Waits for the oldest block being encoded, writes it and returns its memory; nil if there is
  /// none.
  private mutating func writeOldest() throws(Failure) -> EncodingSlot? {
    if isInterrupted() { throw Failure(.interrupted) }
    guard let oldest = ring.takeOldest() else { return nil }
    if case .failed(let error) = oldest.outcome { throw error }
    let header = oldest.header
    if !isBare {
      try header.encoded.withRawSpan { head throws(Failure) in try sink.write(head) }
    }
    try oldest.withPayload { payload throws(Failure) in try sink.write(payload) }
    if isBare {
      statistics.count(pieceOf: header.rawSize)
    } else {
      statistics.count(header, wasFound: oldest.wasFound)
    }
    return oldest
  }
}

extension BlockStreamWriter.Finished where Sink == ArchiveOutput {
  /// Gives the file its name, and returns its digest.
  package consuming func publish() throws(Failure) -> [UInt8]? {
    try sink.publish()
  }
}
