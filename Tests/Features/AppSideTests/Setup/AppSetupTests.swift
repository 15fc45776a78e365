import BAPackKit
import Proposing
import SystemIO
import TestSupport
import Testing

@testable import AppSide

/// The states of tasks in projects.
@Suite struct AppSetupTests {
  private func setup(
    _ app: SampleProject, kind: AppKind = .appleHosted,
    language: DownloaderExtension.Language = .swift
  ) throws -> AppSetup {
    let folder = try TemporaryFolder()
    return try Self.setup(at: [app.write(to: folder)], kind: kind, language: language)
  }

  private static func setup(
    at inputs: [FilePath], kind: AppKind = .appleHosted, group: String? = nil,
    language: DownloaderExtension.Language = .swift
  ) throws -> AppSetup {
    let project = try AppProject(inspecting: inputs, .unstoppable)
    #expect(project.findings.all == [])
    let group = group ?? project.group
    return AppSetup(
      of: project, as: kind, keys: InfoPlistFragment(ofAppleHostedAppInGroup: group), group: group,
      language: language)
  }

  private func states(_ setup: AppSetup) -> [String: String] {
    Dictionary(
      uniqueKeysWithValues: setup.items.map { ($0.requirement.id.rawValue, $0.state.rawValue) })
  }

  @Test
  func `in a complete project, every task is done`() throws {
    let setup = try setup(SampleProject())
    #expect(states(setup).filter { $0.value != "done" } == [:])
    #expect(setup.name == "Game")
    #expect(setup.group == "group.com.example.game")
    #expect(setup.text.hasSuffix("12 done, 0 missing.\n"))
    #expect(!setup.markdown.contains("[ ]"))
  }

  /// A change of a complete project, and the task that is then missing.
  struct Change: CustomTestStringConvertible, Sendable {
    let id: AppRequirement.ID
    let testDescription: String
    let apply: @Sendable (inout SampleProject) -> Void

    init(
      _ id: AppRequirement.ID, _ description: String,
      _ apply: @escaping @Sendable (inout SampleProject) -> Void
    ) {
      self.id = id
      testDescription = "\(id.rawValue): \(description)"
      self.apply = apply
    }
  }

  static let changes = [
    Change(.keys, "no managed packs") {
      $0.keys = $0.keys.replacing(
        "<key>BAHasManagedAssetPacks</key><true/>", with: "")
    },
    Change(.keys, "a text instead of true") {
      $0.keys = $0.keys.replacing("<true/>", with: "<string>YES</string>")
    },
    Change(.otherKeys, "a URL") { $0.keys += "<key>BAManifestURL</key><string>https://a</string>" },
    Change(.appGroup, "another group") { $0.groups = "<string>group.other</string>" },
    Change(.appGroup, "no entitlements") { $0.appSettings["CODE_SIGN_ENTITLEMENTS"] = nil },
    Change(.place, "PlugIns") { $0.copyPhase = #"dstSubfolderSpec = 13; dstPath = "";"# },
    Change(.point, "NSExtension") { $0.downloaderKeys += "<key>NSExtension</key><dict/>" },
    Change(.point, "no display name") {
      $0.downloaderKeys = $0.downloaderKeys.replacing("CFBundleDisplayName", with: "CFBundleName")
    },
    Change(.point, "a principal class of Swift") {
      $0.downloaderKeys = $0.downloaderKeys.replacing(
        "</dict>", with: "<key>EXPrincipalClass</key><string>A</string></dict>")
    },
    Change(.bundleID, "another prefix") {
      $0.downloaderSettings["PRODUCT_BUNDLE_IDENTIFIER"] = "com.example.gamedownloader"
    },
    Change(.versions, "another version") { $0.downloaderSettings["MARKETING_VERSION"] = "1.1" },
    Change(.extensionGroup, "no group") { $0.downloaderGroups = "" },
    Change(.minimumSystem, "an older system") {
      $0.downloaderSettings["IPHONEOS_DEPLOYMENT_TARGET"] = "18.4"
    },
    Change(.framework, "not weak") { $0.frameworkAttributes = "" },
    Change(.signing, "another team") { $0.downloaderSettings["DEVELOPMENT_TEAM"] = "ZZZZZ12345" },
  ]

  @Test(arguments: changes)
  func `a change makes exactly one task missing`(change: Change) throws {
    var app = SampleProject()
    change.apply(&app)
    #expect(try states(setup(app)).filter { $0.value != "done" } == [change.id.rawValue: "missing"])
  }

  @Test
  func `without an extension, all of its tasks are missing`() throws {
    var app = SampleProject()
    app.hasDownloader = false
    let setup = try setup(app)
    #expect(
      states(setup).filter { $0.value == "missing" }.keys.sorted() == [
        "bundle-id", "extension-group", "minimum-system", "place", "point", "signing", "target",
        "versions",
      ])
    #expect(setup.text.contains("missing  Add a downloader extension to the project\n"))
    #expect(setup.text.contains("'app add-extension' adds it"))
  }

