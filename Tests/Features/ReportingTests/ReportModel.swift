import BAPackKit
import Reporting
import SourceDiagnostics
import SystemIO
import TestSupport

/// Packs as a list of files, from which inventories and expectations are computed.
struct MadePack {
  struct File {
    var path: [UInt8]
    var size: UInt64
    var stored: UInt64?
    /// The contents as a number: files with the same number are copies.
    var contents: UInt8
    /// The number of bytes in blocks with other files.
    var shared: UInt64 = 0

    var digest: [UInt8] { Array(repeating: contents, count: 32) }
  }

  var id: String
  var policy: DownloadPolicy? = .onDemand
  var platforms: [Platform] = []
  var language: String?
  var archive: UInt64?
  var files: [File] = []

  var inventoryPack: InventoryPack {
    var pack = InventoryPack(PackID(id), policy: policy, place: "packs/\(id).aar")
    pack.platforms = platforms
    pack.language = language.flatMap { LanguageTag($0) }
    pack.downloadSize = archive
    var contents = PackContents()
    for file in files {
      contents.append(
        AssetPath(unchecked: file.path), size: file.size,
        share: file.stored.map { .init(stored: $0, uncompressed: 0, shared: file.shared) },
        digest: file.digest)
    }
    contents.sort()
    pack.contents = contents
    return pack
  }

  /// Returns random packs; some are for a language or for some platforms.
  static func seeded(_ seed: UInt64) -> [MadePack] {
    var seeded = Seeded(seed: seed)
    let policies: [DownloadPolicy] = [
      .essential([.firstInstallation]), .essential([.subsequentUpdate]),
      .essential([.firstInstallation, .subsequentUpdate]), .prefetch([.firstInstallation]),
      .onDemand,
    ]
    return (0..<1 + seeded.next(below: 9)).map { number in
      var pack = MadePack(id: "pack-\(number)")
      pack.policy = policies[seeded.next(below: policies.count)]
      pack.platforms = Platform.allCases.filter { _ in seeded.next(below: 3) == 0 }
      pack.language = [nil, nil, "de", "fr", "zh-Hant"][seeded.next(below: 5)]
      for file in 0..<seeded.next(below: 30) {
        let suffix = ["png", "wav", "json", "", "zzz"][seeded.next(below: 5)]
        let size = UInt64(seeded.next(below: 4) == 0 ? 0 : seeded.next(below: 100_000))
        // Equal contents have equal sizes, but may take different sizes in an archive.
        let contents = UInt8(1 + seeded.next(below: 40))
        pack.files.append(
          File(
            path: Array("F\(seeded.next(below: 4))/file-\(file).\(suffix)".utf8),
            size: size == 0 ? 0 : UInt64(contents) * 1000,
            stored: UInt64(seeded.next(below: 1 + Int(contents) * 1000)), contents: contents,
            shared: size == 0 ? 0 : UInt64(seeded.next(below: 1 + Int(contents) * 1000))))
      }
      pack.archive = pack.files.reduce(500) { $0 + ($1.stored ?? 0) }
      return pack
    }
  }
}

extension [MadePack] {
  var inventory: Inventory { Inventory("A game", map(\.inventoryPack)) }
}

/// Names that would have an effect in an output format if they were not escaped.
let hostileTexts = [
  "</script><script>alert(1)</script>", "<img src=x onerror=alert(1)>", "\" onclick=\"x\" x=\"",
  "<!--", "&lt;&amp;", "]]>", "`code`", "a|b", "**bold**", "[x](http://e.example)", "@somebody",
  "#1234", "=1+1", "+1", "-1", "@SUM(1)", "'quoted'", "a,b;c", "two\nlines", "tab\tbed", "\tx",
  "\u{1B}[31mred", "\u{2028}line\u{2029}", "\u{202E}gnp.exe", "www.e.example", "~x~ _y_",
  "http://e.example/x", "`🏻@x", "|🏻|",
]

/// Returns packs with hostile names of all kinds.
func hostilePacks() -> [MadePack] {
  var pack = MadePack(id: hostileTexts[0] + "`|@a", archive: 90_000)
  var other = MadePack(id: "=plain", archive: 90_000)
  for (number, name) in (hostileTexts.map { Array($0.utf8) } + HostileNames.possible).enumerated() {
    // Twice in one pack, so that it is also a duplicate.
    for folder in [Array("a".utf8), name] where !folder.contains(UInt8(ascii: "/")) {
      let path = folder + Array("/".utf8) + name
      pack.files.append(
        .init(path: path, size: 1000, stored: 990, contents: UInt8(1 + number)))
    }
    other.files.append(.init(path: name, size: 1000, stored: 1000, contents: UInt8(1 + number)))
  }
  return [pack, other]
}
