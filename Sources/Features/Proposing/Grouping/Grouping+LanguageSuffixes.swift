import BAPackKit
import SystemIO
import TerminalText

/// Folders with a language at the end of their names: `Voices/Default_en`, `Voices/Default_es`.
extension Grouping {
  /// Groups the files of folders whose names differ only by a language at the end.
  ///
  /// A folder without a language, such as `Voices/Default`, is that of the primary language.
  mutating func groupSuffixedFolders() {
    for parent in tree.folders.indices
    where isPlain(tree.path(ofFolder: parent)[...]) && !isInLanguageFolder(parent) {
      var families: [[UInt8]: [LanguageFolder]] = [:]
      for folder in tree.subfolders(of: parent) where hasUndecided(in: folder) {
        guard let (stem, language) = languageSuffix(of: folder) else { continue }
        families[stem, default: []].append(language)
      }
      for (stem, folders) in families.sorted(by: { $0.value[0].folder < $1.value[0].folder }) {
        group(folders, stem, in: parent)
      }
    }
  }

  /// Returns the name of a folder without the language at its end, and the language.
  private func languageSuffix(of folder: Int) -> (stem: [UInt8], language: LanguageFolder)? {
    let name = tree.name(ofFolder: folder)
    let separators = name.indices.filter { name[$0] == UInt8(ascii: "_") || name[$0] == hyphen }
    // 'Default_pt_BR' has a language of two parts.
    for separator in separators.suffix(2) where separator > name.startIndex {
      guard let language = LanguageName(name[(separator + 1)...]),
        isPlain(name[..<separator])
      else { continue }
      let paths = paths(in: folder, of: language.tag)
      return (
        Array(name[..<separator]), LanguageFolder(folder: folder, name: language, paths: paths)
      )
    }
    return nil
  }

  private var hyphen: UInt8 { UInt8(ascii: "-") }

  private mutating func group(_ folders: [LanguageFolder], _ stem: [UInt8], in parent: Int) {
    let primary = primaryLanguage ?? LanguageTag(language: "en")
    var plain: LanguageFolder?
    if let folder = tree.subfolders(of: parent).first(where: {
      tree.name(ofFolder: $0).elementsEqual(stem) && hasUndecided(in: $0)
    }) {
      plain = LanguageFolder(
        folder: folder, name: LanguageName(primary, isCertain: true),
        paths: paths(in: folder, of: primary))
    }
    let all = folders + (plain.map { [$0] } ?? [])
    let certain = all.filter(\.name.isCertain)
    var meanings: Set<LanguageMeaning> = []
    let accepted = folders.filter { folder in
      certain.contains(where: folder.resembles) && meanings.insert(folder.name.tag.meaning).inserted
    }
    guard !accepted.isEmpty, accepted.count + (plain == nil ? 0 : 1) >= 2,
      accepted.contains(where: \.name.isCertain)
    else { return }
    let bytes = accepted.reduce(0) { $0 + undecidedEstimate(in: $1.folder) }
    guard bytes / UInt64(accepted.count) >= smallest else { return }
    let path = tree.path(ofFolder: parent)
    var place = TranslationSet(folder: parent)
    for language in accepted {
      let group = group(of: language.name.tag)
      languageFolders[language.folder] = path.isEmpty ? stem : path + [slash] + stem
      assign(tree.allFiles(of: language.folder), to: group)
      place.groups.insert(group)
      place.folders.append(language.folder)
    }
    if let plain {
      if accepted.contains(where: { $0.name.tag.isEquivalent(to: primary) }) {
        place.keepsPaths = true
      } else {
        let group = group(of: primary)
        place.defaults = Array(tree.allFiles(of: plain.folder)).filter(isUndecided)
        assign(place.defaults, to: group)
        place.groups.insert(group)
      }
    }
    languagePlaces.append(place)
  }
}
