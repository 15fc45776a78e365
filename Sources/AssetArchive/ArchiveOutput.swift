import BlockCodecs
package import SystemIO

/// The file that an archive is written to: hidden until it is whole, and digested on the way if
/// somebody asked for that.
package struct ArchiveOutput: ByteSink, ~Copyable {
  private var file: SequentialFile
  private var digest: Digest?

  package init(_ file: consuming AtomicFile, digesting: Bool) throws(ArchiveError) {
    do {
      digest = digesting ? try Digest(.sha256) : nil
    } catch {
      throw .codec(error)
    }
    do {
      self.file = try SequentialFile(file)
    } catch {
      throw .system(error)
    }
  }

  package mutating func write(_ first: RawSpan, _ second: RawSpan) throws(SystemError) {
    try file.write(first, second)
    digest?.update(first)
    digest?.update(second)
  }

  /// Gives the file its name, once its bytes are on the disk, and returns the digest.
  package consuming func publish() throws(SystemError) -> [UInt8]? {
    let bytes = digest.take()?.finish()
    try file.publish()
    return bytes
  }
}
