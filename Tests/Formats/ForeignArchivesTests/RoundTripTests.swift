import Foundation
import SystemIO
import TestSupport
import Testing

@testable import ForeignArchives

@Suite struct RoundTripTests {
  /// Formats that are only written, with the first bytes of their files.
  private static let written = [".cpio": Array("070701".utf8), ".tar.lz4": [4, 0x22, 0x4D, 0x18]]
  static let formats = ForeignFormat.all.map(\.suffix).filter { written[$0] == nil }

  private let samples: [Sample] = [
    .folder("empty folder"),
    .folder("Levels"),
    .file("Levels/one.bin", (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 5) }),
    .file("Levels/empty", []),
    .file("run", Array("#!/bin/sh\n".utf8), permissions: 0o755),
    .file("日本語/с кириллицей.txt", Array("text".utf8)),
    .file("composed \u{E9}.txt", Array("one scalar".utf8)),
    .file(String(repeating: "long/", count: 60) + "name", Array("deep".utf8)),
  ]

  @Test(arguments: formats)
  func `an exported archive is read unchanged`(suffix: String) throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/x" + suffix
    try export(samples, to: path)
    let entries = try listing(of: path).entries.sorted { $0.name < $1.name }
    let expected = samples.sorted { $0.path < $1.path }
    #expect(entries.map(\.path) == expected.map(\.entry.path))
    #expect(entries.map(\.kind) == expected.map(\.entry.kind))
    #expect(entries.map(\.permissions) == expected.map(\.entry.permissions))
    #expect(entries.map(\.modified) == expected.map(\.entry.modified))
    let files = zip(entries, expected).filter { $0.0.kind == .file }
    #expect(files.map(\.0.size) == files.map(\.1.entry.size))
    #expect(try contents(of: path, files.map(\.0.index)) == files.map(\.1.contents))
  }

  @Test func `without libarchive, no archive is written or read`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/x.tar"
    try export(samples, to: path)
    ForcedFailures.inject(.always(.load, 79)) {
      for failure in [
        #expect(throws: Failure.self) { try export(samples, to: folder.path + "/y.tar") },
        #expect(throws: Failure.self) { _ = try listing(of: path) },
      ] { #expect(failure?.path == "libarchive.so.13") }
    }
    #expect(try listing(of: path).entries.count == samples.count)
  }

  @Test(arguments: formats)
  func `times out of the range of a format are moved to the nearer end, and counted`(suffix: String)
    throws
  {
    let folder = try TemporaryFolder()
    let path = folder.path + "/x" + suffix
    let range = try #require(ForeignFormat(fileName: suffix)).times
    let inside = [
      0, 978_307_200, 157_766_400, Int64(UInt32.max), range.lowerBound, range.upperBound,
    ]
    let outside = [
      Int64.min, .min + 1, .max, .max - 1, range.lowerBound - 1, range.upperBound + 1,
    ]
    let samples = (inside + outside).enumerated().map { index, seconds in
      var sample = Sample.file("\(100 + index)", [1])
      sample.entry.modified?.seconds = seconds
      return sample
    }
    #expect(try export(samples, to: path) == outside.count)
    let read = try listing(of: path).entries.sorted { $0.name < $1.name }.map(\.modified?.seconds)
    let expected = inside + outside.map { min(max($0, range.lowerBound), range.upperBound) }
    // libarchive writes times before 1970 into a 7z, and reads them as 1970.
    #expect(read == expected.map { suffix == ".7z" ? max($0, 0) : $0 })
  }

  @Test(arguments: formats)
  func `letters are unchanged, composed or not`(suffix: String) throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/x" + suffix
    try export([.file("e\u{301}.txt", [1]), .file("\u{E8}/n\u{303}", [2])], to: path)
    let names = try listing(of: path).entries.map(\.path)
    #expect(names.contains(Array("e\u{301}.txt".utf8)))
    #expect(names.contains(Array("\u{E8}/n\u{303}".utf8)))
  }

  @Test(arguments: written.keys.sorted())
  func `a format that is only written is rejected as a source root`(suffix: String) throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/x" + suffix
    try export(samples, to: path)
    #expect(try load(path).starts(with: Self.written[suffix] ?? [0]))
    #expect(throws: Failure.malformed("Unrecognized archive format", "a.tar")) {
      try listing(of: path)
    }
  }

  @Test(arguments: ForeignFormat.all.map(\.suffix))
  func `the same entries give the same bytes`(suffix: String) throws {
    let folder = try TemporaryFolder()
    try export(samples, to: folder.path + "/a" + suffix)
    try export(samples, to: folder.path + "/b" + suffix)
    let bytes = try load(folder.path + "/a" + suffix)
    #expect(try bytes == load(folder.path + "/b" + suffix))
    // A gzip header has four bytes for the time of the export; zeros represent no time.
    if suffix == ".tar.gz" { #expect(bytes[4..<8] == [0, 0, 0, 0]) }
  }

  @Test(arguments: [".zip", ".tar.gz", ".7z"])
  func `contents are read in any order, and more than once`(suffix: String) throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/x" + suffix
    let files = (0..<20).map { Sample.file("f\($0)", Array(repeating: UInt8($0), count: $0 * 999)) }
    try export(files, to: path)
    let entries = try listing(of: path).entries
    var order = entries.map(\.index)
    order.reverse()
    order += [order[3], order[3], order[0]]
    let byIndex = Dictionary(uniqueKeysWithValues: entries.map { ($0.index, $0.name) })
    let expected = order.map { index in files.first { $0.path == byIndex[index] }?.contents }
    #expect(try contents(of: path, order, buffer: 777) == expected)
  }

  @Test
  func `entries in the order of the archive need no temporary file`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/x.tar.zst"
    try export((0..<5).map { .file("f\($0)", [UInt8($0)]) }, to: path)
    try withFile(at: path) { file in
      var contents = try ForeignContents(file, name: path, order: [1, 3], .unstoppable)
      for index in [1, 3] {
        try contents.open(index)
        var byte: [UInt8] = [0, 0]
        let count = try contents.read(into: &byte)
        #expect(count == 1)
        #expect(byte[0] == UInt8(index))
      }
      let isSpooled = contents.spool != nil
      #expect(!isSpooled)
    }
  }

  @Test
  func `an export reports too many or too few bytes of an entry`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/x.tar"
    var sample = Sample.file("a.txt", [1, 2, 3])
    sample.contents = [1, 2]
    #expect(throws: Failure.malformed("entry 'a.txt' lacks 1 bytes", path)) {
      try export([sample], to: path)
    }
    sample.contents = [1, 2, 3, 4]
    #expect(
      throws: Failure.malformed("entry 'a.txt' has more bytes than its header specifies", path)
    ) {
      try export([sample], to: path)
    }
  }

  @Test
  func `the end of a file name determines the format`() {
    #expect(ForeignFormat(fileName: "Pack.TAR.GZ")?.suffix == ".tar.gz")
    #expect(ForeignFormat(fileName: "a/b.tgz")?.suffix == ".tgz")
    #expect(ForeignFormat(fileName: "folder") == nil)
    #expect(ForeignFormat(fileName: "x.aar") == nil)
  }
}
