/// Memory that a codec owns for its whole life, allocated once and filled at the start.
///
/// The pointer is what the hot loops use; it must not outlive the value.
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
}
