package import BAPackKit
import SystemIO

extension Proposal {
  /// Estimates the size of the archive of each pack.
  ///
  /// Blocks that are spread evenly over the pack are compressed as `pack` does it; if the whole
  /// proposal is small, these are all of its blocks. A file that cannot be read counts with its
  /// size.
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

/// The number of bytes that are compressed for an estimate.
struct SizeSample: Sendable {
  /// The work that takes about two seconds on two processors, in bytes to compress.
  var limit: UInt64 = 192 << 20
  var threads = ProcessState.processorCount
  /// The number of blocks that each of a few packs has at least.
  private static let leastBlocks = 4
  /// The number of bytes that are compressed in the time that opening a file takes.
  private static let costOfFile = 2.0 * 1024

  private static let settings = PackSettings()
  private static var blockSize: UInt64 { UInt64(settings.blockSize) }

  /// A block to compress, and the sizes after that.
  private struct Job: Sendable {
    var stream: Int
    var place: ArchiveStream.Place
    /// The size of the block.
    var size: UInt64
    var result: Result<UInt64, PackError>?
  }

  /// The encoder of a thread, which is created for its first block.
  private struct Worker: ~Copyable {
    var meter: BlockMeter?

    mutating func measure(_ job: inout Job, _ streams: [ArchiveStream], _ work: Work) {
      job.result = Result { () throws(PackError) in
        try work.checkCancellation()
        return try mapFailure(.reading) { () throws(Failure) in
          if meter == nil { meter = try BlockMeter(settings) }
          var missing = UInt64(0)
          let (stream, place, size) = (streams[job.stream], job.place, job.size)
          let packed = try meter?.size { buffer in
            missing = stream.read(from: place, upTo: Int(size), into: &buffer)
          }
          return (packed ?? 0) + missing
        }
      }
    }
  }

  /// Returns the estimated sizes of the archives.
  func archiveSizes(of streams: [ArchiveStream], _ work: Work) throws(PackError) -> [UInt64] {
    let counts = counts(for: streams)
    let jobs = streams.indices.flatMap { blocks(of: $0, streams[$0], counts[$0]) }
    let total = jobs.reduce(0) { $0 + $1.size }
    var sums = streams.map { _ in (raw: UInt64(0), packed: UInt64(0)) }
    var ring = try mapFailure(.reading) { () throws(Failure) in
      try WorkRing<Job, Worker>(
        window: 2 * threads, threads: threads, makeWorker: { Worker() }
      ) { worker, job in
        worker.measure(&job, streams, work)
      }
    }
    var done = UInt64(0)
    try ring.run(jobs) { (job) throws(PackError) in
      sums[job.stream].raw += job.size
      sums[job.stream].packed += try job.result?.get() ?? 0
      done += job.size
      work.report?(Progress(done: done, total: total))
    }
    return zip(streams, sums).map { stream, sum in
      guard sum.raw > 0 else { return BlockMeter.containerSize }
      let share = Double(sum.packed) / Double(sum.raw)
      let blocks = sum.raw == stream.size ? sum.packed : UInt64(share * Double(stream.size))
      return BlockMeter.containerSize + blocks
    }
  }

  /// Returns the number of blocks of each pack to compress.
  private func counts(for streams: [ArchiveStream]) -> [Int] {
    let all = streams.map { Int(($0.size + Self.blockSize - 1) / Self.blockSize) }
    // The cost of a block, relative to the compression of a byte.
    let costs = zip(streams, all).map { stream, blocks in
      Double(Self.blockSize) + Double(stream.count) / Double(max(1, blocks)) * Self.costOfFile
    }
    let cost = zip(all, costs).reduce(0) { $0 + Double($1.0) * $1.1 }
    let limit = Double(limit)
    guard cost > limit else { return all }
    let blocks = Int(self.limit / Self.blockSize)
    let least = max(1, min(Self.leastBlocks, blocks / (2 * streams.count)))
    let spent = zip(all, costs).reduce(0) { $0 + Double(min($1.0, least)) * $1.1 }
    let rest = max(0, limit - spent)
    return all.map { min($0, least + Int(rest * Double($0) / cost)) }
  }

  /// Returns blocks that are spread evenly over a stream.
  private func blocks(of index: Int, _ stream: ArchiveStream, _ count: Int) -> [Job] {
    let all = Int((stream.size + Self.blockSize - 1) / Self.blockSize)
    let offsets = (0..<count).map { number in
      // The middle block of each of `count` equal parts.
      UInt64((2 * number + 1) * all / (2 * count)) * Self.blockSize
    }
    return zip(offsets, stream.places(at: offsets)).map { offset, place in
      Job(
        stream: index, place: place, size: min(Self.blockSize, stream.size - offset), result: nil)
    }
  }
}
