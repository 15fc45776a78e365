import SourceDiagnostics
import SystemIO

// Where findings about files stand in the manifest, and the fixes that can be made there.

extension ManifestLocations {
  /// The place where a selector names its files.
  func source(of selector: Int) -> SourceSpan? { location(selector)?.source }

  /// The place where a selector names their destinations.
  func destination(of selector: Int) -> SourceSpan? {
    location(selector)?.destination ?? location(selector)?.source
  }

  /// The place of a selector.
  func whole(_ selector: Int) -> SourceSpan? { location(selector)?.whole }

  private func location(_ selector: Int) -> SelectorLocation? {
    selectors.indices.contains(selector) ? selectors[selector] : nil
  }

  /// The fix that excludes something.
  func exclude(_ pattern: String) -> Fix {
    let selector = JSONWriter.string(FileSelector.exclusion(pattern).jsonValue, .compact)
    let edits = selectors.last.map {
      [Fix.Edit(SourceSpan($0.whole.end, $0.whole.end), ", " + selector)]
    }
    return Fix("add \(path: selector)", .unsafe, edits: edits ?? [])
  }

  /// The fix that excludes one file or folder, and nothing else of the same name.
  func exclude(path: some Sequence<UInt8>) -> Fix {
    let names = FilePath(path).components.map { NamePattern.escaped($0) }
    let pattern = FilePath(joining: names)
    return exclude((names.count == 1 ? "./" : "") + String(decoding: pattern.bytes, as: UTF8.self))
  }

  func exclude(path: String) -> Fix { exclude(path: path.utf8) }

  /// The fix that replaces a path.
  func rewrite(_ span: SourceSpan?, _ path: String) -> Fix {
    Fix(
      "write '\(path: path)'", .unsafe,
      edits: span.map { [Fix.Edit($0, JSONWriter.string(.string(path), .compact))] } ?? [])
  }
}
