/// What a language tag means, however it is spelled: the tag with its likely script and region.
///
/// `en`, `en-US` and `en-Latn-US` mean the same. Languages are compared by their meaning, as devices
/// compare them; `==` of tags compares the spelling.
package struct LanguageMeaning: Sendable, Hashable {
  /// The tag with its usual script and region.
  package let full: LanguageTag

  fileprivate init(_ tag: LanguageTag) { full = LikelySubtags.complete(tag) }
}

extension LanguageTag {
  /// What the tag means.
  package var meaning: LanguageMeaning { LanguageMeaning(self) }

  /// The tag with its usual script and region: `en` is `en-Latn-US`.
  package var maximized: LanguageTag { meaning.full }

  /// The shortest tag that means the same: `zh-Hant-TW` is `zh-TW`.
  package var minimized: LanguageTag {
    let full = maximized
    let shorter = [
      LanguageTag(language: full.language),
      LanguageTag(language: full.language, region: full.region),
      LanguageTag(language: full.language, script: full.script),
    ]
    return shorter.first { $0.maximized == full } ?? full
  }

  /// Whether both mean the same: `en`, `en-US` and `en-Latn-US`.
  package func isEquivalent(to other: LanguageTag) -> Bool {
    if self == other { return true }
    // Most tags differ in the language alone, which needs no table of scripts.
    guard LikelySubtags.canonical(language) == LikelySubtags.canonical(other.language) else {
      return false
    }
    return meaning == other.meaning
  }

  /// Whether both are the same language in the same script: `en-GB` and `en-US`.
  package func isAnotherRegion(of other: LanguageTag) -> Bool {
    let (full, second) = (maximized, other.maximized)
    return full.language == second.language && full.script == second.script
  }

  /// Whether CLDR names one of the languages as the parent of the other, in the same script: `nb` and
  /// `no`.
  package func isParentOrChild(of other: LanguageTag) -> Bool {
    let (full, second) = (maximized, other.maximized)
    return full.script == second.script
      && (LikelySubtags.parent(ofLanguage: full.language) == second.language
        || LikelySubtags.parent(ofLanguage: second.language) == full.language)
  }

  /// Its relatives, the nearest first: of `es-MX` these are `es-419` and `es`.
  package var ancestors: [LanguageTag] {
    let full = maximized
    // CLDR leaves a script out where it is the usual one.
    let usual = LanguageTag(language: full.language).maximized.script
    let script = usual == full.script ? nil : full.script
    var tag = LanguageTag(language: full.language, script: script, region: full.region)
    var found: [LanguageTag] = []
    while let parent = LikelySubtags.parent(tag), !found.contains(parent) {
      found.append(parent)
      tag = parent
    }
    return found
  }
}

extension LanguageTag? {
  /// Whether both mean the same, or neither names a language.
  package func isEquivalent(to other: LanguageTag?) -> Bool {
    guard let self, let other else { return self == nil && other == nil }
    return self.isEquivalent(to: other)
  }

  /// Whether a pack for this language is for a device of another: a pack without a language is for all.
  package func serves(_ device: LanguageTag?) -> Bool {
    self == nil || isEquivalent(to: device)
  }

  /// Whether packs for both languages are for one device.
  package func mayMeet(_ other: LanguageTag?) -> Bool { serves(other) || other.serves(self) }
}

extension Sequence<LanguageTag> {
  /// The first tag of each meaning, in the same order.
  package var firstOfEachMeaning: [LanguageTag] {
    var seen: Set<LanguageMeaning> = []
    return filter { seen.insert($0.meaning).inserted }
  }

  /// One tag of each meaning, the first by spelling, in the order of their spelling.
  package var inOrder: [LanguageTag] {
    sorted { $0.description.utf8.lexicographicallyPrecedes($1.description.utf8) }
      .firstOfEachMeaning
  }
}
