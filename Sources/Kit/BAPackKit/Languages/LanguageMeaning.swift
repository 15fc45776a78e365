/// The meaning of a language tag, independent of its spelling: the tag with its likely script and
/// region.
///
/// `en`, `en-US` and `en-Latn-US` have the same meaning. Languages are compared by their meaning,
/// as on devices. The operator `==` of tags compares the spelling.
package struct LanguageMeaning: Sendable, Hashable {
  /// The tag with its likely script and region.
  package let full: LanguageTag

  fileprivate init(_ tag: LanguageTag) { full = LikelySubtags.complete(tag) }
}

extension LanguageTag {
  package var meaning: LanguageMeaning { LanguageMeaning(self) }

  /// The tag with its likely script and region: `en-Latn-US` for `en`.
  package var maximized: LanguageTag { meaning.full }

  /// The shortest tag with the same meaning: `zh-TW` for `zh-Hant-TW`.
  package var minimized: LanguageTag {
    let full = maximized
    let shorter = [
      LanguageTag(language: full.language),
      LanguageTag(language: full.language, region: full.region),
      LanguageTag(language: full.language, script: full.script),
    ]
    return shorter.first { $0.maximized == full } ?? full
  }

  /// Returns whether both tags have the same meaning, such as `en` and `en-US`.
  package func isEquivalent(to other: LanguageTag) -> Bool {
    if self == other { return true }
    // Most tags differ in the language. This comparison needs no table of scripts.
    guard LikelySubtags.canonical(language) == LikelySubtags.canonical(other.language) else {
      return false
    }
    return meaning == other.meaning
  }

  /// Returns whether both tags have the same language and the same script, such as `en-GB` and
  /// `en-US`.
  package func isAnotherRegion(of other: LanguageTag) -> Bool {
    let (full, second) = (maximized, other.maximized)
    return full.language == second.language && full.script == second.script
  }

  /// The parent tags in CLDR, the nearest first: `es-419` and `es` for `es-MX`.
  package var ancestors: [LanguageTag] {
    let full = maximized
    // CLDR omits the usual script of a language.
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
  /// Returns whether both tags have the same meaning, or both are nil.
  package func isEquivalent(to other: LanguageTag?) -> Bool {
    guard let self, let other else { return self == nil && other == nil }
    return self.isEquivalent(to: other)
  }

  /// Returns whether a pack of this language is offered to devices of the language `device`.
  ///
  /// A pack without a language is for all devices.
  package func serves(_ device: LanguageTag?) -> Bool {
    self == nil || isEquivalent(to: device)
  }
}

extension Sequence<LanguageTag> {
  /// The first tag of each meaning, in the same order.
  package var firstOfEachMeaning: [LanguageTag] {
    var seen: Set<LanguageMeaning> = []
    return filter { seen.insert($0.meaning).inserted }
  }

  /// One tag of each meaning, sorted by spelling: of several tags with one meaning, the first.
  package var inOrder: [LanguageTag] {
    sorted { $0.description.utf8.lexicographicallyPrecedes($1.description.utf8) }
      .firstOfEachMeaning
  }
}
