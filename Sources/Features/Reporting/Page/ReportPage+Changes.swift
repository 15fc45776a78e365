import BAPackKit
import SourceDiagnostics
import SystemIO
import TerminalText

// The changes since a release, and the sizes of earlier releases.
extension ReportPage {
  /// The maximum number of named files of a pack.
  private static let mostFiles = 60

  var changeSection: Section? {
    guard let comparison = report.comparison else { return nil }
    let hints = report.hints.map { hint -> HTML in
      "<p class=\"hint\">Hint: \(hint.phrase(naming: shown)).</p>"
    }
    return Section(
      "changes", "Changes",
      """
      <p class="hint">Changes from \(comparison.old.name) to \(comparison.new.name).</p>\
      \(sides(comparison))\(hints)\(breaks(comparison))\
      \("<p class=\"nothing\">No changes.</p>", if: comparison.isEmpty)\
      \(comparison.isEmpty ? nil : changes(comparison))
      """)
  }

  /// Returns a table with the sums of both releases.
  private func sides(_ comparison: Comparison) -> HTML {
    let costs = comparison.costs
    func row(_ name: HTML, _ old: UInt64?, _ new: UInt64?) -> HTML {
      let difference =
        if let old, let new {
          old == new ? "same" : (new > old ? "+" : "−") + bytes(new > old ? new - old : old - new)
        } else { "–" }
      return """
        <tr><th scope="row">\(name)</th><td class="number">\(bytes(old))</td>\
        <td class="number">\(bytes(new))</td><td class="number broad">\(difference)</td></tr>
        """
    }
    func most(_ value: (UpdateCosts.Row) -> UInt64, isKnown: Bool) -> UInt64? {
      isKnown ? costs.rows.map(value).max() : nil
    }
    let (old, new) = (costs.isOldKnown, costs.isKnown)
    let rows = [
      row("Hosted", costs.oldHosted, costs.hosted),
      row(
        "First launch, maximum", most(\.oldFirstLaunch, isKnown: old),
        most(\.firstLaunch, isKnown: new)),
      row(
        "First installation, maximum", most(\.oldInstall, isKnown: old),
        most(\.install, isKnown: new)),
      row("Update, maximum", nil, most(\.update, isKnown: new)),
      row("Update with all on-demand packs, maximum", nil, most(\.wholeUpdate, isKnown: new)),
    ]
    return WebFiles.sheet(
      name: "Before and now",
      head: """
        <tr><td></td><th scope="col" class="number">Before</th>\
        <th scope="col" class="number">Now</th>\
        <th scope="col" class="number broad">Difference</th></tr>
        """,
      rows: "\(rows, separator: "\n")")
  }

  private func breaks(_ comparison: Comparison) -> HTML? {
    let breaks = comparison.breaks
    guard !breaks.isEmpty else { return nil }
    let items = breaks.prefix(Self.mostFiles).map { found -> HTML in
      let place = found.path.map { file -> HTML in "\(path(file)) in " }
      let what = found.what.map { what -> HTML in " (\(what))" }
      return """
        <li><p><span class="badge breaking">breaks</span> \
        \(place)\(name(found.pack.text))\(what)</p>\
        <p class="quiet">\(found.breakage.reason)</p></li>
        """
    }
    let left = breaks.count - items.count
    return """
      <h3>Breaks in released apps: \(Quantity.grouped(breaks.count))</h3>
      <div class="sheet" role="group" aria-label="Breaks" tabindex="0">
      <ul class="findings">\(items, separator: "\n")</ul>\
      \("<p class=\"more\">and \(Quantity.grouped(left)) more</p>", if: left > 0)</div>
      """
  }

  private func changes(_ comparison: Comparison) -> HTML {
    let rows = comparison.changes.map { change -> HTML in
      let attributes = change.attributes.map { change -> HTML in
        """
        <span class="facts">\(change.key): \(change.old.description) → \
        \(change.new.description)</span>
        """
      }
      let settings = change.settings.map { setting -> HTML in
        "<span class=\"facts\">\(setting)</span>"
      }
      return """
        <tr><th scope="row">\(name(change.id.text)) \
        <span class="badge \(change.kind.rawValue)">\(phrase(change.kind))</span>\
        \(attributes)\(settings)\(files(change.files))</th>\
        <td class="number">\(bytes(change.old?.downloadSize))</td>\
        <td class="number">\(bytes(change.new?.downloadSize))</td>\
        <td class="number">\(bytes(change.isDownloadedAgain ? change.downloadAgain : nil))</td></tr>
        """
    }
    let table = WebFiles.sheet(
      name: "Changed packs",
      head: """
        <tr><th scope="col">Pack</th><th scope="col" class="number">Before</th>\
        <th scope="col" class="number">Now</th>\
        <th scope="col" class="number">Downloaded again</th></tr>
        """,
      rows: "\(rows, separator: "\n")",
      more: """
        <p class="more">\(Quantity.count(comparison.unchanged.count, "pack")) unchanged.</p>
        """)
    return "<h3>Changed packs</h3>" + table
  }

