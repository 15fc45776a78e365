package import BAPackKit
package import SystemIO

/// The project that was found in a folder, and the folder of its assets.
package struct FoundProject: Sendable {
  /// The engine or kind; nil for a folder of files.
  package var engine: Engine?
  /// The file or folder by which the engine was recognized, relative to the inspected folder, as
  /// messages show it.
  package var marker: String?
  /// The version of the engine, if a file of the project contains it: `4`.
  package var version: String?
  /// The folder of the assets relative to the inspected folder; empty for the folder itself.
  package var assets: FilePath
  /// The app's primary language according to the settings of the project.
  package var primaryLanguage: LanguageTag?
  /// The place of that setting, as a phrase.
  package var primaryLanguageOrigin: String?
  /// The oldest major version of iOS that the app supports according to the settings.
  package var oldestSystem: Int?
  /// The place of that setting, as a phrase.
  package var oldestSystemOrigin: String?
  /// Advice about the engine, each with its rule.
  package var advice: [Reason] = []

  package init(engine: Engine? = nil, assets: FilePath = "") {
    self.engine = engine
    self.assets = assets
  }
}

/// An engine or a kind of project that `init` recognizes.
package enum Engine: String, Sendable, CaseIterable {
  case unity, unreal, godot, defold, cocos2dx, cocosCreator, flutter, reactNative, xcode, love
  case solar2D

  /// The name in messages: "Godot".
  package var name: String {
    switch self {
    case .unity: "Unity"
    case .unreal: "Unreal Engine"
    case .godot: "Godot"
    case .defold: "Defold"
    case .cocos2dx: "Cocos2d-x"
    case .cocosCreator: "Cocos Creator"
    case .flutter: "Flutter"
    case .reactNative: "React Native"
    case .xcode: "Xcode"
    case .love: "LÖVE"
    case .solar2D: "Solar2D"
    }
  }

  /// The indefinite article of ``name``.
  package var article: String {
    switch self {
    case .unreal, .xcode: "an"
    case .unity, .godot, .defold, .cocos2dx, .cocosCreator, .flutter, .reactNative, .love, .solar2D:
      "a"
    }
  }
}
