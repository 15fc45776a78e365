import Proposing
import TestSupport
import Testing

/// A made-up project, and what the search finds in it.
struct EngineProject: Sendable, CustomTestStringConvertible {
  let name: String
  /// The files, each with its text; a path that ends in `/` is a folder.
  let files: [String: String]
  let engine: Engine?
  let assets: String
  var marker: String?
  var version: String?
  var language: String?
  var origin: String?
  /// Parts of the advice.
  var advice: [String] = []

  var testDescription: String { name }

  func make(in folder: borrowing TemporaryFolder) throws {
    for (path, text) in files {
      if path.hasSuffix("/") {
        try folder.makeFolder(path)
      } else {
        try folder.makeFile(path, text)
      }
    }
  }
}

extension EngineProject {
  static let unity = EngineProject(
    name: "Unity with Addressables for iOS",
    files: [
      "ProjectSettings/ProjectVersion.txt":
        "m_EditorVersion: 2022.3.10f1\nm_EditorVersionWithRevision: 2022.3.10f1 (ff3792e53c62)\n",
      "Assets/StreamingAssets/intro.mp4": "x", "Assets/StreamingAssets/intro.mp4.meta": "x",
      "ServerData/iOS/all.bundle": "x", "ServerData/Android/all.bundle": "x",
    ],
    engine: .unity, assets: "ServerData/iOS", marker: "ProjectSettings/ProjectVersion.txt",
    version: "2022.3.10f1",
    advice: [
      "the exported content in 'ServerData/iOS' is packed; to pack the content in "
        + "'Assets/StreamingAssets', specify that folder",
      "Unity copies 'Assets/StreamingAssets' into the app", "AssetBundles load only",
    ])

  static let unityPlayer = EngineProject(
    name: "the Xcode project that Unity exports",
    files: [
      "Unity-iPhone.xcodeproj/project.pbxproj": "developmentRegion = en;",
      "Data/Raw/aa/iOS/all.bundle": "x", "Data/Managed/Metadata/global-metadata.dat": "x",
    ],
    engine: .unity, assets: "Data/Raw", marker: "Data/Raw",
    advice: ["the exported content in 'Data/Raw' is packed", "Unity copies 'Data/Raw'", "AssetB"])

  static let unreal = EngineProject(
    name: "Unreal Engine with staged chunks",
    files: [
      "Racer.uproject": #"{"FileVersion": 3, "EngineAssociation": "5.4", "Modules": []}"#,
      "Config/DefaultGame.ini": "[/Script/EngineSettings.GeneralProjectSettings]\nProjectID=1\n",
      "Config/Localization/Game_Gather.ini":
        "[CommonSettings]\r\nNativeCulture=de\r\nCulturesToGenerate=de\r\n",
      "Content/Car.uasset": "x",
      "Saved/StagedBuilds/iOS/cookeddata/racer/content/paks/pakchunk1-ios.pak": "x",
    ],
    engine: .unreal, assets: "Saved/StagedBuilds/iOS/cookeddata/racer/content/paks",
    marker: "Racer.uproject", version: "5.4", language: "de",
    origin: "the setting 'NativeCulture' of 'Config/Localization/Game_Gather.ini'",
    advice: ["the exported content", "the app needs 'pakchunk0'"])

  static let godot = EngineProject(
    name: "Godot 4",
    files: [
      "project.godot": """
      ; Engine configuration file.
      config_version=5

      [application]
      config/name="Jump, \\"the\\" game"
      [internationalization]
      locale/fallback="pt_BR"
      """,
      "levels/01.tscn": "x", "assets/hero.png": "x", "export_presets.cfg": "[preset.0]",
    ],
    engine: .godot, assets: "", marker: "project.godot", version: "4", language: "pt-BR",
    origin: "the setting 'locale/fallback' of 'project.godot'",
    advice: ["only from a .pck", "an export also puts"])

  static let godot3 = EngineProject(
    name: "Godot 3 with a .pck for Windows",
    files: ["project.godot": "config_version=4\n", "build/game.exe": "x", "build/game.pck": "x"],
    engine: .godot, assets: "", marker: "project.godot", version: "3",
    advice: ["only from a .pck", "an export also puts"])

