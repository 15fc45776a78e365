import SystemIO
import TestSupport
import Testing

@testable import ForeignArchives

/// Tests of archives of formats with checksums.
@Suite struct DamageTests {
  /// The formats with checksums over all contents, as written by this module.
  static let checked = [".zip", ".tar.gz", ".tar.bz2", ".tar.xz", ".7z"]

  private let samples: [Sample] = [
    .folder("d"),
    .file("d/empty", []),
    .file("d/noise", (0..<3000).map { UInt8(truncatingIfNeeded: $0 &* $0 &* 2_654_435_761 >> 13) }),
    .file("text", Array(String(repeating: "all work and no play ", count: 300).utf8)),
    .file("z", [1, 2, 3]),
  ]

  /// Returns all files in an archive, by their paths.
  private func read(_ path: String) throws -> [String: [UInt8]] {
    let files = try listing(of: path).entries.filter { $0.kind == .file }
    let all = try contents(of: path, files.map(\.contents))
    return Dictionary(zip(files.map(\.name), all)) { $1 }
  }

  @Test(arguments: checked)
  func `a flipped bit anywhere is an error or has no effect`(suffix: String) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("x" + suffix)
    try export(samples, to: path)
    let whole = try load(path)
    let expected = try read(path)
    var (refused, harmless) = (0, 0)
    for place in whole.indices where place % 7 == 0 || place > whole.count - 64 {
      // The kind of an entry is under no checksum in a zip.
      if suffix == ".zip", Self.attributes(in: whole).contains(place) { continue }
      var bytes = whole
      bytes[place] ^= 1 << UInt8(place % 8)
      try save(bytes, path)
      do {
        #expect(try read(path) == expected, "bit \(place % 8) of byte \(place)")
        harmless += 1
      } catch {
        #expect(error is Failure)
        refused += 1
      }
    }
    #expect(refused > harmless)
  }

  @Test(arguments: checked)
  func `an archive that is truncated anywhere is an error`(suffix: String) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("x" + suffix)
    try export(samples, to: path)
    let whole = try load(path)
    let counts = [1, 2, 4, 8, 9, 12, 20, 22, 23, 40, 100] + stride(from: 150, to: 2000, by: 37)
    for count in counts where count < whole.count {
      try save(Array(whole.dropLast(count)), path)
      #expect(throws: Failure.self, "without the last \(count) bytes") {
        try read(path)
      }
    }
  }

  @Test
  func `a tar that ends between two entries is truncated, and one block of zeros is an end`() throws
  {
    let folder = try TemporaryFolder()
    let path = folder.path("x.tar")
    let contents = [UInt8](repeating: 65, count: 900)
    try export((0..<3).map { .file("f\($0)", contents) }, to: path)
    let whole = try load(path)
    // A header and two blocks of contents for each file.
    for count in [3, 6, 9] {
      try save(Array(whole.prefix(count * 512)), path)
      let error = #expect(throws: Failure.self, "\(count) blocks") { try read(path) }
      #expect(error?.reason == "the tar archive is truncated: its end mark is missing")
    }
    for count in [10, 11] {
      try save(Array(whole.prefix(count * 512)), path)
      #expect(try read(path) == ["f0": contents, "f1": contents, "f2": contents])
    }
  }

  @Test(arguments: [".zip", ".7z"])
  func `an error in an entry contains its name`(suffix: String) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("x" + suffix)
    try export([.file("a\u{1B}", samples[2].contents)], to: path)
    var bytes = try load(path)
    bytes[bytes.count / 2] ^= 1
    try save(bytes, path)
    let error = #expect(throws: Failure.self) { try read(path) }
    #expect(error?.reason.hasPrefix(#"entry 'a\x1B': "#) == true)
  }

  @Test
  func `gzip: several members, zeros after them, other data after them`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("x.tar.gz")
    try export(samples, to: path)
    let expected = try read(path)
    let member = try load(path)
    try export([], to: folder.path("y.tar.gz"))
    let other = try load(folder.path("y.tar.gz"))
    let zeros = [UInt8](repeating: 0, count: 600)
    for good in [member + other, member + [0, 0, 0], member + other + zeros] {
      try save(good, path)
      #expect(try read(path) == expected)
    }
    let cut = [Array(other.dropLast()), Array(other.dropLast(8)), Array(other.dropLast(16))]
    for bad in [member + [1], member + zeros + [1]] + cut.map({ member + $0 }) {
      try save(bad, path)
      #expect(throws: Failure.self) { try read(path) }
    }
  }

  /// Returns the positions of version, system and attributes in the directory of a zip.
  private static func attributes(in zip: [UInt8]) -> Set<Int> {
    let entries = zip.indices.dropLast(46).filter { zip[$0...].starts(with: [0x50, 0x4B, 1, 2]) }
    return Set(entries.flatMap { [$0 + 4, $0 + 5] + Array($0 + 36..<$0 + 42) })
  }
}
