/// The language of localized packs that matches the preferences of a device best.
///
/// A device has one language for all packs, not one for each pack.
package struct LanguageChoice: Sendable, Equatable {
  /// The kind of match between a preference and a language.
  package enum Match: Sendable, Equatable {
    /// The language is equivalent to the preference.
    case equivalent
    /// The same language and script, for another region.
    case otherRegion
    /// The parent language in CLDR, or a child language.
    case parent
    /// No preference has a pack, so the app's primary language is used.
    case primary
    /// No preference has a pack, and the primary language has none.
    case none
  }

  /// The language, in the spelling of the packs; nil if no language matches.
  package let language: LanguageTag?
  /// The matching preference; the first one if none matches.
  package let wanted: LanguageTag?
  /// The kind of match.
  package let match: Match
  /// Whether an earlier preference has no pack.
  package let isLaterPreference: Bool

  /// Chooses from the languages of the localized packs that are offered to a device.
  package init(
    among languages: some Sequence<LanguageTag>, preferring preferences: [LanguageTag],
    primary: LanguageTag?
  ) {
    self.init(among: LanguageCandidates(languages), preferring: preferences, primary: primary)
  }

  /// Chooses from candidates.
  package init(
    among candidates: LanguageCandidates, preferring preferences: [LanguageTag],
    primary: LanguageTag?
  ) {
    for (place, wanted) in preferences.enumerated() where !candidates.tags.isEmpty {
      guard let (language, match) = Self.find(wanted, among: candidates) else { continue }
      self.init(language, wanted, match, isLater: place > 0)
      return
    }
    let first = candidates.tags.isEmpty ? nil : preferences.first
    if let found = primary.flatMap(candidates.equivalent) {
      self.init(found, first, .primary, isLater: false)
    } else {
      self.init(nil, first, .none, isLater: false)
    }
  }

  private init(_ language: LanguageTag?, _ wanted: LanguageTag?, _ match: Match, isLater: Bool) {
    self.language = language
    self.wanted = wanted
    self.match = match
    isLaterPreference = isLater
  }

  /// Returns the language that matches a preference; nil if none does.
  ///
  /// An equivalent language has priority, then the same language for another region, then a parent
  /// or child language.
  private static func find(
    _ wanted: LanguageTag, among candidates: LanguageCandidates
  ) -> (LanguageTag, Match)? {
    if let same = candidates.equivalent(to: wanted) { return (same, .equivalent) }
    let related = candidates.regions(of: wanted)
    if let first = related.first {
      return (nearest(to: wanted, among: related) ?? first, .otherRegion)
    }
    return candidates.parentOrChild(of: wanted).map { ($0, .parent) }
  }

  /// Returns the nearest candidate: an ancestor, or else one with the nearest common ancestor, or
  /// else the one for the default region.
  private static func nearest(
    to wanted: LanguageTag, among related: [LanguageTag]
  ) -> LanguageTag? {
    let lines = related.map { (tag: $0, ancestors: [$0.minimized] + $0.ancestors) }
    // The language alone is common to all candidates.
    for ancestor in wanted.ancestors where ancestor.region != nil {
      if let found = related.first(where: { $0.isEquivalent(to: ancestor) }) { return found }
      if let found = lines.first(where: { $0.ancestors.contains(ancestor) }) { return found.tag }
    }
    let usual = LanguageTag(language: wanted.language, script: wanted.maximized.script)
    return related.first { $0.isEquivalent(to: usual) }
  }
}
