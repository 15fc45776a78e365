@testable import BAPackKit
import SourceDiagnostics
import SystemIO
import TestSupport
import Testing

/// Tests of patterns that begin in the same folder, which are compared with its contents together.
@Suite struct PatternGroupTests {
  // MARK: Together and alone

  /// Fills a folder with random files, folders and links.
  private func fill(
    _ folder: borrowing TemporaryFolder, _ path: String, _ random: inout Seeded, depth: Int
  ) throws {
    if depth > 0 { try folder.makeFolder(path) }
    for name in ["a", "b", "c.p", ".d", "ab"] {
      let path = path + name
      switch random.next(below: 8) {
      case 0: continue
      case 1..<4 where depth < 3: try fill(folder, path + "/", &random, depth: depth + 1)
      case 4:
        let targets = ["..", "nothing", "../a", "/etc", ".", "c.p", "../b/a"]
        try folder.makeLink(path, to: targets[random.next(below: targets.count)])
      case 5 where depth > 0: try folder.makePipe(path)
      default: try folder.makeFile(path)
      }
    }
  }

  /// The parts of a selection that are independent of the number of patterns.
  private struct Outcome {
    /// The first selector of each file.
    var files: [FilePath: Int] = [:]
    /// The findings about entries and patterns, each once.
    var findings: Set<String> = []
    var unusedExclusions: Set<String> = []
    var excluded: Set<String> = []

