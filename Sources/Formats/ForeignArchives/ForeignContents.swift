package import SystemIO

/// The second pass over an archive: delivers the contents of entries in the order of the caller.
///
/// An entry is streamed if the archive also has it in this order. If it is earlier in the archive,
/// or is requested more than once, its contents are kept in one temporary file without a name. No
/// entry is unpacked to a separate file.
package struct ForeignContents: ~Copyable {
  private var reader: ForeignArchiveReader
  /// The contents that are kept for later; nil until there are some.
  private(set) var spool: Spool?
  /// The number of remaining requests for each entry, by its index in the archive.
  private var requests: [Int: Int] = [:]
  private var waiting: [Int: Spool.Stretch] = [:]
  private var source = Source.none
  private let work: Work

  private enum Source {
    case none
    case archive
    case spool(Spool.Stretch)
  }

  /// Prepares to deliver contents in this `order`, as indices of entries.
  package init(
    _ file: borrowing FileDescriptor, name: String, order: some Sequence<Int>, _ work: Work
  ) throws(Failure) {
    reader = try ForeignArchiveReader(file, name: name, work)
    self.work = work
    for index in order { requests[index, default: 0] += 1 }
  }

  /// Begins the contents of an entry; calls must be in the order that `init` received.
  package mutating func open(_ index: Int) throws(Failure) {
    guard let uses = requests[index], uses > 0 else {
      throw .malformed("entry \(index) is not in the listing", reader.name)
    }
    requests[index] = uses - 1
    if let stretch = waiting[index] {
      source = .spool(stretch)
      if uses == 1 { waiting[index] = nil }
      return
    }
    while let entry = try reader.next() {
      if entry.index == index, let flaw = entry.flaw {
        throw .malformed(" " + flaw, entry: entry.path, of: reader.name)
      }
      if entry.index == index && uses == 1 {
        source = .archive
        return
      }
      guard let uses = requests[entry.index], uses > 0 || entry.index == index else { continue }
      let stretch = try store()
      waiting[entry.index] = stretch
      if entry.index == index {
        source = .spool(stretch)
        return
      }
    }
    throw .malformed("it changed while it was read", reader.name)
  }

  /// Appends bytes of the opened entry until `output` is full; appends none at its end.
  package mutating func read(into output: inout OutputRawSpan) throws(Failure) {
    switch source {
    case .none: return
    case .archive: try reader.read(into: &output)
    case .spool(var stretch):
      while !output.isFull && stretch.count > 0 {
        try spool?.read(&stretch, into: &output)
      }
      source = .spool(stretch)
    }
  }

  /// Copies the current entry to the temporary file.
  private mutating func store() throws(Failure) -> Spool.Stretch {
    var spool = if let taken = self.spool.take() { taken } else { try Spool() }
    let start = spool.position
    var scratch = [UInt8](repeating: 0, count: 256 << 10)
    while true {
      // The entry may be large, so check here whether the operation was stopped.
      try work.check(reader.name)
      let count = try reader.read(into: &scratch)
      if count == 0 { break }
      try unsafe spool.append(scratch.span.extracting(first: count).bytes)
    }
    let stretch = Spool.Stretch(offset: start, count: spool.position - start)
    self.spool = consume spool
    return stretch
  }
}
