import BlockCodecs
import SystemIO

/// The contents of a selection's files, one after the other.
///
/// The packer opens files in the order of the selection. A folder opens each file. An archive is
/// read once, from start to end.
package protocol SourceContents: AnyObject {
  /// Opens the file at `index` of the selection; indices must increase.
  func open(_ index: Int) throws(PackError)

  /// Reads the next bytes into the free space of `output`, once; returns 0 at the end.
  ///
  /// - Throws: ``PackError`` if the file's size differs from the size in the selection.
  func read(into output: inout OutputRawSpan) throws(PackError) -> Int

  /// Closes a file that was read completely; throws if it was modified during reading.
  func finish() throws(PackError)
}

extension SourceContents {
  /// Reads until `output` is full or the file ends; returns the number of bytes.
  package func readFully(into output: inout OutputRawSpan) throws(PackError) -> Int {
    var total = 0
    while output.freeCapacity > 0 {
      let count = try read(into: &output)
      if count == 0 { break }
      total += count
    }
    return total
  }

  /// Returns the SHA-256 of the file at `index` of the selection, using `buffer`.
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
