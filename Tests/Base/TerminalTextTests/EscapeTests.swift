import TerminalText
import TestSupport
import Testing

@Suite struct EscapeTests {
  @Test(arguments: [
    "\u{202E}", "a\u{301}\u{301}", "\u{1B}", " \u{301}", "🇩🇪", "\u{10FFC0}", "👩\u{200D}",
  ])
  func `many characters that are escaped`(piece: String) {
    let count = 50_000
    let text = String(repeating: piece, count: count)
    var escaped = shown(text)
    #expect(shown(String(escaped.prefix(1000))) == escaped.prefix(1000))
    let bytes = [UInt8](repeating: 0xFF, count: count)
    escaped = shown(bytes: bytes + Array("é".utf8))
    #expect(escaped.utf8.count == 4 * count + 2)
  }

  @Test
  func `a row of flags is searched and replaced`() {
    let flags = String(repeating: "🇩", count: 150_000)
    #expect(flags.replacingBytes(of: "://", with: "-") == flags)
    #expect(!flags.containsBytes(of: "www."))
    #expect((flags + "  ").droppingTrailing(" ") == flags)
    #expect(inMarkdown(flags).utf8.count == flags.utf8.count)
  }

  @Test(arguments: [
    ("a://b://", "://", "-", "a-b-"), ("", "x", "y", ""), ("aaa", "aa", "b", "ba"),
    ("abc", "", "x", "abc"),
    ("\"\u{301}", "\"", "\"\"", "\"\"\u{301}"),
  ])
  func `texts are replaced by their bytes`(text: String, old: String, new: String, expected: String)
  {
    #expect(text.replacingBytes(of: old, with: new) == expected)
    #expect(text.containsBytes(of: old) == !text.utf8.elementsEqual(expected.utf8))
    #expect((text + "//").droppingTrailing("/") == text.droppingTrailing("/"))
    #expect("//".droppingTrailing("/") == "")
  }

  @Test(arguments: [
    ("plain 'text' \\ / 1.png", "plain 'text' \\ / 1.png"), ("größe.txt", "größe.txt"),
    ("名前　全角", "名前　全角"), ("नमस्ते", "नमस्ते"), ("cafe\u{301}", "cafe\u{301}"),
    ("👩‍🚀 👍🏽 ❤️ 1️⃣ 🇩🇪", "👩‍🚀 👍🏽 ❤️ 1️⃣ 🇩🇪"),
    ("\u{0}\t\r\n\u{1B}[31m\u{7F}", "\\x00\\x09\\x0D\\x0A\\x1B[31m\\x7F"),
    ("a\u{9B}2J\u{85}", "a\\u{9B}2J\\u{85}"),
    ("a\u{200B}b\u{200D}c\u{FEFF}", "a\\u{200B}b\\u{200D}c\\u{FEFF}"),
    ("exe\u{202E}gnp\u{2066}", "exe\\u{202E}gnp\\u{2066}"),
    ("a\u{2028}b\u{2029}", "a\\u{2028}b\\u{2029}"),
    ("a\u{A0}b\u{2003}c\u{AD}d\u{3164}e", "a\\u{A0}b\\u{2003}c\\u{AD}d\\u{3164}e"),
    ("\u{301}a/\u{301}b'\u{308}", "\\u{301}a/\\u{301}b'\\u{308}"),
    ("x\u{FE0F}y\u{E0041}", "x\\u{FE0F}y\\u{E0041}"),
  ])
  func `characters that a terminal interprets or hides become visible, and others are unchanged`(
    text: String, expected: String
  ) {
    #expect(shown(text) == expected)
    #expect(shown(shown(text)) == expected)
    #expect(shown(bytes: text.utf8) == expected)
  }

