import BlockCodecs
package import SystemIO

/// The output of an archive: a file that is hidden until it is published, or a function that
/// receives the bytes in order.
///
/// On request, it also computes the digest of the written bytes.
package final class ArchiveOutput: BlockTarget {
  /// A function that receives sequential bytes.
  package typealias Writing = (RawSpan) throws(Failure) -> Void

  /// The file before its first bytes, and again after its completion.
  private var file: AtomicFile?
  /// The file while it is written: its buffer exists only then.
  private var growing: SequentialFile?
  private let take: Writing
  private var digest: Digest?
  /// The reason why the archive was abandoned.
  package private(set) var failure: Failure?
  /// The figures of a complete archive.
  package private(set) var statistics: BlockStatistics?
  /// The time of the archive's completion.
  package private(set) var end: ContinuousClock.Instant?
  /// The digest of a complete archive, if it was requested.
  package private(set) var sha256: [UInt8]?
  /// The status of the complete file before it gets its name, if a digest was requested.
  package private(set) var status: FileStatus?

  package init(_ file: consuming AtomicFile, digesting: Bool) throws(Failure) {
    digest = digesting ? try Digest(.sha256) : nil
    self.file = .some(consume file)
    take = { _ in }
  }

  package init(writing write: @escaping Writing, digesting: Bool) throws(Failure) {
    digest = digesting ? try Digest(.sha256) : nil
    take = write
  }

  package func write(_ bytes: RawSpan) throws(Failure) {
    if let begun = file.take() { growing = try SequentialFile(begun) }
    if growing != nil { try growing?.write(bytes) } else { try take(bytes) }
    digest?.update(bytes)
  }

  package func end(_ statistics: BlockStatistics) throws(Failure) {
    if let growing = growing.take() {
      let whole = try growing.complete()
      sha256 = digest.take()?.finish()
      if sha256 != nil { status = try whole.descriptor.status() }
      // Writing to the disk starts while the next archive is encoded.
      whole.startWriting(0, count: statistics.fileBytes)
      file = .some(consume whole)
    } else {
      sha256 = digest.take()?.finish()
    }
    self.statistics = statistics
    end = .now
  }

  package func giveUp(_ failure: Failure) {
    self.failure = failure
    file = nil
    growing = nil
  }

  /// Waits until the bytes of a complete file are on the disk.
  package func sync() throws(Failure) {
    guard let whole = file.take() else { return }
    try whole.sync()
    file = .some(consume whole)
  }

  /// Gives a complete file its name.
  ///
  /// The name is on the disk only after the caller synchronizes the folder.
  package func publish() throws(Failure) {
    if let whole = file.take() { try whole.publish(syncing: false) }
  }
}
