import SourceDiagnostics
import TestSupport
import Testing

@Suite struct LedgerTests {
  private static let texts = ["a", "b", "a", "c"].enumerated().map { number, name in
    // Two texts have the same name, as two archives may have.
    SourceText(Array("\(number)".utf8) + [UInt8](repeating: 0x61, count: 3000), named: name)
  }
  private static let text = texts[0]

  private func finding(
    _ number: Int, _ severity: Finding.Severity = .error, at start: Int? = nil,
    id: Finding.ID = "x.y"
  ) -> Finding {
    Finding(id, severity, "\(number)", at: start.map { SourceSpan($0, $0 + 1) })
  }

  @Test(arguments: [1, 2, 3, 7])
  func `omitted findings are counted by severity, after any number of merges`(merges: Int) {
    var ledger = Ledger(about: Self.text, keeping: 10)
    for number in 0..<2010 { ledger.add(finding(number)) }
    for number in 0..<15 { ledger.add(finding(number, .warning)) }
    ledger.leaveOut(.note, 3)
    for _ in 0..<merges {
      var again = Ledger(about: Self.text, keeping: 1)
      again.add(contentsOf: ledger)
      again.add(finding(0, .warning))
      #expect(again.count(.error) == 2010)
      ledger = again
    }
    #expect(ledger.count(.error) == 2010)
    #expect(ledger.count(.warning) == 15 + merges)
    #expect(ledger.count(.note) == 3)
    #expect(ledger.count == 2010 + 15 + merges + 3)
    #expect(
      ledger.all.suffix(3).map(\.message) == [
        "2000 more errors are not listed; fix the listed ones first",
        "\(5 + merges) more warnings are not listed; fix the listed ones first",
        "3 more notes are not listed; fix the listed ones first",
      ])
  }

  /// Returns findings of all severities at few places, each with its text.
  private static func found(_ random: inout Seeded) -> [(text: Int, finding: Finding)] {
    (0..<Int.random(in: 0...400, using: &random)).map { number in
      let start = Int.random(in: -1...20, using: &random)
      return (
        Int.random(in: 0..<texts.count, using: &random),
        Finding(
          "x.y", Finding.Severity.allCases.randomElement(using: &random) ?? .error, "\(number)",
          at: start < 0 ? nil : SourceSpan(start, start + 1))
      )
    }
  }

  /// Adds findings one by one, or in ledgers of ledgers.
  private static func ledger(
    of found: ArraySlice<(text: Int, finding: Finding)>, keeping limit: Int, depth: Int,
    _ random: inout Seeded
  ) -> Ledger {
    var ledger = Ledger()
    var rest = found
    while !rest.isEmpty {
      let count = Int.random(in: 1...rest.count, using: &random)
      let next = rest.prefix(count)
      rest = rest.dropFirst(count)
      if depth > 0, Bool.random(using: &random) {
        ledger.add(
          contentsOf: Self.ledger(of: next, keeping: limit, depth: depth - 1, &random))
        continue
      }
      for (text, finding) in next {
        var one = Ledger(about: texts[text], keeping: limit)
        one.add(finding.severity) { finding }
        ledger.add(contentsOf: one)
      }
    }
    return ledger
  }

  @Test(arguments: 0..<60)
  func `counts, order and omissions are the same for all orders of merging`(seed: Int) {
    var random = Seeded(seed: UInt64(seed))
    let found = Self.found(&random)
    let limit = [1, 7, 30, 1000][seed % 4]
    // The expected result by the documentation: of each text and severity the first ones, by place.
    var expected: [[String]] = []
    var order: [Int] = []
    for (text, _) in found where !order.contains(text) { order.append(text) }
    for text in order {
      var left: [Finding.Severity: Int] = [:]
      var kept: [(start: Int, number: Int, message: String)] = []
      for (number, entry) in found.enumerated() where entry.text == text {
        left[entry.finding.severity, default: 0] += 1
        if left[entry.finding.severity, default: 0] <= limit {
          kept.append((entry.finding.span?.start ?? -1, number, entry.finding.message))
        }
      }
      kept.sort { ($0.start, $0.number) < ($1.start, $1.number) }
      let more = [Finding.Severity.error, .warning, .note].compactMap { severity -> String? in
        let count = left[severity, default: 0] - limit
        guard count > 0 else { return nil }
        return "\(count) more \(severity)\(count == 1 ? " is" : "s are") not listed; "
          + "fix the listed ones first"
      }
      expected.append(kept.map(\.message) + more)
    }
    for _ in 0..<4 {
      let ledger = Self.ledger(of: found[...], keeping: limit, depth: 4, &random)
      #expect(ledger.pages.map(\.source) == order.map { Self.texts[$0] })
      #expect(ledger.pages.map { $0.findings.map(\.message) } == expected)
      #expect(ledger.map(\.message) == expected.flatMap(\.self))
      #expect(ledger.count == found.count)
      #expect(ledger.isEmpty == found.isEmpty)
      for severity in Finding.Severity.allCases {
        let count = found.count { $0.finding.severity == severity }
        #expect(ledger.count(severity) == count)
        #expect(ledger.pages.reduce(0) { $0 + $1.count(severity) } == count)
        #expect(
          ledger.reduce(0) { $0 + ($1.severity == severity ? $1.occurrences : 0) } == count)
      }
      #expect(ledger.hasErrors == (ledger.count(.error) > 0))
    }
  }

  @Test(arguments: 0..<60)
  func `the order of merging does not matter for the pages of findings`(seed: Int) {
    var random = Seeded(seed: UInt64(seed))
    // A finding without a text is on the page without a name, which can be anywhere.
    let found = (0..<40).map { number in
      (text: Int.random(in: -1..<Self.texts.count, using: &random), number: number)
    }
    func add(_ entry: (text: Int, number: Int), to ledger: inout Ledger) {
      if entry.text < 0 {
        ledger.add(finding(entry.number))
      } else {
        ledger.add(finding(entry.number), about: Self.texts[entry.text])
      }
    }
    for _ in 0..<4 {
      var parts = [Ledger](repeating: Ledger(), count: 4)
      var whole = Ledger()
      for entry in found {
        let part = Int.random(in: 0...parts.count, using: &random)
        if part < parts.count {
          add(entry, to: &parts[part])
        } else {
          whole.add(contentsOf: parts.remove(at: part - 1))
          parts.append(Ledger())
          add(entry, to: &whole)
        }
      }
      for part in parts.shuffled(using: &random) { whole.add(contentsOf: part) }
      for page in whole.pages {
        let text = Self.texts.firstIndex(of: page.source) ?? -1
        #expect(text >= 0 || page.source.name.isEmpty)
        #expect(
          Set(page.findings.map(\.message))
            == Set(found.filter { $0.text == text }.map { "\($0.number)" }))
      }
      #expect(whole.count == found.count)
      #expect(whole.pages.count == Set(found.map(\.text)).count)
    }
  }

  @Test func `a finding without a text is never on the page of a text`() {
    var unnamed = Ledger()
    unnamed.add(finding(1))
    var ledger = Ledger()
    ledger.add(contentsOf: unnamed)
    ledger.add(finding(2), about: Self.text)
    ledger.add(finding(3))
    #expect(ledger.pages.map(\.source.name) == ["", Self.text.name])
    #expect(ledger.pages.map { $0.findings.map(\.message) } == [["1", "3"], ["2"]])
  }

  @Test func `messages of omitted findings are not built`() {
    var ledger = Ledger(about: Self.text, keeping: 2)
    var worded = 0
    for number in 0..<10 {
      ledger.add(.warning) {
        worded += 1
        return finding(number, .warning)
      }
    }
    #expect(worded == 2)
    #expect(ledger.count(.warning) == 10)
    #expect(!ledger.hasErrors)
  }

  @Test func `users see ten of a kind at one place, a hundred in a text, and the total number`() {
    let many =
      (0..<40).map { finding($0, at: 7) }
      + (0..<300).map { finding($0, at: 100 + $0, id: "x.z") }
    let ledger = Ledger(about: Self.text, many)
    let shown = ledger.abridged.all
    #expect(ledger.all.count == 340)
    #expect(ledger.abridged.count == 340)
    #expect(shown.count == 10 + 100)
    #expect(shown[9].notes.last == "30 more of this kind, 40 in all")
    #expect(shown.last?.notes.last == "200 more of this kind, 300 in all")
    let few = Ledger(about: Self.text, (0..<10).map { finding($0, at: 7) })
    #expect(few.abridged.all == few.all)
  }

  @Test func `programs get all findings, and the number that one represents`() {
    var ledger = Ledger(about: Self.text, keeping: 1000)
    for number in 0..<1500 { ledger.add(finding(number, at: number)) }
    let lines = JSONLinesRenderer().render(ledger).split(separator: "\n")
    #expect(lines.count == 1001)
    #expect(lines.last?.contains(#""count":500"#) == true)
    let sarif = SARIFRenderer(tool: "t", version: "1", rules: []).render(ledger)
    #expect(sarif.contains(#""occurrenceCount": 500"#))
    #expect(GitHubRenderer().render(ledger).split(separator: "\n").count == 1001)
  }

  @Test func `every renderer shows remedies with the texts of the program`() {
    let fix = Fix([Remedy("turn", "turn it")])
    let ledger = Ledger(about: Self.text, [Finding("x.y", .error, "m", fixes: [fix])])
    let worded = ledger.worded { $0.code == "turn" ? "use --turn" : nil }
    let renderers: [any FindingsRenderer] = [
      LineRenderer(), FrameRenderer(colored: false), GitHubRenderer(), JSONLinesRenderer(),
    ]
    for renderer in renderers {
      #expect(renderer.render(ledger).contains("turn it"))
      #expect(renderer.render(worded).contains("use --turn"))
      #expect(renderer.render(worded.abridged).contains("use --turn"))
    }
    #expect(worded.all[0].fixes[0].message == "use --turn")
  }
}

