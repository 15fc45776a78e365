import CLZMA
import LZFSE
import SystemIO

/// The state of a liblzma stream, on the heap: coders keep their memory from one block to the next.
@safe private struct LZMAStream: ~Copyable {
  let pointer: UnsafeMutablePointer<lzma_stream>

  init() {
    unsafe pointer = .allocate(capacity: 1)
    unsafe pointer.initialize(to: lzma_stream())
  }

  deinit {
    unsafe lzma_end(pointer)
    unsafe pointer.deallocate()
  }

  /// Runs all of `input` through the coder and appends the result to `output`.
  borrowing func finish(_ input: RawSpan, into output: inout OutputRawSpan) -> lzma_ret {
    unsafe input.withUnsafeBytes { source in
      unsafe output.withUnsafeMutableBytes { target, count in
        let free = target.count - count
        let start = unsafe target.baseAddress.map { unsafe $0 + count }
        unsafe pointer.pointee.next_in = source.baseAddress?.assumingMemoryBound(to: UInt8.self)
        unsafe pointer.pointee.avail_in = source.count
        unsafe pointer.pointee.next_out = start?.assumingMemoryBound(to: UInt8.self)
        unsafe pointer.pointee.avail_out = free
        let status = unsafe lzma_code(pointer, LZMA_FINISH)
        unsafe count += free - pointer.pointee.avail_out
        return status
      }
    }
  }
}

/// Writes one complete `.xz` file, without an integrity check, for each block.
///
/// The dictionary is never larger than a block: the rest could not be used and would cost the
/// reader memory.
@safe final class XZEncoder: BlockEncoder {
  private let stream = LZMAStream()
  private let options: UnsafeMutablePointer<lzma_options_lzma>
  private let filters: UnsafeMutablePointer<lzma_filter>

  init(effort: Effort, blockSize: Int) throws(Failure) {
    let preset: UInt32 =
      switch effort {
      case .fast: 1
      case .default, .better: 6
      case .best: 9 | ba_lzma_preset_extreme()
      }
    var chosen = unsafe lzma_options_lzma()
    guard unsafe lzma_lzma_preset(&chosen, preset) == 0 else {
      throw Failure(.library("lzma_lzma_preset", status: Int32(LZMA_OPTIONS_ERROR.rawValue)))
    }
    // Higher presets differ from 6 only in the dictionary, so `better` searches longer matches.
    if effort == .better { unsafe chosen.nice_len = 160 }
    let smallest = 4096
    unsafe chosen.dict_size = min(
      chosen.dict_size, UInt32(clamping: max(blockSize, smallest)))
    let options = UnsafeMutablePointer<lzma_options_lzma>.allocate(capacity: 1)
    unsafe options.initialize(to: chosen)
    unsafe filters = .allocate(capacity: 2)
    unsafe filters.initialize(
      to: lzma_filter(id: ba_lzma_filter_lzma2(), options: UnsafeMutableRawPointer(options)))
    unsafe (filters + 1).initialize(to: lzma_filter(id: ba_lzma_filters_end(), options: nil))
    unsafe self.options = options
  }

  deinit {
    unsafe filters.deallocate()
    unsafe options.deallocate()
  }

  func encode(
    _ input: RawSpan, into output: inout OutputRawSpan
  ) throws(Failure) -> Bool {
    // Starting again on the same stream uses the match finder's memory again.
    let start = unsafe lzma_stream_encoder(stream.pointer, filters, LZMA_CHECK_NONE)
    guard start == LZMA_OK else { throw error(start, "lzma_stream_encoder") }
    let status = stream.finish(input, into: &output)
    switch status {
    case LZMA_STREAM_END: return true
    case LZMA_OK, LZMA_BUF_ERROR: return false
    default: throw error(status, "lzma_code")
    }
  }
}

final class XZDecoder: BlockDecoder {
  /// Enough for the largest dictionary of any preset (64 MiB).
  ///
  /// A stream that requests more is rejected before the memory is allocated.
  static let memoryLimit: UInt64 = 80 << 20

  private let stream = LZMAStream()

  func decode(
    _ input: RawSpan, into output: inout OutputRawSpan
  ) throws(Failure) {
    let start = unsafe lzma_stream_decoder(stream.pointer, Self.memoryLimit, 0)
    guard start == LZMA_OK else { throw error(start, "lzma_stream_decoder") }
    let status = stream.finish(input, into: &output)
    switch status {
    case LZMA_STREAM_END: break
    case LZMA_OK, LZMA_BUF_ERROR:
      throw .malformed(
        output.freeCapacity == 0
          ? "the xz stream contains more than its block declares" : "the xz stream is truncated")
    case LZMA_FORMAT_ERROR: throw .malformed("not an xz stream")
    case LZMA_DATA_ERROR: throw .malformed("the xz stream is damaged")
    case LZMA_OPTIONS_ERROR: throw .malformed("the xz stream uses options that are not supported")
    case LZMA_MEMLIMIT_ERROR: throw .malformed("the xz stream requires a dictionary above 64 MiB")
    default: throw error(status, "lzma_code")
    }
    let left = unsafe stream.pointer.pointee.avail_in
    guard left == 0 else { throw .malformed("\(left) bytes follow the xz stream") }
    guard output.freeCapacity == 0 else {
      throw .malformed("the xz stream ends \(output.freeCapacity) bytes early")
    }
  }
}

private func error(_ status: lzma_ret, _ function: String) -> Failure {
  Failure(
    status == LZMA_MEM_ERROR ? .outOfMemory : .library(function, status: Int32(status.rawValue)))
}
