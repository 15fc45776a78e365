import Proposing

extension Engine {
  /// The steps for the export of an app, each a sentence.
  var exportSteps: [String] {
    switch self {
    case .unity:
      [
        "Apple's plug-in 'com.apple.unityplugin.backgroundassets' adds the target 'Downloader' and "
          + "the keys to each exported project.",
        "Without it, add the target after each export: Unity writes the project again.",
        "Take the files of packs out of 'Assets/StreamingAssets'.",
      ]
    case .unreal:
      [
        "Put the keys into 'AdditionalPlistData' of "
          + "[/Script/IOSRuntimeSettings.IOSRuntimeSettings] in 'Config/DefaultEngine.ini'.",
        "Add the target after each generation of the Xcode project.",
        "Delete the chunks of packs from the staged folder before the app is signed.",
      ]
    case .godot:
      [
        "Put the keys into 'application/additional_plist_content' of the export preset, and the "
          + "group into 'entitlements/additional'.",
        "Export the project only ('application/export_project_only'), and add the target to it.",
        "Exclude the files of packs in the export preset.",
      ]
    case .defold:
      [
        "Name an Info.plist of your own with the keys in the section 'ios' of 'game.project'.",
        "Defold builds no extension: add it to the bundle, and sign both again.",
      ]
    case .cocos2dx, .cocosCreator:
      [
        "Add the target to the Xcode project in the folder of the build.",
        "Take the files of packs out of the resources of the app.",
      ]
    case .flutter:
      [
        "Move the phase that embeds the extension above 'Thin Binary' and above the embedding of "
          + "pods, or the build reports a cycle.",
        "Set the versions of the extension to $(FLUTTER_BUILD_NAME) and $(FLUTTER_BUILD_NUMBER).",
        "Remove the files of packs from 'assets:' in 'pubspec.yaml'.",
      ]
    case .reactNative:
      [
        "Expo writes the folder 'ios' again with each 'prebuild': add the target in a config "
          + "plug-in.",
        "Files that 'require()' names are in the app: load files of packs by their URI.",
      ]
    case .love, .solar2D:
      [
        "Copy the extension into the folder 'Extensions' of the app, and sign both again.",
        "Make symbolic links to the files of packs in a folder that the engine reads.",
      ]
    case .xcode: []
    }
  }
}
