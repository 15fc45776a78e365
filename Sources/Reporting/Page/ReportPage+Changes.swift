import BAPackKit
import SourceDiagnostics
import SystemIO
import TerminalText

// What changed since a release, and how releases grew.
extension ReportPage {
  /// How many files of a pack are named.
  private static let mostFiles = 60

  var changeSection: Section? {
    guard let comparison = report.comparison else { return nil }
    let names = (text(comparison.old.name), text(comparison.new.name))
    var html = "<p class=\"hint\">From \(names.0) to \(names.1).</p>" + sides(comparison)
    html += report.hints.map { "<p class=\"hint\">Hint: \(inMarkup($0.words(naming: shown))).</p>" }
      .joined()
    let breaks = comparison.breaks
    if !breaks.isEmpty {
      let shown = breaks.prefix(Self.mostFiles).map { found in
        let place = found.path.map { "\(path($0)) in " } ?? ""
        let what = found.what.map { " (\(text($0)))" } ?? ""
        return """
          <li><p><span class="badge breaking">breaks</span> \(place)<span class="name">\(text(found.pack.text))</span>\(what)</p>\
          <p class="quiet">\(inMarkup(found.breakage.reason))</p></li>
          """
      }
      let more = breaks.count - shown.count
      html += """
        <h3>Breaks apps that are out already: \(Quantity.grouped(breaks.count))</h3>
        <div class="sheet" role="group" aria-label="What breaks" tabindex="0"><ul class="findings">\(shown.joined(separator: "\n"))</ul>\
        \(more > 0 ? "<p class=\"more\">and \(Quantity.grouped(more)) more</p>" : "")</div>
        """
    }
    if comparison.isEmpty {
      html += "<p class=\"nothing\">Nothing changed.</p>"
    } else {
      html += "<h3>Packs that changed</h3>" + changes(comparison)
    }
    return Section("changes", "Changes", html)
  }

  /// The sums of both sides, one beside the other.
  private func sides(_ comparison: Comparison) -> String {
    let costs = comparison.costs
    func row(_ name: String, _ old: UInt64?, _ new: UInt64?) -> String {
      let difference =
        if let old, let new {
          old == new ? "same" : (new > old ? "+" : "−") + bytes(new > old ? new - old : old - new)
        } else { "–" }
      return """
        <tr><th scope="row">\(name)</th><td class="number">\(old.map { bytes($0) } ?? "–")</td>\
        <td class="number">\(new.map { bytes($0) } ?? "–")</td><td class="number broad">\(difference)</td></tr>
        """
    }
    func most(_ value: (UpdateCosts.Row) -> UInt64) -> UInt64? { costs.rows.map(value).max() }
    return """
      <div class="sheet" role="group" aria-label="Before and now" tabindex="0"><table>
      <thead><tr><td></td><th scope="col" class="number">Before</th><th scope="col" class="number">Now</th>\
      <th scope="col" class="number broad">Difference</th></tr></thead>
      <tbody>\(row("Hosted", costs.oldHosted, costs.hosted))
      \(row("First launch, at most", costs.isOldKnown ? most(\.oldFirstLaunch) : nil, costs.isKnown ? most(\.firstLaunch) : nil))
      \(row("First installation, at most", costs.isOldKnown ? most(\.oldInstall) : nil, costs.isKnown ? most(\.install) : nil))
      \(row("Update, at most", nil, costs.isKnown ? most(\.update) : nil))
      \(row("Update with all packs on demand, at most", nil, costs.isKnown ? most(\.wholeUpdate) : nil))</tbody>
      </table></div>
      """
  }

