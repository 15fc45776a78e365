import AppSide
import BAPackKit
import SourceDiagnostics
import SystemIO
import TestSupport
import Testing

/// A change of an app without mistakes that causes one finding.
struct AppTrial: Sendable {
  /// A pack: its ID and its files.
  struct Pack: Sendable {
    var id = "tutorial"
    var platforms: [String] = []
    var language: String?
    var files: [String: [UInt8]] = ["Voices/hello.txt": Array("hello".utf8)]
  }

  var packs = [Pack()]
  let change: @Sendable (inout SampleApp) -> Void

  init(packs: [Pack] = [Pack()], _ change: @escaping @Sendable (inout SampleApp) -> Void) {
    self.packs = packs
    self.change = change
  }

  /// Returns the findings of a changed app.
  func findings() throws -> Ledger {
    let folder = try TemporaryFolder()
    var sample = SampleApp()
    change(&sample)
    try sample.write(to: folder)
    return try Self.findings(at: folder.path("Game.app"), packs: Self.outlines(packs, folder))
  }

  static func findings(at path: String, packs: AppPacks? = AppPacks()) throws -> Ledger {
    let tree = try BundleTree(at: FilePath(path), .unstoppable)
    var search = packs.map { LiteralSearch(in: $0.paths, besides: tree) }
    let product = try AppProduct(tree, .unstoppable) { text, program in
      search?.inspect(text, inProgram: program.text)
    }
    var findings = try AppCheck(product, packs: packs, hosting: nil, .unstoppable).findings
    if let search { findings.add(contentsOf: search.findings) }
    return findings
  }

