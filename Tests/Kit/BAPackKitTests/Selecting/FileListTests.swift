import Glibc
import SourceDiagnostics
import SystemIO
import TestSupport
import Testing

@testable import BAPackKit

/// Lists of source files as source roots.
@Suite struct FileListTests {
  private static let whole = #"{"directory": "."}"#

  /// Resolves selectors in a list, whose lines are a mode, the name of a source and a destination.
  private static func resolve(
    _ selectors: String, _ lines: [(String, String, String)], in folder: borrowing TemporaryFolder
  ) throws -> Selection.Resolution {
    let list = FileList(Self.text(lines, in: folder), named: "list")
    var findings = list.findings
    let root = try SourceRoot(listing: list, &findings, .unstoppable)
    #expect(findings.isEmpty, "\(findings.map(\.message))")
    return try Selection.resolve(document(selectors), in: root, .unstoppable)
  }

  private static func text(
    _ lines: [(String, String, String)], in folder: borrowing TemporaryFolder
  ) -> [UInt8] {
    Array(
      lines.map { "\($0.0)\t\(folder.path($0.1))\t\($0.2)" }.joined(separator: "\n").utf8)
  }

  @Test func `selectors select destinations, with the modes of the list`() throws {
    let folder = try TemporaryFolder()
    try folder.makeFile("one", "1", mode: 0o600)
    try folder.makeFile("two", "22", mode: 0o755)
    try folder.makeLink("link", to: folder.path("two"))
    let resolution = try Self.resolve(
      #"{"directory": "a"}, {"filePattern": "*.x"}, {"fileExclusion": "c"}"#
        + #", {"fileExclusion": "e"}"#,
      [
        ("755", "one", "a/b/ä ö"), ("644", "two", "a.x"), ("644", "link", "a/b.y"),
        ("644", "one", "z"), ("644", "two", "a/c/d"),
      ], in: folder)
    #expect(resolution.findings.isEmpty)
    #expect(resolution.paths == ["a/", "a/b/", "a/b/ä ö", "a/b.y", "a.x"])
    #expect(resolution.selection.map(\.isExecutable) == [false, false, true, false, false])
    #expect(resolution.selection.map(\.size) == [0, 0, 1, 2, 2])
  }

