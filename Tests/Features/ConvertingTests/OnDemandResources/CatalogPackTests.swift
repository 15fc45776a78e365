import BAPackKit
import SourceDiagnostics
import SystemIO
import TestSupport
import Testing

@testable import Converting

/// Tagged items of asset catalogs: manifests that select their files, and findings.
@Suite struct CatalogPackTests {
  private func catalog(_ items: [String: String]) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.makeFile(
      "project.pbxproj",
      OnDemandProjectTests.project(
        [("Art.xcassets", ""), ("Other.xcassets", "")],
        settings: "ON_DEMAND_RESOURCES_INITIAL_INSTALL_TAGS = cave;"))
    for (path, text) in items { try folder.makeFile(path, text) }
    return folder
  }

  private let cave = #"{"properties": {"on-demand-resource-tags": ["cave"]}}"#

  @Test func `a catalog alone becomes a complete manifest with the files of its items`()
    throws
  {
    let folder = try catalog([
      "Art.xcassets/Contents.json": "{}",
      "Art.xcassets/bat.imageset/Contents.json": cave,
      "Art.xcassets/bat.imageset/bat@2x.png": "a",
      "Art.xcassets/map.dataset/Contents.json": cave,
      "Art.xcassets/map.dataset/map.json": "b",
      "Art.xcassets/Fire.spriteatlas/Contents.json": cave,
      "Art.xcassets/Fire.spriteatlas/one.imageset/Contents.json": "{}",
      "Art.xcassets/Fire.spriteatlas/one.imageset/one.png": "c",
    ])
    let conversion = try OnDemandProjectTests.convert(folder.path("project.pbxproj"))
    let manifest = try #require(conversion.manifests.first)
    #expect(conversion.manifests.count == 1)
    #expect(manifest.manifest.assetPackID == "cave")
    guard case .essential = manifest.manifest.downloadPolicy else {
      Issue.record("the pack is \(manifest.manifest.downloadPolicy)")
      return
    }
    #expect(
      Set(OnDemandProjectTests.meant(manifest)) == [
        "Art.xcassets/Fire.spriteatlas/one.imageset/one.png Fire/one.imageset/one.png",
        "Art.xcassets/bat.imageset/bat@2x.png bat/bat@2x.png",
        "Art.xcassets/map.dataset/map.json map/map.json",
      ])
    #expect(try OnDemandProjectTests.selected(manifest) == OnDemandProjectTests.meant(manifest))
    let guide = OnDemandProjectTests.text(conversion, "MIGRATION.md")
    #expect(
      guide.contains(
        "| `Art.xcassets/bat.imageset` | imageset | `cave` | `cave` | `bat/bat@2x.png` |"))
    #expect(guide.contains("Pack: `cave`"))
    #expect(OnDemandProjectTests.text(conversion, "tags.json").contains("bat/bat@2x.png"))
  }

  @Test func `the settings of a target with tags only in catalogs apply`() throws {
    let folder = try TemporaryFolder()
    try folder.makeFile("Art.xcassets/bat.imageset/Contents.json", cave)
    try folder.makeFile("Art.xcassets/bat.imageset/bat.png", "a")
    // The settings of targets with catalogs without tags do not apply.
    let project = OnDemandProjectTests.project(
      [("Art.xcassets", "")], settings: "SDKROOT = iphoneos; ENABLE_ON_DEMAND_RESOURCES = NO;"
    )
    .replacing("targets = (T)", with: "targets = (T, TV, Mac)")
    .replacing(
      "L = {",
      with: """
        TV = { isa = PBXNativeTarget; name = TV; buildPhases = (R2); buildConfigurationList = L2; };
        R2 = { isa = PBXResourcesBuildPhase; files = (B2); };
        B2 = { isa = PBXBuildFile; fileRef = F0; };
        L2 = { isa = XCConfigurationList; buildConfigurations = (C2); };
        C2 = { isa = XCBuildConfiguration; name = Release; buildSettings = {
          SDKROOT = appletvos; ON_DEMAND_RESOURCES_INITIAL_INSTALL_TAGS = cave; }; };
        Mac = { isa = PBXNativeTarget; name = Mac; buildPhases = (); buildConfigurationList = L3; };
        L3 = { isa = XCConfigurationList; buildConfigurations = (C3); };
        C3 = { isa = XCBuildConfiguration; name = Release; buildSettings = { SDKROOT = macosx; }; };
        L = {
        """)
    try folder.makeFile("project.pbxproj", project)
    let conversion = try OnDemandProjectTests.convert(folder.path("project.pbxproj"))
    let manifest = try #require(conversion.manifests.first).manifest
    #expect(manifest.platforms == [.iOS, .tvOS])
    #expect(manifest.downloadPolicy == .essential(Set(InstallationEvent.allCases)))
    #expect(conversion.ids.contains("odr.disabled"))
    #expect(conversion.ids.contains("odr.schedules"))
    #expect(!conversion.ids.contains("convert.assumed-platforms"))
  }

  @Test func `items have the paths of their namespaces, and no two items have one path`() throws {
    let namespace = #"{"properties": {"provides-namespace": true}}"#
    let folder = try catalog([
      "Art.xcassets/A/Contents.json": namespace, "Art.xcassets/B/Contents.json": namespace,
      "Art.xcassets/C/Contents.json": "{}",
      "Art.xcassets/A/x.imageset/Contents.json": cave, "Art.xcassets/A/x.imageset/i.png": "a",
      "Art.xcassets/B/x.imageset/Contents.json": cave, "Art.xcassets/B/x.imageset/i.png": "b",
      "Art.xcassets/C/x.imageset/Contents.json": cave, "Art.xcassets/C/x.imageset/i.png": "c",
      "Other.xcassets/X.imageset/Contents.json": cave, "Other.xcassets/X.imageset/i.png": "d",
    ])
    let conversion = try OnDemandProjectTests.convert(folder.path("project.pbxproj"))
    let manifest = try #require(conversion.manifests.first)
    #expect(
      OnDemandProjectTests.meant(manifest) == [
        "Art.xcassets/A/x.imageset/i.png A/x/i.png", "Art.xcassets/B/x.imageset/i.png B/x/i.png",
        "Art.xcassets/C/x.imageset/i.png Art.xcassets/C/x.imageset/i.png",
        "Other.xcassets/X.imageset/i.png Other.xcassets/X.imageset/i.png",
      ])
    #expect(try OnDemandProjectTests.selected(manifest) == OnDemandProjectTests.meant(manifest))
    #expect(conversion.ids.contains("odr.same-path"))
  }

  @Test func `a missing catalog has a manifest that selects the exported items`() throws {
    let folder = try TemporaryFolder()
    try folder.makeFile(
      "project.pbxproj", OnDemandProjectTests.project([("Art.xcassets", "cave")]))
    let conversion = try OnDemandProjectTests.convert(folder.path("project.pbxproj"))
    let manifest = try #require(conversion.manifests.first)
    #expect(manifest.manifest.assetPackID == "cave")
    #expect(
      manifest.manifest.fileSelectors
        == [.renamedDirectory(source: "Exported/Art", destination: ".")])
    let guide = OnDemandProjectTests.text(conversion, "MIGRATION.md")
    #expect(guide.contains("| `cave` | `Exported/Art` |"))
    // After the export of the items, the manifest is complete.
    try folder.makeFile("Exported/Art/bat/bat.png")
    #expect(
      try OnDemandProjectTests.selected(manifest) == ["Exported/Art/bat/bat.png bat/bat.png"])
  }
}
