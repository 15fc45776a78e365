/// Binary logarithms as integers in 1/256 of a bit: the same on every machine.
enum FixedLogarithm {
  static let one = 256

  /// log2 of a positive number.
  static func log2(_ number: Int) -> Int {
    let exponent = 63 - number.leadingZeroBitCount
    // The mantissa, from 1 up to 2, with 31 bits of fraction; each squaring shows one more bit.
    var mantissa = (UInt64(number) << 31) >> UInt64(exponent)
    var result = exponent
    for _ in 0..<8 {
      mantissa = (mantissa * mantissa) >> 31
      let bit = mantissa >> 32
      mantissa >>= bit
      result = result << 1 | Int(bit)
    }
    return result
  }
}
