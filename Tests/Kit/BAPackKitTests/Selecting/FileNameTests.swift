import BAPackKit
import SourceDiagnostics
import SystemIO
import TestSupport
import Testing

@Suite struct FileNameTests {
  @Test func `names that are invalid in packs are errors before writing`() throws {
    let folder = try TemporaryFolder()
    try folder.makeFile(named: [0x61, 0xFF])
    try folder.makeFile(named: Array("bell\u{7}".utf8))
    try folder.makeFile(named: Array("next\u{85}line".utf8))
    try folder.makeFile("größe.txt")
    let result = try resolve(#"{"directory": "."}"#, in: folder)
    #expect(
      Set(result.lines) == [
        "error files.name: the name 'a\\xFF' is not UTF-8",
        "error files.name: the name 'bell\\x07' contains a control character",
        "error files.name: the name 'next\\u{85}line' contains a control character",
      ])
    #expect(result.paths == ["größe.txt"])
  }

  @Test func `a path has at most 1,023 bytes, including the prefix in the archive`() throws {
    let folder = try TemporaryFolder()
    try folder.makeFile("x")
    for (length, isGood) in [(1014, true), (1015, false)] {
      let parts = String(repeating: String(repeating: "n", count: 99) + "/", count: 10)
      let path = parts + String(repeating: "n", count: length - parts.utf8.count)
      let written = document(#"{"fileSource": "x", "fileDestination": "\#(path)"}"#)
      #expect(written.isValid == isGood)
      let result = try Selection.resolve(
        written, in: SourceRoot(opening: folder.path, .unstoppable), .unstoppable)
      #expect(result.lines == [])
      if !isGood {
        let message = try #require(written.findings.all.first?.message)
        #expect(message.hasSuffix("has 1024 bytes in the archive; the limit is 1023"))
        #expect(written.findings.all[0].span == written.locations.selectors[0].destination)
      }
    }
  }

  @Test func `names that differ only in case or normalization are a warning with both names`()
    throws
  {
    let folder = try TemporaryFolder()
    for name in [
      "A/x", "a/x", "Icon.png", "icon.PNG", "caf\u{E9}", "cafe\u{301}", "Straße", "STRASSE",
    ] {
      try folder.makeFile(name)
    }
    let result = try resolve(#"{"directory": "."}"#, in: folder)
    #expect(
      Set(result.lines) == [
        "warning files.similar-names: 'A' and 'a' differ only by case",
        "warning files.similar-names: 'Icon.png' and 'icon.PNG' differ only by case",
        "warning files.similar-names: 'cafe\\u{301}' and 'caf\\u{E9}' differ only by Unicode "
          + "normalization",
        "warning files.similar-names: 'STRASSE' and 'Straße' differ only by case",
      ])
    #expect(result.selection.fileCount == 8)
  }

  @Test func `required folders also conflict, at the selector that requires them`()
    throws
  {
    let folder = try TemporaryFolder()
    try folder.makeFile("A/x")
    try folder.makeFile("a/y")
    let text = #"{"file": "A/x"}, {"file": "a/y"}"#
    let result = try resolve(text, in: folder)
    #expect(result.lines == ["warning files.similar-names: 'A' and 'a' differ only by case"])
    let places = document(text).locations.selectors
    #expect(result.findings.all[0].span == places[1].source)
    #expect(result.findings.all[0].labels.map(\.span) == [places[0].source])
  }

  @Test func `programs get every invalid name, users get ten and the number of others`() throws {
    let folder = try TemporaryFolder()
    for number in 0..<50 { try folder.makeFile(named: [0xFF] + Array(String(number).utf8)) }
    let result = try resolve(#"{"directory": "."}"#, in: folder)
    #expect(result.findings.count == 50)
    #expect(result.findings.count(.error) == 50)
    #expect(result.findings.abridged.all.count == 10)
    #expect(result.findings.abridged.all.last?.notes.last == "40 more of this kind, 50 in all")
  }

  @Test func `a name that is invalid on disks is rejected, including a folder's name`() throws {
    let folder = try TemporaryFolder()
    try folder.makeFolder("empty")
    let long = String(repeating: "n", count: 300)
    #expect(
      document(#"{"file": "\#(long)"}"#).findings.map(\.message) == [
        "the path '\(long.prefix(80))…' has a component of 300 bytes; the limit is 255"
      ])
    let written = document(#"{"directorySource": "empty", "directoryDestination": "a\u0001b"}"#)
    #expect(
      written.findings.map(\.message) == ["the name 'a\\x01b' contains a control character"])
    #expect(
      try Selection.resolve(
        written, in: SourceRoot(opening: folder.path, .unstoppable), .unstoppable
      ).lines == []
    )
  }

  @Test func `folders with similar names are different folders`() throws {
    let folder = try TemporaryFolder()
    let names = ["\u{E9}/one", "e\u{301}/two"]
    for name in names { try folder.makeFile(name) }
    let selection = try resolve(
      names.map { "{\"file\": \"\($0)\"}" }.joined(separator: ", "), in: folder
    ).selection
    let files = selection.filter { $0.kind == .file }.map { $0.destination.bytes }
    #expect(files == names.reversed().map { Array($0.utf8) })
  }

  @Test func `unusual but valid names are accepted`() throws {
    let folder = try TemporaryFolder()
    let names = ["-rf", " ", "a\\b", "a:b", "日本語", "🎮", "...", "*", "[x]", "\"'"]
    for name in names { try folder.makeFile(name) }
    let result = try resolve(#"{"directory": "."}"#, in: folder)
    #expect(result.lines == [])
    #expect(Set(result.paths) == Set(names))
  }
}
