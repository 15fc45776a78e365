package import AssetArchive
import BlockCodecs
import Glibc
package import SystemIO

/// Makes the archive of a plan.
///
/// The archive appears complete or not at all. Its bytes depend on the plan alone: not on the
/// number of threads, the machine, or the order in which a file system lists names. It is a
/// ``PackSeries`` of one.
package struct Packer {
  /// What a caller can ask for beside the archive.
  package struct Options: Sendable {
    /// Whether an existing archive may be replaced.
    package var replacesExisting = false
    /// Whether to make the archive's folder if it is missing, and to make it again if another
    /// packer, which made it, removes it before the archive is in it.
    package var makesFolder = false
    /// Whether to compute the SHA-256 of the archive.
    package var computesSHA256 = false
    /// A cache of encoded blocks to look up and to add to.
    package var cache: BlockCache?
    /// A server that has what other machines encoded; asked for what the cache does not have.
    package var sharedBlocks: (any SharedBlocks)?

    /// Makes options.
    package init() {}
  }

  private let plan: PackPlan
  private let destination: Destination
  private let options: Options

  /// Makes a packer that will write to `path`.
  package init(_ plan: PackPlan, to path: String, _ options: Options = Options()) {
    self.init(plan, to: .file(path), options)
  }

  /// Makes a packer that passes the bytes of the archive to `write`, in order; messages use `name`.
  package init(
    _ plan: PackPlan, writing write: @escaping ArchiveOutput.Writing,
    named name: String, _ options: Options = Options()
  ) {
    self.init(plan, to: .stream(name, write), options)
  }

  private init(_ plan: PackPlan, to destination: Destination, _ options: Options) {
    self.plan = plan
    self.destination = destination
    self.options = options
  }

  enum Destination {
    case file(String)
    case stream(String, ArchiveOutput.Writing)
  }

  /// Packs, on the calling thread and on as many others as the settings say.
  ///
  /// The progress is reported for each entry and each block.
  package func pack(_ work: Work) throws(PackError) -> PackSummary {
    var outcome: PackSeries.Outcome?
    let job = PackSeries.Job(plan, destination)
    PackSeries([job], options, ended: { outcome = $1 }).run(work)
    guard let outcome else { throw job.refusal(Failure(.interrupted)) }
    return try outcome.get()
  }
}

// MARK: - One archive of a series

extension PackSeries.Job {
  /// An archive must not replace one of the files that it is made of.
  func checkDestination(_ options: Packer.Options) throws(PackError) {
    guard case .file(let path) = destination, options.replacesExisting, plan.reads(path) else {
      return
    }
    throw PackError(.exists, "'\(path)' is what is packed from", remedy: .nameAnotherOutput)
  }

  /// A block needs memory for its own bytes and for its encoded form.
  func checkMemory() throws(PackError) {
    let most = plan.contentSize.addingSaturated(UInt64(plan.entryCount) << 11)
    let needed = 2 * min(UInt64(plan.settings.blockSize), most)
    guard needed > plan.settings.memory else { return }
    throw PackError(
      .memory,
      "cannot write '\(path)': a block takes \(needed) bytes of memory, and "
        + "\(plan.settings.memory) are allowed",
      remedies: [.useSmallerBlocks, .allowMoreMemory])
  }

  /// Begins the archive.
  func open(_ options: Packer.Options) throws(Failure) -> ArchiveOutput {
    switch destination {
    case .stream(_, let write):
      return try ArchiveOutput(writing: write, digesting: options.computesSHA256)
    case .file(let path):
      let file = try AtomicFile(
        path, replacing: options.replacesExisting, makingFolder: options.makesFolder)
      return try ArchiveOutput(file, digesting: options.computesSHA256)
    }
  }

  /// Puts all entries into the stream.
  func writeEntries(
    to stream: inout BlockStreamWriter, _ seen: inout SeenContents, _ work: Work
  ) throws(PackError) {
    let contents = try plan.source.contents(of: plan.selection, work)
    var scratch: [UInt8] = []
    var state = Progress(done: 0, total: plan.selection.totalSize)
    for header in plan.leadingHeaders { try write(header, &scratch, to: &stream) }
    for index in plan.selection.indices {
      if work.isStopped { throw refusal(Failure(.interrupted)) }
      if let report = work.report {
        state.path = plan.selection.pathInContents(at: index)
        state.isBeginning = true
        report(state)
        state.isBeginning = false
      }
      try write(plan.header(at: index), &scratch, to: &stream)
      guard plan.selection.isFile(at: index) else { continue }
      try contents.open(index)
      try seen.begin(index)
      try copy(contents, plan.selection.size(at: index), to: &stream, &state, &seen, work)
      seen.end(index)
    }
    try write(plan.manifestHeader, &scratch, to: &stream)
    try write(plan.manifestJSON, to: &stream)
    state.path = nil
    work.report?(state)
  }

  /// Reads a file directly into the blocks.
  ///
  /// Each read has room for one byte more than is expected: so the only read that a small file
  /// needs also shows that the file has not grown.
  private func copy(
    _ contents: any SourceContents, _ size: UInt64, to stream: inout BlockStreamWriter,
    _ state: inout Progress, _ seen: inout SeenContents, _ work: Work
  ) throws(PackError) {
    var left = size
    var sawEnd = size == 0
    while !sawEnd {
      try explaining(refusal) { () throws(Failure) in try stream.prepare() }
      let offered = Int(min(UInt64(stream.room), left.addingReportingOverflow(1).partialValue))
      let count = try stream.fill(upTo: offered) { output throws(PackError) in
        let start = output.byteCount
        let count = try contents.read(into: &output)
        if seen.isReading { seen.take(output.bytes.extracting(start...)) }
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
    try explaining(refusal) { () throws(Failure) in try header.encode(into: &scratch) }
    try write(scratch, to: &stream)
  }

  private func write(_ bytes: [UInt8], to stream: inout BlockStreamWriter) throws(PackError) {
    try explaining(refusal) { () throws(Failure) in
      try bytes.withRawSpan { bytes throws(Failure) in try stream.write(bytes) }
    }
  }

  /// What went wrong with the archive, with the remedies a person has.
  func refusal(_ failure: Failure) -> PackError {
    switch failure.kind {
    case .interrupted: PackError(.interrupted, "interrupted; '\(path)' was not written")
    case .refused, .timedOut, .transfer, .unresolved, .state:
      PackError(failure, while: .writing)
    case .outOfMemory:
      PackError(Failure(.encodeBlocks, path, code: ENOMEM), while: .writing)
    case .malformed, .encrypted, .tooLarge, .notWritable, .library:
      PackError(.unsupported, "cannot write '\(path)': \(failure.reason)")
    }
  }
}
