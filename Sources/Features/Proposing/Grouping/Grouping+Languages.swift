import BAPackKit
import SystemIO
import TerminalText

/// A subfolder whose name is a language.
struct LanguageFolder {
  var folder: Int
  var name: LanguageName
  /// The hashes of the paths of its files, without the language.
  var paths: Set<UInt64> = []

  /// Returns whether the folders have the same structure: half of the paths of the smaller one.
  func resembles(_ other: LanguageFolder) -> Bool {
    guard folder != other.folder, !paths.isEmpty, !other.paths.isEmpty else { return false }
    let (small, large) =
      paths.count <= other.paths.count ? (paths, other.paths) : (other.paths, paths)
    return small.count { large.contains($0) } * 2 >= small.count
  }
}

/// The languages of folders: `Voices/de/hello.wav`, `Levels/01/Speech/de/hello.wav`.
extension Grouping {
  /// Groups the files in folders of languages.
  mutating func groupLanguageFolders() {
    let families = tree.folders.indices.compactMap { parent -> (Int, [LanguageFolder])? in
      let folders = languageFolders(in: parent)
      return folders.count >= 2 ? (parent, folders) : nil
    }
    let trusted = repeatedLanguages(of: families.map(\.1))
    var accepted: [LanguageFolder] = []
    for (parent, folders) in families where !isInLanguageFolder(parent) {
      let found = translations(among: folders, isFramed: isFrame(parent), trusted)
      accepted += found
      for language in found { languageFolders[language.folder] = tree.path(ofFolder: parent) }
    }
    accepted += neighbors(of: accepted, families)
    accepted += relatives(of: accepted)
    for language in accepted {
      let parent = Int(tree.folders[language.folder].parent)
      languageFolders[language.folder] = tree.path(ofFolder: parent)
    }
    dropSmallLanguages(&accepted)
    let places = Dictionary(grouping: accepted) { Int(tree.folders[$0.folder].parent) }
      .sorted { $0.key < $1.key }
    for (parent, languages) in places {
      if languages.allSatisfy(isCatalog), !separatesTexts {
        groupCatalogs(of: languages, in: parent)
      } else {
        group(languages, in: parent)
      }
    }
    groupSuffixedFolders()
  }

  /// Groups the catalogs of all languages, even if one has folders with two spellings.
  private mutating func groupCatalogs(of languages: [LanguageFolder], in parent: Int) {
    for language in languages { languageFolders[language.folder] = nil }
    for folder in tree.subfolders(of: parent)
    where LanguageName(tree.name(ofFolder: folder)) != nil {
      let files = tree.allFiles(of: folder).filter(isUndecided)
      texts += files
      assign(files, to: textGroup())
    }
  }

  private mutating func group(_ languages: [LanguageFolder], in parent: Int) {
    var place = TranslationSet(folder: parent)
    groupDefaults(of: languages, at: &place)
    let others = secondSpellings(of: languages, in: parent)
    for language in languages {
      let group = group(of: language.name.tag)
      place.groups.insert(group)
      place.folders.append(language.folder)
      assign(tree.allFiles(of: language.folder), to: group)
    }
    for other in others {
      let group = group(of: other.name.tag)
      groupSecondSpelling(other.folder, in: parent, to: group)
      place.folders.append(other.folder)
    }
    languagePlaces.append(place)
  }

  /// Returns the languages that are next to a translation in at least three folders, although their
  /// names are often other words.
  private func repeatedLanguages(of families: [[LanguageFolder]]) -> Set<LanguageMeaning> {
    var counts: [LanguageMeaning: Int] = [:]
    for folders in families {
      for folder in folders where folders.contains(where: folder.resembles) {
        counts[folder.name.tag.meaning, default: 0] += 1
      }
    }
    return Set(counts.filter { $0.value >= 3 }.keys)
  }

  /// Keeps the files of languages in their folders if a pack of a language would be too small.
  ///
  /// Catalogs are exempt: they are one pack of all languages.
  private mutating func dropSmallLanguages(_ accepted: inout [LanguageFolder]) {
    let localized = accepted.filter { !isCatalog($0) && !(separatesTexts && isText($0)) }
    var sizes: [LanguageMeaning: (count: Int, bytes: UInt64)] = [:]
    for language in localized {
      sizes[language.name.tag.meaning, default: (0, 0)].count += language.paths.count
      sizes[language.name.tag.meaning, default: (0, 0)].bytes += undecidedEstimate(
        in: language.folder)
    }
    guard !sizes.isEmpty else { return }
    let average = sizes.values.reduce(0) { $0 + $1.bytes } / UInt64(sizes.count)
    let largest = sizes.values.reduce(0) { max($0, $1.count) }
    for language in localized {
      let size = sizes[language.name.tag.meaning] ?? (0, 0)
      let isStray = size.bytes < smallest && size.count * 20 < largest
      guard average < smallest || isStray else { continue }
      languageFolders[language.folder] = nil
      accepted.removeAll { $0.folder == language.folder }
    }
  }

