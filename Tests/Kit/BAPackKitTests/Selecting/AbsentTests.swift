@testable import BAPackKit
import Glibc
import SourceDiagnostics
import SystemIO
import TestSupport
import Testing

/// Tests of the findings about selectors without a match.
@Suite struct AbsentTests {
  private func errors(_ selectors: String, in folder: borrowing TemporaryFolder) throws -> [String]
  {
    try resolve(selectors, in: folder).findings.filter { $0.severity == .error }.map(\.message)
  }

  // MARK: Patterns

  @Test(arguments: [
    ("Texturse/*.png", "Textures/*.png"), ("textures/**", "Textures/**"),
    ("Textures/hreo.png", "Textures/hero.png"), ("Textures/Deap/*.png", "Textures/Deep/*.png"),
    ("**/[^x]ero.png", "**/[!x]ero.png"),
    ("Textures/[[:alpha:]]ero.png", "Textures/[a-zA-Z]ero.png"),
    ("Textures/cave[[:digit:]_].png", "Textures/cave[0-9_].png"),
    ("Textures/*.PNG", "Textures/*.png"), ("textures/*.PNG", "Textures/*.png"),
    ("**/*.PNG", "**/*.png"), ("AUDIO/*.wav", "Audio/*.wav"),
    ("*/THEME.WAV", "*/theme.wav"),
  ])
  func `a pattern without a match has a suggestion that matches, and a fix`(
    wrong: String, right: String
  ) throws {
    let folder = try TemporaryFolder()
    for name in ["Textures/hero.png", "Textures/Deep/x.png", "Textures/cave7.png"] {
      try folder.makeFile(name)
    }
    try folder.makeFile("Audio/theme.wav")
    let text = #"{"filePattern": "\#(wrong)"}"#
    let finding = try #require(try resolve(text, in: folder).findings.all.first)
    #expect(finding.id.name == "files.nothing-selected")
    #expect(finding.message == "no file matches '\(wrong)'")
    let edit = try #require(finding.fixes.first?.edits.first)
    #expect(edit.span == document(text).locations.selectors[0].source)
    #expect(try resolve(#"{"filePattern": \#(edit.replacement)}"#, in: folder).lines == [])
  }

