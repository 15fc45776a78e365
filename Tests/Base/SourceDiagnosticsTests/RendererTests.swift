import SourceDiagnostics
import TestSupport
import Testing

@Suite struct RendererTests {
  private static let text = SourceText(
    Array("{\n\t\"名\": \"ios\", // 🐟 x\n  \"b\": [\"ios\", 2]\n}\n".utf8), named: "Packs/a,b.json")

  private static func span(_ part: String, last: Bool = false) -> SourceSpan {
    let text = text.bytes
    let bytes = Array(part.utf8)
    var found = 0
    for start in 0...(text.count - bytes.count)
    where text[start..<start + bytes.count].elementsEqual(bytes) {
      found = start
      if !last { break }
    }
    return SourceSpan(found, found + bytes.count)
  }

  /// The findings, not in the order of display.
  private static let findings = Ledger(
    about: text,
    [
      Finding("x.y", .warning, "a \("\u{1B}[31m") comment", at: span("🐟 x")),
      Finding(
        "platform.unknown", .error, "there is no platform 'ios'", at: span("\"ios\""),
        labels: [.init(span("\"ios\"", last: true), "once more: 100%")],
        notes: ["it is written 'iOS'"],
        fixes: [Fix("write 'iOS'", .safe, edits: [.init(span("\"ios\""), "\"iOS\"")])]),
      Finding("packs.count", .note, "101 packs"),
    ])

  private func first(_ list: JSONNode?) -> JSONNode? { list?.elements.first { _ in true } }

  @Test func `every finding and every reason has a line`() {
    #expect(
      LineRenderer().render(Self.findings) == """
        Packs/a,b.json: note: 101 packs [packs.count]
        Packs/a,b.json:2:7: error: there is no platform 'ios' [platform.unknown]
        Packs/a,b.json:3:9: hint: once more: 100%
        Packs/a,b.json:2:7: hint: it is written 'iOS'
        Packs/a,b.json:2:7: fix: write 'iOS'
        Packs/a,b.json:2:17: warning: a \\x1B[31m comment [x.y]

        """)
  }

