import FoundationEssentials
import FoundationInternationalization

/// Which language, script and region codes exist: Foundation's data, corrected where it is too
/// generous or too narrow for a language tag that others must understand.
///
/// Nothing of Foundation's is touched before the first tag is checked.
enum AssignedCodes {
  private static let languages = Set(
    Locale.LanguageCode.isoLanguageCodes.map { $0.identifier.lowercased() })
  private static let regions = Set(Locale.Region.isoRegions.map(\.identifier))
    // QO is the Unicode consortium's own word for outlying Oceania.
    .subtracting(["QO"])

  /// What took the place of a deprecated code.
  enum Successor: ExpressibleByStringLiteral {
    case code(String)
    case none

    init(stringLiteral code: String) { self = .code(code) }

    var code: String? {
      if case .code(let code) = self { code } else { nil }
    }
  }

  private static let deprecatedLanguages: [String: Successor] = [
    "bh": .none, "in": "id", "iw": "he", "ji": "yi", "jw": "jv", "mo": "ro", "sh": .none,
  ]
  private static let deprecatedRegions: [String: Successor] = [
    "AN": .none, "BU": "MM", "CS": .none, "DD": "DE", "FX": "FR", "NT": .none, "SU": .none,
    "TP": "TL", "YD": "YE", "YU": .none, "ZR": "CD",
  ]
  /// Three-letter codes made from English names; Foundation knows only the other ones.
  private static let bibliographic = [
    "alb": "sq", "arm": "hy", "baq": "eu", "bur": "my", "chi": "zh", "cze": "cs", "dut": "nl",
    "fre": "fr", "geo": "ka", "ger": "de", "gre": "el", "ice": "is", "mac": "mk", "mao": "mi",
    "may": "ms", "per": "fa", "rum": "ro", "slo": "sk", "tib": "bo", "wel": "cy",
  ]

  static func isLanguage(_ code: String) -> Bool {
    languages.contains(code) || Locale.LanguageCode(code).isISOLanguage
  }

  static func isScript(_ code: String) -> Bool {
    switch code {
    // Not written, not known, common, inherited: codes for catalogues, not for readers.
    case "Zinh", "Zxxx", "Zyyy", "Zzzz": false
    default: Locale.Script(code).isISOScript
    }
  }

  static func isRegion(_ code: String) -> Bool { regions.contains(code) }

  /// What took the place of a language code, if the code is deprecated.
  static func successor(ofLanguage code: String) -> Successor? { deprecatedLanguages[code] }

  /// What took the place of a region code, if the code is deprecated.
  static func successor(ofRegion code: String) -> Successor? { deprecatedRegions[code] }

  /// The two-letter code of a language that was written with three.
  static func twoLetterCode(of code: String) -> String? {
    guard code.utf8.count == 3 else { return nil }
    if let code = bibliographic[code] { return code }
    guard let short = Locale.LanguageCode(code).identifier(.alpha2), short.utf8.count == 2 else {
      return nil
    }
    return short
  }
}
