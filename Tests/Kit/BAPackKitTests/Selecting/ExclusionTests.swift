import BAPackKit
import SourceDiagnostics
import SystemIO
import TestSupport
import Testing

@Suite struct ExclusionTests {
  @Test func `exclusions apply to all selectors, in any order`() throws {
    let folder = try TemporaryFolder()
    for name in ["a/keep", "a/drop.tmp", "b/drop.tmp"] { try folder.makeFile(name) }
    for text in [
      #"{"fileExclusion": "*.tmp"}, {"directory": "."}, {"file": "a/drop.tmp"}"#,
      #"{"directory": "."}, {"file": "a/drop.tmp"}, {"fileExclusion": "*.tmp"}"#,
    ] {
      let result = try resolve(text, in: folder)
      #expect(result.lines == [])
      #expect(result.paths == ["a/", "a/keep"])
    }
  }

  @Test func `a folder that exclusions emptied is omitted, an empty folder is kept`() throws {
    let folder = try TemporaryFolder()
    try folder.makeFile("a/deep/er/x.tmp")
    try folder.makeFolder("a/empty")
    try folder.makeFile("b/c/x.tmp")
    try folder.makeFile("b/y")
    let result = try resolve(#"{"directory": "."}, {"fileExclusion": "*.tmp"}"#, in: folder)
    #expect(result.paths == ["a/", "a/empty/", "b/", "b/y"])
  }

  @Test func `an exclusion that matches a folder excludes its contents`() throws {
    let folder = try TemporaryFolder()
    for name in ["a/cache/x", "a/cache/sub/y", "a/z", "cache/x"] { try folder.makeFile(name) }
    #expect(
      try resolve(#"{"directory": "."}, {"fileExclusion": "cache"}"#, in: folder).paths
        == ["a/", "a/z"])
    #expect(
      try resolve(#"{"directory": "."}, {"fileExclusion": "a/cache"}"#, in: folder).paths
        == ["a/", "a/z", "cache/", "cache/x"])
    #expect(
      try resolve(
        #"{"file": "a/cache/sub/y"}, {"file": "a/z"}, {"fileExclusion": "a/cache"}"#, in: folder
      )
      .paths == ["a/", "a/z"])
  }

