import SourceDiagnostics
import SystemIO
import TestSupport
import Testing

@testable import Converting

/// The folders of Xcode 16 whose files belong to targets without being listed.
@Suite struct SynchronizedFolderTests {
  /// Returns a project with the synchronized folder `Art` in the target `App`, and the target
  /// `Lite` without it.
  private func project(
    _ sets: String..., folders: String = "", path: String = "Art", phases: String = ""
  ) -> String {
    let ids = sets.indices.map { "E\($0)" }.joined(separator: ", ")
    let objects = zip(sets.indices, sets).map { "E\($0) = { \($1) };" }.joined(separator: "\n")
    return """
      { rootObject = P; objects = {
        P = { isa = PBXProject; mainGroup = G; targets = (T, U); };
        G = { isa = PBXGroup; children = (S); sourceTree = "<group>"; };
        T = { isa = PBXNativeTarget; name = App; fileSystemSynchronizedGroups = (S); buildPhases = \
        (R, C); };
        U = { isa = PBXNativeTarget; name = Lite; buildPhases = (); };
        R = { isa = PBXResourcesBuildPhase; files = (); };
        C = { isa = PBXCopyFilesBuildPhase; files = (); };
        S = { isa = PBXFileSystemSynchronizedRootGroup; path = "\(path)"; exceptions = (\(ids));
              explicitFolders = (\(folders)); sourceTree = "<group>"; };
        \(objects)
      }; }
      """
  }

  private func set(_ target: String, tags: String = "", exceptions: String = "") -> String {
    """
    isa = PBXFileSystemSynchronizedBuildFileExceptionSet; target = \(target);
    membershipExceptions = (\(exceptions)); assetTagsByRelativePath = { \(tags) };
    """
  }

  private func makeCatalog(_ path: String, in folder: borrowing TemporaryFolder) throws {
    try folder.makeFile("\(path)/Contents.json", "{}")
    try folder.makeFile(
      "\(path)/hero.imageset/Contents.json",
      #"{"properties": {"on-demand-resource-tags": ["level1"]}}"#)
    try folder.makeFile("\(path)/hero.imageset/hero.png")
  }

  private func convert(
    _ text: String, in folder: borrowing TemporaryFolder, target: String? = nil
  ) throws -> Conversion {
    try folder.makeFile("App.xcodeproj/project.pbxproj", text)
    return try OnDemandProjectTests.convert(folder.path("App.xcodeproj")) { $0.target = target }
  }

  @Test func `catalogs in a synchronized folder are listed like those of build files`() throws {
    let folder = try TemporaryFolder()
    for path in ["Art/Main.xcassets", "Art/Sub/Deep/More.xcassets", "Art/Copied/Raw.xcassets"] {
      try makeCatalog(path, in: folder)
    }
    try makeCatalog("Art/Out.xcassets", in: folder)
    let conversion = try convert(
      project(set("T", exceptions: "Out.xcassets"), folders: "Copied"), in: folder)
    #expect(
      conversion.findings.map(\.message) == [
        "the path 'hero/hero.png' is used twice; this file keeps the path "
          + "'Art/Sub/Deep/More.xcassets/hero.imageset/hero.png'",
        "'Art/Main.xcassets/hero.imageset' of 'level1' is in an asset catalog; the pack "
          + "contains the files of the item",
        "'Art/Sub/Deep/More.xcassets/hero.imageset' of 'level1' is in an asset catalog; "
          + "the pack contains the files of the item",
      ])
    let guide = OnDemandProjectTests.text(conversion, "MIGRATION.md")
    #expect(
      guide.contains(
        "| `Art/Main.xcassets/hero.imageset` | imageset | `level1` | `level1` | "
          + "`Art/Main.xcassets/hero.imageset/hero.png` |"))
    #expect(OnDemandProjectTests.text(conversion, "tags.json").contains("More.xcassets"))
    // A target that is not a member has the files of its exceptions.
    let lite = try convert(
      project(set("U", exceptions: "Out.xcassets")), in: folder, target: "Lite")
    #expect(lite.findings.map(\.message).count == 1)
    #expect(
      lite.findings.map(\.message).first?.contains("'Art/Out.xcassets/hero.imageset'") == true)
    let none = try convert(project(), in: folder, target: "Lite")
    #expect(none.findings.map(\.id.name) == ["odr.nothing-tagged"])
    // A folder next to the project is reported.
    let outside = try convert(project(path: "../Art"), in: folder)
    #expect(outside.findings.map(\.id.name) == ["odr.outside"])
  }

  @Test func `exceptions remove files from a member, and add files to other targets`() throws {
    let folder = try TemporaryFolder()
    for name in ["Art/a.json", "Art/b.json", "Art/Sub/c.json", "Art/Sub/d.json"] {
      try folder.makeFile(name)
    }
    let text = project(
      set("T", tags: #"a.json = (a); b.json = (b); "Sub/d.json" = (d);"#, exceptions: "b.json"),
      set("U", tags: #"b.json = (lite); a.json = (no);"#, exceptions: "b.json"))
    let both = try convert(text, in: folder)
    #expect(
      OnDemandProjectTests.packs(both) == [
        "a, on demand: a.json", "d, on demand: d.json", "lite, on demand: b.json",
      ])
    #expect(
      both.findings.map(\.message) == [
        "'b.json' has tags, but it is not a member of 'App'",
        "'a.json' has tags, but it is not a member of 'Lite'",
      ])
    let lite = try convert(text, in: folder, target: "Lite")
    #expect(OnDemandProjectTests.packs(lite) == ["lite, on demand: b.json"])
  }

  @Test func `a tagged folder contains the files of the target`() throws {
    let folder = try TemporaryFolder()
    for name in ["Art/Sub/a.json", "Art/Sub/x.json", "Art/Sub/In/b.json"] {
      try folder.makeFile(name)
    }
    let member = try convert(
      project(set("T", tags: "Sub = (s);", exceptions: #""Sub/x.json""#)), in: folder)
    #expect(OnDemandProjectTests.packs(member) == ["s, on demand: Sub/In/b.json Sub/a.json"])
    #expect(
      try OnDemandProjectTests.selected(member.manifests[0])
        == OnDemandProjectTests.meant(member.manifests[0]))
    let added = try convert(
      project(set("U", tags: "Sub = (s);", exceptions: #""Sub/x.json""#)), in: folder,
      target: "Lite")
    #expect(OnDemandProjectTests.packs(added) == ["s, on demand: Sub/x.json"])
    let whole = try convert(
      project(set("U", tags: "Sub = (s);", exceptions: "Sub")), in: folder, target: "Lite")
    #expect(OnDemandProjectTests.packs(whole).count == 1)
    #expect(whole.manifests.first?.files?.count == 3)
  }

  @Test func `a file that another phase copies has no tags`() throws {
    let folder = try TemporaryFolder()
    for name in ["Art/a.json", "Art/b.json"] { try folder.makeFile(name) }
    func routed(_ phase: String) -> String {
      """
      isa = PBXFileSystemSynchronizedGroupBuildPhaseMembershipExceptionSet; buildPhase = \(phase);
      membershipExceptions = (b.json);
      """
    }
    let tags = set("T", tags: "a.json = (a); b.json = (b);")
    let copied = try convert(project(tags, routed("C")), in: folder)
    #expect(OnDemandProjectTests.packs(copied) == ["a, on demand: a.json"])
    #expect(copied.findings.map(\.id.name) == ["odr.phase"])
    for phase in ["R", "OTHER"] {
      #expect(try convert(project(tags, routed(phase)), in: folder).manifests.count == 2)
    }
  }
}