  /// Packs files, and reads the archives.
  static func outlines(
    _ packs: [Pack], _ folder: borrowing TemporaryFolder
  ) throws -> AppPacks {
    var result = AppPacks()
    for pack in packs {
      for (path, bytes) in pack.files { try folder.makeFile("source/\(pack.id)/\(path)", bytes) }
      let platforms = pack.platforms.map { "\"\($0)\"" }.joined(separator: ", ")
      let language = pack.language.map { ", \"language\": \"\($0)\"" } ?? ""
      let text = """
        {"assetPackID": "\(pack.id)", "downloadPolicy": {"onDemand": {}},
        "fileSelectors": [{"directory": "."}], "platforms": [\(platforms)]\(language)}
        """
      let document = ManifestDocument(parsing: Array(text.utf8), named: pack.id)
      let source = try SourceRoot(opening: folder.path("source/\(pack.id)"), .unstoppable)
      let selection = try Selection.resolve(document, in: source, .unstoppable).selection
      var settings = PackSettings()
      settings.threads = 1
      let plan = try PackPlan(
        try #require(document.manifest), selection, from: source, settings: settings)
      try folder.makeFolder("packs")
      let path = folder.path("packs/\(pack.id).aar")
      _ = try PackSeries.Job(plan, to: path).pack(.unstoppable)
      result.outlines.append(try PackOutline(reading: path, [], .unstoppable))
    }
    return result
  }

  /// The trials of each rule, by its ID.
  static let all: [String: [AppTrial]] = keys.merging(extensions) { $0 + $1 }
    .merging(signatures) { $0 + $1 }.merging(systems) { $0 + $1 }.merging(contents) { $0 + $1 }

  private static let keys: [String: [AppTrial]] = [
    "app.property-list": [
      AppTrial { $0.files["Info.plist"] = Array("<plist><dict>".utf8) },
      AppTrial { $0.files["Info.plist"] = [] },
    ],
    "app.no-keys": [
      AppTrial { app in
        app.hasExtension = false
        for key in ["BAAppGroupID", "BAHasManagedAssetPacks", "BAUsesAppleHosting"] {
          app.app.info[key] = nil
        }
      }
    ],
    "app.missing-key": [
      AppTrial { $0.app.info["BAUsesAppleHosting"] = nil },
      AppTrial { $0.app.info["BAHasManagedAssetPacks"] = .bool(false) },
      AppTrial { $0.app.info["BAAppGroupID"] = nil },
    ],
    "app.key-type": [
      AppTrial { $0.app.info["BAUsesAppleHosting"] = .string("YES") },
      AppTrial { $0.app.info["BAAppGroupID"] = .bool(true) },
    ],
    "app.foreign-key": [
      AppTrial { $0.app.info["BAManifestURL"] = .string("https://example.com/m.json") },
      AppTrial { app in
        app.becomeUnmanaged()
        app.app.info["BAHasManagedAssetPacks"] = .bool(false)
      },
    ],
    "app.key-place": [
      AppTrial { $0.downloader.info["BAAppGroupID"] = .string(SampleApp.group) }
    ],
    "app.group-form": [
      AppTrial { app in
        app.app.info["BAAppGroupID"] = .string("com.example.game")
        app.useGroup("com.example.game")
      },
      AppTrial { app in
        app.becomeDeep()
        app.app.info["BAAppGroupID"] = .string("ZZZZZ12345.game")
        app.useGroup("ZZZZZ12345.game")
      },
    ],
    "download.info-plist": [
      AppTrial { app in
        app.becomeSelfHosted()
        app.app.info["BAManifestURL"] = .string("http://example.com/m.json")
      },
      AppTrial { app in
        app.becomeSelfHosted()
        app.app.info["BAInitialDownloadRestrictions"] = .dictionary([
          "BADownloadDomainAllowList": .list([.string("*.example.com")]),
          "BADownloadAllowance": .integer(0),
        ])
      },
    ],
  ]

  private static let extensions: [String: [AppTrial]] = [
    "app.no-extension": [AppTrial { $0.hasExtension = false }],
    "app.several-extensions": [
      AppTrial { app in
        for (path, bytes) in app.allFiles where path.contains("Downloader.appex/") {
          app.files[
            "Extensions/Other.appex/" + path.dropFirst("Extensions/Downloader.appex/".count)] =
            bytes
        }
      }
    ],
    "app.extension-place": [AppTrial { $0.place = "PlugIns" }],
    "app.extension-point": [
      AppTrial { $0.setPoint("com.apple.background-assets") },
      AppTrial { $0.downloader.info["EXAppExtensionAttributes"] = nil },
    ],
    "app.ns-extension": [
      AppTrial { app in
        app.downloader.info["NSExtension"] = app.downloader.info["EXAppExtensionAttributes"]
      }
    ],
    "app.principal-class": [
      AppTrial { app in
        app.downloader.info["EXAppExtensionAttributes"] = .dictionary([
          "EXExtensionPointIdentifier": .string(
            "com.apple.background-asset-downloader-extension"),
          "EXPrincipalClass": .string("Downloader"),
        ])
      }
    ],
    "app.no-entry": [AppTrial { $0.downloader.program.sections = [] }],
    "app.extension-key": [
      AppTrial { $0.downloader.info["CFBundleDisplayName"] = nil },
      AppTrial { $0.downloader.info["MinimumOSVersion"] = nil },
      AppTrial { $0.downloader.info["CFBundlePackageType"] = .string("APPL") },
    ],
    "app.extension-version": [
      AppTrial { $0.downloader.info["CFBundleVersion"] = .string("1") },
      AppTrial { $0.downloader.info["CFBundleShortVersionString"] = .string("1.0") },
    ],
    "app.extension-identifier": [
      AppTrial { $0.downloader.info["CFBundleIdentifier"] = .string("com.example.downloader") }
    ],
    "app.extension-hosting": [
      AppTrial { app in
        app.downloader.program.symbols = ["_$s16BackgroundAssets26ManagedDownloaderExtensionP"]
      }
    ],
  ]

  private static let signatures: [String: [AppTrial]] = [
    "app.program": [
      AppTrial { $0.files["Game"] = Array("no program".utf8) },
      AppTrial { $0.nameProgram("Other") },
    ],
    "app.unsigned": [
      AppTrial { $0.downloader.program.signature = nil },
      AppTrial { app in
        app.app.program.signature = nil
        app.downloader.program.signature = nil
      },
    ],
    "app.group": [
      AppTrial { $0.downloader.entitlements["com.apple.security.application-groups"] = nil },
      AppTrial { app in
        app.app.entitlements["com.apple.security.application-groups"] = .list([
          .string("group.other")
        ])
      },
    ],
    "app.profile-group": [
      AppTrial { $0.downloader.profile?["com.apple.security.application-groups"] = nil }
    ],
    "app.profile": [AppTrial { $0.files["embedded.mobileprovision"] = [1, 2, 3] }],
    "app.team": [
      AppTrial { app in
        app.app.program.signature?.flags = 2
        app.app.program.signature?.team = nil
      },
      AppTrial { $0.downloader.program.signature?.team = "ZZZZZ12345" },
    ],
    "app.team-entitlement": [
      AppTrial { $0.app.entitlements["com.apple.developer.team-identifier"] = nil }
    ],
    "app.application-identifier": [
      AppTrial { $0.app.entitlements["application-identifier"] = nil },
      AppTrial { $0.downloader.profile = nil },
    ],
    "app.sandbox": [
      AppTrial { app in
        app.becomeDeep()
        app.becomeUnmanaged()
        app.downloader.entitlements["com.apple.security.app-sandbox"] = nil
      }
    ],
  ]

  private static let systems: [String: [AppTrial]] = [
    "app.platform": [AppTrial { $0.app.program.platform = 4 }],
    "app.minimum-system": [AppTrial { $0.app.info["MinimumOSVersion"] = .string("26.0") }],
    "app.extension-system": [
      AppTrial { app in
        app.downloader.program.minimum = (17, 0)
        app.downloader.info["MinimumOSVersion"] = .string("17.0")
      }
    ],
    "app.pack-platform": [
      AppTrial(packs: [Pack(platforms: ["macOS"])]) { _ in },
      AppTrial(packs: [Pack(), Pack(id: "mac", platforms: ["macOS"])]) { _ in },
    ],
    "app.localized-packs": [
      AppTrial(packs: [Pack(language: "de")]) { app in
        app.app.program.minimum = (26, 0)
        app.app.info["MinimumOSVersion"] = .string("26.0")
      }
    ],
    "app.no-link": [AppTrial { $0.app.program.libraries = [] }],
    "app.strong-link": [
      AppTrial { app in
        app.app.program.minimum = (17, 0)
        app.app.info["MinimumOSVersion"] = .string("17.0")
      }
    ],
  ]

  private static let contents: [String: [AppTrial]] = [
    "app.same-bytes": [
      AppTrial(packs: [Pack(files: ["theme.m4a": large, "Voices/hello.txt": [1]])]) {
        $0.files["Music/theme.m4a"] = large
      }
    ],
    "app.on-demand-resources": [
      AppTrial { $0.files["OnDemandResources.plist"] = [1] },
      AppTrial { $0.app.program.symbols = ["_OBJC_CLASS_$_NSBundleResourceRequest"] },
    ],
    "app.missing-path": [AppTrial { $0.app.program.add(texts: "Voices/hallo.txt") }],
  ]

  private static let large = (0..<9000).map { UInt8(truncatingIfNeeded: $0 &* 7 >> 3) }
}

extension SampleApp {
  /// Changes the group in the entitlements and profiles.
  mutating func useGroup(_ group: String) {
    let groups = Value.list([.string(group)])
    app.entitlements["com.apple.security.application-groups"] = groups
    downloader.entitlements["com.apple.security.application-groups"] = groups
    app.profile?["com.apple.security.application-groups"] = groups
    downloader.profile?["com.apple.security.application-groups"] = groups
  }

