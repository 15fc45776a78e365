import BAPackKit
import Glibc
import Proposing
import SystemIO
import TestSupport
import Testing

struct ProjectSearchTests {
  private func find(_ folder: borrowing TemporaryFolder) throws -> FoundProject {
    try FoundProject.find(at: FilePath(folder.path), .unstoppable)
  }

  @Test(arguments: EngineProject.all)
  func `a project is recognized by its files`(_ sample: EngineProject) throws {
    let folder = try TemporaryFolder()
    try sample.make(in: folder)
    let project = try find(folder)
    #expect(project.engine == sample.engine)
    #expect(project.assets.text == sample.assets)
    #expect(project.marker == sample.marker)
    #expect(project.version == sample.version)
    #expect(project.primaryLanguage?.description == sample.language)
    #expect(project.primaryLanguageOrigin == sample.origin)
    let advice = project.advice.map(\.text)
    #expect(advice.count == sample.advice.count, "\(advice)")
    for (text, part) in zip(advice, sample.advice) { #expect(text.contains(part)) }
    #expect(
      project.advice.allSatisfy { rule in
        ProposalRules.all.contains { $0.id == rule.rule.id }
      })
  }

  @Test func `each engine has a sample`() {
    #expect(Set(EngineProject.all.compactMap(\.engine)) == Set(Engine.allCases))
  }

