import SourceDiagnostics
import TestSupport
import Testing

@testable import Converting

/// The syntax of scripts: words, braces, comments, conditions, and errors.
@Suite struct KeyValuesTests {
  private func read(_ bytes: [UInt8]) -> (KeyValues, Ledger) {
    var findings = Ledger()
    let text = KeyValues(parsing: bytes, named: "t", &findings)
    return (text, findings)
  }

  /// Returns pairs on one line: `a=b`, `a{b=c}`, followed by a condition.
  private func shown(_ pairs: [KeyValues.Pair]) -> String {
    pairs.map { pair in
      let condition = pair.condition.map(\.text) ?? ""
      return switch pair.value {
      case .text(let word): "\(pair.key.text)=\(word.text)\(condition)"
      case .block(let block): "\(pair.key.text){\(shown(block))}\(condition)"
      }
    }.joined(separator: " ")
  }

  @Test(arguments: [
    (#""a" "b""#, "a=b"), ("a b", "a=b"), ("a{b c}", "a{b=c}"), (#"a"b"c"d""#, "a=b c=d"),
    ("// first\na b // last", "a=b"), ("a b [$WIN32]", "a=b[$WIN32]"),
    (#""a" [!$OSX] { b c }"#, "a{b=c}[!$OSX]"), ("a {} b {}", "a{} b{}"), ("", ""),
    ("\u{FEFF}\"a\" \"b\"", "a=b"), ("a http://x/y", "a=http://x/y"),
    // Backslashes are kept, and a backslash before the last quote does not escape it.
    (#""root" "..\content\""#, #"root=..\content\"#),
    (#""root" "..\content\" // the rest"#, #"root=..\content\"#),
    // A quote in a comment is not a quote of the text.
    (#""root" "..\content\" // say "hi"#, #"root=..\content\"#),
    ("\"root\" \"a\\\" // 5\" disk\n\"b\" \"c\"", #"root=a\ b=c"#),
    ("a b // it\"s\n// \"\nc d", "a=b c=d"), (#""a" "b"// 5" disk"#, "a=b"),
    (#""root" "C:\new\" "other" "x""#, #"root=C:\new\ other=x"#),
    (#"x {"root" "a\"}"#, #"x{root=a\}"#),
    (#""Desc" "a \"new\" level""#, #"Desc=a "new" level"#),
    ("\"Desc\" \"say \\\"hi\\\"\"", "Desc=say \"hi\""), (#""a" "\\\\host\\x""#, #"a=\\\\host\\x"#),
    ("\"a\" \"two\nlines\"", "a=two\nlines"),
  ])
  func `pairs are read as Steam reads them`(text: String, pairs: String) {
    let (read, findings) = read(Array(text.utf8))
    #expect(shown(read.pairs) == pairs)
    #expect(findings.isEmpty)
  }

  @Test func `a script in UTF-16 has the same contents, with places in the shown text`() {
    let text = "\"a\"\n{\n  é \"b\"\n}"
    for (mark, isLittle) in [([0xFF, 0xFE], true), ([0xFE, 0xFF], false), ([], true)] {
      var bytes = mark.map { UInt8($0) }
      for unit in text.utf16 {
        let pair = [UInt8(truncatingIfNeeded: unit), UInt8(unit >> 8)]
        bytes += isLittle ? pair : pair.reversed()
      }
      let (read, findings) = read(bytes)
      #expect(findings.isEmpty)
      #expect(read.source.bytes == Array(text.utf8))
      #expect(shown(read.pairs) == "a{é=b}")
    }
  }

  @Test(arguments: [
    (#"a { b ⟦m:"c⟧"#, ["m"]), ("a { b c⟦m:⟧", ["m"]), ("a b ⟦m:}⟧", ["m"]),
    ("⟦m:{⟧ b c }", ["m"]), ("⟦m:a⟧", ["m"]), ("a { ⟦m:b⟧ }", ["m"]),
    ("⟦m:[$X]⟧ a b", ["m"]),
    // Parsing continues after a mistake.
    ("\"root\" ⟦m:\"x⟧\n\"other\" \"y\"", ["m"]), ("⟦m:\"root\"⟧\n\"block\" { a b }", ["m"]),
  ])
  func `a mistake is reported once, at its place`(marked: String, marks: [String]) {
    let text = MarkedText(marked)
    let (_, findings) = read(text.bytes)
    let first = findings.all.first
    #expect(findings.all.allSatisfy { $0.id == "steam.syntax" })
    #expect(first?.span == text.spans[marks[0]], "\(findings.all.map(\.message))")
  }

  @Test func `blocks that are nested too deeply are an error`() {
    let text = String(repeating: "a {", count: 100_000)
    let (read, findings) = read(Array(text.utf8))
    #expect(findings.count(.error) == 2)
    #expect(read.pairs.count == 1)
  }
}
