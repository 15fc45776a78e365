import BAPackKit
import BlockCodecs
import SourceDiagnostics
import SystemIO
import TestSupport
import Testing

/// The findings of `verify` about readable packs with errors.
@Suite("Packs with another structure") final class StructureTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func report(_ bytes: [UInt8]) throws -> VerificationReport {
    try folder.makeFile("a.aar", bytes)
    return try Verification().verify(folder.path("a.aar"), .unstoppable)
  }

  private func findings(_ add: (inout PackBytes) -> Void) throws -> [String] {
    var pack = PackBytes.beginning
    add(&pack)
    pack.addManifest(selecting: [#"{"directory": "."}"#])
    return try report(pack.stream).findings.all
      .map { "\($0.severity) \($0.id.name): \($0.message)" }
  }

  @Test
  func `a file in the place of 'Contents' or of the root is an error`() throws {
    for name in ["", "Contents"] {
      var pack = PackBytes()
      if name == "Contents" { pack.addFolder("") }
      pack.addFile(name, [1])
      if name == "" { pack.addFolder("Contents") }
      pack.addManifest(selecting: [#"{"directory": "."}"#])
      let report = try report(pack.stream)
      let messages = report.findings.map(\.message)
      #expect(messages.count == 1, "\(messages)")
      #expect(
        messages.first?.hasPrefix("the entry '\(name)' is a file, but must be a folder") == true)
      #expect(report.hasErrors)
      let packed = folder.path("a.aar")
      let target = folder.path("out")
      #expect(throws: PackError.self) {
        try Extraction().extract(packed, into: target, .unstoppable)
      }
    }
  }

  @Test
  func `a pack without 'Contents' is an error`() throws {
    var pack = PackBytes()
    pack.addFolder("")
    pack.addManifest(selecting: [#"{"directory": "."}"#])
    let report = try report(pack.stream)
    #expect(
      report.findings.map(\.message) == [
        "the pack has no folder 'Contents'"
      ])
    #expect(report.hasErrors)
  }

  @Test(arguments: ["a\u{1B}[2Jb", "a\nb", "\u{7F}", "x\u{85}y", "x\u{9F}", "\u{1}"])
  func `a path with a control character is an error`(name: String)
    throws
  {
    let found = try findings { $0.addFile("Contents/" + name, [1]) }
    #expect(found.count == 1, "\(found)")
    #expect(found.first?.hasPrefix("error archive.path: the entry 'Contents/") == true)
    #expect(found.first?.contains("contains a control character") == true)
  }

  @Test(arguments: ["é", "\u{A0}x", "ÿ", "日本", "a b"])
  func `names with non-ASCII characters are valid`(name: String) throws {
    #expect(try findings { $0.addFile("Contents/" + name, [1]) } == [])
  }

  @Test(arguments: ["", "folder/"])
  func `a name of 255 bytes is valid, one of 256 is not`(parent: String) throws {
    for (count, isValid) in [(255, true), (256, false)] {
      let found = try findings {
        if !parent.isEmpty { $0.addFolder("Contents/folder") }
        $0.addFile("Contents/" + parent + String(repeating: "n", count: count), [1])
      }
      #expect(found.isEmpty == isValid)
      if !isValid { #expect(found.first?.contains("a name of more than 255 bytes") == true) }
    }
  }

  @Test
  func `errors after many warnings are listed`() throws {
    var pack = PackBytes.beginning
    for index in 0..<1500 {
      pack.add(
        type: "F",
        [
          PackBytes.path("Contents/\(index)"), PackBytes.attributes(0o644), Array("ZZZ*".utf8),
          Array("DATA".utf8) + [0, 0],
        ])
    }
    pack.addFile("../evil", [1])
    pack.addManifest(selecting: [#"{"directory": "."}"#])
    let report = try report(pack.stream + Array("junk".utf8))
    let findings = report.findings.all
    #expect(report.hasErrors)
    #expect(report.count(.warning) == 1500)
    #expect(report.count(.error) == 2)
    // The last finding contains the number of the others.
    #expect(findings.count { $0.severity == .warning } == 1000 + 1)
    #expect(
      findings.filter { $0.severity == .error }.map(\.id.name)
        == ["archive.path", "archive.damaged"])
    #expect(
      findings.last?.message == "500 more warnings are not listed; fix the listed ones first")
  }

  // MARK: - Recorded sizes and digests

  private static let contents = Array("123456789".utf8)

  /// Returns the fields about contents, with the correct values for ``contents``.
  private static func fields() throws -> [(name: String, letter: String, value: [UInt8])] {
    func digest(_ kind: Digest.Algorithm) throws -> [UInt8] {
      var digest = try Digest(kind)
      contents.withRawSpan { digest.update($0) }
      return digest.finish()
    }
    return try [
      ("SIZ", "1", [9]),
      // The result of cksum(1): 930766865.
      ("CKS", "F", PackBytes.little(930_766_865, 4)),
      ("SH1", "G", digest(.sha1)), ("SH2", "H", digest(.sha256)), ("SH3", "I", digest(.sha384)),
      ("SH5", "J", digest(.sha512)),
    ]
  }

  @Test(arguments: 0..<6)
  func `recorded sizes and digests are compared with the contents`(index: Int) throws {
    let field = try Self.fields()[index]
    for change in [UInt8(0), 1] {
      var value = field.value
      value[value.count / 2] ^= change
      let found = try findings {
        $0.add(
          type: "F",
          [
            PackBytes.path("Contents/x"), PackBytes.attributes(0o644),
            Array((field.name + field.letter).utf8) + value,
            Array("DATA".utf8) + PackBytes.little(Self.contents.count, 2),
          ], Self.contents)
      }
      #expect(found.contains { $0.hasPrefix("error archive.recorded") } == (change != 0))
      // Every reader of the contents compares them.
      var reader = try PackReader(opening: folder.path("a.aar"))
      var digests = 0
      do throws(PackError) {
        while let entry = try reader.nextEntry() {
          guard entry.kind == .file else { continue }
          _ = try reader.contentDigest(.unstoppable)
          digests += 1
        }
        #expect(change == 0 && digests == 2)
      } catch {
        #expect(change != 0 && digests == 0)
        #expect(error.message.contains("the entry 'Contents/x' records"), "\(error)")
      }
      // The effect of the field on devices is undocumented.
      #expect(found.contains { $0.hasPrefix("warning archive.field") })
      #expect(found.count == (change == 0 ? 1 : 2), "\(found)")
    }
  }
}
