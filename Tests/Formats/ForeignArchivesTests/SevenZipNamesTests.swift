import TestSupport
import Testing

@testable import ForeignArchives

/// Tests of names in a 7z, whose letters are unchanged.
@Suite struct SevenZipNamesTests {
  private let names = [
    "n\u{303}", "empty\u{301}", "caf\u{E9}.txt", "e\u{301}.txt", "n\u{303}/o\u{308}", "plain.txt",
  ]

  @Test(arguments: ["packed", "plain"])
  func `names are those of the header, compressed or not`(form: String) throws {
    let folder = try TemporaryFolder()
    try save(try #require(Self.archives[form]), folder.path("a.7z"))
    let entries = try listing(of: folder.path("a.7z")).entries
    #expect(entries.map { $0.path } == names.map { Array($0.utf8) })
    let files = entries.filter { $0.kind == .file }
    #expect(
      try contents(of: folder.path("a.7z"), files.map(\.index)).map(\.count)
        == files.map { Int($0.size ?? 99) })
  }

  @Test(arguments: ["packed", "plain"])
  func `a damaged header never stops the program`(form: String) throws {
    let folder = try TemporaryFolder()
    var bytes = try #require(Self.archives[form])
    for index in bytes.indices {
      for change: UInt8 in [1, 0x80, 0xFF] {
        bytes[index] ^= change
        try save(bytes, folder.path("a.7z"))
        let names = try withFile(at: folder.path("a.7z")) { try SevenZipNames($0) }
        // Only another spelling of libarchive's name is accepted, and ASCII.
        let name = names.stored(at: 3, insteadOf: Array("\u{E9}.txt".utf8))
        #expect(name.map { String(decoding: $0, as: UTF8.self) } ?? "\u{E9}.txt" == "\u{E9}.txt")
        if names.names.isEmpty { #expect(name == nil) }
        #expect(names.stored(at: 99, insteadOf: Array("a.txt".utf8)) == Array("a.txt".utf8))
        bytes[index] ^= change
      }
    }
    for count in bytes.indices {
      try save(Array(bytes.prefix(count)), folder.path("a.7z"))
      _ = try withFile(at: folder.path("a.7z")) { try SevenZipNames($0) }
    }
  }

  @Test
  func `data that is not LZMA, or has another size, is not decoded`() throws {
    let properties: [UInt8] = [0x5D, 0, 0x10, 0, 0]
    #expect(try decodeLZMA([1, 2, 3], properties: properties, size: 100) == nil)
    #expect(try decodeLZMA([], properties: properties, size: 1) == nil)
    #expect(try decodeLZMA([0, 1], properties: [], size: 1) == nil)
  }

  @Test
  func `a header can be decoded before any archive was opened`() async {
    // Another process, because a test of this one may have loaded the library.
    await #expect(processExitsWith: .success) {
      _ = try decodeLZMA([1, 2, 3], properties: [0x5D, 0, 0x10, 0, 0], size: 100)
    }
  }

  /// The output of '7z a' and '7z a -mhc=off' for a folder with files of these names.
  private static let archives: [String: [UInt8]] = [
    "packed": bytes(
      """
      377abcaf271c0004a88d3369bf0000000000000022000000000000001fb79799010019636166c3a92e747874
      65cc812e74787478706c61696e2e747874000000813307ae0fcfeb30140febea9cbf363dfe78a7f6365d1b2d
      75a7e89f763092c54bf463d298f237beaf45621910380aa608dd84df8496056d6814cd74a2272a6b47bbd6d9
      f0ef6a42648279277683d70b2134f00b805a25b42ca0218912491e3319553e736905ce796916979c02c43975
      83331c92e457afe38bc0f52d2909b4d76859e0b03c6a8d9928455d7da9508de5f5f60b3201331573a1e17796
      00000017061e010980a100070b01000123030101055d001000000c80e60a01577ccc9d0000
      """),
    "plain": bytes(
      """
      377abcaf271c0004530c83b31e00000000000000e600000000000000577ccc9d010019636166c3a92e747874
      65cc812e74787478706c61696e2e747874000104060001091e00070b010001212101000c1a00080d04090907
      010a0192bf103e8ba5d50d8316dc8c3aec4d16000005060e01c00f01401904000000001155006e0003030000
      65006d0070007400790001030000630061006600e9002e007400780074000000650001032e00740078007400
      00006e0003032f006f000803000070006c00610069006e002e007400780074000000143201005047ddf85679
      dd01b0edddf85679dd0136d6d9f85679dd01edadd9f85679dd01b0edddf85679dd015047ddf85679dd01151a
      01001080ed412080a4812080a4812080a4812080a4812080a4810000
      """),
  ]

  private static func bytes(_ digits: String) -> [UInt8] {
    let values = digits.compactMap(\.hexDigitValue)
    return stride(from: 0, to: values.count, by: 2).map { UInt8(values[$0] << 4 | values[$0 + 1]) }
  }
}
