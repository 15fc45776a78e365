import BlockCodecs
import SystemIO

/// One block on its way from the file to whoever reads the archive.
struct DecodingSlot: ~Copyable, Sendable {
  var payload = ByteBuffer()
  var decoded = ByteBuffer()
  var place = BlockPlace(
    fileOffset: 0, streamOffset: 0, header: BlockHeader(rawSize: 0, storedSize: 0),
    payloadOffset: 0)
  var failure: ArchiveError?

  /// How many bytes the block holds.
  var count: Int { Int(place.header.rawSize) }

  /// Reads the payload, and makes room for what it decodes to.
  mutating func load(from source: borrowing ByteSource) {
    failure = nil
    do {
      let size = Int(place.header.storedSize)
      try payload.reserve(size)
      try source.read(at: place.payloadOffset, count: size, into: &payload)
      if payload.count < size {
        failure = malformed("the file became shorter while it was read")
      }
      if !place.header.isStored { try decoded.reserve(count) }
    } catch {
      failure = .system(error)
    }
  }

  /// Decodes the payload; a stored one is served from where it was read.
  mutating func decode(_ decoder: inout BlockDecoder?, _ algorithm: BlockAlgorithm) {
    guard failure == nil, !place.header.isStored else { return }
    do throws(CodecError) {
      if decoder == nil { decoder = try BlockDecoder(algorithm) }
      try payload.withBytes { bytes throws(CodecError) in
        try decoded.append(upTo: count) { output throws(CodecError) in
          try decoder?.decode(bytes, into: &output)
        }
      }
    } catch .corrupt(let reason) {
      failure = malformed("a block cannot be decoded: \(reason)")
    } catch {
      failure = .codec(error)
    }
  }

  func withBytes<Success, Failure: Error>(
    _ body: (RawSpan) throws(Failure) -> Success
  ) throws(Failure) -> Success {
    place.header.isStored ? try payload.withBytes(body) : try decoded.withBytes(body)
  }

  private func malformed(_ reason: String) -> ArchiveError {
    .malformed(.init(fileOffset: place.fileOffset, streamOffset: place.streamOffset), reason)
  }
}
