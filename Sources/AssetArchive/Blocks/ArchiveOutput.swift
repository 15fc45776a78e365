import BlockCodecs
package import SystemIO

/// Where an archive is written to: a file that stays hidden until it is complete, or a function
/// that takes the bytes as they come.
///
/// On request it also computes the digest of what is written.
package struct ArchiveOutput: ByteSink, ~Copyable {
  /// Takes bytes one after the other.
  package typealias Writing = (RawSpan) throws(Failure) -> Void

  /// Nil if `take` takes the bytes.
  private var file: SequentialFile?
  private let take: Writing
  private var digest: Digest?

  package init(_ file: consuming AtomicFile, digesting: Bool) throws(Failure) {
    digest = digesting ? try Digest(.sha256) : nil
    self.file = try SequentialFile(file)
    take = { _ in }
  }

  package init(writing write: @escaping Writing, digesting: Bool) throws(Failure) {
    digest = digesting ? try Digest(.sha256) : nil
    file = nil
    take = write
  }

  package mutating func write(_ bytes: RawSpan) throws(Failure) {
    if file != nil { try file?.write(bytes) } else { try take(bytes) }
    digest?.update(bytes)
  }

  /// Gives a file its name, once its bytes are on the disk, and returns the digest.
  package consuming func publish() throws(Failure) -> [UInt8]? {
    let bytes = digest.take()?.finish()
    if let file = file.take() { try file.publish() }
    return bytes
  }
}
