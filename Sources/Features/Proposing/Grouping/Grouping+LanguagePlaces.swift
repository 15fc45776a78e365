import BAPackKit
import SystemIO
import TerminalText

/// Files that are translations of each other: folders next to each other, or files in one folder.
struct TranslationSet {
  /// The folder that contains them.
  var folder: Int
  var groups: Set<Int> = []
  var folders: [Int] = []
  /// The files with languages in their names.
  var files: [Int] = []
  /// The files without a language, which are those of the primary language.
  var defaults: [Int] = []
  /// Whether the files cannot have the same paths in packs.
  var keepsPaths = false
}

// MARK: - Second spellings

extension Grouping {
  /// Returns further folders of accepted languages: `english` next to `en`.
  func secondSpellings(
    of languages: [LanguageFolder], in parent: Int
  ) -> [LanguageFolder] {
    namedLanguages(in: parent).compactMap { other in
      guard !languages.contains(where: { $0.folder == other.folder }),
        hasUndecided(in: other.folder),
        let same = languages.first(where: { $0.name.tag.isEquivalent(to: other.name.tag) }),
        other.name.isCertain || kinds(in: other.folder).isSubset(of: kinds(in: same.folder))
      else { return nil }
      return LanguageFolder(folder: other.folder, name: same.name)
    }
  }

  /// The reason for files of a language that another folder or file of the language replaces.
  static let replacedPhrase = "files of a language that its region or another spelling replaces"

  /// Groups a further folder of a language.
  ///
  /// Of files with one path in the pack, that of the region is used, such as of `en_US` next to
  /// `en`; without a region, that of the first folder.
  mutating func groupSecondSpelling(_ folder: Int, in parent: Int, to group: Int) {
    // Without other paths in the packs, no two files have the same one.
    let mapped = tree.subfolders(of: parent).filter { languageFolders[$0] != nil }
    var taken: [UInt64: (file: Int, subtags: Int)] = [:]
    for other in mapped {
      let start = tree.path(ofFolder: other).count
      let subtags = LanguageName.subtags(of: tree.name(ofFolder: other))
      for file in tree.allFiles(of: other) where self.group(of: file) == group {
        taken[foldedHash(tree.path(ofFile: file)[start...])] = (file, subtags)
      }
    }
    let subtags = LanguageName.subtags(of: tree.name(ofFolder: folder))
    let start = tree.path(ofFolder: folder).count
    var isUsed = false
    for file in tree.allFiles(of: folder) where isUndecided(file) {
      let rival = taken[foldedHash(tree.path(ofFile: file)[start...])]
      if let rival, rival.subtags >= subtags {
        leaveOut(file, LeftOutRules.secondSpelling, Self.replacedPhrase)
        continue
      }
      if let rival { leaveOut(rival.file, LeftOutRules.secondSpelling, Self.replacedPhrase) }
      assign(file, to: group)
      isUsed = true
    }
    if isUsed, !mapped.isEmpty { languageFolders[folder] = tree.path(ofFolder: parent) }
  }

  /// Returns a hash that ignores the case of ASCII letters, as most devices do.
  private func foldedHash(_ path: ArraySlice<UInt8>) -> UInt64 {
    stableHash(path.lazy.map(\.lowercased))
  }
}

// MARK: - The primary language

extension Grouping {
  /// Chooses the primary language of the localized packs.
  ///
  /// A device without a pack in its languages gets the files of the primary language. Translations
  /// that have no language in common with it, directly or through others, are one pack.
  mutating func choosePrimaryLanguage() {
    languages = groups.filter { $0.count > 0 }.compactMap(\.language)
    let components = connectedPlaces()
    let chosen = primaryGroup(in: components)
    packsLanguage = chosen.flatMap { groups[$0].language } ?? primaryLanguage
    if let primaryLanguage, packsLanguage?.isEquivalent(to: primaryLanguage) ?? false {
      packsLanguage = primaryLanguage
    }
    for places in components
    where chosen.map({ group in !places.contains { $0.groups.contains(group) } }) ?? true {
      keepTogether(places)
    }
  }

  /// Returns the places with common languages, in the order of their folders.
  private func connectedPlaces() -> [[TranslationSet]] {
    var components: [(groups: Set<Int>, places: [TranslationSet])] = []
    for place in languagePlaces {
      let joined = components.filter { !$0.groups.isDisjoint(with: place.groups) }
      components.removeAll { !$0.groups.isDisjoint(with: place.groups) }
      components.append(
        (
          joined.reduce(into: place.groups) { $0.formUnion($1.groups) },
          joined.flatMap(\.places) + [place]
        ))
    }
    return components.map(\.places)
  }

  /// Returns the group of the primary language: that of the setting, or English unless it lacks
  /// most files, or the language with the most files.
  private func primaryGroup(in components: [[TranslationSet]]) -> Int? {
    let localized = groups.indices.filter { groups[$0].language != nil && groups[$0].count > 0 }
    if let setting = primaryLanguage {
      return localized.first { groups[$0].language?.isEquivalent(to: setting) ?? false }
        ?? localized.first { groups[$0].language?.isAnotherRegion(of: setting) ?? false }
    }
    func largest(_ candidates: [Int]) -> Int? {
      candidates.max {
        (groups[$0].count, groups[$1].language?.description ?? "")
          < (groups[$1].count, groups[$0].language?.description ?? "")
      }
    }
    let english =
      localized.first { groups[$0].language?.isEquivalent(to: .init(language: "en")) ?? false }
      ?? largest(localized.filter { groups[$0].language?.language == "en" })
    guard let english else { return largest(localized) }
    let others = components.filter { $0.contains { $0.groups.contains(english) } }.joined()
      .reduce(into: Set()) { $0.formUnion($1.groups) }
    let most = others.map { groups[$0].count }.max() ?? 0
    return groups[english].count * 2 >= most ? english : largest(localized)
  }

  /// Groups translations without the primary language, with their own paths.
  private mutating func keepTogether(_ places: [TranslationSet]) {
    let languages = places.reduce(into: Set()) { $0.formUnion($1.groups) }
    let tags = languages.compactMap { groups[$0].language?.description }.sorted()
    let names = Set(places.map { lowerName(ofFolder: $0.folder) })
    let name = names.count == 1 ? names.first ?? "" : ""
    let primary = packsLanguage.map { " '\($0)'" } ?? ""
    let group = add(
      Group(
        .folder, named: [name.isEmpty ? "languages" : name],
        Reason(
          GroupingRules.otherLanguages,
          "\(tags.joined(separator: ", ")), without the primary language\(primary)")))
    for place in places {
      for folder in place.folders { languageFolders[folder] = nil }
      for file in place.files { renamedFiles[file] = nil }
    }
    for file in tree.files.indices {
      guard let own = self.group(of: file), languages.contains(own) else { continue }
      move(file, to: group)
    }
    languagePlaces.removeAll { !$0.groups.isDisjoint(with: languages) }
  }
}
