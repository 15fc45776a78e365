import AppSide
import BAPackKit
import SystemIO
import TestSupport
import Testing

/// Tests of the search for paths in the data of engines.
@Suite struct EngineDataTests {
  /// Returns the missing paths, and the parts that were not searched.
  private func search(
    _ change: (inout SampleApp) -> Void
  ) throws -> (missing: [String], unsearched: [String]) {
    let folder = try TemporaryFolder()
    var sample = SampleApp()
    change(&sample)
    try sample.write(to: folder)
    let packs = try AppTrial.outlines([AppTrial.Pack()], folder)
    let tree = try BundleTree(at: folder.filePath("Game.app"), .unstoppable)
    var search = LiteralSearch(in: packs.paths, besides: tree)
    let product = try AppProduct(tree, .unstoppable) { text, path in
      search.inspect(text, inProgram: path.text)
    }
    let check = try AppCheck(product, packs: packs, hosting: nil, .unstoppable)
    return (search.findings.map(\.message), check.omissions)
  }

  private static let missing = ["no pack has 'Voices/wrong.txt'"]

  private static func little(_ numbers: UInt32...) -> [UInt8] {
    numbers.flatMap { number in
      (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
  }

  // MARK: Unity

  /// The literals of C# code, without separators.
  private static func literals(_ texts: [String]) -> [UInt8] {
    var table: [UInt8] = []
    var data: [UInt8] = []
    for text in texts {
      table += little(UInt32(text.utf8.count), UInt32(data.count))
      data += text.utf8
    }
    let start = 64
    let header =
      little(0xFAB1_1BAF, 29, UInt32(start), UInt32(table.count))
      + little(UInt32(start + table.count), UInt32(data.count))
    return header + Array(repeating: 0, count: start - header.count) + table + data
  }

  @Test func `the literals of Unity's C# code are searched`() throws {
    let path = "Data/Managed/Metadata/global-metadata.dat"
    let bytes = Self.literals(["Hello", "Voices/wrong.txt", "Voices/hello.txt", "x"])
    let found = try search { $0.files[path] = bytes }
    #expect(found.missing == Self.missing)
    #expect(found.unsearched == [])
    for damaged in [Array(bytes.dropLast(20)), [1] + bytes, [], Self.literals([])] {
      let found = try search { $0.files[path] = damaged }
      #expect(found.missing == [])
      #expect(
        found.unsearched == [
          "texts in '\(path)', which is encrypted, or of another version of Unity"
        ])
    }
  }

  // MARK: Scripts

  @Test func `the literals of scripts are searched`() throws {
    let text = #"""
      r("Voices/hello.txt"),n='it"s',t(`Voices/wrong.txt`);s="Voices/"+a+".txt"
      // "Voices/open.txt
      """#
    for name in ["main.jsbundle", "public/assets/index-a1.js", "src/game.lua"] {
      let found = try search { $0.files[name] = Array(text.utf8) }
      #expect(found.missing == Self.missing, "\(name)")
      #expect(found.unsearched == [])
    }
  }

  /// The bytecode of Hermes with these strings; a character outside of ASCII makes one UTF-16.
  private static func hermes(_ texts: [String], version: UInt32 = 96) -> [UInt8] {
    var (table, long, storage): ([UInt8], [UInt8], [UInt8]) = ([], [], [])
    for text in texts {
      let isWide = !text.utf8.allSatisfy { $0 < 0x80 }
      let (count, offset) = (UInt32(text.utf16.count), UInt32(storage.count))
      if count < 255 {
        table += little((isWide ? 1 : 0) | offset << 1 | count << 24)
      } else {
        table += little((isWide ? 1 : 0) | UInt32(long.count / 8) << 1 | 255 << 24)
        long += little(offset, count)
      }
      storage +=
        isWide
        ? text.utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] } : Array(text.utf8)
    }
    var bytes: [UInt8] = [0xC6, 0x1F, 0xBC, 0x03, 0xC1, 0x03, 0x19, 0x1F]
    bytes += little(version) + Array(repeating: 7, count: 20) + little(0, 0)
    bytes += little(1, 1, 1, UInt32(texts.count), UInt32(long.count / 8), UInt32(storage.count))
    bytes += Array(repeating: 0, count: 128 - bytes.count)
    // One function, one kind and one hash.
    bytes += Array(repeating: 9, count: 16 + 4 + 4)
    return bytes + table + long + storage
  }

  @Test func `the strings of a bytecode for Hermes are searched`() throws {
    let long = String(repeating: "a", count: 300)
    let bytes = Self.hermes(["a", "Voices/wrong.txt", long, "Voices/é.txt", "Voices/hello.txt"])
    let found = try search { $0.files["main.jsbundle"] = bytes }
    #expect(found.missing == Self.missing + ["no pack has 'Voices/é.txt'"])
    #expect(found.unsearched == [])
    for other in [Self.hermes(["a"], version: 60), Array(bytes.dropLast())] {
      let found = try search { $0.files["main.jsbundle"] = other }
      #expect(
        found.unsearched == ["texts in 'main.jsbundle', which is for another version of Hermes"])
    }
  }

  @Test func `the snapshot of Dart in a Flutter app is searched`() throws {
    let found = try search { app in
      var library = MachOBytes()
      library.kind = 6
      library.symbols = ["_kDartIsolateSnapshotData"]
      let texts = ["hello", "Voices/wrong.txt", "Voices/hello.txt", "x"]
      library.sections = [
        ("__const", texts.flatMap { [0x80 | UInt8($0.utf8.count << 1)] + Array($0.utf8) })
      ]
      app.files["Frameworks/App.framework/App"] = library.bytes
    }
    #expect(found.missing == Self.missing)
  }

  // MARK: Godot

  private struct Packed {
    var path: String
    var bytes: [UInt8]
    var flags: UInt32 = 0
  }

  /// A pack of Godot in format 1, 2 or 3.
  private static func godot(_ files: [Packed], format: UInt32, flags: UInt32 = 0) -> [UInt8] {
    let names = files.map { file in
      Array(file.path.utf8) + Array(repeating: 0, count: 4 - file.path.utf8.count % 4)
    }
    let head = format == 1 ? 84 : format == 2 ? 96 : 104
    let entry = format == 1 ? 36 : 40
    let directory = 4 + names.reduce(0) { $0 + $1.count + entry }
    let data = files.flatMap(\.bytes)
    // Format 3 has the directory after the files.
    let (base, place) = format == 3 ? (head, head + data.count) : (head + directory, head)
    var bytes = Array("GDPC".utf8) + little(format, 4, 5, 0)
    if format > 1 { bytes += little(flags, UInt32(base), 0) }
    if format == 3 { bytes += little(UInt32(place), 0) }
    bytes += Array(repeating: 0, count: 64)
    var list = little(UInt32(files.count))
    var offset = format == 1 ? base : 0
    for (file, name) in zip(files, names) {
      list += little(UInt32(name.count)) + name + little(UInt32(offset), 0)
      list += little(UInt32(file.bytes.count), 0) + Array(repeating: 5, count: 16)
      if format > 1 { list += little(file.flags) }
      offset += file.bytes.count
    }
    return format == 3 ? bytes + data + list : bytes + list + data
  }

  @Test(arguments: [1, 2, 3] as [UInt32])
  func `the scripts and scenes in a pack of Godot are searched`(format: UInt32) throws {
    let text = #"""
      load("res://Voices/wrong.txt"); load("res://Voices/menu.txt"); load("res://Voices/a.txt")
      """#
    let start: [UInt8] = Array("GDSC".utf8) + Self.little(100, 0, 4, 16)
    let constants: [UInt8] = start + Array("Voices/token.txt".utf8)
    let files = [
      Packed(path: "res://game.gd", bytes: Array(text.utf8)),
      Packed(path: "menu.gdc", bytes: constants + Self.little(4)),
      Packed(path: "Voices/menu.txt.import", bytes: []),
      Packed(path: "res://Voices/a.txt", bytes: [1]),
    ]
    let found = try search { $0.files["Game.pck"] = Self.godot(files, format: format) }
    #expect(found.missing == Self.missing + ["no pack has 'Voices/token.txt'"])
    #expect(found.unsearched == [])
    let compressed: [UInt8] = Array("GDSC".utf8) + Self.little(101, 900) + [0x28, 0xB5, 0x2F, 0xFD]
    let hidden =
      files + [
        Packed(path: "b.gdc", bytes: compressed),
        Packed(path: "c.scn", bytes: Array("RSCC".utf8)),
      ]
    let other = try search { $0.files["Game.pck"] = Self.godot(hidden, format: format) }
    #expect(
      other.unsearched == [
        "texts in 'Game.pck', whose compressed or encrypted scripts and scenes (2) are not read"
      ])
    #expect(other.missing == found.missing)
  }

  @Test func `an encrypted pack of Godot is not searched`() throws {
    let files = [Packed(path: "a.gd", bytes: Array("'Voices/wrong.txt'".utf8), flags: 1)]
    let encrypted = try search { $0.files["Game.pck"] = Self.godot(files, format: 2) }
    #expect(encrypted.missing == [])
    #expect(encrypted.unsearched.count == 1)
    for bytes in [Self.godot(files, format: 2, flags: 1), Self.godot(files, format: 9), [1, 2]] {
      let found = try search { $0.files["Game.pck"] = bytes }
      #expect(
        found.unsearched == [
          "texts in 'Game.pck', which is encrypted, or of another version of Godot"
        ])
    }
  }

  // MARK: All data

  @Test func `data in formats that are not read is named`() throws {
    let found = try search { app in
      for name in ["cookeddata/b.pak", "cookeddata/a.pak", "Data/data.unity3d"] {
        app.files[name] = [1]
      }
    }
    #expect(
      found.unsearched == [
        "texts in 'Data/data.unity3d', whose format is not read",
        "texts in 'cookeddata/a.pak' and 1 other file, whose format is not read",
      ])
  }

  @Test func `a path of a file in the app is not missing`() throws {
    let found = try search { app in
      app.app.program.add(texts: "Voices/menu.txt", "Voices/wrong.txt", "Voices/nu.txt")
      app.files["Data/Raw/Voices/menu.txt"] = [1]
    }
    #expect(found.missing == Self.missing + ["no pack has 'Voices/nu.txt'"])
  }

  @Test func `changed bytes end the search, and never the program`() throws {
    let samples: [(String, [UInt8])] = [
      ("global-metadata.dat", Self.literals(["a", "Voices/wrong.txt"])),
      ("main.jsbundle", Self.hermes(["a", String(repeating: "b", count: 260), "é"])),
      ("1.pck", Self.godot([Packed(path: "a.gd", bytes: [1])], format: 1)),
      ("2.pck", Self.godot([Packed(path: "a.gdc", bytes: Array("GDSC".utf8))], format: 2)),
      ("3.pck", Self.godot([Packed(path: "a.gd", bytes: [1])], format: 3)),
    ]
    let folder = try TemporaryFolder()
    try SampleApp().write(to: folder)
    var random = Seeded(seed: 55)
    for _ in 0..<60 {
      for (name, sample) in samples {
        var bytes = sample
        for _ in 0..<Int.random(in: 1...6, using: &random) {
          bytes[Int.random(in: 0..<bytes.count, using: &random)] =
            [0, 1, 0x7F, 0xFF, .random(in: 0...255, using: &random)]
            .randomElement(using: &random) ?? 0
        }
        if Bool.random(using: &random) {
          bytes.removeLast(Int.random(in: 0..<bytes.count, using: &random))
        }
        try folder.makeFile("Game.app/\(name)", bytes)
      }
      let tree = try BundleTree(at: folder.filePath("Game.app"), .unstoppable)
      _ = try AppProduct(tree, .unstoppable) { _, _ in }
    }
  }
}
