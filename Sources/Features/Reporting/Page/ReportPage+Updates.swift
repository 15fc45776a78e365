import BAPackKit
import SystemIO
import TerminalText

// The updates between the releases of a history: a bar for each release, and tables.
extension ReportPage {
  /// The number of packs with a color; the other packs share the last color.
  private static let mostColors = 9

  var updateSection: Section? {
    guard let updates = report.updates, let summary = updates.summary else { return nil }
    let notes = updates.notes.map { note -> HTML in "<p class=\"quiet\">\(note).</p>" }
    return Section(
      "updates", "Updates",
      """
      <p class="hint">\(summary)</p>\(notes)
      <ul class="key">\(key(of: updates))</ul>
      <div class="sheet history" role="group" aria-label="Updates" tabindex="0">\
      <svg viewBox="0 0 960 240" aria-hidden="true">\(bars(of: updates))</svg></div>
      \(packs(of: updates))
      \("<h3>Updates of each kind of device</h3>", if: updates.devices.count > 1)\
      \(updates.devices.count > 1 ? devices(of: updates) : nil)
      <details><summary>Updates by release</summary>\(releases(of: updates))</details>
      """)
  }

  // MARK: Picture

  private func color(_ place: Int) -> Int { min(place, Self.mostColors) }

  private func key(of updates: UpdateHistory) -> HTML {
    let packs = updates.packs.filter { $0.bytes.downloaded > 0 }
    var items = packs.prefix(Self.mostColors).enumerated().map { place, pack -> HTML in
      "<li>\(colorSwatch(place))\(name(pack.id.text))</li>"
    }
    if packs.count > Self.mostColors {
      items.append("<li>\(colorSwatch(Self.mostColors))other packs</li>")
    }
    return "\(items)"
  }

  private func colorSwatch(_ place: Int) -> HTML {
    """
    <svg viewBox="0 0 14 14" aria-hidden="true">\
    <rect class="u\(place)" x="1" y="1" width="12" height="12"/></svg>
    """
  }

  /// Returns a bar for each update, with the packs on top of each other.
  private func bars(of updates: UpdateHistory) -> HTML {
    let places = Dictionary(uniqueKeysWithValues: updates.packs.enumerated().map { ($1.id, $0) })
    let most = max(1, updates.updates.map(\.sum.downloaded).max() ?? 1)
    let (width, height, left, top) = (960.0, 240.0, 64.0, 12.0)
    let step = (width - left) / Double(max(1, updates.updates.count))
    func length(_ value: UInt64) -> Double {
      (height - top - 30) * Double(value) / Double(most)
    }
    var drawing: HTML = ""
    for part in 0...4 {
      let value = most / 4 * UInt64(part)
      let y = Int(height - 30 - length(value))
      drawing += """
        <path class="grid" d="M\(Int(left)) \(y)H\(Int(width))"/>\
        <text x="\(Int(left) - 8)" y="\(y + 4)" text-anchor="end">\(bytes(value))</text>
        """
    }
    let labels = max(1, (updates.updates.count + 11) / 12)
    for (index, update) in updates.updates.enumerated() {
      let x = left + step * (Double(index) + 0.15)
      var base = height - 30
      let packs = update.packs.sorted { (places[$0.id] ?? 0) < (places[$1.id] ?? 0) }
      for pack in packs where pack.bytes.downloaded > 0 {
        let size = length(pack.bytes.downloaded)
        base -= size
        drawing += """
          <rect class="u\(color(places[pack.id] ?? 0))" x="\(Int(x))" y="\(tenths(base))" \
          width="\(max(1, Int(step * 0.7)))" height="\(tenths(size))"/>
          """
      }
      if index.isMultiple(of: labels) {
        let name = prefix(of: shownBytes(FilePath(update.new).name.bytes), columns: 12)
        drawing += """
          <text x="\(Int(x + step * 0.35))" y="\(Int(height) - 8)" text-anchor="middle">\
          \(name)</text>
          """
      }
    }
    return drawing
  }

  /// Returns a coordinate with one decimal.
  private func tenths(_ value: Double) -> String {
    let tenths = Int((max(0, value) * 10).rounded())
    return "\(tenths / 10).\(tenths % 10)"
  }

  // MARK: Tables

  private func cells(_ sum: UpdateHistory.Bytes) -> HTML {
    """
    <td class="number">\(bytes(sum.downloaded))</td>\
    <td class="number broad">\(bytes(sum.changed))</td>\
    <td class="number">\(sum.ratioText)</td>
    """
  }

  private var sumHeads: HTML {
    """
    <th scope="col" class="number">Downloaded</th>\
    <th scope="col" class="number broad">Had changed</th>\
    <th scope="col" class="number">Ratio</th>
    """
  }

  private func packs(of updates: UpdateHistory) -> HTML {
    let count = updates.updates.count
    let rows = updates.packs.map { pack -> HTML in
      """
      <tr><th scope="row">\(name(pack.id.text))</th>\
      <td class="number">\(pack.changes) of \(count)</td>\
      <td class="number broad">\(bytes(pack.size))</td>\(cells(pack.bytes))</tr>
      """
    }
    return WebFiles.sheet(
      name: "Updates of each pack",
      head: """
        <tr><th scope="col">Pack</th><th scope="col" class="number">Changed</th>\
        <th scope="col" class="number broad">Size</th>\(sumHeads)</tr>
        """,
      rows: "\(rows, separator: "\n")")
  }

  private func devices(of updates: UpdateHistory) -> HTML {
    let rows = updates.devices.map { device -> HTML in
      let platforms = device.platforms.map(\.rawValue).joined(separator: ", ")
      let language = device.language?.description ?? "other languages"
      return """
        <tr><th scope="row">\(platforms)</th><td>\(language)</td>\(cells(device.bytes))</tr>
        """
    }
    return WebFiles.sheet(
      name: "Updates of each kind of device",
      head: """
        <tr><th scope="col">Platforms</th><th scope="col">Language</th>\(sumHeads)</tr>
        """,
      rows: "\(rows, separator: "\n")")
  }

  private func releases(of updates: UpdateHistory) -> HTML {
    let rows = updates.updates.map { update -> HTML in
      "<tr><th scope=\"row\" class=\"name\">\(update.new)</th>\(cells(update.sum))</tr>"
    }
    return WebFiles.sheet(
      name: "Updates by release", head: "<tr><th scope=\"col\">Release</th>\(sumHeads)</tr>",
      rows: "\(rows, separator: "\n")")
  }
}