  @Test(arguments: [
    ("ProjectSettings/ProjectVersion.txt", "a Unity project", "Assets/StreamingAssets"),
    ("A.uproject", "an Unreal Engine project", "Saved/StagedBuilds/IOS"),
    ("game.project", "a Defold project", "build/liveupdate"),
  ])
  func `an engine without exported content is an error with the folder to export`(
    _ marker: String, _ what: String, _ place: String
  ) throws {
    let folder = try TemporaryFolder()
    try folder.makeFile(marker, "")
    try folder.makeFile("Assets/StreamingAssets/.keep")
    try folder.makeFile("Assets/StreamingAssets/a.meta")
    let error = #expect(throws: PackError.self) { try find(folder) }
    #expect(error?.kind == .missing)
    #expect(
      error?.message == "found \(what) ('\(marker)'), but no content that the app can load")
    #expect(error?.remedies.map { $0.description.contains(place) } == [true])
  }

  @Test(arguments: [
    ("App.xcodeproj/project.pbxproj", "\t\tIPHONEOS_DEPLOYMENT_TARGET = 26.1;\n", 26),
    ("project.godot", "config_version=5\n", nil),
    ("export_presets.cfg", "application/min_ios_version=\"27.0\"\n", 27),
  ])
  func `the oldest system of the app is known`(
    _ path: String, _ text: String, _ system: Int?
  ) throws {
    let folder = try TemporaryFolder()
    try folder.makeFile(path, text)
    if path == "export_presets.cfg" { try folder.makeFile("project.godot", "config_version=5\n") }
    try folder.makeFile("Assets/hero.png")
    #expect(try find(folder).oldestSystem == system)
  }

  @Test func `the language of a project above the folder of assets is known`() throws {
    let folder = try TemporaryFolder()
    try folder.makeFile("App.xcodeproj/project.pbxproj", "\t\t\tdevelopmentRegion = de;\n")
    try folder.makeFile("App/Assets/hero.png")
    func find() throws -> FoundProject {
      try FoundProject.find(at: folder.filePath("App/Assets"), .unstoppable)
    }
    #expect(try find().primaryLanguage == LanguageTag("de"))
    #expect(
      try find().primaryLanguageOrigin
        == "the setting 'developmentRegion' of '../../App.xcodeproj/project.pbxproj'")
    // The root of a repository ends the search.
    try folder.makeFolder("App/.git")
    #expect(try find().primaryLanguage == nil)
  }

  @Test func `names of projects are escaped, and may be any bytes`() throws {
    let folder = try TemporaryFolder()
    try folder.makeFile(named: Array("J\u{1B}[m".utf8) + [0xE9] + Array(".xcodeproj/x".utf8))
    try folder.makeFile("Assets/hero.png")
    let project = try find(folder)
    #expect(project.marker == #"J\x1B[m\xE9.xcodeproj"#)
    #expect(project.assets == "Assets")
  }

  @Test func `settings that are binary, huge or not files are ignored`() throws {
    let folder = try TemporaryFolder()
    let huge = [UInt8](repeating: UInt8(ascii: "="), count: 1 << 20)
    try folder.makeFile(
      "project.godot", huge + Array("\nconfig_version=5\nlocale/fallback=\"de\"\n".utf8))
    try folder.makePipe("export_presets.cfg")
    try folder.makeLink("package.json", to: "package.json")
    try folder.makeFolder("pubspec.yaml")
    let project = try find(folder)
    #expect(project.engine == .godot)
    #expect(project.version == nil)
    #expect(project.primaryLanguage == nil)
    for bytes in [[0xFF, 0xFE], [0xFF, 0xFE, 0x00], [0x00, 0xFF, 0xFD], []] as [[UInt8]] {
      try folder.makeFile("project.godot", bytes)
      #expect(try find(folder).version == nil)
    }
  }

  @Test func `settings in UTF-16 are read`() throws {
    let folder = try TemporaryFolder()
    try folder.makeFile("A.uproject", "{}")
    try folder.makeFile("Saved/StagedBuilds/IOS/A/Content/Paks/pakchunk1.pak")
    let text = "\u{FEFF}[Internationalization]\r\nNativeCulture=fr\r\n"
    try folder.makeFile(
      "Config/DefaultGame.ini", text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] })
    #expect(try find(folder).primaryLanguage == LanguageTag(language: "fr"))
  }

  @Test func `a version or a language that is not one is ignored`() throws {
    let folder = try TemporaryFolder()
    try folder.makeFile("main.lua")
    for version in ["\u{1B}[2J", "latest", String(repeating: "1", count: 100), ""] {
      try folder.makeFile("conf.lua", "t.version = \"\(version)\"\n")
      #expect(try find(folder).version == nil)
    }
    try folder.makeFile("A.xcodeproj/project.pbxproj", "developmentRegion = Base;\n")
    try folder.remove("main.lua")
    #expect(try find(folder).primaryLanguage == nil)
  }

  @Test func `paths in settings do not leave the project`() throws {
    let folder = try TemporaryFolder()
    try folder.makeFile("outside/secret.pck")
    try folder.makeFile("project/project.godot", "config_version=5\n")
    for path in [
      "../outside/a.ipa", "/etc/a.ipa", "a/../../outside/a.ipa", "", "res://../outside/x",
    ] {
      try folder.makeFile(
        "project/export_presets.cfg", "platform=\"iOS\"\nexport_path=\"\(path)\"\n")
      let project = try FoundProject.find(at: folder.filePath("project"), .unstoppable)
      #expect(project.assets == "")
    }
    try folder.makeFile("app/pubspec.yaml", "\nflutter:\n  assets:\n    - ../outside/\n")
    let app = try FoundProject.find(at: folder.filePath("app"), .unstoppable)
    #expect(app.engine == .flutter)
    #expect(app.assets == "")
  }

  @Test func `links to other folders are followed, and loops are ignored`() throws {
    let folder = try TemporaryFolder()
    try folder.makeFile("elsewhere/hero.png")
    try folder.makeFile("project/Package.swift")
    try folder.makeLink("project/Resources", to: "../elsewhere")
    try folder.makeLink("project/data", to: "data")
    let project = try FoundProject.find(at: folder.filePath("project"), .unstoppable)
    #expect(project.assets == "Resources")
  }

  @Test func `only fixed places are inspected`() throws {
    let folder = try TemporaryFolder()
    try folder.makeFile("deep/er/project.godot", "config_version=5\n")
    try folder.makeFile("deep/main.lua", "love.")
    #expect(try find(folder).engine == nil)
  }

  @Test func `a folder that is missing, or is a file, is an error with a remedy`() throws {
    let folder = try TemporaryFolder()
    try folder.makeFile("file")
    for (name, message) in [("missing", "there is no folder"), ("file", "is not a folder")] {
      let error = #expect(throws: PackError.self) {
        try FoundProject.find(at: folder.filePath(name), .unstoppable)
      }
      #expect(error?.message.contains(message) == true)
      #expect(error?.remedies.isEmpty == false)
    }
  }
}
