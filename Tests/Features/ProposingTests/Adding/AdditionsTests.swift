import BAPackKit
import Foundation
import SourceDiagnostics
import SystemIO
import TestSupport
import Testing

@testable import Proposing

struct AdditionsTests {
  /// A project of the user: other IDs, other layout, comments.
  private static let core = """
    {
      // My pack.
      "assetPackID": "basics",
      "downloadPolicy": { "onDemand": {} },
      "sourceRoot": "../Assets",
      "fileSelectors": [
        { "directory": "UI" }, // all of it
        { "filePattern": "Fonts/*.ttf" },
        { "fileExclusion": "*-draft.png" } // drafts
      ],
      "platforms": []
    }

    """
  private static let german = """
    {"assetPackID": "de", "downloadPolicy": {"onDemand": {}}, "fileSelectors": [
    \t{"directorySource": "Assets/Voices/de", "directoryDestination": "Assets/Voices"},
    ], "platforms": [], "language": "de"}
    """

  private static let old: [String: [UInt8]] = [
    "UI/a.png": [1], "Fonts/a.ttf": [1], "Voices/de/a.wav": [1], "UI/b-draft.png": [1],
  ]

  private static func project(_ new: String...) throws -> ProposedProject {
    var files = old
    for path in new { files[path] = [2] }
    let project = try ProposedProject(files)
    try project.folder.makeFile("Packs/core.json", core)
    try project.folder.makeFile("Packs/de.json", german)
    return project
  }

  private static func documents(_ project: borrowing ProposedProject) throws -> [ManifestDocument] {
    let paths = try FileManager.default.contentsOfDirectory(atPath: project.folder.path("Packs"))
    var documents: [ManifestDocument] = []
    for path in paths.sorted() {
      documents.append(
        try ManifestDocument(reading: project.folder.path("Packs/" + path), .unstoppable))
    }
    return documents
  }

  private static func additions(_ project: borrowing ProposedProject) throws -> Additions {
    var settings = ProjectSettings()
    settings.packs = ["Packs/*.json"]
    return try Additions(
      to: documents(project), of: settings,
      in: project.layout, finding: project.tree, project.proposal, .unstoppable)
  }

  /// Applies additions: afterwards there are none, and no earlier byte was removed.
  private static func apply(
    _ additions: Additions, _ project: borrowing ProposedProject
  ) async throws {
    try additions.write()
    #expect(try Self.additions(project).isEmpty)
    let documents = try documents(project)
    #expect(documents.allSatisfy { $0.isValid })
    for edit in additions.edits {
      // The change only inserts bytes.
      #expect(isSubsequence(edit.before, of: edit.after))
      #expect(try edit.after == Self.bytes(edit.path))
    }
    var written = Project(documents.map { FilePath($0.source.name) })
    written.defaultSourceRoot = FilePath(project.folder.path)
    let report = try await written.check().report
    let text = report.hasErrors ? report.text() : ""
    #expect(text == "")
  }

