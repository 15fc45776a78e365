import AppSide
import SourceDiagnostics
import TestSupport
import Testing

/// Tests of the readers of programs and signatures.
@Suite struct MachOTests {
  private static var program: MachOBytes {
    var program = MachOBytes()
    program.minimum = (26, 4)
    program.libraries = [("/usr/lib/libSystem.B.dylib", false), ("@rpath/A.framework/A", true)]
    program.add(texts: "one", "two")
    program.sections.append(("__swift5_entry", [1, 2, 3, 4]))
    program.symbols = ["_$s7StoreKit24StoreDownloaderExtensionP"]
    program.signature?.entitlements = #"<plist><dict><key>a</key><true/></dict></plist>"#
    return program
  }

  @Test func `a thin program has its commands, sections and signature`() throws {
    let slice = try #require(try MachOFile(Self.program.bytes).slices.first)
    #expect(slice.systems == [.init(platform: 2, minimum: SystemVersion(26, 4))])
    #expect(
      slice.libraries == [
        .init(path: "/usr/lib/libSystem.B.dylib", isWeak: false),
        .init(path: "@rpath/A.framework/A", isWeak: true),
      ])
    #expect(slice.contents("__TEXT", "__cstring").map { Array($0) } == [Array("one\0two\0".utf8)])
    #expect(slice.hasSection("__TEXT", "__swift5_entry"))
    #expect(!slice.hasSection("__DATA", "__swift5_entry"))
    #expect(slice.mentions(["$s7StoreKit24StoreDownloaderExtension"]))
    #expect(!slice.mentions(["Other"]))
    #expect(slice.signature?.team == "ABCDE12345")
    #expect(slice.signature?.isAdHoc == false)
    #expect(slice.signature?.entitlements?["a"]?.kind == .bool(true))
  }

  @Test(arguments: [false, true])
  func `a file with several parts has the same values`(wide: Bool) throws {
    var other = Self.program
    other.platform = 1
    other.signature = nil
    let file = try MachOFile(MachOBytes.fat([Self.program.bytes, other.bytes], wide: wide))
    #expect(file.slices.map { $0.systems.first?.platform } == [2, 1])
    #expect(file.slices.map { $0.signature == nil } == [false, true])
  }

  @Test func `entitlements in DER are read if there are none in XML`() throws {
    func element(_ tag: UInt8, _ parts: [UInt8]...) -> [UInt8] {
      let contents = parts.flatMap(\.self)
      return [tag, UInt8(contents.count)] + contents
    }
    func text(_ text: String) -> [UInt8] { element(0x0C, Array(text.utf8)) }
    for dictionary in [0xB0, 0x31] as [UInt8] {
      var program = MachOBytes()
      program.signature?.binaryEntitlements = element(
        0x70, [2, 1, 1],
        element(
          dictionary, element(0x30, text("flag"), [1, 1, 0xFF]),
          element(0x30, text("groups"), element(0x30, text("group.a"), text("group.b"))),
          element(0x30, text("number"), [2, 2, 0xFF, 0x00])))
      let values = try MachOFile(program.bytes).slices[0].signature?.entitlements
      #expect(values?["flag"]?.kind == .bool(true))
      #expect(values?["groups"]?.texts.map(\.text) == ["group.a", "group.b"])
      #expect(values?["number"]?.kind == .number("-256"))
      program.signature?.entitlements = #"<plist><dict><key>x</key><true/></dict></plist>"#
      let preferred = try MachOFile(program.bytes).slices[0].signature?.entitlements
      #expect(preferred?.members.map(\.key) == ["x"])
    }
  }

  @Test func `encryption, ad hoc signatures, and old load commands are known`() throws {
    var program = Self.program
    program.isEncrypted = true
    program.signature?.flags = 0x2_0002
    program.signature?.team = nil
    let slice = try MachOFile(program.bytes).slices[0]
    #expect(slice.isEncrypted)
    #expect(slice.signature?.isAdHoc == true)
    #expect(slice.signature?.team == nil)
    program.kind = 10
    #expect(try MachOFile(program.bytes).slices[0].isDebugInformation)
    // 32 bits
    #expect(
      try MachOFile([0xCE, 0xFA, 0xED, 0xFE] + Array(repeating: 0, count: 40)).slices.isEmpty)
  }

  @Test func `no cut, no changed number and no random bytes crash the reader`() throws {
    let whole = Self.program.bytes
    for file in [whole, MachOBytes.fat([whole, whole])] {
      for end in 0..<min(file.count, 4096) { _ = try? MachOFile(Array(file[..<end])) }
      var random = Seeded(seed: 55)
      for _ in 0..<4000 {
        var bytes = file
        for _ in 0..<Int.random(in: 1...4, using: &random) {
          let place = Int.random(in: 0..<min(bytes.count - 8, 2000), using: &random)
          let value: UInt8 = [0, 1, 0x7F, 0x80, 0xFF].randomElement(using: &random) ?? 0
          for offset in 0..<[1, 4, 8][Int.random(in: 0..<3, using: &random)] {
            bytes[place + offset] = value
          }
        }
        _ = try? Program(bytes) { _ in }
      }
    }
    #expect(throws: Unreadable.self) { try MachOFile([]) }
    // A class file of Java
    #expect(throws: Unreadable.self) { try MachOFile([0xCA, 0xFE, 0xBA, 0xBE, 0, 0, 0, 0x37]) }
  }
}
