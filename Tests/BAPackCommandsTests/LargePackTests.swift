import Foundation
import Glibc
import TestSupport
import Testing

@Suite("The program at work", .serialized)
struct LargePackTests {
  static func makeManifest(_ folder: borrowing TemporaryFolder) throws -> String {
    try folder.makeFile(
      "m.json",
      """
      {"assetPackID": "Large", "downloadPolicy": {"onDemand": {}}, "platforms": [],
       "sourceRoot": "in", "fileSelectors": [{"directory": "."}]}
      """)
    try folder.makeFolder("in")
    return folder.path("m.json")
  }

  /// A file that is all hole.
  static func makeHole(_ path: String, size: Int) throws {
    guard FileManager.default.createFile(atPath: path, contents: nil),
      unsafe truncate(path, size) == 0
    else { throw POSIXError(.EIO) }
  }

  @Test("an interrupt ends the program by its signal and leaves nothing", arguments: [2, 15])
  func interrupt(signal: Int32) throws {
    let folder = try TemporaryFolder()
    let manifest = try Self.makeManifest(folder)
    try Self.makeHole(folder.path("in/hole"), size: 4 << 30)
    let words = [
      "pack", manifest, "-o", folder.path("out/x"), "--compression", "lzma", "--level", "best",
    ]
    let run = try BuiltProgram.run(words, signal: (signal, 0.4))
    #expect(run.wasSignalled)
    #expect(run.status == signal)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == [
        "in", "m.json",
      ])
  }

  @Test(
    "a gigabyte in few files is packed in less than 64 MiB", .heavy,
    arguments: ["half noise, half text", "noise"])
  func memory(contents: String) throws {
    let folder = try TemporaryFolder()
    let manifest = try Self.makeManifest(folder)
    // By halves, so that blocks of every kind are under way at once.
    let isNoise = contents == "noise"
    var seeded = Seeded(seed: 1)
    for name in ["a", "b", "c", "d"] {
      try folder.makeFile("in/\(name)")
      let file = try FileHandle(forWritingTo: URL(filePath: folder.path("in/\(name)")))
      for megabyte in 0..<256 {
        let piece =
          isNoise || megabyte % 2 == 0 ? seeded.noise(1 << 20) : seeded.text(1 << 20)
        try file.write(contentsOf: Data(piece))
      }
      try file.close()
    }
    for level in ["fast", "default"] {
      let run = try BuiltProgram.run([
        "pack", manifest, "-f", "-o", folder.path("x.aar"), "--level", level, "--threads", "2",
      ])
      #expect(run.status == 0)
      #expect(run.peakMemory > 1 << 20)
      #expect(run.peakMemory < 64 << 20)
    }
  }

  @Test("a file of more than 4 GiB", .heavy)
  func moreThanFourGiB() throws {
    let folder = try TemporaryFolder()
    let manifest = try Self.makeManifest(folder)
    try Self.makeHole(folder.path("in/hole"), size: 5 << 30)
    try folder.makeFile("in/next", "after the large one")
    let output = folder.path("x.aar")
    let run = try BuiltProgram.run(["pack", manifest, "-o", output, "--level", "fast"])
    #expect(run.status == 0)
    let list = Captured("list", "-l", output).output
    #expect(list.contains(" 5368709120 "))
    #expect(list.contains(" 19 "))
    let verify = try BuiltProgram.run(["verify", output, "--against", manifest])
    #expect(verify.status == 0, "\(verify.messages)")
  }

  @Test("a hundred thousand small files", .heavy)
  func manyFiles() throws {
    let folder = try TemporaryFolder()
    let manifest = try Self.makeManifest(folder)
    for number in 0..<100_000 {
      try folder.makeFile("in/\(number % 100)/\(number)", "file \(number)")
    }
    let output = folder.path("x.aar")
    #expect(try BuiltProgram.run(["pack", manifest, "-o", output]).status == 0)
    let paths = Captured("list", output).output.split(separator: "\n")
    #expect(paths.count == 100_000)
    #expect(Set(paths).count == 100_000)
    #expect(try BuiltProgram.run(["verify", output, "--against", manifest]).status == 0)
  }
}
