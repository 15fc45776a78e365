import BAPackKit
import Foundation
import Reporting
import SourceDiagnostics
import SystemIO
import TestSupport
import Testing

@Suite("Forms of a report")
struct ReportFormatTests {
  // MARK: JSON

  @Test(arguments: UInt64(1)...20)
  func `a report that is read again has the same packs`(seed: UInt64) throws {
    try expectSame(MadePack.seeded(seed).inventory)
  }

  @Test func `names of any bytes are unchanged in JSON`() throws {
    try expectSame(hostilePacks().inventory)
  }

  private func expectSame(_ inventory: Inventory) throws {
    let bytes = ReportJSON(of: Report(inventory)).bytes
    #expect(bytes == ReportJSON(of: Report(inventory)).bytes)
    #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(bytes)) }
    #expect(ReportDocument.begins(bytes))
    let document = ReportDocument(parsing: bytes, named: "report.json")
    #expect(document.findings.isEmpty, "\(document.findings.map(\.message))")
    let read = try #require(document.inventory)
    #expect(read.name == inventory.name)
    #expect(read.packs.map(\.id) == inventory.packs.map(\.id))
    for (pack, former) in zip(read.packs, inventory.packs) {
      #expect(pack.contents == former.contents)
      #expect(pack.policy == former.policy)
      #expect(pack.platforms == former.platforms)
      #expect(pack.language == former.language)
      #expect(pack.downloadSize == former.downloadSize)
      #expect(pack.place == former.place)
    }
    #expect(ReportJSON(of: Report(read)).bytes == bytes)
  }

