import BlockCodecs
package import SystemIO

/// Turns a stream of bytes into a container of blocks, encoded in parallel and written in order.
///
/// The caller's thread fills blocks and writes what came of them; worker threads that own their
/// encoders do the rest (``WorkRing``). The bytes depend on the stream and on algorithm, effort and
/// block size alone. Memory is `window x (2 x block size) + threads x encoder`: an encoded block
/// that is not shorter than the block is not wanted, so no buffer is larger than a block.
/// A ``BlockStore`` saves time and changes nothing else.
package struct BlockStreamWriter<Sink: ByteSink & ~Copyable>: ~Copyable {
  private var sink: Sink
  private var ring: WorkRing<EncodingSlot, EncodingWorker>
  private let blockSize: Int
  private let isInterrupted: @Sendable () -> Bool
  /// What was written so far; blocks under way are not in it.
  package private(set) var statistics = BlockStatistics()

  /// Begins a container; `isInterrupted` is asked between blocks.
  package init(
    to sink: consuming Sink, _ settings: BlockSettings, store: (any BlockStore)? = nil,
    isInterrupted: @escaping @Sendable () -> Bool = { false }
  ) throws(ArchiveError) {
    let header = ContainerHeader(settings.algorithm, blockSize: UInt64(settings.blockSize))
    do {
      try header.encoded.withRawSpan { bytes throws(SystemError) in
        try sink.write(bytes, RawSpan())
      }
      ring = try WorkRing(
        window: settings.window, threads: settings.threads,
        makeSlot: { () throws(SystemError) in try EncodingSlot(blockSize: settings.blockSize) },
        makeWorker: { EncodingWorker(settings, store: store) },
        perform: { worker, slot in slot.encode(with: &worker) })
    } catch {
      throw .system(error)
    }
    self.sink = sink
    blockSize = settings.blockSize
    self.isInterrupted = isInterrupted
    statistics.fileBytes = UInt64(ContainerHeader.size)
  }

  /// How many bytes the present block still takes; ``prepare()`` sees to it that there are some.
  package var room: Int { blockSize - ring.free.raw.count }

  /// Makes room for at least one byte, and writes what must be out of the way for it.
  package mutating func prepare() throws(ArchiveError) {
    if !ring.hasFreeSlot { try writeOldest() }
  }

  /// Lets `read` write up to `limit` bytes into the present block, right where they stay.
  package mutating func fill<Success, Failure: Error>(
    upTo limit: Int, _ read: (inout OutputRawSpan) throws(Failure) -> Success
  ) throws(Failure) -> Success {
    let result = try ring.free.raw.append(upTo: limit, read)
    postIfFull()
    return result
  }

  /// Appends all of `bytes`.
  package mutating func write(_ bytes: RawSpan) throws(ArchiveError) {
    var start = 0
    while start < bytes.byteCount {
      try prepare()
      start += ring.free.raw.append(bytes.extracting(start..<bytes.byteCount))
      postIfFull()
    }
  }

  /// Writes what is left, and gives the sink back with the numbers.
  package consuming func finish() throws(ArchiveError) -> Finished {
    if ring.hasFreeSlot, ring.free.raw.count > 0 { ring.post() }
    while !ring.isEmpty { try writeOldest() }
    return Finished(sink: sink, statistics: statistics)
  }

  /// What a finished stream leaves.
  package struct Finished: ~Copyable {
    package var sink: Sink
    package var statistics: BlockStatistics
  }

  private mutating func postIfFull() {
    if ring.free.raw.count == blockSize { ring.post() }
  }

  private mutating func writeOldest() throws(ArchiveError) {
    if isInterrupted() { throw .interrupted }
    ring.waitForOldest()
    if case .failed(let error) = ring.oldest.outcome { throw .codec(error) }
    let header = ring.oldest.header
    do {
      try header.encoded.withRawSpan { head throws(SystemError) in
        try ring.oldest.withPayload { payload throws(SystemError) in
          try sink.write(head, payload)
        }
      }
    } catch {
      throw .system(error)
    }
    statistics.count(header, wasFound: ring.oldest.wasFound)
    ring.oldest.raw.removeAll()
    ring.releaseOldest()
  }
}

extension BlockStreamWriter.Finished where Sink == ArchiveOutput {
  /// Gives the file its name, and returns its digest.
  package consuming func publish() throws(ArchiveError) -> [UInt8]? {
    do {
      return try sink.publish()
    } catch {
      throw .system(error)
    }
  }
}
