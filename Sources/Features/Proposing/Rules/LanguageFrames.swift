/// Names and file kinds about translations, as data.
enum LanguageFrames {
  /// Names of folders, in lower case, whose subfolders or files are languages even if their names
  /// are also words.
  static let folders: Set<String> = [
    "voices", "voice", "vo", "speech", "dialog", "dialogs", "dialogue", "dialogues", "dub", "lang",
    "langs", "language", "languages", "locale", "locales", "l10n", "i18n", "localization",
    "localizations", "localisation", "localized", "translation", "translations", "tl", "po",
    "lc_messages", "strings", "texts", "subtitles",
  ]

  /// Extensions of catalogs, in lower case, from which a library chooses the language itself.
  static let catalogs: Set<String> = [
    "mo", "gmo", "po", "pot", "qm", "lng", "locres", "xlf", "xliff", "arb", "resx", "tr", "ts",
  ]

  /// Extensions of texts, in lower case.
  static let texts: Set<String> = catalogs.union([
    "txt", "json", "json5", "xml", "csv", "tsv", "ini", "yml", "yaml", "properties", "ftl",
    "strings", "stringsdict", "lang", "cfg", "conf", "srt", "vtt", "toml", "html", "htm", "loc",
  ])
}
