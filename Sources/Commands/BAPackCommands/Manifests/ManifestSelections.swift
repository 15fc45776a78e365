import BAPackKit
import SourceDiagnostics
import SystemIO

/// The packs of a project, each resolved when it is needed.
struct ManifestSelections {
  private let project: Project
  private let listed: SourceRoot?
  private let console: Console
  var listsExcluded = false
  /// Whether a manifest has errors, which have been reported.
  private(set) var failed = false

  init(_ project: Project, _ listed: SourceRoot?, _ console: Console) {
    self.project = project
    self.listed = listed
    self.console = console
  }

  /// Calls a function with each pack without errors.
  mutating func forEach(
    _ body: (SelectedPack) throws(PackError) -> Void
  ) throws(PackError) {
    for input in project.inputs(saying: console) {
      let pack = try SelectedPack(
        project.following(project.document(of: input, console.work)),
        sourceRoot: project.sourceRoot?.text, defaultRoot: project.defaultSourceRoot.text,
        in: listed, readingContents: false, listingExcluded: listsExcluded, console.work)
      console.report(pack.allFindings, as: .text)
      console.report(off: pack.allFindings)
      if pack.hasErrors {
        failed = true
      } else {
        try body(pack)
      }
    }
  }
}

extension ManifestOptions {
  /// Reads the project file and the list of source files; nil after errors, which have been
  /// reported.
  func selections(
    _ console: Console, otherwise nothing: String
  ) throws(PackError) -> (input: ManifestInput, packs: ManifestSelections)? {
    guard let input = try opened(console, otherwise: nothing) else { return nil }
    let project = try input.project(input.paths, console)
    var findings = Ledger()
    let listed = try project.listedFiles(&findings, console.work)
    console.report(findings, as: .text)
    guard !findings.hasErrors else { return nil }
    return (input, ManifestSelections(project, listed, console))
  }
}

/// A selector of a manifest with its index.
struct ListedSelector: Sendable {
  private let index: Int
  private let members: [JSONValue.Member]
  /// The JSON object, which is created once for all files of the selector.
  private(set) var value = JSONValue.null

  init(index: Int, _ selector: FileSelector) {
    self.index = index
    members = selector.jsonMembers
    value = Self.table.value(of: self)
  }

  static let table = Table<Self>(written: "a selector") {
    Key("index", written: \.index, .count, "The index of the selector in the manifest, from 0.")
    Key(members: SelectorKind.shapes.joined().map(\.asOptional)) { $1 += $0.members }
  }
}

extension JSONForm<ListedSelector> {
  static var listed: JSONForm {
    JSONForm(.record(ListedSelector.table.record), write: \.value, reading: nil)
  }
}