@Suite struct MessageTests {
  @Test func `an ID prints its name`() {
    #expect("\(Finding("a.b", .error, "m").id)" == "a.b")
  }

  @Test func `a quoted value ends after eighty characters, a path does not`() {
    let long = String(repeating: "x", count: 16 << 20)
    #expect(
      Finding("a.b", .error, "not '\(long)'").message
        == "not '" + String(repeating: "x", count: 80) + "…'")
    let fits = String(repeating: "ä", count: 80)
    #expect(Finding("a.b", .error, "not '\(fits)'").message == "not '\(fits)'")
    let path = String(repeating: "folder/", count: 30)
    #expect(Finding("a.b", .error, "no '\(path: path)'").message == "no '\(path)'")
    // One character of a million code points.
    let tower = "a" + String(repeating: "\u{301}", count: 1_000_000)
    #expect(Finding("a.b", .error, "'\(tower)'").message.utf8.count < 300)
    // Characters are not cut in two.
    let family = String(repeating: "a", count: 78) + "👩‍🚀👩‍🚀"
    #expect(
      Finding("a.b", .error, "'\(family)'").message
        == "'" + String(repeating: "a", count: 78) + "…'")
  }

  @Test func `interpolated values are escaped in every part of a finding`() {
    let name = "a\u{1B}[2J\u{202E}b\nc\u{200B}"
    let fit = "a\\x1B[2J\\u{202E}b\\x0Ac\\u{200B}"
    let finding = Finding(
      "a.b", .error, "'\(name)'", at: SourceSpan(0, 0),
      labels: [.init(SourceSpan(0, 0), "'\(name)'")],
      notes: ["'\(path: name)'"], fixes: [Fix("write '\(name)'", .shownOnly)])
    #expect(finding.message == "'\(fit)'")
    #expect(finding.labels[0].text == "'\(fit)'")
    #expect(finding.notes == ["'\(fit)'"])
    #expect(finding.fixes[0].message == "write '\(fit)'")
    let group = Ledger(about: SourceText(Array("x".utf8), named: name), [finding])
    for text in [
      LineRenderer().render(group), FrameRenderer(colored: false).render(group),
      // GitHub reads the exact path.
      GitHubRenderer { _ in "m.json" }.render(group),
    ] {
      #expect(text.contains(fit))
      let raw = text.unicodeScalars.filter { $0 != "\n" && ($0.value < 0x20 || $0.value == 0x202E) }
      #expect(raw.isEmpty)
    }
  }

  @Test func `messages are built from escaped parts without cutting them again`() {
    let list = Finding.list((0..<40).map { "name-\($0)" })
    let message: Finding.Message = "there are \(list)" + " and \(7) more"
    #expect(message.text.hasSuffix("'name-38' and 'name-39' and 7 more"))
  }
}

