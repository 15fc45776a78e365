/// The bytes of a program for Apple systems with one processor, and its signature.
package struct MachOBytes {
  /// The signature of a program.
  package struct Signature {
    package var identifier = "com.example.game"
    package var team: String? = "ABCDE12345"
    /// The flags of the code directory: 2 is ad hoc, 0x20000 is by a linker.
    package var flags: UInt32 = 0
    /// The entitlements in XML; nil for none.
    package var entitlements: String?
    /// The entitlements in DER; nil for none.
    package var binaryEntitlements: [UInt8]?

    package init() {}

    /// The parts of the signature, with their table.
    package var bytes: [UInt8] {
      var parts: [(slot: UInt32, bytes: [UInt8])] = [(0, directory)]
      if let entitlements { parts.append((5, blob(0xFADE_7171, Array(entitlements.utf8)))) }
      if let binaryEntitlements { parts.append((7, blob(0xFADE_7172, binaryEntitlements))) }
      var table: [UInt8] = []
      var contents: [UInt8] = []
      for part in parts {
        table += big(part.slot) + big(UInt32(12 + parts.count * 8 + contents.count))
        contents += part.bytes
      }
      return blob(0xFADE_0CC0, big(UInt32(parts.count)) + table + contents)
    }

    /// A code directory of version 0x20400 without hashes.
    private var directory: [UInt8] {
      let names = Array(identifier.utf8) + [0]
      let start = 88
      let teamPlace = team == nil ? 0 : start + names.count
      var fields: [UInt32] = [0x20400, flags, UInt32(start), UInt32(start), 0, 0, 0]
      // The size and kind of the hashes, and two reserved fields.
      fields += [0x2002_000C, 0, 0, UInt32(teamPlace)]
      fields += Array(repeating: 0, count: (start - 8) / 4 - fields.count)
      return blob(
        0xFADE_0C02, fields.flatMap { big($0) } + names + (team.map { Array($0.utf8) + [0] } ?? []))
    }

    private func blob(_ magic: UInt32, _ contents: [UInt8]) -> [UInt8] {
      big(magic) + big(UInt32(8 + contents.count)) + contents
    }

    private func big(_ number: UInt32) -> [UInt8] {
      (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) }
    }
  }

  /// The number of the platform: 1 macOS, 2 iOS, 3 tvOS, 11 visionOS.
  package var platform: UInt32 = 2
  /// The minimum system: major, minor.
  package var minimum: (UInt32, UInt32) = (26, 0)
  /// The sections of `__TEXT`.
  package var sections: [(name: String, bytes: [UInt8])] = []
  package var libraries: [(path: String, isWeak: Bool)] = []
  package var symbols: [String] = []
  package var isEncrypted = false
  package var signature: Signature? = Signature()
  /// The kind of file: 2 is a program, 6 a library, 10 debug information.
  package var kind: UInt32 = 2

  package init() {}

  /// Adds texts to the section of texts.
  package mutating func add(texts: String...) {
    sections.append(("__cstring", texts.flatMap { text -> [UInt8] in Array(text.utf8) + [0] }))
  }

  /// The bytes of the file.
  package var bytes: [UInt8] {
    let linkEdit = symbols.flatMap { text -> [UInt8] in Array(text.utf8) + [0] }
    let signatureBytes = signature?.bytes ?? []
    // The commands have the same size for any offset, so they are written twice.
    var start = 32 + commands(start: 0, linkEdit.count, signatureBytes.count).joined().count
    start += -start & 15
    let list = commands(start: start, linkEdit.count, signatureBytes.count)
    let all: [UInt8] = list.flatMap(\.self)
    var bytes = Self.little(0xFEED_FACF) + Self.little(0x0100_000C) + Self.little(0)
    bytes += Self.little(kind) + Self.little(UInt32(list.count))
    bytes += Self.little(UInt32(all.count)) + Self.little(0x20_0085) + Self.little(0)
    bytes += all
    bytes += Array(repeating: 0, count: start - bytes.count)
    for section in sections { bytes += section.bytes }
    return bytes + linkEdit + signatureBytes
  }

  /// The bytes of a file with several parts; `wide` has offsets with 64 bits.
  package static func fat(_ parts: [[UInt8]], wide: Bool = false) -> [UInt8] {
    var bytes = [0xCA, 0xFE, 0xBA, wide ? 0xBF : 0xBE] as [UInt8]
    bytes += little(UInt32(parts.count)).reversed()
    var place = 4096
    for part in parts {
      bytes += little(0x0100_000C).reversed() + little(0).reversed()
      if wide {
        bytes += little(0).reversed() + little(UInt32(place)).reversed()
        bytes += little(0).reversed() + little(UInt32(part.count)).reversed()
        bytes += little(12).reversed() + little(0).reversed()
      } else {
        bytes += little(UInt32(place)).reversed() + little(UInt32(part.count)).reversed()
        bytes += little(12).reversed()
      }
      place += part.count + (-part.count & 4095)
    }
    for part in parts {
      bytes += Array(repeating: 0, count: -bytes.count & 4095)
      bytes += part
    }
    return bytes
  }

  private func commands(start: Int, _ linkEditSize: Int, _ signatureSize: Int) -> [[UInt8]] {
    let textSize = sections.reduce(0) { $0 + $1.bytes.count }
    let linkEdit = start + textSize
    var commands = [
      segment("__TEXT", start, textSize, sections),
      segment("__LINKEDIT", linkEdit, linkEditSize + signatureSize, []),
      Self.command(
        0x32,
        Self.little(platform) + Self.little(minimum.0 << 16 | minimum.1 << 8)
          + Self.little(26 << 16) + Self.little(0)),
    ]
    for library in libraries {
      let fields = [24, 2, 0x10000, 0x10000].flatMap { Self.little($0) }
      commands.append(
        Self.command(library.isWeak ? 0x8000_0018 : 0xC, fields + Array(library.path.utf8) + [0]))
    }
    if isEncrypted {
      commands.append(
        Self.command(
          0x2C, [UInt32(start), UInt32(textSize), 1, 0].flatMap { Self.little($0) }))
    }
    if signature != nil {
      let fields = [UInt32(linkEdit + linkEditSize), UInt32(signatureSize)]
      commands.append(Self.command(0x1D, fields.flatMap { Self.little($0) }))
    }
    return commands
  }

  private func segment(
    _ name: String, _ start: Int, _ size: Int, _ sections: [(name: String, bytes: [UInt8])]
  ) -> [UInt8] {
    var fields = Self.name(name) + Self.wide(0x1_0000_0000 + start) + Self.wide(size)
    fields += Self.wide(start) + Self.wide(size)
    fields += [5, 5, UInt32(sections.count), 0].flatMap { Self.little($0) }
    var place = start
    for section in sections {
      fields += Self.name(section.name) + Self.name(name) + Self.wide(0x1_0000_0000 + place)
      fields += Self.wide(section.bytes.count) + Self.little(UInt32(place))
      fields += Array(repeating: 0, count: 28)
      place += section.bytes.count
    }
    return Self.command(0x19, fields)
  }

  private static func command(_ number: UInt32, _ fields: [UInt8]) -> [UInt8] {
    let padding = -(fields.count + 8) & 7
    return little(number) + little(UInt32(8 + fields.count + padding)) + fields
      + Array(repeating: 0, count: padding)
  }

  private static func name(_ text: String) -> [UInt8] {
    Array(text.utf8) + Array(repeating: 0, count: 16 - text.utf8.count)
  }

  private static func little(_ number: UInt32) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
  }

  private static func wide(_ number: Int) -> [UInt8] {
    little(UInt32(truncatingIfNeeded: number)) + little(UInt32(truncatingIfNeeded: number >> 32))
  }
}