  /// Groups files of no language that have the same path in the pack as files of a language.
  ///
  /// They are the files of the primary language. If this language has a folder, too, the languages
  /// keep their paths, because a path must not be in two packs of a device.
  private mutating func groupDefaults(
    of languages: [LanguageFolder], at place: inout TranslationSet
  ) {
    let parent = place.folder
    let folders = languages.map { tree.allFiles(of: $0.folder) }
    let prefix = tree.path(ofFolder: parent).count
    let paths = Set(
      languages.flatMap { language in
        let start = tree.path(ofFolder: language.folder).count + 1
        return tree.allFiles(of: language.folder).map {
          stableHash(tree.path(ofFile: $0)[start...])
        }
      })
    let defaults = tree.allFiles(of: parent).filter { file in
      isUndecided(file) && !folders.contains { $0.contains(file) }
        && paths.contains(stableHash(tree.path(ofFile: file)[(prefix == 0 ? 0 : prefix + 1)...]))
    }
    guard !defaults.isEmpty else { return }
    let primary = primaryLanguage ?? LanguageTag(language: "en")
    if languages.contains(where: { $0.name.tag.isEquivalent(to: primary) }) {
      place.keepsPaths = true
      return
    }
    let group = group(of: primary)
    assign(defaults, to: group)
    place.groups.insert(group)
    place.defaults = defaults
  }

  mutating func group(of tag: LanguageTag) -> Int {
    if let index = groups.firstIndex(where: { $0.language?.isEquivalent(to: tag) ?? false }) {
      return index
    }
    return add(Group(.localized(tag), named: [], Reason(GroupingRules.localized, "")))
  }

  /// Returns the group of texts of all languages.
  mutating func textGroup() -> Int {
    if let index = groups.firstIndex(where: { $0.kind == .text }) { return index }
    return add(
      Group(
        .text, named: ["text"],
        Reason(GroupingRules.textOfAllLanguages, "texts of all languages, chosen by the app")))
  }

  func isInLanguageFolder(_ folder: Int) -> Bool {
    var folder = folder
    while folder != AssetTree.rootFolder {
      if languageFolders[folder] != nil { return true }
      folder = Int(tree.folders[folder].parent)
    }
    return false
  }

  private func isFrame(_ folder: Int) -> Bool {
    LanguageFrames.folders.contains(lowerName(ofFolder: folder))
  }

  /// Returns the subfolders with the names of languages; of several with the same meaning, only the
  /// one with the most files, or the most precise one.
  private func languageFolders(in parent: Int) -> [LanguageFolder] {
    var byMeaning: [LanguageMeaning: LanguageFolder] = [:]
    for var language in namedLanguages(in: parent) {
      language.paths = paths(in: language.folder, of: language.name.tag)
      let meaning = language.name.tag.meaning
      let other = byMeaning[meaning]
      let (count, most) = (language.paths.count, other?.paths.count ?? 0)
      let isMorePrecise = other.map { precision(of: language) > precision(of: $0) } ?? true
      if count > most || count == most && count > 0 && isMorePrecise {
        byMeaning[meaning] = language
      }
    }
    return byMeaning.values.sorted { $0.folder < $1.folder }
  }

  /// Returns a larger number for a tag with more parts, such as `pt_PT` next to `pt`, and for the
  /// usual spelling.
  private func precision(of language: LanguageFolder) -> Int {
    let name = tree.name(ofFolder: language.folder)
    guard let tag = LanguageName(name)?.tag else { return 0 }
    return 2 * LanguageName.subtags(of: name) + (name.elementsEqual(tag.description.utf8) ? 1 : 0)
  }

  /// Returns whether a selector can name a path: other selectors than patterns do not escape the
  /// characters of patterns, which are often a mistake there.
  func isPlain(_ path: ArraySlice<UInt8>) -> Bool {
    !path.contains { "*?[\\".utf8.contains($0) }
  }

  /// Returns the subfolders with the names of languages, without their paths; none if no selector
  /// can give them other paths in packs.
  func namedLanguages(in parent: Int) -> [LanguageFolder] {
    guard isPlain(tree.path(ofFolder: parent)[...]) else { return [] }
    let folders = tree.subfolders(of: parent).compactMap { folder in
      LanguageName(tree.name(ofFolder: folder)).map { LanguageFolder(folder: folder, name: $0) }
    }
    let tags = folders.map(\.name.tag)
    return folders.map { language in
      var language = language
      language.name = language.name.next(to: tags)
      return language
    }
  }

