import TestSupport

extension SeededTrees {
  /// Structures of translations with several families, spellings and depths.
  static func families(seed: UInt64) -> [SeededTree] {
    var random = Seeded(seed: seed &+ 3)
    return [
      disjoint(&random), sharing(&random), spellings(&random), collisions(&random),
      fewEnglish(&random), twoDepths(&random), catalogs(&random), namedBundles(&random),
      unusualDefault(&random),
    ]
      + ["_", "-", "."].map { suffixes(separator: $0, &random) }
      .map { tree in
        var tree = tree
        tree.name += ", seed \(seed)"
        return tree
      }
  }

  private static func add(
    _ languages: [(folder: String, tag: String)], _ count: Int, _ parent: String,
    to tree: inout SeededTree, _ random: inout Seeded
  ) {
    for (folder, tag) in languages {
      for number in 0..<count {
        tree.add(
          "\(parent)/\(folder)/\(number).ogg", size: size(&random, 90..<400), in: tag,
          as: "\(parent)/\(number).ogg")
      }
    }
  }

  /// Voices in languages that the texts do not have: no primary language has both.
  private static func disjoint(_ random: inout Seeded) -> SeededTree {
    var tree = SeededTree("two families without a common language")
    let count = 4 + random.next(below: 9)
    add([("en", "en"), ("es", "es")], count, "Text", to: &tree, &random)
    for folder in ["de", "fr"] {
      for number in 0..<count {
        tree.add("Voices/\(folder)/\(number).ogg", size: size(&random, 90..<400))
      }
    }
    return tree
  }

  private static func sharing(_ random: inout Seeded) -> SeededTree {
    var tree = SeededTree("voices in three languages, and subtitles in many")
    let tags = ["en", "de", "fr", "ja", "pl", "it", "cs", "ru"]
    let count = 4 + random.next(below: 9)
    add(tags.prefix(3).map { ($0, $0) }, count, "Voices", to: &tree, &random)
    add(tags.map { ($0, $0) }, count, "Subtitles", to: &tree, &random)
    return tree
  }

  private static func spellings(_ random: inout Seeded) -> SeededTree {
    var tree = SeededTree("two spellings of a language with different files")
    let count = 6 + random.next(below: 9)
    add([("english", "en"), ("de", "de"), ("fr", "fr")], count, "Voices", to: &tree, &random)
    for number in 0..<3 {
      tree.add(
        "Voices/en/more\(number).ogg", size: size(&random, 90..<400), in: "en",
        as: "Voices/more\(number).ogg")
    }
    return tree
  }

  private static func collisions(_ random: inout Seeded) -> SeededTree {
    var tree = SeededTree("two spellings of a language with the same files")
    let count = 6 + random.next(below: 9)
    add(
      [("zh-Hans", "zh-Hans"), ("en", "en"), ("de", "de"), ("pt_BR", "pt-BR"), ("pt_PT", "pt-PT")],
      count, "Voices", to: &tree, &random)
    for folder in ["zh_CN", "DE", "pt"] {
      for number in 0..<count - 2 {
        tree.add(
          "Voices/\(folder)/\(number).ogg", size: size(&random, 90..<400),
          .leftOut("init.second-spelling"))
      }
    }
    return tree
  }

  /// The original has English voices for a tenth of the lines, with other names.
  private static func fewEnglish(_ random: inout Seeded) -> SeededTree {
    var tree = SeededTree("a language with few files of other names")
    for level in ["barrel", "cabin", "city", "dump"] {
      add([("cs", "cs"), ("nl", "nl")], 20, "sound/\(level)", to: &tree, &random)
      for number in 0..<2 {
        tree.add("sound/\(level)/en/line\(number).ogg", size: size(&random, 90..<400))
      }
      tree.add("sound/\(level)/bubble.ogg", size: size(&random, 9..<40))
    }
    return tree
  }

  private static func twoDepths(_ random: inout Seeded) -> SeededTree {
    var tree = SeededTree("languages at two depths", primaryLanguage: "de")
    let languages = [("en", "en"), ("german", "de"), ("fr_FR", "fr-FR")]
    for parent in ["Voices", "Chapters/one/Speech", "Chapters/two/Speech"] {
      add(languages, 3 + random.next(below: 9), parent, to: &tree, &random)
    }
    return tree
  }

  private static func catalogs(_ random: inout Seeded) -> SeededTree {
    var tree = SeededTree("texts of gettext next to voices")
    for folder in ["de", "fr", "pt_BR", "sr@latin"] {
      tree.add("locale/\(folder)/LC_MESSAGES/game.mo", size: size(&random, 20..<90))
    }
    add([("en", "en"), ("de", "de")], 9, "Voices", to: &tree, &random)
    return tree
  }

  private static func namedBundles(_ random: inout Seeded) -> SeededTree {
    var tree = SeededTree("folders with .lproj and English names")
    let languages = [("English.lproj", "en"), ("German.lproj", "de"), ("zh_CN.lproj", "zh-Hans")]
    add(languages, 3 + random.next(below: 9), "Resources", to: &tree, &random)
    tree.add("Resources/Base.lproj/menu.png", size: size(&random, 9..<40))
    return tree
  }

  /// The setting of the project has no translation.
  private static func unusualDefault(_ random: inout Seeded) -> SeededTree {
    var tree = SeededTree("translations without the primary language", primaryLanguage: "ja")
    for folder in ["en", "de", "fr"] {
      for number in 0..<9 {
        tree.add("Voices/\(folder)/\(number).ogg", size: size(&random, 90..<400))
      }
    }
    return tree
  }

  private static func suffixes(separator: String, _ random: inout Seeded) -> SeededTree {
    var tree = SeededTree("suffixes with '\(separator)', and two spellings")
    for name in ["intro", "ending"] {
      for (suffix, tag) in [("en", "en"), ("de", "de"), ("pt-BR", "pt-BR"), ("pt", "pt-PT")] {
        tree.add(
          "Movies/\(name)\(separator)\(suffix).mp4", size: size(&random, 900..<2_000), in: tag,
          as: "Movies/\(name).mp4")
      }
      tree.add(
        "Movies/\(name)\(separator)english.mp4", size: size(&random, 400..<800),
        .leftOut("init.second-spelling"))
    }
    return tree
  }
}
