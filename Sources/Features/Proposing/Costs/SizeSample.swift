package import BAPackKit
import SystemIO

extension Proposal {
  /// Estimates the size of the archive of each pack.
  ///
  /// If the proposal is small, all of its blocks are compressed as `pack` does it; otherwise a
  /// sample of each kind of files in a pack. A file that cannot be read counts with its size.
  ///
  /// - Throws: ``PackError/Kind/interrupted`` if the operation must stop.
  package mutating func estimateSizes(of tree: AssetTree, _ work: Work) throws(PackError) {
    try estimateSizes(of: tree, SizeSample(), work)
  }

  mutating func estimateSizes(
    of tree: AssetTree, _ sample: SizeSample, _ work: Work
  ) throws(PackError) {
    let streams = packs.map { ArchiveStream(of: $0, in: tree) }
    let sizes = try sample.archiveSizes(of: streams, work)
    for index in packs.indices { packs[index].compressed = sizes[index] }
  }
}

/// The part of the files that is read and compressed for an estimate.
///
/// The sample has three steps. The first one reads a little of each kind of files in each pack. The
/// second one reads more of the kinds that determine the error: large ones that can be compressed.
/// The third one compares blocks of the archive with the same bytes in the form of the sample.
struct SizeSample: Sendable {
  /// The number of bytes up to which the whole contents are compressed.
  var completeLimit: UInt64 = 160 << 20
  /// The number of bytes to read and compress of larger contents.
  var limit: UInt64 = 384 << 20
  var threads = ProcessState.processorCount

  /// The size of a piece; pieces are spread over the files of a kind.
  private static let pieceSize: UInt64 = 64 << 10
  /// The size of a block, in which pieces are compressed together as files are in an archive.
  private static let blockSize = UInt64(settings.blockSize)
  /// The maximum number of packs of which blocks of the archive are compared with the sample, and
  /// the number of blocks of each of them.
  private static let (mostGains, blocksOfGain) = (16, 4)
  /// The number of pieces of each kind in the first step.
  private static let firstPieces = 4
  /// The part of the limit for the first step.
  private static let firstPart: UInt64 = 4
  /// The number of bytes that are compressed in the time that opening a file takes.
  private static let costOfFile = 2048.0
  /// The size of a pack from which its estimate must be exact.
  private static let leastPack = 1e6

  private static let settings = PackSettings()

  /// Returns the estimated sizes of the archives.
  func archiveSizes(of streams: [ArchiveStream], _ work: Work) throws(PackError) -> [UInt64] {
    let total = streams.reduce(UInt64(0)) { $0.addingSaturated($1.size) }
    var parts = streams.enumerated().flatMap { pack, stream in
      total <= completeLimit
        ? [Part(stream, of: pack)] : stream.kinds().map { Part($0, of: pack) }
    }
    if total <= completeLimit {
      for index in parts.indices { parts[index].pieces = .max }
      try measure(&parts, from: parts.map { _ in 0 }, work)
    } else {
      let share = limit / Self.firstPart / Self.pieceSize / UInt64(max(1, parts.count))
      let first = max(1, min(Self.firstPieces, Int(share)))
      for index in parts.indices { parts[index].extend(to: first) }
      try measure(&parts, from: parts.map { _ in 0 }, work)
      let counts = parts.map(\.pieces)
      distributeRest(among: &parts, streams.count)
      try measure(&parts, from: counts, work)
    }
    let slopes = try slopesOfBlocks(in: streams, parts, work)
    return zip(streams, sizes(of: parts, slopes)).map { stream, blocks in
      BlockMeter.containerSize + UInt64(blocks)
    }
  }

  /// The files of one kind in a pack.
  private struct Part {
    let stream: ArchiveStream
    let pack: Int
    /// The number of pieces to measure; the maximum for the whole contents.
    var pieces = 0
    /// The measured bytes, before and after compression.
    var raw: UInt64 = 0
    var packed: UInt64 = 0

    init(_ stream: ArchiveStream, of pack: Int) {
      self.stream = stream
      self.pack = pack
    }

    var size: Double { Double(stream.size) }
    var ratio: Double { raw > 0 ? min(1, Double(packed) / Double(raw)) : 1 }
    /// Returns the estimated size after compression.
    ///
    /// - Parameter slope: The additional gain of blocks of the archive, relative to the gain of
    ///   pieces.
    func estimate(_ slope: Double) -> Double {
      pieces == .max ? Double(packed) : ratio * size * max(0.5, 1 - slope * (1 - ratio))
    }
    /// The cost of a piece, relative to the compression of a byte.
    var cost: Double {
      let files = Double(stream.count) * Double(SizeSample.pieceSize) / max(1, size)
      return Double(SizeSample.pieceSize) + (1 + files) * SizeSample.costOfFile
    }

