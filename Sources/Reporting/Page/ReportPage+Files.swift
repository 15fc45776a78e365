import BAPackKit
import SourceDiagnostics
import SystemIO
import TerminalText

// What is said of single files: copies, the largest, what did not shrink, what languages lack, findings.
extension ReportPage {
  /// How many rows a table has before the rest is counted.
  private static let mostRows = 100
  /// How many copies of one file are named.
  private static let mostCopies = 50

  private func sheet(_ name: String, _ table: String, leftOut: String? = nil) -> String {
    """
    <div class="sheet" role="group" aria-label="\(name)" tabindex="0"><table>
    \(table)
    </table>\(leftOut.map { "<p class=\"more\">\($0)</p>" } ?? "")</div>
    """
  }

  private func pack(of place: Report.FilePlace) -> String { text(report.pack(of: place).id.text) }

  // MARK: Duplicates

  var duplicateSection: Section? {
    guard !report.duplicates.isEmpty else { return nil }
    let shown = report.duplicates.prefix(Self.mostRows)
    let rows = shown.map { duplicate in
      let first = duplicate.copies[0]
      let packs = Set(duplicate.copies.map(\.pack)).count
      let copies = duplicate.copies.prefix(Self.mostCopies).map {
        "<li><span>\(path(report.path(of: $0)))</span><span class=\"quiet name\">\(pack(of: $0))</span></li>"
      }
      let more = duplicate.copies.count - copies.count
      let rest = more > 0 ? "<li class=\"quiet\">and \(Quantity.grouped(more)) more</li>" : ""
      let places =
        packs == 1
        ? "\(duplicate.copies.count) times in \(pack(of: first))"
        : "\(duplicate.copies.count) times in \(packs) packs"
      return """
        <tr><th scope="row">\(path(report.path(of: first)))\
        <details><summary>\(places)</summary><ul class="copies">\(copies.joined())\(rest)</ul></details></th>\
        <td class="number">\(bytes(duplicate.size))</td><td class="number">\(bytes(duplicate.cost))</td></tr>
        """
    }
    let rest = report.duplicates.dropFirst(Self.mostRows)
    let restCost = rest.reduce(UInt64(0)) { $0.addingSaturated($1.cost) }
    return Section(
      "duplicates", "Duplicates",
      """
      <p class="hint">Files with equal contents. Each costs what all of its copies but the largest take; copies in packs \
      of different languages are never on one device together.</p>
      """
        + sheet(
          "Duplicates",
          """
          <thead><tr><th scope="col">File</th><th scope="col" class="number">Size</th>\
          <th scope="col" class="number">Costs</th></tr></thead>
          <tbody>\(rows.joined(separator: "\n"))</tbody>
          """,
          leftOut: rest.isEmpty
            ? nil
            : "\(Quantity.count(rest.count, "more file")), which cost \(bytes(restCost)) together."
        ))
  }

  // MARK: The largest

  var largestSection: Section? {
    guard !report.largest.isEmpty else { return nil }
    let rows = report.largest.map { place in
      let stored = report.stored(of: place)
      return """
        <tr><th scope="row">\(path(report.path(of: place)))<span class="facts narrow name">\(pack(of: place))</span></th>\
        <td class="broad name">\(pack(of: place))</td><td class="number broad">\(bytes(report.size(of: place)))</td>\
        <td class="number">\(stored.map { bytes($0) } ?? "–")</td></tr>
        """
    }
    let left = report.totals.files - report.largest.count
    return Section(
      "largest", "Largest files",
      sheet(
        "Largest files",
        """
        <thead><tr><th scope="col">File</th><th scope="col" class="broad">Pack</th>\
        <th scope="col" class="number broad">Unpacked</th><th scope="col" class="number">In the pack</th></tr></thead>
        <tbody>\(rows.joined(separator: "\n"))</tbody>
        """,
        leftOut: left > 0
          ? "\(Quantity.count(left, "smaller file")) in the table of all files." : nil))
  }

