package import BAPackKit

/// Packs of several languages that correspond to each other, and the files that some of them lack.
package struct LanguageFamily: Sendable, Equatable {
  /// The common part of the IDs, with an asterisk for the language: `voices-*`; otherwise the IDs.
  package var name: String
  /// The languages, in the order of their tags.
  package var languages: [LanguageTag]
  /// The number of files of each language.
  package var counts: [Int]
  /// The number of different files in all languages.
  package var files: Int
  /// The files that some languages lack, in the order of their paths.
  package var gaps: [Gap]

  /// A file that some languages lack.
  package struct Gap: Sendable, Equatable {
    /// The path, with an asterisk in place of the language.
    package var path: AssetPath
    /// The indices of the languages that lack it.
    package var lacking: [Int]
  }

  /// Returns the families of packs for at least two languages.
  package static func all(in inventory: Inventory) -> [LanguageFamily] {
    let families = LanguageFamilies(of: inventory.packs.map { ($0.language, $0.contents) })
    return families.groups.compactMap { group in
      let packs = group.compactMap { number -> (language: LanguageTag, contents: PackContents)? in
        let pack = inventory.packs[number]
        guard let language = pack.language, let contents = pack.contents else { return nil }
        return (language, contents)
      }
      return LanguageFamily(named: name(of: group.map { inventory.packs[$0] }), packs)
    }.sorted { $0.name < $1.name }
  }

  /// Returns the common part of the IDs, or the IDs if there is none.
  private static func name(of packs: [InventoryPack]) -> String {
    var names: [String] = []
    for pack in packs {
      let id = Array(pack.id.text.utf8)
      let name = pack.language.map { LanguageWord($0).starred(id[...]) } ?? id
      let text = String(decoding: name, as: UTF8.self)
      if !names.contains(text) { names.append(text) }
    }
    let most = 5
    return names.prefix(most).joined(separator: ", ") + (names.count > most ? ", …" : "")
  }

  private init?(
    named name: String, _ packs: [(language: LanguageTag, contents: PackContents)]
  ) {
    languages = packs.map(\.language).inOrder
    if languages.count < 2 { return nil }
    self.name = name
    var places: [LanguageMeaning: Int] = [:]
    for (place, language) in languages.enumerated() { places[language.meaning] = place }
    var holders: [AssetPath: Set<Int>] = [:]
    for pack in packs {
      guard let place = places[pack.language.meaning] else { continue }
      let word = LanguageWord(pack.language)
      for file in 0..<pack.contents.count {
        holders[word.starred(pack.contents[file]), default: []].insert(place)
      }
    }
    counts = Array(repeating: 0, count: languages.count)
    for place in holders.values.joined() { counts[place] += 1 }
    files = holders.count
    let all = languages.indices
    gaps =
      holders.filter { $0.value.count < all.count }
      .map { path, places in Gap(path: path, lacking: all.filter { !places.contains($0) }) }
      .sorted { $0.path < $1.path }
  }
}
