import BAPackKit
import SourceDiagnostics
import SystemIO
import TerminalText

/// A comparison as a Markdown comment on a pull request.
///
/// Names are escaped.
package struct ComparisonMarkdown {
  /// The maximum number of rows of the table of devices.
  private static let mostPlayers = 60
  /// The maximum number of listed breaks and of listed findings.
  private static let mostLines = 20
  private let verdict: Verdict
  private var comparison: Comparison { verdict.comparison }

  /// Creates the document of a verdict.
  package init(_ verdict: Verdict) { self.verdict = verdict }

  /// Returns the text: the largest changes first; changes beyond the limit are counted.
  ///
  /// The limit is for the comment, which has `count` such texts.
  package func text(oneOf count: Int = 1) -> String {
    let all = MarkdownPage.longest / count
    // The text at the end always has room.
    var end = MarkdownPage(room: all / 3)
    addCosts(to: &end)
    var page = MarkdownPage(room: all - end.text.utf16.count - 200)
    let channel = verdict.channel.map { " compared with the channel \($0)" } ?? ""
    page.add("### Asset packs\(channel): \(headline)\n\n")
    addBreaks(to: &page)
    var left = 0
    for change in comparison.changes {
      if left > 0 || !page.add(block(change, atMost: min(8_000, page.room))) { left += 1 }
    }
    let more = Quantity.count(left, "changed pack")
    let note = left > 0 ? "_\(more) more: omitted because of the size limit._\n\n" : ""
    return page.text + note + end.text
  }

  private var headline: String {
    if comparison.old.isMissing {
      return "first release, \(Quantity.count(comparison.new.packs.count, "pack"))"
    }
    if comparison.isEmpty { return "no changes" }
    var parts: [String] = []
    for (kind, word) in [
      (PackChange.Kind.changed, "changed"), (.rewritten, "rewritten"), (.added, "new"),
      (.removed, "removed"), (.unknown, "unknown"),
    ] {
      let count = comparison.changes.count { $0.kind == kind }
      if count > 0 { parts.append("\(count) \(word)") }
    }
    parts.append("\(comparison.unchanged.count) unchanged")
    return parts.joined(separator: ", ")
  }

  private func addBreaks(to page: inout MarkdownPage) {
    if !verdict.breaks.isEmpty {
      let verb = verdict.breaks.count == 1 ? "breaks" : "break"
      let changes = Quantity.count(verdict.breaks.count, "change")
      page.add("**\(changes) \(verb) released apps:**\n\n")
      add(verdict.breaks, to: &page, Self.line)
    }
    if !verdict.accepted.isEmpty {
      page.add("Accepted:\n\n")
      add(verdict.accepted, to: &page) {
        "\(Self.line($0.found)), until \($0.until): \(MarkdownPage.phrase($0.reason))"
      }
    }
  }

  /// Adds the first elements of a list, and the number of the others.
  private func add<Element>(
    _ elements: [Element], to page: inout MarkdownPage, _ line: (Element) -> String
  ) {
    for element in elements.prefix(Self.mostLines) { page.add("- \(line(element))\n") }
    let rest = elements.count - Self.mostLines
    page.add(rest > 0 ? "- and \(Quantity.grouped(rest)) more\n\n" : "\n")
  }

  private static func line(_ found: Break) -> String {
    var text = MarkdownPage.code(found.pack.text)
    if let path = found.path { text = "\(MarkdownPage.code(path.shown)) in \(text)" }
    text += " \(found.breakage.phrase)"
    if let what = found.what { text += " (\(MarkdownPage.phrase(what)))" }
    return text
  }

  private func block(_ change: PackChange, atMost room: Int) -> String {
    let sizes = ComparisonText.sizes(
      change.old.flatMap { $0.downloadSize ?? $0.unpackedSize },
      change.new.flatMap { $0.downloadSize ?? $0.unpackedSize })
    var text = "**\(MarkdownPage.code(change.id.text))** "
    switch change.kind {
    case .added: text += "new, \(sizes)"
    case .removed: text += "removed, \(sizes)"
    case .rewritten:
      text += "\(sizes), the same files: "
      text += MarkdownPage.phrase(change.rewriting)
    case .unknown: text += "may have changed"
    case .changed: text += sizes
    }
    if change.isDownloadedAgain, let again = change.downloadAgain {
      text += "; devices download \(Quantity.bytes(again)) again"
    }
    text += "\n"
    for attribute in change.attributes {
      text += "- \(attribute.key): \(MarkdownPage.code("\(attribute.old)"))"
      text += " -> \(MarkdownPage.code("\(attribute.new)"))\n"
    }
    guard change.kind == .changed, !change.files.isEmpty else { return text + "\n" }
    let head = "\n" + MarkdownPage.head(["", "file", "size"])
    var table = MarkdownPage(room: room - text.utf16.count - head.utf16.count)
    let rest =
      table.add(change.files.prefix(50).map(Self.row), atMost: table.room)
      + max(0, change.files.count - 50)
    if rest > 0 { table.add("| | and \(Quantity.count(rest, "file")) more | |\n") }
    return text + head + table.text + "\n"
  }

  private static func row(_ file: FileChange) -> [String] {
    let path = MarkdownPage.code(file.path.shown)
    let (word, name): (String, String) =
      switch file.kind {
      case .added: ("added", path)
      case .removed: ("removed", path)
      case .changed: ("changed", path)
      case .unknown: ("unknown", path)
      case .renamed(let from):
        ("renamed", "\(MarkdownPage.code(from.shown)) -> \(path)")
      case .moved(let pack): ("moved", "\(path) from \(MarkdownPage.code(pack.text))")
      }
    return [
      file.breakage == nil ? word : "**\(word)**", name,
      ComparisonText.sizes(file.oldSize, file.newSize),
    ]
  }

  /// Adds the downloads, in descending order of the update size, then the hosted size, budgets and
  /// hints.
  private func addCosts(to page: inout MarkdownPage) {
    let costs = comparison.costs
    if costs.isKnown, costs.isOldKnown {
      let isFirst = comparison.old.isMissing
      let groups = costs.groups { row in
        [
          Quantity.bytes(row.wholeUpdate), Quantity.bytes(row.updateOnDemand),
          ComparisonText.sizes(isFirst ? nil : row.oldFirstLaunch, row.firstLaunch),
          ComparisonText.sizes(isFirst ? nil : row.oldInstall, row.install),
        ]
      }
      let heads = ["devices", "update", "on demand", "first launch", "first installation"]
      page.add(MarkdownPage.head(heads))
      let rest =
        page.add(
          groups.prefix(Self.mostPlayers).map {
            [MarkdownPage.phrase($0.players ?? "all")] + $0.value
          }, atMost: page.room / 2) + max(0, groups.count - Self.mostPlayers)
      if rest > 0 { page.add("| and \(rest) more | | | | |\n") }
      page.add("\n")
    }
    if let hosted = costs.hosted {
      let old = comparison.old.isMissing ? nil : costs.oldHosted
      page.add("Hosted: \(ComparisonText.sizes(old, hosted)). ")
    }
    page.add("Devices download whole packs; partial updates are undocumented.\n")
    for hint in verdict.hints {
      page.add("\nHint: \(hint.phrase(naming: MarkdownPage.code)).\n")
    }
    for finding in verdict.budgets.pages.flatMap(\.findings).prefix(Self.mostLines) {
      page.add(
        "\n**\(finding.severity.rawValue)**: \(MarkdownPage.phrase("\(finding.message)"))\n")
      for note in finding.notes.prefix(10) { page.add("- \(MarkdownPage.phrase("\(note)"))\n") }
    }
  }
}