  /// Returns the hashes of the paths of undecided files below a folder of a language.
  func paths(in folder: Int, of tag: LanguageTag) -> Set<UInt64> {
    let word = LanguageWord(tag)
    let prefix = tree.path(ofFolder: folder).count + 1
    var hashes: Set<UInt64> = []
    for file in tree.allFiles(of: folder) where isUndecided(file) {
      // The packs get equal paths if only the case differs.
      hashes.insert(
        stableHash(word.starred(tree.path(ofFile: file)[prefix...]).lazy.map(\.lowercased)))
    }
    return hashes
  }

  /// Returns the folders that are translations of each other.
  ///
  /// A name that is often another word is a language only next to a certain one with the same
  /// structure, or in a folder such as `Voices`.
  private func translations(
    among folders: [LanguageFolder], isFramed: Bool, _ trusted: Set<LanguageMeaning>
  ) -> [LanguageFolder] {
    func isCertain(_ folder: LanguageFolder) -> Bool {
      folder.name.isCertain || trusted.contains(folder.name.tag.meaning)
    }
    let certain = folders.filter(isCertain)
    var found = certain.filter { folder in
      certain.contains(where: folder.resembles)
        || isFramed && folders.contains(where: folder.resembles)
    }
    let others = folders.filter { folder in
      !isCertain(folder)
        && (isFramed ? folders : found).contains(where: folder.resembles)
    }
    if found.isEmpty, !others.isEmpty {
      // A certain name without the structure of another certain name, but of these.
      found = certain.filter { folder in others.contains(where: folder.resembles) }
    }
    let all = found + others
    return all.count >= 2 ? all.sorted { $0.folder < $1.folder } : []
  }

  /// Returns folders with certain names next to accepted ones, although their files have other
  /// names: in three folders, or in a folder such as `Voices`.
  private func neighbors(
    of accepted: [LanguageFolder], _ families: [(Int, [LanguageFolder])]
  ) -> [LanguageFolder] {
    let known = Set(accepted.map(\.folder))
    var found: [LanguageMeaning: [LanguageFolder]] = [:]
    var framed: Set<LanguageMeaning> = []
    for (parent, folders) in families {
      let usual = Set(
        folders.filter { known.contains($0.folder) }.flatMap { kinds(in: $0.folder) })
      guard !usual.isEmpty else { continue }
      for folder in folders
      where folder.name.isCertain && !known.contains(folder.folder)
        && kinds(in: folder.folder).isSubset(of: usual)
      {
        found[folder.name.tag.meaning, default: []].append(folder)
        if isFrame(parent) { framed.insert(folder.name.tag.meaning) }
      }
    }
    return found.filter { $0.value.count >= 3 || framed.contains($0.key) }.values.joined()
      .sorted { $0.folder < $1.folder }
  }

  /// Returns the extensions of the undecided files in a folder, in lower case.
  func kinds(in folder: Int) -> Set<String> {
    Set(
      tree.allFiles(of: folder).filter(isUndecided).map {
        lowered(fileExtension(of: tree.name(ofFile: $0)))
      })
  }

  /// Returns folders of accepted languages at places like those of accepted folders, such as the
  /// only language of one of many levels.
  private func relatives(of accepted: [LanguageFolder]) -> [LanguageFolder] {
    let folders = Set(accepted.map(\.folder))
    var grandparents: [Int: Set<LanguageMeaning>] = [:]
    for language in accepted {
      let parent = Int(tree.folders[language.folder].parent)
      guard parent != AssetTree.rootFolder else { continue }
      grandparents[Int(tree.folders[parent].parent), default: []].insert(language.name.tag.meaning)
    }
    var found: [LanguageFolder] = []
    for (grandparent, tags) in grandparents {
      for parent in tree.subfolders(of: grandparent)
      where !isInLanguageFolder(parent) && isPlain(tree.path(ofFolder: parent)[...]) {
        let candidates = tree.subfolders(of: parent).compactMap { folder -> LanguageFolder? in
          guard !folders.contains(folder), let name = LanguageName(tree.name(ofFolder: folder)),
            tags.contains(name.tag.meaning), hasUndecided(in: folder)
          else { return nil }
          return LanguageFolder(folder: folder, name: name)
        }
        // The level has no accepted language: a subfolder with the name of one is.
        if candidates.count == 1 || candidates.contains(where: \.name.isCertain),
          tree.subfolders(of: parent).allSatisfy({ !folders.contains($0) })
        {
          found += candidates
        }
      }
    }
    return found.sorted { $0.folder < $1.folder }
  }

  private func isText(_ language: LanguageFolder) -> Bool {
    tree.allFiles(of: language.folder).filter(isUndecided).allSatisfy(isText)
  }

  /// Whether all files of a language are catalogs, whose paths contain the language by convention.
  private func isCatalog(_ language: LanguageFolder) -> Bool {
    tree.allFiles(of: language.folder).filter(isUndecided).allSatisfy { file in
      LanguageFrames.catalogs.contains(lowered(fileExtension(of: tree.name(ofFile: file))))
    }
  }
}
