import TerminalText

extension ReportPage {
  /// The picture of all files, which the script draws.
  var mapSection: Section {
    let help = """
      Arrow keys move among the parts, Enter goes into one, Escape out of it; on a file Enter shows it in the table.
      """
    return Section(
      "map-section", "Every byte", isScripted: true,
      """
      <div class="tools">
      <label for="search" class="unseen">Search paths of files</label>
      <input id="search" type="search" placeholder="Search paths  ( / )" autocomplete="off" spellcheck="false" \
      autocapitalize="off" aria-describedby="found">
      \(measureChoice)
      <span><span class="label" id="colouring-label">Colour</span><span id="colouring" class="choice" role="group" \
      aria-labelledby="colouring-label"><button type="button" value="kind">Type</button>\
      <button type="button" value="step">Compression</button></span></span>
      </div>
      <p id="found" class="hint" role="status"></p>
      <div class="tools"><nav aria-label="Place in the treemap"><ol id="crumbs"></ol></nav>\
      <button type="button" id="out">Out</button></div>
      <div id="map" tabindex="0" role="application" aria-roledescription="treemap" \
      aria-label="Treemap of every byte" aria-describedby="map-help">\
      <canvas id="picture" aria-hidden="true"></canvas><canvas id="mark" aria-hidden="true"></canvas></div>
      <p id="where"></p>
      <ul id="legend" aria-label="Legend: choose one to see only that"></ul>
      <p id="map-help" class="unseen">\(help)</p>
      """)
  }

  private var measureChoice: String {
    guard report.kinds.contains(where: { $0.stored != nil }) else {
      return """
        <span id="measure" hidden><button type="button" value="stored">Files</button></span>
        """
    }
    return """
      <span><span class="label" id="measure-label">Area</span><span id="measure" class="choice" role="group" \
      aria-labelledby="measure-label"><button type="button" value="stored">In packs</button>\
      <button type="button" value="size">Unpacked</button></span></span>
      """
  }

  /// The table of all files, of which the script makes the rows that are seen.
  static let fileSection = Section(
    "files-section", "All files", isScripted: true,
    """
    <div class="tools">
    <span><label class="label" for="of-pack">Pack</label><select id="of-pack"><option value="">all</option></select></span>
    <span><label class="label" for="of-kind">Type</label><select id="of-kind"><option value="">all</option></select></span>
    <p id="row-sum" class="hint" role="status"></p>
    </div>
    <div id="scroller" tabindex="0" role="group" aria-label="All files, scrolls">
    <table id="files" aria-rowcount="1" aria-labelledby="files-section-title">
    <colgroup><col class="col-name"><col class="col-pack"><col class="col-extra"><col class="col-extra">\
    <col class="col-number"><col class="col-extra"></colgroup>
    <thead><tr aria-rowindex="1">\
    <th scope="col" aria-sort="none"><button type="button" value="path">Path</button></th>\
    <th scope="col" aria-sort="none" class="extra"><button type="button" value="pack">Pack</button></th>\
    <th scope="col" aria-sort="none" class="extra"><button type="button" value="kind">Type</button></th>\
    <th scope="col" aria-sort="none" class="extra number"><button type="button" value="size">Unpacked</button></th>\
    <th scope="col" aria-sort="descending" class="number"><button type="button" value="stored">In the pack</button></th>\
    <th scope="col" aria-sort="none" class="extra number"><button type="button" value="ratio">Takes</button></th>\
    </tr></thead>
    <tbody id="before" aria-hidden="true" class="gap"><tr><td colspan="6"></td></tr></tbody>
    <tbody id="rows"></tbody>
    <tbody id="after" aria-hidden="true" class="gap"><tr><td colspan="6"></td></tr></tbody>
    </table>
    </div>
    """)
}
