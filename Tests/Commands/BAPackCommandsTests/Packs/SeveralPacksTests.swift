import Arguments
import BAPackCommands
import Foundation
import TerminalText
import TestSupport
import Testing

/// Several packs in one run: they share a window.
@Suite(.mustEnd) struct SeveralPacksTests {
  /// Creates packs of files of these sizes; returns their manifests.
  private static func makePacks(
    _ folder: borrowing TemporaryFolder, _ sizes: [[Int]]
  ) throws -> [String] {
    var seeded = Seeded(seed: 3)
    return try sizes.enumerated().map { number, sizes in
      for (index, size) in sizes.enumerated() {
        // A compressible half, and an incompressible half.
        let plain = [UInt8](repeating: 7, count: size / 2)
        try folder.makeFile(
          "src/\(number)/\(index)", plain + seeded.noise(size - plain.count))
      }
      try folder.makeFile(
        "m\(number).json",
        """
        {"assetPackID": "Pack\(number)", "downloadPolicy": {"onDemand": {}}, "platforms": [],
         "sourceRoot": "src", "fileSelectors": [{"directory": "\(number)"}]}
        """)
      return folder.path("m\(number).json")
    }
  }

  @Test(arguments: [1, 2, 3], ["lzfse", "none"])
  func `each of several packs has the bytes of a separate run, and all are listed in order`(
    threads: Int, compression: String
  ) throws {
    let folder = try TemporaryFolder()
    let manifests = try Self.makePacks(folder, [[1], [20_000, 3], [70_000, 1, 1], [5], [30_000]])
    let arguments =
      ["--threads", "\(threads)", "--compression", compression]
      + (compression == "none" ? [] : ["--block-size", "4K"])
    let all = Captured(["pack"] + manifests + ["-o", folder.path("all")] + arguments)
    #expect(all.ending == .status(.done), "\(all.messages)")
    let lines = all.messages.split(separator: "\n")
    #expect(lines.last?.hasPrefix("5 packs: ") == true)
    let names = lines.dropLast().map { $0.prefix { $0 != ":" } }
    #expect(names == (0..<5).map { folder.path("all/Pack\($0).aar")[...] })
    for (number, manifest) in manifests.enumerated() {
      let one = Captured(["pack", manifest, "-q", "-o", folder.path("one")] + arguments)
      #expect(one.ending == .status(.done))
      #expect(
        try folder.contents("all/Pack\(number).aar") == folder.contents("one/Pack\(number).aar"))
    }
  }

  @Test func `in GitHub Actions a table of the packs is added to the summary of the step`() throws {
    let folder = try TemporaryFolder()
    let manifests = try Self.makePacks(folder, [[1], [20_000, 3]])
    try folder.makeFile("summary", "before\n")
    func pack(_ more: String...) -> Captured {
      Captured(
        ["pack"] + manifests + ["-o", folder.path("all"), "--compression", "none"] + more,
        environment: ["GITHUB_STEP_SUMMARY": folder.path("summary")])
    }
    #expect(pack("--update").ending == .status(.done))
    let sizes = try ["Pack0", "Pack1"].map { try folder.contents("all/\($0).aar").count }
    let table = """
      before
      ### Asset packs

      | Pack | Files | Size | Archive |
      | --- | --- | --- | --- |
      | Pack0 | 1 | 1 byte | \(Quantity.bytes(UInt64(sizes[0]))) |
      | Pack1 | 2 | 20.0 KB | \(Quantity.bytes(UInt64(sizes[1]))) |

      2 packs, \(Quantity.bytes(UInt64(sizes[0] + sizes[1])))


      """
    #expect(try folder.contents("summary") == Array(table.utf8))
    // No archive was written.
    #expect(pack("--update").ending == .status(.done))
    #expect(try folder.contents("summary") == Array(table.utf8))
  }

  @Test(.heavy) func `forty packs take as much memory as one of the same size`() throws {
    let folder = try TemporaryFolder()
    let many = try Self.makePacks(folder, [[Int]](repeating: [1 << 20, 1 << 20], count: 40))
    func peak(_ manifests: [String], _ output: String) throws -> Int {
      let run = try BuiltProgram.run(
        ["pack"] + manifests + ["-q", "--threads", "2", "-o", folder.path(output)])
      #expect(run.status == 0, "\(run.messages)")
      return run.peakMemory
    }
    try folder.makeFile(
      "one.json",
      """
      {"assetPackID": "One", "downloadPolicy": {"onDemand": {}}, "platforms": [],
       "sourceRoot": "src", "fileSelectors": [{"directory": "."}]}
      """)
    #expect(try peak(many, "many") < peak([folder.path("one.json")], "one") + (6 << 20))
  }
}
