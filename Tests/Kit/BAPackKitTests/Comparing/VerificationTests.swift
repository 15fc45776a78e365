import BAPackKit
import SourceDiagnostics
import SystemIO
import TerminalText
import TestSupport
import Testing

@Suite final class VerificationTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Returns the findings of `verify` about bytes: "id: message" for each finding.
  private func findings(
    _ bytes: [UInt8], _ change: (inout Verification) -> Void = { _ in }
  ) throws -> [String] {
    try folder.makeFile("a.aar", bytes)
    var verification = Verification()
    change(&verification)
    let report = try verification.verify(folder.path("a.aar"), .unstoppable)
    return report.findings.map { "\($0.id.name): \($0.message)" }
  }

  private func pack(
    selecting selectors: [String] = [#"{"directory": "."}"#], _ add: (inout PackBytes) -> Void
  ) -> [UInt8] {
    var pack = PackBytes.beginning
    add(&pack)
    pack.addManifest(selecting: selectors)
    return pack.stream
  }

  @Test
  func `a valid pack has no findings, raw or compressed, with one thread or two`() throws {
    for threads in [1, 2] {
      let bytes = PackBytes.sample.container(blockSize: 100)
      #expect(try findings(bytes) { $0.threads = threads } == [])
    }
    #expect(try findings(PackBytes.sample.stream) == [])
    let report = try Verification().verify(folder.path("a.aar"), .unstoppable)
    #expect(report.fileCount == 4)
    #expect(report.byteCount == 72)
  }

  @Test
  func `an empty file, other files and damaged blocks are errors`() throws {
    #expect(
      try findings([]) == ["archive.damaged: the file is empty"])
    #expect(try findings(Array("hello".utf8)).first?.contains("not an Apple Archive") == true)
    var bytes = PackBytes.sample.container(blockSize: 400)
    // The raw size of the first block.
    bytes[19] = 0x8F
    let found = try findings(bytes)
    #expect(found.count == 1)
    #expect(found.first?.contains("a block cannot be decoded") == true)
    #expect(found.first?.contains("(at byte 12 of the file") == true)
    let whole = PackBytes.sample.container(blockSize: 400)
    let cut = try findings(Array(whole.dropLast(10)))
    #expect(cut.count == 1)
    #expect(cut.first?.contains("the file ends inside a block") == true)
  }

  @Test
  func `a block before the last one that is not full is an error`() throws {
    let stream = PackBytes.sample.stream
    let bytes = PackBytes.container(
      of: [stream.prefix(100), stream.dropFirst(100)], blockSize: 1 << 20)
    #expect(
      try findings(bytes) == [
        "archive.short-block: a block before the last one is not full (at byte 12 of the file)"
      ])
  }

  @Test
  func `all errors are reported`() throws {
    let found = try findings(
      pack {
        $0.addFile("../evil", [1])
        $0.addFile("notes.txt", [1])
        $0.addFile("Contents/a", [1])
        $0.addFile("Contents/a", [2])
        $0.addFile("Contents/A", [2])
        $0.add(type: "L", [PackBytes.path("Contents/l")])
        $0.addFile("Contents/no/b", [1])
      })
    #expect(
      found.map { $0.prefix { $0 != ":" } } == [
        "archive.path", "archive.outside-contents", "archive.duplicate", "archive.similar-names",
        "archive.similar-names", "archive.entry",
        "archive.misplaced",
      ])
    let similar = try findings(
      pack {
        $0.addFile("Contents/caf\u{E9}", [1])
        $0.addFile("Contents/cafe\u{301}", [1])
      })
    #expect(
      similar == [
        "archive.similar-names: 'Contents/cafe\\u{301}' differs from another path only by case or "
          + "Unicode normalization"
      ])
    #expect(found[0].contains("the entry '../evil' has an unsafe path: it has a '..' component"))
  }

  @Test(arguments: [
    ("k", "\u{212A}"), ("a;", "A\u{37E}"), ("x`y", "x\u{1FEF}Y"), ("straße", "STRASSE"),
    ("ÄB", "a\u{308}b"), ("かx", "かX"),
  ])
  func `names that differ by case or normalization are similar`(first: String, second: String)
    throws
  {
    for (first, second) in [(first, second), (second, first)] {
      let found = try findings(
        pack { for name in [first, second] { $0.addFile("Contents/\(name)", [1]) } })
      #expect(found.contains { $0.hasPrefix("archive.similar-names") }, "\(first) \(second)")
    }
  }

  @Test
  func `a missing manifest and an invalid manifest are errors`() throws {
    var pack = PackBytes.beginning
    pack.addFile("Contents/a", [1])
    #expect(try findings(pack.stream) == ["archive.no-manifest: the pack has no 'Manifest.json'"])
    pack.addFile("Manifest.json", Array(#"{"assetPackID": "x", "platforms": ["Amiga"]}"#.utf8))
    let found = try findings(pack.stream)
    #expect(found.first == "archive.invalid-manifest: 'Manifest.json' is invalid: 3 errors")
    #expect(found.contains { $0.hasPrefix("platform.unknown") })
  }

  @Test(arguments: [
    ([#"{"file": "a/x.txt"}"#], ["a/y.txt"]),
    ([#"{"directory": "a"}"#], []),
    ([#"{"directory": "b"}"#], ["a", "a/x.txt", "a/y.txt"]),
    ([#"{"filePattern": "a/*.txt"}"#], []),
    ([#"{"filePattern": "**/x.*"}"#], ["a/y.txt"]),
    ([#"{"fileSource": "z", "fileDestination": "a/x.txt"}"#, #"{"file": "a/y.txt"}"#], []),
    ([#"{"directorySource": "z", "directoryDestination": "a"}"#], []),
    ([#"{"directory": "."}"#, #"{"fileExclusion": "*.txt"}"#], ["a/x.txt", "a/y.txt"]),
    (
      [
        #"{"directorySource": "z", "directoryDestination": "a"}"#,
        #"{"fileExclusion": "z/y.txt"}"#,
      ], ["a/y.txt"]
    ),
  ])
  func `an entry that no selector can select is an error`(selectors: [String], surplus: [String])
    throws
  {
    let found = try findings(
      pack(selecting: selectors) {
        $0.addFolder("Contents/a")
        $0.addFile("Contents/a/x.txt", [1])
        $0.addFile("Contents/a/y.txt", [1])
      })
    #expect(
      found
        == surplus.map {
          "archive.not-selected: no selector of the manifest can select '\($0)'"
        })
  }

  @Test
  func `the SHA-256 of the file is compared`() throws {
    let bytes = PackBytes.sample.stream
    let wrong = String(repeating: "0", count: 64)
    let found = try findings(bytes) {
      $0.expectedSHA256 = [UInt8](hexadecimal: wrong, count: 32)
    }
    #expect(found.count == 1)
    let prefix = "archive.digest: the SHA-256 is "
    #expect(found.first?.hasPrefix(prefix) == true)
    let actual = String(found.first?.dropFirst(prefix.count).prefix(64) ?? "")
    #expect(
      try findings(bytes) {
        $0.expectedSHA256 = [UInt8](hexadecimal: actual.uppercased(), count: 32)
      } == [])
    #expect([UInt8](hexadecimal: "12", count: 32) == nil)
    #expect([UInt8](hexadecimal: String(repeating: "x", count: 64), count: 32) == nil)
  }

  // MARK: - Against the source

  private func differences(_ bytes: [UInt8]) throws -> [String] {
    try folder.makeFile("source/a/x.txt", "same\n")
    try folder.makeFile("source/a/y.sh", "#!", mode: 0o755)
    try folder.makeFolder("source/empty")
    try folder.makeFile("a.aar", bytes)
    let document = ManifestDocument(
      parsing: PackBytes.manifest(selecting: [#"{"directory": "."}"#]), named: "m")
    let root = try SourceRoot(opening: folder.path("source"), .unstoppable)
    let resolution = try Selection.resolve(document, in: root, .unstoppable)
    let source = Verification.Source(
      try #require(document.manifest), resolution.selection, in: root)
    return try Verification().verify(folder.path("a.aar"), against: [source], .unstoppable).findings
      .map { "\($0.id.name): \($0.message)" }
  }

  @Test
  func `a pack that is equal to its source has no difference, in any order`() throws {
    #expect(
      try differences(
        pack {
          $0.addFolder("Contents/empty")
          $0.addFolder("Contents/a")
          $0.addFile("Contents/a/y.sh", Array("#!".utf8), mode: 0o755)
          $0.addFile("Contents/a/x.txt", Array("same\n".utf8))
        }) == [])
  }

  @Test
  func `every difference from the source is reported`() throws {
    let found = try differences(
      pack(selecting: [#"{"directory": "a"}"#, #"{"file": "b"}"#]) {
        $0.addFolder("Contents/a")
        $0.addFile("Contents/a/x.txt", Array("sane\n".utf8))
        $0.addFile("Contents/a/y.sh", Array("#!!".utf8))
        $0.addFile("Contents/b", [1])
      })
    #expect(
      found == [
        "archive.differs: 'a/x.txt' differs from its source at byte 2",
        "archive.differs: 'a/y.sh' is not executable, but its source is",
        "archive.differs: 'a/y.sh' has 3 bytes, but its source has 2",
        "archive.surplus: the manifest does not select 'b'",
        "archive.missing: the pack lacks 'empty', which the manifest selects",
        "archive.manifest-differs: the pack's manifest differs in 'fileSelectors'",
      ])
  }
}
