import BAPackKit
import BlockCodecs
import FoundationEssentials
import SourceDiagnostics
package import SystemIO
import TerminalText

/// The report as one HTML file that loads nothing: a treemap of every byte, and tables of costs.
///
/// Tables and numbers are in the text, for browsers without scripts, printers and search. The
/// script adds the treemap and the table of all files.
package struct ReportPage {
  let report: Report
  /// Who made the page: a program and its version.
  let maker: String

  /// Describes the page of a report.
  package init(of report: Report, madeBy maker: String) {
    self.report = report
    self.maker = maker
  }

  /// The page; equal reports have equal bytes.
  package func html() throws(Failure) -> [UInt8] {
    // The browser refuses all other scripts and styles, and everything outside this file.
    let style = try Self.source(of: WebFiles.reportStyle)
    let script = try Self.source(of: WebFiles.reportScript)
    let policy: HTML = """
      default-src 'none'; img-src data:; style-src '\(style)'; script-src '\(script)'; \
      base-uri 'none'; form-action 'none'
      """
    let sections = [
      changeSection, mapSection, costSection, packSection, languageSection, duplicateSection,
      largestSection, uncompressedSection, findingSection, historySection, fileSection,
    ].compactMap(\.self)
    return WebFiles.report(
      policy: policy, maker: "\(maker)", name: "\(report.inventory.name)",
      links: "\(sections.map(\.link))", totals: totals,
      sections: "\(sections.map(\.html), separator: "\n")", footnote: footnote,
      data: HTML(scriptData: PageData(of: report).json)
    ).bytes
  }

  /// How a policy names a text in the page: by its digest.
  private static func source(of html: HTML) throws(Failure) -> String {
    "sha256-" + Data(try sha256(of: html.bytes)).base64EncodedString()
  }

  private var footnote: HTML {
    report.knowsDownloads
      ? """
      Downloads are the sizes of archives; where files share a block of an archive, it is divided \
      among them by their sizes.
      """
      : "Not every pack is made yet: sizes are those of files, not of downloads."
  }

  /// A part of the page that the contents lead to.
  struct Section {
    let link: HTML
    let html: HTML

    /// Makes a section; `isScripted` says that it is shown only if scripts run.
    init(_ id: HTML, _ title: HTML, isScripted: Bool = false, _ content: HTML) {
      let attributes: HTML = isScripted ? " class=\"scripted\" hidden" : ""
      link = "<li\(attributes)><a href=\"#\(id)\">\(title)</a></li>"
      html = WebFiles.section(id: id, attributes: attributes, title: title, content: content)
    }
  }

  // MARK: Words

  func path(_ path: AssetPath) -> HTML { "<span class=\"path\">\(path.shown)</span>" }

  func name(_ id: some StringProtocol) -> HTML { "<span class=\"name\">\(id)</span>" }

  /// A size; a dash for one that is not known.
  func bytes(_ count: UInt64?) -> String { count.map { Quantity.bytes($0) } ?? "–" }

  func percent(_ part: UInt64, of whole: UInt64) -> String {
    guard whole > 0 else { return "" }
    let permille = (Double(part) / Double(whole) * 1000).rounded()
    return permille < 100 && permille > 0
      ? "\(Int(permille) / 10).\(Int(permille) % 10) %" : "\(Int((permille / 10).rounded())) %"
  }

  // MARK: Totals

  private var totals: HTML {
    let totals = report.totals
    var parts: [HTML] = []
    func add(_ name: HTML, _ value: String, _ note: String) {
      parts.append("<div><dt>\(name)</dt><dd>\(value)</dd><dd class=\"note\">\(note)</dd></div>")
    }
    if let hosted = totals.hosted {
      let saved = totals.unpacked.flatMap { $0 > hosted ? $0 - hosted : nil }
      let note = saved.map { saved in
        "compression saves \(bytes(saved)), \(percent(saved, of: totals.unpacked ?? 0))"
      }
      add("Hosted", bytes(hosted), note ?? "all archives together")
    }
    if report.inventory.offered.count == report.inventory.packs.count {
      add("First launch", bytes(report.cost(totals.firstLaunch)), "before the app opens, at most")
      add("One device", bytes(report.cost(totals.device)), "has at most")
    }
    if let update = report.costs.compactMap(\.wholeUpdate).max() {
      let prompt = report.costs.compactMap(\.update).max() ?? 0
      add("Update", bytes(update), "at most; \(bytes(prompt)) come by themselves")
    }
    if let unpacked = totals.unpacked { add("Unpacked", bytes(unpacked), "on a disk") }
    add("Files", Quantity.grouped(totals.files), "in \(Quantity.count(totals.packs, "pack"))")
    if totals.duplicates > 0 {
      let count = Quantity.count(report.duplicates.count, "file")
      add("Duplicates", bytes(totals.duplicates), "\(count) more than once")
    }
    let errors = report.findings.count(.error)
    let warnings = report.findings.count(.warning)
    if errors + warnings > 0 {
      add("Findings", Quantity.count(errors, "error"), Quantity.count(warnings, "warning"))
    }
    return "\(parts)"
  }
}
