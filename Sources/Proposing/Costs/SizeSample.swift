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
  var limit: UInt64 = 320 << 20
  /// The number of compressible bytes to encode, which takes most of the time.
  var encodedLimit: UInt64 = 112 << 20
  /// The number of parts of a block that are compressed separately, if not all blocks are.
  var partsOfBlock: UInt64 = 8
  var threads = ProcessState.processorCount
  /// The number of parts that each pack has at least, if there are few packs.
  private static let leastParts = 48
  /// The number of bytes that are compressed in the time that opening a file takes.
  private static let costOfFile = 2.0 * 1024

  /// The number of packs of which a whole block is compressed, too.
  private static let mostWholeBlocks = 8

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

  /// The measured bytes of a pack, before and after compression.
  private typealias Sum = (raw: UInt64, packed: UInt64)

  /// Returns the estimated sizes of the archives.
  func archiveSizes(of streams: [ArchiveStream], _ work: Work) throws(PackError) -> [UInt64] {
    let jobs = jobs(for: streams)
    let total = jobs.reduce(0) { $0 + $1.size }
    var sums = streams.map { _ in Sum(0, 0) }
    var (done, encoded) = (UInt64(0), UInt64(0))
    try measure(jobs, of: streams, work) { job, packed in
      // The order of the results is fixed, so that the end does not depend on the threads.
      guard encoded < encodedLimit else { return false }
      sums[job.stream].raw += job.size
      sums[job.stream].packed += packed
      if packed < job.size { encoded += job.size }
      done += job.size
      work.report?(Progress(done: done, total: total))
      return true
    }
    let gains = try gainsOfBlocks(in: streams, sums, work)
    return zip(streams, zip(sums, gains)).map { stream, measured in
      let (sum, gain) = measured
      guard sum.raw > 0 else { return BlockMeter.containerSize + stream.size }
      let share = Double(sum.packed) / Double(sum.raw) * gain
      let blocks = sum.raw == stream.size ? sum.packed : UInt64(share * Double(stream.size))
      return BlockMeter.containerSize + blocks
    }
  }

  /// Measures parts in parallel, and passes the results to `receive` in their order, until it
  /// returns false.
  private func measure(
    _ jobs: [Job], of streams: [ArchiveStream], _ work: Work,
    _ receive: (Job, UInt64) -> Bool
  ) throws(PackError) {
    var ring = try mapFailure(.reading) { () throws(Failure) in
      try WorkRing<Job, Worker>(
        window: 2 * threads, threads: threads, makeWorker: { Worker() }
      ) { worker, job in
        worker.measure(&job, streams, work)
      }
    }
    var isEnded = false
    try ring.run(jobs.lazy.prefix { _ in !isEnded }) { (job) throws(PackError) in
      let packed = try job.result?.get() ?? 0
      if !isEnded, !receive(job, packed) { isEnded = true }
    }
  }

  /// Returns the size of whole blocks relative to that of their parts, for the packs with most
  /// compressible bytes; 1 for others.
  ///
  /// A whole block has more repetitions, for example of similar texts.
  private func gainsOfBlocks(
    in streams: [ArchiveStream], _ sums: [Sum], _ work: Work
  ) throws(PackError) -> [Double] {
    let block = UInt64(Self.settings.blockSize)
    let saved = zip(streams, sums).map { stream, sum in
      guard sum.raw > 0, sum.raw < stream.size, stream.size >= block else { return 0.0 }
      return Double(stream.size) * (1 - min(1, Double(sum.packed) / Double(sum.raw)))
    }
    let chosen = streams.indices.filter { saved[$0] > 0 }.sorted {
      (saved[$1], $0) < (saved[$0], $1)
    }.prefix(Self.mostWholeBlocks)
    let jobs = chosen.flatMap { index in
      let start = streams[index].size / block / 2 * block
      let size = min(block, streams[index].size - start)
      return [size, block / partsOfBlock].flatMap {
        self.jobs(of: index, streams[index], from: start, size, partSize: $0)
      }
    }
    var whole = streams.map { _ in UInt64(0) }
    var parts = whole
    try measure(jobs, of: streams, work) { job, packed in
      if whole[job.stream] == 0 {
        whole[job.stream] = packed
      } else {
        parts[job.stream] += packed
      }
      return true
    }
    return zip(whole, parts).map { $1 > 0 ? min(1, Double($0) / Double($1)) : 1 }
  }

  /// Returns the parts of a block.
  private func jobs(
    of index: Int, _ stream: ArchiveStream, from start: UInt64, _ size: UInt64, partSize: UInt64
  ) -> [Job] {
    let offsets = Array(stride(from: start, to: start + size, by: Int(partSize)))
    return zip(offsets, stream.places(at: offsets)).map { offset, place in
      Job(
        stream: index, place: place, size: min(partSize, start + size - offset), rank: 0,
        result: nil)
    }
  }

  /// Returns the parts to compress: all blocks, or parts that are spread evenly over each pack.
  ///
  /// If only the first of them are compressed, these are also spread evenly.
  private func jobs(for streams: [ArchiveStream]) -> [Job] {
    let total = streams.reduce(UInt64(0)) { $0.addingSaturated($1.size) }
    let block = UInt64(Self.settings.blockSize)
    // Files differ more than the parts of a file, so a large number of small parts represents a
    // pack better than some blocks.
    let size = total <= encodedLimit ? block : block / partsOfBlock
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
      // The multiples of the golden ratio are spread evenly, for any number of them.
      let turn = Double(number) * 0.618_033_988_749_895
      return Job(
        stream: index, place: place, size: min(partSize, stream.size - offsets[number]),
        rank: number == count / 2 ? 0 : turn - turn.rounded(.down), result: nil)
    }
  }
}
