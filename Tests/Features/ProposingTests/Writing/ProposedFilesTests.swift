import BAPackKit
import DeviceSimulator
import Foundation
import Glibc
import SourceDiagnostics
import SystemIO
import TestSupport
import Testing

@testable import Proposing

struct ProposedFilesTests {
  private static let always: Set<InstallationEvent> = [.firstInstallation, .subsequentUpdate]

  /// A game with packs of all policies, in two languages.
  private static func game() throws -> ProposedProject {
    var seeded = Seeded(seed: 5)
    var project = try ProposedProject([
      "UI/menu.png": seeded.noise(4_000), "UI/fonts/main.ttf": seeded.noise(2_000),
      "Levels/02/map one.json": seeded.text(3_000), "Music/theme.ogg": seeded.noise(9_000),
      "Voices/en/hello.wav": seeded.noise(1_000), "Voices/de/hello.wav": seeded.noise(1_500),
    ])
    project.add(
      "core", .essential(Self.always), .directory("UI"),
      reasons: [Reason(GroupingRules.folder, "one folder: UI")])
    project.add("music", .prefetch(Self.always), .directory("Music"))
    project.add("level-02", .onDemand, .directory("Levels/02"))
    for language in ["en", "de"] {
      project.add(
        "voices-" + language, .onDemand,
        .renamedDirectory(source: "Voices/" + language, destination: "Voices"),
        language: LanguageTag(language))
    }
    project.proposal.primaryLanguage = LanguageTag("en")
    project.proposal.packs[0].selectorComments = [0: "the first screen"]
    try project.proposal.estimateSizes(of: project.tree, .unstoppable)
    return project
  }

  private static func files(_ project: borrowing ProposedProject) -> ProposedFiles {
    ProposedFiles(project.proposal, of: project.tree, in: project.layout)
  }

