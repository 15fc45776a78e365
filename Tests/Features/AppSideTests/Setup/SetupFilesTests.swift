import BAPackKit
import Foundation
import SystemIO
import TestSupport
import Testing

@testable import AppSide

/// The files of a setup.
@Suite struct SetupFilesTests {
  private func setup(
    _ kind: AppKind = .appleHosted, _ language: DownloaderExtension.Language = .swift
  ) throws -> AppSetup {
    let folder = try TemporaryFolder()
    let project = try AppProject(inspecting: [FilePath(folder.path)], .unstoppable)
    return AppSetup(
      of: project, as: kind,
      keys: kind == .unmanaged ? nil : InfoPlistFragment(ofAppleHostedAppInGroup: "group.a"),
      group: "group.a", language: language)
  }

  /// Returns a property list as Foundation reads it.
  private func list(_ files: SetupFiles, _ path: String) throws -> [String: Any] {
    let text = try #require(files.files.first { $0.path.text == path }?.text)
    return try #require(
      unsafe PropertyListSerialization.propertyList(
        from: Data(text.utf8), options: [], format: nil) as? [String: Any])
  }

  @Test(arguments: AppKind.allCases, DownloaderExtension.Language.allCases)
  func `the property lists have exactly these keys`(
    kind: AppKind, language: DownloaderExtension.Language
  ) throws {
    let files = SetupFiles(of: try setup(kind, language))
    let info = try list(files, "Downloader/Info.plist")
    #expect(
      info.keys.sorted() == [
        "CFBundleDevelopmentRegion", "CFBundleDisplayName", "CFBundleExecutable",
        "CFBundleIdentifier", "CFBundleInfoDictionaryVersion", "CFBundleName",
        "CFBundlePackageType", "CFBundleShortVersionString", "CFBundleVersion",
        "EXAppExtensionAttributes",
      ])
    let attributes = try #require(info["EXAppExtensionAttributes"] as? [String: String])
    var expected = [
      "EXExtensionPointIdentifier": "com.apple.background-asset-downloader-extension"
    ]
    if language == .objc { expected["EXPrincipalClass"] = "BackgroundDownloadHandler" }
    #expect(attributes == expected)
    for path in ["Downloader/Downloader.entitlements", "App.entitlements"] {
      let entitlements = try list(files, path)
      #expect(
        entitlements as? [String: [String]] == [
          "com.apple.security.application-groups": ["group.a"]
        ])
    }
    guard kind != .unmanaged else {
      #expect(!files.files.contains { $0.path.text.hasPrefix("Info-keys") })
      return
    }
    let keys = try list(files, "Info-keys.plist")
    #expect(keys.keys.sorted() == ["BAAppGroupID", "BAHasManagedAssetPacks", "BAUsesAppleHosting"])
    #expect(keys["BAUsesAppleHosting"] as? Bool == true)
    let fragment = try #require(files.files.first { $0.path.text == "Info-keys.fragment" }?.text)
    #expect(fragment.hasPrefix("<key>BAAppGroupID</key>\n<string>group.a</string>\n"))
  }

  @Test(
    arguments: zip(
      AppKind.allCases,
      [
        ["StoreDownloaderExtension", "<SKDownloaderExtension>"],
        ["ManagedDownloaderExtension", "<BAManagedDownloaderExtension>"],
        ["BADownloaderExtension", "<BADownloaderExtension>"],
      ]))
  func `the code conforms to the protocol of the hosting`(kind: AppKind, names: [String]) throws {
    for (language, name) in zip(DownloaderExtension.Language.allCases, names) {
      let file = try #require(
        SetupFiles(of: try setup(kind, language)).files.first {
          $0.path.text.hasPrefix("Downloader/BackgroundDownloadHandler")
        })
      #expect(
        file.text.contains("BackgroundDownloadHandler: NSObject \(name)")
          || file.text.contains("BackgroundDownloadHandler : NSObject \(name)")
          || file.text.contains("BackgroundDownloadHandler: \(name) {"))
    }
  }

  @Test
  func `an app for macOS gets the sandbox for its extension`() throws {
    var app = SampleProject()
    app.appSettings["MACOSX_DEPLOYMENT_TARGET"] = "26.0"
    let folder = try TemporaryFolder()
    let project = try AppProject(inspecting: [app.write(to: folder)], .unstoppable)
    let files = SetupFiles(
      of: AppSetup(
        of: project, as: .appleHosted, keys: nil, group: "group.a", language: .swift))
    let entitlements = try list(files, "Downloader/Downloader.entitlements")
    #expect(entitlements["com.apple.security.app-sandbox"] as? Bool == true)
  }

  @Test
  func `files are written once, kept if equal, and never replaced`() throws {
    let folder = try TemporaryFolder()
    let files = SetupFiles(of: try setup())
    let target = folder.filePath("out/AppSetup")
    let written = try files.write(to: target, .unstoppable)
    #expect(
      written.map { String($0.text.dropFirst(target.text.count + 1)) } == [
        "Downloader/Info.plist", "Downloader/Downloader.entitlements",
        "Downloader/BackgroundDownloadHandler.swift", "App.entitlements", "Info-keys.plist",
        "Info-keys.fragment",
      ])
    #expect(try files.write(to: target, .unstoppable) == [])

    let changed = "out/AppSetup/Downloader/BackgroundDownloadHandler.swift"
    try folder.makeFile(changed, "// mine")
    try folder.remove("out/AppSetup/App.entitlements")
    let error = #expect(throws: PackError.self) { try files.write(to: target, .unstoppable) }
    #expect(error?.message.contains("BackgroundDownloadHandler.swift' has other contents") == true)
    #expect(try folder.contents(changed) == Array("// mine".utf8))
    #expect(throws: (any Error).self) { try folder.contents("out/AppSetup/App.entitlements") }
  }

  @Test
  func `the files in the example are those of a setup`() throws {
    let game = Checkout.file("Examples/Lantern").path(percentEncoded: false)
    let project = try AppProject(
      inspecting: [FilePath(game).appending(FilePath("Lantern.xcodeproj"))], .unstoppable)
    let group = "group.com.example.lantern"
    let setup = AppSetup(
      of: project, as: .appleHosted, keys: InfoPlistFragment(ofAppleHostedAppInGroup: group),
      group: group, language: .swift)
    for file in SetupFiles(of: setup).files {
      let path = Checkout.file("Examples/Lantern/App").appending(path: file.path.text)
      #expect(try String(contentsOf: path, encoding: .utf8) == file.text, "\(file.path)")
    }
  }
}
