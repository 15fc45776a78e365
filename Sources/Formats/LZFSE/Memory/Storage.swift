/// Memory that a codec owns for its lifetime, allocated and filled when the value is created.
///
/// A debug build checks every index. Hot loops keep the pointer in a variable and check indices
/// with ``checked(_:)``; the pointer must not be used after the end of the value's lifetime.
///
/// Unchecked: the value is the only owner of its memory.
@safe
struct Storage<Element: BitwiseCopyable>: ~Copyable, @unchecked Sendable {
  let base: UnsafeMutablePointer<Element>
  let count: Int

  init(count: Int, filledWith element: Element) {
    unsafe base = UnsafeMutablePointer<Element>.allocate(capacity: count)
    unsafe base.initialize(repeating: element, count: count)
    self.count = count
  }

  deinit { unsafe base.deallocate() }

  /// The element at a place.
  subscript(index: Int) -> Element {
    @inline(__always) get { unsafe base[checked(index)] }
    @inline(__always) nonmutating set { unsafe base[checked(index)] = newValue }
  }

  /// Returns the index; a debug build checks that it is in range.
  @inline(__always)
  func checked(_ index: Int) -> Int {
    assert(index >= 0 && index < count, "no element \(index) among \(count)")
    return index
  }
}
