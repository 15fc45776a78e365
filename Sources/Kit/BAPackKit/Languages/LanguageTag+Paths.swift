import SystemIO

extension LanguageTag {
  /// Returns the path without the last component that is the name of the language, such as `Voices`
  /// for `Voices/es`; nil if there is none.
  func withoutName(in path: String) -> String? {
    var names = FilePath(path).components.map { FilePath($0.bytes).text }
    guard let index = names.lastIndex(where: isName) else { return nil }
    names.remove(at: index)
    return names.isEmpty ? "." : names.joined(separator: "/")
  }

  private func isName(_ name: String) -> Bool {
    let suffix = ".lproj"
    let word =
      name.utf8.count > suffix.utf8.count && name.hasSuffix(suffix)
      ? String(name.dropLast(suffix.count)) : name
    guard let tag = LanguageTag(String(word.map { $0 == "_" ? "-" : $0 })) else { return false }
    // A folder 'es' also matches a pack in 'es-MX'.
    return tag.isEquivalent(to: self)
      || tag.description.lowercased() == description.lowercased().prefix { $0 != "-" }
  }
}
