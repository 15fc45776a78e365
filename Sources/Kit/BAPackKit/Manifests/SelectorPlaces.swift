import SourceDiagnostics
import SystemIO

// The places of findings about files in the manifest, and their fixes.

extension ManifestLocations {
  /// Returns the place of the path or pattern of a selector.
  func source(of selector: Int) -> SourceSpan? { location(selector)?.source }

  /// Returns the place of the destination of a selector, or else of its source.
  func destination(of selector: Int) -> SourceSpan? {
    location(selector)?.destination ?? location(selector)?.source
  }

  /// Returns the place of a selector.
  func whole(_ selector: Int) -> SourceSpan? { location(selector)?.whole }

  private func location(_ selector: Int) -> SelectorLocation? {
    selectors.indices.contains(selector) ? selectors[selector] : nil
  }

  /// Returns a fix that adds an exclusion.
  func exclude(_ pattern: String) -> Fix {
    let selector = JSONWriter.string(FileSelector.exclusion(pattern).jsonValue, .compact)
    let edits = selectors.last.map {
      [Fix.Edit(SourceSpan($0.whole.end, $0.whole.end), ", " + selector)]
    }
    return Fix("add \(path: selector)", .unsafe, edits: edits ?? [])
  }

  /// Returns a fix that excludes only the file or folder at a path.
  func exclude(path: some Sequence<UInt8>) -> Fix {
    let names = FilePath(path).components.map { NamePattern.escaped($0) }
    let pattern = FilePath(joining: names)
    return exclude((names.count == 1 ? "./" : "") + String(decoding: pattern.bytes, as: UTF8.self))
  }

  func exclude(path: String) -> Fix { exclude(path: path.utf8) }

  /// Returns a fix that replaces a path.
  func rewrite(_ span: SourceSpan?, _ path: String) -> Fix {
    Fix(
      "write '\(path: path)'", .unsafe,
      edits: span.map { [Fix.Edit($0, JSONWriter.string(.string(path), .compact))] } ?? [])
  }
}
