#if DEBUG
  @testable import LZFSE
  import Testing

  /// Tests of the assertions of a debug build: each case ends its own process.
  @Suite struct MemoryTests {
    @Test func `an index beyond the storage stops a debug build`() async {
      await #expect(processExitsWith: .failure) {
        let storage = Storage<UInt8>(count: 4, filledWith: 0)
        _ = storage[4]
      }
    }

    @Test func `a wide copy needs room for all written bytes`() async {
      // 20 bytes are two steps of 16.
      await #expect(processExitsWith: .success) { Self.copy(20, writable: 36) }
      await #expect(processExitsWith: .failure) { Self.copy(20, writable: 35) }
    }

    @Test func `a match does not reach back before the output`() async {
      await #expect(processExitsWith: .success) { Self.match(distance: 8, history: 8) }
      await #expect(processExitsWith: .failure) { Self.match(distance: 9, history: 8) }
    }

    @Test func `a bit string does not grow beyond its memory`() async {
      await #expect(processExitsWith: .success) { Self.write(flushes: 1, room: 8) }
      await #expect(processExitsWith: .failure) { Self.write(flushes: 2, room: 8) }
    }

    private static func copy(_ count: Int, writable: Int) {
      let source = Storage<UInt8>(count: 64, filledWith: 1)
      let target = Storage<UInt8>(count: 64, filledWith: 0)
      unsafe WideCopy.literals(
        source.base, to: target.base, count: count, readable: 64, writable: writable)
    }

    private static func match(distance: Int, history: Int) {
      let memory = Storage<UInt8>(count: 128, filledWith: 1)
      unsafe WideCopy.match(
        memory.base + 16, distance: distance, count: 40, history: history, writable: 112)
    }

    private static func write(flushes: Int, room: Int) {
      let memory = Storage<UInt8>(count: 64, filledWith: 0)
      var bits = unsafe ForwardBits(memory.base, room: room)
      for _ in 0..<flushes {
        unsafe bits.push(1, 8)
        unsafe bits.flush()
      }
    }
  }
#endif
