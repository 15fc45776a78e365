package import AssetArchive
import BlockCodecs
import Glibc
package import SystemIO

extension PackSeries {
  package struct Options: Sendable {
    /// Whether an existing archive may be replaced.
    package var replacesExisting = false
    /// Whether to create a missing folder of an archive.
    ///
    /// If another run created the folder and removes it before the archive is written, the folder
    /// is created again.
    package var makesFolder = false
    /// Whether to compute the SHA-256 of each archive.
    package var computesSHA256 = false
    /// A cache of encoded blocks to read and to extend.
    package var cache: BlockCache?
    /// A server with blocks that other hosts encoded, for blocks that the cache does not contain.
    package var sharedBlocks: (any SharedBlocks)?

    /// Creates the default options.
    package init() {}

    /// Creates the options of the public API.
    init(replacing: Bool, makingFolder: Bool) {
      replacesExisting = replacing
      makesFolder = makingFolder
      computesSHA256 = true
    }
  }

  /// The packing of one archive, which is written atomically.
  package struct Job {
    package let plan: PackPlan
    let destination: Destination
    /// The time at which the files were examined, if their contents are recorded.
    let examinedAt: Moment?

    /// Creates a job that writes the archive to a path.
    package init(_ plan: PackPlan, to path: String, examinedAt: Moment? = nil) {
      self.plan = plan
      destination = .file(path)
      self.examinedAt = examinedAt
    }

    /// Creates a job that passes the archive's bytes to `write`, in order; messages use `name`.
    package init(
      _ plan: PackPlan, writing write: @escaping ArchiveOutput.Writing, named name: String
    ) {
      self.plan = plan
      destination = .stream(name, write)
      examinedAt = nil
    }

    /// The archive's name in messages.
    var path: String {
      switch destination {
      case .file(let path): path
      case .stream(let name, _): name
      }
    }

    enum Destination {
      case file(String)
      case stream(String, ArchiveOutput.Writing)
    }

    /// Packs this archive alone, and reports the progress for each entry and each block.
    package func pack(
      _ work: Work, _ options: Options = Options()
    ) throws(PackError) -> PackSummary {
      var outcome: Outcome?
      PackSeries([self], options, ended: { outcome = $1 }).run(work)
      guard let outcome else { throw refusal(Failure(.interrupted)) }
      return try outcome.get()
    }
  }
}

extension PackError {
  fileprivate static func replacesSource(_ path: String) -> PackError {
    PackError(
      .exists, "cannot replace '\(path)': packing reads this file", remedy: .specifyAnotherOutput)
  }
}

extension PackSeries.Job {
  /// Throws if the archive would replace one of its source files.
  func checkDestination(_ options: PackSeries.Options) throws(PackError) {
    guard case .file(let path) = destination, options.replacesExisting, plan.reads(path) else {
      return
    }
    throw PackError.replacesSource(path)
  }

  /// Throws if an archive of a series would replace a source file of another one.
  static func checkDestinations(_ jobs: [PackSeries.Job]) throws(PackError) {
    let existing = jobs.map { try? FileStatus(ofFileAt: $0.path).identity }
    let outputs = Set(existing.compactMap(\.self))
    guard !outputs.isEmpty else { return }
    var sources: Set<FileIdentity> = []
    for job in jobs { sources.formUnion(job.plan.sources(among: outputs)) }
    for (job, identity) in zip(jobs, existing) {
      if let identity, sources.contains(identity) { throw PackError.replacesSource(job.path) }
    }
  }

  /// Throws if the memory limit is too small for a block and its encoded form.
  func checkMemory() throws(PackError) {
    let most = plan.contentSize.addingSaturated(UInt64(plan.entryCount) << 11)
    let needed = 2 * min(UInt64(plan.settings.blockSize), most)
    guard needed > plan.settings.memory else { return }
    throw PackError(
      .memory,
      "cannot write '\(path)': a block requires \(needed) bytes of memory, but the limit is "
        + "\(plan.settings.memory)",
      remedies: [.useSmallerBlocks, .allowMoreMemory])
  }

