import CZlib
import LZFSE
import SystemIO

/// The state of a zlib stream, on the heap: it contains a pointer to itself, so it must never move.
@safe private struct ZlibStream: ~Copyable {
  let pointer: UnsafeMutablePointer<z_stream>
  private let end: (UnsafeMutablePointer<z_stream>) -> Int32

  /// Starts a stream with `start`; `end` frees its memory.
  init(
    _ function: String,
    start: (UnsafeMutablePointer<z_stream>, Int32) -> Int32,
    end: @escaping (UnsafeMutablePointer<z_stream>) -> Int32
  ) throws(Failure) {
    let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    unsafe stream.initialize(to: z_stream())
    let status = unsafe start(stream, Int32(MemoryLayout<z_stream>.size))
    guard status == Z_OK else {
      unsafe stream.deallocate()
      throw Failure(status == Z_MEM_ERROR ? .outOfMemory : .library(function, status: status))
    }
    unsafe self.end = end
    unsafe pointer = stream
  }

  deinit {
    _ = unsafe end(pointer)
    unsafe pointer.deallocate()
  }

  /// Points the stream at both spans and runs `step`; appends the result to `output` and returns
  /// its status.
  borrowing func run(
    _ input: RawSpan, into output: inout OutputRawSpan,
    _ step: (UnsafeMutablePointer<z_stream>) -> Int32
  ) -> Int32 {
    unsafe input.withUnsafeBytes { source in
      unsafe output.withUnsafeMutableBytes { target, count in
        let free = target.count - count
        let start = unsafe target.baseAddress.map { unsafe $0 + count }
        unsafe pointer.pointee.next_in = UnsafeMutablePointer(
          mutating: source.baseAddress?.assumingMemoryBound(to: UInt8.self))
        unsafe pointer.pointee.avail_in = UInt32(source.count)
        unsafe pointer.pointee.next_out = start?.assumingMemoryBound(to: UInt8.self)
        unsafe pointer.pointee.avail_out = UInt32(free)
        let status = unsafe step(pointer)
        unsafe count += free - Int(pointer.pointee.avail_out)
        return status
      }
    }
  }
}

/// Writes one zlib stream (RFC 1950, with header and Adler-32) for each block.
final class ZlibEncoder: BlockEncoder {
  private let stream: ZlibStream

  init(effort: Effort) throws(Failure) {
    // Apple's tool uses level 5.
    let level: Int32 =
      switch effort {
      case .fast: 1
      case .default: 5
      case .better: 7
      case .best: 9
      }
    stream = unsafe try ZlibStream(
      "deflateInit2",
      start: { unsafe deflateInit2_($0, level, Z_DEFLATED, 15, 9, 0, ZLIB_VERSION, $1) },
      end: { unsafe deflateEnd($0) })
  }

  func encode(
    _ input: RawSpan, into output: inout OutputRawSpan
  ) throws(Failure) -> Bool {
    let reset = unsafe deflateReset(stream.pointer)
    guard reset == Z_OK else { throw Failure(.library("deflateReset", status: reset)) }
    let status = unsafe stream.run(input, into: &output) { unsafe deflate($0, Z_FINISH) }
    switch status {
    case Z_STREAM_END: return true
    case Z_OK, Z_BUF_ERROR: return false
    default: throw Failure(.library("deflate", status: status))
    }
  }
}

final class ZlibDecoder: BlockDecoder {
  private let stream: ZlibStream

  init() throws(Failure) {
    stream = unsafe try ZlibStream(
      "inflateInit2",
      start: { unsafe inflateInit2_($0, 15, ZLIB_VERSION, $1) },
      end: { unsafe inflateEnd($0) })
  }

  func decode(
    _ input: RawSpan, into output: inout OutputRawSpan
  ) throws(Failure) {
    let reset = unsafe inflateReset(stream.pointer)
    guard reset == Z_OK else { throw Failure(.library("inflateReset", status: reset)) }
    let status = unsafe stream.run(input, into: &output) { unsafe inflate($0, Z_FINISH) }
    switch status {
    case Z_STREAM_END: break
    case Z_MEM_ERROR: throw Failure(.outOfMemory)
    case Z_NEED_DICT: throw .malformed("the zlib stream requires a dictionary")
    case Z_OK, Z_BUF_ERROR:
      throw .malformed(
        output.freeCapacity == 0
          ? "the zlib stream contains more than its block declares"
          : "the zlib stream is truncated")
    default: throw .malformed(unsafe reason(of: stream.pointer))
    }
    let left = unsafe stream.pointer.pointee.avail_in
    guard left == 0 else { throw .malformed("\(left) bytes follow the zlib stream") }
    guard output.freeCapacity == 0 else {
      throw .malformed("the zlib stream ends \(output.freeCapacity) bytes early")
    }
  }

  private borrowing func reason(of pointer: UnsafeMutablePointer<z_stream>) -> String {
    guard let message = unsafe pointer.pointee.msg else { return "not a zlib stream" }
    return "zlib: " + (unsafe String(cString: message))
  }
}
