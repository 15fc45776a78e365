package import BAPackKit

/// Packs that are the same for several languages, and the files that some of them lack.
package struct LanguageFamily: Sendable, Equatable {
  /// What the IDs have in common, with a star for the language: `voices-*`.
  package var name: String
  /// The languages, in order of their tags.
  package var languages: [LanguageTag]
  /// How many files each language has.
  package var counts: [Int]
  /// How many different files all of them have together.
  package var files: Int
  /// Files that not every language has, in order of their paths.
  package var gaps: [Gap]

  /// A file that not every language has.
  package struct Gap: Sendable, Equatable {
    /// Its path, with a star where the language stands in it.
    package var path: [UInt8]
    /// The places of the languages that lack it.
    package var lacking: [Int]
  }

  /// The families of packs for at least two languages.
  package static func all(in inventory: Inventory) -> [LanguageFamily] {
    var packs: [String: [(language: LanguageTag, contents: PackContents)]] = [:]
    for pack in inventory.packs {
      guard let language = pack.language, let contents = pack.contents else { continue }
      let tag = Array(language.description.utf8)
      let name = String(decoding: starred(Array(pack.id.text.utf8)[...], tag), as: UTF8.self)
      packs[name, default: []].append((language, contents))
    }
    return packs.sorted { $0.key < $1.key }.compactMap { LanguageFamily(named: $0, $1) }
  }

  private init?(
    named name: String, _ packs: [(language: LanguageTag, contents: PackContents)]
  ) {
    languages = packs.map(\.language).inOrder
    if languages.count < 2 { return nil }
    self.name = name
    var places: [LanguageMeaning: Int] = [:]
    for (place, language) in languages.enumerated() { places[language.meaning] = place }
    var holders: [[UInt8]: Set<Int>] = [:]
    for pack in packs {
      guard let place = places[pack.language.meaning] else { continue }
      let tag = Array(pack.language.description.utf8)
      for file in 0..<pack.contents.count {
        holders[Self.starred(pack.contents[file], tag), default: []].insert(place)
      }
    }
    counts = Array(repeating: 0, count: languages.count)
    for place in holders.values.joined() { counts[place] += 1 }
    files = holders.count
    let all = languages.indices
    gaps =
      holders.filter { $0.value.count < all.count }
      .map { path, places in Gap(path: path, lacking: all.filter { !places.contains($0) }) }
      .sorted { $0.path.lexicographicallyPrecedes($1.path) }
  }

  /// A name with a star for each word of it that is the language: between signs that are no letters.
  private static func starred(_ name: ArraySlice<UInt8>, _ tag: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    var index = name.startIndex
    while index < name.endIndex {
      let end = index + tag.count
      let isWord =
        (index == name.startIndex || !isLetter(name[index - 1])) && end <= name.endIndex
        && (end == name.endIndex || !isLetter(name[end]))
      if isWord, zip(name[index..<end], tag).allSatisfy(isSame) {
        result.append(UInt8(ascii: "*"))
        index = end
      } else {
        result.append(name[index])
        index += 1
      }
    }
    return result
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
      || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || byte >= 0x80
  }

  /// Whether two bytes are the same letter, in whatever case; `_` stands for `-`.
  private static func isSame(_ left: UInt8, _ right: UInt8) -> Bool {
    let (hyphen, underscore) = (UInt8(ascii: "-"), UInt8(ascii: "_"))
    return left == right || (left == underscore && right == hyphen)
      || (left ^ right == 0x20 && UInt8(ascii: "a")...UInt8(ascii: "z") ~= left | 0x20)
  }
}