  /// Changes the name of the program in the property list, and not the program.
  mutating func nameProgram(_ name: String) {
    var info = app.info
    info["CFBundleExecutable"] = .string(name)
    files["Info.plist"] = Array(Value.dictionary(info).document.utf8)
  }

  mutating func setPoint(_ point: String) {
    downloader.info["EXAppExtensionAttributes"] = .dictionary([
      "EXExtensionPointIdentifier": .string(point)
    ])
  }

  private mutating func addRestrictions() {
    app.info["BAManifestURL"] = .string("https://example.com/m.json")
    app.info["BAInitialDownloadRestrictions"] = .dictionary([
      "BADownloadDomainAllowList": .list([.string("*.example.com")]),
      "BADownloadAllowance": .integer(0), "BAEssentialDownloadAllowance": .integer(0),
    ])
  }

  /// Changes the app to one with packs on another server.
  mutating func becomeSelfHosted() {
    addRestrictions()
    app.info["BAUsesAppleHosting"] = .bool(false)
    downloader.program.symbols = ["_$s16BackgroundAssets26ManagedDownloaderExtensionP"]
  }

  /// Changes the app to one without managed packs.
  mutating func becomeUnmanaged() {
    addRestrictions()
    app.info["BAUsesAppleHosting"] = nil
    app.info["BAHasManagedAssetPacks"] = nil
    downloader.program.symbols = ["_$sSo21BADownloaderExtensionP"]
  }
}
