// Classes of ASCII bytes. Inlinable, because other modules inspect each byte of a text.

extension UInt8 {
  /// Whether the byte is an ASCII digit.
  @inlinable package var isDigit: Bool { self &- 0x30 < 10 }

  /// Whether the byte is an ASCII letter, in either case.
  @inlinable package var isLetter: Bool { (self | 0x20) &- 0x61 < 26 }

  /// Whether the byte is an ASCII letter or digit.
  @inlinable package var isLetterOrDigit: Bool { isLetter || isDigit }

  /// The byte in lower case if it is an upper-case ASCII letter, otherwise the byte unchanged.
  @inlinable package var lowercased: UInt8 { self &- 0x41 < 26 ? self | 0x20 : self }
}
