import BAPackKit
import SourceDiagnostics
import SystemIO
import TestSupport
import Testing

/// Tests of rules about contents of files, and of unreadable files, in source roots that are
/// archives.
@Suite final class ArchiveRuleTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Returns the findings about a selection from a source root in the temporary folder.
  private func findings(
    _ root: String, _ selectors: String = #"{"directory": "."}"#, hosting: Hosting? = .apple
  ) throws -> [String] {
    let pack = try SelectedPack(
      document(selectors), sourceRoot: folder.path(root), hosting: hosting, .unstoppable)
    if let root = pack.root, !pack.hasErrors {
      // The inspection of files during listing does not affect the second pass.
      let contents = try root.contents(of: pack.selection, .unstoppable)
      for index in pack.selection.indices where pack.selection[index].kind == .file {
        try contents.open(index)
        let count = try contents.readPrefix(1 << 20).count
        #expect(count == Int(pack.selection[index].size))
      }
    }
    return pack.findings.map { "\($0.severity.rawValue) \($0.id.name): \($0.message)" }
  }

  /// Returns the beginning of a Mach-O file for a platform.
  private func program(_ platform: UInt32) -> [UInt8] {
    let words: [UInt32] = [
      0xFEED_FACF, 0x0100_000C, 0, 2, 1, 24, 0, 0, 0x32, 24, platform, 0, 0, 0,
    ]
    return words.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) } }
  }

  /// Returns an archive of these files.
  private func makeArchive(_ name: String, _ files: [(String, [UInt8])]) throws {
    var pack = PackBytes.beginning
    pack.addFolder("Contents/bin")
    for (path, contents) in files { pack.addFile("Contents/" + path, contents) }
    try folder.makeFile("source.aar", pack.container())
    var extraction = Extraction()
    extraction.isForced = true
    _ = try extraction.export(folder.path("source.aar"), to: folder.path(name), .unstoppable)
  }

  @Test(arguments: [".zip", ".tar", ".tar.gz", ".tar.zst", ".7z"])
  func `programs for macOS and packaging manifests in an archive are found`(suffix: String) throws {
    try makeArchive(
      "root" + suffix,
      [
        ("bin/a-large-one", program(1) + [UInt8](repeating: 7, count: 700_000)),
        ("bin/for-mac", program(1)), ("bin/for-phone", program(2)),
        ("bin/none", [0xFE, 0xED]), ("bin/nothing", []),
        ("bin/text", Array("just text, long enough to be looked at".utf8)),
        ("data.json", Array(#"{"level": 1}"#.utf8)),
        ("other.json", Array(#"{"assetPackID": "Other", "fileSelectors": []}"#.utf8)),
      ])
    let programs = ["bin/a-large-one", "bin/for-mac"].map {
      "warning files.mac-program: '\($0)' is an executable for macOS"
    }
    let manifest = "warning files.junk: 'other.json' is a packaging manifest, but it is selected"
    #expect(try findings("root" + suffix) == programs + [manifest])
    #expect(try findings("root" + suffix, hosting: .selfHosted) == [manifest])
    #expect(
      try findings("root" + suffix, #"{"file": "bin/for-mac"}"#) == [programs[1]])
    #expect(try findings("root" + suffix, #"{"file": "bin/for-phone"}"#).isEmpty)
  }

  @Test func `a file that cannot be decoded is an error only if it is selected`() throws {
    try makeArchive(
      "root.zip", [("bin/a", [UInt8](repeating: 1, count: 5000)), ("bin/for-mac", program(1))])
    var bytes = try folder.contents("root.zip")
    // In the zip, the compressed contents follow the first name.
    let name = Array("bin/a".utf8)
    let place = try #require(bytes.indices.first { bytes[$0...].starts(with: name) })
    for index in place + 40..<place + 44 { bytes[index] ^= 0xFF }
    try folder.makeFile("root.zip", bytes)
    let pack = try SelectedPack(
      document(#"{"file": "bin/for-mac"}"#), sourceRoot: folder.path("root.zip"), hosting: .apple,
      .unstoppable)
    #expect(!pack.hasErrors)
    #expect(pack.selection.map(\.destination).contains("bin/for-mac"))
  }

  @Test(arguments: ["encrypted.zip", "encrypted.7z"])
  func `a file with a password is reported, and can be excluded`(name: String) throws {
    try folder.makeFile(name, try #require(Self.encrypted[name]))
    let reason = "error files.unreadable: cannot read 'key.bin': it is encrypted in the archive"
    let all = try findings(name)
    #expect(all.first == reason)
    let pack = try SelectedPack(
      document(#"{"file": "key.bin"}"#), sourceRoot: folder.path(name), hosting: .apple,
      .unstoppable)
    #expect(
      pack.findings.flatMap(\.fixes).map(\.message) == [
        "create the archive again without a password, or exclude the file with a 'fileExclusion'"
      ])
    // In the zip the other file has no password.
    if name == "encrypted.zip" {
      #expect(all.count == 1)
      #expect(
        try findings(name, #"{"directory": "."}, {"fileExclusion": "key.bin"}"#).isEmpty)
    }
  }

  @Test func `an archive with encrypted names is rejected as a source root`() throws {
    try folder.makeFile("a.7z", try #require(Self.encrypted["names.7z"]))
    let path = folder.path("a.7z")
    let error = #expect(throws: PackError.self) { try SourceRoot(opening: path, .unstoppable) }
    #expect(
      error?.message
        == "cannot read '\(path)' as a source root: The archive header is encrypted, but currently "
        + "not supported")
    #expect(error?.remedies == ["create the archive again without a password"])
  }

  /// The output of 'zip -P', '7z -p' and '7z -p -mhe=on' for 'key.bin' and 'open.txt'; in the zip
  /// only the first has a password.
  private static let encrypted: [String: [UInt8]] = [
    "encrypted.zip": bytes(
      """
      504b03040a00090000000000212ae5e8a25c1200000006000000070000006b65792e62696e2c4e0f99fbfacf
      449fd38d310c6763e7b98f504b0708e5e8a25c1200000006000000504b03040a00000000000000212acf6220
      190500000005000000080000006f70656e2e747874706c61696e504b01021e030a00090000000000212ae5e8
      a25c1200000006000000070000000000000001000000a481000000006b65792e62696e504b01021e030a0000
      0000000000212acf6220190500000005000000080000000000000001000000a481470000006f70656e2e7478
      74504b050600000000020002006b000000720000000000
      """),
    "encrypted.7z": bytes(
      """
      377abcaf271c0004f63eb4e793000000000000002200000000000000717a6aff543371d1192f707067e91633
      b71ef3920000813307ae0fcef2b20c07b0c3daf75f458a98484af9a05f1438a95e3e20b309154dece99a8b06
      3051383292285813a6faf1f2781dec78feed367286fda05b552d497e19ce14bb438b642c1bfba9a116efc206
      01604249a40df9e1f9a660a9a46903362f5b8f09eb25d57b029d76b1da9178a456660e11621062ba0f30a5a9
      0000001706100109808300070b01000123030101055d001000000c80960a01c6c0a8620000
      """),
    "names.7z": bytes(
      """
      377abcaf271c000400d855ab80000000000000002e0000000000000062d1b462b13313bab45defbf4ae6737d
      7da1354bfbf2900443865c388211f7d47bc415a4f202f59db2ea7d928f108fc2aee98a8e7035a9b27ce54ab0
      a6945f1dc0d27d7cc09393f48f82fa5b52032063366b2b701602ed40eb14a8e3bac3d9d65e44bd1c83fafff7
      e2d3a965ccf26fa57ab403e572a47f177674091e05cd95cfb911785617061001097000070b0100012406f107
      0112530fcdc5ba0624f8d7045a0785700278ec350c6a0a0150bd36f40000
      """),
  ]

  private static func bytes(_ digits: String) -> [UInt8] {
    let values = digits.compactMap(\.hexDigitValue)
    return stride(from: 0, to: values.count, by: 2).map { UInt8(values[$0] << 4 | values[$0 + 1]) }
  }
}