@Suite struct DecisionTests {
  private static let text = SourceText(Array("text".utf8), named: "m")

  private func finding(_ id: Finding.ID, _ severity: Finding.Severity) -> Finding {
    Finding(id, severity, "found")
  }

  @Test(arguments: Finding.Severity.allCases)
  func `decisions also apply to omitted findings, and a second time change nothing`(
    _ severity: Finding.Severity
  ) {
    var ledger = Ledger(about: Self.text, keeping: 3)
    for _ in 0..<10 { ledger.add(finding("a.off", .warning)) }
    for _ in 0..<10 { ledger.add(finding("a.other", .note)) }
    func decide(_ finding: Finding, _ text: SourceText) -> Ledger.Decision? {
      finding.id == "a.off" ? .init(nil, by: 0) : .init(severity, by: 1)
    }
    ledger.apply(decide)
    #expect(ledger.count(severity) == 10)
    #expect(ledger.count == 10)
    #expect(ledger.decided.off == 10)
    #expect(ledger.decided.settings == [0, 1])
    let once = ledger
    ledger.apply(decide)
    #expect(ledger.all == once.all)
    #expect(ledger.decided == once.decided)
  }

  @Test func `an error is lowered only if its rule allows it, and merges add the uses`() {
    var lowerable = finding("a.lowerable", .error)
    lowerable.canLower = true
    var ledger = Ledger(about: Self.text)
    ledger.add(finding("a.error", .error))
    var other = Ledger(about: Self.text)
    other.add(lowerable)
    for number in [0, 1] {
      let decide: (Finding, SourceText) -> Ledger.Decision? = { _, _ in .init(nil, by: number) }
      if number == 0 { ledger.apply(decide) } else { other.apply(decide) }
    }
    ledger.add(contentsOf: other)
    #expect(ledger.count(.error) == 1)
    #expect(ledger.decided.off == 1)
    #expect(ledger.decided.settings == [1])
    #expect(ledger.decided.refused == [0])
  }
}
