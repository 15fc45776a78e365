extension JSONValue {
  /// Returns whether both values have the same meaning.
  ///
  /// The order of members does not matter, and `1` means the same as `1.0`. Texts are compared by
  /// their bytes.
  package func meansSame(as other: JSONValue) -> Bool {
    switch (self, other) {
    case (.number(let left), .number(let right)):
      return left == right || Decimal(left).map { $0 == Decimal(right) } ?? false
    case (.string(let left), .string(let right)): return left.utf8.elementsEqual(right.utf8)
    case (.array(let left), .array(let right)):
      return left.count == right.count && zip(left, right).allSatisfy { $0.meansSame(as: $1) }
    case (.object(let left), .object(let right)):
      guard left.count == right.count else { return false }
      let (left, right) = (left.sortedByKey, right.sortedByKey)
      return zip(left, right).allSatisfy {
        $0.key.utf8.elementsEqual($1.key.utf8) && $0.value.meansSame(as: $1.value)
      }
    default: return self == other
    }
  }

  /// Returns whether both have the same meaning, or both are nil.
  package static func meanSame(_ left: JSONValue?, _ right: JSONValue?) -> Bool {
    guard let left, let right else { return left == nil && right == nil }
    return left.meansSame(as: right)
  }

  /// The exact value of a number's text: `digits` times ten to the power of `exponent`.
  private struct Decimal: Equatable {
    var isNegative = false
    /// Without leading and trailing zeros; empty for zero.
    var digits: [UInt8] = []
    var exponent = 0

    /// Reads a number in the form of JSON; nil if its exponent is too large.
    init?(_ text: String) {
      var rest = Array(text.utf8)[...]
      let isMinus = rest.first == UInt8(ascii: "-")
      if isMinus { rest.removeFirst() }
      let mantissa = rest.prefix { $0 != UInt8(ascii: "e") && $0 != UInt8(ascii: "E") }
      let written = rest.dropFirst(mantissa.count + 1)
      guard let power = written.isEmpty ? 0 : Int(String(decoding: written, as: UTF8.self)),
        power.magnitude < 1 << 60
      else { return nil }
      let whole = mantissa.prefix { $0 != UInt8(ascii: ".") }
      let fraction = mantissa.dropFirst(whole.count + 1)
      let zero = UInt8(ascii: "0")
      let all = (whole + fraction).drop { $0 == zero }
      let zeros = all.reversed().prefix { $0 == zero }.count
      if all.isEmpty { return }
      isNegative = isMinus
      digits = Array(all.dropLast(zeros))
      exponent = power - fraction.count + zeros
    }
  }
}

extension [JSONValue.Member] {
  fileprivate var sortedByKey: [JSONValue.Member] {
    sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
  }
}
