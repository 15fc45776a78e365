import Foundation
import TestSupport
import Testing

/// Malicious packs: each is read within a limit of memory that depends on its decoded size.
@Suite("Hostile sizes", .mustEnd, .serialized, .world)
final class HostileSizesTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Runs the program with a pack: it must end, and use at most 200 MiB.
  private func check(_ pack: [UInt8], status: Int32? = nil) throws {
    try folder.makeFile("a.aar", pack)
    for command in ["verify", "info", "list"] {
      let arguments = [command, folder.path("a.aar")]
      let run = try BuiltProgram.run(arguments)
      #expect(!run.wasSignalled, "\(arguments): \(run.messages.prefix(300))")
      if let status { #expect(run.status == status, "\(arguments): \(run.messages.prefix(300))") }
      #expect(run.peakMemory < 200 << 20, "\(arguments)")
    }
  }

  private func headers(_ count: Int, _ path: (Int) -> [UInt8]) -> PackBytes {
    var pack = PackBytes.beginning
    let rest = PackBytes.attributes(0o644) + Array("DATA".utf8) + [0, 0]
    for index in 0..<count { pack.add(type: "F", [PackBytes.path(path(index)), rest]) }
    return pack
  }

  @Test
  func `64,000 selectors of one file each, with as many files, are read in bounded memory`() throws
  {
    var pack = headers(64_000) { Array("Contents/f\($0)".utf8) }
    pack.addManifest(selecting: (0..<64_000).map { #"{"file": "f\#($0)"}"# })
    try check(pack.container(), status: 0)
  }

  @Test
  func `64,000 selectors of one folder each, and as many exclusions, are read in bounded memory`()
    throws
  {
    var pack = PackBytes.beginning
    for index in 0..<64_000 { pack.addFolder("Contents/d\(index)") }
    pack.addManifest(
      selecting: (0..<64_000).flatMap {
        [#"{"directory": "d\#($0)"}"#, #"{"fileExclusion": "d\#($0)/x"}"#]
      })
    try check(pack.container(), status: 0)
  }

  @Test
  func `200 patterns over 20,000 files are read in bounded memory`() throws {
    var pack = headers(20_000) { Array("Contents/f\($0).png".utf8) }
    pack.addManifest(
      selecting: (0..<199).map { #"{"filePattern": "**/*\#($0).jpg"}"# }
        + [#"{"filePattern": "*.png"}"#])
    try check(pack.container(), status: 0)
  }

  @Test
  func `headers of 16,000 fields are read in bounded memory`() throws {
    let letters = Array("abcdefghijklmnopqrstuvwxyz".utf8)
    var flags: [UInt8] = []
    for index in 0..<16_000 {
      for divisor in [676, 26, 1] { flags.append(letters[index / divisor % 26]) }
      flags.append(UInt8(ascii: "*"))
    }
    var pack = PackBytes.beginning
    for index in 0..<40 { pack.add(type: "D", [PackBytes.path("Contents/\(index)"), flags]) }
    pack.addManifest(selecting: [#"{"directory": "."}"#])
    try check(pack.container())
  }

  @Test
  func `contents that look like overlapping headers are read in bounded memory`() throws {
    // Each begins seventeen bytes after the previous one, and claims to extend to the farthest end.
    let path = 1000
    let start = Array("AA01".utf8) + PackBytes.little(path + 17, 2) + Array("TYP1F".utf8)
    let one = start + Array("PATP".utf8) + PackBytes.little(path, 2)
    var contents: [UInt8] = []
    while contents.count < 4 << 20 { contents += one }
    var pack = PackBytes.beginning
    pack.addFile("Contents/x", contents)
    pack.addManifest(selecting: [#"{"directory": "."}"#])
    try check(pack.container(), status: 0)
  }

  @Test(arguments: [8, 900])
  func `100,000 entries, with short names or long ones, are read in bounded memory`(length: Int)
    throws
  {
    var seeded = Seeded(seed: 3)
    // Names with as few common parts as possible, in as many components as possible.
    let noise = seeded.text(1 << 20).map { $0 == UInt8(ascii: "\n") ? UInt8(ascii: "_") : $0 }
    let pack = headers(100_000) { index in
      var path = Array("Contents/\(index)".utf8)
      while path.count < length {
        let begin = seeded.next(below: noise.count - 200)
        path += noise[begin..<begin + min(200, length - path.count + 1)]
        if path.count < length { path.append(UInt8(ascii: "/")) }
      }
      return path
    }
    try check(pack.container())
  }

  @Test
  func `100,000 entries with names in other scripts are read in bounded memory`() throws {
    let pack = headers(100_000) { index in
      Array("Contents/\(String(repeating: "日本", count: 40))\(index)".utf8)
    }
    try check(pack.container())
  }

  @Test(arguments: [2, 8])
  func `blocks of a gigabyte are decoded one at a time`(threads: Int) throws {
    let size = 3 << 30 + 12_345
    try folder.makeHole("in/hole", size: size, (1 << 30, Array("a mark".utf8)))
    try folder.makeFile("m.json", PackBytes.manifest(selecting: [#"{"file": "hole"}"#]))
    let pack = folder.path("large.aar")
    // A block, its encoded or decoded bytes, and 256 MiB.
    let most = (1 << 30) + (256 << 20)
    let commands = [
      [
        "pack", folder.path("m.json"), "--source-root", folder.path("in"), "-f", "-o", pack,
        "--level", "fast", "--block-size", "1G",
      ],
      ["verify", pack], ["extract", pack, "-f", "-o", folder.path("out")],
    ]
    for arguments in commands {
      let run = try BuiltProgram.run(arguments + ["--threads", "\(threads)", "--memory", "3G"])
      #expect(run.status == 0, "\(arguments): \(run.messages)")
      #expect(run.peakMemory < most, "\(arguments): \(run.peakMemory >> 20) MiB")
      let refused = try BuiltProgram.run(arguments)
      #expect(refused.status == 1)
      #expect(refused.messages.contains("--memory"), "\(refused.messages)")
    }
  }
}
