import Glibc

/// Bytes that can be read at any place: those of a file, or of an array.
package struct ByteSource: ~Copyable, Sendable {
  private enum Storage: ~Copyable, Sendable {
    case file(FileDescriptor)
    case memory([UInt8])
  }

  private let storage: Storage
  /// The name in messages.
  package let name: String
  /// The number of bytes.
  package let size: UInt64

  /// Reads from a regular file.
  package init(_ file: consuming FileDescriptor) throws(Failure) {
    let status = try file.status()
    guard status.kind == .file else {
      let code = status.kind == .directory ? EISDIR : ESPIPE
      throw Failure(.read, file.path, code: code)
    }
    size = status.size
    name = file.path
    storage = .file(file)
  }

  /// Reads from memory.
  package init(_ bytes: [UInt8], name: String) {
    size = UInt64(bytes.count)
    self.name = name
    storage = .memory(bytes)
  }

  /// Returns a second source of the same bytes, even if the file's name now refers to another file.
  package borrowing func duplicate() throws(Failure) -> ByteSource {
    switch storage {
    case .file(let file): try ByteSource(file.duplicate())
    case .memory(let bytes): ByteSource(bytes, name: name)
    }
  }

  /// Returns the current status of the file (`fstat`); nil for bytes in memory.
  package borrowing func status() throws(Failure) -> FileStatus? {
    switch storage {
    case .file(let file): try file.status()
    case .memory: nil
    }
  }

  /// Returns a failure for malformed bytes at a position.
  package borrowing func malformed(_ reason: String, at place: Failure.Place) -> Failure {
    Failure(.malformed(reason), name, at: place)
  }

  /// Appends up to `count` bytes, from `offset` on, to `buffer`; fewer only at the end of the
  /// source.
  package borrowing func read(
    at offset: UInt64, count: Int, into buffer: inout ByteBuffer
  ) throws(Failure) {
    try buffer.append(upTo: count) { output throws(Failure) in
      try read(at: offset, into: &output)
    }
  }
}

extension ByteSource {
  /// Returns up to `count` bytes from `offset` on, in an array: for headers, not for data.
  package borrowing func read(
    at offset: UInt64, count: Int
  ) throws(Failure) -> [UInt8] {
    // Without memory, the standard library writes to the storage that all empty arrays share, which
    // the thread sanitizer reports.
    if count == 0 { return [] }
    var failure: Failure?
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      let raw = UnsafeMutableRawBufferPointer(buffer)
      var output = unsafe OutputRawSpan(buffer: raw, initializedCount: 0)
      do throws(Failure) {
        try read(at: offset, into: &output)
      } catch {
        failure = error
      }
      filled = unsafe output.finalize(for: raw)
    }
    if let failure { throw failure }
    return bytes
  }

  /// Fills `output` from `offset` on, or up to the end of the source.
  private borrowing func read(
    at offset: UInt64, into output: inout OutputRawSpan
  ) throws(Failure) {
    switch storage {
    case .file(let file):
      while output.freeCapacity > 0 {
        if try file.read(into: &output, at: offset + UInt64(output.byteCount)) == 0 { return }
      }
    case .memory(let bytes):
      guard offset < size else { return }
      let start = Int(offset)
      let end = min(bytes.count, start + output.freeCapacity)
      unsafe bytes.span.bytes.extracting(start..<end).withUnsafeBytes { source in
        unsafe output.withUnsafeMutableBytes { target, count in
          unsafe target.copyMemory(from: source)
          count = source.count
        }
      }
    }
  }
}
