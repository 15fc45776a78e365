import Glibc

/// Memory for one block at a time, allocated once and used repeatedly.
///
/// The system allocates pages of a large buffer at the first access (`mmap`), so a false size in an
/// archive uses no memory. A small buffer is part of the heap: all processors wait while a mapping
/// is removed, and that takes longer than decoding a small block.
///
/// Unchecked: the buffer is the only owner of its memory.
@safe
package struct ByteBuffer: ~Copyable, @unchecked Sendable {
  private var base: UnsafeMutableRawPointer?
  /// The number of bytes that the buffer can contain.
  package private(set) var capacity = 0
  /// The number of bytes in the buffer.
  package private(set) var count = 0

  /// Creates a buffer that has no memory yet.
  package init() {}

  /// Creates a buffer with room for `capacity` bytes.
  package init(capacity: Int) throws(Failure) {
    try reserve(capacity)
  }

  deinit { release() }

  /// The number of bytes that can still be appended.
  package var freeCapacity: Int { capacity - count }

  /// Ensures room for `capacity` bytes; discards the contents.
  package mutating func reserve(_ capacity: Int) throws(Failure) {
    count = 0
    guard capacity > self.capacity else { return }
    release()
    unsafe base = nil
    self.capacity = 0
    let memory = unsafe Self.isMapped(capacity) ? Self.mapped(capacity) : malloc(capacity)
    guard let memory = unsafe memory else {
      throw Failure(.allocate, "\(capacity) bytes", code: errno)
    }
    unsafe base = memory
    self.capacity = capacity
  }

  /// Returns whether a buffer of this capacity is mapped instead of being part of the heap.
  private static func isMapped(_ capacity: Int) -> Bool { capacity >= 128 << 10 }

  private static func mapped(_ capacity: Int) -> UnsafeMutableRawPointer? {
    let memory = unsafe mmap(
      nil, capacity, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    return unsafe memory == MAP_FAILED ? nil : memory
  }

  /// Ensures room for `capacity` bytes; discards the contents.
  ///
  /// A buffer with more room than that, and more than `kept`, frees its memory first.
  package mutating func reserve(_ capacity: Int, keepingAtMost kept: Int) throws(Failure) {
    if self.capacity > max(capacity, kept) { self = ByteBuffer() }
    try reserve(capacity)
  }

  private borrowing func release() {
    guard let base = unsafe base else { return }
    if Self.isMapped(capacity) { unsafe munmap(base, capacity) } else { unsafe free(base) }
  }

  /// Discards the bytes and keeps the memory.
  package mutating func removeAll() { count = 0 }

  /// Appends the bytes that `fill` writes, at most `limit`.
  package mutating func append<Success, Thrown: Error>(
    upTo limit: Int, _ fill: (inout OutputRawSpan) throws(Thrown) -> Success
  ) throws(Thrown) -> Success {
    let room = min(limit, freeCapacity)
    let free = unsafe UnsafeMutableRawBufferPointer(
      start: base.map { unsafe $0 + count }, count: room)
    var output = unsafe OutputRawSpan(buffer: free, initializedCount: 0)
    let result: Success
    do throws(Thrown) {
      result = try fill(&output)
    } catch {
      _ = unsafe output.finalize(for: free)
      throw error
    }
    count += unsafe output.finalize(for: free)
    return result
  }

  /// Appends as many of `bytes` as there is room for and returns their number.
  package mutating func append(_ bytes: RawSpan) -> Int {
    let taken = min(bytes.byteCount, freeCapacity)
    guard let base = unsafe base, taken > 0 else { return 0 }
    unsafe bytes.withUnsafeBytes { source in
      if let from = source.baseAddress {
        unsafe (base + count).copyMemory(from: from, byteCount: taken)
      }
    }
    count += taken
    return taken
  }

  package mutating func change(_ place: Int, _ body: (UInt8) -> UInt8) {
    guard place < count, let base = unsafe base else { return }
    let byte = unsafe (base + place).load(as: UInt8.self)
    unsafe (base + place).storeBytes(of: body(byte), as: UInt8.self)
  }

  /// Calls a function with the bytes.
  package borrowing func withBytes<Success, Thrown: Error>(
    _ body: (RawSpan) throws(Thrown) -> Success
  ) throws(Thrown) -> Success {
    let held = unsafe UnsafeRawBufferPointer(start: base, count: count)
    return try unsafe body(held.bytes)
  }
}
