import BlockCodecs
import FoundationEssentials
import SourceDiagnostics
package import SystemIO
import TerminalText

/// The report as one HTML file that loads nothing: a picture of every byte, and tables of what it costs.
///
/// Tables and numbers stand in the text, for browsers without scripts, printers and search. The script adds
/// what moves: the treemap, and the table of all files.
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
    // The browser refuses every script and style but these two, and everything that is not in this file.
    let policy = """
      default-src 'none'; img-src data:; style-src '\(try Self.source(of: Self.style))'; \
      script-src '\(try Self.source(of: Self.script))'; base-uri 'none'; form-action 'none'
      """
    var page = Array(
      """
      <!doctype html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta http-equiv="Content-Security-Policy" content="\(policy)">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <meta name="generator" content="\(inMarkup(maker))">
      <meta name="referrer" content="no-referrer">
      <title>\(text(report.inventory.name)): asset packs</title>
      <link rel="icon" href="\(Self.icon)">
      <style>\(Self.style)</style>
      </head>
      \(body)
      <script type="application/json" id="data">
      """.utf8)
    page += PageData(of: report).json
    page += Array(
      """
      </script>
      <script>\(Self.script)</script>
      </body>
      </html>

      """.utf8)
    return page
  }

  /// How a policy names a text in the page: by its digest.
  static func source(of text: String) throws(Failure) -> String {
    "sha256-" + Data(try sha256(of: Array(text.utf8))).base64EncodedString()
  }

  private static let icon =
    "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E"
    + "%3Crect width='9' height='9' fill='%233056d3'/%3E%3Crect x='10' width='6' height='9' fill='%238db4ee'/%3E"
    + "%3Crect y='10' width='6' height='6' fill='%23f0b077'/%3E%3Crect x='7' y='10' width='9' height='6' fill='%238ecfa3'/%3E"
    + "%3C/svg%3E"

  private var body: String {
    let sections = [
      changeSection, mapSection, costSection, packSection, languageSection, duplicateSection,
      largestSection, uncompressedSection, findingSection, historySection, Self.fileSection,
    ].compactMap(\.self)
    let links = sections.map {
      "<li\($0.isScripted ? " class=\"scripted\" hidden" : "")><a href=\"#\($0.id)\">\($0.title)</a></li>"
    }
    return """
      <body>
      <a class="skip" href="#main">Skip to the report</a>
      <header>
      <div><p class="kind">Asset packs</p><h1>\(text(report.inventory.name))</h1></div>
      <div id="theme" class="choice scripted" role="group" aria-label="Colours" hidden>\
      <button type="button" value="auto">Auto</button><button type="button" value="light">Light</button>\
      <button type="button" value="dark">Dark</button></div>
      </header>
      <div class="bar"><nav class="contents" aria-label="Sections"><ul>\(links.joined())</ul></nav></div>
      <main id="main" tabindex="-1">
      \(totals)
      <noscript><p class="hint">The treemap and the table of all files need scripts; everything else is here.</p></noscript>
      \(sections.map(\.html).joined(separator: "\n"))
      </main>
      <footer><p>Made by \(inMarkup(maker)). Sizes count powers of 1000. \(footnote)</p></footer>
      <p id="announcement" class="unseen" role="status"></p>
      """
  }

  private var footnote: String {
    report.knowsDownloads
      ? "Downloads are the sizes of archives; where files share a block of an archive, it is divided among them by their sizes."
      : "Not every pack is made yet: sizes are those of files, not of downloads."
  }

  /// A part of the page that the contents lead to.
  struct Section {
    let id: String
    let title: String
    let html: String
    /// Whether it is there only where scripts run.
    var isScripted = false

    init(_ id: String, _ title: String, isScripted: Bool = false, _ html: String) {
      self.id = id
      self.title = title
      self.isScripted = isScripted
      self.html = """
        <section id="\(id)" aria-labelledby="\(id)-title"\(isScripted ? " class=\"scripted\" hidden" : "")>
        <h2 id="\(id)-title">\(title)</h2>
        \(html)
        </section>
        """
    }
  }

  // MARK: Words

  /// A name from outside, between tags or in an attribute.
  func text(_ name: some StringProtocol) -> String { inMarkup(shown(name)) }

  func path(_ bytes: some Sequence<UInt8>) -> String {
    "<span class=\"path\">\(inMarkup(shown(bytes: Array(bytes))))</span>"
  }

  func bytes(_ count: UInt64) -> String { Quantity.bytes(count) }

  func bytes(_ count: UInt64?) -> String { count.map { Quantity.bytes($0) } ?? "not known" }

  func percent(_ part: UInt64, of whole: UInt64) -> String {
    guard whole > 0 else { return "" }
    let permille = (Double(part) / Double(whole) * 1000).rounded()
    return permille < 100 && permille > 0
      ? "\(Int(permille) / 10).\(Int(permille) % 10) %" : "\(Int((permille / 10).rounded())) %"
  }

  // MARK: Totals

  private var totals: String {
    let totals = report.totals
    var parts: [(name: String, value: String, note: String)] = []
    if let hosted = totals.hosted {
      let saved = totals.unpacked.flatMap { $0 > hosted ? $0 - hosted : nil }
      let note = saved.map { saved in
        "compression saves \(bytes(saved)), \(percent(saved, of: totals.unpacked ?? 0))"
      }
      parts.append(("Hosted", bytes(hosted), note ?? "all archives together"))
    }
    if report.inventory.offered.count == report.inventory.packs.count {
      parts.append(
        ("First launch", bytes(report.cost(totals.firstLaunch)), "before the app opens, at most"))
      parts.append(("One device", bytes(report.cost(totals.device)), "has at most"))
    }
    if let update = report.costs.compactMap(\.wholeUpdate).max() {
      let prompt = report.costs.compactMap(\.update).max() ?? 0
      parts.append(("Update", bytes(update), "at most; \(bytes(prompt)) come by themselves"))
    }
    if let unpacked = totals.unpacked { parts.append(("Unpacked", bytes(unpacked), "on a disk")) }
    parts.append(
      (
        "Files", Quantity.grouped(totals.files), "in \(Quantity.count(totals.packs, "pack"))"
      ))
    if totals.duplicates > 0 {
      parts.append(
        (
          "Duplicates", bytes(totals.duplicates),
          Quantity.count(report.duplicates.count, "file") + " more than once"
        ))
    }
    let errors = report.findings.count(.error)
    let warnings = report.findings.count(.warning)
    if errors + warnings > 0 {
      parts.append(
        ("Findings", Quantity.count(errors, "error"), Quantity.count(warnings, "warning")))
    }
    let rows = parts.map { part in
      "<div><dt>\(part.name)</dt><dd>\(part.value)</dd><dd class=\"note\">\(part.note)</dd></div>"
    }
    return "<dl class=\"totals\" aria-label=\"Totals\">\(rows.joined())</dl>"
  }
}
