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

package enum FieldValue: Sendable, Hashable {
  case flag
  case number(UInt64)
  case string([UInt8])
  case hash([UInt8])
  case time(Moment)
  /// The length of data that follow the header.
  case blob(UInt64)
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
  fileprivate let letters: UInt32

  /// Creates a key of three bytes; nil if one of them is neither a letter nor a digit.
  package init?(_ first: UInt8, _ second: UInt8, _ third: UInt8) {
    guard first.isLetterOrDigit, second.isLetterOrDigit, third.isLetterOrDigit else { return nil }
    letters = UInt32(first) << 16 | UInt32(second) << 8 | UInt32(third)
  }

  /// Creates a documented key.
  ///
  /// The compiler computes it: a `StaticString` would be read at the first use of each key.
  private init(_ first: Unicode.Scalar, _ second: Unicode.Scalar, _ third: Unicode.Scalar) {
    letters = first.value << 16 | second.value << 8 | third.value
  }

  /// Appends the characters.
  func append(to bytes: inout [UInt8]) {
    bytes.append(UInt8(truncatingIfNeeded: letters >> 16))
    bytes.append(UInt8(truncatingIfNeeded: letters >> 8))
    bytes.append(UInt8(truncatingIfNeeded: letters))
  }
}

extension FieldKey: CustomStringConvertible {
  package var description: String {
    var bytes: [UInt8] = []
    append(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension FieldKey {
  package static let type = FieldKey("T", "Y", "P")
  package static let path = FieldKey("P", "A", "T")
  package static let linkTarget = FieldKey("L", "N", "K")
  package static let device = FieldKey("D", "E", "V")
  package static let data = FieldKey("D", "A", "T")
  package static let userID = FieldKey("U", "I", "D")
  package static let groupID = FieldKey("G", "I", "D")
  package static let mode = FieldKey("M", "O", "D")
  package static let flags = FieldKey("F", "L", "G")
  package static let modified = FieldKey("M", "T", "M")
  package static let created = FieldKey("C", "T", "M")
  package static let backedUp = FieldKey("B", "T", "M")
  package static let attributes = FieldKey("X", "A", "T")
  package static let accessList = FieldKey("A", "C", "L")
  package static let hardLinkCluster = FieldKey("H", "L", "C")
  package static let size = FieldKey("S", "I", "Z")
  package static let checksum = FieldKey("C", "K", "S")
  package static let sha1 = FieldKey("S", "H", "1")
  package static let sha256 = FieldKey("S", "H", "2")
  package static let sha384 = FieldKey("S", "H", "3")
  package static let sha512 = FieldKey("S", "H", "5")
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
}

/// The rows of ``FieldRule/all`` by their keys.
///
/// A reader looks up each field of millions of headers, so the keys have a hash without collisions.
struct FieldTable: Sendable {
  static let shared = FieldTable(FieldRule.all)

  private let rules: [FieldRule]
  private let multiplier: UInt32
  /// The row of each hash; a hash without a key has the number of rows.
  private let rows: [UInt8]

  private init(_ rules: [FieldRule]) {
    var rows: [UInt8] = []
    var multiplier: UInt32 = 0x9E37_79B1
    search: while true {
      rows = Array(repeating: UInt8(rules.count), count: 256)
      for (row, rule) in rules.enumerated() {
        let hash = rule.key.hash(multiplier)
        if rows[hash] < rules.count {
          multiplier &+= 2
          continue search
        }
        rows[hash] = UInt8(row)
      }
      break
    }
    self.rules = rules
    self.multiplier = multiplier
    self.rows = rows
  }

  /// Returns the row of a key and the kind of its values; nil for an undocumented key.
  func row(of key: FieldKey) -> (index: Int, kind: FieldRule.Kind)? {
    let index = Int(rows[key.hash(multiplier)])
    guard index < rules.count, rules[index].key == key else { return nil }
    return (index, rules[index].kind)
  }
}

extension FieldKey {
  fileprivate func hash(_ multiplier: UInt32) -> Int { Int((letters &* multiplier) >> 24) }
}
