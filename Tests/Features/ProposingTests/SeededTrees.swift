import SystemIO
import TestSupport

/// Generators of asset folders; equal seeds give equal folders.
enum SeededTrees {
  /// All structures for a seed, each in a separate folder.
  static func all(seed: UInt64) -> [SeededTree] {
    languages(seed: seed) + families(seed: seed) + falseLanguages(seed: seed) + others(seed: seed)
  }

  /// Several structures of a seed side by side in one folder.
  static func mixed(seed: UInt64) -> SeededTree {
    var random = Seeded(seed: seed)
    var mixed = SeededTree("mixed, seed \(seed)", primaryLanguage: "en")
    let parts = all(seed: seed).filter { ["en", nil].contains($0.primaryLanguage) }
    let tops = ["Alpha", "Beta", "Gamma", "Delta"]
    for top in tops {
      let part = parts[random.next(below: parts.count)]
      for file in part.files {
        var place = file.place
        let start = Array("\(top)/".utf8)
        switch place {
        case .localized(let language, let path): place = .localized(language, as: start + path)
        case .sibling(let unit): place = .sibling("\(top)/\(unit)")
        case .tier(let tier): place = .tier("\(top)/\(tier)")
        case .common, .platform, .media, .leftOut, .open: break
        }
        mixed.add(start + file.path, size: file.size, place)
      }
    }
    return mixed
  }

  // MARK: - Siblings, qualities, platforms, media

  static func others(seed: UInt64) -> [SeededTree] {
    var random = Seeded(seed: seed &+ 2)
    return [
      numberedLevels(&random), namedWorlds(&random), levelFiles(&random), skins(&random),
      tiers(&random), scales(&random), platforms(&random), media(&random), unwanted(&random),
      hostile(&random), smallFolders(&random), giants(&random),
    ].map { tree in
      var tree = tree
      tree.name += ", seed \(seed)"
      return tree
    }
  }

  static func size(_ random: inout Seeded, _ kilobytes: Range<Int>) -> UInt64 {
    UInt64(kilobytes.lowerBound + random.next(below: kilobytes.count)) * 1_000
      + random.next() % 1_000
  }

  private static func numberedLevels(_ random: inout Seeded) -> SeededTree {
    var tree = SeededTree("numbered levels")
    let count = 3 + random.next(below: 20)
    let form = random.next(below: 3)
    for number in 1...count {
      let digits = number < 10 ? "0\(number)" : "\(number)"
      let name = ["Levels/\(digits)", "Levels/level\(number)", "Levels/World \(digits)"][form]
      for file in ["map.bin", "tiles.png", "music.ogg"] {
        tree.add("\(name)/\(file)", size: size(&random, 300..<2_000), .sibling(name))
      }
      if random.next(below: 3) == 0 {
        tree.add("\(name)/boss.glb", size: size(&random, 100..<900), .sibling(name))
      }
    }
    tree.add("Levels/index.json", size: 4_000)
    tree.add("Levels/shared/trees.png", size: size(&random, 100..<400))
    tree.add("UI/button.png", size: size(&random, 4..<90))
    return tree
  }

  private static func namedWorlds(_ random: inout Seeded) -> SeededTree {
    var tree = SeededTree("named worlds")
    for world in ["desert", "forest", "ice", "volcano", "sky"].dropLast(random.next(below: 3)) {
      let unit = "data/worlds/\(world)"
      for file in ["world.dat", "ground.ktx", "sky/day.png", "sky/night.png"] {
        tree.add("\(unit)/\(file)", size: size(&random, 900..<4_000), .sibling(unit))
      }
      for prop in 0..<random.next(below: 4) {
        tree.add("\(unit)/props/\(world)\(prop).glb", size: size(&random, 9..<900), .sibling(unit))
      }
    }
    tree.add("data/worlds/readme.md", size: 900, .leftOut("init.document"))
    tree.add("data/worlds/wip/cave/world.dat", size: 9_000, .leftOut("init.unfinished"))
    tree.add("data/fonts/title.ttf", size: size(&random, 90..<300))
    return tree
  }

