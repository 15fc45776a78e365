import SourceDiagnostics

/// Localized packs come with one for those whose language is not among them.
enum PrimaryLanguage {
  static let rule = Rule(
    "packs.primary-language", .always(.warning),
    what: "There are localized packs, and none of them has the app's primary language.",
    why: """
      A device whose languages match no pack takes the one in the primary language, which is set in App \
      Store Connect and named here with '--primary-language'. Without it such a device gets nothing.
      """,
    example: .init(
      wrong: #"voices-fr with "language": "fr" alone, and '--primary-language en'"#,
      right: #"voices-fr, and voices-en with "language": "en""#))

  /// What is wrong with each family of localized packs, with the index of its first one.
  static func check(
    _ documents: [ManifestDocument], primary: LanguageTag
  ) -> [(index: Int, finding: Diagnostic)] {
    var families: [(name: String?, first: Int, isServed: Bool)] = []
    for (index, document) in documents.enumerated() {
      guard let language = document.manifest?.language else { continue }
      let name = document.localizedFamily
      let serves = matches(language, primary)
      if let known = families.firstIndex(where: { $0.name == name }) {
        families[known].isServed = families[known].isServed || serves
      } else {
        families.append((name, index, serves))
      }
    }
    return families.filter { !$0.isServed }.map { family in
      let packs: Diagnostic.Message =
        family.name.map { "no pack of '\(path: $0)'" } ?? "no localized pack"
      return (
        family.first,
        rule.finding(
          .warning, "\(packs) has the primary language '\(primary)'",
          at: documents[family.first].locations.language)
      )
    }
  }

  /// Whether devices take one language for the other: the same language in the same script.
  private static func matches(_ one: LanguageTag, _ other: LanguageTag) -> Bool {
    guard one.language == other.language else { return false }
    guard let script = script(of: one), let second = Self.script(of: other) else {
      // One script is the usual one everywhere, and nobody would write another without naming it.
      return true
    }
    return script == second
  }

  /// The script that is written or, for a language that regions write differently, meant.
  private static func script(of tag: LanguageTag) -> String? {
    if let script = tag.script { return script }
    guard let usual = scripts[tag.language] else { return nil }
    return tag.region.flatMap { region in usual.others.first { $0.regions.contains(region) } }?
      .script ?? usual.script
  }

  /// The languages that more than one script is usual for: where, and which one elsewhere.
  private static let scripts:
    [String: (script: String, others: [(script: String, regions: Set<String>)])] = [
      "az": ("Latn", [("Arab", ["IR", "IQ"]), ("Cyrl", ["RU"])]),
      "ha": ("Latn", [("Arab", ["CM", "SD"])]),
      "kk": ("Cyrl", [("Arab", ["AF", "CN", "IR", "MN"])]),
      "ku": ("Latn", [("Arab", ["IQ", "IR", "LB"])]),
      "ky": ("Cyrl", [("Arab", ["CN"]), ("Latn", ["TR"])]),
      "mn": ("Cyrl", [("Mong", ["CN"])]),
      "ms": ("Latn", [("Arab", ["CC"])]),
      "pa": ("Guru", [("Arab", ["PK"])]),
      "sd": ("Arab", [("Deva", ["IN"])]),
      "sr": ("Cyrl", [("Latn", ["ME", "RO", "TR"])]),
      "tg": ("Cyrl", [("Arab", ["PK"])]),
      "ug": ("Arab", [("Cyrl", ["KZ", "MN"])]),
      "uz": ("Latn", [("Arab", ["AF"]), ("Cyrl", ["CN"])]),
      "yue": ("Hant", [("Hans", ["CN"])]),
      "zh": ("Hans", [("Hant", ["HK", "MO", "TW"])]),
    ]
}

/// Localized packs need systems that know them.
enum LocalizedSystems {
  static let rule = Rule(
    "language.systems", .always(.note),
    what: "A pack has a language, and systems before version 27 get no localized packs.",
    why: """
      What is only in localized packs is not there on older systems. An app that runs on them needs the \
      files in a pack without a language, or in the app itself.
      """,
    example: .init(
      wrong: #""language": "fr", in an app that runs on iOS 26"#,
      right: "the files of one language in the app as well"))

  static func finding(at span: SourceSpan?) -> Diagnostic {
    rule.finding(.note, "systems before version 27 get no localized packs", at: span)
  }
}

extension ManifestDocument {
  /// The ID without its language: 'intro-movie' for 'intro-movie-fr'; nil where the ID does not end
  /// in the pack's language.
  var localizedFamily: String? {
    guard let id = assetPackID, let language = manifest?.language else { return nil }
    let suffix = Array(language.description.lowercased().utf8)
    let bytes = Array(id.utf8)
    guard bytes.count > suffix.count + 1,
      String(decoding: bytes, as: UTF8.self).lowercased().utf8.suffix(suffix.count)
        .elementsEqual(suffix),
      [UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: ".")]
        .contains(bytes[bytes.count - suffix.count - 1])
    else { return nil }
    return String(decoding: bytes.dropLast(suffix.count + 1), as: UTF8.self)
  }
}
