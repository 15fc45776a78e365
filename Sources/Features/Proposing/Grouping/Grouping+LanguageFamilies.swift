import BAPackKit
import SystemIO
import TerminalText

/// Translations of the same files, at one or several places, in the same languages.
private struct LanguageFamily {
  var places: [TranslationSet]
  /// The group of each language.
  var groups: [Int]
  /// The files of each group, by their paths in the packs.
  var files: [Int: [[UInt8]: Int]] = [:]
}

/// A file of another language in a localized pack whose language lacks the file.
struct LanguageFill {
  var file: Int
  /// The path in the pack.
  var path: [UInt8]
}

/// The packs of languages: each family has its own packs, and these have the same paths.
///
/// A path that a few languages lack is the file of the primary language there. A language with
/// other files keeps its paths, and is not localized.
extension Grouping {
  /// The maximum number of files of another language in a localized pack.
  private static let mostFills = 64

  mutating func equalizeLanguages() {
    for var family in families() {
      // A pack of a language would be too small.
      let isOfTexts = separatesTexts && family.files.values.joined().allSatisfy { isText($0.value) }
      guard isOfTexts || estimate(of: family) / UInt64(family.groups.count) >= smallest else {
        release(family)
        continue
      }
      let name = nameOfFamily(family)
      unifyCase(&family)
      let accepted = equalLanguages(of: family)
      for group in family.groups {
        guard let tag = groups[group].language else { continue }
        guard accepted.contains(group) else {
          keepPaths(of: group, tag, in: family, named: name)
          continue
        }
        change(group) {
          $0.name = [name, tag.description.lowercased()]
          $0.reason = Reason(
            GroupingRules.localized, "same paths in \(accepted.count) languages")
        }
        if isOfTexts { separateTexts[group] = estimate(of: family) <= small }
      }
      fill(accepted, of: family)
    }
    languagePlaces = languagePlaces.filter { place in
      place.groups.contains { groups[$0].count > 0 && groups[$0].language != nil }
    }
    let isLocalized = groups.contains { $0.count > 0 && $0.language != nil }
    if !isLocalized { packsLanguage = primaryLanguage }
  }

  /// Returns the families; each language has one group in each of them.
  private mutating func families() -> [LanguageFamily] {
    var families: [LanguageFamily] = []
    for place in languagePlaces {
      let known = families.firstIndex { $0.places[0].groups == place.groups }
      if let known {
        families[known].places.append(place)
      } else {
        families.append(LanguageFamily(places: [place], groups: place.groups.sorted()))
      }
    }
    var used: Set<Int> = []
    for index in families.indices {
      for (number, old) in families[index].groups.enumerated() {
        var group = old
        if let tag = groups[old].language, !used.insert(old).inserted {
          group = add(Group(.localized(tag), named: [], groups[old].reason))
          families[index].groups[number] = group
        }
        for file in files(of: old, at: families[index].places) {
          if group != old { move(file, to: group) }
          families[index].files[group, default: [:]][pathInPack(of: file)] = file
        }
      }
      for place in families[index].places.indices {
        families[index].places[place].groups = Set(families[index].groups)
      }
    }
    languagePlaces = families.flatMap(\.places)
    return families
  }

  /// Returns the files of a group at some places.
  private func files(of group: Int, at places: [TranslationSet]) -> [Int] {
    places.flatMap { place in
      place.folders.flatMap { tree.allFiles(of: $0) } + place.files + place.defaults
    }.filter { self.group(of: $0) == group }
  }

  private func estimate(of family: LanguageFamily) -> UInt64 {
    family.groups.reduce(0) { $0 + groups[$1].estimate }
  }

  /// Returns the files of a family to their folders.
  private mutating func release(_ family: LanguageFamily) {
    for folder in family.places.flatMap(\.folders) { languageFolders[folder] = nil }
    for file in family.files.values.flatMap(\.values) {
      renamedFiles[file] = nil
      undecide(file)
    }
  }

  /// Returns the path of a file in its pack.
  private func pathInPack(of file: Int) -> [UInt8] {
    if let path = renamedFiles[file] { return path }
    let path = tree.path(ofFile: file)
    var folder = Int(tree.files[file].folder)
    while folder != AssetTree.rootFolder {
      if let target = languageFolders[folder] {
        let rest = path.dropFirst(tree.path(ofFolder: folder).count + 1)
        return target.isEmpty ? Array(rest) : target + [slash] + rest
      }
      folder = Int(tree.folders[folder].parent)
    }
    return path
  }

  /// Returns the common name of the folders with the languages; `language` for several names.
  private func nameOfFamily(_ family: LanguageFamily) -> String {
    let names = Set(family.places.map { lowerName(ofFolder: $0.folder) })
    guard names.count == 1, let name = names.first, !PackNames.sanitized(name).isEmpty else {
      return "language"
    }
    return name
  }

