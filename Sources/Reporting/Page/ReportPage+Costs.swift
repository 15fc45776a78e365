import BAPackKit
import SourceDiagnostics
import SystemIO
import TerminalText

// What devices download: bars for each sort of them, and the packs behind the sums.
extension ReportPage {
  var costSection: Section? {
    guard !report.costs.isEmpty, report.inventory.offered.count == report.inventory.packs.count
    else { return nil }
    let hasUpdate = report.costs.contains { $0.update != nil }
    let most = report.costs.reduce(UInt64(1)) {
      max($0, report.cost($1.offered), $1.wholeUpdate ?? 0)
    }
    var html = """
      <p class="hint">A pack is downloaded whole: nobody documents that devices download only what differs.</p>
      <ul class="key"><li>\(swatch(0))before the app opens</li><li>\(swatch(1))in the background</li>\
      <li>\(swatch(2))when the app asks</li></ul>
      """
    html += table(of: report.costs + report.olderSystemCosts, "First installation", most: most) {
      cost in
      [cost.beforeLaunch, cost.inBackground, cost.onRequest].map(report.cost)
    }
    if hasUpdate {
      html += "<h3>Update, for somebody who has every pack</h3>"
      html += table(of: report.costs + report.olderSystemCosts, "Update", most: most) { cost in
        [0, cost.update ?? 0, cost.updateOnRequest ?? 0]
      }
    }
    return Section("costs", "Downloads", html)
  }

  private func table(
    of costs: [DeviceCost], _ name: String, most: UInt64, _ parts: (DeviceCost) -> [UInt64]
  ) -> String {
    let isUpdate = name == "Update"
    let titles =
      isUpdate ? ["by itself", "on demand"] : ["before launch", "background", "on demand"]
    let groups = Dictionary(grouping: costs, by: \.platformWords)
    var order: [String] = []
    for cost in costs where !order.contains(cost.platformWords) { order.append(cost.platformWords) }
    let hasLanguages = costs.contains { $0.language != nil }
    var rows = ""
    for platforms in order {
      if order.count > 1 || hasLanguages {
        rows += """
          <tr class="group"><th scope="rowgroup" colspan="\(titles.count + 2)">\(platforms)</th></tr>
          """
      }
      for group in DeviceCost.groups(of: groups[platforms] ?? [], by: parts) {
        let sizes = parts(group.cost)
        let language: String
        if !group.cost.knowsLocalizedPacks {
          language = DeviceCost.olderSystems
        } else if group.isEveryLanguage {
          language = "all languages"
        } else {
          let other =
            hasLanguages ? "other languages" : order.count > 1 ? "any language" : platforms
          language = group.languages.map { tag -> String in
            tag.map { "<span lang=\"en\">\($0.description)</span>" } ?? other
          }.joined(separator: ", ")
        }
        let shown = isUpdate ? Array(sizes.dropFirst()) : sizes
        let cells = shown.enumerated().map { number, size in
          let place = !isUpdate && number == 1 ? "number middle" : "number"
          return "<td class=\"\(place)\">\(size == 0 ? "–" : bytes(size))</td>"
        }
        rows += """
          <tr><th scope="row">\(language)</th>\(cells.joined())<td class="bars">\(bar(sizes, most))</td></tr>

          """
      }
    }
    let heads = titles.map { title in
      "<th scope=\"col\" class=\"number\(title == "background" ? " middle" : "")\">\(title)</th>"
    }.joined()
    return """
      <div class="sheet" role="group" aria-label="\(name)" tabindex="0"><table class="costs">
      <caption class="unseen">\(name) for each platform and language</caption>
      <thead><tr><th scope="col">Language</th>\(heads)<td></td></tr></thead>
      <tbody>\(rows)</tbody></table></div>
      """
  }

  private func bar(_ sizes: [UInt64], _ most: UInt64) -> String {
    var x = 0.0
    var parts = ""
    for (number, size) in sizes.enumerated() where size > 0 {
      // A part that is there is seen.
      let width = max(Double(size) / Double(most) * 1000, 2)
      parts += """
        <rect class="s\(number)" x="\(Int(x))" width="\(Int(width.rounded(.up)))" height="14"/>
        """
      x += width
    }
    return """
      <svg viewBox="0 0 1006 14" preserveAspectRatio="none" aria-hidden="true">\(parts)</svg>
      """
  }