  private static func levelFiles(_ random: inout Seeded) -> SeededTree {
    var tree = SeededTree("episodes as files")
    for number in 1...(4 + random.next(below: 8)) {
      let name = "Episodes/episode_\(number).pck"
      tree.add(name, size: size(&random, 2_000..<9_000), .sibling(name))
    }
    tree.add("Episodes/list.json", size: 2_000)
    return tree
  }

  private static func skins(_ random: inout Seeded) -> SeededTree {
    var tree = SeededTree("characters")
    for name in ["knight", "wizard", "rogue", "bard", "monk"] {
      let unit = "Characters/\(name)"
      tree.add("\(unit)/model.glb", size: size(&random, 2_000..<8_000), .sibling(unit))
      tree.add("\(unit)/skin.png", size: size(&random, 500..<2_000), .sibling(unit))
      tree.add("\(unit)/portrait.png", size: size(&random, 50..<200), .sibling(unit))
    }
    tree.add("Characters/skeleton.bin", size: size(&random, 50..<200))
    return tree
  }

  private static func tiers(_ random: inout Seeded) -> SeededTree {
    var tree = SeededTree("qualities")
    let names = [["hd", "sd"], ["low", "medium", "high"], ["HD", "SD"]][random.next(below: 3)]
    for index in 0..<(5 + random.next(below: 20)) {
      for name in names {
        tree.add(
          "Textures/\(name)/wall\(index).png", size: size(&random, 200..<900),
          .tier("Textures/\(name)"))
      }
    }
    tree.add("Textures/white.png", size: 120)
    return tree
  }

  private static func scales(_ random: inout Seeded) -> SeededTree {
    var tree = SeededTree("scales")
    for index in 0..<(6 + random.next(below: 20)) {
      for (scale, factor) in [("", 1), ("@2x", 4), ("@3x", 9)] {
        tree.add(
          "Sprites/unit\(index)\(scale).png",
          size: UInt64(factor) * size(&random, 30..<90), .tier("Sprites/*\(scale)"))
      }
    }
    return tree
  }

  private static func platforms(_ random: inout Seeded) -> SeededTree {
    var tree = SeededTree("platforms")
    let isForeign = random.next(below: 2) == 0
    let names = isForeign ? ["iOS", "Android", "Windows"] : ["iOS", "macOS"]
    for name in names {
      for bundle in ["city.bundle", "forest.bundle", "common.bundle"] {
        let isApple = ["iOS", "macOS"].contains(name)
        tree.add(
          "Bundles/\(name)/\(bundle)", size: size(&random, 1_000..<9_000),
          isApple ? .platform(name) : .leftOut("init.platform-variant"))
      }
    }
    return tree
  }

  private static func media(_ random: inout Seeded) -> SeededTree {
    var tree = SeededTree("media")
    for index in 1...(3 + random.next(below: 9)) {
      tree.add("Music/theme\(index).ogg", size: size(&random, 2_000..<9_000), .media)
    }
    for name in ["intro.mp4", "credits.mp4"] {
      tree.add("Movies/\(name)", size: size(&random, 20_000..<90_000), .media)
    }
    for index in 0..<20 { tree.add("Sounds/hit\(index).wav", size: size(&random, 5..<60)) }
    return tree
  }

  // MARK: - Files that packs do not contain, and hostile names