  @Test func `a manifest contains the reasons`() throws {
    let files = Self.files(try Self.game())
    #expect(files.manifests.map { $0.path.shown }.first == "Packs/core.json")
    #expect(
      String(decoding: files.manifests[0].bytes, as: UTF8.self) == """
        {
          // One folder: UI. Files of one folder are mostly used and changed together.
          "assetPackID": "core",
          "downloadPolicy": {
            "essential": {
              "installationEventTypes": ["firstInstallation", "subsequentUpdate"],
            },
          },
          "fileSelectors": [
            // The first screen.
            {"directory": "UI"},
          ],
          "platforms": [],
          "sourceRoot": "../Assets",
        }

        """)
  }

  @Test func `a comment with any name remains a comment`() throws {
    var project = try ProposedProject(["a": [1]])
    for name in HostileNames.possible {
      let text = "the folder " + FilePath(name).text
      project.add("p", .onDemand, .file("a"), reasons: [Reason(GroupingRules.folder, text)])
      project.proposal.packs[0].selectorComments = [0: text]
      let file = project.proposal.packs[0].file(in: project.layout)
      let document = ManifestDocument(parsing: file.bytes, named: "p.json", for: .apple)
      #expect(document.findings.all.isEmpty)
      #expect(document.manifest?.fileSelectors == [.file("a")])
      project.proposal.packs = []
    }
  }

  @Test func `names are escaped in selectors`() throws {
    for name in HostileNames.text {
      var project = try ProposedProject([name: [1]])
      project.add("p", .onDemand, .file(name))
      let file = project.proposal.packs[0].file(in: project.layout)
      let document = ManifestDocument(parsing: file.bytes, named: "p.json")
      #expect(document.manifest?.fileSelectors == [.file(name)])
    }
  }

  @Test func `the source root is relative to the manifests`() {
    func root(_ packs: FilePath, _ root: FilePath) -> String {
      ProjectLayout(projectFolder: "/p", packsFolder: packs, sourceRoot: root)
        .sourceRootOfManifests.text
    }
    #expect(root("Packs", ".") == "..")
    #expect(root("Packs", "Assets") == "../Assets")
    #expect(root("Data/Packs", "Data/Assets/") == "../Assets")
    #expect(root(".", "Assets") == "Assets")
    #expect(root(".", ".") == ".")
    #expect(root("Assets/Packs", "Assets") == "..")
  }

  @Test func `the packs of a project are a pattern or the files`() {
    func entries(_ packs: FilePath) -> [String] {
      ProjectLayout(projectFolder: "/p", packsFolder: packs).entries(for: ["a", "b"])
    }
    #expect(entries("Packs/") == ["Packs/*.json"])
    #expect(entries("P[1]") == [#"P\[1]/*.json"#])
    #expect(entries(".") == ["./a.json", "./b.json"])
  }

  @Test func `limits are a quarter above the sizes and readable`() {
    #expect(DownloadLimits.raised(41_000_000) == "52M")
    #expect(DownloadLimits.raised(1_040_000_000) == "1.4G")
    #expect(DownloadLimits.raised(100_000_000) == "130M")
    #expect(DownloadLimits.raised(0) == "0.1K")
    #expect(DownloadLimits.raised(7_900) == "9.9K")
    #expect(DownloadLimits.raised(7_999) == "10K")
    #expect(DownloadLimits.raised(.max) != "")
    for size in [1, 800, 999, 12_345, 79_999_999, 987_654_321, 8_000_000_000_001] as [UInt64] {
      let limit = ByteCount.readDecimal(DownloadLimits.raised(size)) ?? 0
      #expect(limit >= size + size / 4)
      #expect(limit <= 2 * size + 100)
    }
  }

  @Test func `the written project has no findings, its budgets hold, and its scenarios pass`()
    async throws
  {
    let project = try Self.game()
    let files = Self.files(project)
    let written = try files.write(in: FilePath(project.folder.path))
    #expect(
      written.map(\.shown) == files.manifests.map { $0.path.shown } + [
        "Scenarios/first-launch.scenario", "Scenarios/oldest-system.scenario", "ba-package.json",
        ".gitignore",
      ])
    let sizes = try await project.pack(files.manifests, in: project.layout)
    let document = ProjectDocument(
      parsing: files.project.bytes, at: ProjectPlace(named: project.folder.path))
    #expect(document.findings.all.isEmpty)
    let settings = try #require(document.settings)
    #expect(settings.packs == ["Packs/*.json"])
    #expect(settings.primaryLanguage == LanguageTag("en"))
    #expect(settings.output == "build/packs")
    let essential = try #require(settings.budgets?.first { $0.name == "essential" })
    #expect(essential.level(try #require(sizes["core"])) == .within)
    for scenario in files.scenarios {
      try Self.expectPass(scenario, project.folder.path("build/packs"))
    }
    #expect(
      String(decoding: files.scenarios[0].bytes, as: UTF8.self).contains(
        "expect readable \"Levels/02/map one.json\"\n"))
  }

  /// Runs a scenario on packs.
  static func expectPass(_ scenario: ProposedFiles.Text, _ packs: String) throws {
    var findings = Ledger(about: SourceText([], named: "packs"))
    var reader = ReleaseReader()
    let release = try reader.read([packs], &findings, .unstoppable)
    let document = ScenarioDocument(
      parsing: scenario.bytes, named: scenario.path.shown, hasRelease: true)
    var state = DeviceState()
    state.publish(0)
    let run = ScenarioRun(
      document, from: state, in: ReleaseSource(local: [release], .unstoppable),
      releases: [release])
    #expect(LineRenderer().render(run.findings) == "")
    #expect(run.moments.count > 5)
  }

  @Test func `no existing file is replaced`() throws {
    for existing in [
      "ba-package.json", "Packs/music.json", "Scenarios/first-launch.scenario", "Packs/other.json",
    ] {
      let project = try Self.game()
      try project.folder.makeFile(existing, "mine")
      let before = try contents(project.folder)
      let error = #expect(throws: PackError.self) {
        try Self.files(project).write(in: FilePath(project.folder.path))
      }
      #expect(error?.kind == .exists)
      #expect(try contents(project.folder) == before)
    }
  }

  @Test func `a failure leaves the files unchanged`() throws {
    for path in ["Packs/music.json", "first-launch.scenario", ".gitignore", "ba-package.json"] {
      for ignored in [nil, "*.o"] as [String?] {
        let project = try Self.game()
        if let ignored { try project.folder.makeFile(".gitignore", ignored) }
        let before = try contents(project.folder)
        let files = Self.files(project)
        #expect(throws: PackError.self) {
          try ForcedFailures.inject(
            ForcedFailure(.sync, .fail(EIO), path: path)
          ) {
            _ = try files.write(in: FilePath(project.folder.path))
          }
        }
        #expect(try contents(project.folder) == before, "\(path) \(ignored ?? "none")")
      }
    }
  }

  @Test(
    arguments: ["Packs/music.json", "first-launch.scenario", "ba-package.json"], [nil, "*.o\n"])
  func `a failure keeps the lines that another process requires`(
    path: String, ignored: String?
  ) throws {
    let project = try Self.game()
    if let ignored { try project.folder.makeFile(".gitignore", ignored) }
    let (folder, place) = (FilePath(project.folder.path), project.folder.path("ba-package.json"))
    let other = ForcedFailure(
      .sync,
      .run {
        try? IgnoreFile(in: folder, adding: ["/build/"]).write()
        try? AtomicFile.write(Array("{}\n".utf8), to: place)
      }, times: 1, path: path)
    let before = Set(try contents(project.folder).dropLast())
    let paths = before.union([".gitignore", "ba-package.json"])
    let error = #expect(throws: PackError.self) {
      try ForcedFailures.inject(other) { _ = try Self.files(project).write(in: folder) }
    }
    #expect(error?.kind == .exists)
    let left = try contents(project.folder)
    #expect(left == paths.sorted() + [(ignored ?? "") + "/build/\n"], "\(path)")
  }

  /// Returns the paths in a folder, and the contents of its `.gitignore`.
  private func contents(_ folder: borrowing TemporaryFolder) throws -> [String] {
    let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted()
    let ignored = (try? folder.contents(".gitignore")) ?? []
    return paths + [String(decoding: ignored, as: UTF8.self)]
  }

  @Test(arguments: [
    ("", "/build/\n"), ("*.o\n", "*.o\n/build/\n"), ("*.o", "*.o\n/build/\n"),
    ("*.o\r\n", "*.o\r\n/build/\r\n"), ("a\r\nb", "a\r\nb\r\n/build/\r\n"),
    ("/build/", "/build/"), ("x\r\nbuild\r\ny", "x\r\nbuild\r\ny"), ("build/\n", "build/\n"),
    ("/build/x\n", "/build/x\n/build/\n"),
  ])
  func `lines are appended to the list of ignored files`(_ before: String, _ after: String) throws {
    let folder = try TemporaryFolder()
    try folder.makeFile(".gitignore", Array(before.utf8), mode: 0o640)
    try IgnoreFile(in: FilePath(folder.path), adding: ["/build/"]).write()
    #expect(String(decoding: try folder.contents(".gitignore"), as: UTF8.self) == after)
    #expect(try FileStatus(ofFileAt: folder.path(".gitignore")).permissions == 0o640)
  }

  @Test func `a list of ignored files that is a link is not changed`() throws {
    let project = try Self.game()
    try project.folder.makeFile("shared", "*.o\n")
    try project.folder.makeLink(".gitignore", to: "shared")
    let files = Self.files(project)
    let before = try contents(project.folder)
    let error = #expect(throws: PackError.self) {
      try files.write(in: FilePath(project.folder.path))
    }
    #expect(error?.remedies == ["add the line '/build/' to it"])
    #expect(try contents(project.folder) == before)
    try project.folder.makeFile("shared", "/build/\n")
    #expect(try files.write(in: FilePath(project.folder.path)).last == "ba-package.json")
    #expect(try FileStatus(ofLinkAt: project.folder.path(".gitignore")).kind == .symbolicLink)
  }
}