  static let exportedGodot = EngineProject(
    name: "Godot with exports in the presets",
    files: [
      "project.godot": "config_version=5\n",
      "export_presets.cfg": """
      [preset.0]
      name="Web"
      platform="Web"
      export_path="web/index.html"
      [preset.1]
      platform="iOS"
      export_path="out/phone/Jump.ipa"
      [preset.2]
      platform="iOS"
      export_path="../../elsewhere/Jump.ipa"
      """,
      "web/index.pck": "x", "out/phone/Jump.pck": "x", "build/ios/levels.pck": "x",
    ],
    engine: .godot, assets: "out/phone", marker: "project.godot", version: "4",
    advice: ["'build/ios', specify that folder", "the app contains its main .pck"])

  static let defold = EngineProject(
    name: "Defold with Live Update",
    files: [
      "game.project": "[project]\ntitle = Jump\nbundle_resources = /bundle\n",
      "liveupdate.settings": "[liveupdate]\nmode = Zip\nzip-filepath = /out/zip\n",
      "out/zip/1.zip": "x", "bundle/ios/a.json": "x", "main/main.collection": "x",
    ],
    engine: .defold, assets: "out/zip", marker: "game.project",
    advice: ["'bundle/ios'", "Defold puts"])

  static let cocosCreator = EngineProject(
    name: "Cocos Creator with remote bundles",
    files: [
      "package.json": #"{"name":"jump","version":"1.0.0","creator":{"version":"3.8.2"}}"#,
      "assets/hero.png": "x", "assets/hero.png.meta": "x", "build/ios/remote/w1/config.json": "x",
    ],
    engine: .cocosCreator, assets: "build/ios/remote", marker: "package.json", version: "3.8.2",
    advice: ["the exported content", "index.js"])

  static let cocos2dx = EngineProject(
    name: "Cocos2d-x",
    files: [
      ".cocos-project.json": #"{"engine_version": "cocos2d-x-3.17.2", "project_type": "cpp"}"#,
      "Classes/AppDelegate.cpp": "x", "Resources/hero.png": "x",
      "proj.ios_mac/Jump.xcodeproj/project.pbxproj": "\t\t\tdevelopmentRegion = $(X);\n",
      "proj.ios_mac/ios/Info.plist":
        "<dict>\n<key>CFBundleDevelopmentRegion</key>\n\t<string>fr</string></dict>",
    ],
    engine: .cocos2dx, assets: "Resources", marker: ".cocos-project.json", version: "3.17.2",
    language: "fr",
    origin: "the setting 'CFBundleDevelopmentRegion' of 'proj.ios_mac/ios/Info.plist'",
    advice: ["the Xcode project copies"])

  static let flutter = EngineProject(
    name: "Flutter",
    files: [
      "pubspec.yaml": """
      name: jump
      dependencies:
        flutter:
          sdk: flutter
        assets:
          path: ../other
      flutter:
        uses-material-design: true
        assets:
          # Pictures
          - assets/game/images/
          - "assets/game/levels/01.json"  # the first one
          - path: assets/game/sounds/
            flavors:
              - full
          - packages/icons/star.png
        fonts:
          - family: Jump
            fonts:
              - asset: fonts/Jump.ttf
      """,
      "l10n.yaml": "arb-dir: lib/l10n\ntemplate-arb-file: app_de_AT.arb\n",
      "assets/game/images/hero.png": "x", "ios/Runner.xcodeproj/project.pbxproj": "x",
    ],
    engine: .flutter, assets: "assets/game", marker: "pubspec.yaml", language: "de-AT",
    origin: "the setting 'template-arb-file' of 'l10n.yaml'",
    advice: ["Flutter copies", "'rootBundle'"])

