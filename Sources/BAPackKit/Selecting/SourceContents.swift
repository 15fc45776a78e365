import SystemIO

/// Gives the contents of a selection's files, one file after the other.
///
/// The packer asks for files in the order of the selection. A folder opens each one; an archive is
/// read once, from its beginning to its end.
package protocol SourceContents: AnyObject {
  /// Goes to the file at `index` of the selection; indices only rise.
  func open(_ index: Int) throws(PackError)

  /// Reads on into the free space of `output`, once; 0 at the end.
  ///
  /// Exactly as many bytes come as the selection says: a file that has become shorter or longer is
  /// an error.
  func read(into output: inout OutputRawSpan) throws(PackError) -> Int

  /// Says that the file was read to its end; throws when somebody wrote to it meanwhile.
  func finish() throws(PackError)
}

extension SourceContents {
  /// Reads until `output` is full or the file ends, and says how much came.
  package func readFully(into output: inout OutputRawSpan) throws(PackError) -> Int {
    var total = 0
    while output.freeCapacity > 0 {
      let count = try read(into: &output)
      if count == 0 { break }
      total += count
    }
    return total
  }
}