  private func files(_ files: [FileChange]) -> HTML? {
    guard !files.isEmpty else { return nil }
    let items = files.prefix(Self.mostFiles).map(item)
    let left = files.count - items.count
    return """
      <details><summary>\(Quantity.count(files.count, "file"))</summary><ul>\(items)\
      \("<li class=\"quiet\">and \(Quantity.grouped(left)) more</li>", if: left > 0)</ul></details>
      """
  }

  private func item(_ file: FileChange) -> HTML {
    let (word, from): (HTML, HTML) =
      switch file.kind {
      case .added: ("added", "")
      case .removed: ("removed", "")
      case .changed: ("changed", "")
      case .renamed(let old): ("renamed", " from \(path(old))")
      case .moved(let pack): ("moved", " from \(name(pack.text))")
      case .unknown: ("unknown", "")
      }
    let sizes: String =
      switch (file.oldSize, file.newSize) {
      case (let old?, let new?) where old != new: "\(bytes(old)) → \(bytes(new))"
      case (_, let size?), (let size?, nil): bytes(size)
      case (nil, nil): ""
      }
    return """
      <li><span class="badge\(" breaking", if: file.breakage != nil)">\(word)</span> \
      \(path(file.path))\(from) <span class="quiet">\(sizes)</span></li>
      """
  }

  private func phrase(_ kind: PackChange.Kind) -> HTML {
    switch kind {
    case .added: "new"
    case .removed: "removed"
    case .changed: "changed"
    case .rewritten: "same files, different bytes"
    case .unknown: "unknown"
    }
  }

  // MARK: History

  var historySection: Section? {
    let points = report.history
    guard points.count > 1 else { return nil }
    let lines: [(name: HTML, values: [UInt64?])] = [
      ("hosted", points.map(\.hosted)), ("first launch", points.map(\.firstLaunch)),
      ("update", points.map(\.update)),
    ].filter { line in line.1.contains { $0 != nil } }
    let key = lines.enumerated().map { number, line -> HTML in
      """
      <li><svg viewBox="0 0 14 14" aria-hidden="true"><path class="line l\(number)" d="M0 7H14"/>\
      </svg>\(line.name)</li>
      """
    }
    let rows = points.map { point -> HTML in
      let cells = [point.hosted, point.firstLaunch, point.update].map { size -> HTML in
        "<td class=\"number\">\(bytes(size))</td>"
      }
      return "<tr><th scope=\"row\" class=\"name\">\(point.name)</th>\(cells)</tr>"
    }
    let numbers = WebFiles.sheet(
      name: "History in numbers",
      head: """
        <tr><th scope="col">Release</th><th scope="col" class="number">Hosted</th>\
        <th scope="col" class="number">First launch</th>\
        <th scope="col" class="number">Update</th></tr>
        """,
      rows: "\(rows, separator: "\n")")
    return Section(
      "history", "History",
      """
      <ul class="key">\(key)</ul>
      <div class="sheet history" role="group" aria-label="History" tabindex="0">\
      <svg viewBox="0 0 960 240" aria-hidden="true">\(chart(of: lines.map(\.values)))</svg></div>
      <details><summary>Values as a table</summary>
      \(numbers)</details>
      """)
  }

  /// Returns a chart with one line for each list of values.
  private func chart(of lines: [[UInt64?]]) -> HTML {
    let points = report.history
    let most = max(1, lines.flatMap(\.self).compactMap(\.self).max() ?? 1)
    var drawing: HTML = ""
    let (width, height, left, top) = (960.0, 240.0, 64.0, 12.0)
    func x(_ index: Int) -> Int {
      Int(left + (width - left - 24) * Double(index) / Double(max(1, points.count - 1)))
    }
    func y(_ value: UInt64) -> Int {
      Int(top + (height - top - 30) * (1 - Double(value) / Double(most)))
    }
    for part in 0...4 {
      let value = most / 4 * UInt64(part)
      drawing += """
        <path class="grid" d="M\(Int(left)) \(y(value))H\(Int(width))"/>\
        <text x="\(Int(left) - 8)" y="\(y(value) + 4)" text-anchor="end">\(bytes(value))</text>
        """
    }
    for (number, values) in lines.enumerated() {
      // An unknown value is a gap in the line.
      var path: HTML = ""
      for (index, value) in values.enumerated() {
        guard let value else { continue }
        let begins = index == 0 || values[index - 1] == nil
        path += "\(begins ? "M" : "L")\(x(index)) \(y(value))"
        drawing += "<circle class=\"p\(number)\" cx=\"\(x(index))\" cy=\"\(y(value))\" r=\"3\"/>"
      }
      drawing += "<path class=\"line l\(number)\" d=\"\(path)\"/>"
    }
    let step = max(1, (points.count + 7) / 8)
    for index in stride(from: 0, to: points.count, by: step) {
      let anchor = index == 0 ? "start" : index == points.count - 1 ? "end" : "middle"
      // Releases are often files in one folder.
      let name = prefix(of: shownBytes(FilePath(points[index].name).name.bytes), columns: 16)
      drawing += """
        <text x="\(x(index))" y="\(Int(height) - 8)" text-anchor="\(anchor)">\(name)</text>
        """
    }
    return drawing
  }
}
