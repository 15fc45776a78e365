import BAPackKit
import Proposing
import SourceDiagnostics
import SystemIO
import TestSupport
import Testing

@testable import AppSide

/// Tests of the extension that is added to a project.
@Suite struct ExtensionAdditionTests {
  private func removedLines(_ before: String, _ after: String) -> [String] {
    let diff = UnifiedDiff.render(Array(before.utf8), Array(after.utf8), named: "a")
    return String(decoding: diff, as: UTF8.self)
      .split(separator: "\n").filter { $0.hasPrefix("-") && !$0.hasPrefix("---") }.map(String.init)
  }

  // MARK: The objects

  @Test(arguments: [XcodeSample.classic, .synchronized])
  func `a project gets exactly the new objects`(sample: XcodeSample) throws {
    let folder = try TemporaryFolder()
    let (addition, before, after) = try sample.result(in: folder)
    #expect(addition.addsTarget)
    #expect(removedLines(before, after) == [])
    let (old, new) = (try XcodeSample.objects(before), try XcodeSample.objects(after))
    let added = new.filter { old[$0.key] == nil }
    let common = [
      "PBXBuildFile", "PBXContainerItemProxy", "PBXCopyFilesBuildPhase", "PBXFileReference",
      "PBXFrameworksBuildPhase", "PBXNativeTarget", "PBXResourcesBuildPhase",
      "PBXSourcesBuildPhase", "PBXTargetDependency", "XCBuildConfiguration",
      "XCBuildConfiguration", "XCConfigurationList",
    ]
    let form =
      sample.isSynchronized
      ? [
        "PBXFileSystemSynchronizedBuildFileExceptionSet", "PBXFileSystemSynchronizedRootGroup",
      ] : ["PBXBuildFile", "PBXFileReference", "PBXFileReference", "PBXFileReference", "PBXGroup"]
    #expect(
      added.values.compactMap { $0["isa"]?.text }.sorted() == (common + form).sorted())
    #expect(added.keys.allSatisfy { $0.count == 24 && $0.utf8.allSatisfy(\.isUppercaseDigit) })
    let changed = old.filter { new[$0.key] != $0.value }.values.compactMap { $0["isa"]?.text }
    #expect(changed.sorted() == ["PBXGroup", "PBXGroup", "PBXNativeTarget", "PBXProject"])
    #expect(old.keys.allSatisfy { new[$0] != nil })
  }

  @Test(arguments: [XcodeSample.classic, .synchronized])
  func `the sections of a changed project are sorted, and objects have comments`(
    sample: XcodeSample
  ) throws {
    let (_, _, after) = try sample.result(in: try TemporaryFolder())
    let sections = after.split(separator: "\n").filter { $0.hasPrefix("/* Begin ") }
    #expect(sections == sections.sorted())
    #expect(after.contains(" /* Downloader.appex in Embed ExtensionKit Extensions */ = {isa = PBX"))
    #expect(after.contains("\n\t\t\t\t\(XcodeSample.app) /* Game */,\n\t\t\t\t"))
    #expect(after.contains(" /* Downloader */,\n\t\t\t);\n"))
    #expect(after.contains("\n\t\t\tdstPath = \"$(EXTENSIONS_FOLDER_PATH)\";\n"))
    #expect(after.contains("settings = {ATTRIBUTES = (RemoveHeadersOnCopy, ); }; };\n"))
    #expect(
      after.hasSuffix("\n\t};\n\trootObject = \(XcodeSample.root) /* Project object */;\n}\n"))
  }

  @Test func `the settings of the extension are derived from the app`() throws {
    let (_, _, after) = try XcodeSample.classic.result(in: try TemporaryFolder())
    let objects = try XcodeSample.objects(after)
    let own = objects.values.filter {
      $0["isa"]?.text == "XCBuildConfiguration" && $0["buildSettings"]?["SKIP_INSTALL"] != nil
    }
    #expect(own.compactMap { $0["name"]?.text }.sorted() == ["Debug", "Release"])
    for configuration in own {
      let settings = try #require(configuration["buildSettings"]).members
      #expect(
        settings.map { "\($0.key)=\($0.value.texts.map(\.text).joined(separator: " "))" } == [
          "APPLICATION_EXTENSION_API_ONLY=YES",
          "CODE_SIGN_ENTITLEMENTS=Downloader/Downloader.entitlements",
          "CODE_SIGN_STYLE=Automatic", "CURRENT_PROJECT_VERSION=7", "DEVELOPMENT_TEAM=ABCDE12345",
          "GENERATE_INFOPLIST_FILE=NO", "INFOPLIST_FILE=Downloader/Info.plist",
          "IPHONEOS_DEPLOYMENT_TARGET=26.0",
          "LD_RUNPATH_SEARCH_PATHS=$(inherited) @executable_path/Frameworks "
            + "@executable_path/../../Frameworks",
          "MARKETING_VERSION=1.2", "PRODUCT_BUNDLE_IDENTIFIER=com.example.game.Downloader",
          "PRODUCT_NAME=$(TARGET_NAME)", "SKIP_INSTALL=YES", "SWIFT_VERSION=6.0",
        ])
    }
    let target = try #require(
      objects.values.first { $0["name"]?.text == "Downloader" && $0["productType"] != nil })
    #expect(target["productType"]?.text == "com.apple.product-type.extensionkit-extension")
  }

  @Test(arguments: [XcodeSample.classic, .synchronized])
  func `the checks of apps find no mistake in the changed project`(sample: XcodeSample) throws {
    let folder = try TemporaryFolder()
    _ = try sample.result(in: folder)
    let path = folder.filePath("Game.xcodeproj")
    let check = try ProjectCheck(at: path, packs: nil, hosting: nil, .unstoppable)
    #expect(check.findings.map { "\($0.id.name): \($0.message)" } == [])
    let setup = AppSetup(
      of: try AppProject(inspecting: [path], .unstoppable), as: .appleHosted,
      keys: InfoPlistFragment(ofAppleHostedAppInGroup: XcodeSample.group),
      group: XcodeSample.group, language: .swift)
    #expect(setup.items.filter { $0.state == .missing }.map(\.requirement.title) == [])
  }

  // MARK: Files of the app

  @Test func `keys and group are inserted, and other bytes are unchanged`() throws {
    let folder = try TemporaryFolder()
    _ = try XcodeSample.classic.result(in: folder)
    let entitlements = try XcodeSample.text("Game/Game.entitlements", folder)
    #expect(removedLines(try #require(XcodeSample.classic.entitlements), entitlements) == [])
    #expect(
      entitlements.contains(
        "<string>group.com.example.other</string>\n        "
          + "<string>group.com.example.game</string>\n    </array>"))
    let info = try XcodeSample.text("Game/Info.plist", folder)
    #expect(removedLines(try #require(XcodeSample.classic.info), info) == [])
    #expect(
      info.contains(
        "\t<dict/>\n\t<key>BAAppGroupID</key>\n\t<string>group.com.example.game</string>\n"
          + "\t<key>BAHasManagedAssetPacks</key>\n\t<true/>\n\t<key>BAUsesAppleHosting</key>\n"
          + "\t<true/>\n</dict>\n"))
  }

  @Test(arguments: [XcodeSample.classic, .synchronized])
  func `a generated Info.plist and missing entitlements become files`(sample: XcodeSample) throws {
    var sample = sample
    sample.appSettings["INFOPLIST_FILE"] = nil
    sample.appSettings["CODE_SIGN_ENTITLEMENTS"] = nil
    sample.appSettings["GENERATE_INFOPLIST_FILE"] = "YES"
    (sample.info, sample.entitlements) = (nil, nil)
    let folder = try TemporaryFolder()
    let (addition, before, after) = try sample.result(in: folder)
    #expect(removedLines(before, after) == [])
    #expect(
      addition.changes.newFiles.map { $0.path.text.dropFirst(folder.path("").count) } == [
        "Downloader/Info.plist", "Downloader/Downloader.entitlements",
        "Downloader/BackgroundDownloadHandler.swift", "Game-Info.plist", "Game/Game.entitlements",
        "Game.xcodeproj/project.pbxproj.orig",
      ])
    #expect(
      after.split(separator: "CODE_SIGN_ENTITLEMENTS = Game/Game.entitlements;\n").count == 3)
    #expect(after.split(separator: "INFOPLIST_FILE = \"Game-Info.plist\";\n").count == 3)
    #expect(
      try XcodeSample.text("Game-Info.plist", folder).contains("<key>BAUsesAppleHosting</key>"))
    #expect(try XcodeSample.addition(to: folder).changes.isEmpty)
  }

  @Test func `a group is added next to one that refers to settings`() throws {
    var sample = XcodeSample.classic
    sample.entitlements = sample.entitlements?
      .replacing("group.com.example.other", with: "$(TeamIdentifierPrefix)game")
    let folder = try TemporaryFolder()
    _ = try sample.result(in: folder)
    let entitlements = try XcodeSample.text("Game/Game.entitlements", folder)
    #expect(
      entitlements.contains(
        "<string>$(TeamIdentifierPrefix)game</string>\n        "
          + "<string>group.com.example.game</string>\n    </array>"))
    #expect(try XcodeSample.addition(to: folder).changes.isEmpty)
  }

  @Test func `the version of a property list is the version of the extension`() throws {
    var sample = XcodeSample.classic
    sample.info = sample.info?.replacing("$(MARKETING_VERSION)", with: "2.5")
    let folder = try TemporaryFolder()
    let after = try sample.result(in: folder).after
    #expect(after.split(separator: "MARKETING_VERSION = 2.5;").count == 3)
    let check = try ProjectCheck(
      at: folder.filePath("Game.xcodeproj"), packs: nil, hosting: nil, .unstoppable)
    #expect(check.findings.map(\.message) == [])
  }

  // MARK: Other projects

  @Test func `each of several apps gets its own extension`() throws {
    var sample = XcodeSample.classic
    sample.apps = ["Game", "GameDemo"]
    let folder = try TemporaryFolder()
    try sample.write(to: folder)
    let path = folder.filePath("Game.xcodeproj")
    let error = #expect(throws: PackError.self) {
      _ = try AppProject(inspecting: [path], .unstoppable)
    }
    #expect(error?.message.hasSuffix("has several apps: 'Game', 'GameDemo'") == true)
    for (app, name) in [("Game", "Downloader"), ("GameDemo", "GameDemoDownloader")] {
      let addition = try XcodeSample.addition(to: folder, app: app)
      #expect(addition.target == name)
      try addition.write()
      #expect(try XcodeSample.addition(to: folder, app: app).changes.isEmpty)
    }
    #expect(try !folder.contents("GameDemoDownloader/Info.plist").isEmpty)
  }

  @Test func `the extension is embedded before scripts that change the finished app`() throws {
    var sample = XcodeSample.classic
    sample.scripts = ["Run Script", "Thin Binary", "[CP] Embed Pods Frameworks"]
    let (_, _, after) = try sample.result(in: try TemporaryFolder())
    let phases = try #require(try XcodeSample.objects(after)[XcodeSample.app]?["buildPhases"])
      .elements
    let objects = try XcodeSample.objects(after)
    #expect(
      phases.map { objects[$0.text ?? ""]?["name"]?.text ?? "-" } == [
        "-", "Run Script", "Embed ExtensionKit Extensions", "Thin Binary",
        "[CP] Embed Pods Frameworks",
      ])
  }

  @Test func `versions in the settings file of the app are shared`() throws {
    var sample = XcodeSample.classic
    sample.settingsFile = "App.xcconfig"
    sample.appSettings["MARKETING_VERSION"] = nil
    sample.appSettings["CURRENT_PROJECT_VERSION"] = "$(BUILD_NUMBER_OF_ENGINE)"
    let folder = try TemporaryFolder()
    try folder.makeFile("App.xcconfig", "MARKETING_VERSION = 3.4\nOTHER_LDFLAGS = -lPods\n")
    let (_, _, after) = try sample.result(in: folder)
    let own = try XcodeSample.objects(after).values.filter {
      $0["buildSettings"]?["SKIP_INSTALL"] != nil
    }
    #expect(own.count == 2)
    for configuration in own {
      #expect(configuration["baseConfigurationReference"] != nil)
      let settings = try #require(configuration["buildSettings"])
      #expect(settings["MARKETING_VERSION"] == nil)
      #expect(settings["CURRENT_PROJECT_VERSION"]?.text == "$(BUILD_NUMBER_OF_ENGINE)")
      #expect(settings["OTHER_LDFLAGS"]?.text == "")
    }
  }

  @Test func `lists on one line and other ends of lines are kept`() throws {
    var text = XcodeSample.classic.project
      .replacing(
        "targets = (\n\t\t\t\t\(XcodeSample.app) /* Game */,\n\t\t\t);",
        with: "targets = (\(XcodeSample.app));")
    text = text.replacing("dependencies = (\n\t\t\t);", with: "dependencies = ();")
      .replacing("\n", with: "\r\n")
    let folder = try TemporaryFolder()
    try XcodeSample.classic.write(to: folder)
    try folder.makeFile("Game.xcodeproj/project.pbxproj", text)
    try XcodeSample.addition(to: folder).write()
    let after = try XcodeSample.text("Game.xcodeproj/project.pbxproj", folder)
    #expect(!after.replacing("\r\n", with: "").contains("\n"))
    #expect(after.contains("targets = (\(XcodeSample.app), "))
    #expect(try XcodeSample.addition(to: folder).changes.isEmpty)
  }
}

extension UInt8 {
  fileprivate var isUppercaseDigit: Bool { "0123456789ABCDEF".utf8.contains(self) }
}
