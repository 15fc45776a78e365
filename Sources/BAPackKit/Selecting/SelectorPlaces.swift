import SourceDiagnostics
import SystemIO

// Where findings about files stand in the manifest, and the fixes that can be made there.

extension ManifestLocations {
  /// Where a selector names its files.
  func source(of selector: Int) -> SourceSpan? { location(selector)?.source }

  /// Where a selector says what they are called in the pack.
  func destination(of selector: Int) -> SourceSpan? {
    location(selector)?.destination ?? location(selector)?.source
  }

  /// Where a selector stands.
  func whole(_ selector: Int) -> SourceSpan? { location(selector)?.whole }

  private func location(_ selector: Int) -> SelectorLocation? {
    selectors.indices.contains(selector) ? selectors[selector] : nil
  }

  /// The fix that leaves something out.
  func exclude(_ pattern: String) -> Fix {
    let selector = JSONWriter.string(FileSelector.exclusion(pattern).jsonValue, .compact)
    let edits = selectors.last.map {
      [Fix.Edit(SourceSpan($0.whole.end, $0.whole.end), ", " + selector)]
    }
    return Fix("add \(path: selector)", .unsafe, edits: edits ?? [])
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
      "write '\(path: path)'", .unsafe,
      edits: span.map { [Fix.Edit($0, JSONWriter.string(.string(path), .compact))] } ?? [])
  }
}