  @Test(arguments: [
    (#"{"format": "asset-pack-report", "version": ⟦2⟧, "packs": []}"#, "version 1"),
    (#"{"format": ⟦"other"⟧, "version": 1, "packs": []}"#, "asset-pack-report"),
    (#"{"format": "asset-pack-report", "version": 1, "packs": ⟦{}⟧}"#, "array"),
    (#"{"format": "asset-pack-report", "version": 1, "packs": [{"id": ⟦7⟧}]}"#, "id"),
    (#"{"version": 1, "packs": [{"id": "a", "downloadSize": ⟦-1⟧}]}"#, "downloadSize"),
    (#"{"version": 1, "packs": [{"id": "a", "language": ⟦"??"⟧}]}"#, "language"),
    (#"{"version": 1, "packs": [{"id": "a", "files": [⟦{"size": 1}⟧]}]}"#, "path"),
    (#"{"version": 1, "packs": [{"id": "a", "files": [{"path": "x", "sha256": ⟦"12"⟧}]}]}"#, "64"),
    (
      #"{"version": 1, "packs": [{"id": "a", "files": [{"path": "x", "pathBase64": ⟦"?"⟧}]}]}"#,
      "Base64"
    ),
    (#"⟦[]⟧"#, "object"), (#"⟦{"version": 1}⟧"#, "packs"),
  ])
  func `an invalid report is an error at its place`(marked: String, message: String) throws {
    let start = try #require(marked.range(of: "⟦"))
    let text = marked.replacingOccurrences(of: "⟦", with: "").replacingOccurrences(
      of: "⟧", with: "")
    let document = ReportDocument(parsing: Array(text.utf8), named: "report.json")
    #expect(document.inventory == nil)
    let finding = try #require(document.findings.first { $0.severity == .error })
    #expect(finding.message.contains(message), "\(finding.message)")
    #expect(finding.span?.start == marked[..<start.lowerBound].utf8.count)
  }

  // MARK: CSV

  /// Returns the rows of a text according to RFC 4180.
  private func rows(of bytes: [UInt8]) -> [[String]] {
    var rows: [[String]] = []
    var row: [String] = []
    var cell = ""
    var isQuoted = false
    var scalars = Array(String(decoding: bytes, as: UTF8.self).unicodeScalars)[...]
    while let scalar = scalars.popFirst() {
      switch (scalar, isQuoted) {
      case ("\"", true) where scalars.first == "\"":
        cell.unicodeScalars.append("\"")
        scalars.removeFirst()
      case ("\"", _): isQuoted.toggle()
      case (",", false):
        row.append(cell)
        cell = ""
      case ("\n", false):
        rows.append(row + [cell])
        (row, cell) = ([], "")
      case ("\r", false): break
      default: cell.unicodeScalars.append(scalar)
      }
    }
    return rows
  }

  @Test func `no cell is a formula, and each file has a row`() {
    let inventory = hostilePacks().inventory
    let rows = rows(of: ReportCSV(of: Report(inventory)).bytes)
    #expect(rows.count == 1 + inventory.packs.reduce(0) { $0 + ($1.contents?.count ?? 0) })
    #expect(rows.allSatisfy { $0.count == 12 })
    for cell in rows.joined() {
      #expect(!"=+-@\t\r".contains(cell.first ?? "a"), "\(cell)")
    }
    // Programs read exact names: only a formula has a prefix.
    let names = Set(rows.map { $0[4] })
    for name in hostileTexts { #expect(names.contains(name) || names.contains("'" + name)) }
    #expect(names.contains("'=1+1"))
    #expect(names.contains("a,b;c"))
    #expect(names.contains("a/\" onclick=\"x\" x=\""))
  }

  // MARK: Markdown

  @Test func `names are never Markdown, HTML, a mention or a link`() {
    let text = ReportMarkdown(of: Report(hostilePacks().inventory)).text
    // The text between two equal runs of backticks is code.
    var rest = ""
    var spans = 0
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      let (plain, code) = parts(of: line)
      rest += plain + "\n"
      spans += code.count
      for code in code {
        let characters = Array(code.unicodeScalars)
        let bars = characters.indices.filter {
          characters[$0] == "|" && ($0 == 0 || characters[$0 - 1] != "\\")
        }
        #expect(bars == [], "a bar in code ends a cell")
      }
    }
    #expect(spans > 50)
    for token in ["<", ">", "`", "@", "](", "\u{1B}", "\u{2028}", "\u{202E}", "www.", "http://"] {
      #expect(!rest.contains(token), "\(token)")
    }
    #expect(!text.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" })
    // A table has as many bars in each row as in its head.
    var bars = 0
    for row in rest.split(separator: "\n") {
      guard row.hasPrefix("|") else {
        bars = 0
        continue
      }
      let count = row.unicodeScalars.count { $0 == "|" }
      #expect(bars == 0 || count == bars, "\(row)")
      bars = count
    }
  }

  /// Returns the text and the code of a line of Markdown, as GitHub parses it.
  private func parts(of line: Substring) -> (plain: String, code: [String]) {
    var plain = String.UnicodeScalarView()
    var code: [String] = []
    var rest = line.unicodeScalars[...]
    while let start = rest.firstIndex(of: "`") {
      plain += rest[..<start]
      let fence = rest[start...].prefix { $0 == "`" }
      rest = rest[fence.endIndex...]
      var end = rest.startIndex
      while let tick = rest[end...].firstIndex(of: "`") {
        let run = rest[tick...].prefix { $0 == "`" }
        end = run.endIndex
        if run.count == fence.count { break }
      }
      code.append(String(rest[..<end]))
      rest = rest[end...]
    }
    return (String(plain) + String(rest), code)
  }

  @Test func `a comment of any report fits the limit, and reports omitted rows`() {
    var pack = MadePack(id: "large", archive: 9_000_000)
    for number in 0..<3000 {
      let name = "Füße/" + String(repeating: "long|", count: 30) + "\(number).png"
      pack.files.append(
        .init(path: Array(name.utf8), size: 3000, stored: 3000, contents: UInt8(number / 12 % 250)))
    }
    let text = ReportMarkdown(of: Report([pack].inventory)).text
    #expect(text.utf16.count < 65_536)
    #expect(text.contains("omitted"))
  }

  @Test func `a comment names the copies of a file`() {
    var pack = MadePack(id: "a", archive: 4000)
    pack.files = (0..<12).map {
      .init(path: Array("copy-\($0)".utf8), size: 1000, stored: 900, contents: 1)
    }
    let text = ReportMarkdown(of: Report([pack].inventory)).text
    #expect(text.contains("| `a: copy-0`, `a: copy-1`, `a: copy-10`, `a: copy-11`, "))
    #expect(text.contains(" and 2 more | 12 | 1.00 KB | 9.90 KB |"))
  }

  @Test func `a comparison with long names fits a comment`() throws {
    var old = MadePack(id: String(repeating: "i", count: 800), archive: 5_000_000)
    var new = old
    var others: [MadePack] = []
    for number in 0..<60 {
      let name = String(repeating: "|`", count: 400) + "\(number)"
      old.files.append(.init(path: Array((name + "o").utf8), size: 9, stored: 9, contents: 1))
      new.files.append(.init(path: Array((name + "n").utf8), size: 7, stored: 7, contents: 2))
      var other = MadePack(id: name, archive: 1000)
      other.language = ["de", "fr", "ja", "ko"][number % 4]
      others.append(other)
    }
    let comparison = try Comparison(
      from: ([old] + others).inventory, to: [new].inventory, threads: 1, .unstoppable)
    #expect(comparison.breaks.count > 100)
    var budgets = Ledger()
    for _ in 0..<30 {
      budgets.add([
        BudgetUse(of: try Budget(named: "hosted", limit: "1"), by: comparison.new.holdings())
      ])
    }
    let breaks = comparison.breaks
    let verdict = Verdict(
      comparison, breaks: Array(breaks.prefix(50)),
      accepted: breaks.dropFirst(50).map {
        ($0, String(repeating: "#", count: 5000), "2999-01-01")
      },
      budgets: budgets)
    let text = ComparisonMarkdown(verdict).text()
    #expect(text.utf16.count < 65_536)
    #expect(text.contains("and 30 more\n"))
    #expect(text.contains("Devices download whole packs"))
    #expect(
      ReportMarkdown(of: Report(comparison.new, comparison: comparison)).text.utf16.count < 65_536)
  }

  // MARK: CycloneDX

  @Test func `a bill of materials names each file once, with its digest`() throws {
    let inventory = hostilePacks().inventory
    let bytes = try ReportCycloneDX(of: Report(inventory), tool: "ba-package", version: "1").bytes()
    #expect(
      try bytes == ReportCycloneDX(of: Report(inventory), tool: "ba-package", version: "1").bytes())
    let root = try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
    #expect(root["specVersion"] as? String == "1.6")
    let packs = try #require(root["components"] as? [[String: Any]])
    let files = packs.flatMap { $0["components"] as? [[String: Any]] ?? [] }
    #expect(files.count == inventory.packs.reduce(0) { $0 + ($1.contents?.count ?? 0) })
    let references = (packs + files).compactMap { $0["bom-ref"] as? String }
    #expect(Set(references).count == packs.count + files.count)
    #expect(
      files.allSatisfy { ($0["hashes"] as? [[String: String]])?.first?["content"]?.count == 64 })
    #expect(!String(decoding: bytes, as: UTF8.self).contains("timestamp"))
    let serial = try #require(root["serialNumber"] as? String)
    #expect(UUID(uuidString: String(serial.dropFirst("urn:uuid:".count))) != nil)
  }

  @Test
  func
    `a bill of materials has a time only if one was given, and a serial number of its contents`()
    throws
  {
    let packs = MadePack.seeded(4)
    func bill(_ packs: [MadePack], at time: Moment? = nil) throws -> String {
      String(
        decoding: try ReportCycloneDX(
          of: Report(packs.inventory), tool: "t", version: "1", at: time
        )
        .bytes(), as: UTF8.self)
    }
    #expect(try bill(packs, at: Moment(seconds: 0)).contains("1970-01-01T00:00:00Z"))
    var others = packs
    others[0].files.append(.init(path: [0x61], size: 1, stored: 1, contents: 9))
    func number(_ text: String) -> Substring? {
      text.split(separator: "urn:uuid:").last?.prefix(36)
    }
    #expect(try number(bill(packs)) == number(bill(packs, at: Moment(seconds: 0))))
    #expect(try number(bill(packs)) != number(bill(others)))
  }
}
