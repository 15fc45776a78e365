/// The symbol of each state of the entropy coder, and the data for its next state.
///
/// The row of a literal is one word: the number of bits to read, the literal (from bit 8), a mask
/// for these bits (from bit 16) and the next state's base (from bit 32). A sum of rows has the sum
/// of the numbers in its lowest byte. For the other alphabets, see `ValueRow`.
struct DecodeTables: ~Copyable {
  let literals = Storage<UInt64>(count: Alphabet.literal.stateCount, filledWith: 0)
  let literalRuns = Storage<ValueRow>(count: Alphabet.literalRun.stateCount, filledWith: .zero)
  let matches = Storage<ValueRow>(count: Alphabet.match.stateCount, filledWith: .zero)
  let distances = Storage<ValueRow>(count: Alphabet.distance.stateCount, filledWith: .zero)

  /// A row for the alphabets whose symbols represent a range of values.
  struct ValueRow: BitwiseCopyable {
    /// The value when all extra bits are zero.
    var base: Int32
    var nextState: UInt16
    /// State bits plus extra bits: both are read together.
    var totalBits: UInt8
    var extraBits: UInt8

    static let zero = ValueRow(base: 0, nextState: 0, totalBits: 0, extraBits: 0)
  }

  /// Fills all rows; false when the frequencies of an alphabet need more states than there are.
  func fill(frequencies: borrowing Storage<UInt16>) -> Bool {
    fillLiterals(frequencies)
      && fill(literalRuns, for: .literalRun, frequencies)
      && fill(matches, for: .match, frequencies)
      && fill(distances, for: .distance, frequencies)
  }

  private func fillLiterals(_ frequencies: borrowing Storage<UInt16>) -> Bool {
    let rows = unsafe literals.base
    let states = Alphabet.literal.stateCount
    var next = 0
    for symbol in 0..<Alphabet.literal.symbolCount {
      let frequency = Int(frequencies[Alphabet.literal.firstSymbol + symbol])
      guard frequency > 0 else { continue }
      guard next + frequency <= states else { return false }
      let split = StateSplit(frequency: frequency, states: states)
      let label = UInt64(truncatingIfNeeded: symbol) << 8
      for index in 0..<frequency {
        let (bits, base) = split.row(index)
        let mask = 1 &<< UInt64(truncatingIfNeeded: bits) &- 1
        unsafe rows[next &+ index] =
          UInt64(truncatingIfNeeded: base) << 32 | mask << 16 | label
          | UInt64(truncatingIfNeeded: bits)
      }
      next += frequency
    }
    for state in next..<states { unsafe rows[state] = 0 }
    return true
  }

  private func fill(
    _ table: borrowing Storage<ValueRow>, for alphabet: Alphabet,
    _ frequencies: borrowing Storage<UInt16>
  ) -> Bool {
    let rows = unsafe table.base
    let states = alphabet.stateCount
    var next = 0
    for symbol in 0..<alphabet.symbolCount {
      let frequency = Int(frequencies[alphabet.firstSymbol + symbol])
      guard frequency > 0 else { continue }
      guard next + frequency <= states else { return false }
      let split = StateSplit(frequency: frequency, states: states)
      let extraBits = alphabet.extraBits(symbol)
      let base = Int32(truncatingIfNeeded: alphabet.base(symbol))
      for index in 0..<frequency {
        let (bits, nextState) = split.row(index)
        unsafe rows[next &+ index] = ValueRow(
          base: base, nextState: UInt16(truncatingIfNeeded: nextState),
          totalBits: UInt8(truncatingIfNeeded: bits + extraBits),
          extraBits: UInt8(truncatingIfNeeded: extraBits))
      }
      next += frequency
    }
    for state in next..<states { unsafe rows[state] = .zero }
    return true
  }
}
