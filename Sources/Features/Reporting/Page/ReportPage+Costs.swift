import BAPackKit
import SourceDiagnostics
import SystemIO
import TerminalText

// The downloads of devices: bars for each kind of device, and tables of packs.
extension ReportPage {
  var costSection: Section? {
    guard !report.costs.isEmpty, report.inventory.offered.count == report.inventory.packs.count
    else { return nil }
    let costs = report.costs + report.olderSystemCosts
    let most = report.costs.reduce(UInt64(1)) {
      max($0, report.cost($1.offered), $1.wholeUpdate ?? 0)
    }
    var html: HTML = """
      <p class="hint">Devices download whole packs. Partial downloads are undocumented.</p>
      <ul class="key"><li>\(swatch(0))before the app opens</li>\
      <li>\(swatch(1))in the background</li><li>\(swatch(2))when the app requests them</li></ul>
      """
    html += table(of: costs, "First installation", most: most) { cost in
      [cost.beforeLaunch, cost.inBackground, cost.onRequest].map(report.cost)
    }
    if report.costs.contains(where: { $0.update != nil }) {
      html += "<h3>Update of a device with all packs installed</h3>"
      html += table(of: costs, "Update", most: most, isUpdate: true) { cost in
        [0, cost.update ?? 0, cost.updateOnRequest ?? 0]
      }
    }
    return Section("costs", "Downloads", html)
  }

  private func table(
    of costs: [DeviceCost], _ name: HTML, most: UInt64, isUpdate: Bool = false,
    _ parts: (DeviceCost) -> [UInt64]
  ) -> HTML {
    let groups = Dictionary(grouping: costs, by: \.platformText)
    var order: [String] = []
    for cost in costs where !order.contains(cost.platformText) { order.append(cost.platformText) }
    let hasLanguages = costs.contains { $0.language != nil }
    var rows: HTML = ""
    for platforms in order {
      if order.count > 1 || hasLanguages {
        rows += """
          <tr class="group">\
          <th scope="rowgroup" colspan="\(isUpdate ? 4 : 5)">\(platforms)</th></tr>
          """
      }
      for group in DeviceCost.groups(of: groups[platforms] ?? [], by: parts) {
        let sizes = parts(group.cost)
        let language: HTML
        if !group.cost.knowsLocalizedPacks {
          language = "\(DeviceCost.olderSystems)"
        } else if group.isEveryLanguage {
          language = "all languages"
        } else {
          let other =
            hasLanguages ? "other languages" : order.count > 1 ? "any language" : platforms
          let names = group.languages.map { tag -> HTML in
            tag.map { "<span lang=\"en\">\($0)</span>" } ?? "\(other)"
          }
          language = "\(names, separator: ", ")"
        }
        let cells = sizes.enumerated().dropFirst(isUpdate ? 1 : 0).map { number, size -> HTML in
          let isMiddle = !isUpdate && number == 1
          let text = size == 0 ? "–" : bytes(size)
          return "<td class=\"number\(" middle", if: isMiddle)\">\(text)</td>"
        }
        rows += """
          <tr><th scope="row">\(language)</th>\(cells)<td class="bars">\(bar(sizes, most))</td></tr>

          """
      }
    }
    let heads: HTML =
      isUpdate
      ? """
      <th scope="col" class="number">automatic</th><th scope="col" class="number">on demand</th>
      """
      : """
      <th scope="col" class="number">before launch</th>\
      <th scope="col" class="number middle">background</th>\
      <th scope="col" class="number">on demand</th>
      """
    return WebFiles.sheet(
      name: name, attributes: " class=\"costs\"",
      caption: "<caption class=\"unseen\">\(name) for each platform and language</caption>",
      head: "<tr><th scope=\"col\">Language</th>\(heads)<td></td></tr>", rows: rows)
  }

