import BlockCodecs
import SystemIO

/// A block between the file and the caller of the reader.
struct DecodingSlot: ~Copyable, Sendable {
  var block = ByteBuffer()
  var place = BlockPlace(
    fileOffset: 0, streamOffset: 0, header: BlockHeader(rawSize: 0, storedSize: 0),
    payloadOffset: 0)
  var failure: Failure?

  /// The number of bytes in the decoded block.
  var count: Int { Int(place.header.rawSize) }

  /// Reads the block and decodes it; a stored block is read directly into place.
  mutating func fill(from source: borrowing ByteSource, with worker: inout DecodingWorker) {
    failure = nil
    do throws(Failure) {
      try block.reserve(count, keepingAtMost: DecodingWorker.mostKept)
      if place.header.isStored {
        try source.read(place, into: &block)
      } else {
        try worker.withPayload(Int(place.header.storedSize)) { payload throws(Failure) in
          try source.read(place, into: &payload)
        }
        try decode(with: &worker, source.name)
      }
    } catch {
      failure = error
    }
    worker.rest(after: count)
  }

  private mutating func decode(with worker: inout DecodingWorker, _ name: String) throws(Failure) {
    let (place, count) = (place, count)
    try explaining({ place.explain($0, in: name) }) { () throws(Failure) in
      try worker.decode(into: &block, count)
    }
  }
}

extension ByteSource {
  /// Reads the payload of a block.
  fileprivate borrowing func read(
    _ place: BlockPlace, into buffer: inout ByteBuffer
  ) throws(Failure) {
    let size = Int(place.header.storedSize)
    try read(at: place.payloadOffset, count: size, into: &buffer)
    guard buffer.count == size else {
      throw malformed("the file became shorter while it was read", at: place.place)
    }
  }
}

extension BlockPlace {
  /// Adds to a decoder's failure which block it was about.
  fileprivate func explain(_ failure: Failure, in name: String) -> Failure {
    guard case .malformed(let reason) = failure.kind else { return failure.withPath(name) }
    return Failure(.malformed("a block cannot be decoded: \(reason)"), name, at: place)
  }
}

/// The state that a thread keeps between blocks: its decoder, created for its first block, and
/// memory for payloads.
struct DecodingWorker: ~Copyable {
  /// Memory for larger payloads is freed immediately, because an idle thread would keep it.
  static let mostKept = 1 << 20

  private let algorithm: BlockAlgorithm
  private var decoder: (any BlockDecoder)?
  private var payload = ByteBuffer()

  init(_ algorithm: BlockAlgorithm) { self.algorithm = algorithm }

  /// Lets `fill` write the `count` bytes of a payload.
  mutating func withPayload(
    _ count: Int, _ fill: (inout ByteBuffer) throws(Failure) -> Void
  ) throws(Failure) {
    try payload.reserve(count)
    try fill(&payload)
  }

  /// Decodes the payload to `count` bytes.
  mutating func decode(into block: inout ByteBuffer, _ count: Int) throws(Failure) {
    if decoder == nil { decoder = try algorithm.makeDecoder() }
    guard let decoder else { return }
    try payload.withBytes { bytes throws(Failure) in
      try block.append(upTo: count) { output throws(Failure) in
        try decoder.decode(bytes, into: &output)
      }
    }
  }

  /// Frees memory that the next block may not need.
  mutating func rest(after count: Int) {
    if payload.capacity > Self.mostKept { payload = ByteBuffer() }
    if count > Self.mostKept { decoder = nil }
  }
}
