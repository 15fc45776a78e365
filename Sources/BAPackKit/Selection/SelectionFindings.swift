import SourceDiagnostics
import SystemIO

/// The findings of a selection, each at its place in the manifest.
///
/// A folder of a million bad names is one mistake: of each kind, a selector reports the first few
/// files and counts the others.
struct SelectionFindings {
  /// How many findings of one kind a selector reports.
  private static let limit = 10

  private struct Kind: Hashable {
    var id: Diagnostic.ID
    var selector: Int
  }

  private var list = FindingList()
  private var counts: [Kind: Int] = [:]
  private let text: SourceText
  private let locations: ManifestLocations

  init(_ document: ManifestDocument) {
    text = document.source
    locations = document.locations
  }

  var hasErrors: Bool { list.hasErrors }

  mutating func add(_ finding: Diagnostic) { list.add(finding) }

  mutating func add(_ finding: Diagnostic, of selector: Int) {
    let kind = Kind(id: finding.id, selector: selector)
    counts[kind, default: 0] += 1
    if counts[kind, default: 0] <= Self.limit { list.add(finding) }
  }

  mutating func sorted() -> [Diagnostic] {
    let cut = counts.filter { $0.value > Self.limit }
    for (kind, count) in cut.sorted(by: {
      ($0.key.selector, $0.key.id.name) < ($1.key.selector, $1.key.id.name)
    }) {
      let more = count - Self.limit
      list.add(
        Diagnostic(
          kind.id, .note, "\(more) more \(more == 1 ? "finding" : "findings") of this kind",
          at: source(of: kind.selector)))
    }
    counts = [:]
    return list.sorted()
  }

  /// Where a selector names its files.
  func source(of selector: Int) -> SourceSpan? { location(selector)?.source }

  /// Where a selector says what they are called in the pack.
  func destination(of selector: Int) -> SourceSpan? {
    location(selector)?.destination ?? location(selector)?.source
  }

  /// Where a selector stands.
  func whole(_ selector: Int) -> SourceSpan? { location(selector)?.whole }

  private func location(_ selector: Int) -> SelectorLocation? {
    locations.selectors.indices.contains(selector) ? locations.selectors[selector] : nil
  }

  /// The fix that leaves something out.
  func exclude(_ pattern: String) -> Fix {
    let selector = JSONWriter.string(
      .object([.init("fileExclusion", .string(pattern))]), .compact)
    let edits = locations.selectors.last.map {
      [Fix.Edit(SourceSpan($0.whole.end, $0.whole.end), ", " + selector)]
    }
    return Fix("add \(selector)", .unsafe, edits: edits ?? [])
  }

  /// The fix that leaves one file or folder out, and nothing of the same name elsewhere.
  func exclude(path: some Sequence<UInt8>) -> Fix {
    let names = FilePath(path).components.map { NamePattern.escaped($0) }
    let pattern = FilePath(joining: names)
    return exclude((names.count == 1 ? "./" : "") + String(decoding: pattern.bytes, as: UTF8.self))
  }

  func exclude(path: String) -> Fix { exclude(path: path.utf8) }

  /// The fix that writes another text in the place of a path.
  func rewrite(_ span: SourceSpan?, _ path: String) -> Fix {
    Fix(
      "write '\(path)'", .unsafe,
      edits: span.map { [Fix.Edit($0, JSONWriter.string(.string(path), .compact))] } ?? [])
  }
}
