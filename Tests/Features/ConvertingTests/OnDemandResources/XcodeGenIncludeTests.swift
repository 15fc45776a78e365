import BAPackKit
import SourceDiagnostics
import SystemIO
import TestSupport
import Testing

@testable import Converting

/// XcodeGen specs that include other files.
@Suite struct XcodeGenIncludeTests {
  private func folder(_ files: String..., specs: [String: String]) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    for file in files { try folder.makeFile(file) }
    for (path, text) in specs { try folder.makeFile(path, text) }
    return folder
  }

  private func convert(_ folder: borrowing TemporaryFolder) throws -> Conversion {
    try OnDemandProjectTests.convert(folder.path("App/project.yml"))
  }

  @Test func `included specs are merged, with paths relative to their folders`() throws {
    let folder = try folder(
      "App/a.txt", "App/Levels/cave.txt", "App/Levels/deep/b.txt",
      specs: [
        "App/project.yml": """
        include:
          - Levels/levels.yml
          - {path: base.json, relativePaths: false}
          - path: never.yml
            enable: false
        settings: {ON_DEMAND_RESOURCES_PREFETCH_ORDER: cave}
        targets:
          Game:
            sources: [{path: a.txt, resourceTags: [own]}]
        """,
        "App/Levels/levels.yml": """
        include: deep/more.yml
        settings: {ON_DEMAND_RESOURCES_PREFETCH_ORDER: deep}
        targets:
          Game:
            platform: tvOS
            sources:
              - {path: cave.txt, resourceTags: [cave]}
        """,
        "App/Levels/deep/more.yml":
          "targets: {Game: {sources: [{path: b.txt, resourceTags: [deep]}]}}",
        "App/base.json": #"{"targets": {"Game": {"platform": "iOS"}}}"#,
      ])
    let conversion = try convert(folder)
    #expect(conversion.findings.map(\.message) == [])
    #expect(
      Set(OnDemandProjectTests.packs(conversion)) == [
        "own, on demand: a.txt", "cave, prefetch: cave.txt", "deep, on demand: b.txt",
      ])
    #expect(conversion.manifests.allSatisfy { $0.manifest.platforms == [.iOS] })
    for manifest in conversion.manifests {
      #expect(try OnDemandProjectTests.selected(manifest) == OnDemandProjectTests.meant(manifest))
    }
  }

  @Test func `a spec without relative paths includes other specs from the same folder as before`()
    throws
  {
    let folder = try folder(
      "App/a.bin", "App/Kit/b.bin",
      specs: [
        "App/project.yml": """
        name: P
        include:
          - {path: legacy/flat.yml, relativePaths: false}
          - Kit/kit.yml
        targets: {App: {type: application, platform: iOS}}
        """,
        "App/legacy/flat.yml": "include: [{path: legacy/more.yml, relativePaths: false}]",
        "App/legacy/more.yml":
          "targets: {App: {sources: [{path: a.bin, buildPhase: resources, resourceTags: [one]}]}}",
        // Also from the folder of the project, because the path of this spec is relative to it.
        "App/Kit/kit.yml": "include: [{path: legacy/last.yml, relativePaths: false}]",
        "App/legacy/last.yml":
          "targets: {App: {sources: [{path: b.bin, buildPhase: resources, resourceTags: [two]}]}}",
      ])
    let conversion = try convert(folder)
    #expect(conversion.findings.map(\.message) == [])
    #expect(
      Set(OnDemandProjectTests.packs(conversion)) == [
        "one, on demand: a.bin", "two, on demand: b.bin",
      ])
  }

  @Test func `a key can replace an included value`() throws {
    let folder = try folder(
      "App/a.txt", "App/b.txt",
      specs: [
        "App/project.yml": """
        include: [other.yml]
        targets: {Game: {"sources:REPLACE": [{path: a.txt, resourceTags: [own]}]}}
        """,
        "App/other.yml": "targets: {Game: {sources: [{path: b.txt, resourceTags: [other]}]}}",
      ])
    #expect(OnDemandProjectTests.packs(try convert(folder)) == ["own, on demand: a.txt"])
  }

  @Test(arguments: [
    (
      "../outside.yml",
      "'../outside.yml' is outside the project's folder, so it is not included"
    ),
    ("link.yml", "'link.yml' does not exist or cannot be read"),
    ("none.yml", "'none.yml' does not exist or cannot be read"),
    ("project.yml", "'project.yml' includes itself"),
    ("circle.yml", "'circle.yml' includes itself"),
    ("${WHERE}.yml", "'${WHERE}.yml' is not included: its entry contains a variable"),
    ("bad.yml", "this line is indented with a tab"), ("[[a]]", "an entry names no spec"),
  ])
  func `a spec that is not included is reported, and no file outside is opened`(
    path: String, message: String
  ) throws {
    let tagged = "targets: {Game: {sources: [{path: a.txt, resourceTags: [other]}]}}\n"
    let entry = path.hasPrefix("[") ? path : "[\"\(path)\"]"
    let folder = try folder(
      "App/a.txt",
      specs: [
        "App/project.yml": "include: \(entry)\n"
          + "targets: {Game: {sources: [{path: a.txt, resourceTags: [own]}]}}\n",
        "outside.yml": tagged, "App/circle.yml": "include: [circle.yml]\n",
        "App/bad.yml": "targets:\n\tx: y\n",
      ])
    try folder.makeLink("App/link.yml", to: "../outside.yml")
    let conversion = try convert(folder)
    #expect(conversion.findings.map(\.message) == [message])
    if !conversion.findings.hasErrors {
      #expect(OnDemandProjectTests.packs(conversion) == ["own, on demand: a.txt"])
    }
  }

  @Test func `a named folder that contains the project may contain other specs`() throws {
    let folder = try folder(
      "Shared/b.txt",
      specs: [
        "App/project.yml": "include: [../Shared/base.yml]\n",
        "Shared/base.yml": "targets: {Game: {sources: [{path: b.txt, resourceTags: [t]}]}}\n",
      ])
    let conversion = try OnDemandProjectTests.convert(folder.path("App/project.yml")) {
      $0.contentRoot = FilePath(folder.path)
    }
    #expect(conversion.findings.map(\.message) == [])
    #expect(OnDemandProjectTests.packs(conversion) == ["t, on demand: b.txt"])
  }

  @Test func `the number of specs that include each other is limited`() throws {
    var specs = ["App/project.yml": "include: [f0.yml, f0.yml]\n"]
    for index in 0..<12 {
      specs["App/f\(index).yml"] = "include: [f\(index + 1).yml, f\(index + 1).yml]\n"
    }
    specs["App/f12.yml"] = "targets: {Game: {sources: [{path: a.txt, resourceTags: [t]}]}}\n"
    let conversion = try convert(try folder("App/a.txt", specs: specs))
    #expect(
      conversion.findings.map(\.message)
        == ["the spec includes more than \(XcodeGenIncludes.most) specs"])
    #expect(OnDemandProjectTests.packs(conversion) == ["t, on demand: a.txt"])
  }
}
