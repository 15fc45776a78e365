import BAPackKit
import SourceDiagnostics
import SystemIO
import TerminalText

/// The report as a comment on a pull request takes it: tables, the largest first, with fewer signs than such a
/// comment may have.
package struct ReportMarkdown {
  /// How many signs a comment on GitHub may have.
  package static let mostSigns = 65_536
  /// How many rows a table has at most, however much room there is.
  private static let mostRows = 200

  private let report: Report

  /// Prepares a report.
  package init(of report: Report) { self.report = report }

  /// The text; equal reports have equal bytes.
  package var text: String {
    var page = Page(room: Self.mostSigns - 512)
    page.add("## Asset packs: \(codeInMarkdown(report.inventory.name))\n\n")
    page.add(totals)
    page.add(
      "Downloads",
      ["platforms", "language", ">before launch", ">background", ">on demand"]
        + (report.costs.contains { $0.wholeUpdate != nil } ? [">update"] : []),
      report.costs.lazy.map(row))
    page.add("Findings", ["", "finding", "place"], findings.lazy.map(row))
    page.add(
      "Packs", ["pack", "policy", "language", ">files", ">unpacked", ">download"],
      report.inventory.packs.sorted { ($1.weight, $0.id) < ($0.weight, $1.id) }.lazy.map(row))
    page.add(
      "Duplicates", ["file", ">copies", ">size", ">costs"], report.duplicates.lazy.map(row))
    page.add(
      "Not compressed", ["files", ">how many", ">in packs", "why"],
      report.uncompressed.lazy.map(row))
    for family in report.families where !family.gaps.isEmpty {
      page.add(
        "Languages of \(codeInMarkdown(family.name))", ["file", "lacking"],
        family.gaps.lazy.map { gap in
          [
            codeInMarkdown(shownBytes(gap.path)),
            gap.lacking.map { family.languages[$0].description }.joined(separator: ", "),
          ]
        })
    }
    page.add(
      "Largest files", ["file", "pack", ">unpacked", ">in the pack"], report.largest.lazy.map(row))
    return page.text
  }

  // MARK: The page and its room

  private struct Page {
    private(set) var text = ""
    /// How many signs there is room for: what counts is what GitHub counts, so UTF-16 is on the safe side.
    private var room: Int

    init(room: Int) { self.room = room }

    mutating func add(_ words: String) {
      text += words
      room -= words.utf16.count
    }

    /// A table, as far as there is room for it, and how many rows were left out.
    ///
    /// A heading that begins with `>` is that of a column of numbers.
    mutating func add(_ title: String, _ heads: [String], _ rows: some Collection<[String]>) {
      guard !rows.isEmpty else { return }
      let names = heads.map { $0.first == ">" ? String($0.dropFirst()) : $0 }
      let rules = heads.map { $0.first == ">" ? "--:" : ":--" }
      let head =
        "### \(title)\n\n| \(names.joined(separator: " | ")) |\n| \(rules.joined(separator: " | ")) |\n"
      guard room > head.utf16.count + 200 else {
        if room > 120 { add("\n\(title): left out, there is no room.\n") }
        return
      }
      add(head)
      // Each table leaves room for the next ones.
      let most = room * 2 / 3
      var used = 0
      var count = 0
      for row in rows {
        let line = "| \(row.joined(separator: " | ")) |\n"
        used += line.utf16.count
        if used > most || count == ReportMarkdown.mostRows { break }
        add(line)
        count += 1
      }
      let left = rows.count - count
      add(left > 0 ? "\n\(Quantity.count(left, "more row")) left out.\n\n" : "\n")
    }
  }

  // MARK: Rows

  private var totals: String {
    let totals = report.totals
    var words: [String] = []
    if let hosted = totals.hosted { words.append("hosted **\(Quantity.bytes(hosted))**") }
    words.append("first launch **\(Quantity.bytes(report.cost(totals.firstLaunch)))**")
    if let update = report.costs.compactMap(\.wholeUpdate).max() {
      words.append("update **\(Quantity.bytes(update))**")
    }
    if let unpacked = totals.unpacked { words.append("unpacked \(Quantity.bytes(unpacked))") }
    words.append(
      "\(Quantity.count(totals.files, "file")) in \(Quantity.count(totals.packs, "pack"))")
    if totals.duplicates > 0 {
      words.append("duplicates cost \(Quantity.bytes(totals.duplicates))")
    }
    return words.joined(separator: ", ") + "\n\n"
  }

  private func row(_ cost: DeviceCost) -> [String] {
    let sizes = [cost.beforeLaunch, cost.inBackground, cost.onRequest].map {
      Quantity.bytes(report.cost($0))
    }
    return [cost.platformWords, cost.language?.description ?? "others"] + sizes
      + (cost.wholeUpdate.map { [Quantity.bytes($0)] } ?? [])
  }

  private func row(_ pack: InventoryPack) -> [String] {
    [
      codeInMarkdown(pack.id.text), pack.policy?.name ?? "", pack.language?.description ?? "",
      pack.contents.map { Quantity.grouped($0.count) } ?? "",
      pack.unpackedSize.map { Quantity.bytes($0) } ?? "",
      pack.downloadSize.map { Quantity.bytes($0) } ?? "",
    ]
  }

  private func row(_ duplicate: Duplicate) -> [String] {
    [
      name(of: duplicate.copies[0]), "\(duplicate.copies.count)", Quantity.bytes(duplicate.size),
      Quantity.bytes(duplicate.cost),
    ]
  }

  private func row(_ files: UncompressedFiles) -> [String] {
    [
      files.suffix.isEmpty ? "no suffix" : codeInMarkdown("." + files.suffix),
      Quantity.grouped(files.files), Quantity.bytes(files.stored), files.reason,
    ]
  }

  private func row(_ place: Report.FilePlace) -> [String] {
    [
      codeInMarkdown(shownBytes(report.path(of: place))),
      codeInMarkdown(report.pack(of: place).id.text),
      Quantity.bytes(report.size(of: place)),
      report.stored(of: place).map { Quantity.bytes($0) } ?? "",
    ]
  }

  private func name(of place: Report.FilePlace) -> String {
    codeInMarkdown("\(report.pack(of: place).id.text): \(shownBytes(report.path(of: place)))")
  }

  /// What was found, errors first.
  private var findings: [(severity: Finding.Severity, row: [String])] {
    report.findings.abridged.pages.flatMap { page in
      page.findings.map { finding in
        let line = finding.span.map { ":\(page.source.position(of: $0.start).line)" } ?? ""
        return (
          finding.severity,
          [
            finding.severity.rawValue, inMarkdown(finding.message),
            codeInMarkdown(page.source.name + line),
          ]
        )
      }
    }.sorted { $0.0 > $1.0 }
  }

  private func row(_ finding: (severity: Finding.Severity, row: [String])) -> [String] {
    finding.row
  }
}

extension InventoryPack {
  /// What a pack weighs in the order of all.
  fileprivate var weight: UInt64 { downloadSize ?? unpackedSize ?? 0 }
}