    /// Sets the number of pieces; more than half of the contents are measured as a whole.
    mutating func extend(to count: Int) {
      guard count > pieces else { return }
      pieces = UInt64(count) * SizeSample.pieceSize * 2 > stream.size ? .max : count
    }
  }

  /// Returns the estimated sizes of the packs, with the slope of each pack.
  private func sizes(of parts: [Part], _ slopes: [Double]) -> [Double] {
    var sizes = slopes.map { _ in 0.0 }
    for part in parts { sizes[part.pack] += part.estimate(slopes[part.pack]) }
    return sizes
  }

  /// Distributes the rest of the limit, so that the relative errors of the packs are small.
  private func distributeRest(among parts: inout [Part], _ packs: Int) {
    let sizes = sizes(of: parts, Array(repeating: 0, count: packs))
    // The ratios of files differ most where they are between those of noise and of zeros.
    let weights = parts.map { part in
      part.pieces == .max
        ? 0
        : part.size * (part.ratio * (1 - part.ratio) + 0.001).squareRoot()
          / max(sizes[part.pack], Self.leastPack)
    }
    let spent = parts.reduce(0) { $0 + Double($1.raw) }
    let cost = zip(parts, weights).reduce(0) { $0 + $1.0.cost * $1.1 }
    guard cost > 0 else { return }
    let scale = max(0, Double(limit) - spent) / cost
    for index in parts.indices where parts[index].pieces < .max {
      let count = (weights[index] * scale).rounded(.down)
      parts[index].extend(to: Int(min(count, 1e9)))
    }
  }
}

// MARK: - Measuring

extension SizeSample {
  /// A block to compress, and its size after that.
  private struct Job: Sendable {
    /// The index of the stream.
    var stream: Int
    /// The pieces of the block.
    var places: [ArchiveStream.Place]
    var pieceSize: UInt64
    var size: UInt64
    var result: Result<UInt64, PackError>?
  }

  /// The encoder of a thread, which is created for its first block.
  private struct Worker: ~Copyable {
    var meter: BlockMeter?

    mutating func measure(_ job: inout Job, _ stream: ArchiveStream, _ work: Work) {
      job.result = Result { () throws(PackError) in
        try work.checkCancellation()
        return try mapFailure(.reading) { () throws(Failure) in
          if meter == nil { meter = try BlockMeter(settings) }
          var missing = UInt64(0)
          let job = job
          let packed = try meter?.size { buffer in
            for place in job.places {
              missing += stream.read(from: place, upTo: Int(job.pieceSize), into: &buffer)
            }
          }
          return (packed ?? 0) + missing
        }
      }
    }
  }

  /// Measures blocks in parallel, and passes the results to `receive` in their order.
  private func measure(
    _ jobs: [Job], in streams: [ArchiveStream], _ work: Work, _ receive: (Job, UInt64) -> Void
  ) throws(PackError) {
    var ring = try mapFailure(.reading) { () throws(Failure) in
      try WorkRing<Job, Worker>(
        window: 2 * threads, threads: threads, makeWorker: { Worker() }
      ) { worker, job in
        worker.measure(&job, streams[job.stream], work)
      }
    }
    let total = jobs.reduce(0) { $0 + $1.size }
    var done = UInt64(0)
    try ring.run(jobs) { (job) throws(PackError) in
      receive(job, try job.result?.get() ?? 0)
      done += job.size
      work.report?(Progress(done: done, total: total))
    }
  }

  /// Measures the pieces of the parts that follow the first ones.
  private func measure(
    _ parts: inout [Part], from counts: [Int], _ work: Work
  ) throws(PackError) {
    var jobs: [Job] = []
    for (index, count) in zip(parts.indices, counts) where parts[index].pieces > count {
      if parts[index].pieces == .max {
        (parts[index].raw, parts[index].packed) = (0, 0)
        jobs += wholeBlocks(of: index, parts[index].stream)
      } else {
        jobs += scatteredBlocks(of: index, parts[index], from: count)
      }
    }
    try measure(jobs, in: parts.map(\.stream), work) { job, packed in
      parts[job.stream].packed += packed
      parts[job.stream].raw += job.size
    }
  }

