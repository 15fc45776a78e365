import BAPackKit
import Foundation
import SourceDiagnostics
import SystemIO
import TestSupport
import Testing

/// Packing and extracting give the same tree.
@Suite final class RoundTripTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Returns the paths in a folder, with modes and contents.
  private func tree(_ path: String) throws -> [String: [UInt8]] {
    var tree: [String: [UInt8]] = [:]
    for name in try FileManager.default.subpathsOfDirectory(atPath: path) {
      let attributes = try FileManager.default.attributesOfItem(atPath: path + "/" + name)
      let mode = attributes[.posixPermissions] as? Int ?? 0
      let isFolder = attributes[.type] as? FileAttributeType == .typeDirectory
      let contents =
        isFolder ? Data("/".utf8) : try Data(contentsOf: URL(filePath: path + "/" + name))
      tree[name] = Array("\(mode) ".utf8) + contents
    }
    return tree
  }

  /// Makes a random tree: nested folders, empty folders, files of all sizes.
  private func makeTree(_ seed: UInt64) throws {
    var random = Seeded(seed: seed)
    let names = ["a", "a.txt", "B", "日本", "e\u{301}", "with space", "-o", "x'y\"", "Ä.bin", ".dot"]
    func fill(_ path: String, depth: Int) throws {
      for name in names where random.next() % 3 == 0 {
        let inner = path.isEmpty ? name : "\(path)/\(name)"
        if random.next() % 3 == 0, depth < 4 {
          try folder.makeFolder("source/" + inner)
          try fill(inner, depth: depth + 1)
        } else {
          let size = [0, 1, 100, 4095, 4096, 4097, 30_000][random.next(below: 7)]
          let mask: UInt64 = random.next() % 2 == 0 ? 0xFF : 0x03
          let bytes = (0..<size).map { _ in UInt8(random.next() & mask) }
          try folder.makeFile(
            "source/" + inner, bytes, mode: random.next() % 4 == 0 ? 0o755 : 0o644)
        }
      }
    }
    try folder.makeFile("source/always", "x")
    try fill("", depth: 0)
  }

  private func pack(
    _ root: String, _ settings: PackSettings, to name: String = "a.aar"
  ) throws -> [UInt8] {
    let document = ManifestDocument(
      parsing: PackBytes.manifest(selecting: [#"{"directory": "."}"#]), named: "m")
    let root = try SourceRoot(opening: root, .unstoppable)
    let selection = try Selection.resolve(document, in: root, .unstoppable).selection
    let plan = try PackPlan(
      try #require(document.manifest), selection, from: root, settings: settings)
    var options = PackSeries.Options()
    options.replacesExisting = true
    _ = try PackSeries.Job(plan, to: folder.path(name)).pack(.unstoppable, options)
    return [UInt8](try Data(contentsOf: URL(filePath: folder.path(name))))
  }

  @Test(arguments: PackSettings.Compression.allCases, [1, 2, 3] as [UInt64])
  func `extracting gives the packed tree, and the referee reads the same`(
    compression: PackSettings.Compression, seed: UInt64
  ) throws {
    try makeTree(seed)
    let settings = PackSettings(compression: compression, blockSize: 4096, threads: 2)
    let bytes = try pack(folder.path("source"), settings)
    let referee = try RefereeArchive(bytes)
    #expect(!referee.entries.contains { !$0.isMinimal })
    var extraction = Extraction()
    extraction.threads = 2
    _ = try extraction.extract(folder.path("a.aar"), into: folder.path("out"), .unstoppable)
    let expected = try tree(folder.path("source"))
    #expect(try tree(folder.path("out")) == expected)
    let contents = referee.entries.filter { $0.name.hasPrefix("Contents/") }
    #expect(contents.count == expected.count)
    for entry in contents where entry.type == "F" {
      let bytes = expected[String(entry.name.dropFirst(9))]?.dropFirst(4)
      #expect(bytes.map(Array.init) == entry.data)
    }
    var verification = Verification()
    verification.threads = 2
    let report = try verification.verify(folder.path("a.aar"), .unstoppable)
    #expect(report.findings.all == [])
  }

  @Test(arguments: [".zip", ".tar", ".tar.gz", ".tar.zst", ".7z"])
  func `an archive as source root gives the same pack as a folder`(suffix: String) throws {
    try makeTree(7)
    // libarchive normalises two scalars in a 7z archive to one.
    if suffix == ".7z" {
      for name in try FileManager.default.subpathsOfDirectory(atPath: folder.path("source"))
      where name.hasSuffix("e\u{301}") { try? folder.remove("source/" + name) }
    }
    let settings = PackSettings(blockSize: 4096)
    let expected = try pack(folder.path("source"), settings)
    _ = try Extraction().export(folder.path("a.aar"), to: folder.path("x" + suffix), .unstoppable)
    #expect(try pack(folder.path("x" + suffix), settings, to: "b.aar") == expected)
  }
}