  private static func unwanted(_ random: inout Seeded) -> SeededTree {
    var tree = SeededTree("unwanted files")
    let files: [(String, String)] = [
      ("AuthKey_2X9R4HXF34.p8", "init.secret"), (".env", "init.secret"),
      ("server/.env.production", "init.secret"), ("certs/push.p12", "init.secret"),
      (".DS_Store", "init.junk"), ("Art/.DS_Store", "init.junk"), ("Art/Thumbs.db", "init.junk"),
      ("Art/hero.png~", "init.junk"), ("Art/._hero.png", "init.junk"), (".git/HEAD", "init.junk"),
      ("Art/hero.psd", "init.source"), ("Art/Hero.PSD", "init.source"),
      ("Art/hero.blend", "init.source"), ("Scripts/main.lua", "init.script"),
      ("Art/hero.png.import", "init.editor"), ("project.godot", "init.editor"),
      ("Art/README.md", "init.document"), ("Art/unused/old.png", "init.unfinished"),
    ]
    for (path, rule) in files { tree.add(path, size: size(&random, 1..<40), .leftOut(rule)) }
    for path in ["Art/hero.png", "Art/LICENSE", "Art/key.png", "Art/backup.ogg", "data.bin"] {
      tree.add(path, size: size(&random, 10..<900))
    }
    tree.add("Art/empty.bin", size: 0)
    return tree
  }

  private static func hostile(_ random: inout Seeded) -> SeededTree {
    var tree = SeededTree("hostile names")
    let names = [
      "a[1].png", "b*.png", "c?.png", "{d,e}.png", "f[!a].png", "[g]", "!h.png", "#i.png",
      "j, k.png", "-l.png", "m'\"$(x).png", "n;o.png", "**", "p=q.png", "r&<s>.png", "日本.png",
      "e\u{301}.png", "\u{1F3FB}.json",
    ]
    for name in names { tree.add("Names/\(name)", size: size(&random, 1..<90)) }
    tree.add("Names/\(String(repeating: "n", count: 251)).png", size: 900)
    tree.add("Names/[01]/x*/y?.png", size: 900)
    let open = [
      " start.png", "end ", "end.", "u\\v.png", "Case.png", "case.png", "\u{E9}.ogg",
      "e\u{301}.ogg", "CON", "aux.png", "a:b.png", "\u{FEFF}bom.png", "a\u{202E}gnp.ogg",
    ]
    for name in open { tree.add("Open/\(name)", size: size(&random, 1..<90), .open) }
    let unusable: [[UInt8]] = [
      Array("a\nb.png".utf8), Array("a\rb.png".utf8), Array("\u{1B}[31m.png".utf8),
      Array("\u{7F}.png".utf8), Array("caf".utf8) + [0xE9] + Array(".png".utf8),
      [0xFF, 0xFE] + Array(".png".utf8), [0xC3, 0x28] + Array(".png".utf8),
      Array("c1\u{85}.png".utf8),
    ]
    for name in unusable {
      tree.add(Array("Bad/".utf8) + name, size: size(&random, 1..<90), .leftOut("init.name"))
    }
    tree.add(
      Array("Bad/".utf8) + [0xE9] + Array("/inner.png".utf8), size: 7, .leftOut("init.name"))
    return tree
  }

  // MARK: - Sizes

  private static func smallFolders(_ random: inout Seeded) -> SeededTree {
    var tree = SeededTree("many small folders")
    for index in 0..<(250 + random.next(below: 200)) {
      for file in ["a.json", "b.png"].dropLast(random.next(below: 2)) {
        tree.add("Items/item\(index)/\(file)", size: 200 + random.next() % 9_000)
      }
    }
    return tree
  }

  private static func giants(_ random: inout Seeded) -> SeededTree {
    var tree = SeededTree("giant files")
    for index in 1...(2 + random.next(below: 3)) {
      tree.add("Worlds/earth-\(index).bin", size: 1_500_000_000 + random.next() % 2_000_000_000)
    }
    for part in ["north", "south", "east", "west"] {
      for index in 0..<3 {
        tree.add("Terrain/\(part)/\(index).bin", size: 600_000_000 + random.next() % 400_000_000)
      }
    }
    tree.add("menu.png", size: 90_000)
    return tree
  }
}