  @Test func `frames have carets under wide characters and tabs`() {
    #expect(
      FrameRenderer(colored: false).render(Self.findings) == """
        note: 101 packs [packs.count]
         --> Packs/a,b.json

        error: there is no platform 'ios' [platform.unknown]
         --> Packs/a,b.json:2:7
          |
        2 |     "名": "ios", // 🐟 x
          |           ^^^^^
        3 |   "b": ["ios", 2]
          |         ----- once more: 100%
          = hint: it is written 'iOS'
          = fix: write 'iOS' (safe)

        warning: a \\x1B[31m comment [x.y]
         --> Packs/a,b.json:2:17
          |
        2 |     "名": "ios", // 🐟 x
          |                     ^^^^


        """)
  }

  @Test func `frames show a part of a long line`() throws {
    let line = String(repeating: "a", count: 500_000)
    let source = SourceText(Array("\(line)HERE\(line)".utf8), named: "long")
    let finding = Finding("x.y", .error, "m", at: SourceSpan(500_000, 500_004))
    let rendered = FrameRenderer(colored: false).render(Ledger(about: source, [finding]))
    let lines = rendered.split(separator: "\n").map(String.init)
    #expect(lines[3].count < 160)
    let here = try #require(lines[3].firstRange(of: "HERE"))
    let carets = try #require(lines[4].firstRange(of: "^^^^"))
    #expect(
      lines[3].distance(from: lines[3].startIndex, to: here.lowerBound)
        == lines[4].distance(from: lines[4].startIndex, to: carets.lowerBound))
  }

  @Test func `marks of one line are below one excerpt that fits the terminal`() {
    let text =
      String(repeating: "a", count: 70) + "LABEL" + String(repeating: "b", count: 40) + "HERE"
    let source = SourceText(Array((text + String(repeating: "c", count: 90)).utf8), named: "long")
    let finding = Finding(
      "x.y", .error, "m", at: SourceSpan(115, 119),
      labels: [.init(SourceSpan(70, 75), "near"), .init(SourceSpan(0, 3), "far")])
    let rendered = FrameRenderer(colored: false, columns: 80).render(
      Ledger(about: source, [finding]))
    let a = String(repeating: "a", count: 4)
    let b = String(repeating: "b", count: 40)
    #expect(
      rendered == """
        error: m [x.y]
         --> long:1:116
          |
        1 | …\(a)LABEL\(b)HERE\(String(repeating: "c", count: 21))…
          |                                                   ^^^^
          |      ----- near
        ...
        1 | \(String(repeating: "a", count: 70))LABE…
          | --- far


        """)
    for line in rendered.split(separator: "\n") { #expect(line.count <= 80) }
  }

  @Test func `messages, hints and fixes are broken at spaces within the terminal`() {
    let words = (1...30).map { "word\($0)" }.joined(separator: " ")
    let finding = Finding(
      "x.y", .warning, Finding.Message(whole: words), at: nil,
      notes: [Finding.Message(whole: words)],
      fixes: [Fix(Finding.Message(whole: words), .shownOnly)])
    let source = SourceText([], named: "a.json")
    let rendered = FrameRenderer(colored: false, columns: 60).render(
      Ledger(about: source, [finding]))
    let lines = rendered.split(separator: "\n")
    #expect(lines.count > 12)
    for line in lines { #expect(line.count <= 60) }
    #expect(
      rendered.split(whereSeparator: \.isWhitespace).count(where: { $0.hasPrefix("word") }) == 90)
    #expect(lines[1].hasPrefix("         word"))
    #expect(rendered.contains("word30 [x.y]\n"))
    // A long word has its own line, and is not broken.
    let long = String(repeating: "x", count: 90)
    let text = FrameRenderer(colored: false, columns: 60).render(
      Ledger(about: source, [Finding("x.y", .error, "a \(path: long) b", at: nil)]))
    #expect(text.contains("\n       \(long)\n"), "\(text)")
  }

  @Test func `colors are reset immediately`() {
    let colored = FrameRenderer(colored: true).render(Self.findings)
    #expect(colored.contains("\u{1B}[1;31merror:\u{1B}[0m"))
    let plain = colored.replacing(/\u{1B}\[[0-9;]*m/, with: "")
    #expect(plain == FrameRenderer(colored: false).render(Self.findings))
  }

  @Test func `each finding is one JSON object on a line`() throws {
    let lines = JSONLinesRenderer().render(Self.findings).split(separator: "\n").map(String.init)
    #expect(lines.count == 3)
    #expect(
      lines[1] == """
        {"path":"Packs/a,b.json","severity":"error","id":"platform.unknown",\
        "message":"there is no platform 'ios'","line":2,"column":7,"endLine":2,"endColumn":12,\
        "offset":10,"length":5,"labels":[{"line":3,"column":9,"endLine":3,"endColumn":14,\
        "offset":35,"length":5,"text":"once more: 100%"}],"notes":["it is written 'iOS'"],\
        "fixes":[{"message":"write 'iOS'","grade":"safe",\
        "edits":[{"offset":10,"length":5,"text":"\\"iOS\\""}]}]}
        """)
    #expect(
      lines[0] == """
        {"path":"Packs/a,b.json","severity":"note","id":"packs.count","message":"101 packs",\
        "labels":[],"notes":[],"fixes":[]}
        """)
    for line in lines {
      #expect(JSONDocument(parsing: SourceText(Array(line.utf8), named: "l")).findings.all == [])
    }
  }

  @Test func `GitHub commands escape special characters`() {
    #expect(
      GitHubRenderer().render(Self.findings) == """
        ::notice file=Packs/a%2Cb.json,title=packs.count::101 packs
        ::error file=Packs/a%2Cb.json,line=2,endLine=2,col=7,endColumn=11,\
        title=platform.unknown::there is no platform 'ios'%0Aline 3, column 9: once more: 100%25\
        %0Ait is written 'iOS'%0Awrite 'iOS'
        ::warning file=Packs/a%2Cb.json,line=2,endLine=2,col=17,endColumn=19,\
        title=x.y::a \\x1B[31m comment

        """)
  }

  @Test func `programs get exact names, and readers escaped ones`() {
    let name = "a\u{A0}b\u{202E}\n::error::c\r\t%,.json"
    let group = Ledger(
      about: SourceText(Array("x".utf8), named: name),
      [Finding("x.y", .error, "'\(path: name)' is wrong", at: SourceSpan(0, 1))])
    let shown = #"a\u{A0}b\u{202E}\x0A::error::c\x0D\x09"#
    #expect(
      GitHubRenderer().render(group)
        == "::error file=a\u{A0}b\u{202E}%0A%3A%3Aerror%3A%3Ac%0D\t%25%2C.json,line=1,endLine=1,"
        + "col=1,endColumn=1,title=x.y::'\(shown)%25,.json' is wrong\n")
    let exact = "a\u{A0}b\u{202E}&#10;::error::c&#13;&#9;%,.json"
    let report = JUnitReport(of: group, failingFrom: .error) { $0 }.text
    #expect(report.contains("<testsuite name=\"\(exact)\" "))
    #expect(report.contains("<testcase classname=\"\(exact)\" name=\"line 1: x.y\">"))
    #expect(
      report.contains(
        "message=\"'\(shown)%,.json' is wrong\">\(shown)%,.json:1:1: error: "))
    // One character of Swift, but two of XML.
    let lines = JUnitReport([.init("a\r\nb\t\u{301}", [])]).text
    #expect(lines.contains("name=\"a&#13;&#10;b&#9;\u{301}\""))
    let control = JUnitReport([.init("\u{1B}\u{FFFE}\u{10FFFF}", [])]).text
    #expect(control.contains("name=\"\u{FFFD}\u{FFFD}\u{10FFFF}\""))
  }

  @Test func `SARIF has the structure that its standard requires`() throws {
    let renderer = SARIFRenderer(
      tool: "ba-package", version: "1.0",
      rules: [
        .init(
          id: "platform.unknown", level: .error, summary: "s", reason: "r", help: "h",
          address: "https://example.com/x#platformunknown")
      ])
    let text = renderer.render(Self.findings)
    let log = JSONDocument(parsing: SourceText(Array(text.utf8), named: "log"))
    #expect(log.findings.all == [])
    let root = try #require(log.root)
    #expect(root["version"]?.string == "2.1.0")
    let run = try #require(first(root["runs"]))
    let driver = try #require(run["tool"]?["driver"])
    #expect(driver["name"]?.string == "ba-package")
    #expect(run["columnKind"]?.string == "unicodeCodePoints")
    let rules = try #require(driver["rules"]).elements.map { $0 }
    let rule = rules[0]
    #expect(rule["helpUri"]?.string == "https://example.com/x#platformunknown")
    #expect(rule["defaultConfiguration"]?["level"]?.string == "error")
    #expect(rule["fullDescription"]?["text"]?.string == "s r")
    #expect(first(run["invocations"])?["executionSuccessful"]?.bool == true)
    #expect(
      SARIFRenderer(tool: "t", version: "1", rules: [], isWhole: false).render(Self.findings)
        .contains("\"executionSuccessful\": false"))
    let results = try #require(run["results"]).elements.map { $0 }
    #expect(results.count == 3)
    for result in results {
      #expect(["error", "warning", "note"].contains(result["level"]?.string))
      #expect(result["message"]?["text"]?.string?.isEmpty == false)
      if let number = result["ruleIndex"]?.number.flatMap(Int.init) {
        #expect(rules[number]["id"]?.string == result["ruleId"]?.string)
      }
      let place = try #require(first(result["locations"]))
      let physical = try #require(place["physicalLocation"])
      #expect(physical["artifactLocation"]?["uri"]?.string == "Packs/a%2Cb.json")
    }
    let region = results[1]["locations"]?.value
    #expect(
      region.map { JSONWriter.string($0, .compact) } == """
        [{"physicalLocation":{"artifactLocation":{"uri":"Packs/a%2Cb.json"},"region":\
        {"startLine":2,"startColumn":7,"endLine":2,"endColumn":12,"byteOffset":10,"byteLength":5}}}]
        """)
    let fix = try #require(first(results[1]["fixes"]))
    let change = try #require(first(fix["artifactChanges"]))
    let replacement = try #require(first(change["replacements"]))
    #expect(replacement["insertedContent"]?["text"]?.string == "\"iOS\"")
    #expect(replacement["deletedRegion"]?["byteOffset"]?.number == "10")
    let whole = try #require(first(results[0]["locations"]))
    #expect(whole["physicalLocation"]?.count == 1)
    #expect(results[1]["relatedLocations"]?.count == 1)
  }

  private func excerpt(_ text: String, _ part: String, colored: Bool = false) -> [String] {
    let bytes = Array(text.utf8)
    let mark = Array(part.utf8)
    let start = bytes.indices.first { bytes[$0...].starts(with: mark) } ?? 0
    let finding = Finding("x.y", .error, "m", at: SourceSpan(start, start + mark.count))
    let rendered = FrameRenderer(colored: colored).render(
      Ledger(about: SourceText(bytes, named: "t"), [finding]))
    return rendered.split(separator: "\n").map(String.init).filter { $0.contains("|") }.suffix(2)
  }

  @Test func `carets count emoji as two columns, and combining marks as none`() {
    for (before, columns) in [
      ("❤️", 2), ("👍🏽", 2), ("👩‍🚀", 2), ("🇩🇪", 2), ("e\u{301}", 1), ("名", 2), ("ab", 2), ("1️⃣", 2),
    ] {
      let lines = excerpt("\(before)HERE", "HERE")
      #expect(lines[1] == "  | " + String(repeating: " ", count: columns) + "^^^^", "\(before)")
    }
    #expect(excerpt("a👍🏽b", "👍🏽")[1] == "  |  ^^")
  }

  @Test func `below a character of disputed width, the same character is concealed`() {
    #expect(
      excerpt("a👍🏽bHERE", "HERE", colored: true)[1]
        == "  \u{1B}[34m|\u{1B}[0m  \u{1B}[8m👍🏽\u{1B}[0m \u{1B}[1;31m^^^^\u{1B}[0m")
  }

  @Test func `hidden characters of a line are shown, with carets below`() {
    #expect(excerpt("a\u{200B}bHERE", "HERE") == ["1 | a\\u{200B}bHERE", "  |           ^^^^"])
    #expect(excerpt("ab\u{202E}", "\u{202E}") == ["1 | ab\\u{202E}", "  |   ^^^^^^^^"])
  }

  @Test func `a byte order mark before the text is not a column`() {
    let source = SourceText([0xEF, 0xBB, 0xBF] + Array("abc\nd".utf8), named: "t")
    #expect(source.position(of: 3) == .init(line: 1, column: 1))
    #expect(source.position(of: 5) == .init(line: 1, column: 3))
    #expect(source.position(of: 7) == .init(line: 2, column: 1))
    #expect(source.position(of: 0) == .init(line: 1, column: 1))
    #expect(
      excerpt("\u{FEFF}abHERE", "HERE") == ["1 | abHERE", "  |   ^^^^"])
    let whole = Finding("x.y", .error, "m", at: SourceSpan(0, 0))
    #expect(
      FrameRenderer(colored: false).render(Ledger(about: source, [whole]))
        .contains("1 | abc\n  | ^"))
  }

  @Test func `a service gets the path that it uses for a file`() {
    let group = Ledger(
      about: SourceText(Array("x".utf8), named: "m.json"), [Finding("x.y", .error, "m")])
    #expect(
      GitHubRenderer(place: { "Packs/" + $0 }).render(group)
        == "::error file=Packs/m.json,title=x.y::m\n")
    let sarif = SARIFRenderer(
      tool: "t", version: "1", rules: [], place: { "Packs/" + $0 }
    ).render(group)
    #expect(sarif.contains(#""uri": "Packs/m.json""#))
  }
}
