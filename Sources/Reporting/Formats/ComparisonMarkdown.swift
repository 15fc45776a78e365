import BAPackKit
import SourceDiagnostics
import SystemIO
import TerminalText

/// A comparison as a comment on a pull request: Markdown that hostile names cannot break out of.
package struct ComparisonMarkdown {
  /// What a comment on GitHub may have is 65,536 signs: this leaves some to who puts it there.
  package static let longest = 65_000
  private let verdict: Verdict
  private var comparison: Comparison { verdict.comparison }

  /// Prepares the text of a verdict.
  package init(_ verdict: Verdict) { self.verdict = verdict }

  /// The text, of at most so many signs: the largest changes come first, and what has no room is counted.
  package func text(atMost limit: Int = Self.longest) -> String {
    let end = costs
    let head = "### Asset packs: \(headline)\n\n"
    var text = head + breaks
    // What is said at the end always has room.
    let room = limit - end.utf16.count - 200
    var left = 0
    for change in comparison.changes {
      let block = self.block(change, atMost: min(8_000, max(0, room - text.utf16.count)))
      if left > 0 || text.utf16.count + block.utf16.count > room {
        left += 1
      } else {
        text += block
      }
    }
    if left > 0 { text += "_\(Quantity.count(left, "changed pack")) more, without room here._\n\n" }
    return text + end
  }

  private var headline: String {
    if comparison.isEmpty { return "nothing changed" }
    var words: [String] = []
    for (kind, word) in [
      (PackChange.Kind.changed, "changed"), (.rewritten, "rewritten"), (.added, "new"),
      (.removed, "removed"), (.unknown, "unknown"),
    ] {
      let count = comparison.changes.count { $0.kind == kind }
      if count > 0 { words.append("\(count) \(word)") }
    }
    words.append("\(comparison.unchanged.count) unchanged")
    return words.joined(separator: ", ")
  }

  private var breaks: String {
    var text = ""
    if !verdict.breaks.isEmpty {
      text += "**\(Quantity.count(verdict.breaks.count, "change")) "
      text += verdict.breaks.count == 1 ? "breaks" : "break"
      text += " apps that are out already:**\n\n"
      for found in verdict.breaks.prefix(20) { text += "- \(Self.line(found))\n" }
      let rest = verdict.breaks.count - 20
      if rest > 0 { text += "- and \(rest) more\n" }
      text += "\n"
    }
    if !verdict.accepted.isEmpty {
      text += "Accepted:\n\n"
      for known in verdict.accepted.prefix(20) {
        text += "- \(Self.line(known.found)), until \(known.until): \(inMarkdown(known.reason))\n"
      }
      let rest = verdict.accepted.count - 20
      if rest > 0 { text += "- and \(rest) more\n" }
      text += "\n"
    }
    return text
  }

  private static func line(_ found: Break) -> String {
    var text = codeInMarkdown(found.pack.text)
    if let path = found.path { text = "\(codeInMarkdown(FilePath(path).shown)) in \(text)" }
    text += " \(found.breakage.words)"
    if let what = found.what { text += " (\(inMarkdown(what)))" }
    return text
  }

  private func block(_ change: PackChange, atMost room: Int) -> String {
    let name = codeInMarkdown(change.id.text)
    let sizes = ComparisonText.sizes(
      change.old.flatMap { $0.downloadSize ?? $0.unpackedSize },
      change.new.flatMap { $0.downloadSize ?? $0.unpackedSize })
    var text = "**\(name)** "
    switch change.kind {
    case .added: text += "new, \(sizes)"
    case .removed: text += "removed, \(sizes)"
    case .rewritten:
      text += "\(sizes), the same files: \(inMarkdown(change.settings.joined(separator: ", ")))"
    case .unknown: text += "may have changed"
    case .changed: text += sizes
    }
    if change.isDownloadedAgain, let again = change.downloadAgain {
      text += "; players download \(Quantity.bytes(again)) again"
    }
    text += "\n"
    for attribute in change.attributes {
      text += "- \(attribute.key): \(codeInMarkdown("\(attribute.old)".prefixed(200)))"
      text += " -> \(codeInMarkdown("\(attribute.new)".prefixed(200)))\n"
    }
    guard change.kind == .changed, !change.files.isEmpty else { return text + "\n" }
    text += "\n| | file | size |\n| --- | --- | --- |\n"
    var shownCount = 0
    for file in change.files.prefix(50) {
      let row = Self.row(file)
      if text.utf16.count + row.utf16.count > room { break }
      text += row
      shownCount += 1
    }
    let rest = change.files.count - shownCount
    if rest > 0 { text += "| | and \(Quantity.count(rest, "file")) more | |\n" }
    return text + "\n"
  }

  private static func row(_ file: FileChange) -> String {
    let (word, name): (String, String) =
      switch file.kind {
      case .added: ("added", codeInMarkdown(file.shownPath))
      case .removed: ("removed", codeInMarkdown(file.shownPath))
      case .changed: ("changed", codeInMarkdown(file.shownPath))
      case .unknown: ("unknown", codeInMarkdown(file.shownPath))
      case .renamed(let from):
        ("renamed", "\(codeInMarkdown(FilePath(from).shown)) -> \(codeInMarkdown(file.shownPath))")
      case .moved(let pack):
        ("moved", "\(codeInMarkdown(file.shownPath)) from \(codeInMarkdown(pack.text))")
      }
    let mark = file.breakage == nil ? word : "**\(word)**"
    return "| \(mark) | \(name) | \(ComparisonText.sizes(file.oldSize, file.newSize)) |\n"
  }

  /// What players download, for each platform and language that differ.
  private var costs: String {
    let costs = comparison.costs
    var text = ""
    if costs.isKnown, costs.isOldKnown {
      text += "| players | update | of it on demand | first launch | first installation |\n"
      text += "| --- | --- | --- | --- | --- |\n"
      var rows: [(values: [String], platforms: [String], name: String)] = []
      for row in costs.rows {
        let values = [
          Quantity.bytes(row.wholeUpdate), Quantity.bytes(row.updateOnDemand),
          ComparisonText.sizes(row.oldFirstLaunch, row.firstLaunch),
          ComparisonText.sizes(row.oldInstall, row.install),
        ]
        let name = row.language?.description ?? "any other language"
        if let same = rows.firstIndex(where: { $0.values == values && $0.name == name }) {
          rows[same].platforms.append(row.platform.rawValue)
        } else {
          rows.append((values, [row.platform.rawValue], name))
        }
      }
      for row in rows.prefix(60) {
        let platforms =
          row.platforms.count == Platform.allCases.count
          ? "all platforms" : row.platforms.joined(separator: ", ")
        text += "| \(platforms), \(row.name) | \(row.values.joined(separator: " | ")) |\n"
      }
      if rows.count > 60 { text += "| and \(rows.count - 60) more | | | | |\n" }
      text += "\n"
    }
    if let hosted = costs.hosted {
      text +=
        "Hosted: \(costs.oldHosted.map { ComparisonText.sizes($0, hosted) } ?? Quantity.bytes(hosted)). "
    }
    text += "Whole packs are downloaded again: nobody documents that less is.\n"
    for finding in verdict.budgets.pages.flatMap(\.findings).prefix(20) {
      text += "\n**\(finding.severity.rawValue)**: \(inMarkdown("\(finding.message)"))\n"
      for note in finding.notes.prefix(10) { text += "- \(inMarkdown("\(note)"))\n" }
    }
    return text
  }
}

extension String {
  fileprivate func prefixed(_ count: Int) -> String {
    self.count > count ? prefix(count - 1) + "…" : self
  }
}
