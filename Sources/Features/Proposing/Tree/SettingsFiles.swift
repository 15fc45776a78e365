import BAPackKit
import SystemIO

/// The folders that files of settings name; paths that leave the project are ignored.
enum SettingsFiles {
  /// Returns the path that a setting contains, relative to the project; nil if it is absolute, or
  /// leads out of the project.
  private static func relativePath(_ text: some StringProtocol, rootMark: String = "") -> FilePath?
  {
    let path = FilePath(text.dropFirst(text.hasPrefix(rootMark) ? rootMark.count : 0).utf8)
    guard !path.isAbsolute, !path.bytes.contains(0), !path.components.contains("..") else {
      return nil
    }
    return path.normalized
  }

  // MARK: Godot

  /// Returns the folders with exported `.pck` files for Apple platforms: those that
  /// export_presets.cfg names, iOS first, then the usual ones.
  @Sendable static func exportedGodotPacks(in folder: InspectedFolder) -> [FilePath] {
    let named = godotPresets(in: folder).filter { hasPacks(in: $0, of: folder) }
    let parents = ["export", "exports", "build", "builds"]
    let usual = parents.flatMap { folder.matches(of: $0 + "/iOS") }
      .filter { hasPacks(in: $0, of: folder) }
    let mixed = parents.flatMap(folder.matches(of:)).filter {
      hasPacks(in: $0, of: folder) && !hasOtherPlatforms(in: $0, of: folder)
    }
    return named + usual + mixed
  }

  /// Returns the folders of the exports for Apple platforms.
  private static func godotPresets(in folder: InspectedFolder) -> [FilePath] {
    guard let text = folder.text(of: "export_presets.cfg") else { return [] }
    let platforms = ["iOS", "visionOS", "macOS"]
    var paths: [[FilePath]] = platforms.map { _ in [] }
    var platform: Int?
    for (name, value) in text[...].settings {
      switch name {
      case "platform": platform = platforms.firstIndex(of: String(value))
      case "export_path":
        guard let platform, let export = relativePath(value, rootMark: "res://"),
          !export.bytes.isEmpty
        else { continue }
        let parent = export.folder.normalized
        let stem = export.name.bytes.prefix { $0 != dot }
        paths[platform] += [parent, parent.appending(FileName(stem))]
      default: break
      }
    }
    return paths.flatMap(\.self)
  }

  private static func hasPacks(in place: FilePath, of folder: InspectedFolder) -> Bool {
    folder.kind(of: place) == .directory
      && !folder.names(in: place) { $0.suffix(4).elementsEqual(".pck".utf8) }.isEmpty
  }

  /// Returns whether a folder contains an export for another platform, to which a `.pck` may
  /// belong.
  private static func hasOtherPlatforms(in place: FilePath, of folder: InspectedFolder) -> Bool {
    let endings = [".exe", ".apk", ".aab", ".x86_64", ".arm64", ".wasm", ".html"]
    return !folder.names(in: place) { name in
      endings.contains { name.suffix($0.utf8.count).elementsEqual($0.utf8) }
    }.isEmpty
  }

  // MARK: Defold

  /// Returns the folders of files that a Defold game can load outside of its archive.
  @Sendable static func exportedDefoldContent(in folder: InspectedFolder) -> [FilePath] {
    var paths: [FilePath] = []
    let liveUpdate = ProjectSetting("zip-filepath", in: "*.settings")
    if let (text, _) = liveUpdate.value(in: folder), let export = relativePath(text, rootMark: "/"),
      !export.bytes.isEmpty
    {
      paths.append(export)
    }
    let resources = ProjectSetting("bundle_resources", in: "game.project")
    if let (text, _) = resources.value(in: folder), let root = relativePath(text, rootMark: "/") {
      paths += ["ios", "common"].map { root.appending(FileName($0)) }
    }
    return paths
  }

  // MARK: Flutter

  /// Returns the common parent folder of the entries of `assets:` in pubspec.yaml.
  @Sendable static func flutterAssets(in folder: InspectedFolder) -> [FilePath] {
    guard let text = folder.text(of: "pubspec.yaml") else { return [] }
    var common: [FileName]?
    for entry in flutterEntries(in: text) {
      // Assets of other packages are not in this project.
      guard !entry.hasPrefix("packages/"), let path = relativePath(entry) else { continue }
      let names = path.components
      let parent = entry.hasSuffix("/") ? names : Array(names.dropLast())
      let pairs = zip(common ?? parent, parent)
      common = pairs.prefix { $0 == $1 }.map(\.0)
    }
    return common.map { [FilePath(joining: $0)] } ?? []
  }

  /// Returns the items of the list `assets:` below `flutter:`.
  private static func flutterEntries(in text: String) -> [Substring] {
    var entries: [Substring] = []
    var isInFlutter = false
    var isInAssets = false
    // Lists in items have a larger indentation than the items.
    var indentation: Int?
    for line in text.split(whereSeparator: \.isNewline) {
      let content = line.drop { $0 == " " }
      if content.isEmpty || content.hasPrefix("#") { continue }
      let isItem = content.hasPrefix("-")
      let width = line.count - content.count
      if width == 0, !isItem {
        isInFlutter = content.hasPrefix("flutter:")
        isInAssets = false
      } else if isInFlutter, isInAssets, isItem {
        indentation = indentation ?? width
        if width == indentation { entries.append(flutterItem(content)) }
      } else if isInFlutter, !isItem, !isInAssets || width <= indentation ?? .max {
        isInAssets = content.hasPrefix("assets:")
      }
    }
    return entries
  }

  /// Returns the path of an item `- path`, or of the long form `- path: path`.
  private static func flutterItem(_ line: Substring) -> Substring {
    let item = line.dropFirst().drop { $0 == " " }
    let path = item.hasPrefix("path:") ? item.dropFirst(5) : item
    let withoutComment = path.firstRange(of: " #").map { path[..<$0.lowerBound] } ?? path
    return withoutComment.trimmingQuotes
  }

  /// Returns the language in a name such as `app_en.arb`; nil if there is none.
  @Sendable static func languageOfARBFile(_ name: Substring) -> String? {
    let parts = name.prefix { $0 != "." }.split(separator: "_")
    return parts.indices.dropFirst().lazy
      .map { parts[$0...].joined(separator: "_") }
      .first { LanguageName(Array($0.utf8)[...]) != nil }
  }
}

extension Substring {
  /// The text without spaces and quotation marks at its ends.
  fileprivate var trimmingQuotes: Substring {
    let isDropped: (Character) -> Bool = { $0.isWhitespace || $0 == "\"" || $0 == "'" }
    guard let end = lastIndex(where: { !isDropped($0) }) else { return "" }
    return self[...end].drop(while: isDropped)
  }
}