  // MARK: What did not shrink

  var uncompressedSection: Section? {
    guard !report.uncompressed.isEmpty else { return nil }
    let rows = report.uncompressed.prefix(Self.mostRows).map { group in
      """
      <tr><th scope="row">\(group.suffix.isEmpty ? "no suffix" : path(("." + group.suffix).utf8))\
      <span class="facts">\(inMarkup(group.reason))</span></th>\
      <td class="number">\(Quantity.grouped(group.files))</td><td class="number broad">\(bytes(group.size))</td>\
      <td class="number">\(bytes(group.stored))</td></tr>
      """
    }
    return Section(
      "uncompressed", "Not compressed",
      "<p class=\"hint\">Files of which packs hold nearly as many bytes as a disk does, and why.</p>"
        + sheet(
          "Not compressed",
          """
          <thead><tr><th scope="col">Files</th><th scope="col" class="number">How many</th>\
          <th scope="col" class="number broad">Unpacked</th><th scope="col" class="number">In packs</th></tr></thead>
          <tbody>\(rows.joined(separator: "\n"))</tbody>
          """))
  }

  // MARK: Languages

  var languageSection: Section? {
    guard !report.families.isEmpty else { return nil }
    let html = report.families.map { family in
      let heads = family.languages.map { "<th scope=\"col\">\($0.description)</th>" }
      let counts = zip(family.languages, family.counts).map { _, count in
        "<td\(count < family.files ? " class=\"lacks\"" : "")>\(Quantity.grouped(count))</td>"
      }
      let gaps = family.gaps.prefix(Self.mostRows).map { gap in
        let cells = family.languages.indices.map { column in
          gap.lacking.contains(column)
            ? "<td class=\"lacks\">lacks</td>" : "<td class=\"has\">has</td>"
        }
        return "<tr><th scope=\"row\">\(path(gap.path))</th>\(cells.joined())</tr>"
      }
      let more = family.gaps.count - gaps.count
      return "<h3 class=\"name\">\(text(family.name))</h3>"
        + sheet(
          "Languages of \(text(family.name))",
          """
          <thead class="matrix"><tr><th scope="col">File</th>\(heads.joined())</tr></thead>
          <tbody class="matrix"><tr><th scope="row">Files, of \(Quantity.grouped(family.files))</th>\(counts.joined())</tr>
          \(gaps.joined(separator: "\n"))</tbody>
          """,
          leftOut: family.gaps.isEmpty
            ? "Every language has every file."
            : more > 0 ? "\(Quantity.count(more, "more file")) that a language lacks." : nil)
    }
    return Section(
      "languages", "Languages",
      "<p class=\"hint\">Packs that differ by their language alone, and the files that not all of them have.</p>"
        + html.joined(separator: "\n"))
  }

  // MARK: Findings

  var findingSection: Section? {
    guard !report.findings.isEmpty else { return nil }
    let items = report.findings.abridged.pages.flatMap { page in
      page.findings.map { finding in
        let place = finding.span.map { span in
          let position = page.source.position(of: span.start)
          return "\(text(page.source.name)):\(position.line):\(position.column)"
        }
        let notes = finding.notes.map { "<p class=\"quiet\">\(text($0))</p>" }
        let fixes = finding.fixes.map { "<p class=\"quiet\">→ \(text($0.message))</p>" }
        return """
          <li><p><span class="badge \(finding.severity.rawValue)">\(finding.severity.rawValue)</span> \
          \(text(finding.message))</p>\(notes.joined())\(fixes.joined())\
          <p class="quiet"><code>\(text(finding.id.name))</code> \
          <span class="name">\(place ?? text(page.source.name))</span></p></li>
          """
      }
    }
    return Section(
      "findings", "Findings",
      "<div class=\"sheet\" role=\"group\" aria-label=\"Findings\" tabindex=\"0\"><ul class=\"findings\">\(items.joined(separator: "\n"))</ul></div>"
    )
  }
}
