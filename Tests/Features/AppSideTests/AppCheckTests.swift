import AppSide
import BAPackKit
import Foundation
import SourceDiagnostics
import SystemIO
import TestSupport
import Testing

/// Tests that each mistake in an app causes exactly its finding.
@Suite struct AppCheckTests {
  private func identities(_ findings: Ledger) -> [String] {
    findings.map { "\($0.id.name): \($0.message)" }
  }

  /// Rules that no built app causes, with the tests that check them.
  private static let withoutTrial: Set<String> = [
    // `LiteralSearchTests`
    "app.pack-id",
    // `ProjectCheckTests`
    "app.project", "app.extension-target", "app.copy-phase", "app.info-plist-file",
    "app.entitlements-file",
  ]

  @Test func `an app without mistakes has no findings, in each form`() throws {
    let forms: [(String, @Sendable (inout SampleApp) -> Void)] = [
      ("iOS", { _ in }), ("macOS", { $0.becomeDeep() }),
      ("self-hosted", { $0.becomeSelfHosted() }), ("unmanaged", { $0.becomeUnmanaged() }),
      (
        "with a weak link",
        { app in
          app.app.program.minimum = (15, 0)
          app.app.info["MinimumOSVersion"] = .string("15.0")
          app.app.program.libraries[0].isWeak = true
        }
      ),
      (
        "macOS without profiles",
        { app in
          app.becomeDeep()
          app.app.profile = nil
          app.downloader.profile = nil
        }
      ),
      (
        "Objective-C",
        { app in
          app.downloader.program.symbols = []
          app.downloader.program.sections = [
            ("__objc_classname", Array("SKDownloaderExtension".utf8))
          ]
          app.downloader.info["EXAppExtensionAttributes"] = .dictionary([
            "EXExtensionPointIdentifier": .string(
              "com.apple.background-asset-downloader-extension"),
            "EXPrincipalClass": .string("Downloader"),
          ])
        }
      ),
    ]
    for (name, change) in forms {
      let found = try AppTrial(change).findings()
      #expect(identities(found) == [], "\(name)")
    }
  }

