import BAPackKit
import SourceDiagnostics
import TestSupport
import Testing

@Suite struct SelectorTests {
  @Test func `a file keeps its path, and its parent folders exist`() throws {
    let folder = try TemporaryFolder()
    try folder.makeFile("Videos/en/Intro.m4v", "12345", mode: 0o755)
    let result = try resolve(#"{"file": "Videos/en/Intro.m4v"}"#, in: folder)
    #expect(result.lines == [])
    #expect(result.paths == ["Videos/", "Videos/en/", "Videos/en/Intro.m4v"])
    let file = result.selection[2]
    #expect(file.size == 5)
    #expect(file.isExecutable)
    #expect(file.selector == 0)
    #expect(file.source == "Videos/en/Intro.m4v")
    #expect(result.selection[0].selector == nil)
    #expect(result.selection[0].source == "Videos")
  }

  @Test func `a folder is selected with its contents, in the order of the archive`() throws {
    let folder = try TemporaryFolder()
    for name in ["a/b-c", "a/b/x", "a/.hidden/y", "a/C", "a/b.c", "other"] {
      try folder.makeFile(name)
    }
    try folder.makeFolder("a/empty")
    let result = try resolve(#"{"directory": "a"}"#, in: folder)
    #expect(result.lines == [])
    #expect(
      result.paths == [
        "a/", "a/.hidden/", "a/.hidden/y", "a/C", "a/b/", "a/b/x", "a/b-c", "a/b.c", "a/empty/",
      ])
  }

  @Test func `the whole source root can be selected, and renamed`() throws {
    let folder = try TemporaryFolder()
    try folder.makeFile("a/x")
    try folder.makeFile("b")
    #expect(try resolve(#"{"directory": "."}"#, in: folder).paths == ["a/", "a/x", "b"])
    let moved = try resolve(
      #"{"directorySource": ".", "directoryDestination": "In/Side"}"#, in: folder)
    #expect(moved.paths == ["In/", "In/Side/", "In/Side/a/", "In/Side/a/x", "In/Side/b"])
    #expect(moved.selection[3].source == "a/x")
    let flat = try resolve(
      #"{"directorySource": "a", "directoryDestination": "."}"#, in: folder)
    #expect(flat.paths == ["x"])
    #expect(flat.selection[0].source == "a/x")
  }

  @Test func `a tree of the maximum depth is walked, and a deeper one is an error`() throws {
    let folder = try TemporaryFolder()
    let deep = Array(repeating: "d", count: 507).joined(separator: "/")
    #expect(deep.utf8.count + "Contents/".utf8.count == 1022)
    try folder.makeFolder(deep)
    let result = try resolve(#"{"directory": "."}"#, in: folder)
    #expect(result.findings.map(\.id.name) == ["files.empty-folder"])
    #expect(result.selection.count == 507)
    #expect(result.selection.last?.destination.text == deep)
    try folder.makeFile(deep + "/x")
    let deeper = try resolve(#"{"directory": "."}"#, in: folder)
    #expect(deeper.findings.map(\.id.name) == ["files.name"])
    #expect(try openDescriptors(below: folder.path) == [])
  }

  @Test func `a renamed file has its new path`() throws {
    let folder = try TemporaryFolder()
    try folder.makeFile("build/a.png", "abc")
    let result = try resolve(
      #"{"fileSource": "build/a.png", "fileDestination": "Textures/hero.png"}"#, in: folder)
    #expect(result.lines == [])
    #expect(result.paths == ["Textures/", "Textures/hero.png"])
    #expect(result.selection[1].source == "build/a.png")
    #expect(result.selection[0].source == nil)
  }

  @Test func `a pattern selects files, and only their parent folders`() throws {
    let folder = try TemporaryFolder()
    for name in ["Audio/a.wav", "Audio/b.mp3", "Audio/sub/c.wav", "x.wav"] {
      try folder.makeFile(name)
    }
    try folder.makeFolder("Audio/folder.wav")
    #expect(
      try resolve(#"{"filePattern": "Audio/*.wav"}"#, in: folder).paths == [
        "Audio/", "Audio/a.wav",
      ])
    #expect(
      try resolve(#"{"filePattern": "**/*.wav"}"#, in: folder).paths
        == ["Audio/", "Audio/a.wav", "Audio/sub/", "Audio/sub/c.wav", "x.wav"])
    #expect(
      try resolve(#"{"filePattern": "Audio/**"}"#, in: folder).paths
        == ["Audio/", "Audio/a.wav", "Audio/b.mp3", "Audio/sub/", "Audio/sub/c.wav"])
    #expect(
      try resolve(#"{"filePattern": "Audio/a.wav"}"#, in: folder).paths == [
        "Audio/", "Audio/a.wav",
      ])
  }

  @Test func `the same source for the same destination counts once, for the first selector`() throws
  {
    let folder = try TemporaryFolder()
    try folder.makeFile("a/x")
    try folder.makeFile("a/y")
    let result = try resolve(
      #"{"filePattern": "a/*"}, {"directory": "a"}, {"file": "a/x"}, {"directory": "."}"#,
      in: folder)
    #expect(result.lines == [])
    #expect(result.paths == ["a/", "a/x", "a/y"])
    #expect(result.selection.map(\.selector) == [1, 0, 0])
  }

  @Test func `two sources for one destination are an error that names both`() throws {
    let folder = try TemporaryFolder()
    try folder.makeFile("a.png", "1")
    try folder.makeFile("b.png", "1")
    let text = #"{"file": "a.png"}, {"fileSource": "b.png", "fileDestination": "a.png"}"#
    let result = try resolve(text, in: folder)
    #expect(
      result.lines == [
        "error files.two-sources: two sources for 'a.png': 'a.png' and 'b.png'"
      ])
    let manifest = document(text)
    #expect(result.findings.all[0].span == manifest.locations.selectors[1].source)
    #expect(result.findings.all[0].labels.map(\.span) == [manifest.locations.selectors[0].source])
  }

  @Test(arguments: [
    #"{"fileSource": "a", "fileDestination": "Data"}, {"fileSource": "b", "#
      + #""fileDestination": "Data/b"}"#,
    #"{"fileSource": "b", "fileDestination": "Data/b"}, {"fileSource": "a", "#
      + #""fileDestination": "Data"}"#,
    #"{"fileSource": "a", "fileDestination": "Data"}, {"directorySource": "d", "#
      + #""directoryDestination": "Data"}"#,
    #"{"directorySource": "d", "directoryDestination": "Data"}, {"fileSource": "a", "#
      + #""fileDestination": "Data"}"#,
  ])
  func `a destination that is a file and a folder is an error`(selectors: String) throws {
    let folder = try TemporaryFolder()
    try folder.makeFile("a")
    try folder.makeFile("b")
    try folder.makeFile("d/b")
    let result = try resolve(selectors, in: folder)
    #expect(
      Set(result.findings.map(\.id.name)) == ["files.file-and-folder"], "\(result.findings)")
    #expect(
      result.findings.all[0].message.hasPrefix("'Data' is a file (from 'a') and a folder (from "))
  }
}
