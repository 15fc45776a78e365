import Foundation
import Glibc
import TestSupport
import Testing

/// Large files, and many files: the results and the peak memory.
@Suite("Measurements of the program", .mustEnd)
final class LargePackTests {
  private let folder: TemporaryFolder
  private var manifest: String { folder.path("m.json") }
  private var pack: String { folder.path("x.aar") }

  init() throws {
    folder = try TemporaryFolder()
    _ = try Self.makeManifest(folder)
  }

  /// Creates a manifest that selects all files of the folder `in` next to it.
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

  /// Runs the program with two threads and expects success; the result is its peak memory.
  @discardableResult
  private func run(_ arguments: String...) throws -> Int {
    let run = try BuiltProgram.run(arguments + ["--threads", "2"])
    #expect(run.status == 0, "\(run.messages)")
    #expect(run.peakMemory > 1 << 20)
    return run.peakMemory
  }

  @Test(
    .heavy,
    arguments: ["half noise, half text", "noise"])
  func `a quarter of a gigabyte in few files is packed in less than 64 MiB`(contents: String) throws
  {
    // One half of each type, so that all types of blocks are encoded in parallel.
    let isNoise = contents == "noise"
    var seeded = Seeded(seed: 1)
    for name in ["a", "b", "c", "d"] {
      try folder.makeFile("in/\(name)")
      let file = try FileHandle(forWritingTo: URL(filePath: folder.path("in/\(name)")))
      for megabyte in 0..<64 {
        let piece =
          isNoise || megabyte % 2 == 0 ? seeded.noise(1 << 20) : seeded.text(1 << 20)
        try file.write(contentsOf: Data(piece))
      }
      try file.close()
    }
    for level in ["fast", "default"] {
      #expect(try run("pack", manifest, "-f", "-o", pack, "--level", level) < 64 << 20)
    }
  }

  @Test(.world)
  func `a file of more than 4 GiB is packed, verified and extracted in less than 64 MiB`() throws {
    let size = 5 << 30
    let mark = Array("a mark".utf8)
    try folder.makeHole("in/hole", size: size, (4 << 30 - 3, mark), (size - mark.count, mark))
    try folder.makeFile("in/next", "after the large one")
    #expect(try run("pack", manifest, "-o", pack, "--level", "fast") < 64 << 20)
    let list = Captured("list", "-l", pack).output
    #expect(list.contains(" 5368709120 "))
    #expect(list.contains(" 19 "))
    #expect(try run("verify", pack) < 64 << 20)
    #expect(try run("verify", pack, "--against", manifest) < 64 << 20)
    #expect(try run("extract", pack, "-o", folder.path("out")) < 64 << 20)
    #expect(try folder.contents("out/next") == Array("after the large one".utf8))
    let compare = Process()
    compare.executableURL = URL(filePath: "/usr/bin/env")
    compare.arguments = ["cmp", folder.path("in/hole"), folder.path("out/hole")]
    try compare.run()
    compare.waitUntilExit()
    #expect(compare.terminationStatus == 0)
  }

  /// Returns the peak memory of each command over the current files.
  ///
  /// Blocks are small, so that the entire window is used with few files, too.
  private func peaks() throws -> [String: Int] {
    try [
      "pack": run("pack", manifest, "-f", "-o", pack, "--block-size", "64K"),
      "verify": run("verify", pack),
      "extract": run("extract", pack, "-f", "-o", out),
      "verify --against": run("verify", pack, "--against", manifest),
    ]
  }

  @Test(.heavy)
  func `the memory for each small file is bounded`() throws {
    func makeFiles(_ numbers: Range<Int>) throws {
      for number in numbers {
        try folder.makeFile("in/\(number % 100)/\(number)", "file \(number)")
      }
    }
    let (few, many) = (10_000, 40_000)
    try makeFiles(0..<few)
    let before = try peaks()
    try makeFiles(few..<many)
    let after = try peaks()
    // Verifying stores each path a second time, to find duplicates.
    for (command, most) in [
      ("pack", 200), ("verify", 400), ("extract", 200), ("verify --against", 300),
    ] {
      let bytes = try #require(after[command]) - #require(before[command])
      #expect(bytes / (many - few) <= most, "\(command)")
    }
    let paths = Captured("list", pack).output.split(separator: "\n")
    #expect(paths.count == many)
    #expect(Set(paths).count == many)
    for path in paths {
      let number = path.split(separator: "/").last ?? ""
      let contents = FileManager.default.contents(atPath: "\(out)/\(path)")
      #expect(contents == Data("file \(number)".utf8))
    }
  }

  @Test(
    .heavy,
    arguments: [
      (#""iOS","#, 10), (#""linux","#, 10), (#""ios","#, 10), (",", 10), ("[1],", 10),
      (#""k":0,"#, 10),
      // Each of these thirteen bytes is a selector with a position, as in a valid manifest.
      (#"{"file":"a"},"#, 14),
    ])
  func
    `ten megabytes of errors take less than ten times that, and fixing them a bounded multiple`(
      piece: String, most: Int
    ) throws
  {
    let text = String(repeating: piece, count: (10 << 20) / piece.utf8.count)
    let key = piece.hasPrefix("{") ? "fileSelectors" : "platforms"
    try folder.makeFile("large.json", "{\"\(key)\": [\(text)]}")
    for (options, most) in [([], most), (["--fix", "--unsafe"], 30)] {
      let run = try BuiltProgram.run(
        ["validate", "--no-files", folder.path("large.json")] + options)
      #expect(run.status == 1)
      #expect(run.peakMemory < most * text.utf8.count, "\(piece) \(options)")
    }
  }

  private var out: String { folder.path("out") }
}