  private func swatch(_ number: Int) -> String {
    """
    <svg viewBox="0 0 14 14" aria-hidden="true"><rect class="s\(number)" x="1" y="1" width="12" height="12"/></svg>
    """
  }

  // MARK: Packs

  var packSection: Section? {
    let packs = report.inventory.packs
    let hasLanguages = packs.contains { $0.language != nil }
    let groups: [(title: String, packs: [InventoryPack])] = [
      ("Essential: before the app opens", packs.filter { $0.policy?.name == "essential" }),
      ("Prefetch: in the background", packs.filter { $0.policy?.name == "prefetch" }),
      ("On demand: when the app asks", packs.filter { $0.policy == .onDemand }),
      ("When nobody knows", packs.filter { $0.policy == nil }),
    ]
    var rows = ""
    for group in groups where !group.packs.isEmpty {
      rows += """
        <tr class="group"><th scope="rowgroup">\(group.title)</th>\(hasLanguages ? "<td class=\"broad\"></td>" : "")\
        <td class="broad"></td>\(numbers(group.packs))</tr>
        """
      // Packs for all devices first, then language by language.
      let ordered = group.packs.sorted {
        ($0.language?.description ?? "", $0.id) < ($1.language?.description ?? "", $1.id)
      }
      rows += ordered.map { row(of: $0, hasLanguages) }.joined(separator: "\n")
    }
    return Section(
      "packs", "Packs",
      """
      <div class="sheet" role="group" aria-label="Packs" tabindex="0"><table>
      <caption class="unseen">Packs by policy and language</caption>
      <thead><tr><th scope="col">Pack</th>\(hasLanguages ? "<th scope=\"col\" class=\"broad\">Language</th>" : "")\
      <th scope="col" class="broad">Platforms</th><th scope="col" class="number broad">Files</th>\
      <th scope="col" class="number broad">Unpacked</th><th scope="col" class="number">Download</th></tr></thead>
      <tbody>\(rows)</tbody>
      <tfoot><tr><th scope="row">\(Quantity.count(packs.count, "pack"))</th>\(hasLanguages ? "<td class=\"broad\"></td>" : "")\
      <td class="broad"></td>\(numbers(packs))</tr></tfoot>
      </table></div>
      """)
  }

  private func row(of pack: InventoryPack, _ hasLanguages: Bool) -> String {
    let platforms = pack.platforms.map(\.rawValue).joined(separator: ", ")
    let offered =
      pack.platforms.isEmpty || Set(pack.platforms).count == Platform.allCases.count
      ? "all" : platforms
    let language = pack.language?.description ?? ""
    let events: String =
      switch pack.policy {
      case .essential(let events), .prefetch(let events):
        events.count == 2
          ? "" : events.contains(.firstInstallation) ? "first installation only" : "updates only"
      default: ""
      }
    let narrow = [language, offered == "all" ? "" : platforms].filter { !$0.isEmpty }.joined(
      separator: " · ")
    let facts =
      (events.isEmpty ? "" : "<span class=\"facts\">\(events)</span>")
      + (narrow.isEmpty ? "" : "<span class=\"facts narrow\">\(narrow)</span>")
    return """
      <tr><th scope="row"><span class="name">\(text(pack.id.text))</span>\(facts)</th>\
      \(hasLanguages ? "<td class=\"broad\">\(language)</td>" : "")\
      <td class="broad">\(offered)</td>\(numbers([pack]))</tr>
      """
  }

  private func numbers(_ packs: [InventoryPack]) -> String {
    func sum(_ value: (InventoryPack) -> UInt64?, _ kind: String = "number") -> String {
      let sum = packs.reduce(UInt64?(0)) { sum, pack in
        sum.flatMap { sum in value(pack).map { sum.addingSaturated($0) } }
      }
      return "<td class=\"\(kind)\">\(sum.map { bytes($0) } ?? "–")</td>"
    }
    let isKnown = packs.allSatisfy { $0.contents != nil }
    let files = packs.reduce(0) { $0 + ($1.contents?.count ?? 0) }
    return "<td class=\"number broad\">\(isKnown ? Quantity.grouped(files) : "–")</td>"
      + sum(\.unpackedSize, "number broad") + sum(\.downloadSize)
  }
}
