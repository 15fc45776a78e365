import SystemIO

extension FileSelector {
  /// The selector for a pack in a language: the path in the pack leaves out the component that names
  /// the language, so that it is the same in every language.
  ///
  /// A folder or file whose path names no language keeps its path. Patterns, exclusions and
  /// selectors that already have a destination are unchanged.
  package func atSamePath(inEveryLanguage language: LanguageTag) -> FileSelector {
    switch self {
    case .directory(let path):
      .renamedDirectory(
        source: path, destination: Self.withoutName(of: language, in: path) ?? path)
    case .file(let path):
      Self.withoutName(of: language, in: path).map { .renamedFile(source: path, destination: $0) }
        ?? self
    case .filePattern, .renamedFile, .renamedDirectory, .exclusion: self
    }
  }

  /// Whether a component of the path in the pack names the language.
  func names(_ language: LanguageTag) -> Bool {
    switch self {
    case .directory(let path), .file(let path):
      Self.withoutName(of: language, in: path) != nil
    case .filePattern, .renamedFile, .renamedDirectory, .exclusion: false
    }
  }

  /// The path without the last component that names the language, such as `Voices` for `Voices/es`;
  /// nil if there is none.
  private static func withoutName(of language: LanguageTag, in path: String) -> String? {
    var names = FilePath(path).components.map { FilePath($0.bytes).text }
    guard let index = names.lastIndex(where: { isName($0, of: language) }) else { return nil }
    names.remove(at: index)
    return names.isEmpty ? "." : names.joined(separator: "/")
  }

  private static func isName(_ name: String, of language: LanguageTag) -> Bool {
    let suffix = ".lproj"
    let word =
      name.utf8.count > suffix.utf8.count && name.hasSuffix(suffix)
      ? String(name.dropLast(suffix.count)) : name
    guard let tag = LanguageTag(String(word.map { $0 == "_" ? "-" : $0 })) else { return false }
    // A folder 'es' is also meant for a pack in 'es-MX'.
    return tag.isEquivalent(to: language)
      || tag.description.lowercased()
        == language.description.lowercased().prefix { $0 != "-" }
  }
}
