import BlockCodecs
import Foundation
import TerminalText
import TestSupport
import Testing

/// One folder tree, created and packed in all ways that must not affect the bytes.
@Suite("Reproducible packs", .mustEnd)
final class SameBytesTests {
  private let folder: TemporaryFolder
  private var runs = 0

  private static let names = [
    "run.sh", "b/2", "b/10", "B/x", "a.txt", "a/x", "a-b", "é", "e\u{301}", "日本/ß", "İ/ı", ".dot",
  ]

  init() throws {
    folder = try TemporaryFolder()
    try folder.makeFile(
      "m.json",
      """
      {"assetPackID": "Same", "downloadPolicy": {"onDemand": {}}, "platforms": [],
       "fileSelectors": [{"directory": "."}]}
      """)
    try makeTree("one", Self.names, time: 1_000_000_000)
  }

  /// Creates the tree with the names in this order, and with permissions that are not packed.
  private func makeTree(_ root: String, _ names: [String], mode: UInt32 = 0o644, time: Int) throws {
    for name in names {
      let text = String(repeating: "contents of \(name), ", count: 500)
      try folder.makeFile(
        "\(root)/\(name)", Array(text.utf8), mode: name == "run.sh" ? mode | 0o100 : mode)
    }
    try folder.makeFolder("\(root)/empty", mode: mode | 0o700)
    let root = folder.path(root)
    for name in [""] + (try FileManager.default.subpathsOfDirectory(atPath: root)) {
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: Double(time + name.utf8.count))],
        ofItemAtPath: root + "/" + name)
    }
  }

  private func pack(
    _ root: String = "one", _ arguments: String..., blocks: [String] = ["--block-size", "16K"],
    umask: String? = nil, environment: [String: String] = [:]
  ) throws -> [UInt8] {
    runs += 1
    let name = "\(runs).aar"
    let run = try BuiltProgram.run(
      [
        "pack", folder.path("m.json"), "--source-root", folder.path(root), "-q", "-o",
        folder.path(name),
      ] + blocks + arguments, environment: environment, after: umask.map { "umask \($0)" })
    #expect(run.status == 0, "\(run.messages)")
    return try folder.contents(name)
  }

  @Test
  func `threads, umask, locale, time zone and home do not affect the bytes`() throws {
    let expected = try pack()
    #expect(expected.count > 1000)
    for threads in ["1", "2", "3", "8"] {
      #expect(try pack("one", "--threads", threads) == expected)
    }
    for umask in ["000", "022", "077"] { #expect(try pack(umask: umask) == expected) }
    for variables in [
      ["LC_ALL": "C"], ["LC_ALL": "C.UTF-8"], ["LC_ALL": "tr_TR.UTF-8", "LANG": "tr_TR.UTF-8"],
      ["LC_ALL": "none such", "LANG": ""], ["TZ": "Asia/Tokyo"], ["TZ": "XXX-13:30"],
      ["HOME": "/nowhere", "USER": "somebody", "TERM": "dumb", "COLUMNS": "20"],
    ] {
      #expect(try pack(environment: variables) == expected, "\(variables)")
    }
  }

  @Test
  func `the clock does not affect the bytes`() throws {
    // Recorded on another day. Without compression, the bytes depend on no encoder.
    var digest = try Digest(.sha256)
    let bytes = try pack(blocks: ["--compression", "none"])
    unsafe digest.update(bytes.span.bytes)
    #expect(
      hexadecimal(digest.finish())
        == "c5412572a737e53bd7ac2bb0d3a1da5dd13ba6b5522e9a5289db0cd8040ecdde")
  }

  @Test
  func `the order of creation, times, permissions and folder do not affect the bytes`() throws {
    let expected = try pack()
    try makeTree("two/further/in", Self.names.reversed(), mode: 0o600, time: 1_700_000_000)
    #expect(try pack("two/further/in") == expected)
    try makeTree("three", Self.names.sorted { $0.count < $1.count }, mode: 0o666, time: 1)
    #expect(try pack("three", "--threads", "3", umask: "077") == expected)
  }

  @Test
  func `an archive instead of the folder, in any order of entries, gives the same bytes`() throws {
    let expected = try pack()
    let all = Self.names + ["empty"]
    for (index, names) in [["."], all, all.reversed()].enumerated() {
      let tar = Process()
      tar.executableURL = URL(filePath: "/usr/bin/env")
      tar.arguments =
        ["tar", "-cf", folder.path("\(index).tar"), "-C", folder.path("one"), "--"] + names
      try tar.run()
      tar.waitUntilExit()
      #expect(tar.terminationStatus == 0)
      #expect(try pack("\(index).tar") == expected, "\(names)")
    }
  }

  @Test(arguments: ["zip", "tar.gz"])
  func `an archive that was exported from the pack, in any folder, gives the same bytes`(
    suffix: String
  ) throws {
    let expected = try pack()
    var first: [UInt8]?
    for (index, circumstances) in [
      (["TZ": "UTC"], "022"), (["TZ": "Asia/Tokyo", "LC_ALL": "C"], "077"),
    ].enumerated() {
      let name = "\(index).\(suffix)"
      let run = try BuiltProgram.run(
        ["extract", folder.path("1.aar"), "-q", "-o", folder.path(name)],
        environment: circumstances.0, after: "umask \(circumstances.1)")
      #expect(run.status == 0, "\(run.messages)")
      let bytes = try folder.contents(name)
      #expect(bytes == first ?? bytes)
      first = bytes
      #expect(try pack(name) == expected)
    }
  }
}
