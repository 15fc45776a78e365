import BAPackKit
import SourceDiagnostics
import SystemIO
import TestSupport
import Testing

@testable import Proposing

/// Tests of files that are added to small projects, each with a special difficulty.
final class AddedFilesTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.makeFolder("Assets")
  }

  private func make(_ paths: some Sequence<String>, size: UInt64 = 4_000) throws {
    for path in paths { try folder.makeHole(named: Array("Assets/\(path)".utf8), size: size) }
  }

  /// Creates files, and the project that the proposal for them becomes.
  private func project(_ paths: [String], excluding exclusions: [String] = []) throws
    -> AddedProject
  {
    try make(paths)
    var options = ProposalOptions()
    options.exclusions = exclusions
    let tree = try AssetTree(reading: folder.filePath("Assets"), .unstoppable)
    var project = try AddedProject(in: folder, tree, options)
    project.options.exclusions = []
    return project
  }

  /// Creates files, and a project with manifests of the user.
  private func project(_ paths: [String], _ manifests: [String: String]) throws -> AddedProject {
    try make(paths)
    let project = try AddedProject(in: folder, AssetTree(FilePath(folder.path), [:]))
    for (name, text) in manifests { try folder.makeFile("Packs/\(name).json", text) }
    return project
  }

  private static func manifest(
    _ id: String, _ selectors: String, root: String = "../Assets", language: String? = nil
  ) -> String {
    """
    {
      "assetPackID": "\(id)", // mine
      "downloadPolicy": {"onDemand": {}},
      "fileSelectors": [\(selectors)],
      "platforms": [],\(language.map { "\"language\": \"\($0)\"," } ?? "")
      "sourceRoot": "\(root)"
    }
    """
  }

  private static func paths(_ remainders: [Additions.Remainder]) -> [String] {
    remainders.flatMap(\.paths).map { FilePath($0).shown }.sorted()
  }

  private func selectors(_ id: String) throws -> [FileSelector] {
    try ManifestDocument(reading: folder.path("Packs/\(id).json"), .unstoppable).fileSelectors
  }

  // MARK: Languages

  @Test(
    arguments: [("pt", "pt_BR"), ("zh", "zh_CN"), ("en", "english"), ("de", "de_DE")],
    [["a"], ["a", "b", "c"]])
  func `a second spelling of a language does not replace the first`(
    spellings: (old: String, new: String), names: [String]
  ) async throws {
    let (old, new) = spellings
    let languages = Array(Set(["en", "fr", old]))
    let project = try project(
      languages.flatMap { ["Voices/\($0)/a.wav", "Voices/\($0)/b.wav"] } + ["UI/a.png"])
    let paths = names.map { "Voices/\(new)/\($0).wav" }
    try make(paths)
    let additions = try await project.complete("\(old) \(new)")
    #expect(Self.paths(additions.notAdded) == paths)
    #expect(additions.notAdded.allSatisfy { $0.remedy != nil })
    #expect(additions.isEmpty)
  }

  @Test func `the folder of a language does not replace files without a language`() async throws {
    let project = try project(
      ["", "de/", "fr/"].flatMap { ["Voices/\($0)a.wav", "Voices/\($0)b.wav"] } + ["UI/a.png"])
    try make(["Voices/en/a.wav", "Voices/en/b.wav", "Voices/en/c.wav"])
    let additions = try await project.complete("en")
    #expect(
      Self.paths(additions.notAdded)
        == ["Voices/en/a.wav", "Voices/en/b.wav", "Voices/en/c.wav"])
  }

  @Test(arguments: (0..<12).sampled(every: 6)) func `languages are added in any order`(seed: Int)
    async throws
  {
    var random = Seeded(seed: UInt64(seed))
    var languages = ["en", "de", "fr", "ja", "pt-BR", "pt", "zh_TW", "zh-Hans", "no", "it", ""]
    let top = ["Voices", "data", "Levels/01/Speech", "locale"][seed % 4]
    var project: AddedProject?
    while !languages.isEmpty {
      for _ in 0...random.next(below: 2) where !languages.isEmpty {
        let language = languages.remove(at: random.next(below: languages.count))
        let folder = language.isEmpty ? top : "\(top)/\(language)"
        try make((0..<3 + random.next(below: 2)).map { "\(folder)/line\($0).wav" })
      }
      if let project {
        try await project.complete("\(seed): without \(languages)")
      } else {
        project = try self.project(["UI/a.png", "UI/b.png"])
      }
    }
  }

  // MARK: Exclusions

  @Test func `files that match an exclusion of a manifest are left out`() async throws {
    let levels = (1...4).flatMap { ["Levels/\($0)/map.bin", "Levels/\($0)/x-old.png"] }
    try make(levels, size: 6_000_000)
    let project = try project(["UI/a.png"], excluding: ["*-old.png"])
    try make(["Levels/9/map.bin", "Levels/9/sky.bin"], size: 6_000_000)
    try make(["Levels/9/x-old.png", "Other/y-old.png"])
    let additions = try await project.complete("exclusion")
    let left = Self.paths(additions.leftOut)
    #expect(Set(left).isSuperset(of: ["Levels/9/x-old.png", "Other/y-old.png"]), "\(left)")
    #expect(additions.leftOut.allSatisfy { $0.reason.hasSuffix(".json'") })
    let text = additions.newManifests.map { String(decoding: $0.bytes, as: UTF8.self) }
    #expect(text.count == 1 && text[0].contains("\"*-old.png\""), "\(text)")
  }

  @Test func `exclusions of the user apply to new files`() async throws {
    var project = try project(["UI/a.png", "UI/b.png", "Levels/1/map.bin", "Levels/2/map.bin"])
    project.options.exclusions = ["*-old.png", "Levels/*/notes.bin"]
    try make(["UI/a-old.png", "Levels/3/map.bin", "Levels/3/notes.bin", "Levels/3/tiles.bin"])
    let additions = try await project.complete("user")
    #expect(Self.paths(additions.leftOut) == ["Levels/3/notes.bin"])
    // The pack already selects it, with the folder.
    #expect(Self.paths(additions.packed) == ["UI/a-old.png"])
    // Without the option, the manifests still contain the patterns.
    project.options.exclusions = []
    try await project.complete("user, again")
  }

  @Test func `an exclusion of files of another pack does not leave out new ones`() async throws {
    let project = try project(
      ["UI/a.png", "UI/Big/a.bin"],
      [
        "ui": Self.manifest("ui", #"{"directory": "UI"}, {"fileExclusion": "UI/Big"}"#),
        "big": Self.manifest("big", #"{"file": "UI/Big/a.bin"}"#),
      ])
    try make(["UI/Big/b.bin"])
    let additions = try await project.complete("other pack")
    #expect(additions.edits.map(\.packID) == ["big"])
  }

  // MARK: Source roots

  @Test func `files outside of the source root of a manifest are in another pack`() async throws {
    let project = try project(
      ["Levels/1/map.bin", "Levels/2/map.bin", "UI/a.png"],
      [
        "levels": Self.manifest(
          "levels", #"{"directorySource": "1", "directoryDestination": "Maps/1"}"#,
          root: "../Assets/Levels"),
        "second": Self.manifest("second", #"{"directory": "Assets/Levels/2"}"#, root: ".."),
        "core": Self.manifest("core", #"{"file": "UI/a.png"}"#),
      ])
    try make([
      "Levels/1/sky.bin", "Levels/2/sky.bin", "Levels/3/map.bin", "UI/b.png", "Fonts/a.ttf",
    ])
    try await project.complete("source roots")
  }

  @Test func `new files of a renamed folder have the destinations of their neighbours`()
    async throws
  {
    let project = try project(
      ["build/levels/a.bin", "build/levels/b.bin", "UI/a.png"],
      [
        "levels": Self.manifest(
          "levels",
          #"{"fileSource": "build/levels/a.bin", "fileDestination": "Levels/a.bin"},"#
            + #"{"fileSource": "build/levels/b.bin", "fileDestination": "Levels/b.bin"}"#),
        "core": Self.manifest("core", #"{"directory": "UI"}"#),
      ])
    try make(["build/levels/c.bin"])
    try await project.complete("renamed")
    #expect(
      try selectors("levels").last
        == .renamedFile(source: "build/levels/c.bin", destination: "Levels/c.bin"))
  }

  // MARK: Files that a rule leaves out

  @Test func `keys and junk in a selected folder are named and remain, but impossible names leave`()
    async throws
  {
    let project = try project(
      ["Art/a.png", "Art/b.png", "Art/c/d.png", "UI/a.png"],
      [
        "art": Self.manifest("art", #"{"directory": "Art"}"#),
        "ui": Self.manifest("ui", #"{"filePattern": "UI/*"}"#),
      ])
    try make(["Art/AuthKey.p8", "Art/x.psd", "Art/c/readme.md", "Art/a\nb.png", "UI/id_rsa"])
    try folder.makeHole(named: Array("Assets/Art/c/caf".utf8) + [0xE9], size: 9)
    let additions = try await project.complete("junk")
    #expect(additions.edits.map(\.packID) == ["art"])
    #expect(additions.edits.first?.exclusions.count == 2)
    #expect(
      Self.paths(additions.packed)
        == ["Art/AuthKey.p8", "Art/c/readme.md", "Art/x.psd", "UI/id_rsa"])
    // Keys and passwords are a warning.
    #expect(
      Self.paths(additions.packed.filter(\.isProblem)) == ["Art/AuthKey.p8", "UI/id_rsa"])
  }

  @Test(arguments: ["lua", "psd", "md", "p8"])
  func `an exclusion of new files does not match files of the pack`(kind: String) async throws {
    let menu = ["Menu/a.png", "Menu/b.png", "Menu/rules.\(kind)"]
    let project = try project(
      menu + ["Hud/a.png"],
      ["ui": Self.manifest("ui", #"{"directory": "Menu"}, {"file": "Hud/a.png"}"#)])
    try make(["Hud/b.png", "Hud/c.png", "Hud/d/e.png", "Hud/d/tool.\(kind)", "Hud/d/f.png"])
    let additions = try await project.complete(kind)
    #expect(Self.paths(additions.packed) == ["Menu/rules.\(kind)"])
    #expect(additions.edits.flatMap(\.exclusions) == ["Hud/d/tool.\(kind)"])
  }

  @Test func `files that a selector names remain in their pack`() async throws {
    let project = try project(
      ["Art/a.psd", "Art/b.psd", "Data/c.lua", "Keys/a.pem"],
      [
        "art": Self.manifest(
          "art", #"{"file": "Art/a.psd"}, {"filePattern": "Keys/*.pem"}, {"directory": "Data"}"#),
        "all": Self.manifest("all", #"{"filePattern": "Art/b.*"}"#),
      ])
    let additions = try project.additions().0
    #expect(additions.edits.map(\.packID) == [])
    #expect(Self.paths(additions.packed) == ["Art/b.psd", "Data/c.lua"])
  }

  // MARK: Packs

  @Test func `a removed pack is a new one`() async throws {
    let project = try project(
      ["UI/a.png", "Fonts/a.ttf"]
        + (1...3).flatMap { ["Levels/\($0)/map.bin", "Levels/\($0)/sky.bin"] })
    try folder.remove("Packs/core.json")
    let additions = try await project.complete("core")
    #expect(additions.newManifests.map(\.path) == ["Packs/core.json"])
    #expect(additions.edits.isEmpty)
  }

  @Test func `files that differ from packed ones by case or normalization are not added`()
    async throws
  {
    let project = try project(
      ["UI/Icon.png", "UI/\u{E9}.png"],
      [
        "ui": Self.manifest("ui", #"{"file": "UI/Icon.png"}, {"file": "UI/é.png"}"#)
      ])
    try make(["UI/icon.png", "UI/e\u{301}.png", "UI/new.png", "UI/Icon.png.d/a.bin"])
    let additions = try await project.complete("names")
    #expect(additions.notAdded.flatMap(\.paths).count == 2)
  }
}