  private func wholeBlocks(of index: Int, _ stream: ArchiveStream) -> [Job] {
    blocks(of: index, stream, at: Array(stride(from: 0, to: stream.size, by: Int(Self.blockSize))))
  }

  private func blocks(of index: Int, _ stream: ArchiveStream, at offsets: [UInt64]) -> [Job] {
    zip(offsets, stream.places(at: offsets)).map { offset, place in
      Job(
        stream: index, places: [place], pieceSize: Self.blockSize,
        size: min(Self.blockSize, stream.size - offset), result: nil)
    }
  }

  /// Returns numbers from 0 to 1: the multiples of the golden ratio are spread evenly, for any
  /// number of them.
  private func turns(_ numbers: Range<Int>) -> [Double] {
    numbers.map { number in
      let turn = (Double(number) + 0.5) * 0.618_033_988_749_895
      return turn - turn.rounded(.down)
    }
  }

  private func scatteredBlocks(of index: Int, _ part: Part, from first: Int) -> [Job] {
    let range = Double(part.stream.size - Self.pieceSize)
    let offsets = turns(first..<part.pieces).map { UInt64($0 * range) }.sorted()
    let places = part.stream.places(at: offsets)
    let perBlock = Int(Self.blockSize / Self.pieceSize)
    let count = (places.count + perBlock - 1) / perBlock
    return (0..<count).map { number in
      block(of: index, stride(from: number, to: places.count, by: count).map { places[$0] })
    }
  }

  /// Returns a block of pieces that are far from each other.
  private func block(of index: Int, _ pieces: [ArchiveStream.Place]) -> Job {
    Job(
      stream: index, places: pieces, pieceSize: Self.pieceSize,
      size: UInt64(pieces.count) * Self.pieceSize, result: nil)
  }

  /// Returns the additional gain of blocks of each pack relative to the gain of scattered pieces.
  ///
  /// Files that are next to each other in an archive have more in common. Some blocks of the packs
  /// with most compressible bytes are compared with the same bytes in pieces.
  private func slopesOfBlocks(
    in streams: [ArchiveStream], _ parts: [Part], _ work: Work
  ) throws(PackError) -> [Double] {
    let sizes = sizes(of: parts, streams.map { _ in 0 })
    var saved = streams.map { _ in 0.0 }
    for part in parts where part.pieces < .max {
      saved[part.pack] += part.size - part.estimate(0)
    }
    let least = UInt64(4 * Self.blocksOfGain) * Self.blockSize
    let chosen = streams.indices.filter { saved[$0] > 0 && streams[$0].size > least }
      .sorted { (saved[$1], $0) < (saved[$0], $1) }.prefix(Self.mostGains)
    var jobs: [Job] = []
    for index in chosen {
      let stream = streams[index]
      let count = Double(stream.size / Self.blockSize)
      let offsets = turns(0..<Self.blocksOfGain).map { UInt64($0 * count) * Self.blockSize }
        .sorted()
      jobs += blocks(of: index, stream, at: offsets)
      let perBlock = Int(Self.blockSize / Self.pieceSize)
      let pieces = offsets.flatMap { start in
        (0..<perBlock).map { start + UInt64($0) * Self.pieceSize }
      }
      let places = stream.places(at: pieces)
      jobs += (0..<Self.blocksOfGain).map { number in
        // A piece follows pieces of the other blocks.
        let own = stride(from: number, to: perBlock, by: Self.blocksOfGain).flatMap { piece in
          stride(from: piece, to: places.count, by: perBlock).map { places[$0] }
        }
        return block(of: index, own)
      }
    }
    var whole = streams.map { _ in UInt64(0) }
    var scattered = whole
    try measure(jobs, in: streams, work) { job, packed in
      if job.places.count == 1 {
        whole[job.stream] += packed
      } else {
        scattered[job.stream] += packed
      }
    }
    return slopes(
      of: streams.indices.map { index in
        let ratio = sizes[index] / Double(max(1, streams[index].size))
        guard scattered[index] > 0, ratio < 1 else { return nil }
        return (1 - min(1, Double(whole[index]) / Double(scattered[index]))) / (1 - ratio)
      })
  }

  /// Returns the slope of each pack from the measured ones.
  ///
  /// Four blocks are a noisy sample, so slopes above the mean are pulled halfway towards it.
  private func slopes(of measured: [Double?]) -> [Double] {
    let known = measured.compactMap(\.self)
    let mean = known.reduce(0, +) / Double(max(1, known.count))
    return measured.map { own in own.map { min($0, ($0 + mean) / 2) } ?? mean }
  }
}
