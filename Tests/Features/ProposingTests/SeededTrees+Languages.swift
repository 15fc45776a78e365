import TestSupport

extension SeededTrees {
  /// A language, and its names in the styles of ``Style``.
  private struct Tongue {
    var names: [(name: String, tag: String)]

    /// The style of names of folders.
    enum Style: Int, CaseIterable {
      case code, locale, lower, english, wwise
    }

    init(_ names: (String, String)...) { self.names = names.map { (name: $0.0, tag: $0.1) } }

    subscript(style: Style) -> (name: String, tag: String) { names[style.rawValue] }
  }

  /// English is the first one.
  private static let tongues: [Tongue] = [
    Tongue(
      ("en", "en"), ("en_US", "en-US"), ("en-us", "en-US"), ("english", "en"),
      ("English(US)", "en-US")),
    Tongue(
      ("de", "de"), ("de_DE", "de-DE"), ("de-de", "de-DE"), ("german", "de"), ("German", "de")),
    Tongue(
      ("fr", "fr"), ("fr_FR", "fr-FR"), ("fr-fr", "fr-FR"), ("french", "fr"),
      ("French(France)", "fr")),
    Tongue(
      ("zh-Hans", "zh-Hans"), ("zh_CN", "zh-Hans"), ("zh-hans", "zh-Hans"),
      ("schinese", "zh-Hans"), ("Chinese(PRC)", "zh-Hans")),
    Tongue(
      ("pt-BR", "pt-BR"), ("pt_BR", "pt-BR"), ("pt_br", "pt-BR"), ("brazilian", "pt-BR"),
      ("Portuguese(Brazil)", "pt-BR")),
    Tongue(
      ("ja", "ja"), ("ja_JP", "ja-JP"), ("ja-jp", "ja-JP"), ("japanese", "ja"),
      ("Japanese", "ja")),
    Tongue(
      ("it", "it"), ("it_IT", "it-IT"), ("it-it", "it-IT"), ("italian", "it"), ("Italian", "it")),
    Tongue(
      ("cs", "cs"), ("cs_CZ", "cs-CZ"), ("cs-cz", "cs-CZ"), ("czech", "cs"), ("Czech", "cs")),
    Tongue(
      ("no", "no"), ("nb_NO", "nb-NO"), ("nb-no", "nb-NO"), ("norwegian", "nb"),
      ("Norwegian", "nb")),
    Tongue(
      ("zh-Hant", "zh-Hant"), ("zh_TW", "zh-Hant"), ("zh-tw", "zh-Hant"), ("tchinese", "zh-Hant"),
      ("Chinese(Taiwan)", "zh-Hant")),
    Tongue(
      ("ru", "ru"), ("ru_RU", "ru-RU"), ("ru-ru", "ru-RU"), ("russian", "ru"), ("Russian", "ru")),
  ]

  private typealias Folders = [(name: String, tag: String)]

  /// Returns English and some other languages, with the names of their folders.
  private static func folders(
    _ random: inout Seeded, _ styles: [Tongue.Style], atLeast count: Int = 3
  ) -> Folders {
    var others = Array(tongues.dropFirst())
    others.shuffle(using: &random)
    let number = count - 1 + random.next(below: others.count - count + 2)
    // German, so that at least two names are certainly languages.
    let rest = others.prefix(number).filter { $0[.english].name != "german" }
    return ([tongues[0], tongues[1]] + rest).map { tongue in
      tongue[styles[random.next(below: styles.count)]]
    }
  }

  private static func lines(_ random: inout Seeded) -> [String] {
    let count = 4 + random.next(below: 12)
    let stems = ["hello", "door", "boss", "act1/start", "act1/end", "act2/start", "shop", "win"]
    return (0..<count).map { index in
      index < stems.count ? "\(stems[index]).ogg" : "line_\(index).ogg"
    }
  }

  /// The structures of translations.
  static func languages(seed: UInt64) -> [SeededTree] {
    var random = Seeded(seed: seed)
    let all = Tongue.Style.allCases
    return [
      voices("codes", [.code], &random), voices("locales", [.locale], &random),
      voices("lower case", [.lower], &random), voices("English names", [.english], &random),
      voices("Wwise", [.wwise], &random), voices("mixed spellings", all, &random),
      perLevel(&random), texts(&random), bundles(&random), languageFirst(&random),
      suffixes(withPlain: false, &random), suffixes(withPlain: true, &random),
      incomplete(&random), families(&random),
    ].map { tree in
      var tree = tree
      tree.name += ", seed \(seed)"
      return tree
    }
  }

