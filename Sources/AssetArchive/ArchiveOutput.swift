import BlockCodecs
package import SystemIO

/// The file that an archive is written to: hidden until it is whole, and digested on the way if
/// somebody asked for that.
package struct ArchiveOutput: ByteSink, ~Copyable {
  private let file: AtomicFile
  private var digest: Digest?
  private var written: UInt64 = 0
  private var begun: UInt64 = 0

  /// The disk begins with this much while the processor works on what comes next.
  private static let stretch: UInt64 = 8 << 20

  package init(_ file: consuming AtomicFile, digesting: Bool) throws(ArchiveError) {
    do {
      digest = digesting ? try Digest(.sha256) : nil
    } catch {
      throw .codec(error)
    }
    self.file = file
  }

  package mutating func write(_ first: RawSpan, _ second: RawSpan) throws(SystemError) {
    try file.write(first, second)
    digest?.update(first)
    digest?.update(second)
    written += UInt64(first.byteCount + second.byteCount)
    if written - begun >= Self.stretch {
      file.startWriting(begun, count: written - begun)
      begun = written
    }
  }

  /// Gives the file its name, once its bytes are on the disk, and returns the digest.
  package consuming func publish() throws(SystemError) -> [UInt8]? {
    let bytes = digest.take()?.finish()
    try file.publish()
    return bytes
  }
}