  @Test
  func `a generated Info.plist lacks the keys, and the task names the setting`() throws {
    var app = SampleProject()
    app.appSettings["INFOPLIST_FILE"] = nil
    app.appSettings["GENERATE_INFOPLIST_FILE"] = "YES"
    let item = try #require(try setup(app).items.first)
    #expect(item.state == .missing)
    #expect(item.notes.contains { $0.contains("INFOPLIST_FILE") })
  }

  @Test
  func `property lists without a project are assigned to the app and to the extension`() throws {
    let folder = try TemporaryFolder()
    _ = try SampleProject().write(to: folder)
    for name in ["App/Info.plist", "App/App.entitlements", "Downloader"] {
      let setup = try Self.setup(at: [folder.filePath(name)], group: "group.com.example.game")
      let done = setup.items.filter { $0.state == .done }.map(\.requirement.id.rawValue)
      let expected =
        switch name {
        case "App/Info.plist": ["keys", "other-keys"]
        case "App/App.entitlements": ["app-group"]
        default: ["target", "point", "extension-group"]
        }
      #expect(done == expected, "\(name)")
    }
  }

  @Test
  func `the engine adds its own task, and its exported project is found`() throws {
    let folder = try TemporaryFolder()
    try folder.makeFile("pubspec.yaml", "name: a\nflutter:\n  assets:\n    - a\n")
    try folder.makeFolder("ios")
    let path = try SampleProject().write(to: folder)
    try folder.makeFolder("ios/Runner.xcodeproj")
    try folder.makeFile(
      "ios/Runner.xcodeproj/project.pbxproj",
      FileDescriptor.open(path.appending("project.pbxproj" as FileName).text, for: .reading)
        .readToEnd(atMost: 1 << 20))
    try folder.remove("Game.xcodeproj")
    let setup = try Self.setup(at: [FilePath(folder.path)])
    #expect(setup.engine == .flutter)
    #expect(setup.items.last?.requirement.details.contains { $0.contains("Thin Binary") } == true)
    #expect(setup.name == "Game")
  }

  @Test
  func `a project with several apps requires a target`() throws {
    let folder = try TemporaryFolder()
    let path = try SampleProject().write(to: folder)
    let file = path.appending("project.pbxproj" as FileName).text
    let text = String(
      decoding: try FileDescriptor.open(file, for: .reading).readToEnd(atMost: 1 << 20),
      as: UTF8.self)
    try folder.makeFile(
      "Game.xcodeproj/project.pbxproj",
      text.replacing("targets = (A,", with: "targets = (A, A2,").replacing(
        "G = {",
        with: """
          A2 = { isa = PBXNativeTarget; name = Demo;
                 productType = "com.apple.product-type.application"; };
          G = {
          """))
    let error = #expect(throws: PackError.self) {
      try AppProject(inspecting: [path], .unstoppable)
    }
    #expect(error?.message.contains("has several apps: 'Game', 'Demo'") == true)
    let project = try AppProject(inspecting: [path], target: "Demo", .unstoppable)
    #expect(project.name == "Demo")
  }
}
