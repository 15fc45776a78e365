import SourceDiagnostics
import SystemIO
import TestSupport
import Testing

@testable import BAPackKit

/// Tests of the text of a project file: its settings and its mistakes with their positions.
@Suite struct ProjectDocumentTests {
  private static func read(_ text: some Collection<UInt8>) -> ProjectDocument {
    ProjectDocument(parsing: Array(text), at: ProjectPlace(named: "game/ba-package.json"))
  }

  @Test func `every key is read with its position`() throws {
    let document = Self.read(
      """
      {
        "name": "Lantern", "packs": ["Packs/*.json", "Extra/voices.json"],
        hosting: "apple", // bare keys and comments, as in manifests
        "output": "build/packs", "sourceRoot": "../Assets",
        "compression": "lzma", "level": "best", "threads": 3,
        "cache": {"folder": ".cache/blocks", "limit": "20G", "remote": "http://cache.local:8080/x"},
        "budgets": {"essential": "200M", "voices-*": "1.5 GB", "**/*.wav": 30},
        "primaryLanguage": "zh-Hant",
        "selfHosting": {
          "baseURL": "https://downloads.example.com/packs", "urlTemplate": "{base}/{id}.aar",
          "manifests": {"iOS": "build/ios.json"},
        },
        "appStore": {"app": "com.example.lantern"},
        "baseline": "../released",
      }
      """.utf8)
    #expect(document.findings.all == [])
    let settings = try #require(document.settings)
    #expect(settings.name == "Lantern")
    #expect(settings.packs == ["Packs/*.json", "Extra/voices.json"])
    #expect(settings.hosting == .apple)
    #expect(settings.output == "build/packs")
    #expect(settings.sourceRoot == "../Assets")
    #expect(settings.compression == .lzma)
    #expect(settings.level == .best)
    #expect(settings.threads == 3)
    #expect(settings.cache.folder == ".cache/blocks")
    #expect(settings.cache.limit == 20 << 30)
    #expect(settings.cache.remote == "http://cache.local:8080/x")
    #expect(settings.budgets?.map(\.limit) == [200_000_000, 1_500_000_000, 30])
    #expect(settings.budgets?.map(\.name) == ["essential", "voices-*", "**/*.wav"])
    #expect(settings.primaryLanguage == LanguageTag("zh-Hant"))
    #expect(settings.selfHosting.urlTemplate == "{base}/{id}.aar")
    #expect(settings.selfHosting.manifests == [.iOS: "build/ios.json"])
    #expect(settings.appStore.app == "com.example.lantern")
    #expect(settings.baseline?.path == "../released" && settings.baseline?.isOptional == false)
    #expect(document.position(of: "hosting") == .init(line: 3, column: 12))
    #expect(document.position(of: "cache.limit") == .init(line: 6, column: 49))
  }

