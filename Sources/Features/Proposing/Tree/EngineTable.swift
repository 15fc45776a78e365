import SystemIO
import TerminalText

extension EngineRule {
  /// The engines; the first rule whose markers exist is used, so a rule for an engine that writes
  /// Xcode projects is before the rule for these.
  static let all = [
    unity, unreal, godot, defold, cocosCreator, cocos2dx, flutter, reactNative, solar2D, love,
    xcode,
  ]

  private static let unity = EngineRule(
    engine: .unity,
    markers: [
      [.file("ProjectSettings/ProjectVersion.txt")],
      [.folder("Data/Raw"), .folder("Data/Managed")],
    ],
    version: ProjectSetting(
      "m_EditorVersion", in: "ProjectSettings/ProjectVersion.txt", convert: versionNumber),
    systems: [
      ProjectSetting("iOSTargetOSVersionString", in: "ProjectSettings/ProjectSettings.asset")
    ],
    exported: folders(
      "ServerData/iOS", "ServerData/tvOS", "ServerData/VisionOS", "ServerData/StandaloneOSX",
      "AssetBundles/iOS", "Assets/AssetBundles/iOS", "Data/Raw", "*/Data/Raw", "Build/*/Data/Raw",
      "Builds/*/Data/Raw", "Assets/StreamingAssets"),
    exportAdvice: "put files into Assets/StreamingAssets, or build the Addressables for iOS into "
      + "ServerData/iOS",
    advice: [
      Advice(
        "Unity copies 'Assets/StreamingAssets' into the app: move the files of packs to another "
          + "folder before you build the app",
        if: .exists(["Assets/StreamingAssets"])),
      Advice(
        "Unity copies 'Data/Raw' into the app: remove the files of packs from it before you build "
          + "the app in Xcode",
        if: .exists(["Data/Raw"])),
      Advice(
        "AssetBundles load only on the platform that they were built for, and the catalog of the "
          + "Addressables must match them"),
    ])

  private static let unreal = EngineRule(
    engine: .unreal, markers: [[.file("*.uproject")]],
    version: ProjectSetting("EngineAssociation", in: "*.uproject", convert: versionNumber),
    languages: [
      ProjectSetting("NativeCulture", in: "Config/Localization/*.ini", "Config/Default*.ini")
    ],
    systems: [ProjectSetting("MinimumiOSVersion", in: "Config/DefaultEngine.ini")],
    exported: folders(
      "Saved/StagedBuilds/IOS/cookeddata/*/content/paks", "Saved/StagedBuilds/IOS/*/Content/Paks",
      "Saved/StagedBuilds/TVOS/cookeddata/*/content/paks",
      "Saved/StagedBuilds/VisionOS/cookeddata/*/content/paks",
      "Saved/StagedBuilds/Mac/*/Content/Paks"),
    exportAdvice: "cook and stage the project for iOS with chunks, which writes .pak files into "
      + "Saved/StagedBuilds/IOS",
    advice: [
      Advice(
        "the app needs 'pakchunk0' and 'global.*' itself: exclude them from the packs, and remove "
          + "the other chunks from the staged folder before you sign the app")
    ])

  private static let godot = EngineRule(
    engine: .godot, markers: [[.file("project.godot")]],
    version: ProjectSetting("config_version", in: "project.godot") { text in
      // The version of the format of the file, not of the engine.
      UInt(text).map { $0 >= 5 ? "4" : "3" }
    },
    languages: [ProjectSetting("locale/fallback", in: "project.godot")],
    systems: [ProjectSetting("application/min_ios_version", in: "export_presets.cfg")],
    exported: [.settings(SettingsFiles.exportedGodotPacks)],
    advice: [
      Advice(
        "Godot loads imported resources, such as textures and scenes, only from a .pck: export "
          + "one for each pack; the app can read other files directly",
        if: .exported(false)),
      Advice(
        "an export also puts these files into the app: exclude the files of packs in the export "
          + "preset",
        if: .exported(false)),
      Advice(
        "the app contains its main .pck: exclude it from the packs, and exclude the contents of "
          + "the other .pck files in the export preset",
        if: .exported(true)),
    ])

  private static let defold = EngineRule(
    engine: .defold, markers: [[.file("game.project")]],
    exported: [.settings(SettingsFiles.exportedDefoldContent)]
      + folders("build/liveupdate", "liveupdate"),
    exportAdvice: "exclude the collection proxies of the content, and publish it for Live Update "
      + "in the mode 'Zip' into build/liveupdate",
    advice: [
      Advice(
        "Defold puts the collections of all proxies into the app, except those with 'Exclude', "
          + "and all files of 'bundle_resources'")
    ])

