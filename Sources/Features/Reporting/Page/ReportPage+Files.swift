import BAPackKit
import SourceDiagnostics
import SystemIO
import TerminalText

// Tables of files: duplicates, the largest, uncompressed ones, missing translations, and findings.
extension ReportPage {
  /// The maximum number of rows of a table; the other rows are counted.
  private static let mostRows = 100
  /// The maximum number of named copies of one file.
  private static let mostCopies = 50

  private func more(_ text: String) -> HTML { "<p class=\"more\">\(text)</p>" }

  private func packName(of place: Report.FilePlace) -> String { report.pack(of: place).id.text }

  // MARK: Duplicates

  var duplicateSection: Section? {
    guard !report.duplicates.isEmpty else { return nil }
    let rows = report.duplicates.prefix(Self.mostRows).map { duplicate -> HTML in
      let first = duplicate.copies[0]
      let packs = Set(duplicate.copies.map(\.pack)).count
      let copies = duplicate.copies.prefix(Self.mostCopies).map { copy -> HTML in
        """
        <li><span>\(path(report.path(of: copy)))</span>\
        <span class="quiet name">\(packName(of: copy))</span></li>
        """
      }
      let left = duplicate.copies.count - copies.count
      let rest: HTML = "<li class=\"quiet\">and \(Quantity.grouped(left)) more</li>"
      let places = packs == 1 ? packName(of: first) : "\(packs) packs"
      return """
        <tr><th scope="row">\(path(report.path(of: first)))\
        <details><summary>\(duplicate.copies.count) times in \(places)</summary>\
        <ul class="copies">\(copies)\(rest, if: left > 0)</ul></details></th>\
        <td class="number">\(bytes(duplicate.size))</td>\
        <td class="number">\(bytes(duplicate.cost))</td></tr>
        """
    }
    let rest = report.duplicates.dropFirst(Self.mostRows)
    let cost = rest.reduce(UInt64(0)) { $0.addingSaturated($1.cost) }
    let count = Quantity.count(rest.count, "more file")
    let table = WebFiles.sheet(
      name: "Duplicates",
      head: """
        <tr><th scope="col">File</th><th scope="col" class="number">Size</th>\
        <th scope="col" class="number">Cost</th></tr>
        """,
      rows: "\(rows, separator: "\n")",
      more: rest.isEmpty ? nil : more("\(count), with a total cost of \(bytes(cost))."))
    let hint: HTML = """
      <p class="hint">Files with equal contents. The cost is the size of all copies except the \
      largest. A device never has the packs of two languages, so their copies have no cost.</p>
      """
    return Section("duplicates", "Duplicates", hint + table)
  }

  // MARK: Largest files

  var largestSection: Section? {
    guard !report.largest.isEmpty else { return nil }
    let rows = report.largest.map { place -> HTML in
      let pack = packName(of: place)
      return """
        <tr><th scope="row">\(path(report.path(of: place)))\
        <span class="facts narrow name">\(pack)</span></th>\
        <td class="broad name">\(pack)</td>\
        <td class="number broad">\(bytes(report.size(of: place)))</td>\
        <td class="number">\(bytes(report.stored(of: place)))</td></tr>
        """
    }
    let left = report.totals.files - report.largest.count
    let table = WebFiles.sheet(
      name: "Largest files",
      head: """
        <tr><th scope="col">File</th><th scope="col" class="broad">Pack</th>\
        <th scope="col" class="number broad">Unpacked</th>\
        <th scope="col" class="number">In the pack</th></tr>
        """,
      rows: "\(rows, separator: "\n")",
      more: left > 0
        ? more("The table of all files contains \(Quantity.count(left, "smaller file")).") : nil)
    return Section("largest", "Largest files", table)
  }

  // MARK: Uncompressed files

