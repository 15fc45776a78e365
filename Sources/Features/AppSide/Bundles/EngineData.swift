import SystemIO

/// A file of an engine's data, with texts of an app that are in no program.
enum EngineData: Equatable {
  /// The literals of C# code that Unity compiled.
  case literals
  /// A script in JavaScript or Lua, or a bytecode for Hermes.
  case script
  /// A pack of Godot.
  case godot
  /// A file with texts that are compressed, encrypted, or in a format that is not read.
  case closed

  /// The maximum size of a file that is searched.
  static let largest = 128 << 20
  /// The maximum number of files that are searched.
  static let mostFiles = 2_000

  private static let suffixes: [String: EngineData] = [
    "js": .script, "jsbundle": .script, "mjs": .script, "lua": .script, "pck": .godot,
    "arcd": .closed, "hbc": .closed, "jsc": .closed, "love": .closed, "luac": .closed,
    "pak": .closed, "ucas": .closed, "unity3d": .closed,
  ]
  private static let names: [String: EngineData] = [
    "global-metadata.dat": .literals, "kernel_blob.bin": .closed, "resource.car": .closed,
  ]

  /// Returns the kind of data in a file; nil for another file.
  init?(ofFileNamed name: String) {
    let suffix = name.split(separator: ".", omittingEmptySubsequences: false).last.map(String.init)
    guard let kind = Self.names[name] ?? suffix.flatMap({ Self.suffixes[$0] }) else { return nil }
    self = kind
  }

  /// A text in a file.
  typealias Visitor = (ArraySlice<UInt8>) -> Void

  /// Visits the texts of a file; returns the part that cannot be searched, nil if there is none.
  func search(_ bytes: [UInt8], _ visit: Visitor) -> String? {
    let data = CheckedBytes(bytes[...])
    switch self {
    case .literals:
      return Self.searchLiterals(data, visit)
        ? nil : "which is encrypted, or of another version of Unity"
    case .script where bytes.starts(with: Self.hermes):
      return Self.searchHermes(data, visit) ? nil : "which is for another version of Hermes"
    case .script:
      Self.visitQuoted(bytes[...], visit)
      return nil
    case .godot:
      guard let hidden = Self.searchGodot(data, visit) else {
        return "which is encrypted, or of another version of Godot"
      }
      return hidden == 0
        ? nil : "whose compressed or encrypted scripts and scenes (\(hidden)) are not read"
    case .closed: return "whose format is not read"
    }
  }

  // MARK: Formats

  /// Searches the table of literals, whose entries are a length and an offset.
  private static func searchLiterals(_ data: CheckedBytes, _ visit: Visitor) -> Bool {
    guard data.contents.starts(with: [0xAF, 0x1B, 0xB1, 0xFA]),
      let places = data.numbers(at: 8, 4),
      let table = data.part(places[0], places[1]), let texts = data.part(places[2], places[3]),
      table.count > 0, table.count.isMultiple(of: 8)
    else { return false }
    for entry in stride(from: 0, to: table.count, by: 8) {
      guard let length = table.u32(entry), let offset = table.u32(entry + 4),
        let text = texts.part(offset, length)
      else { return false }
      visit(text.contents)
    }
    return true
  }

  private static let hermes: [UInt8] = [0xC6, 0x1F, 0xBC, 0x03, 0xC1, 0x03, 0x19, 0x1F]

  /// Searches the strings of a bytecode, whose table follows the tables of functions and kinds.
  private static func searchHermes(_ data: CheckedBytes, _ visit: Visitor) -> Bool {
    guard let version = data.u32(8), (74...96).contains(version),
      let counts = data.numbers(at: 40, 6)
    else { return false }
    let sizes: [UInt64] = [16, 4, 4, 4, 8, 1]
    let parts = zip(counts, sizes).map { UInt64($0) * $1 }
    let table = 128 + parts[..<3].reduce(0, +)
    let long = table + parts[3]
    guard let texts = data.part(long + parts[4], parts[5]) else { return false }
    for index in 0..<UInt64(counts[3]) {
      guard let entry = data.u32(table + 4 * index) else { return false }
      var (length, offset) = (entry >> 24, entry >> 1 & 0x7F_FFFF)
      if length == 255 {
        let place = long + 8 * UInt64(offset)
        guard let farOffset = data.u32(place), let farLength = data.u32(place + 4) else {
          return false
        }
        (length, offset) = (farLength, farOffset)
      }
      let isWide = entry & 1 == 1
      guard let text = texts.part(offset, UInt64(length) * (isWide ? 2 : 1)) else { return false }
      if isWide {
        Program.visitWide(text.contents + [0, 0], visit)
      } else {
        visit(text.contents)
      }
    }
    return true
  }

