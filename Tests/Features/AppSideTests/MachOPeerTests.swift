import AppSide
import Foundation
import SourceDiagnostics
import TestSupport
import Testing

/// Comparisons of programs with another reader: LIEF.
@Suite(.world) struct MachOPeerTests {
  private static let peer = Checkout.file("Tests/World/macho-peer").path

  private static func value(_ slice: MachOSlice) -> JSONValue {
    let system = slice.systems.first
    let texts = slice.contents("__TEXT", "__cstring").map { JSONValue.number("\($0.count)") }
    return .object([
      .init("platform", system.map { .number("\($0.platform)") } ?? .null),
      .init("minimum", system.map { .string("\($0.minimum)") } ?? .null),
      .init(
        "libraries",
        .array(slice.libraries.map { .array([.string($0.path), .bool($0.isWeak)]) })),
      .init("texts", .array(texts)),
      .init("hasSwiftEntry", .bool(slice.hasSection("__TEXT", "__swift5_entry"))),
      .init("isSigned", .bool(slice.signature != nil)),
      .init("isEncrypted", .bool(slice.isEncrypted)),
    ])
  }

  private static func line(_ name: String, _ path: String, _ bytes: [UInt8]) throws -> String {
    let slices = try MachOFile(bytes).slices
    return JSONWriter.string(
      .object([
        .init("name", .string(name)), .init("path", .string(path)),
        .init("ours", .array(slices.map(value))),
      ]), .compact)
  }

  private static func compare(
    _ programs: [(String, [UInt8])], _ folder: borrowing TemporaryFolder
  ) throws {
    var lines: [String] = []
    for (name, bytes) in programs {
      try folder.makeFile(name, bytes)
      lines.append(try line(name, folder.path(name), bytes))
    }
    try folder.makeFile("cases", lines.joined(separator: "\n"))
    let answer = try Peer.ask(peer, [folder.path("cases")])
    #expect(answer.status == 0, "\(answer.errors)")
    #expect(answer.output == "")
  }

  @Test func `programs of our writer have the values that another reader finds`() throws {
    let folder = try TemporaryFolder()
    var plain = MachOBytes()
    plain.libraries = [("/usr/lib/libSystem.B.dylib", false), ("@rpath/A.framework/A", true)]
    plain.add(texts: "Voices/hello.txt", "two")
    var entry = SampleApp().downloader.program
    entry.signature?.entitlements = "<plist><dict/></plist>"
    var mac = plain
    (mac.platform, mac.minimum, mac.isEncrypted) = (1, (13, 3), true)
    var unsigned = plain
    unsigned.signature = nil
    try Self.compare(
      [
        ("plain", plain.bytes), ("entry", entry.bytes), ("mac", mac.bytes),
        ("unsigned", unsigned.bytes), ("fat", MachOBytes.fat([plain.bytes, mac.bytes])),
        // LIEF does not read files with offsets of 64 bits.
      ], folder)
  }

  @Test func `programs of clang and lld have the values that another reader finds`() throws {
    let folder = try TemporaryFolder()
    try folder.makeFile(
      "a.c",
      """
      __attribute__((used, section("__TEXT,__swift5_entry"))) static const int entry = 1;
      const char *path = "Voices/hello.txt";
      int main(void) { return path[0]; }
      """)
    for (name, system, platform) in [
      ("ios", "ios26.4", "ios 26.4"), ("mac", "macos26.0", "macos 26.0"),
    ] {
      try folder.makeFile(
        "\(name).tbd",
        """
        --- !tapi-tbd
        tbd-version: 4
        targets: [ arm64-\(name == "ios" ? "ios" : "macos") ]
        install-name: '/usr/lib/libSystem.B.dylib'
        exports:
          - targets: [ arm64-\(name == "ios" ? "ios" : "macos") ]
            symbols: [ dyld_stub_binder ]
        ...

        """)
      let linker = "$(ls /usr/bin/ld64.lld /usr/bin/ld64.lld-* 2>/dev/null | head -n 1)"
      let command = """
        clang -target arm64-apple-\(system) -c a.c -o \(name).o && \(linker) -arch arm64 \
        -platform_version \(platform) 26.4 -adhoc_codesign -e _main -o \(name) \(name).o \(name).tbd
        """
      #expect(try Peer.run(command, in: folder.path) == 0)
    }
    let programs = try ["ios", "mac", "ios.o"].map { ($0, try folder.contents($0)) }
    try Self.compare(programs, folder)
    let slice = try #require(try MachOFile(programs[0].1).slices.first)
    #expect(slice.signature?.isAdHoc == true)
    #expect(slice.systems == [.init(platform: 2, minimum: SystemVersion(26, 4))])
    var texts: [String] = []
    _ = try Program(programs[0].1) { texts.append(String(decoding: $0, as: UTF8.self)) }
    #expect(texts.contains("Voices/hello.txt"))
  }
}
