import AppSide
import BAPackKit
import SourceDiagnostics
import SystemIO
import TestSupport
import Testing

/// Tests of Xcode projects.
@Suite struct ProjectCheckTests {
  /// A project with an app and its extension, without mistakes.
  private struct Sample {
    var phase = #"dstPath = "$(EXTENSIONS_FOLDER_PATH)"; dstSubfolderSpec = 16;"#
    var embeds = true
    var appSettings = [
      "INFOPLIST_FILE = Game/Info.plist;", "CODE_SIGN_ENTITLEMENTS = Game/Game.entitlements;",
      "PRODUCT_BUNDLE_IDENTIFIER = com.example.game;", "MARKETING_VERSION = 1.2;",
    ]
    var extensionSettings = [
      #"INFOPLIST_FILE = "$(SRCROOT)/Downloader/Info.plist";"#,
      "CODE_SIGN_ENTITLEMENTS = Downloader/Downloader.entitlements;",
      "PRODUCT_BUNDLE_IDENTIFIER = com.example.game.downloader;", "MARKETING_VERSION = 1.2;",
      "IPHONEOS_DEPLOYMENT_TARGET = 26.0;",
    ]
    var appInfo = SampleApp().app.info
    var extensionInfo: [String: SampleApp.Value] = [
      "EXAppExtensionAttributes": .dictionary([
        "EXExtensionPointIdentifier": .string("com.apple.background-asset-downloader-extension")
      ])
    ]
    var group = SampleApp.group

    init() {
      for key in ["CFBundleVersion", "CFBundleShortVersionString", "CFBundleIdentifier"] {
        appInfo[key] = nil
      }
      appInfo["CFBundleIdentifier"] = .string("$(PRODUCT_BUNDLE_IDENTIFIER)")
    }

    var text: String {
      """
      // !$*UTF8*$!
      { archiveVersion = 1; objectVersion = 77; rootObject = P; objects = {
      P = {isa = PBXProject; mainGroup = G; targets = (A, E); buildConfigurationList = PL;};
      G = {isa = PBXGroup; children = (); sourceTree = "<group>";};
      PL = {isa = XCConfigurationList; buildConfigurations = (PC);};
      PC = {isa = XCBuildConfiguration; name = Release; buildSettings = {SDKROOT = iphoneos;};};
      A = {isa = PBXNativeTarget; name = Game; productType = "com.apple.product-type.application";
        buildConfigurationList = AL; buildPhases = (\(embeds ? "CP" : "")); productReference = AP;};
      AP = {isa = PBXFileReference; path = Game.app;};
      AL = {isa = XCConfigurationList; buildConfigurations = (AC);};
      AC = {isa = XCBuildConfiguration; name = Release; buildSettings = {
        \(appSettings.joined(separator: "\n"))
      };};
      E = {isa = PBXNativeTarget; name = Downloader;
        productType = "com.apple.product-type.extensionkit-extension";
        buildConfigurationList = EL; buildPhases = (); productReference = EP;};
      EP = {isa = PBXFileReference; path = Downloader.appex;};
      EL = {isa = XCConfigurationList; buildConfigurations = (EC);};
      EC = {isa = XCBuildConfiguration; name = Release; buildSettings = {
        \(extensionSettings.joined(separator: "\n"))
      };};
      CP = {isa = PBXCopyFilesBuildPhase; name = "Embed ExtensionKit Extensions"; \(phase)
        files = (BF);};
      BF = {isa = PBXBuildFile; fileRef = EP;};
      }; }
      """
    }

    func write(to folder: borrowing TemporaryFolder) throws {
      try folder.makeFile("Game.xcodeproj/project.pbxproj", text)
      try folder.makeFile("Game/Info.plist", SampleApp.Value.dictionary(appInfo).document)
      try folder.makeFile(
        "Downloader/Info.plist", SampleApp.Value.dictionary(extensionInfo).document)
      let groups = SampleApp.Value.dictionary([
        "com.apple.security.application-groups": .list([.string(group)])
      ]).document
      try folder.makeFile("Game/Game.entitlements", groups)
      try folder.makeFile("Downloader/Downloader.entitlements", groups)
    }
  }

  private func findings(_ change: (inout Sample) -> Void) throws -> [String] {
    let folder = try TemporaryFolder()
    var sample = Sample()
    change(&sample)
    try sample.write(to: folder)
    let check = try ProjectCheck(
      at: FilePath(folder.path), packs: nil, hosting: nil, .unstoppable)
    #expect(check.apps == ["Game"])
    return check.findings.map { "\($0.id.name): \($0.message)" }
  }

