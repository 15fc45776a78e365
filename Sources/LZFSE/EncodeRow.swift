/// How one symbol moves the entropy coder's state.
///
/// The state runs from N to 2N - 1 here. `deltaBits` is made so that adding the state to it carries
/// the number of bits to write into the upper half, without a comparison.
struct EncodeRow: BitwiseCopyable {
  var deltaBits: UInt32
  var deltaState: Int32

  static let unused = EncodeRow(deltaBits: 0, deltaState: 0)

  init(deltaBits: UInt32, deltaState: Int32) {
    self.deltaBits = deltaBits
    self.deltaState = deltaState
  }

  /// `offset` is the sum of the frequencies of the symbols before this one.
  init(frequency: Int, offset: Int, states: Int) {
    let bits = StateSplit(frequency: frequency, states: states).bits
    deltaBits = UInt32(truncatingIfNeeded: bits << 16 - frequency << bits)
    deltaState = Int32(truncatingIfNeeded: offset - frequency + states)
  }

  /// Writes the low bits of the state and moves on.
  @unsafe @inline(__always)
  func push(_ state: inout UInt32, to bits: inout ForwardBits) {
    let count = (state &+ deltaBits) &>> 16
    unsafe bits.push(UInt64(state & (1 &<< count &- 1)), UInt64(count))
    state = UInt32(bitPattern: Int32(bitPattern: state &>> count) &+ deltaState)
  }
}
