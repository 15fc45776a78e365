package import SystemIO

extension ReadyPack {
  /// Reads files and stores their digests in `contents`; `places` are their indices in `contents`.
  package func addDigests(
    of places: Set<Int>, to contents: inout PackContents, _ work: Work
  ) throws(PackError) {
    var reading: (any SourceContents)?
    var buffer = try mapFailure(.reading) { () throws(Failure) in try ByteBuffer(capacity: 1 << 20)
    }
    // A source supports only reading in the order of the selection.
    for place in selection.indices where selection.isFile(at: place) {
      guard let index = contents.index(of: selection.pathInContents(at: place)),
        places.contains(index), contents.digest(at: index) == nil
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
