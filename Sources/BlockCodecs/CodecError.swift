/// Why a block could not be encoded or decoded.
package enum CodecError: Error, Equatable, Sendable {
  /// The encoded bytes are not what their format asks for; the reason names what.
  case corrupt(String)
  /// The codec got no memory for its state.
  case outOfMemory
  /// We read this form but do not write it.
  case notWritable(BlockAlgorithm)
  /// The library behind the codec refused in a way that its documentation excludes.
  case library(String, code: Int32)
}

extension CodecError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .corrupt(let reason): reason
    case .outOfMemory: "not enough memory for the codec"
    case .notWritable(let algorithm): "\(algorithm) can be read but not written"
    case .library(let name, let code): "\(name) failed with status \(code)"
    }
  }
}
