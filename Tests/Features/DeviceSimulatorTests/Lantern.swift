import BAPackKit
import DeviceSimulator
import SourceDiagnostics

/// The packs of a small game in several releases.
enum Lantern {
  static let first: Set<InstallationEvent> = [.firstInstallation]
  static let always: Set<InstallationEvent> = [.firstInstallation, .subsequentUpdate]

  static func pack(
    _ id: PackID, _ policy: DownloadPolicy, version: Int = 1, size: UInt64 = 100,
    platforms: [Platform] = [], language: String? = nil, files: [String: UInt64] = [:],
    rules: [SemanticRule] = []
  ) -> ReleasedPack {
    let contents = PackContents(files)
    return ReleasedPack(
      OfferedPack(
        id: id, policy: policy, platforms: platforms,
        language: language.flatMap { LanguageTag($0) },
        size: PackSize(download: size, unpacked: contents.unpackedSize)),
      version: version, contents: contents, rules: rules)
  }

  static let one = Release(
    "one",
    [
      pack(
        "cave", .onDemand, size: 480, files: ["Levels/Cave/map.json": 40],
        rules: [.platformNone]),
      pack("forest", .onDemand, files: ["Levels/Forest/map.json": 40, "Textures/hero.png": 9]),
      pack("island", .prefetch(always), files: ["Textures/hero.png": 10, "logo.png": 5]),
      pack("tutorial", .essential(first), files: ["Levels/tutorial.json": 20, "logo.png": 5]),
      pack(
        "mac", .essential(always), platforms: [.macOS],
        files: ["mac.json": 1, "levels/Tutorial.json": 1]),
      pack("late", .prefetch([.subsequentUpdate]), files: ["late.json": 1]),
      pack("voices-en", .prefetch(always), language: "en", files: ["Voices/door.wav": 30]),
      pack("voices-es-us", .prefetch(always), language: "es-US", files: ["Voices/door.wav": 31]),
      pack(
        "voices-fr", .onDemand, language: "fr", files: ["Voices/door.wav": 32],
        rules: [.languageOfManifest]),
    ])

  /// A release with a newer cave, an older island and no forest.
  static let two = Release(
    "two",
    one.packs.compactMap { pack in
      var pack = pack
      switch pack.id {
      case "forest": return nil
      case "cave", "tutorial", "voices-en": pack.version = 2
      case "island": pack.version = 0
      default: break
      }
      return pack
    }, rules: [.override])

  /// A release without localized packs.
  static let plain = Release("plain", one.packs.filter { $0.offered.language == nil })

  /// Packs of one language with two spellings.
  static let spellings = Release(
    "spellings",
    [
      pack("voices-en", .essential(first), language: "en", files: ["Voices/door.wav": 30]),
      pack("voices-en-us", .prefetch(always), language: "en-US", files: ["Voices/door.wav": 31]),
    ])

  /// Packs of a language that is the parent of others.
  static let norwegian = Release(
    "norwegian",
    [
      pack("voices-no", .essential(first), language: "no", files: ["Voices/door.wav": 30]),
      pack("voices-en", .essential(first), language: "en", files: ["Voices/door.wav": 31]),
    ])

  /// A pack that the manifest lists for every platform, with an archive for one platform.
  static let published = Release(
    "published",
    [pack("phone", .essential(first), platforms: [.iOS], rules: [.platformOfArchive])])

  /// An essential pack for updates of the app only.
  static let news = Release("news", [pack("news", .essential([.subsequentUpdate]))])

  static let releases = [
    "news": news, "one": one, "two": two, "plain": plain, "spellings": spellings,
    "norwegian": norwegian,
    "published": published,
  ]

  /// Runs a scenario with the releases `one`, `two` and `plain`.
  static func play(
    _ text: String, bytesAreSame: Bool? = false, profile: DeviceProfile = DeviceProfile()
  ) -> ScenarioRun {
    let document = ScenarioDocument(
      parsing: Array(text.utf8), named: "game.scenario", profile: profile)
    let releases = document.releases.map { Self.releases[$0.paths[0]] ?? one }
    return ScenarioRun(
      document, from: DeviceState(),
      in: ReleaseSource(releases, bytesAreSame: bytesAreSame), releases: releases)
  }
}

extension ReleaseSource {
  /// Creates a source in which files with one path have the same, different or unknown bytes.
  init(_ releases: [Release], bytesAreSame: Bool?) {
    self.init(releases) { pack, paths in
      bytesAreSame.map { areSame in
        paths.map { (areSame ? [] : Array(pack.id.text.utf8)) + $0.bytes }
      }
    }
  }
}