  private static let cocosCreator = EngineRule(
    engine: .cocosCreator,
    markers: [
      [.text(#""creator""#, in: "package.json"), .folder("assets")],
      [.text("cocos-creator", in: "project.json"), .folder("assets")],
    ],
    version: ProjectSetting(
      "version", in: "package.json", after: #""creator""#, convert: versionNumber),
    exported: folders(
      "build/ios/remote", "build/ios/data/remote", "build/jsb-link/remote",
      "build/jsb-default/remote", "build/mac/remote", "build/mac/data/remote",
      "build/ios/data/assets", "build/jsb-link/assets", "build/jsb-default/assets"),
    exportAdvice: "set the bundles to 'Remote', and build for iOS, which writes them into "
      + "build/ios/remote",
    advice: [
      Advice(
        "only bundles with the setting 'Remote' are not in the app; 'index.js' in a bundle is "
          + "code, and must be in the app")
    ])

  private static let cocos2dx = EngineRule(
    engine: .cocos2dx,
    markers: [
      [.file(".cocos-project.json")], [.file("cocos-project.json")],
      [.folder("cocos2d"), .folder("Classes")],
    ],
    version: ProjectSetting("engine_version", in: ".cocos-project.json", "cocos-project.json") {
      // Such as "cocos2d-x-3.17".
      versionNumber($0.split(separator: "-").last ?? $0)
    },
    languages: developmentRegions(below: "proj.ios_mac"),
    assets: folders("Resources", "res", "assets"),
    advice: [
      Advice(
        "the Xcode project copies the folder of assets into the app: remove the folders of packs "
          + "from its resources, and add their new places as search paths")
    ])

  private static let flutter = EngineRule(
    engine: .flutter, markers: [[.text("\nflutter:", in: "pubspec.yaml")]],
    languages: [
      ProjectSetting("template-arb-file", in: "l10n.yaml", convert: SettingsFiles.languageOfARBFile)
    ] + developmentRegions(below: "ios"),
    assets: [.settings(SettingsFiles.flutterAssets)] + folders("assets"),
    advice: [
      Advice(
        "Flutter copies the files of the list 'assets:' in pubspec.yaml into the app: remove the "
          + "files of packs from it"),
      Advice("'rootBundle' does not find files of packs: use 'File' and 'Image.file'"),
    ])

  private static let reactNative = EngineRule(
    engine: .reactNative,
    markers: [
      [.text(#""react-native""#, in: "package.json")], [.text(#""expo""#, in: "package.json")],
    ],
    version: ProjectSetting("react-native", in: "package.json", convert: versionNumber),
    languages: developmentRegions(below: "ios"),
    assets: folders("assets", "src/assets", "app/assets"),
    advice: [
      Advice(
        "images that the code loads with 'require()' are in the app: load the files of packs by "
          + "'file://' URLs instead")
    ])

  private static let solar2D = EngineRule(
    engine: .solar2D,
    markers: [
      [.file("build.settings"), .file("main.lua")], [.file("config.lua"), .file("main.lua")],
    ],
    assets: folders("assets", "data", "res", "resources"),
    advice: [
      Advice(
        "Solar2D copies all files of the project into the app: list the files of packs in "
          + "'excludeFiles' of build.settings"),
      Advice(
        "'display.newImage' and 'audio.loadSound' accept no absolute paths: link the files into "
          + "'system.CachesDirectory'"),
    ])

  private static let love = EngineRule(
    engine: .love,
    markers: [[.file("main.lua"), .file("conf.lua")], [.text("love.", in: "main.lua")]],
    version: ProjectSetting("t.version", in: "conf.lua", convert: versionNumber),
    assets: folders("assets", "data", "res", "resources"),
    advice: [
      Advice("remove the files of packs from the file '.love', which is in the app"),
      Advice(
        "'love.filesystem' reads only the game and the folder for saved files: link or copy the "
          + "files of packs into that folder"),
    ])

  private static let xcode = EngineRule(
    engine: .xcode,
    markers: [
      [.folder("*.xcodeproj")], [.folder("*.xcworkspace")], [.text("targets:", in: "project.yml")],
      [.text("ProjectDescription", in: "Project.swift")],
    ],
    languages: developmentRegions(below: nil)
      + [ProjectSetting("developmentLanguage", in: "project.yml")],
    systems: [ProjectSetting("IPHONEOS_DEPLOYMENT_TARGET", in: "*.xcodeproj/project.pbxproj")],
    assets: folders(
      "Assets", "Resources", "GameAssets", "Content", "Data", "Media", "{name}/Assets",
      "{name}/Resources", "{name}/GameAssets", "{name}/Content", "{name}/Data", "{name}/Media",
      "*/Assets", "*/Resources"),
    advice: [
      Advice(
        "remove the files of packs from 'Copy Bundle Resources' of the app's target in Xcode, so "
          + "that they are not also in the app"),
      Advice(
        "an app cannot load an asset catalog from a pack: export its images as files",
        if: .exists(["*.xcassets", "{name}/*.xcassets"])),
      Advice(
        "'SKTextureAtlas(named:)' and 'SKScene(fileNamed:)' do not find files of packs: create "
          + "textures from images",
        if: .exists(["*.atlas", "{name}/*.atlas", "*.sks", "{name}/*.sks"])),
      Advice(
        "'SCNScene(named:)' does not find files of packs: use 'SCNScene(url:)'",
        if: .exists(["*.scnassets", "{name}/*.scnassets"])),
      Advice(
        "RealityKit cannot load a folder .rkassets from a pack: export its scenes as .usdz or "
          + ".reality files",
        if: .exists([
          "*.rkassets", "{name}/*.rkassets", "Packages/RealityKitContent/Sources/*/*.rkassets",
        ])),
    ])

  private static func folders(_ patterns: String...) -> [EngineRule.AssetLocation] {
    patterns.map(EngineRule.AssetLocation.folder)
  }

  /// The settings of Xcode with the language of the app.
  private static func developmentRegions(below folder: String?) -> [ProjectSetting] {
    let start = folder.map { $0 + "/" } ?? ""
    let key = "CFBundleDevelopmentRegion"
    return [
      ProjectSetting("developmentRegion", in: start + "*.xcodeproj/project.pbxproj"),
      ProjectSetting(
        key, in: start + "Info.plist", start + "*/Info.plist", syntax: .propertyList),
    ]
  }

  /// Returns the version number in the value of a setting, such as `^0.74.1`; nil if there is none.
  @Sendable private static func versionNumber(_ value: Substring) -> String? {
    let number = value.drop { "^~v=".contains($0) }.utf8.prefix {
      $0.isLetterOrDigit || $0 == dot
    }
    guard let first = number.first, first.isDigit, number.count <= 24 else { return nil }
    return String(Substring(number))
  }
}