  private static func voices(
    _ name: String, _ styles: [Tongue.Style], _ random: inout Seeded
  ) -> SeededTree {
    var tree = SeededTree("voices, \(name)", primaryLanguage: "en")
    let lines = lines(&random)
    for (folder, tag) in folders(&random, styles) {
      for line in lines {
        tree.add(
          "Voices/\(folder)/\(line)", size: size(&random, 90..<900), in: tag, as: "Voices/\(line)")
      }
    }
    if random.next(below: 2) == 0 { tree.add("Voices/lipsync.json", size: 9_000) }
    tree.add("Sounds/hit.wav", size: size(&random, 5..<60))
    return tree
  }

  private static func perLevel(_ random: inout Seeded) -> SeededTree {
    var tree = SeededTree("a folder of languages in each level", primaryLanguage: "en")
    let folders = folders(&random, [.code])
    for level in ["barrel", "briefcase", "cabin1", "corals"] {
      let lines = lines(&random)
      for (folder, tag) in folders {
        for line in lines {
          tree.add(
            "levels/\(level)/sound/\(folder)/\(line)", size: size(&random, 20..<90), in: tag,
            as: "levels/\(level)/sound/\(line)")
        }
      }
      tree.add("levels/\(level)/map.bin", size: size(&random, 900..<2_000))
      tree.add("levels/\(level)/sound/bubbles.ogg", size: size(&random, 20..<90))
    }
    return tree
  }

  private static func texts(_ random: inout Seeded) -> SeededTree {
    var tree = SeededTree("texts of gettext", primaryLanguage: "en")
    for (folder, _) in folders(&random, [.code, .locale]) {
      for domain in ["game", "campaign"] {
        tree.add("locale/\(folder)/LC_MESSAGES/\(domain).mo", size: size(&random, 20..<200))
      }
    }
    tree.add("images/hero.png", size: size(&random, 90..<900))
    return tree
  }

  private static func bundles(_ random: inout Seeded) -> SeededTree {
    var tree = SeededTree("folders with .lproj", primaryLanguage: "en")
    for (folder, tag) in folders(&random, [.code, .english]) {
      for file in ["intro.mp4", "title.png", "help/page.png"] {
        tree.add(
          "Resources/\(folder).lproj/\(file)", size: size(&random, 900..<9_000), in: tag,
          as: "Resources/\(file)")
      }
    }
    tree.add("Resources/Base.lproj/menu.png", size: size(&random, 90..<900))
    tree.add("Resources/icon.png", size: size(&random, 90..<900))
    return tree
  }

  private static func languageFirst(_ random: inout Seeded) -> SeededTree {
    var tree = SeededTree("languages at the root", primaryLanguage: "en")
    let lines = lines(&random)
    for (folder, tag) in folders(&random, [.code, .lower]) {
      for line in lines {
        tree.add(
          "\(folder)/speech/\(line)", size: size(&random, 90..<900), in: tag, as: "speech/\(line)")
      }
    }
    tree.add("images/hero.png", size: size(&random, 90..<900))
    return tree
  }

  private static func suffixes(withPlain: Bool, _ random: inout Seeded) -> SeededTree {
    let kind = withPlain ? "with a plain file" : "without a plain file"
    var tree = SeededTree("suffixes \(kind)", primaryLanguage: "en")
    let separator = ["_", "-", "."][random.next(below: 3)]
    let folders = folders(&random, withPlain || separator != "-" ? [.code] : [.locale])
    for stem in ["intro", "ending", "chapter_2"].dropLast(random.next(below: 2)) {
      for (name, tag) in folders {
        let suffix = withPlain && tag == "en" ? "" : separator + name
        tree.add(
          "Movies/\(stem)\(suffix).mp4", size: size(&random, 2_000..<30_000), in: tag,
          as: "Movies/\(stem).mp4")
      }
    }
    tree.add("Movies/logo.mp4", size: size(&random, 900..<2_000))
    return tree
  }

  private static func incomplete(_ random: inout Seeded) -> SeededTree {
    var tree = SeededTree("languages without some files", primaryLanguage: "en")
    let lines = lines(&random)
    for (index, (folder, tag)) in folders(&random, [.code, .english]).enumerated() {
      for (number, line) in lines.enumerated() {
        // At most half of the files, or the language is not a translation of them.
        let isMissing = index > 0 && number % 4 > 1 && random.next(below: 4) == 0
        guard !isMissing else { continue }
        tree.add(
          "Voices/\(folder)/\(line)", size: size(&random, 90..<900), in: tag, as: "Voices/\(line)")
      }
    }
    return tree
  }

  private static func families(_ random: inout Seeded) -> SeededTree {
    var tree = SeededTree("two families of languages", primaryLanguage: "en")
    let lines = lines(&random)
    let folders = folders(&random, [.code], atLeast: 4)
    for (folder, tag) in folders {
      for line in lines {
        tree.add(
          "Voices/\(folder)/\(line)", size: size(&random, 90..<900), in: tag, as: "Voices/\(line)")
      }
    }
    for (folder, tag) in folders.prefix(3) {
      for movie in ["intro.mp4", "ending.mp4"] {
        tree.add(
          "Movies/\(folder)/\(movie)", size: size(&random, 9_000..<90_000), in: tag,
          as: "Movies/\(movie)")
      }
    }
    return tree
  }
}

