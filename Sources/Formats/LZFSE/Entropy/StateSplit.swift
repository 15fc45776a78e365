/// The distribution of the possible next states among the states of one symbol.
///
/// The first `longer` states of the symbol read one bit more than the others; together they lead to
/// every next state exactly once.
struct StateSplit {
  let frequency: Int
  let states: Int
  let bits: Int
  let longer: Int

  init(frequency: Int, states: Int) {
    self.frequency = frequency
    self.states = states
    bits = frequency.leadingZeroBitCount - states.leadingZeroBitCount
    longer = ((2 * states) >> bits) - frequency
  }

  @inline(__always)
  func row(_ index: Int) -> (bits: Int, base: Int) {
    if index < longer { return (bits, ((frequency &+ index) &<< bits) &- states) }
    return (bits &- 1, (index &- longer) &<< (bits &- 1))
  }
}