  @Test(arguments: AppTrial.all.keys.sorted())
  func `each mistake causes exactly its finding, with an answer and a change`(id: String) throws {
    let rule = try #require(
      (AppRules.all + RuleCatalogue.rules(of: .publishing)).first { $0.id.name == id })
    let weights = [rule.severity(for: nil), rule.exception?.severity]
    for trial in try #require(AppTrial.all[id]) {
      let found = try trial.findings()
      #expect(Set(found.map(\.id.name)) == [id], "\(identities(found))")
      for finding in found {
        #expect(weights.contains(finding.severity))
        #expect(finding.notes.contains { $0.contains("(certainty: ") })
        #expect(!finding.fixes.isEmpty)
      }
    }
  }

  @Test func `each rule has a trial, a certainty, and one place`() throws {
    let ids = AppRules.all.map(\.id.name)
    #expect(Set(ids).count == ids.count)
    let tried = Set(AppTrial.all.keys).union(Self.withoutTrial)
    #expect(Set(ids).subtracting(tried) == [])
    for rule in AppRules.table {
      #expect(rule.rule.id.name.wholeMatch(of: /app\.[a-z-]+/) != nil)
      #expect(rule.rule.what.hasSuffix("."))
      #expect(rule.rule.why.hasSuffix("(certainty: \(rule.certainty))."))
    }
    // Each rule in the sources is in the table.
    let folder = try Checkout.module("AppSide").path(percentEncoded: false)
    var written: [String] = []
    for file in try FileManager.default.subpathsOfDirectory(atPath: folder)
    where file.hasSuffix(".swift") {
      let text = try String(contentsOfFile: folder + "/" + file, encoding: .utf8)
      let rules = text.components(separatedBy: "= AppRule(").dropFirst()
      #expect(rules.isEmpty || file.hasSuffix("Rules.swift"), "\(file)")
      #expect(!text.contains("Finding("), "\(file)")
      written += rules.map { String($0.drop { $0 != "\"" }.dropFirst().prefix { $0 != "\"" }) }
    }
    #expect(written.sorted() == ids.sorted())
  }

  @Test func `an archive, an xcarchive and a wrapper have the findings of the app`() throws {
    let folder = try TemporaryFolder()
    var sample = SampleApp()
    sample.place = "PlugIns"
    try folder.makeFile("Game.ipa", sample.archive)
    try sample.write(to: folder, as: "Game.xcarchive/Products/Applications/Game.app")
    try folder.makeFile("Game.xcarchive/Info.plist", "<plist><dict/></plist>")
    try sample.write(to: folder, as: "Mac.app/Wrapper/Game.app")
    try sample.write(to: folder, as: "Build/Game.app")
    for path in ["Game.ipa", "Game.xcarchive", "Mac.app", "Build"] {
      let found = try AppTrial.findings(at: folder.path(path))
      #expect(found.map(\.id.name) == ["app.extension-place"], "\(path): \(identities(found))")
    }
  }

  @Test func `a binary property list has the same findings, without positions`() throws {
    let folder = try TemporaryFolder()
    var sample = SampleApp()
    sample.app.info["BAManifestURL"] = .string("https://example.com/m.json")
    let text = SampleApp.Value.dictionary(sample.app.info).document
    let value = unsafe try PropertyListSerialization.propertyList(
      from: Data(text.utf8), format: nil)
    sample.files["Info.plist"] = Array(
      try PropertyListSerialization.data(fromPropertyList: value, format: .binary, options: 0))
    try sample.write(to: folder)
    let found = try AppTrial.findings(at: folder.path("Game.app"))
    #expect(found.map(\.id.name) == ["app.foreign-key"])
    #expect(found.all[0].span == nil)
    sample.files["Info.plist"] = nil
    try sample.write(to: folder, as: "Text.app")
    let placed = try AppTrial.findings(at: folder.path("Text.app"))
    let span = try #require(placed.all[0].span)
    let source = try #require(placed.pages.first { !$0.findings.isEmpty }?.source)
    #expect(
      String(decoding: source.bytes[span.start..<span.end], as: UTF8.self)
        == "<key>BAManifestURL</key>")
  }

  @Test func `what cannot be seen in a program is reported`() throws {
    func omissions(_ change: (inout SampleApp) -> Void) throws -> [String] {
      let folder = try TemporaryFolder()
      var sample = SampleApp()
      change(&sample)
      try sample.write(to: folder)
      let product = try AppProduct(
        BundleTree(at: folder.filePath("Game.app"), .unstoppable), .unstoppable)
      return try AppCheck(product, packs: nil, hosting: nil, .unstoppable).omissions
    }
    let packs = "without packs: platforms, languages, sizes, equal files, and paths"
    #expect(try omissions { _ in } == [packs])
    #expect(
      try omissions { $0.app.program.isEncrypted = true } == [
        packs, "texts of 'Game', which the App Store encrypted",
      ])
    #expect(
      try omissions { app in
        var library = MachOBytes()
        library.kind = 6
        library.isEncrypted = true
        app.files["Frameworks/Audio.framework/Audio"] = library.bytes
      } == [packs, "texts of 'Audio', which the App Store encrypted"])
    #expect(
      try omissions { $0.app.entitlements["get-task-allow"] = .bool(true) } == [
        packs, "signature for distribution of 'Game', which is a debug build",
      ])
    #expect(
      try omissions { $0.files["Game.debug.dylib"] = $0.app.program.bytes } == [
        packs, "signature for distribution of 'Game', which is a debug build",
      ])
    #expect(
      try omissions { $0.app.program.kind = 10 } == [
        packs, "code of 'Game', which has only debug information",
      ])
    #expect(
      try omissions { $0.app.program.platform = 7 } == [
        packs, "team and profile of 'Game', which is for a simulator",
      ])
  }

  @Test func `a debug build has its code in a library`() throws {
    let trial = AppTrial { app in
      var code = app.downloader.program
      code.signature = nil
      app.files["Extensions/Downloader.appex/Downloader.debug.dylib"] = code.bytes
      app.downloader.program.sections = []
      app.downloader.program.symbols = []
    }
    #expect(identities(try trial.findings()) == [])
  }

  @Test func `a framework of the app can be linked instead of the app`() throws {
    let trial = AppTrial { app in
      var library = MachOBytes()
      library.kind = 6
      library.libraries = app.app.program.libraries
      library.add(texts: "Voices/wrong.txt")
      app.app.program.libraries = []
      app.files["Frameworks/Audio.framework/Audio"] = library.bytes
    }
    #expect(
      identities(try trial.findings()) == ["app.missing-path: no pack has 'Voices/wrong.txt'"])
  }

  @Test func `the hosts and sizes of a download manifest are compared with the keys of the app`()
    throws
  {
    let folder = try TemporaryFolder()
    var sample = SampleApp()
    sample.becomeSelfHosted()
    try sample.write(to: folder)
    let text = """
      {"assetPacks": [{"id": "a", "url": "https://other.example.org/a", "version": 1,
      "downloadSize": 596, "downloadPolicy": {"prefetch": {"installationEventTypes":
      ["firstInstallation"]}}, "host": {"thirdParty": {}}}]}
      """
    var packs = AppPacks()
    packs.manifest = DownloadManifestDocument(parsing: Array(text.utf8), named: "m.json")
    let found = try AppTrial.findings(at: folder.path("Game.app"), packs: packs)
    // Without archives, the unpacked size is 0: only its key is missing.
    #expect(
      Set(found.map(\.id.name))
        == ["download.domain", "download.allowance", "download.info-plist"],
      "\(identities(found))")
  }
}
