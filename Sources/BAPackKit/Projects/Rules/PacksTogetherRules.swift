import SourceDiagnostics

/// What can be wrong with the packs of an app when their manifests are seen together.
enum PacksTogetherRules {
  static let all: [Rule] = [
    sameID, similarIDs, BudgetRules.tooMany, primaryLanguage,
  ]

  /// Two packs of an app have two IDs.
  static let sameID = Rule(
    "packs.same-id",
    what: "Two manifests have the same 'assetPackID'.",
    why: """
      The packs of an app share one space of names: the second would replace the first, on disk \
      and in App Store Connect.
      """,
    example: .init(
      wrong: #""assetPackID": "Tutorial""#, right: #""assetPackID": "Tutorial-2""#))

  static func sameID(_ id: String, at span: SourceSpan?, first: String) -> Finding {
    sameID.finding(
      "the ID '\(id)' is taken by another manifest", at: span,
      notes: ["the other one is \(path: first)"])
  }

  /// IDs that a person cannot tell apart are told apart by devices.
  static let similarIDs = Rule(
    "packs.similar-ids", .always(.warning),
    what: "Two manifests have IDs that look alike and have other bytes.", why: SimilarIDs.why,
    example: .init(
      wrong: #""assetPackID": "café" and "assetPackID": "cafe\u0301""#,
      right: #""assetPackID": "cafe""#))

  static func similarIDs(
    _ id: PackID, _ other: PackID, at span: SourceSpan?, first: String
  ) -> Finding {
    SimilarIDs.finding(
      similarIDs, id, other, at: span, notes: ["the other one is \(path: first)"])
  }

  /// Localized packs come with one for those whose language is not among them.
  static let primaryLanguage = Rule(
    "packs.primary-language", .always(.warning),
    what: "There are localized packs, and none of them has the app's primary language.",
    why: """
      A device whose languages match no pack takes the one in the primary language, which is set \
      in App Store Connect. Without it such a device gets nothing. Languages are compared by their \
      likely subtags: 'en' matches 'en-US', but no other region.
      """,
    remedies: [.namePrimaryLanguage],
    example: .init(
      wrong: #"voices-fr with "language": "fr" alone, where the primary language is en"#,
      right: #"voices-fr, and voices-en with "language": "en""#))

  /// The findings about localized packs without a sibling in the primary language, each with the
  /// index of a pack.
  ///
  /// `families` are the groups of packs that hold the same content. Where they are not known, IDs
  /// that differ only by the language stand for them.
  static func primaryLanguage(
    _ documents: [ManifestDocument], primary: LanguageTag, families: [[Int]]? = nil
  ) -> [(index: Int, finding: Finding)] {
    func serves(_ index: Int) -> Bool {
      documents[index].manifest?.language?.isEquivalent(to: primary) ?? false
    }
    let localized = documents.indices.filter { documents[$0].manifest?.language != nil }
    let named = Dictionary(grouping: localized) { documents[$0].localizedFamily }.values
      .sorted { $0[0] < $1[0] }
    var groups = families ?? named
    if let families, localized.contains(where: serves) {
      // The files of some packs are unknown, and one of these packs may be the sibling.
      let known = Set(families.joined())
      if localized.contains(where: { !known.contains($0) && serves($0) }) { return [] }
      // A pack with files of its own has a sibling if its ID says so.
      groups.removeAll { group in
        group.count == 1 && documents[group[0]].localizedFamily != nil
          && named.contains { $0.count > 1 && $0.contains(group[0]) && $0.contains(where: serves) }
      }
    } else if families != nil {
      groups = localized.isEmpty ? [] : [localized]
    }
    return groups.filter { !$0.contains(where: serves) }.map { group in
      let packs: Finding.Message
      if families != nil, group.count == localized.count {
        packs = "no localized pack"
      } else if let name = documents[group[0]].localizedFamily,
        group.allSatisfy({ documents[$0].localizedFamily == name })
      {
        packs = "no pack of '\(path: name)'"
      } else if families == nil {
        packs = "no localized pack"
      } else {
        let names = group.prefix(5).map { documents[$0].assetPackID ?? documents[$0].source.name }
        packs = "no pack with the files of \(Finding.list(names))"
      }
      return (
        group[0],
        primaryLanguage.finding(
          "\(packs) has the primary language '\(primary)'",
          at: documents[group[0]].locations.language)
      )
    }
  }
}

extension ManifestDocument {
  /// The ID without its language: 'intro-movie' for 'intro-movie-fr'; nil if the ID does not end in
  /// the pack's language.
  var localizedFamily: String? {
    guard let id = assetPackID, let language = manifest?.language else { return nil }
    let separators = [UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: ".")]
    let bytes = Array(id.utf8)
    let word = LanguageWord(language)
    // The longest ending that is the language counts: 'zh-Hant' before 'Hant'.
    for place in bytes.indices.dropFirst() where separators.contains(bytes[place]) {
      if word.starred(bytes[(place + 1)...]) == [UInt8(ascii: "*")] {
        return String(decoding: bytes[..<place], as: UTF8.self)
      }
    }
    return nil
  }
}