  private static let mistakes: [(String, [Expected])] = [
    (#"⟦a:{⟧}"#, [.error("json.missing-key", at: "a")]),
    (#"{"packs": ⟦a:[]⟧}"#, [.error("project.packs", at: "a", "the project has no packs")]),
    (
      #"{"packs": ["a.json"], ⟦a:"outptu"⟧: "x"}"#,
      [.error("json.unknown-key", at: "a", "unknown key 'outptu' in a project file")]
    ),
    (
      #"{"packs": ["a.json"], "cache": {⟦a:"foldr"⟧: "x"}}"#,
      [.error("json.unknown-key", at: "a", "unknown key 'foldr' in 'cache'")]
    ),
    (#"{"packs": [⟦a:"[Path to Manifest]"⟧]}"#, [.error("manifest.placeholder", at: "a")]),
    (#"{"packs": [⟦a:"/abs/*.json"⟧]}"#, [.error("project.path", at: "a")]),
    (#"{"packs": ["a"], "output": ⟦a:"x/../../y"⟧}"#, [.error("project.path", at: "a")]),
    (#"{"packs": ["a"], "output": ⟦a:"/tmp"⟧}"#, [.error("project.path", at: "a")]),
    (
      #"{"packs": ["a"], "name": ⟦a:" "⟧}"#, [.error("project.value", at: "a", "the name is empty")]
    ),
    (#"{"packs": ["a"], "name": ⟦a:"two\nlines"⟧}"#, [.error("project.value", at: "a")]),
    (
      #"{"packs": ["a"], "baseline": ⟦a:7⟧}"#,
      [.error("json.wrong-type", at: "a", "'baseline' must be a string or an object, not a number")]
    ),
    (#"{"packs": ["a"], "baseline": {"path": ⟦a:"/x"⟧}}"#, [.error("project.path", at: "a")]),
    (
      #"{"packs": ["a"], "baseline": {"path": "x", "optional": ⟦a:"yes"⟧}}"#,
      [.error("json.wrong-type", at: "a", "'optional' must be true or false, not a string")]
    ),
    (
      #"{"packs": ["a"], "baseline": ⟦a:{⟧"optional": true}}"#,
      [.error("json.missing-key", at: "a")]
    ),
    (#"{"packs": ["a"], "cache": {"folder": ⟦a:".."⟧}}"#, [.error("project.path", at: "a")]),
    (
      #"{"packs": ["a"], "selfHosting": {"manifests": {"iOS": ⟦a:"../ios.json"⟧}}}"#,
      [.error("project.path", at: "a")]
    ),
    (
      #"{"packs": ["a"], "hosting": ⟦a:"appel"⟧}"#,
      [.error("project.value", at: "a", "'hosting' cannot be 'appel'")]
    ),
    (#"{"packs": ["a"], "threads": ⟦a:0⟧}"#, [.error("project.value", at: "a")]),
    (#"{"packs": ["a"], "threads": ⟦a:1.5⟧}"#, [.error("project.value", at: "a")]),
    (
      #"{"packs": ["a"], "threads": ⟦a:"2"⟧}"#,
      [.error("json.wrong-type", at: "a", "'threads' must be a whole number, not a string")]
    ),
    (#"{"packs": ["a"], "cache": {"limit": ⟦a:"1K"⟧}}"#, [.error("project.value", at: "a")]),
    (#"{"packs": ["a"], "cache": {"limit": ⟦a:"1.5G"⟧}}"#, [.error("project.value", at: "a")]),
    (
      #"{"packs": ["a"], "cache": {"remote": ⟦a:"https://u:p@c.example.com"⟧}}"#,
      [.error("project.secret", at: "a")]
    ),
    (
      #"{"packs": ["a"], "cache": {"remote": ⟦a:"cache.example.com"⟧}}"#,
      [.error("project.address", at: "a")]
    ),
    (
      #"{"packs": ["a"], "selfHosting": {"baseURL": ⟦a:"http://d.example.com"⟧}}"#,
      [.error("project.address", at: "a")]
    ),
    (
      #"{"packs": ["a"], "selfHosting": {"urlTemplate": ⟦a:"{id}.aar"⟧}}"#,
      [.error("project.address", at: "a")]
    ),
    (#"{"packs": ["a"], "budgets": {"total": ⟦a:"lots"⟧}}"#, [.error("project.budget", at: "a")]),
    (
      #"{"packs": ["a"], "budgets": {⟦a:"totl"⟧: "1G"}}"#,
      [.error("project.budget", at: "a", "unknown budget 'totl'")]
    ),
    (#"{"packs": ["a"], "budgets": {⟦a:"[x"⟧: "1G"}}"#, [.error("project.budget", at: "a")]),
    (#"{"packs": ["a"], "appStore": {"app": ⟦a:""⟧}}"#, [.error("project.app", at: "a")]),
    (
      #"{"packs": ["a"], "primaryLanguage": ⟦a:"english"⟧}"#,
      [.error("language.malformed", at: "a")]
    ),
    (
      #"{"packs": ["a"], "packs": ["b"]}"#, [.error("json.duplicate-key", at: nil)]
    ),
  ]

  @Test(arguments: mistakes.indices)
  func `each mistake is reported once, at its position`(_ index: Int) {
    let (text, expected) = Self.mistakes[index]
    let marked = MarkedText(text)
    let document = Self.read(marked.bytes)
    #expect(document.settings == nil)
    if expected.first?.mark == nil {
      #expect(document.findings.map(\.id.name) == expected.map(\.id))
    } else {
      expect(document.findings, in: marked, are: expected)
    }
  }

  @Test func `an empty 'cache' enables the default cache`() throws {
    let settings = try #require(Self.read(#"{"packs": ["a"], "cache": {}}"#.utf8).settings)
    #expect(settings.cache.isEnabled)
    #expect(settings.cache.folder == nil)
  }

  @Test(arguments: [
    (#"{"packs": ["a"], "hosting": "appel"}"#, #"{"packs": ["a"], "hosting": "apple"}"#, true),
    (#"{"packs": ["a"] "output": "b"}"#, #"{"packs": ["a"], "output": "b"}"#, false),
    (#"{"pakcs": ["a"]}"#, #"{"packs": ["a"]}"#, true),
    (
      #"{"packs": ["a"], "budgets": {"totl": "1G"}}"#,
      #"{"packs": ["a"], "budgets": {"total": "1G"}}"#, true
    ),
  ])
  func `fixes are applied as in manifests`(_ wrong: String, _ right: String, _ isUnsafe: Bool) {
    let (text, count) = ProjectDocument.fixed(Array(wrong.utf8), unsafe: isUnsafe)
    #expect(String(decoding: text, as: UTF8.self) == right)
    #expect(count == 1)
    #expect(Self.read(text).findings.all == [])
    let safely = ProjectDocument.fixed(Array(wrong.utf8))
    #expect((safely.applied == 0) == isUnsafe)
  }

  @Test(arguments: [
    (Array("pbze".utf8), "this is an Apple Archive, not a project file"),
    (
      Array(#"{"assetPackID": "A", "fileSelectors": []}"#.utf8),
      "this is a manifest, not a project file"
    ),
    (Array(#"{"assetPacks": []}"#.utf8), "this is a download manifest, not a project file"),
  ])
  func `another file is reported by its kind`(_ bytes: [UInt8], _ message: String) {
    #expect(Self.read(bytes).findings.map(\.message) == [message])
  }

  @Test func `the template contains every key, and is valid with its placeholder replaced`() throws
  {
    let text = ProjectSettings.template()
    guard case .object(let schema) = ProjectSettings.jsonSchema,
      case .object(let properties)? = schema.first(where: { $0.key == "properties" })?.value
    else { return }
    for key in properties.map(\.key) where key != "$schema" {
      #expect(text.contains("\"\(key)\": "), "\(key)")
    }
    #expect(
      Self.read(text.utf8).findings.map(\.id.name) == ["manifest.placeholder"])
    let filled = text.replacing("[Path to Manifest]", with: "Packs/*.json")
    #expect(Self.read(filled.utf8).findings.all == [])
    // With all members uncommented, as in an editor, the template is valid.
    var isInside = false
    let all = filled.split(separator: "\n").map { line in
      let rest = line.drop { $0 == " " }
      let isMember = rest.hasPrefix("// \"")
      isInside = isInside || isMember
      defer { if rest == "// }," || isMember && !rest.hasSuffix("{") { isInside = false } }
      return isInside ? String(rest.dropFirst(3)) : String(line)
    }.joined(separator: "\n")
    let document = Self.read(all.utf8)
    #expect(document.findings.all == [], "\(all)")
    #expect(document.settings?.cache.remote == "https://cache.example.com")
    #expect(document.settings?.selfHosting.manifests == [.iOS: "build/ios.json"])
  }
}

/// Tests of the search for project files, and of their owners.
@Suite struct ProjectPlaceTests {
  @Test func `a project file is searched up to the top of the repository`() throws {
    let folder = try TemporaryFolder()
    try folder.makeFile("ba-package.json", "{}")
    try folder.makeFolder("repository/.git")
    try folder.makeFolder("repository/game/Packs")
    let deep = folder.path("repository/game/Packs")
    #expect(ProjectPlace(from: deep) == nil)
    try folder.makeFile("repository/ba-package.json", "{}")
    #expect(
      ProjectPlace(from: deep)?.path == folder.path("repository/game/Packs/../../ba-package.json"))
    try folder.makeFile("repository/game/ba-package.json", "{}")
    #expect(
      ProjectPlace(from: deep)?.path == folder.path("repository/game/Packs/../ba-package.json"))
    // In another worktree, '.git' is a file.
    try folder.makeFile("worktree/.git", "gitdir: x")
    try folder.makeFolder("worktree/a")
    #expect(ProjectPlace(from: folder.path("worktree/a")) == nil)
    #expect(ProjectPlace(from: folder.path("nowhere")) == nil)
  }

  @Test func `without a repository the folders above are searched, too`() throws {
    let folder = try TemporaryFolder()
    try folder.makeFile("a/ba-package.json", "{}")
    try folder.makeFolder("a/b/c")
    #expect(
      ProjectPlace(from: folder.path("a/b/c"))?.path == folder.path("a/b/c/../../ba-package.json"))
    try folder.makeFolder("a/b/.git")
    #expect(ProjectPlace(from: folder.path("a/b/c")) == nil)
    #expect(ProjectPlace(from: folder.path("a"))?.path == folder.path("a/ba-package.json"))
  }

  @Test func `another user's file is rejected unless it was named`() throws {
    let folder = try TemporaryFolder()
    try folder.makeFile("a/ba-package.json", #"{"packs": ["a"]}"#)
    let stranger = ProcessState.userID &+ 1
    let found = try #require(ProjectPlace(from: folder.path("a")))
    #expect(try ProjectDocument(reading: found, .unstoppable).settings?.packs == ["a"])
    let error = #expect(throws: PackError.self) {
      try ProjectDocument(reading: found, as: stranger, .unstoppable)
    }
    #expect(
      error?.message
        == "the project file '\(folder.path("a/ba-package.json"))' belongs to another user")
    #expect(
      error?.remedies == [.specifyProject(folder.path("a/ba-package.json")), .leaveOutProject])
    for path in ["a", "a/ba-package.json"] {
      let named = ProjectPlace(named: folder.path(path))
      #expect(
        try ProjectDocument(reading: named, as: stranger, .unstoppable).settings?.packs == ["a"])
    }
  }

  @Test func `a link without a target is a project file whose reading fails`() throws {
    let folder = try TemporaryFolder()
    try folder.makeLink("ba-package.json", to: "gone")
    let found = try #require(ProjectPlace(from: folder.path))
    #expect(throws: PackError.self) { try ProjectDocument(reading: found, .unstoppable) }
  }

  @Test func `output paths through links to other folders are rejected`() throws {
    let folder = try TemporaryFolder()
    try folder.makeFile("game/ba-package.json", "{}")
    try folder.makeFolder("elsewhere")
    try folder.makeFolder("game-2")
    try folder.makeLink("game/out", to: "../elsewhere")
    try folder.makeLink("game/near", to: "build/packs")
    try folder.makeFolder("game/build/packs")
    try folder.makeLink("game/sibling", to: "../game-2")
    try folder.makeLink("game/gone", to: "../not-yet")
    let place = ProjectPlace(named: folder.path("game"))
    for path in ["build", "build/packs", "new/and/deep", "near/x", "."] {
      try place.checkInside(ProjectPlace.path(path, in: place.folder))
    }
    for path in ["out", "out/new/deep", "sibling", "sibling/x", "gone", "gone/x", ".."] {
      #expect(throws: PackError.self, "\(path)") {
        try place.checkInside(ProjectPlace.path(path, in: place.folder))
      }
    }
  }

  @Test func `pattern characters in the name of the project's folder are literal`() throws {
    let folder = try TemporaryFolder()
    try folder.makeFile("[a]*/Packs/x.json", "{}")
    try folder.makeFile("a1/Packs/y.json", "{}")
    try folder.makeFile("[a]*/ba-package.json", #"{"packs": ["Packs/*.json", "Packs/y*"]}"#)
    var document = try ProjectDocument(
      reading: ProjectPlace(named: folder.path("[a]*")), .unstoppable)
    document.findPacks()
    #expect(document.findings.map(\.message) == ["no file matches 'Packs/y*'"])
  }
}

extension ProjectDocumentTests {
  @Test func `missing baseline packs are reported at their line unless they are optional`() throws {
    let folder = try TemporaryFolder()
    func found(_ members: String) throws -> [Finding] {
      try folder.makeFile("ba-package.json", #"{"packs": ["a.json"], \#(members)}"#)
      var document = try ProjectDocument(
        reading: ProjectPlace(named: folder.path("ba-package.json")), .unstoppable)
      document.findBaseline()
      return document.findings.all
    }
    let absent = try found(#""baseline": "released""#)
    #expect(absent.map(\.message) == ["there are no packs at 'released'"])
    #expect(absent.map(\.severity) == [.error])
    #expect(absent.first?.span?.start == 34)
    try folder.makeFolder("released")
    #expect(try found(#""baseline": "released""#).count == 1, "an empty folder has no packs")
    #expect(try found(#""baseline": {"path": "released", "optional": true}"#) == [])
    try folder.makeFile("released/.gitkeep", "")
    try folder.makeFile("released/README.md", "x")
    #expect(try found(#""baseline": "released""#).count == 1, "nor has one without archives")
    try folder.makeFile("empty.json", "")
    #expect(try found(#""baseline": "empty.json""#).count == 1)
    let unchecked = try found(#""budgets": {"update": "1M"}"#)
    #expect(unchecked.map(\.severity) == [.warning])
    #expect(unchecked.first?.span?.start == 34)
    #expect(try found(#""budgets": {"total": "1M"}"#) == [])
    try folder.makeFile("released/a.aar", "x")
    #expect(try found(#""baseline": "released", "budgets": {"update": "1M"}"#) == [])
    #expect(try found(#""baseline": "rel*/*.aar""#) == [])
    #expect(try found(#""baseline": "rel*/*.json""#).count == 1)
  }
}

/// Tests of effective settings and their origins.
@Suite struct EffectiveSettingsTests {
  @Test func `options override the project file, which overrides defaults`() {
    var settings = EffectiveSettings()
    settings.add(3, as: \.threads, from: .option("--threads"))
    settings.add(
      ProjectDocument(
        parsing: Array(#"{"packs": ["P/*.json"], "threads": 5, "output": "o"}"#.utf8),
        at: ProjectPlace(named: "up/ba-package.json")))
    settings.add(7, as: \.threads, from: .standard())
    settings.add(.lzfse, as: \.compression, from: .standard())
    #expect(settings[\.threads]?.value == 3)
    #expect(settings[\.threads]?.origin == .option("--threads"))
    #expect(settings[\.output]?.value == "up/o")
    #expect(
      settings[\.output]?.origin == .project("up/ba-package.json", .init(line: 1, column: 49)))
    #expect(settings.packs?.value == ["up/P/*.json"])
    #expect(settings[\.compression]?.origin == .standard())
    #expect(settings[\.level]?.value == nil)
    let keys = settings.all.map(\.key)
    #expect(keys.count == Set(keys).count)
    #expect(keys.contains("cache.remote"))
    #expect(settings.all.first { $0.key == "threads" }?.setting?.value == .integer(3))
  }
}