    init(
      _ patterns: [String], _ exclusions: [String], in folder: borrowing TemporaryFolder
    ) throws {
      let selectors =
        patterns.map { #"{"filePattern": "\#($0)"}"# }
        + exclusions.map { #"{"fileExclusion": "\#($0)"}"# }
      let result = try Selection.resolve(
        document(selectors.joined(separator: ", ")),
        in: SourceRoot(opening: folder.path, .unstoppable), listingExcluded: true, .unstoppable)
      for entry in result.selection where entry.kind == .file {
        #expect(files[entry.destination] == nil)
        files[entry.destination] = entry.selector
      }
      for finding in result.findings {
        let line = "\(finding.message) \(finding.notes)"
        switch finding.id.name {
        case "files.empty": continue
        case "files.unused-exclusion": unusedExclusions.insert(line)
        default: findings.insert(line)
        }
      }
      excluded = Set(
        result.excluded.map {
          let matching = $0.exclusions.map { exclusions[$0 - patterns.count] }
          return "\($0.source) \($0.isFolder) \(patterns[$0.selector]) \(matching)"
        })
    }
  }

  @Test(arguments: 1...8 as ClosedRange<UInt64>)
  func `patterns together select what each of them selects alone`(seed: UInt64) throws {
    var random = Seeded(seed: seed)
    let folder = try TemporaryFolder()
    try fill(folder, "", &random, depth: 0)
    let parts = ["a", "b", "*", "**", "?", "*.p", "[ab]*", ".*", "c.p", "l*"]
    var fileCount = 0
    for _ in 0..<40 {
      var texts = (0..<10).map { _ in
        (0...random.next(below: 3)).map { _ in parts[random.next(below: parts.count)] }
          .joined(separator: "/")
      }
      let exclusions = Array(texts.prefix(random.next(below: 3)))
      texts.removeFirst(3)
      let patterns = Array(texts.prefix(2 + random.next(below: 5)))
      let together = try Outcome(patterns, exclusions, in: folder)
      let alone = try patterns.map { try Outcome([$0], exclusions, in: folder) }
      var files: [FilePath: Int] = [:]
      for (index, outcome) in alone.enumerated() {
        files.merge(outcome.files.mapValues { _ in index }) { first, _ in first }
      }
      fileCount += files.count
      #expect(together.files == files, "\(patterns) \(exclusions)")
      #expect(
        together.findings == Set(alone.flatMap(\.findings)), "\(patterns) \(exclusions)")
      let unused = alone.map(\.unusedExclusions)
      #expect(
        together.unusedExclusions == unused.reduce(unused[0]) { $0.intersection($1) },
        "\(patterns) \(exclusions)")
      #expect(
        together.excluded == Set(alone.flatMap(\.excluded)), "\(patterns) \(exclusions)")
    }
    #expect(fileCount > 50)
  }

  // MARK: Cost

  @Test func `a folder is listed once for all patterns that begin in it`() throws {
    let folder = try TemporaryFolder()
    for number in 0..<20 { try folder.makeFile("\(number % 4)/\(number).png") }
    func listings(_ count: Int) throws -> Int {
      let selectors = (0..<count).map { #"{"filePattern": "**/\#($0).png"}"# }
      let listings = CallCount()
      let call = ForcedFailure(.readDirectory, .run { listings.add() })
      let result = try ForcedFailures.inject([call]) {
        try resolve(selectors.joined(separator: ", "), in: folder)
      }
      #expect(result.lines == [])
      #expect(result.selection.fileCount == count)
      return listings.value
    }
    #expect(try listings(20) == listings(1))
    #expect(try listings(1) > 0)
  }

  // MARK: Findings

  @Test func `a problem of an entry is one finding, at the first pattern that selects it`() throws {
    let folder = try TemporaryFolder()
    try folder.makeFile("a/x.png")
    try folder.makePipe("a/pipe")
    try folder.makeLink("a/loop", to: "..")
    let text = document(
      #"""
      {"filePattern": "*/x.png"}, {"filePattern": "**/pipe"}, {"filePattern": "*/*"},
      {"filePattern": "*.png"}
      """#)
    let result = try Selection.resolve(
      text, in: SourceRoot(opening: folder.path, .unstoppable), .unstoppable)
    #expect(
      result.lines == [
        "error files.link: the link 'a/loop' is a loop",
        "error files.special-file: 'a/pipe' is a pipe",
        "error files.nothing-selected: no file matches '*.png'",
      ])
    let places = [1, 1, 3].map { text.locations.selectors[$0].source }
    #expect(result.findings.all.map(\.span) == places)
    #expect(result.paths == ["a/", "a/x.png"])
  }

  @Test func `a link that is not followed is in the notes of the patterns that reach it`() throws {
    let folder = try TemporaryFolder()
    try folder.makeFile("a/x.png")
    try folder.makeLink("a/away", to: "/usr")
    try folder.makeLink("b", to: "nothing")
    let result = try resolve(
      #"""
      {"filePattern": "*.ogg"}, {"filePattern": "**/*.ogg"}, {"filePattern": "*/away/*.ogg"},
      {"filePattern": "*/*.png"}
      """#, in: folder)
    #expect(result.findings.map(\.id.name) == Array(repeating: "files.nothing-selected", count: 3))
    let links = result.findings.map { finding in
      ["a/away", "b"].filter { link in finding.notes.contains { $0.contains("link '\(link)'") } }
    }
    #expect(links == [[], ["a/away"], ["a/away"]])
  }

  @Test func `a pattern is used only if it matches, also a file in an excluded folder`() throws {
    let folder = try TemporaryFolder()
    for path in ["New/c.wav", "Old/a.wav", "Old/b.ogg", "Old/deep/d.txt", "Old.png/e.mp3"] {
      try folder.makeFile(path)
    }
    let selectors = #"""
      {"filePattern": "**/*.WAV"}, {"filePattern": "**/*.wav"}, {"filePattern": "**/*.ogg"},
      {"filePattern": "*/*/*.txt"}, {"filePattern": "*.png"}, {"filePattern": "Old/*.png"},
      {"filePattern": "Old/**/*.txt"}, {"filePattern": "Old/d*/*.ogg"},
      {"fileExclusion": "Old*"}
      """#
    let result = try resolve(selectors, in: folder)
    #expect(
      result.lines == [
        "error files.nothing-selected: no file matches '**/*.WAV'",
        "error files.nothing-selected: no file matches '*.png'",
        "error files.nothing-selected: no file matches 'Old/*.png'",
        "error files.nothing-selected: no file matches 'Old/d*/*.ogg'",
      ])
    #expect(result.paths == ["New/", "New/c.wav"])
    // Large excluded folders are not searched.
    let large = try Selection.resolve(
      document(selectors), in: SourceRoot(opening: folder.path, .unstoppable),
      within: Selection.Bounds(excludedNames: 1), .unstoppable)
    #expect(large.lines == ["error files.nothing-selected: no file matches '*.png'"])
  }

  @Test func `patterns in an excluded or missing folder`() throws {
    let folder = try TemporaryFolder()
    try folder.makeFile("a/x.png")
    try folder.makeFile("b")
    let result = try resolve(
      #"""
      {"filePattern": "a/*.png"}, {"filePattern": "a/**"}, {"fileExclusion": "a"},
      {"filePattern": "c/*.png"}, {"filePattern": "b/**"}, {"filePattern": "c/**"},
      {"filePattern": "b"}, {"filePattern": "b/*"}
      """#, in: folder)
    #expect(
      result.lines == [
        "error files.nothing-selected: no file matches 'c/*.png'",
        "error files.nothing-selected: no file matches 'c/**'",
        "error files.nothing-selected: no file matches 'b/*'",
      ])
    #expect(result.paths == ["b"])
    #expect(result.selection[0].selector == 4)
  }
}