  /// Opens the archive for writing.
  func open(_ options: PackSeries.Options) throws(Failure) -> ArchiveOutput {
    switch destination {
    case .stream(_, let write):
      return try ArchiveOutput(writing: write, digesting: options.computesSHA256)
    case .file(let path):
      let file = try AtomicFile(
        path, replacing: options.replacesExisting, makingFolder: options.makesFolder)
      return try ArchiveOutput(file, digesting: options.computesSHA256)
    }
  }

  /// Writes all entries to the stream.
  func writeEntries(
    to stream: inout BlockStreamWriter, _ examined: inout ExaminedContents, _ work: Work
  ) throws(PackError) {
    let contents = try plan.source.contents(of: plan.selection, work)
    let templates = plan.headerTemplates
    var scratch: [UInt8] = []
    var state = Work.Progress(done: 0, total: plan.selection.totalSize)
    for header in plan.leadingHeaders { try write(header, &scratch, to: &stream) }
    for index in plan.selection.indices {
      if work.isStopped { throw refusal(Failure(.interrupted)) }
      if let report = work.report {
        state.path = plan.selection.pathInContents(at: index).bytes
        state.isBeginning = true
        report(state)
        state.isBeginning = false
      }
      scratch.removeAll(keepingCapacity: true)
      try explaining({ refusal($0) }) { () throws(Failure) in
        try plan.encodeHeader(at: index, templates, into: &scratch)
      }
      try write(scratch, to: &stream)
      guard plan.selection.isFile(at: index) else { continue }
      try contents.open(index)
      try examined.begin(index)
      try copy(contents, plan.selection.size(at: index), to: &stream, &state, &examined, work)
      examined.end(index)
    }
    try write(plan.manifestHeader, &scratch, to: &stream)
    try write(plan.manifestJSON, to: &stream)
    state.path = nil
    work.report?(state)
  }

  /// Copies the contents of a file to the stream.
  ///
  /// Each read has room for one byte more than expected. The only read of a small file therefore
  /// also shows that the file has not grown.
  private func copy(
    _ contents: any SourceContents, _ size: UInt64, to stream: inout BlockStreamWriter,
    _ state: inout Work.Progress, _ examined: inout ExaminedContents, _ work: Work
  ) throws(PackError) {
    var left = size
    var sawEnd = size == 0
    while !sawEnd {
      try explaining({ refusal($0) }) { () throws(Failure) in try stream.prepare() }
      let offered = Int(min(UInt64(stream.room), left.addingReportingOverflow(1).partialValue))
      let count = try stream.fill(upTo: offered) { output throws(PackError) in
        let start = output.byteCount
        let count = try contents.read(into: &output)
        if examined.isReading { examined.update(output.bytes.extracting(start...)) }
        return count
      }
      left -= UInt64(count)
      sawEnd = left == 0 && count < offered
      state.done += UInt64(count)
      work.report?(state)
      if work.isStopped { throw refusal(Failure(.interrupted)) }
    }
    try contents.finish()
  }

  private func write(
    _ header: EntryHeader, _ scratch: inout [UInt8], to stream: inout BlockStreamWriter
  ) throws(PackError) {
    scratch.removeAll(keepingCapacity: true)
    try explaining({ refusal($0) }) { () throws(Failure) in try header.encode(into: &scratch) }
    try write(scratch, to: &stream)
  }

  private func write(_ bytes: [UInt8], to stream: inout BlockStreamWriter) throws(PackError) {
    try explaining({ refusal($0) }) { () throws(Failure) in
      try bytes.withRawSpan { bytes throws(Failure) in try stream.write(bytes) }
    }
  }

  /// Returns the error for a failure, with remedies.
  func refusal(_ failure: Failure) -> PackError {
    switch failure.kind {
    case .interrupted: PackError(.interrupted, "interrupted; '\(path)' was not written")
    case .refused, .timedOut, .unresolved, .state, .other(.some, _):
      PackError(failure, while: .writing)
    case .outOfMemory:
      PackError(Failure(.encodeBlocks, path, code: ENOMEM), while: .writing)
    case .malformed, .tooLarge, .notWritable, .library, .other(.none, _):
      PackError(.unsupported, "cannot write '\(path)': \(failure.reason)")
    }
  }
}
