import Arguments
import Foundation
import Glibc
import SystemIO
import TestSupport
import Testing

/// The program is interrupted as soon as it has written something, during each type of work.
@Suite("An interrupt", .mustEnd)
final class InterruptTests {
  /// Larger than the output of any machine between two checks.
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

  /// Runs the program and interrupts it after the first write below `place`; returns the remaining
  /// files of the output folder.
  private func interrupt(
    _ signal: Int32, _ arguments: [String], onceWritingTo place: String = "out/",
    keeping names: [String] = [], saying message: String
  ) throws {
    let path = folder.path(place)
    let run = try BuiltProgram.run(
      arguments, environment: ["TMPDIR": folder.path("tmp")],
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

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
  func `an interrupt of packing leaves no files`(signal: Int32) throws {
    try folder.makeHole("in/hole", size: Self.size)
    try interrupt(signal, pack(), saying: notPacked)
  }

  @Test
  func `an interrupted packer keeps the folder if another one writes into it`() throws {
    // The first one creates the folder, and begins to write a large archive.
    try folder.makeHole("in/hole", size: Self.size)
    try folder.makeFile("small/a", "small")
    try folder.makeFile(
      "s.json",
      """
      {"assetPackID": "Small", "downloadPolicy": {"onDemand": {}}, "platforms": [],
       "sourceRoot": "small", "fileSelectors": [{"directory": "."}]}
      """)
    let place = folder.path("out/new/x")
    let outer = folder.path("out/new")
    for call in [SystemCall.open, .status, .access, .write, .sync, .link] {
      for skipping in 0..<3 {
        let other = ForcedFailure.interruptedPacker(
          at: call, skipping: skipping, removing: place, in: outer)
        let run = ForcedFailures.inject(other) {
          Captured("pack", folder.path("s.json"), "-q", "-f", "--threads", "1", "-o", place)
        }
        #expect(run.ending == .status(.done), "\(call) \(skipping): \(run.messages)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: place) == ["Small.aar"])
        try folder.remove("out/new")
      }
    }
  }

  @Test(arguments: ["a/b/c", "a", "x.aar", "a/x.aar"])
  func `a deleted current folder is an error`(output: String) throws {
    try folder.makeFile("in/a", "small")
    let gone = folder.path("gone")
    let run = try BuiltProgram.run(
      ["pack", folder.path("m.json"), "-o", output],
      after: "mkdir '\(gone)' && cd '\(gone)' && rmdir '\(gone)'")
    #expect(!run.wasSignalled)
    #expect(run.status == 1)
    #expect(run.messages.hasPrefix("Error: cannot "))
    #expect(run.messages.contains("No such file or directory\n"))
  }

  /// Creates a tar whose entry `z` is one hole, before or after `a`.
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

  @Test(arguments: [SIGINT, SIGTERM])
  func `an interrupt ends the wait for a pipe without a writer`(signal: Int32) throws {
    try folder.makeFile("in/a", "small")
    let pack = folder.path("a.aar")
    #expect(Captured("pack", folder.path("m.json"), "-q", "-o", pack).ending == .status(.done))
    let pipe = folder.path("pipe")
    #expect(unsafe mkfifo(pipe, 0o600) == 0)
    // A pipe can be opened for writing as soon as the program has opened it for reading.
    var writer: Int32 = -1
    let run = try BuiltProgram.run(
      ["verify", pack, "--against", pipe],
      interrupted: .init(signal: signal) { _ in
        writer = unsafe open(pipe, O_WRONLY | O_NONBLOCK | O_CLOEXEC)
        return writer >= 0
      })
    #expect(run.wasSignalled)
    #expect(run.status == signal)
    #expect(run.messages == "Interrupted\n")
    #expect(close(writer) == 0)
  }

  @Test(arguments: [SIGINT, SIGTERM])
  func `an interrupt of packing from an archive leaves no files`(signal: Int32) throws {
    try makeTar(largeFirst: false)
    try interrupt(signal, pack("--source-root", folder.path("in.tar")), saying: notPacked)
  }

  @Test(
    .withoutThreadSanitizer,
    arguments: [SIGINT, SIGTERM])
  func `an interrupt while an archive entry is stored leaves no files`(signal: Int32) throws {
    try makeTar(largeFirst: true)
    try interrupt(
      signal, pack("--source-root", folder.path("in.tar")), onceWritingTo: "tmp/",
      saying: notPacked)
  }

  /// Creates a pack whose only file is one hole.
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

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
  func `an interrupt of extracting leaves no files`(signal: Int32) throws {
    try interrupt(
      signal, ["extract", try makePack(), "-o", folder.path("out/x")],
      saying: "Interrupted; no file was extracted")
  }

  @Test(arguments: [SIGINT, SIGTERM])
  func `an interrupt of extracting into a folder with files does not change the folder`(
    signal: Int32
  ) throws {
    try folder.makeFile("out/x/hole", "mine")
    let target = folder.path("out/x")
    try interrupt(
      signal, ["extract", try makePack(), "-f", "-o", target], onceWritingTo: "out/x/.ba",
      keeping: ["x", "x/hole"],
      saying: "Interrupted; no file was extracted")
    #expect(try folder.contents("out/x/hole") == Array("mine".utf8))
  }

  @Test(arguments: [SIGINT, SIGTERM])
  func `an interrupt of exporting leaves no files`(signal: Int32) throws {
    let target = folder.path("out/x.tar")
    try interrupt(
      signal, ["extract", try makePack(), "-o", target],
      saying: "Interrupted; '\(target)' was not written")
  }

  @Test(arguments: [SIGINT, SIGTERM])
  func `an interrupt of reading manifests is not an error in them`(signal: Int32) throws {
    try folder.makeFile("in/a.png", "picture")
    try folder.makeFile(
      "ba-package.json", #"{"packs": ["m.json", "pipe.json"], "sourceRoot": "in"}"#)
    try folder.makePipe("pipe.json")
    // The pipe can be opened for writing when the program reads it.
    let pipe = folder.path("pipe.json")
    var writer: Int32 = -1
    let run = try BuiltProgram.run(
      ["init", folder.path("."), "--add"],
      interrupted: .init(signal: signal) { _ in
        if writer < 0 { writer = unsafe open(pipe, O_WRONLY | O_NONBLOCK) }
        return writer >= 0
      })
    close(writer)
    #expect(run.wasSignalled && run.status == signal)
    #expect(run.messages == "Interrupted\n")
  }

  /// Kills the program after its first write, and runs it again with a small input, which removes
  /// the leftovers and reports it.
  private func kill(
    _ arguments: [String], onceWritingTo place: String, then next: [String], leaving names: [String]
  ) throws {
    let path = folder.path(place)
    let killed = try BuiltProgram.run(
      arguments, interrupted: .init(signal: SIGKILL) { $0.openBytes(below: path) > 0 })
    #expect(killed.wasSignalled)
    func all() throws -> [String] {
      try FileManager.default.subpathsOfDirectory(atPath: folder.path("out")).sorted()
    }
    let left = try all().filter { $0.contains(".ba-package-") && $0.hasSuffix(".tmp") }
    let again = try BuiltProgram.run(next)
    #expect(again.status == 0 && !again.wasSignalled, "\(again.messages)")
    #expect(try all() == names)
    guard let name = left.first else { return #expect(place == "out/") }
    #expect(
      again.messages.hasPrefix(
        "Removed '\(folder.path("out"))/\(name)', left over from an interrupted run.\n"))
  }

  @Test
  func `leftovers of SIGKILL are removed by the next run`() throws {
    let large = try makePack()
    try folder.makeFile("small.aar", PackBytes.sample.stream)
    let small = folder.path("small.aar")
    for existing in [[], ["x", "x/mine"]] {
      if !existing.isEmpty { try folder.makeFile("out/x/mine", "mine") }
      try kill(
        ["extract", large, "-f", "-o", folder.path("out/x")],
        onceWritingTo: existing.isEmpty ? "out/.ba" : "out/x/.ba",
        then: ["extract", small, "run.sh", "-f", "-o", folder.path("out/x")],
        leaving: (existing + ["x", "x/run.sh"]).reduce(into: []) {
          if !$0.contains($1) { $0.append($1) }
        })
      try folder.remove("out/x")
    }
  }

  @Test(arguments: [0o022, 0o077, 0o027, 0])
  func `permissions are subject to the umask`(mask: Int) throws {
    var pack = PackBytes.beginning
    let modes = [0o666, 0o777, 0o755, 0o640, 0o444, 0o555, 0o600, 0o4755, 0o2755, 0o1777, 0]
    for mode in modes {
      pack.addFolder("Contents/d\(mode)", mode: mode)
      pack.addFile("Contents/d\(mode)/f", [1], mode: mode)
    }
    pack.add(type: "D", [PackBytes.path("Contents/e")])
    pack.add(
      type: "F", [PackBytes.path("Contents/e/f"), Array("DATB".utf8) + PackBytes.little(0, 4)])
    try folder.makeFile("m.aar", pack.stream)
    func permissions(_ name: String) throws -> Int? {
      try FileManager.default.attributesOfItem(atPath: folder.path(name))[.posixPermissions] as? Int
    }
    for target in ["out/new", "out"] {
      let run = try BuiltProgram.run(
        ["extract", folder.path("m.aar"), "-o", folder.path(target)],
        after: "umask \(String(mask, radix: 8))")
      #expect(run.status == 0, "\(run.messages)")
      for mode in modes {
        let expected = mode & 0o777 & ~mask
        #expect(try permissions("\(target)/d\(mode)") == expected)
        #expect(try permissions("\(target)/d\(mode)/f") == expected)
      }
      #expect(try permissions("\(target)/e") == 0o777 & ~mask)
      #expect(try permissions("\(target)/e/f") == 0o666 & ~mask)
      if target == "out/new" {
        #expect(try permissions(target) == 0o777 & ~mask)
        try folder.remove(target)
      }
    }
  }
}
