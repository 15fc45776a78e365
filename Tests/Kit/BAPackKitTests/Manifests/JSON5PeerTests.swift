import BAPackKit
import Foundation
import SourceDiagnostics
import TestSupport
import Testing

/// The JSON5 reader, compared with another reader of JSON5.
@Suite(.world) struct JSON5PeerTests {
  private static let peer = Checkout.file("Tests/World/json5-peer").path

  /// Errors of our reader only: values that strict JSON does not support, and ambiguous texts.
  private static let ours: Set<String> = [
    "json.number", "json.duplicate-key", "json.too-deep", "json.encoding",
  ]

  private static func line(_ text: String, _ read: [UInt8]?, stricter: Bool, without: [String] = [])
    -> String
  {
    let value = JSONValue.object([
      .init("text", .string(text)),
      .init("ours", read.map { .string(String(decoding: $0, as: UTF8.self)) } ?? .null),
      .init("stricter", .bool(stricter)), .init("without", .array(without.map { .string($0) })),
    ])
    return JSONWriter.string(value, .compact)
  }

  private static func differences(_ lines: [String]) throws -> String {
    let folder = try TemporaryFolder()
    try folder.makeFile("texts", lines.joined(separator: "\n"))
    let process = Process()
    process.executableURL = URL(filePath: peer)
    process.arguments = [folder.path("texts")]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let text = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    return String(decoding: text, as: UTF8.self)
  }

  private static let pieces = [
    "{", "}", "[", "]", ":", ",", "a", "$", "_", "\\u0024", "\\u0031", "\\u{", "é", "ª", "٣",
    "\u{301}",
    "\u{200C}", "\u{203F}", "1", "0", "01", ".5", "5.", "-", "+", "1e3", "1e", "0x1F", "NaN",
    "Infinity",
    "true", "false", "null", "True", "'", "\"", "'a'", "\"b\"", "'\\x41'", "'\\x4'", "'\\0'",
    "'\\01'",
    "'\\u00e4'", "'\\q'", "'\\\n'", "'\\\r\n'", "'\\\u{2028}'", "'\u{2028}'", "'\n'", "'\u{1}'",
    "'\\v'",
    "// c\n", "// c\r", "// c\u{2028}", "// c\u{2029}", "//", "/* c */", "/* */*/", "/*", " ", "\n",
    "\t",
    "\u{B}", "\u{C}", "\u{A0}", "\u{FEFF}", "\u{2003}", "\u{3000}", "\u{85}", "\u{180E}",
    "\u{200B}",
    "1234567890123456789012345678901234567890",
  ]

  @Test func `both readers read a text in the same way or reject it`() throws {
    var random = Seeded(seed: 5)
    var lines: [String] = []
    for _ in 0..<20_000 {
      var text = ["", "{a:", "[", "{"].randomElement(using: &random) ?? ""
      let closing = ["{a:": "}", "[": "]", "{": ":1}"][text] ?? ""
      for _ in 0..<Int.random(in: 1...5, using: &random) {
        text += Self.pieces.randomElement(using: &random) ?? ""
      }
      text += closing
      let document = JSONDocument(parsing: SourceText(Array(text.utf8), named: "t"))
      let ids = Set(document.findings.map(\.id.name))
      let surrogate = document.findings.contains { $0.message.contains("surrogate") }
      // The peer accepts an escaped digit as the first character of a name, unlike ECMAScript.
      let digit = text.range(of: "\\u0031", options: .literal) != nil
      lines.append(
        Self.line(
          text, ids.isEmpty ? document.root.map { JSONWriter.bytes($0.value, .compact) } : nil,
          stricter: ids.isSubset(of: Self.ours) || surrogate || digit))
    }
    let differences = try Self.differences(lines)
    #expect(differences == "")
  }

  @Test func `manifests have the same value in the archive`() throws {
    var random = Seeded(seed: 6)
    var lines: [String] = []
    for _ in 0..<2_000 {
      func gap() -> String {
        ["", " ", "\n", "// c\n", "// c\u{2028}", "/* c */", "\u{A0}"].randomElement(using: &random)
          ?? ""
      }
      func quoted(_ text: String) -> String {
        ["\"\(text)\"", "'\(text)'"].randomElement(using: &random) ?? ""
      }
      func key(_ name: String) -> String {
        [name, quoted(name)].randomElement(using: &random) ?? name
      }
      func value(_ depth: Int) -> String {
        switch Int.random(in: 0..<(depth > 3 ? 3 : 5), using: &random) {
        case 0: ["1", "+.5", "5.", "-0", "1e3", "0.10"].randomElement(using: &random) ?? "0"
        case 1: ["true", "false", "null"].randomElement(using: &random) ?? "null"
        case 2:
          ["'a\\\nb'", "\"\\x41\\u00e4\"", "'\u{1}'", "'\\'\"'"].randomElement(using: &random)
            ?? "''"
        case 3:
          "["
            + (0..<Int.random(in: 0...3, using: &random)).map { _ in gap() + value(depth + 1) }
            .joined(separator: ",") + "]"
        default:
          "{"
            + (0..<Int.random(in: 0...3, using: &random)).map { number in
              gap() + key("k\(number)") + gap() + ":" + gap() + value(depth + 1)
            }.joined(separator: gap() + ",") + gap() + "}"
        }
      }
      let members = [
        key("assetPackID") + gap() + ":" + gap() + quoted("A"),
        key("downloadPolicy") + ":" + gap() + "{" + key("onDemand") + ":{" + gap() + "}}",
        key("fileSelectors") + ":[{" + key("file") + ":" + quoted("a/b") + gap() + "}]",
        key("platforms") + ":" + gap() + "[" + quoted("iOS") + gap() + ",]",
        key("userInfo") + ":{x:" + value(0) + "}", key("language") + ":" + quoted("de"),
        key("sourceRoot") + ":" + quoted(".."),
      ].shuffled(using: &random)
      let text = "{" + members.map { gap() + $0 }.joined(separator: gap() + ",") + gap() + "}"
      let document = ManifestDocument(parsing: Array(text.utf8), named: "m")
      #expect(document.findings.all == [], "\(text)")
      lines.append(
        Self.line(
          text, document.manifest?.archivedJSON(), stricter: false,
          without: ["sourceRoot", "toolsVersion"]))
    }
    let differences = try Self.differences(lines)
    #expect(differences == "")
  }
}
