/// Where bytes go, one after the other.
package protocol ByteSink: ~Copyable {
  /// Appends the bytes of both.
  mutating func write(_ first: RawSpan, _ second: RawSpan) throws(Failure)
}

extension SequentialFile: ByteSink {}
