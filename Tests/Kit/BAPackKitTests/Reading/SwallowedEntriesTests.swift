import Foundation
import SourceDiagnostics
import SystemIO
import TestSupport
import Testing
import AssetArchive

@testable import BAPackKit

/// Tests of lengths that reach to the end of a later entry, and of similar valid files.
@Suite final class SwallowedEntriesTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Returns a pack in which the contents of a file include the following entries.
  private func damaged(
    _ path: String = "Contents/b", _ contents: [UInt8] = Array("own".utf8),
    swallowing add: (inout PackBytes) -> Void
  ) -> PackBytes {
    var swallowed = PackBytes()
    add(&swallowed)
    var pack = PackBytes.beginning
    pack.addFolder("Contents/a")
    pack.addFile("Contents/a/x", [1])
    pack.addFile(path, contents + swallowed.stream)
    pack.addFile("Contents/y", [2])
    pack.addManifest(selecting: [#"{"directory": "."}"#])
    return pack
  }

  /// Returns the suspicions of a reader about the contents of files.
  private func faults(_ bytes: [UInt8]) throws -> [SwallowedEntries.Suspicion] {
    var faults: [SwallowedEntries.Suspicion] = []
    var reader = try PackReader(bytes, named: "pack")
    while let entry = try reader.nextEntry() {
      if let fault = try reader.readContents(judging: entry, { _ in }).suspicion {
        faults.append(fault)
      }
    }
    return faults
  }

  @Test(arguments: [1, 7, 100, 1535, 1536, 4096, 1 << 20])
  func `swallowed entries are detected for all block sizes`(blockSize: Int) throws {
    for count in [0, 3, 15, 16, 17, 1533, 1600, 9000] {
      let pack = damaged("Contents/b", [UInt8](repeating: 65, count: count)) { pack in
        pack.addFolder("Contents/c")
        pack.addFile("Contents/c/1", [UInt8](repeating: 7, count: 2000))
        pack.addFile("Contents/d")
      }
      let fault = SwallowedEntries.Suspicion(
        first: try PackPath(Array("Contents/c".utf8)[...]), count: 3, offset: UInt64(count))
      #expect(try faults(pack.container(blockSize: blockSize)) == [fault])
      #expect(try faults(pack.stream) == [fault])
    }
  }

  @Test
  func `a file that swallowed all following entries is detected`() throws {
    var rest = PackBytes()
    rest.addFile("Contents/y", [2])
    rest.addManifest(selecting: [#"{"directory": "."}"#])
    var pack = PackBytes.beginning
    pack.addFile("Contents/b", [1, 2] + rest.stream)
    #expect(
      try faults(pack.stream) == [
        .init(first: try PackPath(Array("Contents/y".utf8)[...]), count: 2, offset: 2)
      ])
  }

  @Test
  func `verify warns with the file, the first entry and its offset`() throws {
    let pack = damaged { pack in
      pack.addFile("Contents/c", [1])
      pack.addFile("Contents/d", [2])
    }
    try folder.makeFile("a.aar", pack.container())
    let report = try Verification().verify(folder.path("a.aar"), .unstoppable)
    let findings = report.findings.all
    #expect(findings.map(\.id) == [ArchiveRules.length.id])
    #expect(findings.map(\.severity) == [.warning])
    #expect(!report.hasErrors)
    let start = try #require(
      pack.stream.indices.first { pack.stream[$0...].starts(with: Array("ownAA01".utf8)) })
    #expect(
      findings.first?.message
        == """
        the contents of 'Contents/b' end with 2 complete entries, the first 'Contents/c' (at byte \
        \(start + 3) of the decoded archive): their length may be damaged
        """)
  }

  @Test
  func `a swallowed file that the manifest names is a proof`() throws {
    var swallowed = PackBytes()
    swallowed.addFile("Contents/c", [1])
    var pack = PackBytes.beginning
    pack.addFile("Contents/b", swallowed.stream)
    pack.addManifest(selecting: [#"{"file": "b"}"#, #"{"file": "c"}"#])
    try folder.makeFile("a.aar", pack.stream)
    let report = try Verification().verify(folder.path("a.aar"), .unstoppable)
    #expect(
      report.findings.map { "\($0.severity) \($0.id.name)" }
        == ["warning archive.length", "error archive.missing"])
  }

  @Test(arguments: [false, true])
  func `a suspicion is not a proof: extract uses the recorded length`(force: Bool) throws {
    let pack = damaged { $0.addFile("Contents/c", [1]) }
    var swallowed = PackBytes()
    swallowed.addFile("Contents/c", [1])
    try folder.makeFile("a.aar", pack.stream)
    if force { try folder.makeFile("out/b", "mine") }
    var extraction = Extraction()
    extraction.isForced = force
    let summary = try extraction.extract(
      folder.path("a.aar"), into: folder.path("out"), .unstoppable)
    #expect(summary.fileCount == 3)
    #expect(try folder.contents("out/b") == Array("own".utf8) + swallowed.stream)
  }

  @Test
  func `an archive that was packed as a file is no damage, at any offset`() throws {
    for start in [0, 1, 5000] {
      for archive in [PackBytes.sample.stream, PackBytes.sample.stream + PackBytes.sample.stream] {
        let contents = [UInt8](repeating: 1, count: start) + archive
        #expect(try faults(damaged("Contents/b", contents) { _ in }.stream).isEmpty)
        // Also if its paths could follow the paths of the pack.
        #expect(try faults(damaged("Contents/Levels0", contents) { _ in }.stream).isEmpty)
      }
    }
  }

  @Test
  func `the end of an uncompressed pack is no damage: no entry follows a manifest`() throws {
    var part = PackBytes()
    part.addFile("Contents/c", [1])
    part.addManifest(selecting: [])
    #expect(try faults(damaged("Contents/b", part.stream) { _ in }.stream).isEmpty)
  }

  @Test
  func `entries that do not fit between the file and the next entry are no damage`() throws {
    for path in ["Contents/a/z", "Contents/b", "Contents/B", "Contents/z", "d", "Contents/e/f"] {
      #expect(try faults(damaged { $0.addFile(path) }.stream).isEmpty, "\(path)")
    }
    #expect(try faults(damaged { $0.addFile("Contents/c") }.stream).count == 1)
  }

  @Test
  func `an archive that was packed as a file and swallowed entries is detected`() throws {
    let pack = damaged("Contents/b", PackBytes.sample.stream) { $0.addFile("Contents/c", [1]) }
    let offset = UInt64(PackBytes.sample.stream.count)
    #expect(
      try faults(pack.stream) == [
        .init(first: try PackPath(Array("Contents/c".utf8)[...]), count: 1, offset: offset)
      ])
  }

  @Test
  func `an incomplete last entry, or bytes after it, is not a chain`() throws {
    var part = PackBytes()
    part.addFile("Contents/c", [1, 2, 3])
    for contents in [part.stream + [0], part.stream.dropLast()] {
      #expect(try faults(damaged("Contents/b", contents) { _ in }.stream).isEmpty)
    }
  }

  @Test
  func `a file full of headers costs little memory and little time`() throws {
    // Each header has another length, so that no two chains meet.
    var part = PackBytes()
    for index in 0..<2000 {
      part.add(
        type: "F",
        [PackBytes.path("Contents/c"), Array("DATB".utf8) + PackBytes.little(100_000 + index, 4)])
    }
    let contents = part.stream + [UInt8](repeating: 0, count: 200_000)
    #expect(try faults(damaged("Contents/b", contents) { _ in }.stream).isEmpty)
  }
}
