/// Binary logarithms as integers: the same on every host, unlike those of a C library.
package enum FixedLogarithm {
  static let one = 256

  /// Returns log2 of a positive number, in 1/256 of a bit.
  static func log2(_ number: Int) -> Int { log2(number, fractionBits: 8) }

  /// Returns log2 of a positive number, rounded down, with up to 20 bits after the point.
  package static func log2(_ number: Int, fractionBits: Int) -> Int {
    let exponent = 63 - number.leadingZeroBitCount
    // The mantissa, from 1 up to 2, with 31 bits of fraction; each squaring gives one more bit.
    var mantissa = (UInt64(number) << 31) >> UInt64(exponent)
    var result = exponent
    for _ in 0..<fractionBits {
      mantissa = (mantissa * mantissa) >> 31
      let bit = mantissa >> 32
      mantissa >>= bit
      result = result << 1 | Int(bit)
    }
    return result
  }
}
