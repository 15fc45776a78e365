package import SystemIO

/// One field of an entry's header.
package struct Field: Sendable, Hashable {
  package var key: FieldKey
  package var value: FieldValue

  package init(_ key: FieldKey, _ value: FieldValue) {
    self.key = key
    self.value = value
  }
}

/// What a field holds.
package enum FieldValue: Sendable, Hashable {
  case flag
  case number(UInt64)
  case string([UInt8])
  case hash([UInt8])
  case time(Moment)
  /// The length of data that follow the header.
  case blob(UInt64)

  package var kind: FieldRule.Kind {
    switch self {
    case .flag: .flag
    case .number: .number
    case .string: .string
    case .hash: .hash
    case .time: .time
    case .blob: .blob
    }
  }
}

/// The byte behind a key: how its value is written.
enum Subtype {
  case flag
  case number(width: Int)
  case string
  case hash(width: Int)
  case seconds
  case secondsAndNanoseconds
  case blob(width: Int)

  init?(_ letter: UInt8) {
    switch letter {
    case UInt8(ascii: "*"): self = .flag
    case UInt8(ascii: "1"): self = .number(width: 1)
    case UInt8(ascii: "2"): self = .number(width: 2)
    case UInt8(ascii: "4"): self = .number(width: 4)
    case UInt8(ascii: "8"): self = .number(width: 8)
    case UInt8(ascii: "P"): self = .string
    case UInt8(ascii: "F"): self = .hash(width: 4)
    case UInt8(ascii: "G"): self = .hash(width: 20)
    case UInt8(ascii: "H"): self = .hash(width: 32)
    case UInt8(ascii: "I"): self = .hash(width: 48)
    case UInt8(ascii: "J"): self = .hash(width: 64)
    case UInt8(ascii: "S"): self = .seconds
    case UInt8(ascii: "T"): self = .secondsAndNanoseconds
    case UInt8(ascii: "A"): self = .blob(width: 2)
    case UInt8(ascii: "B"): self = .blob(width: 4)
    case UInt8(ascii: "C"): self = .blob(width: 8)
    default: return nil
    }
  }
}
