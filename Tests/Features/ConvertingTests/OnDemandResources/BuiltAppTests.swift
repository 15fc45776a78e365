import BAPackKit
import Foundation
import SourceDiagnostics
import SystemIO
import TestSupport
import Testing

@testable import Converting

/// Conversions of products of Xcode.
@Suite struct BuiltAppTests {
  /// Creates an app with three embedded asset packs, as Xcode builds it.
  private func build(_ app: String, in folder: borrowing TemporaryFolder) throws {
    func write(_ list: [String: Any], _ path: String) throws {
      let data = try PropertyListSerialization.data(
        fromPropertyList: list, format: .binary, options: 0)
      try folder.makeFile(path, Array(data))
    }
    let packs: [(id: String, tags: [String], priority: Double?, files: [String])] = [
      ("p.a", ["tutorial"], 1, ["steps.json", "Art/sign.png"]),
      ("p.b", ["cave", "forest"], 0.5, ["tower.png", "de.lproj/tower.strings"]),
      ("p.c", ["cave"], nil, ["cave.json"]),
    ]
    for pack in packs {
      let place = "\(app)/OnDemandResources/\(pack.id).assetpack"
      var info: [String: Any] = ["CFBundleIdentifier": pack.id, "Tags": pack.tags]
      info["Priority"] = pack.priority
      try write(info, "\(place)/Info.plist")
      try folder.makeFile("\(place)/_CodeSignature/CodeResources")
      for file in pack.files { try folder.makeFile("\(place)/\(file)", pack.id + file) }
    }
    try folder.makeFile("\(app)/OnDemandResources/p.c.assetpack/Assets.car")
    try write(
      [
        "NSBundleResourceRequestTags": [
          "tutorial": ["NSAssetPacks": ["p.a"]], "cave": ["NSAssetPacks": ["p.b", "p.c"]],
          "forest": ["NSAssetPacks": ["p.b"]],
        ],
        "NSBundleResourceRequestAssetPacks": Dictionary(
          uniqueKeysWithValues: packs.map { ($0.id, $0.files) }),
      ], "\(app)/OnDemandResources.plist")
  }

  private let packs = [
    "tutorial, essential: Art/sign.png steps.json",
    "cave-forest, prefetch: de.lproj/tower.strings tower.png", "cave, on demand: cave.json",
  ]

