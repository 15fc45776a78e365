import BAPackKit
import SourceDiagnostics
import SystemIO

/// A file that was read.
struct ReadFile: Sendable {
  /// The archive; nil if it is damaged (see the findings).
  var archive: PublishedArchive?
  var findings = Ledger()
  let file: PackFile
  let status: FileStatus
  /// The time at which the verification started; nil if the pack was already verified.
  var begin: Moment?
}

/// Reads the files of packs, and verifies unknown ones.
///
/// Threads read many small files in parallel, one file each. All threads together decode the blocks
/// of a large file. The memory is that of one large file, or 256 MiB for all small files.
struct PackReading: Sendable {
  let known: KnownPacks
  let verification: Verification
  let work: Work

  /// The number of files from which on threads read them: fewer files take less time than the start
  /// of threads.
  private static let fewestInParallel = 32
  /// The largest file that one thread verifies.
  private static let largestSmallFile: UInt64 = 4 << 20
  /// The memory for the blocks of all small files.
  private static let sharedMemory: UInt64 = 256 << 20

  /// A file to read; the result is nil if the caller must read it.
  private struct Job: Sendable {
    let path: String
    var result: Result<ReadFile, PackError>?
  }

  /// Reads files, and passes each result to `take`, in the order of the files.
  func read(
    _ paths: [String],
    _ take: (String, Result<ReadFile, PackError>) throws(PackError) -> Void
  ) throws(PackError) {
    let threads = min(verification.threads, paths.count)
    guard threads > 1, paths.count >= Self.fewestInParallel else {
      for path in paths { try take(path, result(of: path)) }
      return
    }
    var small = self.verification
    small.threads = 1
    small.memory = min(small.memory, max(Self.sharedMemory / UInt64(threads), 16 << 20))
    let reading = PackReading(known: known, verification: small, work: work)
    var ring = try mapFailure(.reading) { () throws(Failure) in
      try WorkRing<Job, Void>(window: 4 * threads, threads: threads, makeWorker: {}) { _, job in
        job.result = reading.smallResult(of: job.path)
      }
    }
    try ring.run(paths.lazy.map { Job(path: $0) }) { job throws(PackError) in
      try take(job.path, job.result ?? result(of: job.path))
    }
  }

  private func result(of path: String) -> Result<ReadFile, PackError> {
    Result { () throws(PackError) in try verified(opened(path)) }
  }

  /// Returns nil for a large file, and for one with a block that needs more memory.
  private func smallResult(of path: String) -> Result<ReadFile, PackError>? {
    do throws(PackError) {
      let file = try opened(path)
      guard file.archive != nil || file.status.size <= Self.largestSmallFile else { return nil }
      return .success(try verified(file))
    } catch {
      return error.kind == .memory ? nil : .failure(error)
    }
  }

  /// Opens a file; the result has an archive if the pack is known.
  private func opened(_ path: String) throws(PackError) -> ReadFile {
    let begin = Moment.now
    var read = try mapFailure(.reading) { () throws(Failure) -> ReadFile in
      let file = try FileDescriptor.open(path, for: .reading)
      let status = try file.status()
      return ReadFile(
        file: PackFile(try ByteSource(file), status: status), status: status, begin: begin)
    }
    read.archive = known.archive(at: path, read.status)
    if read.archive != nil { read.begin = nil }
    return read
  }

  /// Verifies the pack, if it is not known.
  private func verified(_ file: ReadFile) throws(PackError) -> ReadFile {
    guard file.archive == nil else { return file }
    var read = file
    let path = file.file.name
    let report = try verification.verify(path, work)
    read.findings = report.findings
    if !report.hasErrors {
      read.archive = try PublishedArchive(reading: path, memory: verification.memory, work)
    }
    let after = try mapFailure(.reading) { () throws(Failure) in try FileStatus(ofFileAt: path) }
    guard after.isSameFile(as: read.status) else {
      throw PackError(
        .changed, "'\(path)' changed while it was read",
        remedy: "try again when the file is complete")
    }
    return read
  }
}
