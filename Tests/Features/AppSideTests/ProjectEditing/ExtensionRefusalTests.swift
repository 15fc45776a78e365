import BAPackKit
import SystemIO
import TestSupport
import Testing

@testable import AppSide

/// Tests of projects that get no extension, because a part of them is not understood.
@Suite struct ExtensionRefusalTests {
  private func refusal(_ sample: XcodeSample) throws -> String {
    let folder = try TemporaryFolder()
    try sample.write(to: folder)
    let message = XcodeSample.reason(folder)
    #expect((try? folder.contents("Downloader/Info.plist")) == nil)
    return message.replacing("'\(folder.path("Game.xcodeproj"))'", with: "PROJECT")
  }

  @Test func `what is not understood is refused with the reason`() throws {
    func refusal(_ change: (inout XcodeSample) -> Void) throws -> String {
      var sample = XcodeSample.classic
      change(&sample)
      let message = try self.refusal(sample)
      #expect(message.hasPrefix("cannot add an extension to PROJECT: "))
      return String(message.dropFirst("cannot add an extension to PROJECT: ".count))
    }
    #expect(
      try refusal { $0.objectVersion = "90" }
        == "its 'objectVersion' is '90', and not from 46 to 77")
    #expect(
      try refusal { $0.appSettings["PRODUCT_BUNDLE_IDENTIFIER"] = "com.example.$(UNKNOWN)" }
        == "the bundle ID of the app is unknown in the configuration 'Debug'")
    #expect(
      try refusal { $0.appSettings["MARKETING_VERSION"] = "$(UNKNOWN)" }
        == "the version of the app depends on 'UNKNOWN', which is unknown in the configuration "
        + "'Debug'")
    #expect(
      try refusal { $0.appSettings["INFOPLIST_FILE[sdk=macosx*]"] = "Mac/Info.plist" }
        == "'INFOPLIST_FILE' of 'Game' depends on conditions or unknown values in the "
        + "configuration 'Debug'")
    #expect(
      try refusal { $0.entitlements = nil }
        == "'Game/Game.entitlements' does not exist, or is outside of the project")
    #expect(
      try refusal { $0.appSettings["INFOPLIST_FILE"] = "../Info.plist" }
        == "'../Info.plist' is outside of the folder of the project")
    #expect(
      try refusal { $0.appSettings["CODE_SIGN_ENTITLEMENTS"] = "" }
        == "'CODE_SIGN_ENTITLEMENTS' of 'Game' is empty in the configuration 'Debug'")
    #expect(
      try refusal { $0.appSettings["INFOPLIST_FILE"] = nil }
        == "the target 'Game' has no 'INFOPLIST_FILE' in the configuration 'Debug'")
    #expect(
      try refusal {
        $0.info = $0.info?.replacing("<key>UILaunchScreen", with: "<key>BAUsesAppleHosting")
      } == "'BAUsesAppleHosting' of 'Game/Info.plist' has another value")
    #expect(
      try refusal {
        $0.info = $0.info?.replacing(
          "<key>UILaunchScreen</key>",
          with: "<key>BAAppGroupID</key><string>group.a</string><key>UILaunchScreen</key>")
      } == "'BAAppGroupID' of 'Game/Info.plist' has another value: 'group.a'")
    #expect(
      try refusal { $0.projectSettings["SDKROOT"] = "watchos" } == "apps for watchOS have no packs")
  }

  @Test func `other formats and layouts are refused`() throws {
    let folder = try TemporaryFolder()
    try XcodeSample.classic.write(to: folder)
    let project = XcodeSample.classic.project
    func refusal(_ text: String) throws -> String {
      try folder.makeFile("Game.xcodeproj/project.pbxproj", text)
      return XcodeSample.reason(folder)
    }
    #expect(
      try refusal("<?xml version=\"1.0\"?><plist><dict/></plist>").hasSuffix(
        "it is not in the format of Xcode"))
    #expect(
      try refusal(project.split(separator: "\n").dropFirst().joined(separator: " ")).hasSuffix(
        "its objects and their properties are not on lines of their own"))
    #expect(
      try refusal(project.replacing("objectVersion = 56", with: "objectVersion = x"))
        .contains("its 'objectVersion' is 'x'"))
  }

  @Test func `an extension in another folder is refused`() throws {
    let folder = try TemporaryFolder()
    try XcodeSample.classic.write(to: folder)
    try XcodeSample.addition(to: folder).write()
    let file = "Game.xcodeproj/project.pbxproj"
    let after = String(decoding: try folder.contents(file), as: UTF8.self)
    try folder.makeFile(
      "Game.xcodeproj/project.pbxproj",
      after.replacing("dstSubfolderSpec = 16", with: "dstSubfolderSpec = 13")
        .replacing("\"$(EXTENSIONS_FOLDER_PATH)\"", with: "\"\""))
    let message = XcodeSample.reason(folder)
    #expect(message.hasSuffix("copies 'Downloader' to another folder than 'Extensions'"))
  }

  @Test func `a folder of another kind is not used`() throws {
    let folder = try TemporaryFolder()
    try XcodeSample.classic.write(to: folder)
    try folder.makeFile("Downloader/other.txt", "")
    #expect(try XcodeSample.addition(to: folder).target == "GameDownloader")
    // On a Mac, this is the same folder.
    try folder.remove("Downloader")
    try folder.makeFile("downloader/other.txt", "")
    #expect(try XcodeSample.addition(to: folder).target == "GameDownloader")
    var sample = XcodeSample.classic
    sample.apps = ["\u{418}\u{433}\u{440}\u{430}"]
    try sample.write(to: folder)
    // A bundle ID has no such letters.
    #expect(try XcodeSample.addition(to: folder, app: sample.apps[0]).target == "AppDownloader")
  }
}
