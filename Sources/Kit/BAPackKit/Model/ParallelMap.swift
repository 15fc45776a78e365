package import SystemIO

extension Array where Element: Sendable {
  /// Returns the transformed elements, in order; throws the first error.
  ///
  /// - Parameters:
  ///   - threads: The maximum number of threads.
  ///   - work: The operation, for cancellation.
  ///   - body: The transformation of an element. Its second argument is the number of threads for
  ///     one element.
  package func inParallel<Value: Sendable>(
    threads: Int, _ work: Work,
    _ body: @escaping @Sendable (Element, Int) throws(PackError) -> Value
  ) throws(PackError) -> [Value] {
    var values: [Value] = []
    try inParallel(threads: threads, work, body) { (result) throws(PackError) in
      values.append(try result.get())
    }
    return values
  }

  /// Transforms the elements in parallel, and passes each result to `receive`, in order.
  ///
  /// After cancellation, the result of an element that was not started is
  /// ``PackError/Kind/interrupted``.
  package func inParallel<Value: Sendable>(
    threads: Int, _ work: Work,
    _ body: @escaping @Sendable (Element, Int) throws(PackError) -> Value,
    _ receive: (Result<Value, PackError>) throws(PackError) -> Void
  ) throws(PackError) {
    let count = Swift.max(1, Swift.min(threads, self.count))
    let each = Swift.max(1, threads / count)
    var ring = try mapFailure(.reading) { () throws(Failure) in
      try WorkRing<(element: Element, result: Result<Value, PackError>?), Bool>(
        window: 2 * count, threads: count, makeWorker: { true }
      ) { _, slot in
        let element = slot.element
        slot.result = Result { () throws(PackError) in
          try work.checkCancellation()
          return try body(element, each)
        }
      }
    }
    try ring.run(lazy.map { (element: $0, result: nil) }) { (slot) throws(PackError) in
      if let result = slot.result { try receive(result) }
    }
  }
}
