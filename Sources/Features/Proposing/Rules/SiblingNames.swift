/// Names about sets of similar folders, as data.
enum SiblingNames {
  /// Names of folders, in lower case, with one subfolder for each level, in an order.
  static let ordered: Set<String> = [
    "levels", "worlds", "episodes", "chapters", "missions", "campaigns", "stages", "dungeons",
    "maps", "quests", "acts", "scenes", "zones", "areas", "regions", "planets", "islands",
    "lessons", "stories", "courses", "cups", "books", "scenarios", "tracks", "activities",
  ]

  /// Names of folders, in lower case, with one subfolder for each thing, in no order.
  static let unordered: Set<String> = [
    "characters", "skins", "heroes", "karts", "cars", "vehicles", "ships", "arenas", "themes",
    "seasons", "packs", "addons", "add-ons", "dlc", "expansions", "mods", "tribes", "factions",
    "costumes", "outfits", "weapons", "creatures", "monsters", "bosses", "biomes", "games",
    "minigames",
  ]

  /// Names of first levels, in lower case.
  static let first: Set<String> = [
    "tutorial", "intro", "introduction", "prologue", "first", "start", "training", "beginner",
    "basics", "cave", "prolog", "onboarding",
  ]

  /// Starts of names, in lower case, whose numbers are an order of levels.
  static let numbered: Set<String> = [
    "world", "level", "chapter", "episode", "act", "stage", "mission", "campaign", "island", "part",
    "lesson", "map", "area", "zone", "book", "story", "scenario", "quest", "day", "l", "e", "w",
  ]

  /// Whether folders with a word and a number, such as `world2` or `2`, are levels or similar
  /// things.
  ///
  /// Numbers without a word are often the frames, angles or scales of pictures.
  static func areMembers(numbersAfter word: String, in folder: String) -> Bool {
    !word.isEmpty || folder.isEmpty || ordered.contains(folder) || unordered.contains(folder)
      || numbered.contains(folder)
  }

  /// Names of files with the order of levels, in lower case and without the extension.
  static let orders: Set<String> = [
    "order", "index", "list", "levels", "worlds", "chapters", "episodes", "campaign", "campaigns",
    "stages", "missions", "tracks", "sequence", "levelset", "worldmap",
  ]

  /// Names of folders, in lower case, that the first screen of an app needs.
  static let core: Set<String> = [
    "menu", "menus", "mainmenu", "main-menu", "main_menu", "ui", "gui", "hud", "interface",
    "fonts", "font", "common", "shared", "core", "base", "boot", "startup", "splash", "loading",
    "title", "icons", "icon", "cursors", "shaders", "shader", "config", "configs", "settings",
    "global", "init", "launch", "tutorial", "onboarding", "widgets", "main", "pak0",
  ]
}

/// Kinds of media and models, as data.
enum MediaKinds {
  /// Extensions of sounds, in lower case.
  static let sounds: Set<String> = [
    "ogg", "oga", "opus", "mp3", "m4a", "aac", "wav", "wave", "flac", "aif", "aiff", "aifc", "caf",
    "mid", "midi", "mod", "xm", "it", "s3m", "wma", "wem", "bnk", "bank",
  ]
  /// Extensions of videos, in lower case.
  static let videos: Set<String> = [
    "mp4", "m4v", "mov", "webm", "mkv", "avi", "ogv", "bik", "bk2", "usm", "mpg", "mpeg", "wmv",
    "hevc",
  ]
  /// Extensions of machine-learning models in one file, in lower case.
  static let modelFiles: Set<String> = [
    "mlmodel", "gguf", "ggml", "safetensors", "onnx", "tflite", "pte", "ptl", "ort",
  ]
  /// Extensions of folders that are machine-learning models, in lower case.
  static let modelFolders: Set<String> = ["mlmodelc", "mlpackage", "fmadapter", "aimodel"]
  /// The size of a sound from which it is music, which does not fit in the folder of a level.
  static let musicBytes: UInt64 = 1_000_000
}
