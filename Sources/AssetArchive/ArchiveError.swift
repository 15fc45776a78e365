package import BlockCodecs
package import SystemIO

/// Why an archive could not be read or written.
package enum ArchiveError: Error, Sendable, Equatable {
  /// The bytes are not an archive, from a certain place on.
  case malformed(Place, String)
  /// To decode a block takes more memory than is allowed.
  case tooLarge(Place, needed: UInt64, limit: UInt64)
  /// The system refused.
  case system(SystemError)
  /// A block could not be encoded.
  case codec(CodecError)
  /// Somebody asked to stop.
  case interrupted

  /// Where in an archive something is.
  package struct Place: Sendable, Equatable {
    /// The byte of the file; inside an encoded block, the byte where the block starts.
    package var fileOffset: UInt64
    /// The byte of what the blocks decode to, when that is known.
    package var streamOffset: UInt64?

    package init(fileOffset: UInt64, streamOffset: UInt64? = nil) {
      self.fileOffset = fileOffset
      self.streamOffset = streamOffset
    }
  }
}

extension ArchiveError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .malformed(let place, let reason): "\(reason) (\(place))"
    case .tooLarge(let place, let needed, let limit):
      "a block takes \(needed) bytes of memory, and \(limit) are allowed (\(place))"
    case .system(let error): error.description
    case .codec(let error): error.description
    case .interrupted: "interrupted"
    }
  }
}

extension ArchiveError.Place: CustomStringConvertible {
  package var description: String {
    let inFile = "at byte \(fileOffset) of the file"
    guard let streamOffset, streamOffset != fileOffset else { return inFile }
    return "\(inFile), byte \(streamOffset) decoded"
  }
}
