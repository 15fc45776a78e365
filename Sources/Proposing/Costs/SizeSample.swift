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

/// The part of the files that is read and compressed for an estimate.
struct SizeSample: Sendable {
  /// The number of bytes to read, or the time for them if there are many small files.
  var limit: UInt64 = 192 << 20
  /// The number of compressible bytes to encode, which takes most of the time.
  var encodedLimit: UInt64 = 48 << 20
  var threads = ProcessState.processorCount
  /// The number of parts that each pack has at least, if there are few packs.
  private static let leastParts = 4
  /// The number of bytes that are compressed in the time that opening a file takes.
  private static let costOfFile = 2.0 * 1024

  private static let settings = PackSettings()

  /// A part of a pack to compress, and its size after that.
  private struct Job: Sendable {
    var stream: Int
    var place: ArchiveStream.Place
    var size: UInt64
    /// The position of the part among those of its pack, from 0 to 1, in order of processing.
    var rank: Double
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
    let jobs = jobs(for: streams)
    let total = jobs.reduce(0) { $0 + $1.size }
    var sums = streams.map { _ in (raw: UInt64(0), packed: UInt64(0)) }
    var ring = try mapFailure(.reading) { () throws(Failure) in
      try WorkRing<Job, Worker>(
        window: 2 * threads, threads: threads, makeWorker: { Worker() }
      ) { worker, job in
        worker.measure(&job, streams, work)
      }
    }
    var (done, encoded) = (UInt64(0), UInt64(0))
    // The order of the results is fixed, so that the end does not depend on the threads.
    try ring.run(jobs.lazy.prefix { _ in encoded < encodedLimit }) { (job) throws(PackError) in
      guard encoded < encodedLimit else { return }
      let packed = try job.result?.get() ?? 0
      sums[job.stream].raw += job.size
      sums[job.stream].packed += packed
      if packed < job.size { encoded += job.size }
      done += job.size
      work.report?(Progress(done: done, total: total))
    }
    return zip(streams, sums).map { stream, sum in
      guard sum.raw > 0 else { return BlockMeter.containerSize + stream.size }
      let share = Double(sum.packed) / Double(sum.raw)
      let blocks = sum.raw == stream.size ? sum.packed : UInt64(share * Double(stream.size))
      return BlockMeter.containerSize + blocks
    }
  }

  /// Returns the parts to compress: all blocks, or parts that are spread evenly over each pack.
  ///
  /// If only the first of them are compressed, these are also spread evenly.
  private func jobs(for streams: [ArchiveStream]) -> [Job] {
    let total = streams.reduce(UInt64(0)) { $0.addingSaturated($1.size) }
    let block = UInt64(Self.settings.blockSize)
    // With smaller parts, each of many packs has one.
    let isWhole = total <= encodedLimit || streams.count <= 32
    let size = isWhole ? block : streams.count <= 64 ? block / 2 : block / 4
    return zip(streams.indices, counts(for: streams, partSize: size)).flatMap { index, count in
      jobs(of: index, streams[index], count, partSize: size)
    }.sorted { ($0.rank, $0.stream) < ($1.rank, $1.stream) }
  }

  /// Returns the number of parts of each pack.
  private func counts(for streams: [ArchiveStream], partSize: UInt64) -> [Int] {
    let all = streams.map { Int(($0.size + partSize - 1) / partSize) }
    // The cost of a part, relative to the compression of a byte.
    let costs = zip(streams, all).map { stream, parts in
      Double(partSize) + Double(stream.count) / Double(max(1, parts)) * Self.costOfFile
    }
    let cost = zip(all, costs).reduce(0) { $0 + Double($1.0) * $1.1 }
    guard cost > Double(limit) else { return all }
    let least = max(1, min(Self.leastParts, Int(limit / partSize) / (2 * streams.count)))
    let spent = zip(all, costs).reduce(0) { $0 + Double(min($1.0, least)) * $1.1 }
    let rest = max(0, Double(limit) - spent)
    return all.map { min($0, least + Int(rest * Double($0) / cost)) }
  }

  private func jobs(
    of index: Int, _ stream: ArchiveStream, _ count: Int, partSize: UInt64
  ) -> [Job] {
    let all = Int((stream.size + partSize - 1) / partSize)
    let offsets = (0..<count).map { number in
      // The middle of each of `count` equal ranges.
      UInt64((2 * number + 1) * all / (2 * count)) * partSize
    }
    return stream.places(at: offsets).enumerated().map { number, place in
      // The multiples of the golden ratio are spread evenly, however many there are.
      let turn = Double(number) * 0.618_033_988_749_895
      return Job(
        stream: index, place: place, size: min(partSize, stream.size - offsets[number]),
        rank: number == count / 2 ? 0 : turn - turn.rounded(.down), result: nil)
    }
  }
}
