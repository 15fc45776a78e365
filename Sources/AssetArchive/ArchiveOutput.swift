import BlockCodecs
package import SystemIO

/// Where an archive is written to, digested on the way if somebody asked for that: a file that is
/// hidden until it is whole, or whatever takes bytes as they come.
package struct ArchiveOutput: ByteSink, ~Copyable {
  /// Takes bytes one after the other.
  package typealias Writing = (RawSpan) throws(SystemError) -> Void

  /// Nil where `write` takes the bytes.
  private var file: SequentialFile?
  private let write: Writing
  private var digest: Digest?

  package init(_ file: consuming AtomicFile, digesting: Bool) throws(ArchiveError) {
    digest = try Self.digest(digesting)
    do {
      self.file = try SequentialFile(file)
    } catch {
      throw .system(error)
    }
    write = { _ in }
  }

  package init(writing write: @escaping Writing, digesting: Bool) throws(ArchiveError) {
    digest = try Self.digest(digesting)
    file = nil
    self.write = write
  }

  private static func digest(_ isWanted: Bool) throws(ArchiveError) -> Digest? {
    do {
      return isWanted ? try Digest(.sha256) : nil
    } catch {
      throw .codec(error)
    }
  }

  package mutating func write(_ first: RawSpan, _ second: RawSpan) throws(SystemError) {
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
  package consuming func publish() throws(SystemError) -> [UInt8]? {
    let bytes = digest.take()?.finish()
    if let file = file.take() { try file.publish() }
    return bytes
  }
}
