import CZlib
import SystemIO

/// The decoded bytes of a gzip file: one member or several, each with its checksum and length
/// checked.
///
/// libarchive also reads gzip, but does not check the data after the end.
@safe final class GzipOrigin: ByteOrigin {
  private static let capacity = 256 << 10

  private let source: any ByteOrigin
  private let name: String
  private let stream: UnsafeMutablePointer<z_stream>
  private let buffer: UnsafeMutableRawBufferPointer
  /// Bytes from `source` that have not been decoded yet.
  private var input = unsafe UnsafeRawBufferPointer(start: nil, count: 0)
  private var place = Position.beginning

  private enum Position { case beginning, inMember, betweenMembers, inPadding, end }

  /// Returns whether a file that starts like this is a gzip.
  static func mayBegin(_ start: [UInt8]) -> Bool { start.starts(with: [0x1F, 0x8B]) }

  init(_ source: any ByteOrigin, name: String) throws(Failure) {
    self.source = source
    self.name = name
    unsafe stream = .allocate(capacity: 1)
    unsafe stream.initialize(to: z_stream())
    unsafe buffer = .allocate(byteCount: Self.capacity, alignment: 16)
    // 15 is the largest window; adding 16 selects gzip, whose checksum and length zlib then checks.
    let status = unsafe inflateInit2_(
      stream, 15 + 16, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    guard status == Z_OK else { throw .outOfMemory(name) }
  }

  deinit {
    _ = unsafe inflateEnd(stream)
    unsafe stream.deallocate()
    unsafe buffer.deallocate()
  }

  func restart() throws(Failure) {
    try source.restart()
    unsafe input = UnsafeRawBufferPointer(start: nil, count: 0)
    place = .beginning
  }

  func next() throws(Failure) -> UnsafeRawBufferPointer {
    while place != .end {
      if unsafe input.isEmpty { unsafe input = try source.next() }
      switch place {
      case .inMember:
        let count = try inflateOnce()
        if count > 0 { return unsafe UnsafeRawBufferPointer(rebasing: buffer[..<count]) }
      case .betweenMembers, .inPadding:
        if unsafe input.isEmpty {
          place = .end
        } else if unsafe input[0] == 0 {
          // Tape drives and some servers append zeros; `gzip` ignores them, too.
          place = .inPadding
          unsafe input = UnsafeRawBufferPointer(rebasing: input.drop { $0 == 0 })
        } else if place == .inPadding {
          throw damage("it has data after its end")
        } else {
          try beginMember()
        }
      case .beginning: try beginMember()
      case .end: break
      }
    }
    return unsafe UnsafeRawBufferPointer(start: nil, count: 0)
  }

  private func beginMember() throws(Failure) {
    guard unsafe inflateReset(stream) == Z_OK else { throw .outOfMemory(name) }
    place = .inMember
  }

  /// Decodes some of the input; returns the number of bytes in the buffer.
  private func inflateOnce() throws(Failure) -> Int {
    guard let start = unsafe input.baseAddress, unsafe !input.isEmpty else {
      throw damage("it is truncated")
    }
    // zlib only reads from there, but requires a mutable pointer.
    unsafe stream.pointee.next_in = UnsafeMutablePointer(
      mutating: start.assumingMemoryBound(to: UInt8.self))
    unsafe stream.pointee.avail_in = UInt32(input.count)
    unsafe stream.pointee.next_out = buffer.baseAddress?.assumingMemoryBound(to: UInt8.self)
    unsafe stream.pointee.avail_out = UInt32(buffer.count)
    let status = unsafe inflate(stream, Z_NO_FLUSH)
    unsafe input = UnsafeRawBufferPointer(rebasing: input.suffix(Int(stream.pointee.avail_in)))
    switch status {
    case Z_OK, Z_BUF_ERROR: break
    case Z_STREAM_END: place = .betweenMembers
    case Z_MEM_ERROR: throw .outOfMemory(name)
    default:
      throw damage(unsafe stream.pointee.msg.map { unsafe String(cString: $0) } ?? "not gzip data")
    }
    return unsafe buffer.count - Int(stream.pointee.avail_out)
  }

  private func damage(_ phrase: String) -> Failure {
    .malformed("the gzip file is damaged: \(phrase)", name)
  }
}