  @Test func `a project without mistakes has no findings`() throws {
    #expect(try findings { _ in } == [])
    #expect(
      try findings { $0.phase = "dstPath = Extensions; dstSubfolderSpec = 1;" } == [])
    // The text of Info.plist is the version, and not the setting.
    #expect(
      try findings {
        $0.appInfo["CFBundleShortVersionString"] = .string("1.3")
        $0.extensionSettings[3] = "MARKETING_VERSION = 1.3;"
      } == [])
  }

  @Test func `each mistake of a project causes exactly its finding`() throws {
    #expect(
      try findings { $0.phase = "dstPath = \"\"; dstSubfolderSpec = 13;" } == [
        "app.copy-phase: the copy phase 'Embed ExtensionKit Extensions' does not copy to the folder"
          + " 'Extensions'"
      ])
    #expect(
      try findings { $0.embeds = false } == [
        "app.extension-target: the target 'Game' does not embed 'Downloader'"
      ])
    #expect(
      try findings { $0.extensionInfo = [:] } == [
        "app.extension-target: no target has the extension point of a downloader extension"
      ])
    #expect(
      try findings { $0.appSettings[0] = "GENERATE_INFOPLIST_FILE = YES;" } == [
        "app.info-plist-file: the target 'Game' has no 'INFOPLIST_FILE'"
      ])
    #expect(
      try findings { $0.appSettings[0] = "INFOPLIST_FILE = Other/Info.plist;" } == [
        "app.project: 'Other/Info.plist' of the target 'Game' cannot be read: it does not exist, "
          + "or is outside the project"
      ])
    #expect(
      try findings { $0.extensionSettings.remove(at: 1) } == [
        "app.entitlements-file: the target 'Downloader' has no 'CODE_SIGN_ENTITLEMENTS'"
      ])
    #expect(
      try findings { $0.group = "group.other" } == [
        "app.entitlements-file: the entitlements of the target 'Game' do not have the group "
          + "'group.com.example.game'",
        "app.entitlements-file: the entitlements of the target 'Downloader' do not have the group "
          + "'group.com.example.game'",
      ])
    #expect(
      try findings { $0.extensionSettings[4] = "IPHONEOS_DEPLOYMENT_TARGET = 17.0;" } == [
        "app.extension-system: the minimum system of the extension is 17.0, but its protocol needs"
          + " 26.0"
      ])
    #expect(
      try findings { $0.extensionSettings[3] = "MARKETING_VERSION = 1.0;" } == [
        "app.extension-version: 'MARKETING_VERSION' is '1.0', but '1.2' in the app"
      ])
    #expect(
      try findings { $0.appInfo["CFBundleShortVersionString"] = .string("1.3") } == [
        "app.extension-version: 'MARKETING_VERSION' is '1.2', but '1.3' in the app"
      ])
    #expect(
      try findings { $0.extensionSettings[2] = "PRODUCT_BUNDLE_IDENTIFIER = com.example.other;" }
        == [
          "app.extension-identifier: the bundle ID 'com.example.other' does not begin with "
            + "'com.example.game.'"
        ])
    #expect(
      try findings { $0.appInfo["BAUsesAppleHosting"] = nil } == [
        "app.missing-key: the key 'BAUsesAppleHosting' must be true for Apple's hosting"
      ])
  }

  @Test func `a damaged project, and one without an app, are reported`() throws {
    let folder = try TemporaryFolder()
    try folder.makeFile("A.xcodeproj/project.pbxproj", "{ objects = (")
    let check = try ProjectCheck(
      at: folder.filePath("A.xcodeproj"), packs: nil, hosting: nil, .unstoppable)
    #expect(check.findings.map(\.id.name) == ["app.project"])
    try folder.makeFile(
      "A.xcodeproj/project.pbxproj", "{ objects = { P = {isa = PBXProject;}; }; rootObject = P; }")
    #expect(throws: PackError.self) {
      try ProjectCheck(at: folder.filePath("A.xcodeproj"), packs: nil, hosting: nil, .unstoppable)
    }
  }

  @Test func `the kind of an input is that of its contents`() throws {
    let folder = try TemporaryFolder()
    for file in [
      "Game.app/Info.plist", "Build/Game.app/Info.plist", "Game.xcarchive/Info.plist",
      "Project/Game.xcodeproj/project.pbxproj", "Sources/a.swift", "Game.ipa", "a.m",
    ] { try folder.makeFile(file) }
    let kinds: [(String, AppInput)] = [
      ("Game.app", .product), ("Build", .product), ("Game.xcarchive", .product),
      ("Game.ipa", .product), ("Project", .project), ("Project/Game.xcodeproj", .project),
      ("Project/Game.xcodeproj/project.pbxproj", .project), ("Sources", .sources),
      ("a.m", .sources),
    ]
    for (path, kind) in kinds {
      #expect(try AppInput(at: folder.filePath(path)) == kind, "\(path)")
    }
  }
}
