import TerminalText

// The parts of the page that scripts draw and fill in.
extension ReportPage {
  /// The treemap of all files, which the script draws.
  var mapSection: Section {
    let hasArchives = report.kinds.contains { $0.stored != nil }
    let one: HTML = """
      <span id="measure" hidden><button type="button" value="stored">Files</button></span>
      """
    let map = WebFiles.map(measure: hasArchives ? WebFiles.measure() : one)
    return Section("map-section", "Treemap", isScripted: true, map)
  }

  /// The table of all files; the script creates the visible rows.
  var fileSection: Section {
    Section("files-section", "All files", isScripted: true, WebFiles.files())
  }
}
