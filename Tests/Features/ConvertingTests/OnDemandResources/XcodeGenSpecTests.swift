import BAPackKit
import SourceDiagnostics
import SystemIO
import TestSupport
import Testing

@testable import Converting

/// Tags in XcodeGen specs other than `resourceTags` of sources.
@Suite struct XcodeGenSpecTests {
  private func convert(_ spec: String, files: [String: String]) throws -> Conversion {
    let folder = try TemporaryFolder()
    for (path, text) in files { try folder.makeFile("App/" + path, text) }
    try folder.makeFile("App/project.yml", spec)
    return try OnDemandProjectTests.convert(folder.path("App/project.yml"))
  }

  @Test func `file types have tags and phases, and may be copied as one unit`() throws {
    let conversion = try convert(
      """
      options:
        fileTypes:
          png: {resourceTags: [pics]}
          level: {buildPhase: resources, resourceTags: levels}
          code: {buildPhase: sources, resourceTags: [never]}
          set: {file: false}
      targets:
        Game:
          platform: iOS
          sources:
            - Res
            - {path: Own, resourceTags: [own]}
            - {path: code.c, buildPhase: {copyFiles: {destination: resources}}, resourceTags: \
            [copied]}
            - {path: note.m, buildPhase: resources, resourceTags: [note]}
      """,
      files: [
        "Res/a.png": "a", "Res/one.level": "b", "Res/x.code": "c", "Res/icons.set/i.png": "d",
        "Res/other.txt": "e", "Own/b.png": "f", "Own/c.txt": "g", "code.c": "h", "note.m": "i",
      ])
    #expect(
      Set(OnDemandProjectTests.packs(conversion)) == [
        "pics, on demand: a.png i.png", "levels, on demand: one.level",
        "own-pics, on demand: b.png", "own, on demand: c.txt", "note, on demand: note.m",
      ])
    #expect(conversion.findings.map(\.id.name) == ["odr.phase"], "\(conversion.messages)")
  }

  @Test func `packs have the platforms of the targets with tags`() throws {
    let targets = """
      targets:
        Phone:
          platform: iOS
          sources: [{path: a.bin, buildPhase: resources, resourceTags: [one]}]
        Desk:
          platform: macOS
          sources: [{path: b.bin, buildPhase: resources}]
        Box:
          platform: tvOS
          sources: [Art.xcassets]
      """
    let item = "Art.xcassets/i.imageset/Contents.json"
    for (tags, platforms) in [
      ("", [.iOS]), (#""on-demand-resource-tags": ["two"]"#, [.iOS, .tvOS]),
    ] as [(String, [Platform])] {
      let conversion = try convert(
        targets,
        files: ["a.bin": "a", "b.bin": "b", item: #"{"properties": {\#(tags)}}"#])
      #expect(conversion.manifests.first?.manifest.platforms == platforms)
    }
  }

  @Test func `settings come from groups, files and configurations, the strongest last`() throws {
    let spec = """
      configs: {Debug: debug, Store: release}
      configFiles: {Store: store.xcconfig}
      settingGroups:
        inner: {ON_DEMAND_RESOURCES_INITIAL_INSTALL_TAGS: a}
        outer: {groups: [inner], base: {X: y}}
      targets:
        Game:
          platform: iOS
          settings:
            groups: [outer]
            configs: {store: {Y: z}}
          sources:
            - {path: a.txt, resourceTags: [a]}
            - {path: b.txt, resourceTags: [b]}
      """
    let files = [
      "a.txt": "a", "b.txt": "b", "store.xcconfig": "ON_DEMAND_RESOURCES_PREFETCH_ORDER = b\n",
    ]
    let conversion = try convert(spec, files: files)
    #expect(conversion.messages == [])
    #expect(
      OnDemandProjectTests.packs(conversion) == ["a, essential: a.txt", "b, prefetch: b.txt"])
    let stronger = spec.replacing(
      "{Y: z}", with: #"{ON_DEMAND_RESOURCES_INITIAL_INSTALL_TAGS: "$(inherited) b"}"#)
    #expect(
      OnDemandProjectTests.packs(try convert(stronger, files: files))
        .contains("b, essential: b.txt"))
    let without = try convert(
      spec.replacing("[outer]", with: "[none]").replacing("store.xcconfig", with: "gone.xcconfig"),
      files: files)
    #expect(
      without.messages == [
        "odr.settings-file: cannot read 'gone.xcconfig', which may contain build settings",
        "odr.spec: there is no setting group 'none'",
      ])
  }

  @Test func `an invalid tag in a list of tags is reported at its place`() throws {
    let text = MarkedText(
      """
      options: {fileTypes: {dat: {resourceTags: [d, ⟦map:{e: f}⟧]}}}
      targets:
        App:
          platform: iOS
          sources:
            - {path: a.txt, resourceTags: [a, 1, ⟦list:[b]⟧]}
      """)
    let conversion = try convert(
      String(decoding: text.bytes, as: UTF8.self), files: ["a.txt": "a"])
    let message = "odr.spec: a tag must be a string; ignoring this value"
    #expect(conversion.messages == [message, message])
    let starts = conversion.findings.map { $0.span?.start }
    #expect(starts == [text.spans["map"]?.start, text.spans["list"]?.start])
    #expect(OnDemandProjectTests.packs(conversion) == ["1-a, on demand: a.txt"])
  }

  @Test func `templates apply with their variables and nested templates`() throws {
    let conversion = try convert(
      """
      targetTemplates:
        Base:
          platform: tvOS
          sources: [{path: "${target_name}/base.txt", resourceTags: [base]}]
          settings: {ON_DEMAND_RESOURCES_INITIAL_INSTALL_TAGS: base}
        Level:
          templates: [Base, Level]
          sources: [{path: "Levels/${level}.txt", resourceTags: ["${level}"]}]
      targets:
        Game:
          templates: [Level]
          templateAttributes: {level: cave}
      """, files: ["Game/base.txt": "a", "Levels/cave.txt": "b"])
    #expect(conversion.messages == ["odr.spec: there is no template 'Level'"])
    #expect(
      Set(OnDemandProjectTests.packs(conversion)) == [
        "base, essential: base.txt", "cave, on demand: cave.txt",
      ])
    #expect(conversion.manifests.allSatisfy { $0.manifest.platforms == [.tvOS] })
  }

  @Test func `an optional source may be missing, and an unknown source type is reported`()
    throws
  {
    let conversion = try convert(
      """
      targets:
        Game:
          platform: iOS
          sources:
            - {path: a.txt, resourceTags: [a]}
            - {path: none.txt, resourceTags: [b], optional: true}
            - {path: None, type: folder, resourceTags: [b], optional: true}
            - {path: Synced, type: syncedFolder, resourceTags: [c]}
      """, files: ["a.txt": "a", "Synced/b.txt": "b"])
    #expect(OnDemandProjectTests.packs(conversion) == ["a, on demand: a.txt"])
    #expect(
      conversion.messages == [
        "odr.spec: tags are not supported for sources of the type 'syncedFolder'"
      ])
  }

  // MARK: Workspaces

  @Test func `a workspace with one project is converted, and several are an error`() throws {
    let folder = try TemporaryFolder()
    for name in ["Game", "Tools"] {
      try folder.makeFile("Apps/\(name)/\(name).txt")
      try folder.makeFile(
        "Apps/\(name)/\(name).xcodeproj/project.pbxproj",
        OnDemandProjectTests.project([("\(name).txt", "t")]))
    }
    let list = "W/All.xcworkspace/contents.xcworkspacedata"
    let head = "<?xml version=\"1.0\"?>\n<Workspace version = \"1.0\">"
    let game = "<FileRef\n location = \"group:Game/Game.xcodeproj\">\n</FileRef>"
    try folder.makeFile(
      "Apps/All.xcworkspace/contents.xcworkspacedata",
      "\(head)\(game)<!-- <FileRef location=\"group:No.xcodeproj\"/> -->"
        + "<Group location = \"container:\" name = \"x\"><FileRef "
        + "location='group:Tools/Tools.xcodeproj'/></Group></Workspace>")
    let both = try OnDemandProjectTests.convert(folder.path("Apps/All.xcworkspace"))
    #expect(both.findings.map(\.id.name) == ["odr.several-projects"])
    let message = both.messages.joined()
    #expect(message.contains("Apps/Game/Game.xcodeproj"))
    #expect(message.contains("Apps/Tools/Tools.xcodeproj") && !message.contains("No.xcodeproj"))
    #expect(both.manifests.isEmpty)
    try folder.makeFile(
      "Apps/All.xcworkspace/contents.xcworkspacedata", "\(head)\(game)</Workspace>")
    for path in ["Apps/All.xcworkspace", "Apps"] {
      let one = try OnDemandProjectTests.convert(folder.path(path))
      #expect(OnDemandProjectTests.packs(one) == ["t, on demand: Game.txt"], "\(one.messages)")
    }
    // A project elsewhere is named, and not opened.
    try folder.makeFile(
      list, "\(head)<FileRef location=\"group:../Apps/Game/Game.xcodeproj\"/></Workspace>")
    let other = try OnDemandProjectTests.convert(folder.path("W/All.xcworkspace"))
    #expect(other.findings.map(\.id.name) == ["odr.several-projects"])
  }
}
