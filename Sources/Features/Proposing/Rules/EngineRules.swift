import BAPackKit

/// The rules about the engine or the kind of a project.
package enum EngineRules {
  /// The rules in the order of the reference.
  static let all = [engine, export, folder]

  static let engine = Rule(
    "init.engine", .always(.note),
    what: "The files of a pack are also in the app, or the engine cannot load them from a pack.",
    why: """
      An engine or a build copies its folder of assets into the app. Users download a file twice \
      if it is in the app and in a pack. Some engines load only files in special formats.
      """,
    example: .init(
      wrong: "'assets/levels/' in the list 'assets:' of pubspec.yaml, and in a pack",
      right: "a folder that pubspec.yaml does not name, in a pack"))

  static let export = Rule(
    "init.export", .always(.note),
    what: "The content that an engine exported is packed, not the sources in the project.",
    why: """
      Engines such as Unity, Unreal Engine and Defold convert assets for each platform. An app on \
      an Apple platform can load only the exported content for this platform.
      """,
    example: .init(
      wrong: "Assets/Textures/hero.psd", right: "ServerData/iOS/textures_assets_all.bundle"))

  static let folder = Rule(
    "init.folder-of-assets", .always(.note),
    what: "The folder of assets in a project is packed, not its other folders.",
    why: """
      Projects keep assets in a folder with a usual name, such as 'Assets' or 'Resources'. To pack \
      another folder, specify it.
      """,
    example: .init(wrong: "Makefile, src/, Assets/", right: "the packs contain files of Assets/"))
}
