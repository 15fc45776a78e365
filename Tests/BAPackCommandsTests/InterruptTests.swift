import Foundation
import Glibc
import TestSupport
import Testing

/// The program is interrupted as soon as it has written something, whatever it is that it does.
@Suite("An interrupt", .serialized)
final class InterruptTests {
  /// Larger than what any machine writes between two looks at it.
  private static let size = 4 << 30

  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    for name in ["in", "out", "tmp"] { try folder.makeFolder(name) }
    try folder.makeFile(
      "m.json",
      """
      {"assetPackID": "Large", "downloadPolicy": {"onDemand": {}}, "platforms": [],
       "sourceRoot": "in", "fileSelectors": [{"directory": "."}]}
      """)
  }

  /// Runs the program and interrupts it once something was written below `place`; what is left in
  /// the output folder is what was there before.
  private func interrupt(
    _ signal: Int32, _ words: [String], onceWritingTo place: String = "out/",
    keeping names: [String] = [], saying message: String
  ) throws {
    let path = folder.path(place)
    let run = try BuiltProgram.run(
      words, environment: ["TMPDIR": folder.path("tmp")],
      interrupted: .init(signal: signal) { $0.openBytes(below: path) > 0 })
    #expect(run.wasSignalled)
    #expect(run.status == signal)
    #expect(run.messages == message + "\n")
    #expect(try FileManager.default.subpathsOfDirectory(atPath: folder.path("out")) == names)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("tmp")) == [])
  }

  private func pack(_ more: String...) -> [String] {
    [
      "pack", folder.path("m.json"), "-o", folder.path("out/new/x"), "--compression", "lzma",
      "--level", "best",
    ] + more
  }

  private var notPacked: String {
    "Interrupted; '\(folder.path("out/new/x/Large.aar"))' was not written"
  }

  @Test("of packing", arguments: [SIGINT, SIGTERM, SIGHUP])
  func packing(signal: Int32) throws {
    try folder.makeHole("in/hole", size: Self.size)
    try interrupt(signal, pack(), saying: notPacked)
  }

  /// A tar whose entry `z` is all hole, and stands before or behind `a`.
  private func makeTar(largeFirst: Bool) throws {
    var large = TarBytes()
    large.addHeader("z", size: Self.size)
    var small = TarBytes()
    small.add("a", contents: "small")
    let end = [UInt8](repeating: 0, count: 1024)
    let start = largeFirst ? large.bytes : small.bytes + large.bytes
    try folder.makeHole(
      "in.tar", size: 0, (0, start),
      (start.count + Self.size, largeFirst ? small.bytes + end : end))
  }

  @Test("of packing from an archive", arguments: [SIGINT, SIGTERM])
  func packingFromArchive(signal: Int32) throws {
    try makeTar(largeFirst: false)
    try interrupt(signal, pack("--source-root", folder.path("in.tar")), saying: notPacked)
  }

  @Test(
    "of packing from an archive, while an entry is put aside", .withoutThreadSanitizer,
    arguments: [SIGINT, SIGTERM])
  func puttingAside(signal: Int32) throws {
    try makeTar(largeFirst: true)
    try interrupt(
      signal, pack("--source-root", folder.path("in.tar")), onceWritingTo: "tmp/",
      saying: notPacked)
  }

  /// A pack whose one file is all hole.
  private func makePack() throws -> String {
    var pack = PackBytes.beginning
    pack.add(
      type: "F",
      [
        PackBytes.path("Contents/hole"), PackBytes.attributes(0o644),
        Array("DATC".utf8) + PackBytes.little(Self.size, 8),
      ])
    var manifest = PackBytes()
    manifest.addManifest(selecting: [#"{"directory": "."}"#])
    try folder.makeHole(
      "x.aar", size: 0, (0, pack.stream), (pack.stream.count + Self.size, manifest.stream))
    return folder.path("x.aar")
  }

  @Test("of extracting", arguments: [SIGINT, SIGTERM, SIGHUP])
  func extracting(signal: Int32) throws {
    try interrupt(
      signal, ["extract", try makePack(), "-o", folder.path("out/x")],
      saying: "Interrupted; nothing was extracted")
  }

  @Test("of extracting into a folder that holds something", arguments: [SIGINT, SIGTERM])
  func extractingIntoFilled(signal: Int32) throws {
    try folder.makeFile("out/x/hole", "mine")
    let target = folder.path("out/x")
    try interrupt(
      signal, ["extract", try makePack(), "-f", "-o", target], onceWritingTo: "out/x/.ba",
      keeping: ["x", "x/hole"],
      saying: "Interrupted; what was extracted before stays in '\(target)'")
    #expect(try folder.contents("out/x/hole") == Array("mine".utf8))
  }

  @Test("of exporting", arguments: [SIGINT, SIGTERM])
  func exporting(signal: Int32) throws {
    let target = folder.path("out/x.tar")
    try interrupt(
      signal, ["extract", try makePack(), "-o", target],
      saying: "Interrupted; '\(target)' was not written")
  }
}
