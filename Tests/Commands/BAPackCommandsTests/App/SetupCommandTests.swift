import Arguments
import Foundation
import SourceDiagnostics
import TestSupport
import Testing

/// `app setup` and the keys of `download-manifest info-plist`.
@Suite final class SetupCommandTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.makeFile(
      "Info.plist",
      """
      <?xml version="1.0" encoding="UTF-8"?><plist version="1.0"><dict>
      <key>CFBundleName</key><string>Game</string>
      <key>BAAppGroupID</key><string>group.com.example.game</string>
      </dict></plist>
      """)
  }

  private func run(_ words: String...) -> Captured {
    Captured(["app", "setup", folder.path("Info.plist"), "--no-project"] + words)
  }

  @Test
  func `the keys of an Apple-hosted app do not depend on packs`() throws {
    let keys = Captured(
      "download-manifest", "info-plist", "--hosting", "apple", "--app-group-id", "group.a",
      "--no-project", "--format", "json")
    #expect(keys.ending == .status(.done), "\(keys.messages)")
    #expect(
      keys.output == """
        {"BAAppGroupID":"group.a","BAHasManagedAssetPacks":true,"BAUsesAppleHosting":true}

        """)
    let without = Captured(
      "download-manifest", "info-plist", "--hosting", "apple", "--no-project")
    #expect(without.messages == "Add 'BAAppGroupID' to the file, or use --app-group-id.\n")
    let mixed = Captured(
      "download-manifest", "info-plist", "--hosting", "apple", "--manifest-url", "https://a.example"
    )
    #expect(mixed.ending == .status(.usage))
    #expect(mixed.messages.contains("'--manifest-url' is for packs on your own server"))
  }

  @Test
  func `text, Markdown and JSON have the same states`() throws {
    let text = run()
    #expect(text.ending == .status(.done), "\(text.messages)")
    #expect(text.output.contains("      done     BAAppGroupID = group.com.example.game\n"))
    #expect(text.output.contains("      missing  BAUsesAppleHosting = YES\n"))
    let markdown = run("--format", "markdown")
    #expect(markdown.output.contains("  - [x] `BAAppGroupID = group.com.example.game`\n"))
    #expect(markdown.output.contains("- [ ] Add the keys to the Info.plist of the app\n"))
    let json = try #require(JSONValue(parsing: run("--format", "json").output))
    #expect(json["hosting"] == .string("apple"))
    #expect(json["appGroupID"] == .string("group.com.example.game"))
    guard case .array(let items)? = json["items"] else {
      Issue.record("no items")
      return
    }
    #expect(items.first?["id"] == .string("keys"))
    #expect(items.first?["state"] == .string("missing"))
    #expect(items.first { $0["id"] == .string("other-keys") }?["state"] == .string("done"))
  }

  @Test
  func `files are written, and files with other contents are an error`() throws {
    let output = folder.path("AppSetup")
    let first = run("-o", output, "--language", "objc")
    #expect(first.ending == .status(.done), "\(first.messages)")
    #expect(first.messages.contains("Wrote '\(output)/Downloader/BackgroundDownloadHandler.m'.\n"))
    let again = run("-o", output, "--language", "objc")
    #expect(again.messages == "")
    let other = run("-o", output, "--language", "objc", "--app-group-id", "group.other")
    #expect(other.ending == .status(.failed))
    #expect(other.messages.contains("have other contents"))
  }

  @Test
  func `a self-hosted project gets the sizes of its packs`() throws {
    try folder.makeFile(
      "game/ba-package.json",
      """
      {"packs": ["Packs"], "output": "o", "hosting": "self",
       "selfHosting": {"urlTemplate": "https://a.example.com/{id}-{version}.aar"}}
      """)
    try folder.makeFile("game/Assets/a.txt", "hello")
    try folder.makeFile(
      "game/Packs/a.json",
      """
      {"assetPackID": "a", "sourceRoot": "../Assets", "fileSelectors": [{"file": "a.txt"}],
       "downloadPolicy": {"essential": {"installationEventTypes": ["firstInstallation"]}},
       "platforms": ["iOS"]}
      """)
    let arguments = [
      "app", "setup", folder.path("Info.plist"), "--project", folder.path("game"), "--manifest-url",
      "https://b.example.com/m.json",
    ]
    let early = Captured(arguments)
    #expect(early.output.contains("pack them first"), "\(early.messages)")
    #expect(
      Captured("pack", "--project", folder.path("game"), "--quiet").ending == .status(.done))
    let run = Captured(arguments)
    #expect(run.ending == .status(.done), "\(run.messages)")
    #expect(run.output.contains("missing  BAEssentialMaxInstallSize = 5\n"))
    #expect(run.output.contains("missing  BAManifestURL = https://b.example.com/m.json\n"))
    #expect(run.output.contains("(a.example.com, b.example.com)"))
    #expect(run.output.contains("ManagedDownloaderExtension"))
  }
}
