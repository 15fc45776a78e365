/// Where bytes go, one after the other.
package protocol ByteSink: ~Copyable {
  /// Appends the bytes.
  mutating func write(_ bytes: RawSpan) throws(Failure)
}

extension SequentialFile: ByteSink {}