  private func changes(_ comparison: Comparison) -> String {
    let rows = comparison.changes.map { change in
      let files = change.files.prefix(Self.mostFiles).map(item)
      let more = change.files.count - files.count
      let list =
        change.files.isEmpty
        ? ""
        : """
        <details><summary>\(Quantity.count(change.files.count, "file"))</summary><ul>\(files.joined())\
        \(more > 0 ? "<li class=\"quiet\">and \(Quantity.grouped(more)) more</li>" : "")</ul></details>
        """
      let said = change.attributes.map {
        "<span class=\"facts\">\(text($0.key)): \(text($0.old.description)) → \(text($0.new.description))</span>"
      }
      let settings = change.settings.map { "<span class=\"facts\">\(text($0))</span>" }
      return """
        <tr><th scope="row"><span class="name">\(text(change.id.text))</span> \
        <span class="badge \(change.kind.rawValue)">\(words(change.kind))</span>\(said.joined())\(settings.joined())\(list)</th>\
        <td class="number">\(change.old?.downloadSize.map { bytes($0) } ?? "–")</td>\
        <td class="number">\(change.new?.downloadSize.map { bytes($0) } ?? "–")</td>\
        <td class="number">\(change.isDownloadedAgain ? bytes(change.downloadAgain) : "–")</td></tr>
        """
    }
    return """
      <div class="sheet" role="group" aria-label="Packs that changed" tabindex="0"><table>
      <thead><tr><th scope="col">Pack</th><th scope="col" class="number">Before</th><th scope="col" class="number">Now</th>\
      <th scope="col" class="number">Again</th></tr></thead>
      <tbody>\(rows.joined(separator: "\n"))</tbody>
      </table><p class="more">\(Quantity.count(comparison.unchanged.count, "pack")) unchanged.</p></div>
      """
  }

  private func item(_ file: FileChange) -> String {
    let word: String
    var from = ""
    switch file.kind {
    case .added: word = "added"
    case .removed: word = "removed"
    case .changed: word = "changed"
    case .renamed(let old):
      word = "renamed"
      from = " from \(path(old))"
    case .moved(let pack):
      word = "moved"
      from = " from <span class=\"name\">\(text(pack.text))</span>"
    case .unknown: word = "not known"
    }
    let sizes: String =
      switch (file.oldSize, file.newSize) {
      case (let old?, let new?) where old != new: "\(bytes(old)) → \(bytes(new))"
      case (_, let size?), (let size?, nil): bytes(size)
      default: ""
      }
    return """
      <li><span class="badge \(file.breakage == nil ? "" : "breaking")">\(word)</span> \(path(file.path))\(from) \
      <span class="quiet">\(sizes)</span></li>
      """
  }

  private func words(_ kind: PackChange.Kind) -> String {
    switch kind {
    case .added: "new"
    case .removed: "removed"
    case .changed: "changed"
    case .rewritten: "same files, other bytes"
    case .unknown: "not known"
    }
  }

  // MARK: History

  var historySection: Section? {
    let points = report.history
    guard points.count > 1 else { return nil }
    let lines: [(name: String, values: [UInt64?])] = [
      ("hosted", points.map(\.hosted)), ("first launch", points.map(\.firstLaunch)),
      ("update", points.map(\.update)),
    ].filter { line in line.1.contains { $0 != nil } }
    let most = max(1, lines.flatMap(\.values).compactMap(\.self).max() ?? 1)
    var drawing = ""
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
        <path class="grid" d="M\(Int(left)) \(y(value))H\(Int(width))"/><text x="\(Int(left) - 8)" y="\(y(value) + 4)" \
        text-anchor="end">\(bytes(value))</text>
        """
    }
    for (number, line) in lines.enumerated() {
      // A release of which nothing is known is a gap in its line.
      var path = ""
      for (index, value) in line.values.enumerated() {
        guard let value else { continue }
        let begins = index == 0 || line.values[index - 1] == nil
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
        <text x="\(x(index))" y="\(Int(height) - 8)" text-anchor="\(anchor)">\(inMarkup(String(name)))</text>
        """
    }
    let key = lines.enumerated().map { number, line in
      """
      <li><svg viewBox="0 0 14 14" aria-hidden="true"><path class="line l\(number)" d="M0 7H14"/></svg>\(line.name)</li>
      """
    }
    let rows = points.map { point in
      let cells = [point.hosted, point.firstLaunch, point.update].map {
        "<td class=\"number\">\($0.map { bytes($0) } ?? "–")</td>"
      }
      return "<tr><th scope=\"row\" class=\"name\">\(text(point.name))</th>\(cells.joined())</tr>"
    }
    return Section(
      "history", "History",
      """
      <ul class="key">\(key.joined())</ul>
      <div class="sheet history" role="group" aria-label="History" tabindex="0"><svg viewBox="0 0 960 240" aria-hidden="true">\(drawing)</svg></div>
      <details><summary>The numbers</summary>
      <div class="sheet" role="group" aria-label="History in numbers" tabindex="0"><table>
      <thead><tr><th scope="col">Release</th><th scope="col" class="number">Hosted</th>\
      <th scope="col" class="number">First launch</th><th scope="col" class="number">Update</th></tr></thead>
      <tbody>\(rows.joined(separator: "\n"))</tbody></table></div></details>
      """)
  }
}
