package import LZFSE
package import SystemIO

/// Encodes blocks one at a time, independently, and keeps the codec's memory between them.
///
/// An encoder belongs to one thread. Its initializer allocates the memory of the codec; encoding
/// allocates none.
package protocol BlockEncoder: AnyObject {
  /// Appends the encoded form of `input` to `output`; returns false if it does not fit.
  ///
  /// If the result is false, the contents of `output` are undefined.
  func encode(_ input: RawSpan, into output: inout OutputRawSpan) throws(Failure) -> Bool
}

extension BlockAlgorithm {
  /// Creates an encoder for blocks of at most `blockSize` bytes.
  package func makeEncoder(
    effort: Effort, blockSize: Int
  ) throws(Failure) -> any BlockEncoder {
    switch self {
    case .lzfse: LZFSEBlockEncoder(effort: effort)
    case .zlib:
      effort == .best
        ? SmallestEncoder(
          try Effort.allCases.map { effort throws(Failure) in try ZlibEncoder(effort: effort) },
          blockSize: blockSize)
        : try ZlibEncoder(effort: effort)
    case .lzma:
      effort == .best
        ? SmallestEncoder(
          try Effort.allCases.map { effort throws(Failure) in
            try XZEncoder(effort: effort, blockSize: blockSize)
          }, blockSize: blockSize)
        : try XZEncoder(effort: effort, blockSize: blockSize)
    case .lz4: LZ4Encoder(effort: effort)
    case .stored, .lzbitmap: throw Failure(.notWritable("\(self)"))
    }
  }
}

/// Writes the smallest result of several encoders, because the highest effort of a library does not
/// always have it.
private final class SmallestEncoder: BlockEncoder {
  private let encoders: [any BlockEncoder]
  private var kept: [UInt8]
  private var trial: [UInt8]

  init(_ encoders: [any BlockEncoder], blockSize: Int) {
    self.encoders = encoders
    kept = [UInt8](repeating: 0, count: blockSize)
    trial = kept
  }

  func encode(
    _ input: RawSpan, into output: inout OutputRawSpan
  ) throws(Failure) -> Bool {
    var size: Int?
    for encoder in encoders {
      let room = size.map { $0 - 1 } ?? min(output.freeCapacity, trial.count)
      guard let count = try Self.encode(input, with: encoder, into: &trial, room: room) else {
        continue
      }
      size = count
      swap(&kept, &trial)
    }
    guard let size else { return try encoders.last?.encode(input, into: &output) ?? false }
    let result = kept
    unsafe output.append(result.span.bytes.extracting(first: size))
    return true
  }

  /// Returns the size of the result, unless there is no room for it.
  private static func encode(
    _ input: RawSpan, with encoder: any BlockEncoder, into target: inout [UInt8], room: Int
  ) throws(Failure) -> Int? {
    var bytes = target.mutableSpan
    return try unsafe bytes.withUnsafeMutableBytes { buffer throws(Failure) in
      let buffer = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(room))
      var output = unsafe OutputRawSpan(buffer: buffer, initializedCount: 0)
      let fits = try encoder.encode(input, into: &output)
      let count = unsafe output.finalize(for: buffer)
      return fits ? count : nil
    }
  }
}