  private static func bytes(_ path: FilePath) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(filePath: path.text)))
  }

  private static func isSubsequence(_ part: [UInt8], of whole: [UInt8]) -> Bool {
    var rest = part[...]
    for byte in whole where byte == rest.first { rest = rest.dropFirst() }
    return rest.isEmpty
  }

  @Test func `a complete project has no additions`() throws {
    var project = try Self.project()
    project.add("all", .onDemand, .directory("."))
    #expect(try Self.additions(project).isEmpty)
  }

  @Test func `a new file is added to the pack that has its folder`() async throws {
    var project = try Self.project("Fonts/b.otf", "Fonts/more/c.otf", "Fonts/more/d.otf")
    project.add("fonts", .prefetch([.firstInstallation]), .directory("Fonts"))
    let additions = try Self.additions(project)
    #expect(additions.newManifests == [])
    #expect(additions.edits.map(\.packID) == ["basics"])
    #expect(additions.edits.map(\.paths) == [["Fonts/b.otf", "Fonts/more"]])
    #expect(
      String(decoding: additions.edits[0].after, as: UTF8.self)
        == Self.core.replacing(
          "{ \"fileExclusion\": \"*-draft.png\" } // drafts",
          with: """
            { "fileExclusion": "*-draft.png" }, // drafts
                {"file": "Fonts/b.otf"},
                {"directory": "Fonts/more"}
            """))
    try await Self.apply(additions, project)
  }

  @Test func `a new folder becomes a new manifest`() async throws {
    var project = try Self.project("Levels/1/map.json", "Levels/1/readme.md")
    project.add(
      "level-1", .onDemand, .directory("Levels/1"), .exclusion("*.md"),
      reasons: [Reason(GroupingRules.siblings, "a level")])
    let additions = try Self.additions(project)
    #expect(additions.edits.isEmpty)
    #expect(additions.newManifests.map(\.path) == ["Packs/level-1.json"])
    #expect(additions.unselected == [])
    try await Self.apply(additions, project)
  }

  @Test func `a proposed pack with the ID of a pack extends it`() async throws {
    var project = try Self.project("Levels/1/map.json", "UI/new.md")
    project.add("basics", .onDemand, .directory("Levels/1"))
    let additions = try Self.additions(project)
    #expect(additions.edits.map(\.paths) == [["Levels/1"]])
    #expect(additions.newManifests == [])
    try await Self.apply(additions, project)
  }

  @Test func `a new level is a new manifest next to the packs of other levels`() async throws {
    var project = try Self.project("Fonts/2/a.ttf")
    let index = project.add("fonts-2", .onDemand, .directory("Fonts/2"))
    project.proposal.packs[index].series = .init(name: "fonts", part: "2")
    let additions = try Self.additions(project)
    #expect(additions.newManifests.map(\.path) == ["Packs/fonts-2.json"])
    try await Self.apply(additions, project)
  }

  @Test func `files of a language are added to its pack, with the same mapping`() async throws {
    var project = try Self.project("Text/de/a.txt", "Text/fr/a.txt")
    for language in ["de", "fr"] {
      project.add(
        "text-" + language, .onDemand,
        .renamedDirectory(source: "Text/" + language, destination: "Text"),
        language: LanguageTag(language))
    }
    let additions = try Self.additions(project)
    #expect(additions.edits.map(\.packID) == ["de"])
    #expect(
      String(decoding: additions.edits[0].after, as: UTF8.self)
        == Self.german.replacing(
          "\"Assets/Voices\"},\n",
          with: """
            "Assets/Voices"},
            \t{"directorySource": "Assets/Text/de", "directoryDestination": "Assets/Text"},

            """))
    #expect(additions.newManifests.map(\.path) == ["Packs/text-fr.json"])
  }

  /// A localized pack has a file of another language until its own file exists: in a folder that it
  /// selects, or as a single file.
  @Test(arguments: [true, false])
  func `a file of a language replaces the one of another language`(isInFolder: Bool) async throws {
    let own = isInFolder ? "Voices/de/b.wav" : "More/de/b.wav"
    var project = try Self.project("Voices/en/a.wav", "Voices/en/b.wav", own)
    let fill = """

      \t{"fileSource": "Assets/Voices/en/b.wav", "fileDestination": "Assets/Voices/b.wav"}, // no
      """
    let german = Self.german.replacing("\n]", with: fill + "\n]")
    try project.folder.makeFile("Packs/de.json", german)
    try project.folder.makeFile(
      "Packs/en.json",
      """
      {"assetPackID": "en", "downloadPolicy": {"onDemand": {}}, "language": "en", "platforms": [],
      "fileSelectors": [
        {"directorySource": "Assets/Voices/en", "directoryDestination": "Assets/Voices"}
      ]}
      """)
    if !isInFolder {
      project.add(
        "more-de", .onDemand, .renamedDirectory(source: "More/de", destination: "More"),
        language: LanguageTag("de"))
      try project.folder.makeFile(
        "Packs/fr.json",
        """
        {"assetPackID": "fr", "downloadPolicy": {"onDemand": {}}, "language": "fr", "platforms": [],
        "fileSelectors": [
          {"directorySource": "Assets/More/fr", "directoryDestination": "Assets/Voices"}
        ]}
        """)
    }
    let additions = try Self.additions(project)
    let edit = try #require(additions.edits.first { $0.packID == "de" })
    #expect(edit.removed == ["Assets/Voices/en/b.wav"])
    try additions.write()
    let text = String(decoding: try Self.bytes(edit.path), as: UTF8.self)
    if isInFolder {
      #expect(text == german.replacing(fill, with: "\n\t // no"))
    }
    #expect(try Self.additions(project).isEmpty)
    // Without the file in the other pack, the selector is the choice of the user.
    try project.folder.makeFile("Packs/de.json", german)
    try FileManager.default.removeItem(atPath: project.folder.path("Packs/en.json"))
    #expect(try Self.additions(project).edits.allSatisfy { $0.removed.isEmpty })
  }

  @Test func `a folder with files that are left out gets exclusions or single files`() async throws
  {
    var project = try Self.project(
      "New/a.png", "New/b.png", "New/a.psd", "More/a.png", "More/a.psd", "More/b.psd")
    project.add("basics", .onDemand, .filePattern("New/*.png"), .filePattern("More/*.png"))
    project.proposal.packs[0].manifest.fileSelectors = [.directory("New"), .directory("More")]
    let additions = try Self.additions(project)
    let after = ManifestDocument(parsing: additions.edits[0].after, named: "x")
    #expect(
      after.fileSelectors.suffix(3) == [
        .file("More/a.png"), .directory("New"), .exclusion("New/a.psd"),
      ])
    try await Self.apply(additions, project)
  }

  @Test func `a new manifest that the project does not select is named`() throws {
    var project = try Self.project("Levels/1/map.json")
    project.add("level-1", .onDemand, .directory("Levels/1"))
    func unselected(_ packs: String) throws -> [FilePath] {
      var settings = ProjectSettings()
      settings.packs = [packs]
      return try Additions(
        to: Self.documents(project), of: settings, in: project.layout, finding: project.tree,
        project.proposal, .unstoppable
      ).unselected
    }
    #expect(try unselected("Packs/core.json") == ["Packs/level-1.json"])
    for packs in ["Packs", "./Packs/", "Packs/*.json", "**/*.json", "Packs/level-1.json"] {
      #expect(try unselected(packs) == [], "\(packs)")
    }
  }

  @Test func `a manifest with errors is not changed`() throws {
    var project = try Self.project("UI/x/a.png")
    project.add("x", .onDemand, .directory("UI/x"))
    try project.folder.makeFile("Packs/core.json", "{}")
    let error = #expect(throws: PackError.self) { try Self.additions(project) }
    #expect(error?.kind == .invalidValue)
  }

  @Test func `a failure restores the manifests`() throws {
    var project = try Self.project("Fonts/b.otf", "Levels/1/map.json", "Text/de/a.txt")
    project.add("fonts", .onDemand, .directory("Fonts"))
    project.add("level-1", .onDemand, .directory("Levels/1"))
    project.add(
      "text-de", .onDemand, .renamedDirectory(source: "Text/de", destination: "Text"),
      language: LanguageTag("de"))
    let additions = try Self.additions(project)
    #expect(additions.edits.count == 2)
    for path in ["level-1.json", "core.json", "de.json"] {
      #expect(throws: PackError.self) {
        try ForcedFailures.inject(ForcedFailure(.sync, .fail(5), path: path)) {
          try additions.write()
        }
      }
      #expect(try project.folder.contents("Packs/core.json") == Array(Self.core.utf8))
      #expect(try project.folder.contents("Packs/de.json") == Array(Self.german.utf8))
      #expect((try? project.folder.contents("Packs/level-1.json")) == nil)
    }
    try project.folder.makeFile("Packs/de.json", Self.german + "\n")
    let error = #expect(throws: PackError.self) { try additions.write() }
    #expect(error?.message.contains("de.json") == true)
  }

  @Test(arguments: (0..<40).sampled(every: 8))
  func `additions of any tree leave nothing`(_ seed: Int) async throws {
    var seeded = Seeded(seed: UInt64(seed))
    var files = Self.old
    let folders = ["UI", "Fonts", "Fonts/a", "New", "New/b", "New/b/c", "Voices/de", "Text/de"]
    for number in 0..<20 where seeded.next(below: 2) == 0 {
      let folder = folders[seeded.next(below: folders.count)]
      let ending = [".png", ".ttf", ".psd", "-draft.png"][seeded.next(below: 4)]
      files["\(folder)/\(number)\(ending)"] = [3]
    }
    var project = try ProposedProject(files)
    try project.folder.makeFile("Packs/core.json", Self.core)
    try project.folder.makeFile("Packs/de.json", Self.german)
    // A rule leaves out sources.
    project.add("ui", .onDemand, .directory("UI"), .exclusion("*.psd"))
    project.add("other", .onDemand, .directory("Fonts"), .directory("New"), .exclusion("*.psd"))
    for folder in ["Voices", "Text"] {
      project.add(
        folder.lowercased() + "-de", .onDemand,
        .renamedDirectory(source: folder + "/de", destination: folder), .exclusion("*.psd"),
        language: LanguageTag("de"))
    }
    // A selector without files is an error.
    project.proposal.packs.removeAll { $0.count == 0 }
    for index in project.proposal.packs.indices {
      project.proposal.packs[index].manifest.fileSelectors.removeAll { selector in
        !project.tree.files.indices.contains {
          project.tree.path(ofFile: $0).starts(with: Array((selector.path + "/").utf8))
        } && selector.path != "*.psd"
      }
    }
    try await Self.apply(try Self.additions(project), project)
  }

  @Test func `a new manifest does not replace one whose pack has another ID`() async throws {
    var project = try Self.project("Levels/1/map.json")
    project.add("level-1", .onDemand, .directory("Levels/1"))
    try project.folder.makeFile(
      "Packs/level-1.json",
      """
      {"assetPackID": "boot", "downloadPolicy": {"onDemand": {}}, "platforms": [],
       "sourceRoot": "../Assets", "fileSelectors": [{"file": "UI/b-draft.png"}]}
      """)
    let additions = try Self.additions(project)
    #expect(additions.newManifests.map(\.path) == ["Packs/level-1-2.json"])
    try await Self.apply(additions, project)
  }
}
