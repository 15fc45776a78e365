import SourceDiagnostics
import TestSupport
import Testing

@Suite("Changing values of a text")
struct JSONRewriteTests {
  private func change(
    _ text: String, _ body: (inout JSONRewrite, JSONNode) -> Void
  ) throws -> String {
    let document = JSONDocument(parsing: SourceText(Array(text.utf8), named: "t"))
    #expect(document.findings.all == [])
    var rewrite = JSONRewrite(of: document)
    body(&rewrite, try #require(document.root))
    return String(decoding: rewrite.text, as: UTF8.self)
  }

  @Test
  func `a value is replaced in place, with its layout`() throws {
    let value = JSONValue.object([.init("a", .array([.number("1")]))])
    #expect(
      try change("{x: {b: 2}, /* y */ y: 1}") { rewrite, root in
        if let node = root["x"] { rewrite.replace(node, by: value) }
      } == #"{x: {"a":[1]}, /* y */ y: 1}"#)
    #expect(
      try change("{\r\n\t\"x\": {\r\n\t\t\"b\": 2 // two\r\n\t}\r\n}") { rewrite, root in
        if let node = root["x"] { rewrite.replace(node, by: value) }
      } == "{\r\n\t\"x\": {\r\n\t\t\"a\": [\r\n\t\t\t1\r\n\t\t]\r\n\t}\r\n}")
  }

  @Test(arguments: [
    ("[]", "[8, 9]"), ("[1]", "[1, 8, 9]"), ("[1,]", "[1, 8, 9,]"),
    ("[1 /* one */]", "[1, /* one */\n8,\n9]"),
    ("[\n  1\n]", "[\n  1,\n  8,\n  9\n]"),
    ("[\n  1, // one\n]", "[\n  1, // one\n  8,\n  9,\n]"),
    ("[\n  1 // one\n]", "[\n  1, // one\n  8,\n  9\n]"),
    ("[\n  1 // one\n  , // comma\n]", "[\n  1 // one\n  , // comma\n  8,\n  9,\n]"),
    ("[\n  // none yet\n]", "[\n  // none yet\n\n  8,\n  9\n]"),
    ("[\r  1\r]", "[\r  1,\r  8,\r  9\r]"),
  ])
  func `elements are added after the last one and its comment`(
    text: String, expected: String
  ) throws {
    #expect(
      try change(text) { rewrite, root in
        rewrite.append([.number("8"), .number("9")], to: root)
      } == expected)
  }

  @Test(arguments: [
    ("[1, 2, 3, 4]", [0], "[ 2, 3, 4]"), ("[1, 2, 3, 4]", [3], "[1, 2, 3 ]"),
    ("[1, 2, 3, 4]", [2, 3], "[1, 2  ]"), ("[1, 2]", [0, 1], "[ ]"),
    ("[1, 2,]", [1], "[1, ]"),
    ("[\n  1, // one\n  2,\n  3\n]", [1], "[\n  1, // one\n  3\n]"),
    ("[\n  1, // one\n  2,\n  3\n]", [0], "[\n   // one\n  2,\n  3\n]"),
    ("[\n  1, // one\n  2,\n  3\n]", [2], "[\n  1, // one\n  2\n]"),
    ("[\r\n  1,\r\n  2\r\n]", [1], "[\r\n  1\r\n]"),
    ("[1 /* a */, 2]", [0], "[ /* a */ 2]"),
  ])
  func `elements are removed with one comma and their line; comments are kept`(
    text: String, gone: [Int], expected: String
  ) throws {
    #expect(
      try change(text) { rewrite, root in
        rewrite.remove(from: root) { gone.contains($0) }
      } == expected)
  }

  @Test
  func `members are added and removed like elements`() throws {
    #expect(
      try change("{\n  a: 1, // one\n  b: 2\n}") { rewrite, root in
        rewrite.append(.init("c", .null), to: root)
      } == "{\n  a: 1, // one\n  b: 2,\n  \"c\": null\n}")
    #expect(
      try change("{\n  a: 1, // one\n  b: 2\n}") { rewrite, root in
        rewrite.remove("b", from: root)
      } == "{\n  a: 1 // one\n}")
  }

  /// Returns a list of numbers in one of many layouts, with comments at all possible positions.
  private func list(_ count: Int, _ lineEnd: String, _ random: inout some RandomNumberGenerator)
    -> String
  {
    func trivia() -> String {
      let choices = ["", "", " ", "  ", lineEnd, lineEnd + "  ", " /* \(count) */", "\t"]
      let chosen = choices[Int.random(in: choices.indices, using: &random)]
      return Int.random(in: 0..<6, using: &random) == 0 ? chosen + " // , ]" + lineEnd : chosen
    }
    var text = "[" + trivia()
    for index in 0..<count {
      text += "\(index)" + trivia()
      if index < count - 1 || Bool.random(using: &random) { text += "," + trivia() }
    }
    return text + "]" + trivia()
  }

  private func comments(_ text: String) -> Int {
    text.split(separator: "/* ").count + text.split(separator: "// , ]").count
  }

  @Test
  func `in any layout, the value is the intended one, and no comment is lost`() throws {
    var random = Seeded(seed: 13)
    for round in 0..<600 {
      let lineEnd = ["\n", "\r\n", "\r"][round % 3]
      let count = Int.random(in: 0..<6, using: &random)
      let text = list(count, lineEnd, &random)
      let gone = Set((0..<count).filter { _ in Bool.random(using: &random) })
      let document = JSONDocument(parsing: SourceText(Array(text.utf8), named: "t"))
      guard document.findings.isEmpty, let root = document.root else {
        Issue.record("\(text)")
        continue
      }
      var removal = JSONRewrite(of: document)
      removal.remove(from: root) { gone.contains($0) }
      let shorter = JSONDocument(parsing: SourceText(removal.text, named: "t"))
      let rest = (0..<count).filter { !gone.contains($0) }.map { JSONValue.integer($0) }
      #expect(shorter.findings.all == [], "\(text.debugDescription) \(gone)")
      #expect(shorter.root?.value == .array(rest), "\(text.debugDescription) \(gone)")
      guard let root = shorter.root else { continue }
      var addition = JSONRewrite(of: shorter)
      addition.append([.integer(8), .integer(9)], to: root)
      let longer = JSONDocument(parsing: SourceText(addition.text, named: "t"))
      #expect(longer.findings.all == [], "\(text.debugDescription) \(gone)")
      #expect(longer.root?.value == .array(rest + [.integer(8), .integer(9)]), "\(text) \(gone)")
      #expect(comments(String(decoding: addition.text, as: UTF8.self)) == comments(text))
    }
  }

  @Test
  func `deeply nested values are written on one line, and no text is written repeatedly`() {
    var value = JSONValue.array((0..<10_000).map { .integer($0 % 10) })
    for _ in 0..<500 { value = .array([value]) }
    let text = JSONWriter.bytes(value, .readable)
    #expect(text.count < 30_000)
    #expect(JSONDocument(parsing: SourceText(text, named: "t")).root?.value == value)
    #expect(JSONWriter.bytes(.array([.null]), .readable) == Array("[\n  null\n]\n".utf8))
  }
}
