import CSystem
import Glibc

extension FileDescriptor {
  /// Reads into the free space of `output`, once (`read`); returns 0 at the end of the file.
  package func read(into output: inout OutputRawSpan) throws(Failure) -> Int {
    if let waits { _ = try waitUntil(.readable, number, path, waits) }
    return try unsafe fill(&output) { unsafe Glibc.read(number, $0, $1) }
  }

  /// Reads up to `limit` bytes from `offset` on into the free space of `output`, once (`pread`);
  /// returns 0 at the end of the file.
  package func read(
    into output: inout OutputRawSpan, at offset: UInt64, upTo limit: Int = .max
  ) throws(Failure) -> Int {
    try unsafe fill(&output, upTo: limit) {
      unsafe pread(number, $0, $1, off_t(clamping: offset))
    }
  }

  private func fill(
    _ output: inout OutputRawSpan, upTo limit: Int = .max,
    _ body: (UnsafeMutableRawPointer, Int) -> Int
  ) throws(Failure) -> Int {
    try unsafe output.fill { (free, room) throws(Failure) in
      try transfer(.read, path, min(limit, room)) { unsafe body(free, $0) }
    }
  }

  /// Informs the system that the first `count` bytes will be read soon (`posix_fadvise`); does not
  /// wait.
  package func expectReading(upTo count: Int) {
    _ = posix_fadvise(number, 0, off_t(count), POSIX_FADV_WILLNEED)
  }

  /// Reads until `output` is full or the file ends; returns the number of bytes (`read`).
  package func readFully(into output: inout OutputRawSpan) throws(Failure) -> Int {
    var total = 0
    while output.freeCapacity > 0 {
      let count = try read(into: &output)
      if count == 0 { break }
      total += count
    }
    return total
  }

  /// Returns the bytes from the current position to the end, or the first `count` of them (`read`).
  package func readToEnd(atMost count: Int) throws(Failure) -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < count {
      let step = min(64 << 10, count - bytes.count)
      let chunk = try [UInt8](capacity: step) { (output) throws(Failure) in
        _ = try readFully(into: &output)
      }
      // Most callers read one chunk.
      if bytes.isEmpty { bytes = chunk } else { bytes += chunk }
      if chunk.count < step { break }
    }
    return bytes
  }

  /// Writes all of `bytes` (`write`).
  package func write(_ bytes: [UInt8]) throws(Failure) {
    try unsafe write(bytes.span.bytes)
  }

  /// Writes all of `bytes` (`write`).
  package func write(_ bytes: RawSpan) throws(Failure) {
    var written = 0
    while written < bytes.byteCount {
      written += try writeOnce(bytes.extracting(written..<bytes.byteCount))
    }
  }

  /// Writes as many of `bytes` as one call accepts; returns their number (`write`).
  package func writeOnce(_ bytes: RawSpan) throws(Failure) -> Int {
    try unsafe bytes.withUnsafeBytes { (buffer) throws(Failure) in
      try transfer(.write, path, buffer.count) {
        unsafe Glibc.write(number, buffer.baseAddress, $0)
      }
    }
  }

  /// Writes all of `bytes` from `offset` on, independently of concurrent writes elsewhere
  /// (`pwrite`).
  package func write(_ bytes: RawSpan, at offset: UInt64) throws(Failure) {
    var written = 0
    while written < bytes.byteCount {
      let rest = bytes.extracting(written..<bytes.byteCount)
      written += try unsafe rest.withUnsafeBytes { (buffer) throws(Failure) in
        try transfer(.write, path, buffer.count) {
          unsafe pwrite(number, buffer.baseAddress, $0, off_t(clamping: offset + UInt64(written)))
        }
      }
    }
  }

  /// Makes writes bypass the page cache, or use it again (`fcntl` with `O_DIRECT`); false if the
  /// file system cannot do that.
  ///
  /// Without the cache, the system accepts whole pages only: in memory, in the file, and in length.
  package func setDirect(_ isDirect: Bool) -> Bool {
    fcntl(number, F_SETFL, isDirect ? Int32(direct_flag) : 0) == 0
  }
}

extension OutputRawSpan {
  /// Calls a function with the free space, unless there is none.
  ///
  /// The function returns the number of bytes that it has written at the start.
  package mutating func fill(
    _ body: (UnsafeMutableRawPointer, Int) throws(Failure) -> Int
  ) throws(Failure) -> Int {
    guard freeCapacity > 0 else { return 0 }
    return try unsafe withUnsafeMutableBytes { (buffer, initialized) throws(Failure) -> Int in
      guard let base = buffer.baseAddress else { return 0 }
      let count = try unsafe body(base + initialized, buffer.count - initialized)
      initialized += count
      return count
    }
  }
}

extension [UInt8] {
  /// Creates an array of the bytes that `fill` writes, at most `capacity`.
  package init<Thrown: Error>(
    capacity: Int, fill: (inout OutputRawSpan) throws(Thrown) -> Void
  ) throws(Thrown) {
    var failure: Thrown?
    unsafe self.init(unsafeUninitializedCapacity: capacity) { buffer, count in
      let raw = UnsafeMutableRawBufferPointer(buffer)
      var output = unsafe OutputRawSpan(buffer: raw, initializedCount: 0)
      do throws(Thrown) {
        try fill(&output)
      } catch {
        failure = error
      }
      count = unsafe output.finalize(for: raw)
    }
    if let failure { throw failure }
  }
}
