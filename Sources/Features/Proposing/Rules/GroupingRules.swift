import BAPackKit

/// The rules that form packs of files.
package enum GroupingRules {
  /// The rules in the order of the reference.
  static let all = [
    localized, ownPaths, otherLanguages, textOfAllLanguages, siblings, firstSibling, tiers,
    platform, models, media, core, folder, joined, split, history,
  ]

  static let localized = Rule(
    "init.localized", .always(.note),
    what: "Each language has a pack, and the packs have the same paths.",
    why: """
      A device downloads only the pack of its language. The app opens the same path in every \
      language, so the folder of the language is not a part of the path in the pack. A file that a \
      language lacks is that of the primary language.
      """,
    example: .init(
      wrong: "Voices/en/hello.wav, Voices/de/hello.wav",
      right: "the packs voices-en and voices-de, each with Voices/hello.wav"))

  static let ownPaths = Rule(
    "init.own-paths", .always(.note),
    what: "A language with other files than the primary language has a pack with its own paths.",
    why: """
      The localized packs of all languages must have the same paths. The app chooses such a pack \
      itself, and opens its files in the folder of the language.
      """,
    example: .init(
      wrong: "Voices/en/1.wav, Voices/de/1.wav, Voices/fr/2.wav",
      right: "the packs voices-en and voices-de are localized, voices-fr is not"))

  static let otherLanguages = Rule(
    "init.other-languages", .always(.note),
    what: "Translations without the primary language are in one pack, with their own paths.",
    why: """
      A device without a pack in its languages gets the pack in the primary language. If this has \
      no such files, the app must choose one of the languages. With another primary language, each \
      of them has a pack.
      """,
    example: .init(
      wrong: "Voices/de/, Voices/fr/, Text/en/, Text/es/, where the primary language is en",
      right: "the pack voices with Voices/de/ and Voices/fr/, the packs text-en and text-es"))

  static let textOfAllLanguages = Rule(
    "init.text", .always(.note),
    what: "The texts of all languages are in one pack.",
    why: """
      Libraries such as gettext choose the language themselves, and need the path of the language. \
      Texts are small, so one pack costs little.
      """,
    example: .init(
      wrong: "locale/de/LC_MESSAGES/game.mo, locale/fr/LC_MESSAGES/game.mo",
      right: "one pack with both files"))

  static let siblings = Rule(
    "init.siblings", .always(.note),
    what: "Each of several similar folders or files has an on-demand pack, such as levels.",
    why: """
      The app needs one of them at a time. It requests the pack before the user opens the level, \
      and can remove it afterwards.
      """,
    example: .init(
      wrong: "Worlds/01/, Worlds/02/, Worlds/03/",
      right: "the packs world-02 and world-03; Worlds/01/ is needed first"))

  static let firstSibling = Rule(
    "init.first", .always(.note),
    what: "The first level is downloaded before the first launch.",
    why: """
      The user can begin to play while the system downloads the other packs. The first level has a \
      name such as 'tutorial', is the first one in a file such as 'levels.txt', has the smallest \
      number, or is the smallest level with all kinds of files.
      """,
    example: .init(
      wrong: "Levels/01/, Levels/02/, Levels/03/", right: "the pack core contains Levels/01/"))

  static let tiers = Rule(
    "init.tier", .always(.note),
    what: "Each quality of the same files has an on-demand pack.",
    why: """
      A device needs one quality, and the app chooses it at run time. The paths are kept, so that \
      the app can distinguish them.
      """,
    example: .init(
      wrong: "Textures/hd/hero.png, Textures/sd/hero.png",
      right: "the packs textures-hd and textures-sd"))

  static let platform = Rule(
    "init.platform", .always(.note),
    what: "The files of one Apple platform are in a pack for this platform.",
    why: "Devices of other platforms do not download the pack.",
    example: .init(
      wrong: "Bundles/iOS/, Bundles/macOS/",
      right: #"the pack bundles-iOS with "platforms": ["iOS"], and bundles-macOS"#))

  static let models = Rule(
    "init.model", .always(.note),
    what: "Each machine-learning model has an on-demand pack.",
    why: "Models are large, and the app needs one when the user opens the feature.",
    example: .init(
      wrong: "Models/segment.mlmodelc/, Models/chat.gguf",
      right: "the packs segment and chat"))

  static let media = Rule(
    "init.media", .always(.note),
    what: "Music and videos have separate packs.",
    why: """
      They are large, and compression does not reduce them. The app can start without them: music \
      is downloaded in the background, videos on demand.
      """,
    example: .init(wrong: "Music/theme.ogg with 4 MB", right: "the pack music, with 'prefetch'"))

  static let core = Rule(
    "init.core", .always(.note),
    what: "The files that the first screen needs are in the pack core.",
    why: """
      The app opens after the download of the essential packs, and an update of one file downloads \
      the pack again. The rule chooses folders with names such as 'Menu', 'UI' and 'Fonts', and \
      folders of at most a tenth of the limit.
      """,
    example: .init(wrong: "UI/, Fonts/", right: "the pack core, with 'essential'"))

  static let folder = Rule(
    "init.folder", .always(.note),
    what: "A folder has a separate pack, which is downloaded in the background.",
    why: "Files of one folder are mostly used and changed together.",
    example: .init(wrong: "Models/ with 400 MB", right: "the pack models, with 'prefetch'"))

  static let joined = Rule(
    "init.joined", .always(.note),
    what: "Several small packs are joined.",
    why: """
      Each pack has its own download, its own version and its own review. A pack of less than \
      about 1 MB after compression does not pay. An app may have at most 200 packs.
      """,
    example: .init(wrong: "300 levels with 20 KB each", right: "one pack with all levels"))

  static let split = Rule(
    "init.split", .always(.note),
    what: "A folder of more than 4 GB is split into several packs.",
    why: "An update downloads a whole pack again. No maximum size of a pack is published.",
    example: .init(wrong: "Movies/ with 9 GB", right: "the packs videos-1, videos-2 and videos-3"))

  static let history = Rule(
    "init.history", .always(.note),
    what: "Files that change often are in other packs than files that are stable.",
    why: """
      An update downloads a changed pack as a whole. The history of the Git repository shows which \
      files changed in the same releases.
      """,
    example: .init(
      wrong: "one pack with Maps/, which changes in each release, and Sounds/, which never does",
      right: "the packs assets and assets-maps"))
}
