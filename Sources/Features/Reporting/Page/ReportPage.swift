import BAPackKit
import BlockCodecs
import FoundationEssentials
import SourceDiagnostics
package import SystemIO
import TerminalText

/// The report as one HTML file without external resources: a treemap of every byte, and tables of
/// costs.
///
/// Tables and numbers are in the text, for browsers without scripts, printers and search. The
/// script adds the treemap and the table of all files.
package struct ReportPage {
  let report: Report
  /// The name and version of the program that creates the page.
  let maker: String

  package init(of report: Report, madeBy maker: String) {
    self.report = report
    self.maker = maker
  }

  /// Returns the page; equal reports have equal bytes.
  package func html() throws(Failure) -> [UInt8] {
    // The browser blocks all other scripts and styles, and all resources outside this file.
    let style = try Self.source(of: WebFiles.reportStyle)
    let script = try Self.source(of: WebFiles.reportScript)
    let policy: HTML = """
      default-src 'none'; img-src data:; style-src '\(style)'; script-src '\(script)'; \
      base-uri 'none'; form-action 'none'
      """
    let sections = [
      changeSection, mapSection, costSection, updateSection, packSection, languageSection,
      duplicateSection, largestSection, uncompressedSection, findingSection, historySection,
      fileSection,
    ].compactMap(\.self)
    return WebFiles.report(
      policy: policy, maker: "\(maker)", name: "\(report.inventory.name)",
      links: "\(sections.map(\.link))", totals: totals,
      sections: "\(sections.map(\.html), separator: "\n")", footnote: footnote,
      data: HTML(scriptData: PageData(of: report).json)
    ).bytes
  }

  /// Returns the identifier of a text in a content security policy, which is its digest.
  private static func source(of html: HTML) throws(Failure) -> String {
    "sha256-" + Data(try sha256(of: html.bytes)).base64EncodedString()
  }

  private var footnote: HTML {
    report.hasDownloadSizes
      ? """
      Download sizes are archive sizes. If files share a block of an archive, its bytes are \
      divided among them by their sizes.
      """
      : "Some packs are not packed yet, so sizes are those of files, not of downloads."
  }

  /// A section of the page with a link in the table of contents.
  struct Section {
    let link: HTML
    let html: HTML

    /// Creates a section; `isScripted` hides it if scripts do not run.
    init(_ id: HTML, _ title: HTML, isScripted: Bool = false, _ content: HTML) {
      let attributes: HTML = isScripted ? " class=\"scripted\" hidden" : ""
      link = "<li\(attributes)><a href=\"#\(id)\">\(title)</a></li>"
      html = WebFiles.section(id: id, attributes: attributes, title: title, content: content)
    }
  }

  // MARK: Texts

  func path(_ path: AssetPath) -> HTML { "<span class=\"path\">\(path.shown)</span>" }

  func name(_ id: some StringProtocol) -> HTML { "<span class=\"name\">\(id)</span>" }

  /// Returns a size, or a dash for an unknown size.
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
      add("Hosted", bytes(hosted), note ?? "total size of all archives")
    }
    if report.inventory.offered.count == report.inventory.packs.count {
      add("First launch", bytes(report.cost(totals.firstLaunch)), "maximum before the app opens")
      add("One device", bytes(report.cost(totals.device)), "maximum with all packs")
    }
    if let update = report.costs.compactMap(\.wholeUpdate).max() {
      let prompt = report.costs.compactMap(\.update).max() ?? 0
      add("Update", bytes(update), "maximum; \(bytes(prompt)) automatic")
    }
    if let unpacked = totals.unpacked { add("Unpacked", bytes(unpacked), "size of all files") }
    add("Files", Quantity.grouped(totals.files), "in \(Quantity.count(totals.packs, "pack"))")
    if totals.duplicates > 0 {
      let count = Quantity.count(report.duplicates.count, "file")
      add("Duplicates", bytes(totals.duplicates), "\(count) with copies")
    }
    let errors = report.findings.count(.error)
    let warnings = report.findings.count(.warning)
    if errors + warnings > 0 {
      add("Findings", Quantity.count(errors, "error"), Quantity.count(warnings, "warning"))
    }
    return "\(parts)"
  }
}
