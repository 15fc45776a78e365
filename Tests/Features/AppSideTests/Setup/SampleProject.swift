import SystemIO
import TestSupport

/// An Xcode project with an app and its downloader extension, in which all tasks are done.
struct SampleProject {
  var appSettings = [
    "INFOPLIST_FILE": "App/Info.plist", "CODE_SIGN_ENTITLEMENTS": "App/App.entitlements",
    "PRODUCT_BUNDLE_IDENTIFIER": "com.example.game", "DEVELOPMENT_TEAM": "ABCDE12345",
    "MARKETING_VERSION": "1.2", "CURRENT_PROJECT_VERSION": "7",
    "IPHONEOS_DEPLOYMENT_TARGET": "17.0",
  ]
  var downloaderSettings = [
    "INFOPLIST_FILE": "$(SRCROOT)/Downloader/Info.plist",
    "CODE_SIGN_ENTITLEMENTS": "Downloader/Downloader.entitlements",
    "PRODUCT_BUNDLE_IDENTIFIER": "com.example.game.downloader", "DEVELOPMENT_TEAM": "ABCDE12345",
    "MARKETING_VERSION": "1.2", "CURRENT_PROJECT_VERSION": "7",
    "IPHONEOS_DEPLOYMENT_TARGET": "26.0",
  ]
  var hasDownloader = true
  var copyPhase = #"dstSubfolderSpec = 16; dstPath = "$(EXTENSIONS_FOLDER_PATH)";"#
  var frameworkAttributes = "settings = { ATTRIBUTES = (Weak); };"
  var keys = """
    <key>BAAppGroupID</key><string>group.com.example.game</string>
    <key>BAHasManagedAssetPacks</key><true/>
    <key>BAUsesAppleHosting</key><true/>
    """
  var groups = "<string>group.com.example.game</string>"
  var downloaderGroups = "<string>group.com.example.game</string>"
  var downloaderKeys = """
    <key>CFBundleDisplayName</key><string>Downloader</string>
    <key>EXAppExtensionAttributes</key><dict><key>EXExtensionPointIdentifier</key>
    <string>com.apple.background-asset-downloader-extension</string></dict>
    """

  static func list(_ members: String) -> String {
    #"<?xml version="1.0" encoding="UTF-8"?><plist version="1.0"><dict>"# + members
      + "</dict></plist>"
  }

  private static func entitlements(_ groups: String) -> String {
    list("<key>com.apple.security.application-groups</key><array>\(groups)</array>")
  }

  private static func settings(_ values: [String: String]) -> String {
    values.sorted { $0.key < $1.key }.map { "\($0.key) = \"\($0.value)\";" }.joined(separator: " ")
  }

  private var project: String {
    """
    // !$*UTF8*$!
    { rootObject = P; objects = {
      P = { isa = PBXProject; mainGroup = G; targets = (A\(hasDownloader ? ", D" : "")); };
      G = { isa = PBXGroup; children = (); };
      A = { isa = PBXNativeTarget; name = Game; productType = "com.apple.product-type.application";
            productReference = PA; buildConfigurationList = LA; buildPhases = (C, F);
            dependencies = (); };
      D = { isa = PBXNativeTarget; name = Downloader; productReference = PD;
            productType = "com.apple.product-type.extensionkit-extension";
            buildConfigurationList = LD; };
      C = { isa = PBXCopyFilesBuildPhase; \(copyPhase) files = (\(hasDownloader ? "B" : "")); };
      B = { isa = PBXBuildFile; fileRef = PD; };
      F = { isa = PBXFrameworksBuildPhase; files = (BF); };
      BF = { isa = PBXBuildFile; fileRef = RF; \(frameworkAttributes) };
      RF = { isa = PBXFileReference; path = System/Library/Frameworks/BackgroundAssets.framework; };
      PA = { isa = PBXFileReference; path = Game.app; };
      PD = { isa = PBXFileReference; path = Downloader.appex; };
      LA = { isa = XCConfigurationList; buildConfigurations = (RA); };
      RA = { isa = XCBuildConfiguration; name = Release;
             buildSettings = { \(Self.settings(appSettings)) }; };
      LD = { isa = XCConfigurationList; buildConfigurations = (RD); };
      RD = { isa = XCBuildConfiguration; name = Release;
             buildSettings = { \(Self.settings(downloaderSettings)) }; };
    }; }
    """
  }

  /// Writes the project into a folder, and returns its path.
  func write(to folder: borrowing TemporaryFolder) throws -> FilePath {
    try folder.makeFile("Game.xcodeproj/project.pbxproj", project)
    try folder.makeFile("App/Info.plist", Self.list(keys))
    try folder.makeFile("App/App.entitlements", Self.entitlements(groups))
    if hasDownloader {
      try folder.makeFile("Downloader/Info.plist", Self.list(downloaderKeys))
      try folder.makeFile(
        "Downloader/Downloader.entitlements", Self.entitlements(downloaderGroups))
    }
    return folder.filePath("Game.xcodeproj")
  }
}
