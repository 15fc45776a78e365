import BlockCodecs
import SystemIO

/// Delivers the contents of a selection's files, one after the other.
///
/// The packer asks for files in the order of the selection. A folder opens each file; an archive is
/// read once, from its beginning to its end.
package protocol SourceContents: AnyObject {
  /// Begins the file at `index` of the selection; indices only rise.
  func open(_ index: Int) throws(PackError)

  /// Reads on into the free space of `output`, once; returns 0 at the end.
  ///
  /// The number of bytes is always what the selection says: if the file has become shorter or
  /// longer, it throws.
  func read(into output: inout OutputRawSpan) throws(PackError) -> Int

  /// Ends a file that was read completely; throws if it was written to in the meantime.
  func finish() throws(PackError)
}

extension SourceContents {
  /// Reads until `output` is full or the file ends; returns how many bytes came.
  package func readFully(into output: inout OutputRawSpan) throws(PackError) -> Int {
    var total = 0
    while output.freeCapacity > 0 {
      let count = try read(into: &output)
      if count == 0 { break }
      total += count
    }
    return total
  }

  /// Returns the SHA-256 of the file at `index` of the selection, which is read through `buffer`.
  func digest(at index: Int, through buffer: inout ByteBuffer) throws(PackError) -> [UInt8] {
    var digest = try mapFailure(.reading) { () throws(Failure) in try Digest(.sha256) }
    try open(index)
    while true {
      buffer.removeAll()
      let count = try buffer.append(upTo: buffer.capacity) { output throws(PackError) in
        try readFully(into: &output)
      }
      if count == 0 { break }
      buffer.withBytes { digest.update($0) }
    }
    try finish()
    return digest.finish()
  }
}
