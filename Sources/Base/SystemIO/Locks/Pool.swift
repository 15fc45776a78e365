/// Objects that threads reuse: connections, decoders, buffers.
///
/// One thread at a time uses an object.
package struct Pool<Element>: Sendable {
  private let idle = Cell<[Element]>([])
  private let most: Int
  private let make: @Sendable () throws(Failure) -> sending Element

  /// Creates an empty pool, which keeps at most `most` idle objects.
  package init(
    keeping most: Int = .max, making make: @escaping @Sendable () throws(Failure) -> sending Element
  ) {
    self.most = most
    self.make = make
  }

  /// Runs `body` with an object that no other thread uses during the call; `body` must not keep it.
  ///
  /// If no object is idle, a new one is created.
  package func with<Success>(
    _ body: (Element) throws(Failure) -> Success
  ) throws(Failure) -> Success {
    GuardedSection.checkThatWaitingIsAllowed()
    let element = if let kept = idle.exchange({ $0.popLast() }) { kept } else { try make() }
    defer {
      idle.exchange { idle in
        if idle.count < most { idle.append(element) }
      }
    }
    return try body(element)
  }
}