  @Test func `an app, an Xcode archive and the folder of its packs give the same packs`()
    throws
  {
    let folder = try TemporaryFolder()
    try build("App.app", in: folder)
    try build("X.xcarchive/Products/Applications/App.app", in: folder)
    for path in [
      "App.app", "App.app/OnDemandResources", "X.xcarchive", "App.app/OnDemandResources.plist",
    ] {
      let conversion = try OnDemandProjectTests.convert(folder.path(path))
      #expect(OnDemandProjectTests.packs(conversion) == packs, "\(path)")
      #expect(
        conversion.findings.map(\.id.name) == ["odr.asset-catalog"],
        "\(conversion.findings.map(\.message))")
      for manifest in conversion.manifests {
        #expect(try OnDemandProjectTests.selected(manifest) == OnDemandProjectTests.meant(manifest))
      }
    }
    let one = try OnDemandProjectTests.convert(
      folder.path("App.app/OnDemandResources/p.a.assetpack"))
    #expect(OnDemandProjectTests.packs(one) == [packs[0]])
  }

  @Test
  func `the manifest of asset packs contains the policy of a pack without a policy`()
    throws
  {
    let folder = try TemporaryFolder()
    try build("App.app", in: folder)
    func resource(_ pack: String, _ priority: Double?) -> String {
      "<dict><key>bundleKey</key><string>\(pack)</string><key>URL</key><string>x</string>"
        + (priority.map { "<key>downloadPriority</key><real>\($0)</real>" } ?? "") + "</dict>"
    }
    let list = """
      <plist version="1.0"><dict><key>resources</key><array>
      \(resource("p.a", 0.1))\(resource("p.b", nil))\(resource("p.c", 1))
      <dict><key>primaryContentHash</key><dict/></dict>
      </array></dict></plist>
      """
    for name in ["AssetPackManifest.plist", "AssetPackManifestTemplate.plist"] {
      try folder.makeFile("App.app/\(name)", list)
      let conversion = try OnDemandProjectTests.convert(folder.path("App.app"))
      #expect(
        OnDemandProjectTests.packs(conversion)
          == packs.map {
            $0.replacing("cave, on demand", with: "cave, essential")
          })
      try folder.remove("App.app/\(name)")
    }
  }

  @Test(.needs("python3")) func `an ipa is converted without extraction`() throws {
    let folder = try TemporaryFolder()
    try build("Payload/App.app", in: folder)
    #expect(try Peer.run("python3 -m zipfile -c App.ipa Payload", in: folder.path) == 0)
    let conversion = try OnDemandProjectTests.convert(folder.path("App.ipa"))
    #expect(OnDemandProjectTests.packs(conversion) == packs)
    for manifest in conversion.manifests {
      #expect(try OnDemandProjectTests.selected(manifest) == OnDemandProjectTests.meant(manifest))
    }
  }

  @Test func `listed packs and files that do not exist are errors`() throws {
    let folder = try TemporaryFolder()
    try build("App.app", in: folder)
    try FileManager.default.removeItem(
      atPath: folder.path("App.app/OnDemandResources/p.a.assetpack"))
    try FileManager.default.removeItem(
      atPath: folder.path("App.app/OnDemandResources/p.b.assetpack/tower.png"))
    let conversion = try OnDemandProjectTests.convert(folder.path("App.app"))
    let found = conversion.findings.filter { $0.id == "odr.built" }
    #expect(
      Set(found.flatMap(\.fixes).map(\.message))
        == ["specify the archive, or the folder with the exported packs", "export the app again"])
    #expect(found.count == 2)
    #expect(conversion.findings.hasErrors)
  }

  @Test func `packs without any priority are on demand, with one note`() throws {
    let folder = try TemporaryFolder()
    func info(_ id: String, _ priority: String = "") -> String {
      """
      <plist version="1.0"><dict><key>CFBundleIdentifier</key><string>\(id)</string>
      <key>Tags</key><array><string>\(id)</string></array>\(priority)</dict></plist>
      """
    }
    for id in ["a", "b"] {
      try folder.makeFile("App.app/OnDemandResources/\(id).assetpack/Info.plist", info(id))
      try folder.makeFile("App.app/OnDemandResources/\(id).assetpack/\(id).json")
    }
    let path = folder.path("App.app")
    let silent = try OnDemandProjectTests.convert(path)
    #expect(
      silent.findings.map(\.message) == [
        "the input specifies no download policy for 'a' and 'b'; using 'onDemand'"
      ])
    #expect(silent.findings.map(\.id.name) == ["convert.assumed-policy"])
    let named = try OnDemandProjectTests.convert(path) { $0.downloadPolicy = .onDemand }
    #expect(named.findings.isEmpty)
    try folder.makeFile(
      "App.app/OnDemandResources/b.assetpack/Info.plist",
      info("b", "<key>Priority</key><real>0.5</real>"))
    #expect(try OnDemandProjectTests.convert(path).findings.isEmpty)
    // Validation of the manifest reports the same problem.
    try folder.makeFile("App.app/OnDemandResources/b.assetpack/B.JSON")
    #expect(
      try OnDemandProjectTests.convert(path).findings.map(\.message) == [
        "'b.json' differs from 'B.JSON' only in case"
      ])
  }

  @Test(arguments: [("App.app", "App.app"), ("Payload/App.app", ""), ("Apps/App.app", "Apps")])
  func `the platforms of an app are those of its property list, with a note if it has none`(
    app: String, input: String
  ) throws {
    let folder = try TemporaryFolder()
    try build(app, in: folder)
    func convert(_ platforms: [Platform] = []) throws -> Conversion {
      var conversion = ConversionOptions(.unstoppable)
      conversion.platforms = platforms
      return try Conversion(of: FilePath(folder.path(input)), conversion)
    }
    func notes(_ conversion: Conversion) -> [String] {
      conversion.findings.filter { $0.id == "convert.assumed-platforms" }.map(\.message)
    }
    let silent = try convert()
    #expect(silent.manifests.allSatisfy { $0.manifest.platforms == Platform.allCases })
    #expect(
      notes(silent) == [
        "the input specifies no platform for 'tutorial', 'cave-forest' and 'cave'; "
          + "using all platforms"
      ])
    #expect(notes(try convert([.tvOS])) == [])
    for (name, platform) in [
      ("iPhoneOS", Platform.iOS), ("AppleTVOS", .tvOS), ("XROS", .visionOS), ("MacOSX", .macOS),
    ] {
      try folder.makeFile(
        "\(app)/Info.plist",
        """
        <plist version="1.0"><dict><key>CFBundleSupportedPlatforms</key>
        <array><string>\(name)</string></array></dict></plist>
        """)
      let conversion = try convert()
      #expect(conversion.manifests.count == 3)
      #expect(conversion.manifests.allSatisfy { $0.manifest.platforms == [platform] })
      #expect(notes(conversion) == [])
    }
  }

  @Test(.needs("python3"))
  func `entries of an ipa that are not files of packs are reported`() throws {
    let folder = try TemporaryFolder()
    try build("Payload/App.app", in: folder)
    let script = """
      import zipfile
      with zipfile.ZipFile('App.ipa', 'a') as ipa:
          ipa.writestr('Payload/App.app/OnDemandResources/p.c.assetpack/../../evil.json', 'x')
          ipa.writestr('Payload/App.app/OnDemandResources/p.c.assetpack/bad\\x01name.json', 'x')
          link = zipfile.ZipInfo('Payload/App.app/OnDemandResources/p.c.assetpack/link.json')
          link.create_system = 3
          link.external_attr = 0o120777 << 16
          ipa.writestr(link, 'cave.json')
      """
    try folder.makeFile("add.py", script)
    #expect(try Peer.run("python3 -m zipfile -c App.ipa Payload", in: folder.path) == 0)
    #expect(try Peer.run("python3 add.py", in: folder.path) == 0)
    let conversion = try OnDemandProjectTests.convert(folder.path("App.ipa"))
    let found = conversion.findings.filter { $0.id == "odr.built" }.map(\.message)
    #expect(found.count >= 2, "\(found)")
    #expect(found.contains { $0.contains("evil.json' has a '..' in its path, so") }, "\(found)")
    #expect(found.contains { $0.contains("link.json' is not a regular file") }, "\(found)")
    #expect(conversion.findings.hasErrors)
  }

  @Test(.needs("python3"))
  func `a zip without an app, and a truncated zip, are errors`() throws {
    let folder = try TemporaryFolder()
    try folder.makeFile("a.txt")
    #expect(try Peer.run("python3 -m zipfile -c a.zip a.txt", in: folder.path) == 0)
    let conversion = try OnDemandProjectTests.convert(folder.path("a.zip"))
    #expect(conversion.findings.map(\.id.name) == ["odr.nothing-tagged"])
    let bytes = try Data(contentsOf: URL(filePath: folder.path("a.zip")))
    try folder.makeFile("b.zip", Array(bytes.prefix(30)))
    #expect(throws: PackError.self) { try OnDemandProjectTests.convert(folder.path("b.zip")) }
  }
}
