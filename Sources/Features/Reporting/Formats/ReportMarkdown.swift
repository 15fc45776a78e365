import BAPackKit
import SourceDiagnostics
import SystemIO
import TerminalText

/// The report as a Markdown comment on a pull request: tables with the largest values first, within
/// the size limit of such a comment.
package struct ReportMarkdown {
  /// The maximum number of named copies of a file.
  private static let mostCopies = 10

  private let report: Report

  /// Creates the document of a report.
  package init(of report: Report) { self.report = report }

  /// The document; equal reports have equal bytes.
  package var text: String {
    var page = MarkdownPage(room: MarkdownPage.longest)
    page.add("## Asset packs: \(MarkdownPage.code(report.inventory.name))\n\n")
    page.add(totals)
    for hint in report.hints {
      page.add("Hint: \(hint.phrase(naming: MarkdownPage.code)).\n\n")
    }
    page.add(
      "Downloads",
      ["platforms", "language", ">before launch", ">background", ">on demand"]
        + (report.costs.contains { $0.wholeUpdate != nil } ? [">update"] : []),
      DeviceCost.groups(of: report.costs + report.olderSystemCosts, by: sizes).lazy.map(row))
    page.add("Findings", ["", "finding", "place"], findings.lazy.map(row))
    page.add(
      "Packs", ["pack", "policy", "language", ">files", ">unpacked", ">download"],
      report.inventory.packs.sorted { ($1.weight, $0.id) < ($0.weight, $1.id) }.lazy.map(row))
    addUpdates(to: &page)
    page.add(
      "Duplicates", ["copies", ">count", ">size", ">cost"], report.duplicates.lazy.map(row))
    page.add(
      "Not compressed", ["files", ">count", ">in packs", "reason"],
      report.uncompressed.lazy.map(row))
    for family in report.families where !family.gaps.isEmpty {
      page.add(
        "Languages of \(MarkdownPage.code(family.name))", ["file", "missing in"],
        family.gaps.lazy.map { gap in
          [
            MarkdownPage.code(gap.path.shown),
            gap.lacking.map { family.languages[$0].description }.joined(separator: ", "),
          ]
        })
    }
    page.add(
      "Largest files", ["file", "pack", ">unpacked", ">in the pack"], report.largest.lazy.map(row))
    return page.text
  }

  private func addUpdates(to page: inout MarkdownPage) {
    guard let updates = report.updates else { return }
    if let line = updates.summary { page.add("\(line)\n\n") }
    page.add(
      "Updates", ["pack", ">changed", ">size", ">downloaded", ">changed bytes", ">ratio"],
      updates.packs.lazy.map { pack -> [String] in
        [
          MarkdownPage.code(pack.id.text), "\(pack.changes) of \(updates.updates.count)",
          Quantity.bytes(pack.size), Quantity.bytes(pack.bytes.downloaded),
          Quantity.bytes(pack.bytes.changed), pack.bytes.ratioText,
        ]
      })
    page.add(
      "Updates by release", ["release", ">downloaded", ">changed bytes", ">ratio"],
      updates.updates.lazy.map { update -> [String] in
        let bytes = update.sum
        return [
          MarkdownPage.code(update.new), Quantity.bytes(bytes.downloaded),
          Quantity.bytes(bytes.changed), bytes.ratioText,
        ]
      })
  }

  // MARK: Rows

  private var totals: String {
    let totals = report.totals
    var parts: [String] = []
    if let hosted = totals.hosted { parts.append("hosted **\(Quantity.bytes(hosted))**") }
    parts.append("first launch **\(Quantity.bytes(report.cost(totals.firstLaunch)))**")
    if let update = report.costs.compactMap(\.wholeUpdate).max() {
      parts.append("update **\(Quantity.bytes(update))**")
    }
    if let unpacked = totals.unpacked { parts.append("unpacked \(Quantity.bytes(unpacked))") }
    parts.append(
      "\(Quantity.count(totals.files, "file")) in \(Quantity.count(totals.packs, "pack"))")
    if totals.duplicates > 0 {
      parts.append("duplicates cost \(Quantity.bytes(totals.duplicates))")
    }
    return parts.joined(separator: ", ") + "\n\n"
  }

  private func sizes(_ cost: DeviceCost) -> [String] {
    [cost.beforeLaunch, cost.inBackground, cost.onRequest].map { Quantity.bytes(report.cost($0)) }
      + (cost.wholeUpdate.map { [Quantity.bytes($0)] } ?? [])
  }

  private func row(_ group: DeviceCost.Group) -> [String] {
    let languages =
      !group.cost.knowsLocalizedPacks
      ? DeviceCost.olderSystems
      : group.isEveryLanguage
        ? "all" : group.languages.map { $0 ?? "others" }.joined(separator: ", ")
    return [group.cost.platformText, languages] + sizes(group.cost)
  }

  private func row(_ pack: InventoryPack) -> [String] {
    [
      MarkdownPage.code(pack.id.text), pack.policy?.name ?? "", pack.language?.description ?? "",
      pack.contents.map { Quantity.grouped($0.count) } ?? "",
      pack.unpackedSize.map { Quantity.bytes($0) } ?? "",
      pack.downloadSize.map { Quantity.bytes($0) } ?? "",
    ]
  }

  private func row(_ duplicate: Duplicate) -> [String] {
    [
      names(of: duplicate.copies), "\(duplicate.copies.count)", Quantity.bytes(duplicate.size),
      Quantity.bytes(duplicate.cost),
    ]
  }

  private func names(of copies: [Report.FilePlace]) -> String {
    let named = copies.prefix(Self.mostCopies).map(name)
    let rest = copies.count - named.count
    return named.joined(separator: ", ") + (rest > 0 ? " and \(Quantity.grouped(rest)) more" : "")
  }

  private func row(_ files: UncompressedFiles) -> [String] {
    [
      files.suffix.isEmpty ? "no suffix" : MarkdownPage.code("." + files.suffix),
      Quantity.grouped(files.files), Quantity.bytes(files.stored), files.reason,
    ]
  }

  private func row(_ place: Report.FilePlace) -> [String] {
    [
      MarkdownPage.code(report.path(of: place).shown),
      MarkdownPage.code(report.pack(of: place).id.text),
      Quantity.bytes(report.size(of: place)),
      report.stored(of: place).map { Quantity.bytes($0) } ?? "",
    ]
  }

  private func name(of place: Report.FilePlace) -> String {
    MarkdownPage.code("\(report.pack(of: place).id.text): \(report.path(of: place).shown)")
  }

  /// The findings, errors first.
  private var findings: [(severity: Finding.Severity, row: [String])] {
    report.findings.abridged.pages.flatMap { page in
      page.findings.map { finding in
        let line = finding.span.map { ":\(page.source.position(of: $0.start).line)" } ?? ""
        return (
          finding.severity,
          [
            finding.severity.rawValue, MarkdownPage.phrase(finding.message),
            MarkdownPage.code(page.source.name + line),
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
  /// The weight of a pack in the order of packs.
  fileprivate var weight: UInt64 { downloadSize ?? unpackedSize ?? 0 }
}
