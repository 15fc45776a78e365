import SourceDiagnostics

/// The rules about the manifests of all packs of an app.
enum PacksTogetherRules {
  static let all: [Rule] = [
    sameID, similarIDs, BudgetRules.tooMany, primaryLanguage,
  ]

  static let sameID = Rule(
    "packs.same-id",
    what: "Two manifests have the same 'assetPackID'.",
    why: """
      The packs of an app share one namespace. The second pack would replace the first one, both \
      on disk and in App Store Connect.
      """,
    example: .init(
      wrong: #""assetPackID": "Tutorial""#, right: #""assetPackID": "Tutorial-2""#))

  static func sameID(_ id: String, at span: SourceSpan?, first: String) -> Finding {
    sameID.finding(
      "the ID '\(id)' is already used by another manifest", at: span,
      notes: ["the other manifest is \(path: first)"])
  }

  static let similarIDs = Rule(
    "packs.similar-ids", .always(.warning),
    what: "Two manifests have IDs that look identical but have different bytes.",
    why: SimilarIDs.why,
    example: .init(
      wrong: #""assetPackID": "café" and "assetPackID": "cafe\u0301""#,
      right: #""assetPackID": "cafe""#))

  static func similarIDs(
    _ id: PackID, _ other: PackID, at span: SourceSpan?, first: String
  ) -> Finding {
    SimilarIDs.finding(
      similarIDs, id, other, at: span, notes: ["the other manifest is \(path: first)"])
  }

  static let primaryLanguage = Rule(
    "packs.primary-language", .always(.warning),
    what: "Localized packs exist, but none has the app's primary language.",
    why: """
      If no pack matches a device's languages, the device downloads the pack in the primary \
      language, which is set in App Store Connect. Without such a pack, the device downloads no \
      localized pack. Languages are compared by their likely subtags: 'en' matches 'en-US', but no \
      other region.
      """,
    remedies: [.specifyPrimaryLanguage],
    example: .init(
      wrong: #"voices-fr with "language": "fr" alone, where the primary language is en"#,
      right: #"voices-fr, and voices-en with "language": "en""#))

  /// Returns the findings about localized packs without a pack in the primary language, each with
  /// the index of a pack.
  ///
  /// - Parameter families: The groups of packs with the same content. If nil, packs whose IDs
  ///   differ only in the language form a group.
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
      // The files of some packs are unknown. One of these may be the pack in the primary language.
      let known = Set(families.joined())
      if localized.contains(where: { !known.contains($0) && serves($0) }) { return [] }
      // A pack with different files belongs to the packs whose IDs differ from its ID only in the
      // language.
      let served = Set(named.filter { $0.count > 1 && $0.contains(where: serves) }.joined())
      groups.removeAll { group in
        group.count == 1 && served.contains(group[0])
          && documents[group[0]].localizedFamily != nil
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
  /// The ID without its language, for example 'intro-movie' for 'intro-movie-fr'; nil if the ID
  /// does not end in the pack's language.
  var localizedFamily: String? {
    guard let id = assetPackID, let language = manifest?.language else { return nil }
    let separators = [UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: ".")]
    let bytes = Array(id.utf8)
    let word = LanguageWord(language)
    // The longest suffix that matches the language counts: 'zh-Hant' before 'Hant'.
    for place in bytes.indices.dropFirst() where separators.contains(bytes[place]) {
      if word.starred(bytes[(place + 1)...]) == [UInt8(ascii: "*")] {
        return String(decoding: bytes[..<place], as: UTF8.self)
      }
    }
    return nil
  }
}
