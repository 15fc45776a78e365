import SourceDiagnostics
import TestSupport
import Testing

@testable import BAPackKit

struct LanguageNameTests {
  private static func language(_ name: String) -> LanguageName? {
    LanguageName(Array(name.utf8)[...])
  }

  /// The spellings of each tag; `?` marks a name that is often something else.
  private static let spellings: [(tag: String, names: [String])] = [
    ("de", ["de", "DE", "De", "german", "German", "GERMAN", "deutsch", "Deutsch", "deu", "ger"]),
    ("de", ["de.lproj", "German.lproj", "de.UTF-8", "de@euro", "german(de)", "German (Germany)"]),
    ("de-DE", ["de_DE", "de-de", "DE_DE", "de_DE.UTF-8", "de_DE@euro", "de_DE.ISO-8859-15@euro"]),
    ("de-AT", ["de_AT", "de-at", "deu_AT"]),
    ("en", ["en", "EN", "english", "English", "en.lproj", "?eng", "English(en)"]),
    ("en-US", ["en_US", "en-us", "English(US)", "english_us", "?us", "American English"]),
    ("en-GB", ["en_GB", "en-uk", "English(UK)", "british-english", "?gb", "english(en-GB)"]),
    ("es", ["es", "spanish", "español", "Español", "ESPAÑOL", "espan\u{303}ol", "castellano"]),
    ("es-419", ["latam", "es-419", "es_419", "es_LA", "Spanish (Latin America)"]),
    ("es-MX", ["es_MX", "es-mx", "Spanish(Mexico)", "es-rMX", "?mx"]),
    ("fr", ["fr", "french", "français", "Franc\u{327}ais", "FRANÇAIS", "francais", "fra", "fre"]),
    ("fr-CA", ["fr_CA", "French(Canada)", "fr-rCA"]),
    ("it", ["?it", "?IT", "?It", "italian", "Italiano", "it.lproj", "ita", "Italian(it)"]),
    ("it-IT", ["it_IT", "it-IT", "it_it"]),
    ("ja", ["ja", "japanese", "日本語", "jpn", "?jp", "japanese(ja)"]),
    ("ko", ["ko", "korean", "koreana", "한국어", "한국어", "kor", "?kr"]),
    ("ko-KR", ["ko_KR", "kor-KR", "ko_KR.eucKR"]),
    ("ru", ["ru", "russian", "Русский", "русский", "русскии\u{306}", "РУССКИЙ"]),
    ("pt", ["pt", "portuguese", "Português", "?por"]),
    ("pt-BR", ["pt_br", "pt_BR", "pt-BR", "pt-rBR", "brazilian", "Portuguese(Brazil)"]),
    ("pt-BR", ["portuguese-brazil", "brazilian_portuguese", "ptb", "pt_BR.lproj", "ptbr"]),
    ("pt-PT", ["pt_PT", "pt-pt", "Portuguese(Portugal)"]),
    ("zh", ["zh", "chinese", "中文", "zho", "?chi"]),
    ("zh-Hans", ["zh_CN", "zh-cn", "zh-Hans", "zh-hans", "ZH_HANS", "zh_Hans_CN", "schinese"]),
    ("zh-Hans", ["simplified chinese", "chinese-simplified", "ChineseSimplified", "chs", "?cn"]),
    ("zh-Hans", ["简体中文", "Chinese(PRC)", "chinese(simplified)(zh-cn)", "zh-Hans.lproj"]),
    ("zh-Hant", ["zh_TW", "zh-tw", "zh-Hant", "tchinese", "chinese_traditional", "cht", "?tw"]),
    ("zh-Hant", ["chinese(traditional)(zh-tw)", "繁體中文", "Chinese(Taiwan)", "zh_TW.Big5"]),
    ("zh-Hant-HK", ["zh_HK", "zh-hant-hk", "chinese(hong kong)"]),
    ("he", ["?he", "?iw", "hebrew", "עברית", "?heb"]), ("he-IL", ["he_IL", "iw_IL"]),
    ("id", ["?id", "?in", "indonesian", "Bahasa Indonesia"]), ("id-ID", ["id_ID", "in_ID"]),
    ("sr-Latn", ["sr@latin", "sr-Latn", "sr_latn", "serbian latin"]),
    ("sr-Latn-RS", ["sr_RS@latin", "sr-Latn-RS"]), ("uz-Cyrl", ["uz@cyrillic"]),
    ("no", ["?no", "?NO", "?nor", "no.lproj"]), ("nb", ["nb", "norwegian", "norsk", "bokmål"]),
    ("nb-NO", ["nb_NO"]), ("cs", ["?cs", "czech", "čeština", "ces", "cze", "?cz"]),
    ("bg", ["?bg", "bulgarian", "български", "?bul"]), ("bg-BG", ["bg_BG", "bg_bg"]),
    ("lv", ["?lv", "latvian"]), ("vo", ["?vo"]), ("gl", ["?gl", "galician"]),
    ("ar", ["?ar", "arabic"]),
    ("pl", ["pl", "?polish", "polski", "pl.lproj", "polish.lproj", "polish(pl)"]),
    ("ro", ["?ro", "?mo", "romanian"]), ("yi", ["?yi", "?ji", "?yid"]),
    ("uk", ["uk", "?ua", "ukr"]),
    ("ca", ["?ca", "?cat", "català"]), ("rn", ["?rn", "?run"]),
    ("ka", ["?ka", "?geo", "?georgian"]),
    ("mk", ["?mk", "?mac"]), ("su", ["?su", "?sun"]), ("fur", ["?fur"]),
    ("tr", ["?tr", "turkish"]), ("tr-TR", ["tr_TR", "tr_tr"]),
    ("se", ["?se"]), ("ne", ["?ne"]), ("sw", ["?sw"]), ("ast", ["?ast"]),
    ("fil", ["?fil", "?tl", "?tgl", "filipino", "tagalog"]), ("en-SD", ["?en_sd"]),
    ("fr-BG", ["?fr-bg"]),
  ]

