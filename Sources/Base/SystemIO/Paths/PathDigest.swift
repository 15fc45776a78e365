/// A path as a key of sixteen bytes, for sets of many long paths.
///
/// Two paths may have the same digest by accident, but an attacker cannot choose such paths: the
/// hash depends on random numbers of this process.
///
/// The bytes of a path are the coefficients of two polynomials over the integers modulo 2^61 - 1.
/// The digest is their values at two random points. For two different paths of at most 1,023 bytes,
/// the values are equal with a probability below 2^-100.
package struct PathDigest: Sendable, Hashable {
  private let high: UInt64
  private let low: UInt64

  /// Creates the digest of a path, which is split at its slashes.
  package init(_ path: ArraySlice<UInt8>) {
    var builder = Builder()
    var start = path.startIndex
    // One pass without a list of slices: a large pack calls this once for each file.
    for index in path.indices where path[index] == slash {
      builder.append(path[start..<index])
      start = index + 1
    }
    builder.append(path[start...])
    self = builder.digest
  }

  package init(_ path: [UInt8]) { self.init(path[...]) }

  /// Creates a digest that is the same for texts of the same characters, whether they are composed
  /// or decomposed.
  package init(characters text: String) {
    let plain = text.unicodeScalars.map(Self.asciiEquivalent)
    guard !plain.contains(nil) else {
      // Hashing a text normalizes all of it, which is slow, so the text is hashed once and its hash
      // is hashed again. That is enough to distinguish millions of paths.
      var first = Hasher()
      first.combine(text)
      let hash = first.finalize()
      var second = Hasher()
      second.combine(hash)
      self.init(
        high: UInt64(truncatingIfNeeded: hash), low: UInt64(truncatingIfNeeded: second.finalize()))
      return
    }
    self.init(plain.compactMap(\.self))
  }

  /// Returns the ASCII character that is canonically equivalent to a character; nil if there is
  /// none.
  private static func asciiEquivalent(_ scalar: Unicode.Scalar) -> UInt8? {
    switch scalar {
    case "\u{37E}": UInt8(ascii: ";")  // Greek question mark
    case "\u{1FEF}": UInt8(ascii: "`")  // Greek varia
    case "\u{212A}": UInt8(ascii: "K")  // Kelvin sign
    default: scalar.isASCII ? UInt8(ascii: scalar) : nil
    }
  }

  private init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(low) }

  /// Adds a path component by component, and returns the digest of each parent folder.
  package struct Builder: Sendable {
    // The first coefficient is 1, so paths of different lengths have different polynomials.
    private var high = Residue(1)
    private var low = Residue(1)

    package init() {}

    /// Adds a component: seven bytes at a time, and its length.
    package mutating func append(_ component: ArraySlice<UInt8>) {
      let (first, second) = Self.points
      var (high, low) = (high, low)
      unsafe component.withUnsafeBytes { bytes in
        var place = 0
        while place < bytes.count {
          let piece: UInt64
          if bytes.count - place >= 8 {
            let loaded = unsafe bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)
            piece = UInt64(littleEndian: loaded) & 0xFF_FFFF_FFFF_FFFF
          } else {
            var rest: UInt64 = 0
            for index in (place..<min(place + 7, bytes.count)).reversed() {
              rest = unsafe rest << 8 | UInt64(bytes[index])
            }
            piece = rest
          }
          high = high.advanced(by: first, adding: piece)
          low = low.advanced(by: second, adding: piece)
          place += 7
        }
      }
      // A length is larger than each piece of seven bytes.
      let count = 1 << 56 | UInt64(component.count)
      self.high = high.advanced(by: first, adding: count)
      self.low = low.advanced(by: second, adding: count)
    }

    /// Returns the same path with one more component.
    package func appending(_ component: ArraySlice<UInt8>) -> Builder {
      var longer = self
      longer.append(component)
      return longer
    }

    package var digest: PathDigest { PathDigest(high: high.value, low: low.value) }

    /// The two points of this process.
    private static let points = (
      Residue(UInt64.random(in: 2..<Residue.modulus)),
      Residue(UInt64.random(in: 2..<Residue.modulus))
    )
  }

  /// An integer modulo the prime 2^61 - 1.
  private struct Residue: Sendable {
    static let modulus: UInt64 = 1 << 61 - 1
    let value: UInt64

    init(_ value: UInt64) { self.value = value }

    /// Returns the product with a number, plus another number that is less than 2^60.
    func advanced(by factor: Residue, adding term: UInt64) -> Residue {
      let product = value.multipliedFullWidth(by: factor.value)
      // 2^61 is 1 modulo 2^61 - 1, so the bits above the lowest 61 are added to these.
      let folded = product.low & Self.modulus + (product.high << 3 | product.low >> 61) + term
      let reduced = folded & Self.modulus + folded >> 61
      return Residue(reduced == Self.modulus ? 0 : reduced)
    }
  }
}