  /// Gives files whose paths differ only by case the same path: that of most languages.
  private mutating func unifyCase(_ family: inout LanguageFamily) {
    var spellings: [[UInt8]: [[UInt8]: Int]] = [:]
    for path in family.files.values.joined().map(\.key) {
      spellings[path.map(\.lowercased), default: [:]][path, default: 0] += 1
    }
    spellings = spellings.filter { $0.value.count > 1 }
    guard !spellings.isEmpty else { return }
    let primary = family.groups.first { isPrimary($0) } ?? family.groups[0]
    for (group, files) in family.files {
      for (path, file) in files {
        guard let own = spellings[path.map(\.lowercased)] else { continue }
        func rank(_ path: [UInt8]) -> (Int, Int, String) {
          let isOfPrimary = family.files[primary]?[path] != nil
          return (own[path] ?? 0, isOfPrimary ? 1 : 0, String(decoding: path, as: UTF8.self))
        }
        guard let usual = own.keys.max(by: { rank($0) < rank($1) }), usual != path,
          files[usual] == nil,
          isPlain(tree.path(ofFile: file)[...]), isPlain(usual[...])
        else { continue }
        renamedFiles[file] = usual
        family.files[group]?[path] = nil
        family.files[group]?[usual] = file
      }
    }
  }

  private func isPrimary(_ group: Int) -> Bool {
    guard let tag = groups[group].language, let packsLanguage else { return false }
    return tag.isEquivalent(to: packsLanguage)
  }

  /// Returns the groups whose packs can have the same paths; none if there are not two.
  private func equalLanguages(of family: LanguageFamily) -> [Int] {
    guard options.localizes, let primary = family.groups.first(where: isPrimary),
      !family.places.contains(where: \.keepsPaths)
    else { return [] }
    func paths(_ group: Int) -> Set<[UInt8]> { Set(family.files[group, default: [:]].keys) }
    let reference = paths(primary)
    let canBeSources = reference.allSatisfy { isPlain($0[...]) }
    var accepted = family.groups.filter { group in
      let own = paths(group)
      if own == reference { return true }
      let different = own.symmetricDifference(reference)
      return canBeSources && different.count * 2 <= reference.count
        && different.count <= Self.mostFills && different.allSatisfy { isPlain($0[...]) }
    }
    // The paths that only some languages have are missing in the others.
    while accepted.count > 1 {
      let all = accepted.reduce(into: Set<[UInt8]>()) { $0.formUnion(paths($1)) }
      let worst = accepted.max { paths($1).count < paths($0).count } ?? primary
      let missing = all.count - paths(worst).count
      if missing * 2 <= all.count, missing <= Self.mostFills { break }
      // The language with the most own paths, or without the most paths, is different.
      let different = accepted.filter { $0 != primary }.max {
        (paths($0).subtracting(reference).count, $0) < (paths($1).subtracting(reference).count, $1)
      }
      accepted.removeAll { $0 == different }
    }
    return accepted.count > 1 ? accepted : []
  }

  /// Adds the files that a language lacks: those of the primary language, or of another one.
  private mutating func fill(_ accepted: [Int], of family: LanguageFamily) {
    let order = accepted.filter(isPrimary) + accepted.filter { !isPrimary($0) }
    var sources: [[UInt8]: Int] = [:]
    for group in order {
      sources.merge(family.files[group, default: [:]]) { first, _ in first }
    }
    for group in accepted {
      let own = family.files[group, default: [:]]
      guard own.count < sources.count else { continue }
      fills[group] = sources.filter { own[$0.key] == nil }
        .map { LanguageFill(file: $0.value, path: $0.key) }.sorted { $0.file < $1.file }
    }
  }

  /// Gives the files of a language their own paths, in a pack that the app requests.
  private mutating func keepPaths(
    of group: Int, _ tag: LanguageTag, in family: LanguageFamily, named name: String
  ) {
    for folder in family.places.flatMap(\.folders) where owner(ofFolder: folder) == group {
      languageFolders[folder] = nil
    }
    for file in family.files[group, default: [:]].values { renamedFiles[file] = nil }
    let isPrimary = isPrimary(group)
    change(group) {
      $0.kind = .translation(isPrimary: isPrimary)
      $0.name = [name, tag.description.lowercased()]
      $0.reason = Reason(
        GroupingRules.ownPaths, "the language '\(tag)' with its own paths: the app chooses it")
    }
  }

  private func owner(ofFolder folder: Int) -> Int? {
    tree.allFiles(of: folder).lazy.compactMap { self.group(of: $0) }.first
  }

  /// Decides whether the app cannot start without the files of its language: they are most of its
  /// files.
  mutating func decideStart() {
    let primary = groups.indices.filter { isPrimary($0) || groups[$0].isTranslationOfPrimary }
      .reduce(0) { $0 + groups[$1].estimate }
    let others = groups.filter { group in
      if case .translation = group.kind { return false }
      return group.language == nil
    }
    let size = others.reduce(0) { $0 + $1.estimate }
    startsInLanguage =
      primary > size && coreEstimate + primary <= options.essentialLimit
    guard startsInLanguage else { return }
    for group in groups.indices
    where groups[group].language != nil || groups[group].isTranslationOfPrimary {
      change(group) { $0.reason.text += ", with most files that the first screen needs" }
    }
  }
}
