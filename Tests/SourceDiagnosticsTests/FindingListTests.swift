import SourceDiagnostics
import Testing

@Suite struct FindingListTests {
  private func finding(
    _ number: Int, _ severity: Finding.Severity = .error, at start: Int? = nil,
    id: Finding.ID = "x.y"
  ) -> Finding {
    Finding(id, severity, "\(number)", at: start.map { SourceSpan($0, $0 + 1) })
  }

  @Test(arguments: [1, 2, 3, 7])
  func `what was left out is counted by severity, after any number of merges`(merges: Int) {
    var list = FindingList(keeping: 10)
    for number in 0..<2010 { list.add(finding(number)) }
    for number in 0..<15 { list.add(finding(number, .warning)) }
    list.count(.note, 3)
    var findings = list.sorted()
    for _ in 0..<merges {
      findings = FindingList.merged(findings, [finding(0, .warning)])
      var again = FindingList(keeping: 1)
      again.add(contentsOf: findings)
      #expect(Findings(SourceText([], named: "t"), again.sorted()).count(.error) == 2010)
    }
    let group = Findings(SourceText([], named: "t"), findings)
    #expect(group.count(.error) == 2010)
    #expect(group.count(.warning) == 15 + merges)
    #expect(group.count(.note) == 3)
    #expect(
      findings.suffix(3).map(\.message) == [
        "2000 more errors are not listed; mend the others first",
        "5 more warnings are not listed; mend the others first",
        "3 more notes are not listed; mend the others first",
      ])
  }

  @Test func `people see ten of a kind at one place and a hundred in a text, and the true number`()
  {
    let source = SourceText([UInt8](repeating: 0x61, count: 3000), named: "t")
    let many =
      (0..<40).map { finding($0, at: 7) }
      + (0..<300).map { finding($0, at: 100 + $0, id: "x.z") }
    let all = Findings(source, FindingList.merged(many))
    let shown = all.abridged
    #expect(all.all.count == 340)
    #expect(shown.all.count == 10 + 1 + 100 + 1)
    #expect(shown.all[10].message == "30 more of this kind, 40 in all")
    #expect(shown.all[10].severity == .note)
    #expect(shown.all[10].span == SourceSpan(7, 8))
    #expect(shown.all.last?.message == "200 more of this kind, 300 in all")
    #expect(shown.abridged.all.count <= shown.all.count)
    let few = Findings(source, (0..<10).map { finding($0, at: 7) })
    #expect(few.abridged.all == few.all)
  }

  @Test func `programs get all, and how many one stands for`() {
    var list = FindingList(keeping: 1000)
    for number in 0..<1500 { list.add(finding(number, at: number)) }
    let group = Findings(
      SourceText([UInt8](repeating: 0x61, count: 3000), named: "t"), list.sorted())
    let lines = JSONLinesRenderer().render([group]).split(separator: "\n")
    #expect(lines.count == 1001)
    #expect(lines.last?.contains(#""count":500"#) == true)
    let sarif = SARIFRenderer(tool: "t", version: "1", rules: []).render([group])
    #expect(sarif.contains(#""occurrenceCount": 500"#))
    #expect(GitHubRenderer().render([group]).split(separator: "\n").count == 1001)
  }
}

@Suite struct MessageTests {
  @Test func `a quoted value ends after eighty signs, a path does not`() {
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

  @Test func `whatever is put into words is fit to show, in every part of a finding`() {
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
    let group = [Findings(SourceText(Array("x".utf8), named: name), [finding])]
    for text in [
      LineRenderer().render(group), FrameRenderer(colored: false).render(group),
      GitHubRenderer().render(group),
    ] {
      #expect(text.contains(fit))
      let raw = text.unicodeScalars.filter { $0 != "\n" && ($0.value < 0x20 || $0.value == 0x202E) }
      #expect(raw.isEmpty)
    }
  }

  @Test func `messages are put together from fit parts without cutting them again`() {
    let list = Finding.list((0..<40).map { "name-\($0)" })
    let message: Finding.Message = "there are \(list)" + " and \(7) more"
    #expect(message.text.hasSuffix("'name-38' and 'name-39' and 7 more"))
  }
}
