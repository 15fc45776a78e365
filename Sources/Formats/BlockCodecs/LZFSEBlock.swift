import LZFSE
import SystemIO

/// Writes one complete LZFSE stream for each block.
final class LZFSEBlockEncoder: BlockEncoder {
  private var encoder: LZFSE.Encoder

  init(effort: Effort) { encoder = LZFSE.Encoder(effort: effort) }

  func encode(
    _ input: RawSpan, into output: inout OutputRawSpan
  ) throws(Failure) -> Bool {
    do {
      try encoder.encode(input, into: &output)
      return true
    } catch {
      return false  // the only error of an encoder is an output that is too small
    }
  }
}

final class LZFSEBlockDecoder: BlockDecoder {
  private var decoder = LZFSE.Decoder()

  func decode(
    _ input: RawSpan, into output: inout OutputRawSpan
  ) throws(Failure) {
    let used: Int
    do {
      used = try decoder.decode(input, into: &output)
    } catch .outputTooSmall {
      throw .malformed("the LZFSE stream contains more than its block declares")
    } catch {
      throw .malformed("\(error)")
    }
    guard used == input.byteCount else {
      throw .malformed("\(input.byteCount - used) bytes follow the LZFSE stream")
    }
    guard output.freeCapacity == 0 else {
      throw .malformed("the LZFSE stream ends \(output.freeCapacity) bytes early")
    }
  }
}
