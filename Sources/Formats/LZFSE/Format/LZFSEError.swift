/// An error in reading or writing a stream.
public enum LZFSEError: Error, Equatable, Sendable {
  /// The output buffer is too small for the result; it is unchanged.
  case outputTooSmall
  /// The input ends before the end of the stream.
  case inputEndsEarly
  /// The input is not an LZFSE stream, or it is damaged; the error was detected in the block that
  /// starts at this offset of the input.
  case malformed(Flaw, blockOffset: Int)

  /// The error in a stream that cannot be decoded.
  public enum Flaw: String, Sendable {
    /// No block of a known kind starts here.
    case unknownBlock = "unknown kind of block"
    /// A header field is out of the range of the format.
    case header = "block header out of range"
    /// The frequency tables do not describe a code.
    case frequencies = "invalid frequency table"
    /// A bit string is shorter than the bits that are read from it, or its unused bits are set.
    case bits = "entropy-coded bits end early"
    /// More literals are copied than the block contains.
    case literals = "literals end early"
    /// A match starts before the start of the output.
    case distance = "match distance out of range"
    /// An instruction of an LZVN block that the format does not define.
    case instruction = "invalid LZVN instruction"
    /// The number of decoded bytes of the block differs from its header.
    case length = "block decodes to a different length"
  }
}

extension LZFSEError: CustomStringConvertible {
  /// A description of the error and its position, on one line.
  public var description: String {
    switch self {
    case .outputTooSmall: "the output buffer is too small"
    case .inputEndsEarly: "the LZFSE stream ends early"
    case .malformed(let flaw, let offset): "\(flaw.rawValue) in the LZFSE block at byte \(offset)"
    }
  }
}