  static let reactNative = EngineProject(
    name: "React Native",
    files: [
      "package.json": "{\n  \"dependencies\": {\n    \"react-native\": \"^0.74.1\"\n  }\n}\n",
      "src/assets/hero.png": "x", "ios/Jump.xcodeproj/project.pbxproj": "x",
      "ios/Jump/Info.plist":
        "<dict>\n\t<key>CFBundleDevelopmentRegion</key>\n\t<string>ja</string>\n</dict>",
    ],
    engine: .reactNative, assets: "src/assets", marker: "package.json", version: "0.74.1",
    language: "ja", origin: "the setting 'CFBundleDevelopmentRegion' of 'ios/Jump/Info.plist'",
    advice: ["images that the code loads with 'require()'"])

  static let xcode = EngineProject(
    name: "Xcode with SpriteKit",
    files: [
      "Jump.xcodeproj/project.pbxproj": "\t\t\tdevelopmentRegion = \"zh-Hans\";\n",
      "Jump/Info.plist":
        "<key>CFBundleDevelopmentRegion</key><string>$(DEVELOPMENT_LANGUAGE)</string>",
      "Jump/Resources/hero.png": "x", "Jump/Assets.xcassets/Contents.json": "{}",
      "Jump/Hero.atlas/1.png": "x", "Jump/GameScene.sks": "x", "Jump/Main.swift": "x",
      "Jump/Ship.scnassets/ship.scn": "x",
    ],
    engine: .xcode, assets: "Jump/Resources", marker: "Jump.xcodeproj", language: "zh-Hans",
    origin: "the setting 'developmentRegion' of 'Jump.xcodeproj/project.pbxproj'",
    advice: ["Copy Bundle Resources", "asset catalog", "SKTextureAtlas", "SCNScene(url:)"])

  static let realityKit = EngineProject(
    name: "XcodeGen with RealityKit",
    files: [
      "project.yml": "name: Jump\noptions:\n  developmentLanguage: nl\ntargets:\n  Jump:\n",
      "Packages/RealityKitContent/Sources/Content/Content.rkassets/a.usda": "x",
    ],
    engine: .xcode, assets: "", marker: "project.yml", language: "nl",
    origin: "the setting 'developmentLanguage' of 'project.yml'",
    advice: ["Copy Bundle Resources", "RealityKit"])

  static let love = EngineProject(
    name: "LÖVE",
    files: [
      "main.lua": "function love.draw() end", "conf.lua": "  t.version = \"11.4\" -- LÖVE\n",
      "res/hero.png": "x",
    ],
    engine: .love, assets: "res", marker: "main.lua", version: "11.4",
    advice: ["file '.love'", "love.filesystem"])

  static let solar2D = EngineProject(
    name: "Solar2D",
    files: ["main.lua": "x", "build.settings": "settings = {}", "config.lua": "x", "a.png": "x"],
    engine: .solar2D, assets: "", marker: "build.settings",
    advice: ["excludeFiles", "display.newImage"])

  static let code = EngineProject(
    name: "a folder of code",
    files: ["CMakeLists.txt": "x", "src/main.cpp": "x", "Media/hero.png": "x", "doc/a.txt": "x"],
    engine: nil, assets: "Media",
    advice: ["'Media' is the folder of assets next to 'CMakeLists.txt'"])

  static let nested = EngineProject(
    name: "assets of a game in a repository",
    files: [".git/HEAD": "x", "game/assets/hero.png": "x"],
    engine: nil, assets: "game/assets", advice: ["next to '.git'"])

  static let library = EngineProject(
    name: "assets below the module of a build",
    files: [
      "build.gradle": "x", "core/src/main/java/a.java": "x", "core/src/main/assets/hero.png": "x",
      "desktop/icon.png": "x",
    ],
    engine: nil, assets: "core/src/main/assets", advice: ["next to 'build.gradle'"])

  static let ambiguous = EngineProject(
    name: "two folders of assets",
    files: ["main.c": "x", "Assets/hero.png": "x", "data/map.json": "x"], engine: nil, assets: "")

  static let plain = EngineProject(
    name: "files without code", files: ["data/map.json": "x", "music/a.ogg": "x"], engine: nil,
    assets: "")

  static let all = [
    unity, unityPlayer, unreal, godot, godot3, exportedGodot, defold, cocosCreator, cocos2dx,
    flutter, reactNative, xcode, realityKit, love, solar2D, code, nested, library,
    ambiguous, plain,
  ]
}
