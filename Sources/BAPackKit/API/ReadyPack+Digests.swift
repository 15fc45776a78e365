package import SystemIO

extension ReadyPack {
  /// Reads the files with these places in `contents`, and notes their digests there.
  package func addDigests(
    of wanted: Set<Int>, to contents: inout PackContents, _ work: Work
  ) throws(PackError) {
    var reading: (any SourceContents)?
    var buffer = try mapFailure(.reading) { () throws(Failure) in try ByteBuffer(capacity: 1 << 20)
    }
    // Files of a source are read in the order of the selection.
    for place in selection.indices where selection.isFile(at: place) {
      guard let index = contents.index(of: selection.pathInContents(at: place)),
        wanted.contains(index), contents.digest(at: index) == nil
      else { continue }
      if reading == nil {
        reading = try source.contents(of: selection, work)
      }
      guard let source = reading else { return }
      try work.checkCancellation()
      contents.set(try source.digest(at: place, through: &buffer), at: index)
    }
  }
}