  @Test(arguments: [
    (
      "*.{png,jpg}",
      "braces are not supported: write a selector for each alternative, '*.png', '*.jpg'"
    ),
    ("a{1..9}.png", "braces are not supported"), ("[^x]*.ogg", "'!' negates a class: '[!x]'"),
    ("[[:upper:]]*.ogg", "named classes are not supported: write 'A-Z' for '[:upper:]'"),
    ("@(a|b).png", "'@(…)' is not supported"),
    ("**.ogg", "only as a whole component: '**/*.ogg'"),
    ("Sounds", "'Sounds' is a folder, but a pattern selects files: use 'Sounds/**'"),
    ("*/*hidden", "wildcards do not match the dot"),
    ("sounds/*.mP3", "patterns are case-sensitive; 'Sounds/a.Mp3' exists"),
    ("l*/x.png", "the link 'link' leaves the source root"),
  ])
  func `a pattern in the syntax of another tool is reported with the correct syntax`(
    pattern: String, note: String
  ) throws {
    let folder = try TemporaryFolder()
    try folder.makeFile("Sounds/a.Mp3")
    try folder.makeFile("x/.hidden")
    try folder.makeLink("link", to: "/usr")
    let finding = try #require(
      try resolve(#"{"filePattern": "\#(pattern)"}"#, in: folder).findings.all.first)
    #expect(finding.message == "no file matches '\(pattern)'")
    #expect(finding.notes.contains { $0.contains(note) }, "\(finding.notes)")
  }

  @Test func `an exclusion in the syntax of another tool is reported as well`() throws {
    let folder = try TemporaryFolder()
    try folder.makeFile("a.png")
    let finding = try #require(
      try resolve(#"{"directory": "."}, {"fileExclusion": "*.{tmp,bak}"}"#, in: folder)
        .findings.all.first)
    #expect(finding.message == "the exclusion '*.{tmp,bak}' matches no selected file")
    #expect(finding.notes.contains { $0.contains("braces are not supported") })
  }

  @Test(arguments: [
    "[^]", "[", "a[[:alpha:", "{", "\\", "[[:x:]]", "**", "a**", "{,}", "@(", "[^^]", "🏻[",
  ])
  func `suggestions for any pattern end, and keep unknown parts`(pattern: String) {
    let advice = PatternAdvice(on: pattern)
    #expect(advice.notes.count <= 1)
    #expect((advice.rewritten == nil) == !pattern.hasPrefix("[^^"))
  }

  // MARK: Names

  @Test(arguments: [
    ("p07.png", "p007.png"), ("p05.png", nil), ("p7.png", "p007.png"), ("level-2/x", nil),
    ("Level-1/x", "level-1/x"),
    ("levle-1/x", "level-1/x"), ("hero.png", nil), ("her2.png", "hero2.png"),
  ])
  func `no other file of a numbered series is suggested`(wrong: String, right: String?) throws {
    let folder = try TemporaryFolder()
    for name in [
      "p00.png", "p06.png", "p007.png", "p08.png", "level-1/x", "level-3/x", "hero2.png",
    ] {
      try folder.makeFile(name)
    }
    let findings = try resolve(#"{"file": "\#(wrong)"}"#, in: folder).findings.all
    #expect(findings.map(\.message) == ["there is no file '\(wrong)'"])
    #expect(findings.flatMap(\.fixes).map(\.message) == right.map { ["write '\($0)'"] } ?? [])
  }

  @Test
  func `many wrong names in a large folder need one listing and a limited number of comparisons`()
    throws
  {
    let folder = try TemporaryFolder()
    for number in 0..<500 { try folder.makeFile("many/name-\(number)x") }
    let tree = FolderTree(try FileDescriptor.open(folder.path, for: .directory))
    var near = NearestPath(in: tree, lookingAt: 1_200)
    var found: [Bool] = []
    for number in 0..<5 {
      let path = FilePath("many/nmae-\(number)x").components
      found.append(near.search(for: path, expectsFolder: false) != nil)
    }
    // The third search compares the remaining names, which are the first in order.
    #expect(found.prefix(2) == [true, true])
    #expect(found.suffix(2) == [false, false])
    #expect(near.namesLeft == 0)
    let listings = CallCount()
    let call = ForcedFailure(.readDirectory, .run { listings.add() })
    let pattern = try PathPattern(forFiles: "**")
    let match = ForcedFailures.inject([call]) { near.firstMatch(of: pattern) }
    #expect(match == nil)
    #expect(listings.value == 0)
    // A search with names left lists the folders.
    near = NearestPath(in: tree, lookingAt: 1)
    #expect(ForcedFailures.inject([call]) { near.firstMatch(of: pattern) }?.isFolder == true)
    #expect(listings.value > 0)
  }

  // MARK: Another root

  @Test func `in the folder of the manifests, all missing files are one finding`() throws {
    let folder = try TemporaryFolder()
    for name in ["levels/cave/x", "levels/sky/y", "icon.png", "Audio/a.wav"] {
      try folder.makeFile(name)
    }
    try folder.makeFolder("Packs")
    let selectors = """
      {"directory": "levels/cave"}, {"directory": "levels/sky"}, {"file": "icon.png"},
      {"filePattern": "Audio/*.wav"}, {"filePattern": "*.txt"}
      """
    for (more, edit) in [("", ", \"sourceRoot\": \"..\""), (#""sourceRoot": "./.","#, "\"..\"")] {
      let text = ManifestDocument(
        parsing: document(selectors, more: more).source.bytes, named: folder.path("Packs/m.json"))
      // The default is the current folder, which a test cannot choose.
      let root = SourceRoot.path(for: text) == "." ? folder.path("Packs") : nil
      let found = try SelectedPack(text, sourceRoot: root, .unstoppable).findings.all
      #expect(found.map(\.id.name) == ["files.missing"])
      let finding = try #require(found.first)
      let place = FilePath(folder.path("Packs")).folder.shown
      let remedy =
        root == nil
        ? "set 'sourceRoot' to '..', or run ba-package there" : "use that as the source root"
      #expect(
        finding.message
          == "there is no folder 'levels/cave', but it exists in '\(place)': \(remedy)")
      #expect(finding.notes.first == "4 more exist there")
      #expect(finding.span == text.locations.selectors[0].source)
      if root == nil { #expect(finding.fixes.first?.edits.first?.replacement == edit) }
    }
  }

  @Test func `files that only partly exist in another root are reported one by one`() throws {
    let folder = try TemporaryFolder()
    try folder.makeFile("icon.png")
    try folder.makeFolder("Packs")
    #expect(
      try Selection.resolve(
        document(#"{"file": "icon.png"}, {"file": "nowhere"}"#),
        in: SourceRoot(opening: folder.path("Packs"), .unstoppable), .unstoppable
      ).lines == [
        "error files.missing: there is no file 'icon.png'",
        "error files.missing: there is no file 'nowhere'",
      ])
  }

  @Test(arguments: [
    #""sourceRoot": "/abs","#, #""sourceRoot": 7,"#, #""sourceRoot": null,"#, #""sourceRoot": "","#,
    #""sourceroot": "..","#, #""sourcRoot": "..","#, #""sourceRoots": "..","#,
    #""sourceRoot": [".."],"#,
  ])
  func `an unreadable source root is one error, and files are not searched`(key: String)
    throws
  {
    let text = document(#"{"file": "a"}, {"directory": "b"}"#, more: key)
    let pack = try SelectedPack(text, .unstoppable)
    #expect(pack.hasErrors)
    #expect(pack.document.findings.count { $0.severity == .error } == 1)
    #expect(
      pack.findings.map(\.message) == [
        "the files are not checked because 'sourceRoot' is invalid"
      ])
    let folder = try TemporaryFolder()
    try folder.makeFile("a")
    try folder.makeFile("b/x")
    #expect(try SelectedPack(text, sourceRoot: folder.path, .unstoppable).findings.all == [])
  }

  @Test(arguments: [
    #"{"fileExclusion": ""}"#, #"{"fileExclusion": "/x"}"#, #"{"fileExclusion": "../x"}"#,
    #"{"fileExclusion": 1}"#, #"{"fileExclusion": "[z-a]"}"#,
  ])
  func `an error in the only selector, an exclusion, is reported once`(selector: String) throws {
    let folder = try TemporaryFolder()
    let text = document(selector)
    let found = try SelectedPack(text, sourceRoot: folder.path, .unstoppable)
    #expect(found.allFindings.map(\.severity) == [.error])
  }

  // MARK: Files that are not selected

  @Test func `a pattern fails only for files that it selects`() throws {
    let folder = try TemporaryFolder()
    try folder.makeFile("a/good.png")
    try folder.makeFile(named: [0xE9] + Array("/notes.txt".utf8))
    try folder.makeFile("bell\u{7}/notes.txt")
    try folder.makeLink("outside", to: "../..")
    try folder.makeLink("absolute", to: "/usr")
    try folder.makeLink("dangling", to: "nothing")
    try folder.makeLink("self", to: "self")
    let part = String(repeating: "n", count: 250)
    try folder.makeFile(named: Array("\(part)/\(part)/\(part)/\(part)/\(part)/x.txt".utf8))
    let text = #"{"filePattern": "**/*.png"}"#
    #expect(try resolve(text, in: folder).lines == [])
    #expect(try resolve(text, in: folder).paths == ["a/", "a/good.png"])

    try folder.makeFile(named: [0xE9] + Array("/b.png".utf8))
    try folder.makeLink("out.png", to: "../../x.png")
    #expect(
      Set(try errors(text, in: folder)) == [
        "the link 'out.png' leaves the source root: '../../x.png'",
        "the name '\\xE9/b.png' is not UTF-8",
      ])
  }

  @Test func `named files are found in a folder that can be searched but not listed`() throws {
    let folder = try TemporaryFolder()
    try folder.makeFile("d/f", "12")
    // The superuser can list all folders, so the error is forced for listing only.
    func closed() -> [ForcedFailure] {
      [
        ForcedFailure(.open, .fail(EACCES), times: 1, path: "/d"),
        .always(.open, EACCES, path: "/d/."),
      ]
    }
    for selector in [
      #"{"file": "d/f"}"#, #"{"fileSource": "d/f", "fileDestination": "d/f"}"#,
      #"{"filePattern": "d/f"}"#,
    ] {
      let result = try ForcedFailures.inject(closed()) { try resolve(selector, in: folder) }
      #expect(result.lines == [])
      #expect(result.selection.last?.size == 2)
    }
    for selector in [#"{"directory": "d"}"#, #"{"filePattern": "d/*"}"#] {
      let result = try ForcedFailures.inject(closed()) { try resolve(selector, in: folder) }
      #expect(
        result.lines == ["error files.unreadable: cannot read 'd': Permission denied"])
    }
    let root = try ForcedFailures.inject([
      ForcedFailure(.open, .fail(EACCES), times: 1, path: folder.path)
    ]) {
      try resolve(#"{"file": "d/f"}"#, in: folder)
    }
    #expect(root.lines == [])
  }

  @Test func `the data about a file with a finding is small`() {
    #expect(MemoryLayout<FileInspection.Suspect>.stride <= 16)
  }
}
