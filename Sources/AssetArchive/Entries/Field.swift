package import SystemIO
import TerminalText

/// One field of an entry's header.
package struct Field: Sendable, Hashable {
  package var key: FieldKey
  package var value: FieldValue

  package init(_ key: FieldKey, _ value: FieldValue) {
    self.key = key
    self.value = value
  }
}

/// The value of a field.
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

/// The fourth byte of a field's name: the encoding of its value.
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

/// The name of a header field: three ASCII letters or digits.
package struct FieldKey: Sendable, Hashable {
  /// The characters, with the first in the highest byte, so that keys are compared as numbers.
  private let letters: UInt32

  /// Creates a key of three bytes; nil if one of them is neither a letter nor a digit.
  package init?(_ first: UInt8, _ second: UInt8, _ third: UInt8) {
    guard first.isLetterOrDigit, second.isLetterOrDigit, third.isLetterOrDigit else { return nil }
    letters = UInt32(first) << 16 | UInt32(second) << 8 | UInt32(third)
  }

  private init(_ name: StaticString) {
    letters = name.description.utf8.reduce(0) { $0 << 8 | UInt32($1) }
  }

  package var bytes: [UInt8] {
    [16, 8, 0].map { UInt8(truncatingIfNeeded: letters >> $0) }
  }
}

extension FieldKey: CustomStringConvertible {
  package var description: String { String(decoding: bytes, as: UTF8.self) }
}

extension FieldKey {
  package static let type = FieldKey("TYP")
  package static let path = FieldKey("PAT")
  package static let linkTarget = FieldKey("LNK")
  package static let device = FieldKey("DEV")
  package static let data = FieldKey("DAT")
  package static let userID = FieldKey("UID")
  package static let groupID = FieldKey("GID")
  package static let mode = FieldKey("MOD")
  package static let flags = FieldKey("FLG")
  package static let modified = FieldKey("MTM")
  package static let created = FieldKey("CTM")
  package static let backedUp = FieldKey("BTM")
  package static let attributes = FieldKey("XAT")
  package static let accessList = FieldKey("ACL")
  package static let hardLinkCluster = FieldKey("HLC")
  package static let size = FieldKey("SIZ")
  package static let checksum = FieldKey("CKS")
  package static let sha1 = FieldKey("SH1")
  package static let sha256 = FieldKey("SH2")
  package static let sha384 = FieldKey("SH3")
  package static let sha512 = FieldKey("SH5")
}

/// The specification of a key: a row of the table that reading, listing and tests use.
package struct FieldRule: Sendable {
  /// The kinds of value a field can have.
  package enum Kind: Sendable, CaseIterable {
    case flag, number, string, hash, time, blob
  }

  package let key: FieldKey
  package let kind: Kind

  /// The documented keys; others may occur and are skipped, as their fourth byte allows.
  package static let all: [FieldRule] = [
    FieldRule(key: .type, kind: .number),  // entry type
    FieldRule(key: .path, kind: .string),  // path
    FieldRule(key: .linkTarget, kind: .string),  // target of a symbolic link
    FieldRule(key: .device, kind: .number),  // device number
    FieldRule(key: .data, kind: .blob),  // contents
    FieldRule(key: .userID, kind: .number),  // owner
    FieldRule(key: .groupID, kind: .number),  // group
    FieldRule(key: .mode, kind: .number),  // permissions
    FieldRule(key: .flags, kind: .number),  // BSD flags
    FieldRule(key: .modified, kind: .time),  // modification time
    FieldRule(key: .created, kind: .time),  // creation time
    FieldRule(key: .backedUp, kind: .time),  // backup time
    FieldRule(key: .attributes, kind: .blob),  // extended attributes
    FieldRule(key: .accessList, kind: .blob),  // access control list
    FieldRule(key: .hardLinkCluster, kind: .number),  // hard link group
    FieldRule(key: .size, kind: .number),  // size of the contents
    FieldRule(key: .checksum, kind: .hash),  // POSIX checksum of the contents
    FieldRule(key: .sha1, kind: .hash),  // SHA-1 of the contents
    FieldRule(key: .sha256, kind: .hash),  // SHA-256 of the contents
    FieldRule(key: .sha384, kind: .hash),  // SHA-384 of the contents
    FieldRule(key: .sha512, kind: .hash),  // SHA-512 of the contents
  ]

  package static func rule(for key: FieldKey) -> FieldRule? { byKey[key] }

  private static let byKey = Dictionary(uniqueKeysWithValues: all.map { ($0.key, $0) })
}
