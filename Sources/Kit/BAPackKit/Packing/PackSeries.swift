import AssetArchive
import Glibc
import SystemIO

/// A series of packs, packed one after the other with one common window of blocks.
///
/// While the last blocks of one archive are encoded, the files of the next are read. Complete
/// archives are kept under temporary names until they amount to 256 MiB or to 64 archives. Then all
/// of them are synced and renamed, so that the disk is synced once for many archives. If one
/// archive fails, the others are still packed.
///
/// Memory is `runtime + window x (2 x block size) + threads x encoder + 4 MiB + plans`, for any
/// number of archives. The window is two blocks for each thread and two more, but at most 256 MiB,
/// and at least one block. A plan uses less than 200 bytes for each entry, and 32 more for each
/// file if a record is kept. A server of shared blocks adds `threads x (2 x block size)` for its
/// responses and their verification.
package struct PackSeries {
  /// The result of packing an archive.
  package typealias Outcome = Result<PackSummary, PackError>

  private let jobs: [Job]
  private let options: Options
  private let ended: (Int, Outcome) -> Void
  /// The archives that were started and whose results were not reported.
  private var begun: [Begun] = []
  private var isStopped = false
  /// The time at which the last reported archive was complete.
  private var lastEnd: ContinuousClock.Instant?

  private struct Begun {
    let index: Int
    let start: ContinuousClock.Instant
    var output: ArchiveOutput?
    var examined = ExaminedFiles()
    var error: PackError?

    var isWhole: Bool { error == nil && output?.statistics != nil }
    var isOver: Bool { isWhole || error != nil || output?.failure != nil }
  }

  private static let mostWaiting = 64
  private static let mostWaitingBytes: UInt64 = 256 << 20

  /// Creates a series; `ended` is called with the result of each archive, in order.
  package init(
    _ jobs: [Job], _ options: Options, ended: @escaping (Int, Outcome) -> Void
  ) {
    self.jobs = jobs
    self.options = options
    self.ended = ended
  }

  /// Packs the archives, on the number of threads in the settings, one of which is the calling one.
  ///
  /// One more thread writes to the disk.
  ///
  /// The progress is that of each archive, which is the item. If the operation is stopped, archives
  /// that are already complete are still renamed.
  package consuming func run(_ work: Work) {
    var rest = jobs.indices
    while let first = rest.first {
      let settings = jobs[first].plan.settings
      let group = rest.prefix { jobs[$0].plan.settings == settings }
      pack(group, settings, work)
      rest = rest.dropFirst(group.count)
    }
    options.cache?.sweep(work)
  }

  private mutating func pack(_ group: Range<Int>, _ settings: PackSettings, _ work: Work) {
    do throws(Failure) {
      var writer = try BlockStreamWriter(
        settings.blocks,
        store: try CachedBlocks(
          settings.blocks, folder: options.cache, server: options.sharedBlocks, work),
        work)
      for index in group {
        begun.append(Begun(index: index, start: .now))
        let place = begun.count - 1
        do throws(PackError) {
          try fill(index, place, &writer, work)
        } catch {
          writer.giveUp(Failure(.interrupted))
          begun[place].error = error
          isStopped = isStopped || error.kind == .interrupted
        }
        publishFinished(isLast: false)
      }
      writer.finish()
    } catch {
      for index in group {
        begun.append(
          Begun(index: index, start: .now, error: jobs[index].refusal(error)))
      }
    }
    publishFinished(isLast: true)
  }

  /// Writes the entries of an archive to the stream.
  private mutating func fill(
    _ index: Int, _ place: Int, _ writer: inout BlockStreamWriter, _ work: Work
  ) throws(PackError) {
    let job = jobs[index]
    if isStopped || work.isStopped { throw job.refusal(Failure(.interrupted)) }
    try job.checkMemory()
    try job.checkDestination(options)
    try options.cache?.checkOutside(job.plan)
    var examined = ExaminedContents(of: job.plan, at: job.examinedAt)
    try examined.inspectSourceRoot(work)
    let output = try explaining(job.refusal) { () throws(Failure) in try job.open(options) }
    begun[place].output = output
    writer.begin(output)
    do throws(PackError) {
      try job.writeEntries(to: &writer, &examined, work.of(item: index))
    } catch {
      throw error.kind == .interrupted ? job.refusal(Failure(.interrupted)) : error
    }
    begun[place].examined = examined.files
    writer.end()
  }

  /// Publishes finished archives at the front of the queue, and reports their results.
  ///
  /// Unless `isLast`, waits until 64 archives or 256 MiB are ready.
  private mutating func publishFinished(isLast: Bool) {
    let over = begun.prefix { $0.isOver || isLast }
    let bytes = over.lazy.map { $0.output?.statistics?.fileBytes ?? 0 }.saturatedSum
    guard isLast || over.count >= Self.mostWaiting || bytes >= Self.mostWaitingBytes else {
      return
    }
    var folders: [String: Failure?] = [:]
    for place in over.indices where begun[place].isWhole {
      attempt(place) { output throws(Failure) in try output.sync() }
    }
    for place in over.indices where begun[place].isWhole {
      attempt(place) { output throws(Failure) in try output.publish() }
    }
    for place in over.indices where begun[place].isWhole {
      let job = jobs[begun[place].index]
      guard case .file(let path) = job.destination else { continue }
      let folder = OutputPlace(path).folder
      if folders[folder] == nil {
        folders[folder] = .some(Self.syncFolder(folder))
      }
      if let failure = folders[folder] ?? nil { begun[place].error = job.refusal(failure) }
    }
    for entry in over.indices.map({ begun[$0] }) {
      let outcome = outcome(of: entry)
      ended(entry.index, outcome)
    }
    begun.removeFirst(over.count)
  }

  private static func syncFolder(_ path: String) -> Failure? {
    do throws(Failure) {
      try FileDescriptor.open(path, for: .directory).sync()
      return nil
    } catch {
      return error
    }
  }

  private mutating func attempt(
    _ place: Int, _ work: (ArchiveOutput) throws(Failure) -> Void
  ) {
    guard let output = begun[place].output else { return }
    do throws(Failure) {
      try work(output)
    } catch {
      output.giveUp(error)
      begun[place].error = jobs[begun[place].index].refusal(error)
    }
  }

  /// Returns the time from the end of the previous archive to the end of this one, in seconds.
  ///
  /// Archives of a series overlap: the time before the previous one ended counts only for that one.
  private mutating func seconds(of entry: Begun) -> Double {
    let end = entry.output?.end ?? .now
    let start = max(entry.start, lastEnd ?? entry.start)
    lastEnd = end
    return max(0, (end - start) / .seconds(1))
  }

  private mutating func outcome(of entry: Begun) -> Outcome {
    let job = jobs[entry.index]
    if let error = entry.error { return .failure(error) }
    guard let output = entry.output, let statistics = output.statistics else {
      return .failure(job.refusal(entry.output?.failure ?? Failure(.interrupted)))
    }
    let plan = job.plan
    var summary = PackSummary(
      path: FilePath(job.path), assetPackID: plan.manifest.assetPackID,
      fileCount: plan.selection.fileCount,
      contentBytes: plan.selection.totalSize, archiveBytes: statistics.fileBytes,
      blockCount: statistics.blocks, storedBlockCount: statistics.storedBlocks,
      cacheUse: options.cache == nil && options.sharedBlocks == nil
        ? nil
        : PackSummary.CacheUse(hits: statistics.foundBlocks, misses: statistics.missedBlocks),
      seconds: seconds(of: entry), sha256: output.sha256)
    summary.written = output.status
    summary.examined = entry.examined
    return .success(summary)
  }
}
