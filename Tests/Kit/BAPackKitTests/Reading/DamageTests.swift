import Foundation
import SystemIO
import TestSupport
import Testing

@testable import BAPackKit

/// Tests that a changed byte in a small pack is always harmless or reported.
///
/// A change is harmless if it affects only the contents of a file or a metadata value, because the
/// format contains no digest. A name is such a value if it is valid in that place.
@Suite final class DamageTests {
  /// The result of an independent reader of a pack; nil if it reports an error.
  struct Structure: Equatable {
    var kinds: [PackEntry.Kind] = []
    var sizes: [UInt64?] = []
    /// The entry of each byte, by offset.
    var parents: [Int?] = []
    var paths: [[UInt8]] = []

    init?(_ bytes: [UInt8]) {
      do throws(PackError) {
        var reader = try PackReader(bytes, named: "a")
        var validator = EntryValidator(decodedSize: .max)
        while let entry = try reader.nextEntry() {
          var size: UInt64 = 0
          guard validator.faults(of: entry).isEmpty,
            try reader.readContents(judging: entry, { size += UInt64($0.byteCount) }).suspicion
              == nil,
            size == entry.size ?? 0
          else { return nil }
          kinds.append(entry.kind)
          sizes.append(entry.size)
          let folder =
            entry.bytesInArchive.lastIndex(of: UInt8(ascii: "/"))
            ?? entry.bytesInArchive.startIndex
          parents.append(
            entry.bytesInArchive.isEmpty
              ? nil : paths.firstIndex(of: Array(entry.bytesInArchive[..<folder])))
          paths.append(Array(entry.bytesInArchive))
        }
      } catch {
        return nil
      }
    }

    /// Whether only names differ: all other properties are equal, and the entry is in the same
    /// folder unless a slash in its own name was changed.
    func differsInNamesAlone(from whole: Structure) -> Bool {
      kinds == whole.kinds && sizes == whole.sizes
        && zip(zip(parents, whole.parents), zip(paths, whole.paths)).allSatisfy {
          $0.0 == $0.1 || $1.0 != $1.1
        }
    }
  }

  /// Returns a small pack with several blocks, from the packer.
  static func pack(_ compression: PackSettings.Compression) throws -> [UInt8] {
    let source = try TemporaryFolder()
    let text = (0..<70).map { "{\"level\": \($0 / 3), \"name\": \"level\"}\n" }.joined()
    try source.makeFile("Levels/one.json", text)
    try source.makeFile("Levels/two.json", String(text.reversed()))
    try source.makeFile("Levels/zero.json", "")
    try source.makeFile("run.sh", "#!/bin/sh\n", mode: 0o755)
    try source.makeFolder("empty")
    let document = ManifestDocument(
      parsing: PackBytes.manifest(selecting: [#"{"directory": "."}"#]), named: "m")
    let root = try SourceRoot(opening: source.path, .unstoppable)
    let selection = try Selection.resolve(document, in: root, .unstoppable).selection
    let plan = try PackPlan(
      try #require(document.manifest), selection, from: root,
      settings: PackSettings(compression: compression, blockSize: 4096))
    _ = try PackSeries.Job(plan, to: source.path("a.aar")).pack(.unstoppable)
    return [UInt8](try Data(contentsOf: URL(filePath: source.path("a.aar"))))
  }

  private func check(
    _ compression: PackSettings.Compression, step: Int, _ changes: [UInt8]
  ) throws {
    var bytes = try Self.pack(compression)
    let right = try #require(Structure(bytes))
    #expect(right.kinds.count == 9)
    for index in stride(from: 0, to: bytes.count, by: step) {
      let before = bytes[index]
      for change in changes {
        bytes[index] = before ^ change
        switch Structure(bytes) {
        case nil, right: break
        case .some(let structure) where structure.differsInNamesAlone(from: right): break
        default:
          Issue.record("\(compression): byte \(index) ^ \(change) changed the structure unnoticed")
        }
      }
      bytes[index] = before
    }
  }

  @Test(arguments: PackSettings.Compression.allCases)
  func `some corruptions of a small pack`(compression: PackSettings.Compression) throws {
    try check(compression, step: 23, [1, 0x80])
  }

  @Test(
    .world,
    arguments: PackSettings.Compression.allCases)
  func `sixteen changes of every byte of a small pack`(
    compression: PackSettings.Compression
  ) throws {
    let bits = (0..<8).map { UInt8(1) << $0 }
    try check(compression, step: 1, bits + [0xFF, 0x7F, 0x55, 0xAA, 0x0F, 0x30, 0x03, 0x24])
  }

  @Test(arguments: PackSettings.Compression.allCases)
  func `a damaged pack is extracted completely or rejected, within the folder`(
    compression: PackSettings.Compression
  ) throws {
    let folder = try TemporaryFolder()
    var bytes = try Self.pack(compression)
    for index in stride(from: 0, to: bytes.count, by: max(1, bytes.count / 20)) {
      bytes[index] ^= 0x41
      try folder.makeFile("a.aar", bytes)
      try folder.makeFolder("inner")
      let summary = try? Extraction().extract(
        folder.path("a.aar"), into: folder.path("inner/out"), .unstoppable)
      let left = try FileManager.default.contentsOfDirectory(atPath: folder.path("inner"))
      #expect(left == (summary == nil ? [] : ["out"]))
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 2)
      try folder.remove("inner")
      bytes[index] ^= 0x41
    }
  }

  @Test(arguments: PackSettings.Compression.allCases)
  func `a truncated pack is reported with an offset inside it`(
    compression: PackSettings.Compression
  ) throws {
    let folder = try TemporaryFolder()
    let whole = try Self.pack(compression)
    let step = ProcessInfo.processInfo.environment["HEAVY_TESTS"] == nil ? 37 : 3
    for count in stride(from: 0, to: whole.count, by: step) {
      try folder.makeFile("a.aar", Array(whole.prefix(count)))
      let report = try Verification().verify(folder.path("a.aar"), .unstoppable)
      #expect(report.hasErrors, "cut off at \(count)")
    }
  }
}
