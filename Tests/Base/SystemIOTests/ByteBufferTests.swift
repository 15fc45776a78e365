import SystemIO
import Testing

/// Small buffers are part of the heap, and larger ones are mapped.
@Suite("Buffers")
struct ByteBufferTests {
  private static let smallestMapped = 128 << 10

  @Test(arguments: [1, 4096, smallestMapped - 1, smallestMapped, smallestMapped + 1, 1 << 20])
  func `a buffer contains as many bytes as its capacity, and no more`(capacity: Int) throws {
    let bytes = (0...capacity).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    var buffer = try ByteBuffer(capacity: capacity)
    let appended = unsafe (buffer.append(bytes.span.bytes), buffer.append(bytes.span.bytes))
    #expect(appended == (capacity, 0))
    let (count, free) = (buffer.count, buffer.freeCapacity)
    #expect((count, free) == (capacity, 0))
    let content = buffer.withBytes { content in
      unsafe content.withUnsafeBytes { unsafe Array($0) }
    }
    #expect(content == bytes.dropLast())
  }

  @Test func `a buffer becomes larger and smaller across the limit of the heap`() throws {
    var buffer = ByteBuffer()
    for capacity in [10, Self.smallestMapped, 1 << 20, 10, Self.smallestMapped - 1, 1] {
      try buffer.reserve(capacity, keepingAtMost: 0)
      let empty = (buffer.capacity, buffer.count)
      #expect(empty == (capacity, 0))
      let bytes = [UInt8](repeating: 7, count: capacity)
      let appended = unsafe buffer.append(bytes.span.bytes)
      #expect(appended == capacity)
    }
    try buffer.reserve(0)
    let empty = (buffer.capacity, buffer.count)
    #expect(empty == (1, 0))
  }

  @Test func `more memory than an address can name is an error`() {
    #expect(throws: Failure.self) {
      var buffer = ByteBuffer()
      try buffer.reserve(.max)
    }
  }
}
