@testable import BAPackKit
import TestSupport
import Testing

@Suite struct SelectionCostTests {
  @Test func `an entry costs at most 200 bytes with its paths`() throws {
    #expect(MemoryLayout<SelectionRecord>.stride <= 80)
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
        selection.count * MemoryLayout<SelectionRecord>.stride + selection.paths.count
      #expect(selection.fileCount == 1000)
      #expect(bytes <= 200 * selection.count)
    }
  }

  @Test(.heavy) func `a hundred thousand files are resolved, and each is where it belongs`() throws
  {
    let folder = try TemporaryFolder()
    for group in 0..<100 {
      try folder.makeFolder("\(group)")
      for number in 0..<1000 { try folder.makeFile("\(group)/\(number)") }
    }
    let result = try resolve(
      #"{"directory": "."}, {"filePattern": "*/1?"}, {"fileExclusion": "*7"}"#, in: folder)
    #expect(result.findings == [])
    // Folders whose name ends in 7 are dropped whole.
    #expect(result.selection.count == 90 * 901)
    let paths = result.selection.indices.map { Array(result.selection.destinationBytes(at: $0)) }
    #expect(Set(paths).count == paths.count)
  }
}
