import FoundationEssentials
import FoundationInternationalization

/// Which language, script and region codes exist.
///
/// Languages are those of ISO 639-3, scripts those of ISO 15924 and those that are newer than our table;
/// regions and the shorter codes of languages are Foundation's. Nothing of it is touched before the
/// first tag is checked.
enum AssignedCodes {
  private static let languages = Set(unpacked(twoLetterLanguages, each: 2)).union(
    unpackedThreeLetterLanguages())
  private static let isoScripts = Set(unpacked(scripts, each: 4))
  private static let shortRegions = Dictionary(
    unpacked(regionNames, each: 5).map { (String($0.prefix(3)), String($0.suffix(2))) }
  ) { first, _ in first }

  private static func unpacked(_ codes: String, each count: Int) -> [String] {
    let bytes = Array(codes.utf8)
    return stride(from: 0, to: bytes.count, by: count).map {
      String(decoding: bytes[$0..<$0 + count], as: UTF8.self)
    }
  }

  private static func unpackedThreeLetterLanguages() -> [String] {
    var codes: [String] = []
    for group in threeLetterLanguages.utf8.split(separator: UInt8(ascii: ".")) {
      guard let first = group.first else { continue }
      var second = first
      for letter in group.dropFirst() {
        if letter & 0x20 == 0 {
          second = letter | 0x20
        } else {
          codes.append(String(decoding: [first, second, letter], as: UTF8.self))
        }
      }
    }
    return codes
  }

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
    languages.contains(code)
  }

  static func isScript(_ code: String) -> Bool {
    switch code {
    // Not written, not known, common, inherited: codes for catalogues, not for readers.
    case "Zinh", "Zxxx", "Zyyy", "Zzzz": false
    default: isoScripts.contains(code) || Locale.Script(code).isISOScript
    }
  }

  static func isRegion(_ code: String) -> Bool { regions.contains(code) }

  /// The code that language tags have for a region that was written with three letters.
  static func regionCode(of letters: String) -> String? { shortRegions[letters.uppercased()] }

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
