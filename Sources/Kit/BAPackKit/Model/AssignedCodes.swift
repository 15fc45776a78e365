/// The assigned codes for languages, scripts and regions.
///
/// The languages are from ISO 639-3, the scripts from ISO 15924, the regions from ISO 3166-1 and
/// the area codes of the United Nations (M49). Foundation includes these codes as a part of 40 MB
/// of data; these tables have a few KB. They are parsed at the first access.
enum AssignedCodes {
  private static let shortLanguages = pairs(shortLanguageNames)
  private static let languages = Set(shortLanguages.values).union(unpackedThreeLetterLanguages())
  private static let isoScripts = Set(unpacked(scripts, each: 4)).union(newerScripts)
  private static let shortRegions = pairs(regionNames)
  private static let regions = Set(shortRegions.values).union(otherRegions)

  /// Scripts that were added to ISO 15924 after the table was generated.
  private static let newerScripts = codes(
    """
    Chrs Cpmn Diak Dogr Elym Gara Gong Gonm Gukh Hmnp Kawi Krai Maka Medf Miao Nagm Nand Onao Ougr \
    Rohg Sogd Sogo Soyo Sunu Tnsa Todr Toto Tutg Vith Wcho Yezi Zanb
    """)

  /// Area codes, and codes that ISO 3166-1 reserves.
  private static let otherRegions = codes(
    """
    001 002 003 005 009 011 013 014 015 017 018 019 021 029 030 034 035 039 053 054 057 061 142 \
    143 145 150 151 154 155 202 419 AC CP CQ DG EA EU EZ IC TA UN XK
    """)

  private static func codes(_ text: String) -> [String] {
    text.split(separator: " ").map(String.init)
  }

  /// Splits a table of pairs of a three-letter and a two-letter code.
  private static func pairs(_ names: String) -> [String: String] {
    Dictionary(
      unpacked(names, each: 5).map { (String($0.prefix(3)), String($0.suffix(2))) }
    ) { first, _ in first }
  }

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

  /// The replacement for a deprecated code.
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
  /// The bibliographic three-letter codes; the table contains the terminological ones.
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
    // Unwritten, unknown, common, inherited: not scripts of a language.
    case "Zinh", "Zxxx", "Zyyy", "Zzzz": false
    default: isoScripts.contains(code)
    }
  }

  static func isRegion(_ code: String) -> Bool { regions.contains(code) }

  /// Returns the two-letter code for a three-letter code of a region.
  static func regionCode(of letters: String) -> String? { shortRegions[letters.uppercased()] }

  /// Returns the replacement for a language code; nil if the code is not deprecated.
  static func successor(ofLanguage code: String) -> Successor? { deprecatedLanguages[code] }

  /// Returns the replacement for a region code; nil if the code is not deprecated.
  static func successor(ofRegion code: String) -> Successor? { deprecatedRegions[code] }

  /// Returns the two-letter code for a three-letter code of ISO 639-3, even if it is deprecated.
  static func shortCode(ofLanguage code: String) -> String? {
    code.utf8.count == 3 ? shortLanguages[code] : nil
  }

  /// Returns the two-letter code for a three-letter code of a language; nil if there is none, or if
  /// it is deprecated.
  static func twoLetterCode(of code: String) -> String? {
    guard code.utf8.count == 3 else { return nil }
    if let code = bibliographic[code] { return code }
    // Devices use 'fil' for Tagalog.
    return shortLanguages[code].flatMap {
      deprecatedLanguages[$0] == nil && $0 != "tl" ? $0 : nil
    }
  }
}