  var uncompressedSection: Section? {
    guard !report.uncompressed.isEmpty else { return nil }
    let rows = report.uncompressed.prefix(Self.mostRows).map { group -> HTML in
      let suffix = path(AssetPath(unchecked: ("." + group.suffix).utf8))
      return """
        <tr><th scope="row">\(group.suffix.isEmpty ? "no suffix" : suffix)\
        <span class="facts">\(group.reason)</span></th>\
        <td class="number">\(Quantity.grouped(group.files))</td>\
        <td class="number broad">\(bytes(group.size))</td>\
        <td class="number">\(bytes(group.stored))</td></tr>
        """
    }
    let table = WebFiles.sheet(
      name: "Not compressed",
      head: """
        <tr><th scope="col">Files</th><th scope="col" class="number">Count</th>\
        <th scope="col" class="number broad">Unpacked</th>\
        <th scope="col" class="number">In packs</th></tr>
        """,
      rows: "\(rows, separator: "\n")")
    let hint: HTML = """
      <p class="hint">Files that compression hardly makes smaller, and the reason.</p>
      """
    return Section("uncompressed", "Not compressed", hint + table)
  }

  // MARK: Languages

  var languageSection: Section? {
    guard !report.families.isEmpty else { return nil }
    let tables = report.families.map { family -> HTML in
      let heads = family.languages.map { language -> HTML in
        "<th scope=\"col\">\(language.description)</th>"
      }
      let counts = family.counts.map { count -> HTML in
        "<td\(" class=\"lacks\"", if: count < family.files)>\(Quantity.grouped(count))</td>"
      }
      let gaps = family.gaps.prefix(Self.mostRows).map { gap -> HTML in
        let cells = family.languages.indices.map { column -> HTML in
          gap.lacking.contains(column)
            ? "<td class=\"lacks\">missing</td>" : "<td class=\"has\">yes</td>"
        }
        return "<tr><th scope=\"row\">\(path(gap.path))</th>\(cells)</tr>"
      }
      let left = family.gaps.count - gaps.count
      let table = WebFiles.sheet(
        name: "Languages of \(family.name)", attributes: " class=\"matrix\"",
        head: "<tr><th scope=\"col\">File</th>\(heads)</tr>",
        rows: """
          <tr><th scope="row">Files (of \(Quantity.grouped(family.files)))</th>\(counts)</tr>
          \(gaps, separator: "\n")
          """,
        more: family.gaps.isEmpty
          ? more("All languages have all files.")
          : left > 0
            ? more("\(Quantity.count(left, "more file")) missing in some languages.") : nil)
      return "<h3 class=\"name\">\(family.name)</h3>" + table
    }
    let hint: HTML = """
      <p class="hint">Packs that differ only in their language, and the files that some of them \
      lack.</p>
      """
    return Section("languages", "Languages", "\(hint)\(tables)")
  }

  // MARK: Findings

  var findingSection: Section? {
    guard !report.findings.isEmpty else { return nil }
    let items = report.findings.abridged.pages.flatMap { page in
      page.findings.map { finding -> HTML in
        let place = finding.span.map { span -> HTML in
          let position = page.source.position(of: span.start)
          return ":\(position.line):\(position.column)"
        }
        let notes = finding.notes.map { note -> HTML in "<p class=\"quiet\">\(note)</p>" }
        let fixes = finding.fixes.map { fix -> HTML in "<p class=\"quiet\">→ \(fix.message)</p>" }
        let severity = finding.severity.rawValue
        return """
          <li><p><span class="badge \(severity)">\(severity)</span> \(finding.message)</p>\
          \(notes)\(fixes)<p class="quiet"><code>\(finding.id.name)</code> \
          <span class="name">\(page.source.name)\(place)</span></p></li>
          """
      }
    }
    return Section(
      "findings", "Findings",
      """
      <div class="sheet" role="group" aria-label="Findings" tabindex="0">
      <ul class="findings">\(items, separator: "\n")</ul></div>
      """)
  }
}
