// Long because every kind of project has a test here.
import BAPackKit
import Foundation
import SourceDiagnostics
import SystemIO
import TestSupport
import Testing

@testable import Converting

/// Conversions of projects: the packs, and the findings.
@Suite struct OnDemandProjectTests {
  /// Converts the input at a path.
  ///
  /// Few inputs of tests name a platform, so the note about that is omitted.
  static func convert(_ path: String, _ configure: (inout ConversionOptions) -> Void = { _ in })
    throws
    -> Conversion
  {
    var options = ConversionOptions(.unstoppable)
    configure(&options)
    var conversion = try Conversion(of: FilePath(path), options)
    var findings = Ledger()
    for page in conversion.findings.pages {
      findings.turn(to: page.source)
      for finding in page.findings where finding.id != "convert.assumed-platforms" {
        findings.add(finding)
      }
    }
    conversion.findings = findings
    return conversion
  }

  static func text(_ conversion: Conversion, _ name: String) -> String {
    String(decoding: conversion.otherFiles.first { $0.name == name }?.bytes ?? [], as: UTF8.self)
  }

  /// Returns each pack on a line: its ID, its policy, and the paths in it.
  static func packs(_ conversion: Conversion) -> [String] {
    conversion.manifests.map { converted in
      let policy =
        switch converted.manifest.downloadPolicy {
        case .essential: "essential"
        case .prefetch: "prefetch"
        case .onDemand: "on demand"
        }
      let language = converted.manifest.language.map { " in \($0)" } ?? ""
      let files = (converted.files ?? []).map(\.destination.text).joined(separator: " ")
      return "\(converted.manifest.assetPackID)\(language), \(policy): \(files)"
    }
  }

  /// Returns the paths that the manifest selects, as sorted pairs of source and destination.
  static func selected(_ converted: ConvertedManifest) throws -> [String] {
    let document = ManifestDocument(
      parsing: converted.manifest.authoredJSON(), named: converted.name)
    #expect(!document.findings.hasErrors, "\(document.findings.map(\.message))")
    let root = try SourceRoot(opening: converted.sourceRoot?.text ?? ".", .unstoppable)
    let resolution = try Selection.resolve(document, in: root, .unstoppable)
    #expect(!resolution.findings.hasErrors, "\(resolution.findings.map(\.message))")
    return resolution.selection.filter { $0.kind == .file }.map {
      "\($0.source?.text ?? "") \($0.destination)"
    }.sorted()
  }

  static func meant(_ converted: ConvertedManifest) -> [String] {
    (converted.files ?? []).map { "\($0.source.text) \($0.destination.text)" }.sorted()
  }

  /// Creates a project in a folder, with these files and the tags of each.
  static func project(_ files: [(path: String, tags: String)], settings: String = "") -> String {
    var lines = [
      "P = { isa = PBXProject; mainGroup = G; targets = (T); };",
      "G = { isa = PBXGroup; children = "
        + "(\(files.indices.map { "F\($0)" }.joined(separator: ", "))); };",
      "T = { isa = PBXNativeTarget; name = App; buildPhases = (R); buildConfigurationList = L; };",
      "L = { isa = XCConfigurationList; buildConfigurations = (C); };",
      "C = { isa = XCBuildConfiguration; name = Release; buildSettings = { \(settings) }; };",
      "R = { isa = PBXResourcesBuildPhase; files = "
        + "(\(files.indices.map { "B\($0)" }.joined(separator: ", "))); };",
    ]
    for (index, file) in files.enumerated() {
      lines.append(
        "F\(index) = { isa = PBXFileReference; path = \"\(file.path)\"; sourceTree = "
          + "\"<group>\"; };"
      )
      lines.append(
        "B\(index) = { isa = PBXBuildFile; fileRef = F\(index); settings = { ASSET_TAGS = "
          + "(\(file.tags)); }; };"
      )
    }
    return "{ rootObject = P; objects = { " + lines.joined(separator: "\n") + " }; }"
  }