  @Test func `bytes that are not text are shown one by one`() {
    #expect(shown(bytes: [0x61, 0xFF, 0x0A, 0x62]) == "a\\xFF\\x0Ab")
    #expect(shown(bytes: [0xC3, 0x28]) == "\\xC3(")
    #expect(shown(bytes: [0xE2, 0x80]) == "\\xE2\\x80")
    #expect(shown(bytes: [0xFF, 0xCC, 0x81, 0x61, 0xCC, 0x81]) == "\\xFF\\u{301}a\u{301}")
    #expect(shown(bytes: [0xED, 0xA0, 0x80]) == "\\xED\\xA0\\x80")
  }

  @Test(arguments: ["\u{10FF80}", "\u{10FFFF}"])
  func `a character that represents a byte elsewhere remains a character`(_ character: String) {
    let name = "a\(character)b"
    let value = String(character.unicodeScalars.first?.value ?? 0, radix: 16, uppercase: true)
    // A path has a character for each of its bytes.
    let path =
      "a"
      + character.utf8.map { byte in
        Unicode.Scalar(0x10FF00 + UInt32(byte)).map { String($0) } ?? ""
      }.joined() + "b"
    #expect(shown(bytes: name.utf8) == "a\\u{\(value)}b")
    #expect(shown(path) == "a\\u{\(value)}b")
    #expect(restoringCharacters(in: path) == name)
    #expect(restoringCharacters(in: "a\u{10FFC3}(") == "a\u{10FFC3}(")
  }

  @Test(.heavy) func `every code point that moves, reverses or hides a text is escaped`() {
    for value in UInt32(0)...0x10FFFF {
      guard let scalar = UnicodeScalar(value) else { continue }
      let text = shown("a" + String(scalar) + "b")
      let isRaw = text.unicodeScalars.count == 3
      let category = scalar.properties.generalCategory
      let mayBeRaw =
        category != .control && category != .lineSeparator && category != .paragraphSeparator
        && !scalar.properties.isBidiControl && !scalar.properties.isDefaultIgnorableCodePoint
      if isRaw { #expect(mayBeRaw, "U+\(String(value, radix: 16))") }
      if !isRaw { #expect(text.utf8.allSatisfy { 0x20..<0x7F ~= $0 }) }
    }
  }

  @Test(.heavy) func `the ignorable characters are those of Unicode`() {
    for value in 0...UInt32(0x10FFFF) {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let expected = scalar.properties.isDefaultIgnorableCodePoint
      if scalar.isDefaultIgnorable != expected { Issue.record("U+\(String(value, radix: 16))") }
    }
  }

  @Test func `code points distinguish similar names`() {
    #expect(codePoints("caf\u{E9}.txt") == "caf\\u{E9}.txt")
    #expect(codePoints("cafe\u{301}.txt") == "cafe\\u{301}.txt")
  }
}

@Suite struct ColumnTests {
  @Test(arguments: [
    ("abc", 3, 3), ("é", 1, 1), ("e\u{301}", 1, 1), ("名", 2, 2), ("ｱ", 1, 1), ("한", 2, 2),
    ("\u{1112}\u{1161}\u{11AB}", 2, 2), ("का", 2, 2), ("🐟", 2, 2), ("⌚", 2, 2), ("⚠", 1, 1),
    ("⚠️", 2, 1), ("❤️", 2, 1), ("👍🏽", 2, 4), ("👩‍🚀", 2, 4), ("🇩🇪", 2, 2), ("1️⃣", 2, 1), ("…", 1, 1),
  ])
  func `a character has the columns that terminals use`(
    text: String, columns: Int, byCodePoints: Int
  ) {
    let count = ColumnCount(text)
    #expect(count.columns == columns)
    #expect(count.byCodePoints == byCodePoints)
    #expect(count.isDisputed == (columns != byCodePoints))
  }

  @Test func `a prefix fits into its columns on any terminal`() {
    #expect(prefix(of: "ab名前", columns: 5) == "ab名")
    #expect(prefix(of: "ab名前", columns: 6) == "ab名前")
    #expect(prefix(of: "👍🏽👍🏽", columns: 7) == "👍🏽")
    #expect(prefix(of: "abc", columns: 0) == "")
  }
}