  private func bar(_ sizes: [UInt64], _ most: UInt64) -> HTML {
    var x = 0.0
    var parts: HTML = ""
    for (number, size) in sizes.enumerated() where size > 0 {
      // An existing part is always visible.
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

  private func swatch(_ number: Int) -> HTML {
    """
    <svg viewBox="0 0 14 14" aria-hidden="true">\
    <rect class="s\(number)" x="1" y="1" width="12" height="12"/></svg>
    """
  }

  // MARK: Packs

  var packSection: Section? {
    let packs = report.inventory.packs
    let hasLanguages = packs.contains { $0.language != nil }
    let groups: [(title: HTML, packs: [InventoryPack])] = [
      ("Essential: before the app opens", packs.filter { $0.policy?.name == "essential" }),
      ("Prefetch: in the background", packs.filter { $0.policy?.name == "prefetch" }),
      ("On demand: when the app requests them", packs.filter { $0.policy == .onDemand }),
      ("Unknown policy", packs.filter { $0.policy == nil }),
    ]
    var rows: [HTML] = []
    let empty: HTML = "\("<td class=\"broad\"></td>", if: hasLanguages)<td class=\"broad\"></td>"
    for group in groups where !group.packs.isEmpty {
      rows.append(
        """
        <tr class="group"><th scope="rowgroup">\(group.title)</th>\
        \(empty)\(numbers(group.packs))</tr>
        """)
      // Packs for all devices first, then localized packs by language.
      let ordered = group.packs.sorted {
        ($0.language?.description ?? "", $0.id) < ($1.language?.description ?? "", $1.id)
      }
      rows += ordered.map { row(of: $0, hasLanguages) }
    }
    let table = WebFiles.sheet(
      name: "Packs", caption: "<caption class=\"unseen\">Packs by policy and language</caption>",
      head: """
        <tr><th scope="col">Pack</th>\
        \("<th scope=\"col\" class=\"broad\">Language</th>", if: hasLanguages)\
        <th scope="col" class="broad">Platforms</th>\
        <th scope="col" class="number broad">Files</th>\
        <th scope="col" class="number broad">Unpacked</th>\
        <th scope="col" class="number">Download</th></tr>
        """,
      rows: "\(rows, separator: "\n")",
      foot: """
        <tfoot><tr><th scope="row">\(Quantity.count(packs.count, "pack"))</th>\(empty)\
        \(numbers(packs))</tr></tfoot>
        """)
    return Section("packs", "Packs", table)
  }

  private func row(of pack: InventoryPack, _ hasLanguages: Bool) -> HTML {
    let platforms = pack.platforms.map(\.rawValue).joined(separator: ", ")
    let isForAll = pack.platforms.isEmpty || Set(pack.platforms).count == Platform.allCases.count
    let language = pack.language?.description ?? ""
    let events: String =
      switch pack.policy {
      case .essential(let events), .prefetch(let events):
        events.count == 2
          ? "" : events.contains(.firstInstallation) ? "first installation only" : "updates only"
      case .onDemand, nil: ""
      }
    let narrow = [language, isForAll ? "" : platforms].filter { !$0.isEmpty }
      .joined(separator: " · ")
    return """
      <tr><th scope="row">\(name(pack.id.text))\
      \("<span class=\"facts\">\(events)</span>", if: !events.isEmpty)\
      \("<span class=\"facts narrow\">\(narrow)</span>", if: !narrow.isEmpty)</th>\
      \("<td class=\"broad\">\(language)</td>", if: hasLanguages)\
      <td class="broad">\(isForAll ? "all" : platforms)</td>\(numbers([pack]))</tr>
      """
  }

  private func numbers(_ packs: [InventoryPack]) -> HTML {
    func sum(_ value: (InventoryPack) -> UInt64?) -> String {
      let sum = packs.reduce(UInt64?(0)) { sum, pack in
        sum.flatMap { sum in value(pack).map { sum.addingSaturated($0) } }
      }
      return bytes(sum)
    }
    let isKnown = packs.allSatisfy { $0.contents != nil }
    let files = packs.reduce(0) { $0 + ($1.contents?.count ?? 0) }
    return """
      <td class="number broad">\(isKnown ? Quantity.grouped(files) : "–")</td>\
      <td class="number broad">\(sum(\.unpackedSize))</td>\
      <td class="number">\(sum(\.downloadSize))</td>
      """
  }
}