  @Test
  func `the example's five tags become six packs with the intended files`()
    throws
  {
    let path = Checkout.file("Examples/Lantern/Lantern.xcodeproj").path(percentEncoded: false)
    let conversion = try Self.convert(path)
    #expect(
      Self.packs(conversion) == [
        "tutorial, essential: steps.json sign.png",
        "forest, prefetch: Forest/backdrop.png Forest/enemies.json Forest/map.json",
        "cave, prefetch: Cave/backdrop.png Cave/map.json", "cave-forest, prefetch: tower.png",
        "island-music, on demand: island.wav", "winter, on demand: bells.wav",
      ])
    #expect(conversion.findings.map(\.id.name) == ["odr.prefetch-order"])
    #expect(conversion.manifests.allSatisfy { $0.manifest.platforms == [.iOS] })
    for manifest in conversion.manifests {
      #expect(try Self.selected(manifest) == Self.meant(manifest))
    }
    let table = Self.text(conversion, "tags.json")
    let json = try #require(
      try JSONSerialization.jsonObject(with: Data(table.utf8)) as? [String: Any])
    let tags = try #require(json["tags"] as? [String: [String: [String]]])
    #expect(tags.keys.sorted() == ["cave", "forest", "island music", "tutorial", "winter"])
    #expect(tags["cave"]?["packs"] == ["cave", "cave-forest"])
    #expect(tags["cave"]?["files"] == ["Cave/backdrop.png", "Cave/map.json", "tower.png"])
  }

  @Test func `a project is found from its enclosing folder, its folder and its file`()
    throws
  {
    let top = Checkout.file("Examples/Lantern").path(percentEncoded: false)
    let first = try Self.convert(top)
    for path in ["\(top)/Lantern.xcodeproj", "\(top)/Lantern.xcodeproj/project.pbxproj"] {
      let other = try Self.convert(path)
      #expect(other.manifests.map(\.manifest) == first.manifests.map(\.manifest))
      #expect(
        other.manifests.first?.sourceRoot?.normalized
          == first.manifests.first?.sourceRoot?.normalized)
    }
  }

  @Test func `the order of a text does not change IDs`() throws {
    let folder = try TemporaryFolder()
    for name in ["a", "b", "c"] { try folder.makeFile("\(name).txt") }
    var ids: [Set<String>] = []
    let files = [("a.txt", "x, y"), ("b.txt", "\"x-y\""), ("c.txt", "\"Level 1\"")]
    for files in [files, files.reversed(), [("a.txt", "y, x"), files[1], files[2]]] {
      try folder.makeFile("project.pbxproj", Self.project(files.map { (path: $0.0, tags: $0.1) }))
      ids.append(
        Set(try Self.convert(folder.path("project.pbxproj")).manifests.map(\.manifest.assetPackID)))
    }
    #expect(ids[0] == ids[1] && ids[1] == ids[2], "\(ids)")
    #expect(ids[0].contains("Level-1"))
    #expect(ids[0].filter { $0.hasPrefix("x-y-") }.count == 2)
  }

  @Test(arguments: [
    ("level1", "level1"), ("\"my tag!\"", "my-tag"), ("\"关卡\"", "tag-"), ("\"-\"", "tag-"),
    ("\"" + String(repeating: "a", count: 100) + "\"", String(repeating: "a", count: 57)),
  ])
  func `the ID of every tag is valid in App Store Connect`(tag: String, start: String) throws {
    let folder = try TemporaryFolder()
    try folder.makeFile("a.txt")
    try folder.makeFile("project.pbxproj", Self.project([("a.txt", tag)]))
    let manifest = try #require(try Self.convert(folder.path("project.pbxproj")).manifests.first)
    let id = manifest.manifest.assetPackID
    #expect(id.hasPrefix(start) && id.utf8.count <= 64, "\(id)")
    let document = ManifestDocument(
      parsing: manifest.manifest.authoredJSON(), named: "m", for: .apple)
    #expect(document.findings.isEmpty, "\(document.findings.map(\.message))")
  }

  @Test func `languages remain folders, or become separate packs`() throws {
    let folder = try TemporaryFolder()
    let files = [
      "de.lproj/hello.wav", "zh_TW.lproj/hello.wav", "Base.lproj/hello.wav", "plain.wav",
    ]
    for name in files { try folder.makeFile(name) }
    try folder.makeFile("project.pbxproj", Self.project(files.map { ($0, "voices") }))
    let whole = try Self.convert(folder.path(""))
    #expect(whole.manifests.isEmpty)
    let path = folder.path("project.pbxproj")
    #expect(
      Self.packs(try Self.convert(path)) == ["voices, on demand: \(files.joined(separator: " "))"])
    let split = try Self.convert(path) { $0.splitsLanguages = true }
    #expect(
      Self.packs(split) == [
        "voices-de in de, on demand: hello.wav", "voices-zh-TW in zh-TW, on demand: hello.wav",
        "voices, on demand: Base.lproj/hello.wav plain.wav",
      ])
    for manifest in split.manifests { #expect(try Self.selected(manifest) == Self.meant(manifest)) }
  }

  @Test func `a variant group contains all its languages`() throws {
    let folder = try TemporaryFolder()
    for name in ["Res/de.lproj/a.dat", "Res/en.lproj/a.dat"] { try folder.makeFile(name) }
    try folder.makeFile(
      "App.xcodeproj/project.pbxproj",
      """
      { rootObject = P; objects = {
        P = { isa = PBXProject; mainGroup = G; targets = (T); };
        G = { isa = PBXGroup; path = Res; children = (V); sourceTree = "<group>"; };
        V = { isa = PBXVariantGroup; name = a.dat; children = (D, E); sourceTree = "<group>"; };
        D = { isa = PBXFileReference; name = de; path = de.lproj/a.dat; sourceTree = "<group>"; };
        E = { isa = PBXFileReference; name = en; path = en.lproj/a.dat; sourceTree = "<group>"; };
        T = { isa = PBXNativeTarget; name = App; buildPhases = (R); };
        R = { isa = PBXResourcesBuildPhase; files = (B); };
        B = { isa = PBXBuildFile; fileRef = V; settings = { ASSET_TAGS = (v); }; };
      }; }
      """)
    let conversion = try Self.convert(folder.path(""))
    #expect(Self.packs(conversion) == ["v, on demand: de.lproj/a.dat en.lproj/a.dat"])
    #expect(try Self.selected(conversion.manifests[0]) == Self.meant(conversion.manifests[0]))
  }

  @Test func `settings come from the target, the project and the files of both`() throws {
    let folder = try TemporaryFolder()
    for name in ["a", "b", "c"] { try folder.makeFile("\(name).txt") }
    try folder.makeFile(
      "Shared.xcconfig", "ON_DEMAND_RESOURCES_INITIAL_INSTALL_TAGS = a // first\n")
    try folder.makeFile("App.xcconfig", "#include \"Shared.xcconfig\"\nOTHER = x\n")
    let text = Self.project(
      [("a.txt", "a"), ("b.txt", "b"), ("c.txt", "c")],
      settings: "ON_DEMAND_RESOURCES_PREFETCH_ORDER = (b);"
    ).replacing("name = Release;", with: "name = Release; baseConfigurationReference = X;")
      .replacing("children = (", with: "children = (X, ")
      .replacing(
        "L = {",
        with:
          "X = { isa = PBXFileReference; path = App.xcconfig; sourceTree = \"<group>\"; };\nL = {")
    try folder.makeFile("project.pbxproj", text)
    let conversion = try Self.convert(folder.path("project.pbxproj"))
    #expect(
      Self.packs(conversion) == [
        "a, essential: a.txt", "b, prefetch: b.txt", "c, on demand: c.txt",
      ])
    #expect(conversion.findings.isEmpty)
  }

  @Test func `paths never lead out of the named folder, by dots or by links`() throws {
    let folder = try TemporaryFolder()
    try folder.makeFile("secret.txt")
    try folder.makeFile("App/inside.txt")
    try folder.makeFile("App/shown.txt")
    try folder.makeLink("App/link.txt", to: "../secret.txt")
    try folder.makeLink("App/up", to: "..")
    let files = [
      "../secret.txt", "link.txt", "up/secret.txt", "/etc/passwd", "x/../../secret.txt",
      "inside.txt",
    ]
    try folder.makeFile("App/project.pbxproj", Self.project(files.map { ($0, "t") }))
    let conversion = try Self.convert(folder.path("App/project.pbxproj"))
    #expect(Self.packs(conversion) == ["t, on demand: inside.txt"])
    #expect(conversion.findings.map(\.id.name) == Array(repeating: "odr.outside", count: 5))
    let wide = try Self.convert(folder.path("App/project.pbxproj")) {
      $0.contentRoot = FilePath(folder.path(""))
    }
    #expect(wide.manifests.first?.files?.map(\.source.text).contains("secret.txt") == true)
    #expect(wide.findings.filter { $0.id == "odr.outside" }.count == 1)
  }

  @Test func `a project cannot place its files in a folder that was not named`() throws {
    let folder = try TemporaryFolder()
    try folder.makeFile("secret.txt")
    try folder.makeFile("App/a.txt")
    for place in ["..", folder.path("").replacing("\"", with: ""), "/", "x/../.."] {
      let text = Self.project([("secret.txt", "t"), ("a.txt", "t")])
        .replacing("isa = PBXProject;", with: "isa = PBXProject; projectDirPath = \"\(place)\";")
      try folder.makeFile("App/project.pbxproj", text)
      let conversion = try Self.convert(folder.path("App/project.pbxproj"))
      #expect(conversion.findings.map(\.id.name).allSatisfy { $0 == "odr.outside" }, "\(place)")
      #expect(conversion.findings.hasErrors)
      #expect(conversion.manifests.isEmpty)
    }
  }

  @Test func `source trees lead to real paths, or to folders that only Xcode can resolve`() throws {
    let folder = try TemporaryFolder()
    for name in ["Res/a.txt", "b.txt", "c.txt"] { try folder.makeFile(name) }
    let root = try realPath(of: folder.path)
    let files = [
      ("a.txt", "\"<group>\""), ("b.txt", "SOURCE_ROOT"), ("\(root)/c.txt", "\"<absolute>\""),
      ("d.txt", "BUILT_PRODUCTS_DIR"), ("e.txt", "SDKROOT"),
    ]
    var text = Self.project(files.map { ($0.0, "t") })
      .replacing("isa = PBXGroup;", with: "isa = PBXGroup; path = Res; sourceTree = \"<group>\";")
    for (path, tree) in files {
      text = text.replacing(
        "path = \"\(path)\"; sourceTree = \"<group>\";",
        with: "path = \"\(path)\"; sourceTree = \(tree);")
    }
    try folder.makeFile("project.pbxproj", text)
    let conversion = try Self.convert(folder.path("project.pbxproj"))
    #expect(Self.packs(conversion) == ["t, on demand: a.txt b.txt c.txt"])
    #expect(
      conversion.manifests.first?.files?.map(\.source.text) == ["Res/a.txt", "b.txt", "c.txt"])
    #expect(
      conversion.findings.map(\.message) == [
        "the file is in 'BUILT_PRODUCTS_DIR', a folder that only Xcode can resolve",
        "the file is in 'SDKROOT', a folder that only Xcode can resolve",
      ])
  }

  @Test func `a folder is the same with a trailing slash`() throws {
    let path = Checkout.file("Examples/Lantern/Lantern.xcodeproj").path(percentEncoded: false)
    let slash = try Self.convert(path + (path.hasSuffix("/") ? "" : "/"))
    #expect(Self.packs(slash).count == 6)
  }

  @Test func `names that differ in case are found and reported`() throws {
    let folder = try TemporaryFolder()
    try folder.makeFile("Art/Hero.png")
    try folder.makeFile("project.pbxproj", Self.project([("art/hero.PNG", "t")]))
    let conversion = try Self.convert(folder.path("project.pbxproj"))
    #expect(conversion.findings.map(\.id.name) == ["odr.letter-case"])
    #expect(Self.packs(conversion) == ["t, on demand: hero.PNG"])
    #expect(try Self.selected(conversion.manifests[0]) == Self.meant(conversion.manifests[0]))
  }

  @Test func `names with a different Unicode normalization are the same`() throws {
    let folder = try TemporaryFolder()
    try folder.makeFile("Gru\u{308}n.txt")
    try folder.makeFile("project.pbxproj", Self.project([("Gr\u{FC}n.txt", "t")]))
    let conversion = try Self.convert(folder.path("project.pbxproj"))
    #expect(
      conversion.findings.map(\.message)
        == [
          "'Gr\u{FC}n.txt' has a different Unicode normalization on disk; using the name on disk"
        ])
    #expect(try Self.selected(conversion.manifests[0]) == Self.meant(conversion.manifests[0]))
  }

  @Test func `entries of a folder that are not files are reported`() throws {
    let folder = try TemporaryFolder()
    try folder.makeFile("App/Res/a.txt")
    try folder.makeFile("secret.txt")
    try folder.makeLink("App/Res/out.txt", to: "../../secret.txt")
    try folder.makeLink("App/Res/nowhere.txt", to: "none")
    // A whole folder is selected unchanged, and packing reports its problems.
    try folder.makeFile("App/project.pbxproj", Self.project([("Res", "t")]))
    let project = try Self.convert(folder.path("App/project.pbxproj"))
    let manifest = try #require(project.manifests.first)
    #expect(manifest.manifest.fileSelectors == [.directory("Res")])
    let document = ManifestDocument(
      parsing: try manifest.landed(in: FilePath(folder.path)).authoredJSON(),
      named: folder.path("m.json"))
    #expect(try manifest.differences(from: document, .unstoppable).hasErrors)
  }

  @Test func `a target is selected by its name, and an unknown name is an error`() throws {
    let folder = try TemporaryFolder()
    for name in ["a.txt", "b.txt"] { try folder.makeFile(name) }
    let text = Self.project([("a.txt", "one"), ("b.txt", "two")])
      .replacing("targets = (T);", with: "targets = (T, U);")
      .replacing("files = (B0, B1)", with: "files = (B0)")
      .replacing(
        "L = {",
        with: """
          U = { isa = PBXNativeTarget; name = Lite; buildPhases = (S); };
          S = { isa = PBXResourcesBuildPhase; files = (B1); };
          L = {
          """)
    try folder.makeFile("project.pbxproj", text)
    let path = folder.path("project.pbxproj")
    #expect(Self.packs(try Self.convert(path)).count == 2)
    #expect(
      Self.packs(try Self.convert(path) { $0.target = "Lite" }) == ["two, on demand: b.txt"])
    let none = try Self.convert(path) { $0.target = "Light" }
    #expect(none.findings.map(\.id.name) == ["odr.no-target"])
  }

  @Test func `a folder with several projects is an error`() throws {
    let folder = try TemporaryFolder()
    for name in ["A", "B"] {
      try folder.makeFile("\(name).txt")
      try folder.makeFile(
        "\(name).xcodeproj/project.pbxproj", Self.project([("\(name).txt", "t")]))
    }
    let both = try Self.convert(folder.path(""))
    #expect(both.findings.map(\.id.name) == ["odr.several-projects"])
    #expect(both.manifests.isEmpty)
    #expect(Self.packs(try Self.convert(folder.path("B.xcodeproj"))) == ["t, on demand: B.txt"])
  }

  @Test func `a pack never has the name of the table of tags`() throws {
    let folder = try TemporaryFolder()
    for name in ["a.txt", "b.txt"] { try folder.makeFile(name) }
    try folder.makeFile(
      "project.pbxproj", Self.project([("a.txt", "Tags"), ("b.txt", "other")]))
    let path = folder.path("project.pbxproj")
    let ids = try Self.convert(path).manifests.map(\.manifest.assetPackID)
    #expect(ids.first?.hasPrefix("Tags-") == true && ids.last == "other", "\(ids)")
    // An ID that the user specified is not changed.
    try folder.makeFile("project.pbxproj", Self.project([("a.txt", "one")]))
    var chosen = try Self.convert(path) { $0.assetPackID = "tags" }
    chosen.checkTogether(ConversionOptions(.unstoppable))
    #expect(
      chosen.findings.map(\.message)
        == ["the manifest of 'tags' would overwrite 'tags.json'"])
  }

  @Test func `a folder with an unknown language is kept and reported`() throws {
    let folder = try TemporaryFolder()
    try folder.makeFile("Klingonese.lproj/a.txt")
    try folder.makeFile("project.pbxproj", Self.project([("Klingonese.lproj/a.txt", "t")]))
    let split = try Self.convert(folder.path("project.pbxproj")) { $0.splitsLanguages = true }
    #expect(split.findings.map(\.id.name) == ["odr.language"])
    #expect(Self.packs(split) == ["t, on demand: Klingonese.lproj/a.txt"])
  }

  @Test func `a project without its files is converted from its text`() throws {
    let folder = try TemporaryFolder()
    try folder.makeFile("project.pbxproj", Self.project([("Art/a.png", "t"), ("b.png", "t")]))
    let conversion = try Self.convert(folder.path("project.pbxproj"))
    #expect(conversion.findings.map(\.id.name) == ["convert.not-at-hand"])
    let manifest = try #require(conversion.manifests.first)
    #expect(manifest.files == nil)
    #expect(
      manifest.manifest.fileSelectors == [
        .renamedFile(source: "Art/a.png", destination: "a.png"), .file("b.png"),
      ])
  }

  @Test func `circular groups, and objects of unexpected kinds, are converted`() throws {
    let folder = try TemporaryFolder()
    for text in [
      "{ rootObject = P; objects = { P = { isa = PBXProject; mainGroup = G; targets = (P, G, X); "
        + "}; G = { isa = PBXGroup; children = (G, H); }; H = { isa = PBXGroup; children = (G); "
        + "}; }; }",
      "{ rootObject = P; objects = { P = (a); }; }",
      "{ rootObject = P; objects = { P = { mainGroup = P; children = (P); targets = P; }; }; }",
    ] {
      try folder.makeFile("project.pbxproj", text)
      let conversion = try Self.convert(folder.path("project.pbxproj"))
      #expect(conversion.findings.hasErrors)
      #expect(conversion.manifests.isEmpty)
    }
  }

  @Test func `an item without a tag in a catalog has the tag of its folder`() throws {
    let folder = try TemporaryFolder()
    try folder.makeFile("a.txt")
    let tags = #"{"properties": {"on-demand-resource-tags": ["cave"]}}"#
    try folder.makeFile("Art.xcassets/Contents.json", "{}")
    try folder.makeFile("Art.xcassets/Cave/Contents.json", tags)
    try folder.makeFile("Art.xcassets/Cave/bat.imageset/Contents.json", "{}")
    try folder.makeFile("Art.xcassets/Cave/bat.imageset/bat@2x.png")
    try folder.makeFile("Art.xcassets/free.imageset/Contents.json", "{}")
    try folder.makeFile("project.pbxproj", Self.project([("a.txt", "t"), ("Art.xcassets", "")]))
    let conversion = try Self.convert(folder.path("project.pbxproj"))
    #expect(conversion.findings.map(\.id.name) == ["odr.asset-catalog"])
    let guide = Self.text(conversion, "MIGRATION.md")
    #expect(
      guide.contains(
        "| `Art.xcassets/Cave/bat.imageset` | imageset | `cave` | `cave` | `bat/bat@2x.png` |"))
    #expect(Self.text(conversion, "tags.json").contains("bat.imageset"))
  }

  @Test func `paths that differ only in case are reported with the path of the other file`() throws
  {
    let folder = try TemporaryFolder()
    for name in ["Levels/b.png", "Levels/B.png", "Art/x.png", "Art/X.png", "c.txt"] {
      try folder.makeFile(name)
    }
    let files = [("Levels/b.png", "a"), ("Levels/B.png", "b"), ("Art", "c"), ("c.txt", "c")]
    try folder.makeFile(
      "project.pbxproj", Self.project(files.map { (path: $0.0, tags: $0.1) }))
    let conversion = try Self.convert(folder.path("project.pbxproj"))
    #expect(
      conversion.findings.map(\.message).sorted() == [
        "'Art/x.png' differs from 'Art/X.png' only in case",
        "'Levels/B.png' differs from 'Levels/b.png' only in case",
      ])
    #expect(conversion.findings.allSatisfy { $0.id == "odr.same-path" && $0.severity == .warning })
    // In one pack, they are reported once.
    try folder.makeFile(
      "project.pbxproj", Self.project(files.prefix(2).map { (path: $0.0, tags: "a") }))
    #expect(
      try Self.convert(folder.path("project.pbxproj")).findings.map(\.message) == [
        "'Levels/B.png' differs from 'Levels/b.png' only in case"
      ])
  }

  // MARK: Specs

  @Test(arguments: [
    ("project.yml", "name: Game\ntargets:\n  Game:\n    sources: [Res]\n"),
    ("project.yml", "include: [shared.yml]\n"), ("spec", "targets: {}\n"),
    ("spec.json", #"{"targets": {"Game": {"sources": []}}}"#),
  ])
  func `an XcodeGen spec is an error with a remedy`(name: String, text: String) throws {
    let folder = try TemporaryFolder()
    try folder.makeFile(name, text)
    for path in name == "project.yml" ? [name, "."] : [name] {
      let conversion = try Self.convert(folder.path(path))
      let finding = try #require(Array(conversion.findings).first)
      #expect(conversion.findings.count == 1 && conversion.manifests.isEmpty)
      #expect(finding.id == "odr.spec" && finding.severity == .error)
      #expect(finding.message.hasSuffix("\(name)' is a spec of XcodeGen, not an Xcode project"))
      #expect(
        finding.fixes.map(\.message) == ["run 'xcodegen generate', and convert the project"])
    }
  }

  @Test func `the guide has old and new calls for each tag, in both languages`() throws {
    let guide = Self.text(
      try Self.convert(Checkout.file("Examples/Lantern").path(percentEncoded: false)),
      "MIGRATION.md")
    for part in [
      "### `island music`", "NSBundleResourceRequest(tags: [\"island music\"])", "- [ ]",
      "for id in [\"cave\", \"cave-forest\"]", "getAssetPackWithIdentifier:@\"winter\"",
      "endAccessingResources()", "BAHasManagedAssetPacks", "Prefetch packs have no order",
    ] { #expect(guide.contains(part), "\(part)") }
  }
}
