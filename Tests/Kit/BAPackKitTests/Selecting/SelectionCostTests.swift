import AssetArchive
@testable import BAPackKit
import SourceDiagnostics
import TestSupport
import Testing

@Suite struct SelectionCostTests {
  @Test func `an entry costs at most 200 bytes with its paths`() throws {
    #expect(MemoryLayout<SelectionRecord>.stride == 88)
    let folder = try TemporaryFolder()
    for number in 0..<1000 {
      try folder.makeFile("assets/textures/level-\(number % 10)/diffuse-\(number).texture")
    }
    for selector in [
      #"{"directory": "assets"}"#,
      #"{"directorySource": "assets", "directoryDestination": "Some/Other/Place"}"#,
    ] {
      let selection = try resolve(selector, in: folder).selection
      let bytes =
        selection.count * MemoryLayout<SelectionRecord>.stride + selection.paths.bytes.count
      #expect(selection.fileCount == 1000)
      #expect(bytes <= 200 * selection.count)
    }
  }

  @Test(.heavy) func `a walk holds one descriptor for each level, not for each folder`() throws {
    let folder = try TemporaryFolder()
    for number in 0..<40 {
      for other in 0..<10 { try folder.makeFile("in/\(number)/\(other)/file") }
    }
    try folder.makeFile("m.json", document(#"{"directory": "in"}"#).source.bytes)
    for count in [14, 18, 24] {
      let run = try BuiltProgram.run(
        ["validate", folder.path("m.json"), "--source-root", folder.path],
        after: "ulimit -n \(count)")
      #expect(run.status == 0, "\(count): \(run.messages)")
    }
  }

  @Test(.world) func `a hundred thousand files are resolved in the right order`() throws {
    let folder = try TemporaryFolder()
    for group in 0..<100 {
      try folder.makeFolder("\(group)")
      for number in 0..<1000 { try folder.makeFile("\(group)/\(number)") }
    }
    let result = try resolve(
      #"{"directory": "."}, {"filePattern": "*/1?"}, {"fileExclusion": "*7"}"#, in: folder)
    #expect(result.lines == [])
    // Folders whose names end in 7 are excluded completely.
    #expect(result.selection.count == 90 * 901)
    let paths = result.selection.indices.map { result.selection.pathInContents(at: $0) }
    #expect(Set(paths).count == paths.count)
  }

  @Test(.heavy) func `an entry of an archive costs at most 400 bytes with its selection`() throws {
    let folder = try TemporaryFolder()
    try folder.makeFile("m.json", document(#"{"directory": "."}"#).source.bytes)
    func peak(_ count: Int) throws -> Int {
      var tar = TarBytes()
      for number in 0..<count { tar.add("level-\(number % 100)/diffuse-\(number)", contents: "") }
      try folder.makeFile("a.tar", tar.archive)
      let run = try BuiltProgram.run([
        "validate", folder.path("m.json"), "--source-root", folder.path("a.tar"),
      ])
      #expect(run.messages.contains("error") == false)
      return run.peakMemory
    }
    #expect(try peak(120_000) - peak(20_000) <= 400 * 100_000)
  }

  @Test(.heavy) func `the inspection of thousands of programs stores none of the bytes`() throws {
    let folder = try TemporaryFolder()
    // A 64-bit Mach-O file for macOS, with a hole after its headers.
    let words: [UInt32] = [0xFEED_FACF, 0x0100_000C, 0, 2, 1, 16, 0, 0, 0x24, 16, 0, 0]
    let start = words.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) }
    }
    let count = 4_000
    for number in 0..<count {
      try folder.makeHole("in/\(number % 10)/program-\(number)", size: 40_000, (0, start))
    }
    try folder.makeFile("m.json", document(#"{"directory": "in"}"#).source.bytes)
    func peak(_ hosting: String) throws -> Int {
      let run = try BuiltProgram.run([
        "validate", folder.path("m.json"), "--source-root", folder.path, "--hosting", hosting,
      ])
      #expect(run.messages.contains("executable for macOS") == (hosting == "apple"))
      return run.peakMemory
    }
    // 32 KiB of each would be 125 MiB.
    #expect(try peak("apple") - peak("self") < 16 << 20)
  }

  @Test(.heavy) func `names similar to twenty wrong ones are found in a folder of many`() throws {
    let folder = try TemporaryFolder()
    for number in 0..<20_000 { try folder.makeFile("in/texture-of-number-\(number).png") }
    let wrong = (0..<20).map { #"{"file": "in/textuer-of-number-\#($0 * 900).png"}"# }
    try folder.makeFile("m.json", document(wrong.joined(separator: ", ")).source.bytes)
    let run = try BuiltProgram.run([
      "validate", folder.path("m.json"), "--source-root", folder.path,
    ])
    #expect(run.messages.contains("fix: write 'in/texture-of-number-0.png'"))
  }
}
