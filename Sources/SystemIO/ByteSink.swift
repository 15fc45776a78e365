/// Where bytes go, one after the other.
package protocol ByteSink: ~Copyable {
  /// Appends the bytes of both.
  mutating func write(_ first: RawSpan, _ second: RawSpan) throws(SystemError)
}

extension SequentialFile: ByteSink {}

/// Bytes kept in memory.
package struct MemorySink: ByteSink {
  package private(set) var bytes: [UInt8] = []

  package init() {}

  package mutating func write(_ first: RawSpan, _ second: RawSpan) {
    bytes.append(copying: first)
    bytes.append(copying: second)
  }
}
