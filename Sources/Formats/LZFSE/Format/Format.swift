/// Constants of the stream format that several files use.
enum Format {
  /// The maximum number of literals that known decoders accept.
  static let maximumLiterals = 40_000
  static let maximumTriplets = 10_000
  /// The maximum number of literals in a written block: that of the reference encoder, since some
  /// decoders were tested only with its blocks.
  static let mostLiteralsWritten = 39_984
  static let mostTripletsWritten = 9_992
  /// The maximum values in one triplet.
  static let maximumLiteralRun = 315
  static let maximumMatch = 2359
  static let maximumDistance = 262_139

  static let blockHeaderSize = 32
  /// The plain form of the header (`bvx1`): fields, 360 frequencies, two bytes of padding.
  static let plainHeaderSize = 772

  /// The number of zero bytes before a bit string, for decoders that read a whole word ahead.
  static let bitStringPadding = 8
}

/// The four letters that start a block, as a little-endian number.
enum Magic {
  static let stored = number("bvx-")
  static let vn = number("bvxn")
  static let plain = number("bvx1")
  static let packed = number("bvx2")
  static let end = number("bvx$")

  private static func number(_ letters: StaticString) -> UInt32 {
    unsafe UnsafeRawPointer(letters.utf8Start).loadUnaligned(as: UInt32.self).littleEndian
  }
}

/// One of the four entropy-coded alphabets, in the order of their frequency tables.
enum Alphabet: Int, CaseIterable {
  case literalRun, match, distance, literal

  static let symbolCount = 20 + 20 + 64 + 256

  var symbolCount: Int {
    switch self {
    case .literalRun, .match: 20
    case .distance: 64
    case .literal: 256
    }
  }

  var stateCount: Int {
    switch self {
    case .literalRun, .match: 64
    case .distance: 256
    case .literal: 1024
    }
  }

  /// The offset of this alphabet's frequencies in the table of all 360.
  var firstSymbol: Int {
    switch self {
    case .literalRun: 0
    case .match: 20
    case .distance: 40
    case .literal: 104
    }
  }

  /// Returns the smallest value that a symbol represents; `extraBits` bits are added to it.
  func base(_ symbol: Int) -> Int {
    switch (self, symbol) {
    case (.distance, _): (4 + symbol % 4) << (symbol / 4) - 4
    case (.literalRun, 17): 20
    case (.literalRun, 18): 28
    case (.literalRun, 19): 60
    case (.match, 17): 24
    case (.match, 18): 56
    case (.match, 19): 312
    default: symbol
    }
  }

  func extraBits(_ symbol: Int) -> Int {
    switch (self, symbol) {
    case (.distance, _): symbol / 4
    case (.literalRun, 16): 2
    case (.literalRun, 17), (.match, 16): 3
    case (.literalRun, 18), (.match, 17): 5
    case (.literalRun, 19), (.match, 18): 8
    case (.match, 19): 11
    default: 0
    }
  }
}