// MARK: - Names that only look like languages

extension SeededTrees {
  /// Folders without translations, whose names or parts of names are also languages.
  static func falseLanguages(seed: UInt64) -> [SeededTree] {
    var random = Seeded(seed: seed &+ 1)
    let same = ["icon.png", "sound.ogg", "frame1.png", "frame2.png"]
    return [
      folders("words", "Signs", ["no", "yes", "it", "is", "on", "exit"], same, &random),
      folders("abbreviations", "Sprites", ["fx", "ui", "bg", "vo", "lv", "hud"], same, &random),
      folders("short words", "Letters", ["am", "as", "at", "be", "by", "do"], same, &random),
      folders("one language", "Data", ["de"], same, &random),
      folders("years and tags", "Seasons", ["sun", "run", "map", "hat", "cat"], same, &random),
      unrelated(&random), code(&random), repository(&random), cultures(&random),
      suffixWords(&random),
      oneSuffix(&random),
    ].map { tree in
      var tree = tree
      tree.name = "not languages: \(tree.name), seed \(seed)"
      return tree
    }
  }

  private static func folders(
    _ name: String, _ parent: String, _ folders: [String], _ files: [String],
    _ random: inout Seeded
  ) -> SeededTree {
    var tree = SeededTree(name)
    for folder in folders {
      for file in files {
        tree.add("\(parent)/\(folder)/\(file)", size: size(&random, 20..<400))
      }
    }
    tree.add("\(parent)/list.json", size: 900)
    return tree
  }

  private static func unrelated(_ random: inout Seeded) -> SeededTree {
    var tree = SeededTree("a language next to other folders")
    for path in ["en/help.html", "en/credits.html", "textures/a.png", "sounds/a.ogg"] {
      tree.add(path, size: size(&random, 20..<400))
    }
    return tree
  }

  private static func code(_ random: inout Seeded) -> SeededTree {
    var tree = SeededTree("folders of code and shaders")
    tree.add("Scripts/cs/Main.cs", size: 9_000, .leftOut("init.code"))
    tree.add("Scripts/js/main.js", size: 9_000, .leftOut("init.script"))
    for path in ["cs/compute", "gl/desktop", "es/mobile", "mt/metal"] {
      tree.add("Shaders/\(path).bin", size: size(&random, 2..<90))
    }
    return tree
  }

  private static func repository(_ random: inout Seeded) -> SeededTree {
    var tree = SeededTree("a repository with code, documents and tools")
    for name in ["main", "map", "sound", "menu"] {
      tree.add("src/\(name).cpp", size: 9_000, .leftOut("init.code"))
    }
    tree.add("docs/guide.html", size: size(&random, 2..<90), .leftOut("init.document"))
    tree.add("docs/README.md", size: size(&random, 2..<90), .leftOut("init.document"))
    tree.add("tools/atlas.py", size: size(&random, 2..<90), .leftOut("init.script"))
    tree.add("docs/images/menu.png", size: size(&random, 2..<90), .leftOut("init.document"))
    tree.add("tools/atlas.json", size: size(&random, 2..<90), .leftOut("init.editor"))
    for path in [
      "mods/a/rules.yaml", "mods/a/tools/axe.png", "mods/b/hero.png", "mods/docs/s.html",
    ] {
      tree.add(path, size: size(&random, 20..<900))
    }
    return tree
  }

  private static func cultures(_ random: inout Seeded) -> SeededTree {
    var tree = SeededTree("nations without common files")
    let units = [
      "german": ["leopard", "tiger"], "french": ["renault", "char"], "russian": ["t34", "kv1"],
      "english": ["churchill", "cromwell"],
    ]
    for (nation, names) in units.sorted(by: { $0.key < $1.key }) {
      for name in names { tree.add("Tanks/\(nation)/\(name).glb", size: size(&random, 90..<900)) }
    }
    return tree
  }

  private static func suffixWords(_ random: inout Seeded) -> SeededTree {
    var tree = SeededTree("words at the ends of file names")
    for name in ["button_no", "button_yes", "button_ok", "walk_to", "walk_in", "hero_is", "map_bg"]
    {
      tree.add("UI/\(name).png", size: size(&random, 2..<90))
    }
    return tree
  }

  private static func oneSuffix(_ random: inout Seeded) -> SeededTree {
    var tree = SeededTree("one file with a suffix")
    for name in ["title_en.png", "menu.png", "hero.png"] {
      tree.add("Images/\(name)", size: size(&random, 2..<90))
    }
    return tree
  }
}