  @Test(arguments: 0..<20)
  func `a list of all files of a random tree selects the same as the tree`(seed: UInt64) throws {
    let folder = try TemporaryFolder()
    var seeded = Seeded(seed: seed)
    let names = ["a", "b.x", "a.x", "ab", "a b", "é", "-"]
    var lines: [(String, String, String)] = []
    for number in 0..<30 {
      let depth = Int.random(in: 1...3, using: &seeded)
      let path = (0..<depth).map { _ in names.randomElement(using: &seeded) ?? "" }
        .joined(separator: "/")
      // A path that is already a folder, or has a file as a folder, is left out.
      guard (try? folder.makeFile("tree/\(path)", "\(number)")) != nil else { continue }
      if lines.contains(where: { $0.2 == path }) { continue }
      lines.append(("644", "tree/\(path)", path))
    }
    lines.shuffle(using: &seeded)
    for selectors in [
      Self.whole, #"{"filePattern": "**/*.x"}"#, #"{"filePattern": "a*/**"}"#,
      #"{"directory": "."}, {"fileExclusion": "a"}"#,
      #"{"directorySource": ".", "directoryDestination": "q"}"#,
    ] {
      let plain = try Selection.resolve(
        document(selectors), in: SourceRoot(opening: folder.path("tree"), .unstoppable),
        .unstoppable)
      let listed = try Self.resolve(selectors, lines, in: folder)
      #expect(listed.paths == plain.paths)
      #expect(listed.lines == plain.lines.filter { !$0.contains("files.unused-exclusion") })
      #expect(
        listed.selection.records.map(\.size) == plain.selection.records.map(\.size))
    }
  }

  @Test func `a missing path is a finding with a similar name of the list`() throws {
    let folder = try TemporaryFolder()
    try folder.makeFile("x")
    let resolution = try Self.resolve(
      #"{"file": "Art/hero.pgn"}, {"directory": "Art/hero.png"}"#, [("644", "x", "Art/hero.png")],
      in: folder)
    #expect(
      resolution.lines == [
        "error files.missing: there is no file 'Art/hero.pgn'",
        "error files.wrong-kind: 'Art/hero.png' is a file",
      ])
  }

  /// A mistake, its line and column, its rule, and the start of its message.
  private static let mistakes: [(String, String, String)] = [
    ("644\ta", "1:1 list.fields", "expected a mode, a source and a destination"),
    ("644\ta\tb\tc", "1:1 list.fields", "expected a mode, a source and a destination"),
    ("644\ta\tb\n\n644\ta\tc", "2:1 list.fields", "expected a mode"),
    ("0644\ta\tb", "1:1 list.mode", "the mode is '0644'"),
    ("\u{FEFF}644\ta\tb", "1:1 list.mode", "the mode is '"),
    ("644\t\tb", "1:5 list.source", "the source is empty"),
    ("644\ta\u{0}b\tb", "1:5 list.source", "the source is not a path"),
    ("644\ta\t", "1:7 list.destination", "the destination '' is empty"),
    ("644\ta\t/b", "1:7 list.destination", "the destination '/b' is absolute"),
    ("644\ta\tb/../c", "1:7 list.destination", "the destination 'b/../c' has a '..' component"),
    ("644\ta\tb/", "1:7 list.destination", "the destination 'b/' ends in a slash"),
    ("644\ta\tb\u{1B}c", "1:7 list.destination", #"the destination 'b\x1Bc' contains"#),
    ("644\ta\tb\r\n", "1:7 list.destination", #"the destination 'b\x0D' contains"#),
    ("644\ta\tb\n644\tc\tb", "2:7 list.duplicate", "the destination 'b' is listed twice"),
    ("644\ta\tb/c\n644\tc\tb", "1:7 list.file-and-folder", "'b' is a file in another line"),
  ]

  @Test(arguments: mistakes.indices)
  func `each mistake has a position, a message and a fix`(index: Int) throws {
    let (text, place, message) = Self.mistakes[index]
    let list = FileList(Array(text.utf8), named: "list")
    let page = try #require(list.findings.pages.first)
    let finding = try #require(page.findings.first)
    let position = page.source.position(of: try #require(finding.span).start)
    #expect("\(position.line):\(position.column) \(finding.id.name)" == place)
    #expect(finding.message.hasPrefix(message), "\(finding.message)")
    #expect(!finding.fixes.isEmpty)
    #expect(list.findings.count == 1)
  }

  @Test func `a destination that is not UTF-8 is an error, a source may be any bytes`() throws {
    let folder = try TemporaryFolder()
    let name: [UInt8] = [UInt8(ascii: "s"), 0xFF]
    try folder.makeFile(named: name, [1])
    let source = Array(folder.path("").utf8) + name
    let good = FileList(Array("644\t".utf8) + source + Array("\tx".utf8), named: "list")
    var findings = good.findings
    _ = try SourceRoot(listing: good, &findings, .unstoppable)
    #expect(findings.isEmpty)
    let bad = FileList(Array("644\tx\t".utf8) + name, named: "list")
    #expect(bad.findings.map(\.message) == [#"the destination 's\xFF' is not UTF-8"#])
  }

  @Test func `with NUL, a name can contain tabs and line ends, and a mistake has its number`()
    throws
  {
    let folder = try TemporaryFolder()
    try folder.makeFile("a\tb\nc", "x")
    let good = FileList(
      Array("644\0\(folder.path("a\tb\nc"))\0x\0".utf8), named: "list", endingFieldsInNUL: true)
    var findings = good.findings
    let root = try SourceRoot(listing: good, &findings, .unstoppable)
    let resolution = try Selection.resolve(document(Self.whole), in: root, .unstoppable)
    #expect(resolution.paths == ["x"])
    for (text, place) in [
      ("644\0a\nb\0x\0" + "600\0a\0y\0", "2:1 list.mode"),
      ("644\0a\0x\0" + "644\0a\0y", "2:1 list.fields"),
      ("644\0a\0x\0" + "644\0", "2:1 list.fields"),
    ] {
      let list = FileList(Array(text.utf8), named: "list", endingFieldsInNUL: true)
      let page = try #require(list.findings.pages.first)
      let finding = try #require(page.findings.first)
      let position = page.source.position(of: try #require(finding.span).start)
      #expect("\(position.line):\(position.column) \(finding.id.name)" == place)
    }
  }

  @Test func `missing sources, folders, pipes and dangling links are findings at their lines`()
    throws
  {
    let folder = try TemporaryFolder()
    try folder.makeFile("file")
    try folder.makeFolder("folder")
    try folder.makePipe("pipe")
    try folder.makeLink("link", to: "nowhere")
    try folder.makeLink("loop", to: "loop")
    let list = FileList(
      Self.text(
        ["file", "gone", "folder", "pipe", "link", "loop", "file/x"].enumerated().map {
          ("644", $1, "\($0)")
        }, in: folder), named: "list")
    var findings = list.findings
    _ = try SourceRoot(listing: list, &findings, .unstoppable)
    let page = try #require(findings.pages.first)
    let lines = page.findings.map { finding in
      let line = page.source.position(of: finding.span?.start ?? 0).line
      return "\(line): " + finding.message.replacing(folder.path(""), with: "")
    }
    #expect(
      lines == [
        "2: there is no file 'gone'", "3: 'folder' is a folder", "4: 'pipe' is not a file",
        "5: the link 'link' has a missing target",
        "6: cannot read 'loop': Too many levels of symbolic links", "7: there is no file 'file/x'",
      ])
    #expect(findings.allSatisfy { $0.id.name == "list.source" && !$0.fixes.isEmpty })
  }

  @Test func `a list that is too large is an error`() {
    let bounds = FileList.Bounds(bytes: 18, files: 2)
    func messages(_ text: String) -> [String] {
      FileList(Array(text.utf8), named: "l", endingFieldsInNUL: false, within: bounds)
        .findings.map(\.message)
    }
    #expect(messages("644\ta\tb\n644\ta\tc\n") == [])
    #expect(messages("644\ta\tb\n644\ta\tc\n644") == ["the list has more than 18 bytes"])
    #expect(messages("644\ta\tb\n644\ta\tc\n6") == ["the list has more than 2 files"])
  }

  @Test(.heavy) func `a million mistakes use a limited amount of memory for findings`() {
    let list = FileList(
      Array(String(repeating: "\n", count: 1_000_000).utf8), named: "list")
    #expect(list.findings.count(.error) == 1_000_000)
    #expect(list.findings.pages[0].findings.count == Ledger.limit + 1)
  }

  @Test func `a source that changes after the selection is an error`() throws {
    let folder = try TemporaryFolder()
    try folder.makeFile("x", "one")
    let list = FileList(Self.text([("644", "x", "y")], in: folder), named: "list")
    var findings = list.findings
    let root = try SourceRoot(listing: list, &findings, .unstoppable)
    let selection = try Selection.resolve(document(Self.whole), in: root, .unstoppable).selection
    let contents = try root.contents(of: selection, .unstoppable)
    try folder.makeFile("x", "longer")
    let error = #expect(throws: PackError.self) { try contents.open(0) }
    #expect(error?.kind == .changed)
  }

  @Test func `a project checks a list once, and reports a list that cannot be read`() async throws {
    let folder = try TemporaryFolder()
    try folder.makeFile("x", "x")
    var project = Project([
      .text(document(Self.whole).source.bytes, named: "a.json"),
      .text(document(Self.whole, id: "Other").source.bytes, named: "b.json"),
    ])
    project.files = .text(Self.text([("644", "x", "y")], in: folder), named: "list")
    #expect(try await project.check().packs?.map(\.selection.fileCount) == [1, 1])
    project.files = .text(Self.text([("600", "x", "y")], in: folder), named: "list")
    let wrong = try await project.check()
    #expect(wrong.packs == nil)
    #expect(wrong.report.findings.filter { $0.severity == .error }.map(\.id) == ["list.mode"])
    project.files = .path(folder.filePath("missing"))
    let missing = try await project.check()
    #expect(missing.packs == nil)
    let findings = missing.report.findings.filter { $0.severity == .error }
    #expect(findings.map(\.id) == ["list.unreadable"])
    #expect(findings.first?.fixes.first?.message == "write the list first")
  }
}
