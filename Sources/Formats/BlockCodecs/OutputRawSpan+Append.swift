extension OutputRawSpan {
  /// Appends all of `bytes`; the caller has checked that there is room.
  package mutating func append(_ bytes: RawSpan) {
    precondition(bytes.byteCount <= freeCapacity)
    unsafe bytes.withUnsafeBytes { source in
      unsafe withUnsafeMutableBytes { target, count in
        guard let from = source.baseAddress, let to = target.baseAddress else { return }
        unsafe (to + count).copyMemory(from: from, byteCount: source.count)
        count += source.count
      }
    }
  }
}
