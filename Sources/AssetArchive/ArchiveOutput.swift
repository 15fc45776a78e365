import BlockCodecs
package import SystemIO

/// Where an archive is written to, digested on the way if somebody asked for that: a file that is
/// hidden until it is whole, or whatever takes bytes as they come.
package struct ArchiveOutput: ByteSink, ~Copyable {
  /// Takes bytes one after the other.
  package typealias Writing = (RawSpan) throws(Failure) -> Void

  /// Nil where `write` takes the bytes.
  private var file: SequentialFile?
  private let write: Writing
  private var digest: Digest?

  package init(_ file: consuming AtomicFile, digesting: Bool) throws(Failure) {
    digest = digesting ? try Digest(.sha256) : nil
    self.file = try SequentialFile(file)
    write = { _ in }
  }

  package init(writing write: @escaping Writing, digesting: Bool) throws(Failure) {
    digest = digesting ? try Digest(.sha256) : nil
    file = nil
    self.write = write
  }

  package mutating func write(_ first: RawSpan, _ second: RawSpan) throws(Failure) {
    if file != nil {
      try file?.write(first, second)
    } else {
      try write(first)
      try write(second)
    }
    digest?.update(first)
    digest?.update(second)
  }

  /// Gives a file its name, once its bytes are on the disk, and returns the digest.
  package consuming func publish() throws(Failure) -> [UInt8]? {
    let bytes = digest.take()?.finish()
    if let file = file.take() { try file.publish() }
    return bytes
  }
}
