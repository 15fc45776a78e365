import AssetArchive
@testable import BAPackKit
import SourceDiagnostics
import SystemIO
import TestSupport
import Testing

/// Tests of names that begin with a combining mark, and of names that are not text: a slash before
/// them is a separator.
@Suite struct HostileNameTests {
  /// Returns the text as in JSON, without its quotes, which would not be separate characters before
  /// a combining mark.
  private static func inJSON(_ text: String) -> String {
    String(JSONWriter.string(.string(text), .compact).unicodeScalars.dropFirst().dropLast())
  }

  @Test(arguments: HostileNames.text)
  func `each kind of selector finds a name, and an exclusion excludes it`(name: String) throws {
    let folder = try TemporaryFolder()
    try folder.makeFile(named: Array("in/\(name)/\(name)".utf8), [1, 2])
    try folder.makeFile("other")
    let written = Self.inJSON(name)
    let escaped = String(decoding: NamePattern.escaped(FileName(name)).bytes, as: UTF8.self)
    let pattern = Self.inJSON(escaped)
    let all = ["in/", "in/\(name)/", "in/\(name)/\(name)"]
    for (selector, expected) in [
      (#"{"file": "in/\#(written)/\#(written)"}"#, all),
      (#"{"directory": "in/\#(written)"}"#, all), (#"{"directory": "in/\#(written)/"}"#, all),
      (#"{"filePattern": "in/\#(pattern)/\#(pattern)"}"#, all),
      (#"{"filePattern": "in/*/\#(pattern)"}"#, all), (#"{"filePattern": "**/\#(pattern)"}"#, all),
      (
        #"{"fileSource": "in/\#(written)/\#(written)", "fileDestination": "b/\#(written)"}"#,
        ["b/", "b/\(name)"]
      ),
      (
        #"{"directorySource": "in/\#(written)", "directoryDestination": "\#(written)/b"}"#,
        ["\(name)/", "\(name)/b/", "\(name)/b/\(name)"]
      ),
    ] {
      let result = try resolve(selector, in: folder)
      #expect(result.findings.filter { $0.id.name != "selector.glob-signs" } == [])
      #expect(result.paths.map { Array($0.utf8) } == expected.map { Array($0.utf8) }, "\(selector)")
    }
    for exclusion in ["in/\(pattern)", "in/*/\(pattern)", "**/\(pattern)/\(pattern)", pattern] {
      let result = try resolve(
        #"{"directory": "."}, {"fileExclusion": "\#(exclusion)"}"#, in: folder)
      #expect(result.lines == [])
      #expect(result.paths == ["other"], "\(exclusion)")
    }
  }

  @Test(arguments: HostileNames.possible)
  func `a source root, a manifest and a folder with any name are found`(name: [UInt8]) throws {
    let folder = try TemporaryFolder()
    try folder.makeFile(named: name + Array("/assets/x".utf8), [1])
    let top = FilePath(folder.path).appending(FileName(name))
    #expect(
      try Selection.resolve(
        document(#"{"file": "assets/x"}"#), in: SourceRoot(opening: top.text, .unstoppable),
        .unstoppable
      ).lines == [])
    let besides = ManifestDocument(
      parsing: document(#"{"file": "x"}"#, more: #""sourceRoot": "assets","#).source.bytes,
      named: top.appending("m.json" as FileName).text)
    #expect(SourceRoot.path(for: besides) == top.appending("assets" as FileName).text)
    #expect(try SelectedPack(besides, .unstoppable).allFindings.all == [])
    let text = String(validating: name, as: UTF8.self)
    guard let text, !text.unicodeScalars.contains(where: { $0.value < 0x20 }) else { return }
    let inside = ManifestDocument(
      parsing: document(
        #"{"file": "x"}"#,
        more: #""sourceRoot": \#(JSONWriter.string(.string(text + "/assets"), .compact)),"#
      ).source.bytes, named: folder.path("m.json"))
    #expect(try SelectedPack(inside, .unstoppable).allFindings.all == [])
  }

  @Test func `components of a pattern end at every slash`() throws {
    let pattern = try PathPattern(forFiles: "a/\u{301}*/**/🏻")
    #expect(pattern.components.count == 4)
    #expect(pattern.literalPrefix.map(\.shown) == ["a"])
    #expect(pattern.matches(Array("a/\u{301}b/c/🏻".utf8)))
    #expect(SelectorPath.normalized("./a//\u{301}b/./c", isFolder: true) == "a/\u{301}b/c")
  }

  @Test(arguments: HostileNames.possible)
  func `the fix that excludes a file at the root does not exclude others with its name`(
    name: [UInt8]
  )
    throws
  {
    let folder = try TemporaryFolder()
    try folder.makeLink(named: name, to: "/nowhere")
    try folder.makeFile(named: Array("sub/".utf8) + name)
    let first = try resolve(#"{"directory": "."}"#, in: folder)
    let bad = try #require(first.findings.first { $0.id.name == "files.link" })
    let exclusion = try #require(bad.fixes.first?.edits.first?.replacement)
    let second = try resolve(#"{"directory": "."}"# + exclusion, in: folder)
    #expect(!second.findings.contains { $0.id.name == "files.link" })
    #expect(!second.lines.contains { $0.contains("drops nothing") })
    if let text = String(validating: name, as: UTF8.self),
      PackPath.fault(inContents: name[...]) == nil
    {
      #expect(second.paths.last?.utf8.elementsEqual("sub/\(text)".utf8) == true)
    }
  }

  @Test func `a slash in an ID is detected before any character`() {
    for mark in HostileNames.text {
      let found = ManifestDocument(
        parsing: document(#"{"file": "x"}"#, id: "a/\(Self.inJSON(mark))").source.bytes, named: "m")
      #expect(found.findings.contains { $0.id.name == "id.characters" }, "\(mark)")
    }
  }
}
