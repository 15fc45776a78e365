import SystemIO

/// Sequential bytes: those of a file, or the decoded bytes of a compressed stream.
protocol ByteOrigin: AnyObject {
  /// Returns the next bytes, which are valid until the next call; empty at the end.
  ///
  /// A compressed stream ends only after all its own checks have passed.
  func next() throws(Failure) -> UnsafeRawBufferPointer

  /// Returns to the start.
  func restart() throws(Failure)
}

extension ByteOrigin {
  /// Returns the first bytes, at most `count`; afterwards reading starts from the first byte again.
  func start(_ count: Int) throws(Failure) -> [UInt8] {
    var start: [UInt8] = []
    while start.count < count {
      let bytes = try unsafe next()
      if unsafe bytes.isEmpty { break }
      unsafe start.append(contentsOf: bytes.prefix(count - start.count))
    }
    try restart()
    return start
  }
}

/// The bytes of a file, read by position, so that two readers of one file do not disturb each
/// other.
@safe final class FileOrigin: ByteOrigin {
  private static let capacity = 256 << 10

  private let file: FileDescriptor
  private let buffer: UnsafeMutableRawBufferPointer
  private let work: Work
  private var position: Int64 = 0
  /// The end of a zip without its comment.
  ///
  /// libarchive searches for the directory of a zip only in the last 16 KiB; if the comment is
  /// longer, it treats the zip as one without a directory. So libarchive gets the file up to here,
  /// with zeros as the length of the comment in the last two bytes.
  var endWithoutComment: Int64?

  /// Reads an open file; the caller keeps its own descriptor.
  init(_ file: borrowing FileDescriptor, _ work: Work) throws(Failure) {
    self.file = try file.duplicate()
    self.work = work
    unsafe buffer = .allocate(byteCount: Self.capacity, alignment: 16)
  }

  deinit { unsafe buffer.deallocate() }

  func restart() { position = 0 }

  func next() throws(Failure) -> UnsafeRawBufferPointer {
    try work.check(file.path)
    let room = Int(max(0, min(Int64(Self.capacity), (endWithoutComment ?? .max) - position)))
    var output = unsafe OutputRawSpan(buffer: buffer, initializedCount: 0)
    if room > 0 { _ = try file.read(into: &output, at: UInt64(position), upTo: room) }
    let count = unsafe output.finalize(for: buffer)
    if let end = endWithoutComment {
      for place in [end - 2, end - 1] where (position..<position + Int64(count)).contains(place) {
        unsafe buffer[Int(place - position)] = 0
      }
    }
    position += Int64(count)
    return unsafe UnsafeRawBufferPointer(rebasing: buffer[..<count])
  }

  /// Skips bytes; returns the number of bytes that were skipped.
  func skip(_ count: Int64) throws(Failure) -> Int64 {
    // Skip only inside the file: a skip past the end would hide that the file is truncated.
    guard count > 0, count <= (try size()) - position else { return 0 }
    position += count
    return count
  }

  /// Moves to an offset from `start`; returns the position, nil if that is before the file.
  func seek(_ offset: Int64, from start: Start) throws(Failure) -> Int64? {
    let base =
      switch start {
      case .beginning: Int64(0)
      case .position: position
      case .end: try size()
      }
    let (target, overflow) = base.addingReportingOverflow(offset)
    guard !overflow, target >= 0 else { return nil }
    position = target
    return target
  }

  enum Start { case beginning, position, end }

  /// Returns the current size of the file.
  private func size() throws(Failure) -> Int64 {
    if let endWithoutComment { return endWithoutComment }
    return Int64(clamping: try file.status().size)
  }
}
