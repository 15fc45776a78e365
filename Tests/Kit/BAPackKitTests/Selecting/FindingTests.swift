import BAPackKit
import Glibc
import SourceDiagnostics
import SystemIO
import TestSupport
import Testing

@Suite struct FindingTests {
  @Test(arguments: [
    ("Textures/hero.pgn", "Textures/hero.png"), ("Texture/hero.png", "Textures/hero.png"),
    ("textures/Hero.png", "Textures/hero.png"),
  ])
  func `a missing file is reported at its position, with the nearest name`(
    wrong: String, right: String
  ) throws {
    let folder = try TemporaryFolder()
    try folder.makeFile("Textures/hero.png")
    try folder.makeFile("Textures/villain.png")
    try folder.makeFile("Models/hero.obj")
    let text = #"{"directory": "Models"}, {"file": "\#(wrong)"}"#
    let result = try resolve(text, in: folder)
    #expect(
      result.lines == [
        "error files.missing: there is no file '\(wrong)'"
      ])
    let place = document(text).locations.selectors[1].source
    #expect(result.findings.all[0].span == place)
    #expect(result.findings.all[0].fixes[0].edits == [.init(place, "\"\(right)\"")])
  }

  @Test func `there is no suggestion without a similar name`() throws {
    let folder = try TemporaryFolder()
    try folder.makeFile("Textures/hero.png")
    #expect(
      try resolve(#"{"directory": "Audio"}, {"file": "a/b/c/d"}"#, in: folder).lines == [
        "error files.missing: there is no folder 'Audio'",
        "error files.missing: there is no file 'a/b/c/d'",
      ])
  }

  @Test func `a selector without a match is an error`() throws {
    let folder = try TemporaryFolder()
    try folder.makeFolder("empty")
    #expect(
      try resolve(#"{"filePattern": "*.png"}, {"filePattern": "no/such/*"}"#, in: folder).lines
        == [
          "error files.nothing-selected: no file matches '*.png'",
          "error files.nothing-selected: no file matches 'no/such/*'",
        ])
    #expect(
      try resolve(#"{"directory": "."}"#, in: TemporaryFolder()).lines == [
        "error files.nothing-selected: the folder '.' is empty"
      ])
  }

  @Test(arguments: [
    (#"{"directory": "empty"}"#, ["empty/"]),
    (#"{"directorySource": "empty", "directoryDestination": "x"}"#, ["x/"]),
    (#"{"directorySource": "empty", "directoryDestination": "."}"#, []),
    (#"{"directorySource": "empty", "directoryDestination": "./"}"#, []),
  ])
  func `an empty folder is a warning for every destination`(
    _ selector: String, _ paths: [String]
  ) throws {
    let folder = try TemporaryFolder()
    try folder.makeFolder("empty")
    try folder.makeFile("a")
    let result = try resolve(selector + #", {"file": "a"}"#, in: folder)
    #expect(result.lines == ["warning files.empty-folder: there is no file in 'empty'"])
    #expect(result.paths == ["a"] + paths)
  }

  @Test func `a file in place of a folder, and the reverse, are reported`() throws {
    let folder = try TemporaryFolder()
    try folder.makeFile("a/x")
    #expect(
      try resolve(#"{"file": "a"}, {"directory": "a/x"}, {"file": "a/x/y"}"#, in: folder).lines
        == [
          "error files.wrong-kind: 'a' is a folder",
          "error files.wrong-kind: 'a/x' is a file",
          "error files.missing: there is no file 'a/x/y'",
        ])
  }

  @Test func `special files are errors if they are selected`() throws {
    let folder = try TemporaryFolder()
    try folder.makePipe("a/pipe".replacing("a/", with: ""))
    try folder.makeFile("x.png")
    #expect(
      try resolve(#"{"directory": "."}"#, in: folder).lines
        == ["error files.special-file: 'pipe' is a pipe"])
    #expect(try resolve(#"{"filePattern": "*.png"}"#, in: folder).lines == [])
  }

  @Test func `an unreadable file is reported at the selector`() throws {
    let folder = try TemporaryFolder()
    try folder.makeFile("a/private", mode: 0o000)
    try folder.makeFile("a/open")
    // The superuser can read all files, so the error is forced.
    let result = try ForcedFailures.inject(.always(.access, EACCES)) {
      try resolve(#"{"directory": "a"}"#, in: folder)
    }
    #expect(
      result.lines == ["error files.unreadable: cannot read 'a/private': Permission denied"])
    let closed = try ForcedFailures.inject(.always(.open, EACCES, path: "/a")) {
      try resolve(#"{"directory": "."}"#, in: folder)
    }
    #expect(closed.lines == ["error files.unreadable: cannot read 'a': Permission denied"])
  }

  @Test func `the output of this run is never selected`() throws {
    let folder = try TemporaryFolder()
    try folder.makeFile("Pack.aar")
    try folder.makeFile("x")
    let result = try resolve(
      #"{"directory": "."}"#, in: folder, leavingOut: [folder.path("Pack.aar"), "/not/there"])
    #expect(result.lines == [])
    #expect(result.paths == ["x"])
  }

  @Test func `the output of this run does not affect the selection`() throws {
    // Existing folders and files: none, and the output of earlier runs.
    let states: [[String]] = [
      [], ["a/"], ["a/out/"], ["a/out/Pack.aar"], ["a/out/.ba-package-1x.tmp", "a/out/Pack.aar"],
      ["a/out/Pack.aar", "a/out/Other.aar", "kept/00/entry"],
    ]
    let selectors = [
      #"{"directory": "."}"#, #"{"filePattern": "**/*"}"#,
      #"{"directory": "."}, {"fileExclusion": "x.txt"}"#,
      #"{"directorySource": ".", "directoryDestination": "in"}"#,
    ]
    for selector in selectors {
      var expected: [String]?
      for state in states {
        let folder = try TemporaryFolder()
        try folder.makeFile("x")
        try folder.makeFile("b/x.txt")
        try folder.makeFolder("empty/e")
        for name in state {
          if name.hasSuffix("/") { try folder.makeFolder(name) } else { try folder.makeFile(name) }
        }
        let result = try resolve(
          selector, in: folder,
          leavingOut: ["a/out/Pack.aar", "a/out/Other.aar", "kept"].map { folder.path($0) })
        #expect(result.paths == expected ?? result.paths, "\(state)")
        #expect(!result.paths.contains { $0.contains("out") || $0.contains("kept") })
        expected = result.paths
      }
    }
  }

  @Test func `a folder around an output is kept if it contains other files`() throws {
    let folder = try TemporaryFolder()
    try folder.makeFile("a/out/Pack.aar")
    try folder.makeFile("a/notes.txt")
    try folder.makeFolder("b/empty")
    let result = try resolve(
      #"{"directory": "."}"#, in: folder,
      leavingOut: [folder.path("a/out/Pack.aar"), folder.path("b/Pack.aar")])
    #expect(result.paths == ["a/", "a/notes.txt", "b/", "b/empty/"])
  }

  @Test func `temporary files of ba-package are never selected`() throws {
    let folder = try TemporaryFolder()
    let left = TemporaryName.make().shown
    try folder.makeFile(left)
    try folder.makeFile("x")
    let result = try resolve(#"{"directory": "."}, {"filePattern": ".b*"}"#, in: folder)
    #expect(result.lines == ["error files.nothing-selected: no file matches '.b*'"])
    #expect(result.paths == ["x"])
  }

  @Test func `junk is a warning for each kind, with the exclusion as its fix`() throws {
    let folder = try TemporaryFolder()
    for name in [
      "a/.DS_Store", "a/b/.DS_Store", "a/.git/config", "a/.git/.DS_Store", "a/x.png",
      "a/~notes", "a/notes~", "a/.notes.swp", "a/Thumbs.db", "a/Old.aar", "a/__MACOSX/._x",
    ] {
      try folder.makeFile(name)
    }
    let text = #"{"directory": "a"}, {"file": "a/b/.DS_Store"}"#
    let result = try resolve(text, in: folder)
    #expect(
      Set(result.lines) == [
        "warning files.junk: 'a/.DS_Store' and 1 more file are selected, but are unlikely to "
          + "be assets",
        "warning files.junk: 'a/.git' is selected, but is unlikely to be an asset",
        "warning files.junk: 'a/.notes.swp' is selected, but is unlikely to be an asset",
        "warning files.junk: 'a/Old.aar' is selected, but is unlikely to be an asset",
        "warning files.junk: 'a/Thumbs.db' is selected, but is unlikely to be an asset",
        "warning files.junk: 'a/__MACOSX' is selected, but is unlikely to be an asset",
        "warning files.junk: 'a/notes~' is selected, but is unlikely to be an asset",
      ])
    let source = document(text).source
    var fixed = String(decoding: source.bytes, as: UTF8.self)
    // All exclusions are added after the last selector, one after the other.
    for finding in result.findings {
      let edit = try #require(finding.fixes.first?.edits.first)
      let place = fixed.utf8.index(fixed.startIndex, offsetBy: edit.span.start)
      fixed.insert(contentsOf: edit.replacement, at: place)
    }
    let second = try Selection.resolve(
      ManifestDocument(parsing: Array(fixed.utf8), named: "m.json"),
      in: SourceRoot(opening: folder.path, .unstoppable), .unstoppable)
    #expect(second.lines == [])
    #expect(second.paths == ["a/", "a/x.png", "a/~notes"])
  }

  @Test func `a junk folder in the path of a pattern is reported`() throws {
    let folder = try TemporaryFolder()
    for name in ["__MACOSX/a.png", "__MACOSX/b.png", "c.png"] { try folder.makeFile(name) }
    #expect(
      try resolve(#"{"filePattern": "**/*.png"}"#, in: folder).lines
        == ["warning files.junk: '__MACOSX' is selected, but is unlikely to be an asset"])
    #expect(try resolve(#"{"file": "__MACOSX/a.png"}"#, in: folder).lines == [])
  }

  @Test func `a malformed pattern is reported, without further findings`() throws {
    let folder = try TemporaryFolder()
    try folder.makeFile("x")
    let written = document(
      #"{"file": "x"}, {"filePattern": "a[b"}, {"fileExclusion": "[z-a]"}"#)
    // The text alone is sufficient: files are not searched.
    #expect(
      written.findings.map { "\($0.id.name): \($0.message)" } == [
        "files.pattern: the pattern 'a[b' has a '[' without a ']' in the same component",
        "files.pattern: the pattern '[z-a]' has a reversed range",
      ])
    #expect(
      try Selection.resolve(
        written, in: SourceRoot(opening: folder.path, .unstoppable), .unstoppable
      ).lines == []
    )
  }
}
