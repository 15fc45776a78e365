/// Words that are used instead of the code of a language.
enum LanguageNames {
  /// Returns the code of the language with an English or own name, or of the language for which a
  /// code of a country is used; nil if there is none.
  static func code(for word: String) -> String? { codes[word.lowercased()] }

  private static let codes: [String: String] = {
    var codes: [String: String] = [:]
    for line in names.split(separator: "\n") {
      let words = line.split(separator: " ")
      for word in words.dropFirst() { codes[String(word)] = String(words[0]) }
    }
    return codes
  }()

  /// A code, its names, and codes of countries that are no codes of languages.
  private static let names = """
    ar arabic
    bg bulgarian
    ca catalan català
    cs czech čeština cz
    da danish dansk dk
    de german deutsch
    el greek ελληνικά gr
    en english us gb
    es spanish español espanol mx
    et estonian
    fa persian farsi
    fi finnish suomi
    fr french français francais
    he hebrew
    hi hindi
    hr croatian hrvatski
    hu hungarian magyar
    id indonesian
    it italian italiano
    ja japanese 日本語 jp
    ko korean 한국어
    lt lithuanian
    lv latvian
    ms malay
    nb norwegian norsk
    nl dutch nederlands
    pl polish polski
    pt portuguese português portugues
    ro romanian română
    ru russian русский
    sk slovak slovenčina
    sl slovenian slovene
    sr serbian rs
    sv swedish svenska
    th thai
    tr turkish türkçe
    uk ukrainian українська ua
    vi vietnamese vn
    zh chinese 中文 cn
    """
}