  /// A file in a pack of Godot.
  private struct PackedFile {
    var name: String
    var bytes: ArraySlice<UInt8>
    var isEncrypted: Bool
  }

  /// Searches the scripts and scenes of a pack; returns the number of those that are not readable,
  /// nil if the pack is not readable.
  ///
  /// The paths of files in the pack are not visited: they exist.
  private static func searchGodot(_ data: CheckedBytes, _ visit: Visitor) -> Int? {
    guard let files = godotFiles(data) else { return nil }
    var names: Set<String> = []
    for file in files {
      names.insert(file.name)
      // A resource that the editor converts has only a file that names the other one.
      for suffix in [".import", ".remap"] where file.name.hasSuffix(suffix) {
        names.insert(String(file.name.dropLast(suffix.count)))
      }
    }
    func visitMissing(_ text: ArraySlice<UInt8>) {
      guard text.count <= 1024 else { return }
      if !names.contains(withoutScheme(String(decoding: text, as: UTF8.self))) { visit(text) }
    }
    var hidden = 0
    for file in files {
      let kind = file.name.split(separator: ".").last ?? ""
      guard ["gd", "gdc", "tscn", "tres", "scn", "res"].contains(kind) else { continue }
      let content = CheckedBytes(file.bytes)
      let isCompressed =
        file.bytes.starts(with: "RSCC".utf8)
        || file.bytes.starts(with: "GDSC".utf8) && (content.u32(4) ?? 0) >= 100
          && content.u32(8) != 0
      if file.isEncrypted || isCompressed {
        hidden += 1
      } else if ["gd", "tscn", "tres"].contains(kind) {
        visitQuoted(file.bytes, visitMissing)
      } else {
        visitRuns(file.bytes, visitMissing)
      }
    }
    return hidden
  }

  private static func withoutScheme(_ path: String) -> String {
    path.hasPrefix("res://") ? String(path.dropFirst(6)) : path
  }

  /// Returns the files of a pack of Godot 3 or 4; nil if its directory is not readable.
  private static func godotFiles(_ data: CheckedBytes) -> [PackedFile]? {
    guard data.contents.starts(with: "GDPC".utf8), let format = data.u32(4) else { return nil }
    var (base, place): (UInt64, UInt64) = (0, 84)
    switch format {
    case 1: break
    case 2, 3:
      guard let flags = data.u32(20), flags & 1 == 0, let start = data.u64(24),
        let directory = format == 2 ? 96 : data.u64(32)
      else { return nil }
      (base, place) = (start, directory)
    default: return nil
    }
    guard let count = data.u32(place), place < UInt64(data.count) else { return nil }
    place += 4
    var files: [PackedFile] = []
    for _ in 0..<count {
      guard let length = data.u32(place), let name = data.part(place + 4, length) else {
        return nil
      }
      place += 4 + UInt64(length)
      guard let offset = data.u64(place), let size = data.u64(place + 8) else { return nil }
      let flags = format == 1 ? 0 : data.u32(place + 32)
      place += format == 1 ? 32 : 36
      let (start, overflow) = base.addingReportingOverflow(offset)
      guard let flags, !overflow, let bytes = data.part(start, size) else { return nil }
      let path = String(decoding: name.contents.prefix { $0 != 0 }, as: UTF8.self)
      files.append(
        PackedFile(
          name: withoutScheme(path), bytes: bytes.contents, isEncrypted: flags & 1 == 1))
    }
    return files
  }

  // MARK: Texts

  /// Visits the texts between two equal quotes in a line.
  ///
  /// A text between two literals is visited, too. It is rarely similar to a path.
  static func visitQuoted(_ bytes: ArraySlice<UInt8>, _ visit: Visitor) {
    let quotes = Array("\"'`".utf8)
    var open: Int?
    for index in bytes.indices {
      let byte = bytes[index]
      guard quotes.contains(byte) || byte == UInt8(ascii: "\n") else { continue }
      if let open, bytes[open] == byte { visit(bytes[(open + 1)..<index]) }
      open = byte == UInt8(ascii: "\n") ? nil : index
    }
  }

  /// Visits the texts between control characters; with `inASCII`, also those between characters
  /// outside of ASCII.
  static func visitRuns(_ bytes: ArraySlice<UInt8>, inASCII: Bool = false, _ visit: Visitor) {
    let last: UInt8 = inASCII ? 0x7E : 0xFF
    for run in bytes.split(whereSeparator: { $0 < 0x20 || $0 == 0x7F || $0 > last }) { visit(run) }
  }
}
