import SourceDiagnostics
import TestSupport
import Testing

@Suite struct JSONParserTests {
  private func parse(_ text: String) -> JSONDocument {
    JSONDocument(parsing: SourceText(Array(text.utf8), named: "t"))
  }

  private func value(_ text: String) -> JSONValue? {
    let document = parse(text)
    #expect(document.findings.all == [])
    return document.root?.value
  }

  @Test func `all of JSON5 is read`() {
    let text = #"""
      // a comment
      {
        bare: 1, $dollar_: +2., 'single': .5, "esc\u0061pes": 'a"\'\x41\
      b\u00e4\uD83D\uDC20\0\v',
        /* another */ größe: [true, false, null, -1.5e+10, ],
        "empty": {}, "list": [], \u0061b: "tab	inside",
      }

      """#
    #expect(
      value(text)
        == .object([
          .init("bare", .number("1")), .init("$dollar_", .number("2")),
          .init("single", .number("0.5")),
          .init("escapes", .string("a\"'Abä🐠\u{0}\u{B}")),
          .init("größe", .array([.bool(true), .bool(false), .null, .number("-1.5e+10")])),
          .init("empty", .object([])), .init("list", .array([])),
          .init("ab", .string("tab\tinside")),
        ]))
  }

  @Test(arguments: [
    ("[5.e3]", "5e3"), ("[+.5]", "0.5"), ("[-.5e-1]", "-0.5e-1"), ("[5.]", "5"), ("[-0]", "-0"),
    ("[1.50]", "1.50"), ("[12345678901234567890.12]", "12345678901234567890.12"),
  ]) func `numbers keep their text if it is strict JSON`(text: String, number: String) {
    #expect(value(text) == .array([.number(number)]))
  }

  /// A line comment ends at the line ends of JSON5, and a name without quotes is one of ECMAScript
  /// 5.1.
  @Test(arguments: [
    ("{// c\u{2028}a: 1}", JSONValue.object([.init("a", .number("1"))])),
    ("{// c\u{2029}a: 1}", .object([.init("a", .number("1"))])),
    ("{// c\ra: 1}", .object([.init("a", .number("1"))])),
    (#"{\u0024a: 1}"#, .object([.init("$a", .number("1"))])),
    (#"{a\u0031: 1}"#, .object([.init("a1", .number("1"))])),
    ("{a\u{200C}\u{301}\u{663}: 1}", .object([.init("a\u{200C}\u{301}\u{663}", .number("1"))])),
    ("['a\u{1}b\u{2028}c']", .array([.string("a\u{1}b\u{2028}c")])),
    (
      "[1\(String(repeating: "0", count: 300))]",
      .array([.number("1" + String(repeating: "0", count: 300))])
    ),
  ]) func `the letters of JSON5 are read according to its specification`(
    text: String, expected: JSONValue
  ) {
    #expect(value(text) == expected)
  }

  @Test(arguments: [
    "{\u{663}a: 1}", "{\u{301}a: 1}", "{\u{200C}a: 1}", #"{\u0031: 1}"#, "{\u{203F}a: 1}",
    "{a\u{2028}b: 1}", "{a\u{B7}: 1}", "['a\u{D}b']",
  ]) func `text that is not JSON5 is an error`(text: String) {
    #expect(parse(text).findings.contains { $0.severity == .error })
  }

  @Test(arguments: [
    "// a\n1", "/* a */ 1", "\u{A0}1", "\u{FEFF}1", "\u{B}1", "1 // a", "'a'", "{'a': 1}", "{a: 1}",
    "[1,]", #"{"a": 1,}"#, "+1", ".5", "5.", #""\x41""#, #""\v""#, #""\0""#, #""\'""#,
    "\"\\\n\"", "\"\u{1}\"", "\"\t\"", "{\"a\u{1F}\": 1}", "NaN", "0x1", "[,]", "01", "[1", "1 2",
  ]) func `a strict text has none of the additions of JSON5`(text: String) {
    var limits = JSONLimits()
    limits.isStrict = true
    let source = SourceText(Array(text.utf8), named: "t")
    #expect(JSONDocument(parsing: source, limits: limits).findings.hasErrors)
  }

  @Test func `a strict text may have all of JSON`() {
    let text =
      " \t\r\n" + #"{"a": [1, -0.5e+3, 2E-1, true, false, null, "\"\\\/\b\f\n"], "#
      + #""\r\té😀\ud83d\ude00": {}}"#
    var limits = JSONLimits()
    limits.isStrict = true
    let source = SourceText(Array(text.utf8), named: "t")
    let document = JSONDocument(parsing: source, limits: limits)
    #expect(document.findings.isEmpty)
    #expect(document.root?["a"]?.count == 7)
  }

  @Test func `an invalid number is one token`() {
    let digits = String(repeating: "7", count: 5_000)
    let findings = parse("[\(digits)x]").findings.all
    #expect(findings.map(\.span) == [SourceSpan(1, 5_002)])
    #expect(findings.flatMap(\.fixes) == [])
  }

  /// Each text has at most one cause, and so at most one report.
  @Test(arguments: [
    (#"{"a": 1 ⟦1:"b"⟧: 2}"#, "json.syntax", "expected ',' or '}'"),
    (#"[1 ⟦1:2⟧]"#, "json.syntax", "expected ',' or ']'"),
    (#"{"a" ⟦1:1⟧}"#, "json.syntax", "expected ':' after the key"),
    (#"{"a" ⟦1:=⟧ 1}"#, "json.syntax", "expected ':' after the key"),
    (#"{"a"⟦1:}⟧"#, "json.syntax", "expected ':' and a value after the key"),
    (#"{"a": ⟦1:,⟧ "b": 2}"#, "json.syntax", "expected a value"),
    (#"{"a": 1,⟦1:,⟧ "b": 2}"#, "json.syntax", "unexpected ','"),
    (#"[⟦1:,⟧ 2]"#, "json.syntax", "unexpected ','"),
    (#"{"a": ⟦1:True⟧, "b": 2}"#, "json.syntax", "expected a value, not 'True'"),
    (#"{"a": ⟦1:iOS⟧, "b": 2}"#, "json.syntax", "expected a value; a string needs quotes"),
    (#"{"a": ⟦1:“iOS”⟧, "b": 2}"#, "json.syntax", "unexpected typographic quote"),
    (#"{"a": ⟦1:@@⟧ "b": 2}"#, "json.syntax", "expected a value"),
    (#"{"a": 1, ⟦1:@@⟧}"#, "json.syntax", "expected a key or '}'"),
    (#"{"a": 1, ⟦1:[⟧1], "b": 2}"#, "json.syntax", "expected a key"),
    (#"{"a": ⟦1:"b⟧\#n}"#, "json.syntax", "unterminated string"),
    (#"{"a": [1, 2⟦1:}⟧"#, "json.syntax", "expected ']' before '}'"),
    (#"[{"a": 1⟦1:]⟧"#, "json.syntax", "expected '}' before ']'"),
    (#"{"a": 1⟦1:]⟧, "b": 2}"#, "json.syntax", "expected '}' before ']'"),
    (#"{"a": [1, {"b": 2⟦1:⟧"#, "json.syntax", "the text ends inside an object"),
    (#"{"a": ⟦1:⟧"#, "json.syntax", "the text ends where a value is expected"),
    (#"{} ⟦1:/*⟧ open"#, "json.syntax", "unterminated comment"),
    (#"{"a": ⟦1:01⟧}"#, "json.syntax", "'01' is not a number"),
    (#"{"a": ⟦1:0x1F⟧}"#, "json.number", "hexadecimal numbers are not allowed"),
    (#"{"a": ⟦1:-Infinity⟧}"#, "json.number", "'-Infinity' is not a finite number"),
    (#"{"a": "b⟦1:\uD83D⟧"}"#, "json.escape", "a high surrogate without a low one"),
    (#"{"a": "b⟦1:\uDC20⟧\uD83D\uDC20"}"#, "json.escape", "a low surrogate without a high one"),
    (#"{"a": "b⟦1:\u⟧12"}"#, "json.escape", "'\\u' requires four hexadecimal digits"),
    (#"{"a": "b⟦1:\x⟧1"}"#, "json.escape", "'\\x' requires two hexadecimal digits"),
    (#"{"a": "b⟦1:\1⟧"}"#, "json.escape", "'\\' before a digit is not a valid escape"),
    (#"{"a": 1, "b": 2, ⟦1:"\u0061"⟧: 3}"#, "json.duplicate-key", "the key 'a' is listed twice"),
    (#"{} ⟦1:x⟧ y z"#, "json.trailing-text", "unexpected text after the value"),
    (#"⟦1:⟧// nothing"#, "json.empty", "the text is empty"),
    (#"⟦1:}⟧"#, "json.syntax", "expected a value"),
  ]) func `one cause has one report`(text: String, id: String, message: String) {
    let marked = MarkedText(text)
    let document = JSONDocument(parsing: SourceText(marked.bytes, named: "t"))
    expect(document.findings, in: marked, are: [.error(id, at: "1", message)])
  }

  @Test func `independent mistakes are all reported`() {
    let marked = MarkedText(
      #"""
      {
        "a": ⟦1:tru⟧,
        "b": [1, ⟦2:2.5.1⟧, 3],
        "c": {"d": 1 ⟦3:"e"⟧: 2},
        ⟦4:"a"⟧: "⟦5:\ud800⟧",
      }
      """#)
    let document = JSONDocument(parsing: SourceText(marked.bytes, named: "t"))
    expect(
      document.findings, in: marked,
      are: [
        .error("json.syntax", at: "1"), .error("json.syntax", at: "2"),
        .error("json.syntax", at: "3"), .error("json.duplicate-key", at: "4"),
        .error("json.escape", at: "5"),
      ])
    #expect(document.root?["c"]?["e"]?.number == "2")
    #expect(document.root?["b"]?.isDamaged == true)
  }

  @Test func `bytes that are not UTF-8 are reported once and skipped`() {
    let bytes =
      Array(#"{"a": "x"#.utf8) + [0xFF, 0xC3] + Array(#"y", "b": "#.utf8) + [0xE4]
      + Array(", c: 1}".utf8)
    let document = JSONDocument(parsing: SourceText(bytes, named: "t"))
    #expect(document.findings.map(\.id.name) == ["json.encoding", "json.encoding"])
    #expect(document.findings.map(\.span) == [SourceSpan(8, 10), SourceSpan(19, 20)])
    #expect(document.root?["c"]?.number == "1")
    let wide = JSONDocument(parsing: SourceText([0xFF, 0xFE, 0x7B, 0, 0x7D, 0], named: "t"))
    #expect(wide.findings.map(\.message) == ["the text is UTF-16; save it as UTF-8"])
  }

  @Test func `a byte order mark is white space`() {
    #expect(value("\u{FEFF}{\u{A0}\"a\":\u{2003}1}\u{2028}") == .object([.init("a", .number("1"))]))
  }

  @Test(arguments: ["[", #"{"a":"#]) func `nesting has a limit`(opening: String) {
    func nested(_ depth: Int) -> String {
      let closing = opening == "[" ? "]" : "}"
      return String(repeating: opening, count: depth) + "0"
        + String(repeating: closing, count: depth)
    }
    #expect(parse(nested(512)).findings.all == [])
    #expect(parse(nested(513)).findings.map(\.id.name) == ["json.too-deep"])
    #expect(parse(nested(200_000)).findings.map(\.id.name) == ["json.too-deep"])
    #expect(
      parse(String(repeating: opening, count: 200_000)).findings.map(\.id.name)
        == ["json.too-deep", "json.syntax"])
  }

  @Test func `size has a limit`() {
    let fits = [UInt8](repeating: 0x20, count: 16 << 20)
    #expect(
      JSONDocument(parsing: SourceText(fits + [0x20], named: "t")).findings.map(\.id.name)
        == ["json.too-large"])
  }

  @Test func `a thousand findings are kept and the others counted`() {
    let findings = parse("[" + String(repeating: "@,", count: 3000) + "]").findings.all
    #expect(findings.count == 1001)
    #expect(findings.last?.message == "2000 more errors are not listed; fix the listed ones first")
    #expect(findings.last?.severity == .error)
  }

  @Test func `an equal key is found among many`() {
    let members = (0..<20_000).map { "\"k\($0 % 19_999)\": 0" }.joined(separator: ",")
    #expect(
      parse("{\(members)}").findings.map(\.message) == ["the key 'k0' is listed twice"])
  }

  @Test func `written text is strict and is read as the same value`() {
    let value = JSONValue.object([
      .init("a\"\\/\u{1}\u{8}\u{C}\n\r\t\u{7F}é🐠", .array([.null, .bool(true), .number("1e3")])),
      .init("", .object([])),
    ])
    let text = JSONWriter.string(value)
    #expect(parse(text).root?.value == value)
    #expect(
      text == """
        {
          "a\\"\\\\/\\u0001\\b\\f\\n\\r\\t\u{7F}é🐠": [
            null,
            true,
            1e3
          ],
          "": {}
        }

        """)
    #expect(parse(JSONWriter.string(value, .compact)).root?.value == value)
  }
}