  @Test func `files that are named one by one are excluded like files of a folder`() throws {
    let folder = try TemporaryFolder()
    let names = ["a/x", "a/y", "a/b/x", "a/b/y", "b/x", "c/b/z", "x"]
    for name in names { try folder.makeFile(name) }
    for exclusion in ["a/b", "b", "x", "a/x", "a/b/y", "**/b/?", "./x", "a/**", "?/y"] {
      let exclusions = #"{"fileExclusion": "\#(exclusion)"}"#
      let walked = try resolve(#"{"directory": "."}, \#(exclusions)"#, in: folder)
      // In every order: the next file is in the same folder or in another.
      for shift in names.indices {
        let turned = names[shift...] + names[..<shift]
        let files = turned.map { #"{"file": "\#($0)"}"# }.joined(separator: ", ")
        let named = try resolve("\(files), \(exclusions)", in: folder)
        #expect(
          named.paths.filter { !$0.hasSuffix("/") } == walked.paths.filter { !$0.hasSuffix("/") },
          "\(exclusion), from \(shift)")
        #expect(named.lines == [], "\(exclusion)")
      }
    }
  }

  @Test(arguments: ["pack.json", "[p]ack.json", "pack*", "./pack.json"])
  func `a leading dot and slash anchor a pattern at the source root`(pattern: String) throws {
    let folder = try TemporaryFolder()
    for name in ["pack.json", "Levels/pack.json", "x"] { try folder.makeFile(name) }
    func left(_ exclusion: String) throws -> [String] {
      try resolve(#"{"directory": "."}, {"fileExclusion": "\#(exclusion)"}"#, in: folder).paths
    }
    #expect(try left("./" + pattern) == ["Levels/", "Levels/pack.json", "x"])
    #expect(try left(".///./" + pattern) == ["Levels/", "Levels/pack.json", "x"])
    #expect(try left("./Levels/" + pattern) == ["pack.json", "x"])
    if !pattern.hasPrefix("./") { #expect(try left(pattern) == ["x"]) }
    // The manifest in the archive is equal.
    let text = document(#"{"directory": "."}, {"fileExclusion": "./\#(pattern)"}"#)
    let archived = ManifestDocument(
      parsing: try #require(text.manifest).archivedJSON(), named: "Manifest.json")
    #expect(archived.fileSelectors == text.fileSelectors)
  }

  @Test func `the fix for a manifest in the source root keeps other files with that name`() throws {
    let folder = try TemporaryFolder()
    let text = document(#"{"directory": "."}"#).source.bytes
    try folder.makeFile("pack.json", text)
    try folder.makeFile("Levels/pack.json")
    let pack = try SelectedPack(
      ManifestDocument(parsing: text, named: folder.path("pack.json")), sourceRoot: folder.path,
      .unstoppable)
    #expect(
      pack.findings.flatMap(\.fixes).map(\.message) == [#"add {"fileExclusion":"./pack.json"}"#])
  }

  @Test func `excluded files are listed with their selector and exclusion`() throws {
    let folder = try TemporaryFolder()
    for name in ["a/x.tmp", "a/cache/y", "b.tmp", "keep"] { try folder.makeFile(name) }
    try folder.makeFile(named: Array("c/".utf8) + [0xE9] + Array(".tmp".utf8))
    let text = document(
      #"""
      {"directory": "."}, {"file": "b.tmp"}, {"fileExclusion": "*.tmp"}, {"fileExclusion": "cache"},
      {"fileExclusion": "b.*"}
      """#)
    let result = try Selection.resolve(
      text, in: SourceRoot(opening: folder.path, .unstoppable), listingExcluded: true, .unstoppable)
    #expect(
      result.excluded.map {
        "\($0.source) \($0.isFolder) \($0.selector) \($0.exclusions)"
      }
        == [
          "a/cache true 0 [3]", "a/x.tmp false 0 [2]", "b.tmp false 0 [2, 4]",
          "c/\\xE9.tmp false 0 [2]", "b.tmp false 1 [2, 4]",
        ])
    #expect(
      try Selection.resolve(text, in: SourceRoot(opening: folder.path, .unstoppable), .unstoppable)
        .excluded == []
    )
  }

  @Test func `exclusions match source paths`() throws {
    let folder = try TemporaryFolder()
    try folder.makeFile("raw/a.png")
    try folder.makeFile("raw/b.png")
    let moved = #"{"directorySource": "raw", "directoryDestination": "Textures"}"#
    #expect(
      try resolve(moved + #", {"fileExclusion": "raw/a.png"}"#, in: folder).paths
        == ["Textures/", "Textures/b.png"])
    let other = try resolve(moved + #", {"fileExclusion": "Textures/a.png"}"#, in: folder)
    #expect(
      other.lines == [
        "warning files.unused-exclusion: the exclusion 'Textures/a.png' matches no selected file"
      ])
  }

  @Test func `excluded files are never opened`() throws {
    let folder = try TemporaryFolder()
    try folder.makeLink("a/absolute", to: "/etc/passwd")
    try folder.makeLink("a/nowhere", to: "not there")
    try folder.makePipe("a/pipe")
    try folder.makeFile(named: [0xFF])
    try folder.makeFile("a/x")
    let first = try resolve(
      #"{"directory": "."}, {"fileExclusion": "?"}, {"file": "a/nothing"}"#, in: folder)
    #expect(first.lines == ["warning files.empty: the pack contains no files"])
    let second = try resolve(
      #"{"directory": "a"}, {"fileExclusion": "a/[anp]*"}"#, in: folder)
    #expect(second.lines == [])
    #expect(second.paths == ["a/", "a/x"])
  }

  @Test func `a selector with only excluded files has a match`() throws {
    let folder = try TemporaryFolder()
    try folder.makeFile("a.tmp")
    try folder.makeFile("b")
    let result = try resolve(
      #"{"filePattern": "*.tmp"}, {"file": "b"}, {"fileExclusion": "*.tmp"}"#, in: folder)
    #expect(result.lines == [])
    #expect(result.paths == ["b"])
  }

  @Test func `an exclusion without a match, and a pack without files, are warnings`() throws {
    let folder = try TemporaryFolder()
    try folder.makeFile("a")
    let result = try resolve(
      #"{"file": "a"}, {"fileExclusion": "b"}, {"fileExclusion": "a"}"#, in: folder)
    #expect(
      result.lines == [
        "warning files.empty: the pack contains no files",
        "warning files.unused-exclusion: the exclusion 'b' matches no selected file",
      ])
    #expect(!result.hasErrors)
  }
}