  @Test
  func `a spelling of a language has its tag, and is certain unless it is often something else`() {
    for (tag, names) in Self.spellings {
      for marked in names {
        let name = marked.dropMark
        let language = Self.language(name)
        #expect(language?.tag.description == tag, "\(name)")
        #expect(language?.isCertain == (marked == name), "\(name)")
      }
    }
  }

  @Test(arguments: [
    "", "a", "e", "Base.lproj", "base", ".lproj", "xx.lproj", "ui", "UI", "fx", "ai", "gui",
    "map", "man", "art", "mus", "hd", "sd2", "01", "en1", "en2", "english2", "textures", "Levels",
    "sounds", "default", "common", "shared", "locale", "Voices", "Germany", "France", "intro",
    "de@2x", "de~ipad", "en-", "-en", "en_", "_en", "en--US", "en_US_", "en.png", "de.iso",
    "de.txt", "to_do", "no_bg", "is_in", "my_tv", "no_Moon", "my_bass", "en-ui", "en_XX", "en_AN",
    "ca@valencia", "ca_ES@valencia", "de-CH-1996", "en-US-POSIX", "en@quot", "zh-yue", "de_de_de",
    "sh", "sh_YU", "english-german", "qq", "zz_ZZ", "(en)", "(de)", "german(fr)", ")", "()",
    "x-klingon", "i-klingon", "en US x", "c++", "c#", "Русски", "日本", "中", "한국",
    "\u{303}\u{303}\u{303}", "en\u{0}", "ENGLISCHE",
  ])
  func `another name is not a language`(_ name: String) {
    #expect(Self.language(name) == nil)
  }

  @Test func `every tag of the table passes validation without a finding`() throws {
    let names = LanguageTable.names.values.map(\.tag) + LanguageTable.codes.values.map(\.tag)
    let written = Self.spellings.compactMap { LanguageTag($0.tag) }
    #expect(written.count == Self.spellings.count)
    let others =
      Array(LanguageTable.usualTags.values)
      + LanguageTable.usualRegions.compactMap { LanguageTag(String($0)) }
    for tag in Set(names + written + others) {
      let text = """
        {"assetPackID": "voices", "downloadPolicy": {"onDemand": {}}, "language": "\(tag)",
         "fileSelectors": [{"directory": "Voices"}], "platforms": ["iOS"]}
        """
      let document = ManifestDocument(parsing: Array(text.utf8), named: "voices.json")
      #expect(document.manifest?.language == tag)
      let findings = document.findings.map(\.id.name).filter {
        $0.hasPrefix("language.") && $0 != "language.systems"
      }
      #expect(findings == [], "\(tag)")
    }
  }

  @Test func `each two-letter code that validation accepts is in the table`() {
    let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
    var accepted = 0
    for first in letters {
      for second in letters {
        let code = String(decoding: [first, second], as: UTF8.self)
        guard LanguageTag(language: code).hasCurrentCodes else { continue }
        accepted += 1
        // 'kr' and 'tw' are mostly the codes of countries, and 'tl' is Filipino on devices.
        let expected = ["kr": "ko", "tw": "zh-Hant", "tl": "fil"][code] ?? code
        #expect(Self.language(code)?.tag.description == expected)
      }
    }
    #expect(accepted > 175)
  }

  @Test func `arbitrary bytes are not a language, or have a tag with assigned codes`() {
    var random = Seeded(seed: 31)
    let alphabet = Array("deenzhfrUSCN-_.@() \u{303}ñ中rlproj".utf8) + [0, 0xFF, 0x80, 0xCC, 0xED]
    var count = 0
    for _ in 0..<60_000 {
      let length = random.next(below: 12)
      let name = (0..<length).map { _ in alphabet[random.next(below: alphabet.count)] }
      // A slice does not begin at 0.
      let language = LanguageName(([0x2F, 0x2F] + name + [0x2F]).dropFirst(2).dropLast())
      guard let language else { continue }
      count += 1
      #expect(language.tag.hasCurrentCodes, "\(String(decoding: name, as: UTF8.self))")
    }
    #expect(count > 50)
    let long = [UInt8](repeating: UInt8(ascii: "e"), count: 100_000)
    #expect(LanguageName(long[...]) == nil)
  }

  @Test func `the cut of a spelling at any byte is handled`() {
    for (_, names) in Self.spellings {
      for name in names {
        let bytes = Array(name.utf8)
        for end in bytes.indices {
          for rest in [bytes[..<end], bytes[end...]] {
            if let tag = LanguageName(rest)?.tag { #expect(tag.hasCurrentCodes) }
          }
        }
      }
    }
  }
}

extension String {
  /// The text without a `?` at its start.
  fileprivate var dropMark: String { hasPrefix("?") ? String(dropFirst()) : self }
}
