import Arguments
import BAPackCommands
import Foundation
import SystemIO
import TestSupport
import Testing

/// `plan`: proposals in the history of a Git repository, and the files that they change.
@Suite struct PlanCommandTests {
  private static func git(_ folder: borrowing TemporaryFolder, _ words: String...) throws {
    let output = try ProgramOutput(
      of: ["git", "-C", folder.path, "-c", "user.name=t", "-c", "user.email=t@example.com"]
        + words,
      changing: ["GIT_CONFIG_GLOBAL": "/dev/null", "GIT_DIR": nil], atMost: 1 << 20,
      until: .now + .seconds(60), .unstoppable)
    try #require(output.end == .status(0), "\(String(decoding: output.errors, as: UTF8.self))")
  }

  private static let policy = #"""
    "downloadPolicy": {"prefetch": {
        "installationEventTypes": ["firstInstallation", "subsequentUpdate"]}}, "platforms": []
    """#
  private static let art = """
    // The pictures.
    {
      "assetPackID": "art", \(policy),
      "fileSelectors": [
        {"directory": "Text"},  // of all languages
        {"directory": "Map"},
      ]
    }

    """
  private static let ui = """
    {"assetPackID": "ui", \(policy), "fileSelectors": [{"directory": "UI"}]}

    """

  /// The same packs, with other paths below another source root.
  private static func elsewhere(_ manifest: String) -> String {
    manifest.replacing(#"{"directory": ""#, with: #"{"directory": "More/"#)
      .replacing(#""assetPackID": ""#, with: #""sourceRoot": "../Other", "assetPackID": "more-"#)
  }

  /// A project with eight releases: all texts and one picture of the UI change in each of them.
  private static func makeProject(
    packs: String = #"["Packs/*.json"]"#, _ manifests: [String: String] = ["art": art, "ui": ui],
    in roots: [String] = ["Assets"], releasesBefore: Int = 0
  ) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try git(folder, "init", "--quiet", ".")
    for number in 0..<releasesBefore {
      try git(folder, "commit", "--quiet", "--allow-empty", "-m", "before \(number)")
      try git(folder, "tag", "before-\(number)")
    }
    var random = Seeded(seed: 1)
    for root in roots {
      for name in ["a", "b", "c"] {
        try folder.makeFile("\(root)/Map/\(name).png", random.noise(20_000))
      }
    }
    for (id, text) in manifests { try folder.makeFile("Packs/\(id).json", text) }
    try folder.makeFile(
      "ba-package.json",
      """
      {
        "packs": \(packs), // all
        "sourceRoot": "Assets", "output": "build/packs"
      }

      """)
    try folder.makeFile(".gitignore", "build/\n")
    for number in 0..<8 {
      for root in roots {
        for language in ["de", "en"] {
          try folder.makeFile("\(root)/Text/\(language).txt", random.noise(500))
        }
        try folder.makeFile("\(root)/UI/a.png", random.noise(1000))
      }
      try git(folder, "add", "--all")
      try git(folder, "commit", "--quiet", "-m", "\(number)")
      try git(folder, "tag", "v\(number)")
    }
    return folder
  }

  private static func plan(
    _ folder: borrowing TemporaryFolder, _ words: String...
  ) -> Captured {
    Captured(["plan", "--project", folder.path, "--history", "v0.."] + words)
  }

  @Test func `the table has today's packs, the proposals and the lower bound`() throws {
    let folder = try Self.makeProject()
    let run = Self.plan(folder)
    #expect(run.ending == .status(.done), "\(run.messages)")
    #expect(
      run.output.hasPrefix(
        """
        8 releases, 6 files, 2 packs.
        A device with all packs downloaded 438 KB in 7 updates; 10.5 KB of that had changed \
        (41.7 x).

        proposal                packs  updates  first launch     x
        today                       2   438 KB       0 bytes  41.7
        best without new packs      2  14.0 KB       0 bytes   1.3  art -> ui (changes in 7 of 7) \
        and the rest
        lower bound                 -  10.5 KB             -   1.0  each changed file alone

        best without new packs: found in 5 updates; saves 97 % in the 2 later ones, which the \
        search did not use
          art -> ui: 500 bytes, changes in 7 of 7, the rest in 0
          The update to these packs downloads 62.5 KB once.

        """), "\(run.output)")
    #expect(Self.plan(folder).output == run.output)
  }

  @Test func `a written proposal has no finding and no breaking change`() throws {
    let folder = try Self.makeProject()
    let former = folder.path("former")
    #expect(Captured("pack", "--project", folder.path, "-o", former).ending == .status(.done))
    let run = Self.plan(folder, "--write", "best", "--yes")
    #expect(run.ending == .status(.done), "\(run.messages)")
    #expect(
      String(decoding: try folder.contents("Packs/art.json"), as: UTF8.self)
        == Self.art.replacing(#"{"directory": "Text"},"#, with: ""))
    #expect(
      String(decoding: try folder.contents("Packs/ui.json"), as: UTF8.self)
        == Self.ui.replacing(
          #"[{"directory": "UI"}]"#, with: #"[{"directory": "UI"}, {"directory": "Text"}]"#))
    let check = Captured("validate", "--project", folder.path, "--strict")
    #expect(check.ending == .status(.done), "\(check.messages)\(check.output)")
    #expect(Captured("pack", "--project", folder.path).ending == .status(.done))
    let diff = Captured("diff", former, folder.path("build/packs"))
    #expect(diff.ending == .status(.done), "\(diff.output)")
    // The figures of the table are those of the report, with the sizes of the new archives.
    let again = Self.plan(folder)
    #expect(again.output.contains("downloaded 17.1 KB in 7 updates"), "\(again.output)")
    let report = Captured(
      "report", "--project", folder.path, "--history", "v0..", "--format", "markdown")
    #expect(report.messages.contains("downloaded 17.1 KB in 7 updates"), "\(report.messages)")
  }

  @Test(arguments: [
    (#"["Packs/*.json"]"#, nil), (#"["Packs"]"#, nil),
    (
      #"["Packs/art.json"]"#,
      #"["Packs/art.json", "./Packs/art-text.json"]"#
    ),
  ])
  func `new packs are in the project`(packs: String, after: String?) throws {
    let folder = try Self.makeProject(packs: packs, ["art": Self.art])
    let refused = Self.plan(folder, "--write", "best", "--yes")
    #expect(refused.ending == .status(.failed))
    #expect(refused.messages.contains("moves 2 files to new packs"), "\(refused.messages)")
    let before = String(decoding: try folder.contents("ba-package.json"), as: UTF8.self)
    let run = Self.plan(folder, "--write", "best", "--yes", "--new-packs", "--format", "json")
    #expect(run.ending == .status(.done), "\(run.messages)")
    let json = try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any]
    #expect(json?["written"] as? String == "best found")
    #expect(
      String(decoding: try folder.contents("ba-package.json"), as: UTF8.self)
        == before.replacing(packs, with: after ?? packs))
    let check = Captured("validate", "--project", folder.path, "--strict")
    #expect(check.ending == .status(.done), "\(check.messages)\(check.output)")
    let list = Captured("evaluate", "--project", folder.path, "art-text")
    #expect(list.output.contains("Text/de.txt"), "\(list.output)\(list.messages)")
  }

  @Test func `a diff writes nothing, and changes that are not committed require force`() throws {
    let folder = try Self.makeProject()
    let diff = Self.plan(folder, "--write", "best", "--diff")
    #expect(diff.ending == .status(.done))
    #expect(diff.output.contains(#"-    {"directory": "Text"},  // of all languages"#))
    #expect(diff.output.contains(#"{"directory": "UI"}, {"directory": "Text"}"#))
    #expect(try folder.contents("Packs/art.json") == Array(Self.art.utf8))
    let unconfirmed = Self.plan(folder, "--write", "best")
    #expect(unconfirmed.ending == .status(.usage))
    try folder.makeFile("Packs/ui.json", Self.ui + "\n")
    let refused = Self.plan(folder, "--write", "best", "--yes")
    #expect(refused.ending == .status(.failed))
    #expect(refused.messages.contains("Packs/ui.json' has changes that are not committed"))
    #expect(try folder.contents("Packs/art.json") == Array(Self.art.utf8))
    let forced = Self.plan(folder, "--write", "best", "--yes", "--force")
    #expect(forced.ending == .status(.done), "\(forced.messages)")
    #expect(try folder.contents("Packs/art.json") != Array(Self.art.utf8))
  }

  @Test func `pins and weights are used`() throws {
    let folder = try Self.makeProject()
    let pinned = Self.plan(folder, "--pin", "art", "--pin", "ui")
    #expect(pinned.output.contains("No proposal makes the updates smaller."))
    #expect(pinned.output.contains("'ui' is unchanged: it is pinned."))
    try folder.makeFile("w.csv", "release,installs\nv1,1000\nv7,10\n")
    let weighted = Self.plan(folder, "--weights", folder.path("w.csv"))
    // 1,010 updates instead of seven.
    #expect(weighted.output.contains("downloaded 63.1 MB in 7 updates"), "\(weighted.output)")
  }

  @Test func `localized packs are named with the reason to keep them`() throws {
    func localized(_ language: String) -> String {
      """
      {"assetPackID": "text-\(language)", "language": "\(language)", \(Self.policy),
        "fileSelectors": [{"filePattern": "Text/\(language).*"}]}

      """
    }
    let map = Self.art.replacing(#"{"directory": "Text"},"#, with: "")
    let folder = try Self.makeProject([
      "art": map, "ui": Self.ui, "text-de": localized("de"), "text-en": localized("en"),
    ])
    let run = Self.plan(folder)
    let reason = "released apps can request it in each language for the files that it contains"
    for language in ["de", "en"] {
      #expect(
        run.output.contains("\n'text-\(language)' is unchanged: \(reason).\n"), "\(run.output)")
    }
  }

  @Test func `former releases are a row`() throws {
    let folder = try Self.makeProject()
    var words = ["plan", "--project", folder.path, "--history", "v0.."]
    for name in ["first", "second"] {
      try folder.makeFile("Assets/UI/a.png", [UInt8](repeating: 1, count: name.count))
      #expect(
        Captured("pack", "--project", folder.path, "-o", folder.path(name)).ending == .status(.done)
      )
      words += ["--as-released", folder.path(name)]
    }
    let run = Captured(words)
    #expect(run.ending == .status(.done), "\(run.messages)")
    #expect(run.output.contains("\nas released "))
    #expect(Captured(words.dropLast(2)).ending == .status(.usage))
  }

  @Test func `without a range, the releases are the newest tags`() throws {
    let folder = try Self.makeProject()
    let range = Self.plan(folder)
    let plain = Captured("plan", "--project", folder.path)
    #expect(plain.ending == .status(.done), "\(plain.messages)")
    var lines = range.output.split(separator: "\n", omittingEmptySubsequences: false)
    lines.insert(
      "Releases: the newest 8 tags (v0 to v7); '--history' and '--releases' select others.", at: 1)
    #expect(plain.output == lines.joined(separator: "\n"))
    let some = Captured("plan", "--project", folder.path, "--releases", "v[1-4]")
    #expect(some.output.contains("\nReleases: the newest 4 tags (v1 to v4) and HEAD; "))
    #expect(some.output.hasPrefix("5 releases, "), "\(some.output)")
    try Self.git(folder, "tag", "--delete", "v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7")
    let commits = Captured("plan", "--project", folder.path)
    #expect(commits.output.contains("\nReleases: 8 commits ("), "\(commits.output)")
    #expect(commits.output.contains(") at equal distances, because there are fewer than 3 tags; "))
    let proposals = commits.output.split(separator: "\n").dropFirst(2)
    #expect(Array(proposals) == Array(range.output.split(separator: "\n").dropFirst()))
  }

  @Test func `releases from before the files are not counted`() throws {
    let folder = try Self.makeProject(releasesBefore: 3)
    let run = Captured("plan", "--project", folder.path)
    #expect(run.output.contains("\nReleases: the newest 8 tags (v0 to v7); "), "\(run.output)")
    let after = try Self.makeProject()
    #expect(run.output == Captured("plan", "--project", after.path).output)
    let range = Captured("plan", "--project", folder.path, "--history", "before-0..")
    #expect(range.output == Self.plan(after).output)
  }

  @Test func `without a history there is an error with a remedy`() throws {
    let folder = try TemporaryFolder()
    try folder.makeFile("Packs/art.json", Self.art)
    try folder.makeFile("Assets/Map/a.png", "1")
    try folder.makeFile("Assets/Text/a.txt", "1")
    func run() -> Captured {
      Captured(
        "plan", "--no-project", folder.path("Packs/art.json"), "--source-root",
        folder.path("Assets"))
    }
    func expectError(_ message: String) {
      let run = run()
      #expect(run.ending == .status(.failed))
      #expect(run.messages.contains(message), "\(run.messages)")
      #expect(run.messages.contains("hint: "), "\(run.messages)")
    }
    expectError("not a git repository")
    try Self.git(folder, "init", "--quiet", ".")
    expectError("has no commit 'HEAD'\nhint: commit the files of each release")
    try Self.git(folder, "commit", "--quiet", "--allow-empty", "-m", "1")
    expectError("the Git history of the files has fewer than two releases")
    for tag in ["v1", "v2", "v3"] { try Self.git(folder, "tag", tag, "HEAD") }
    for tag in ["w1", "w2", "w3"] {
      try Self.git(folder, "commit", "--quiet", "--allow-empty", "-m", tag)
      try Self.git(folder, "tag", tag)
    }
    expectError("fewer than two releases contain files of the packs")
  }

  @Test func `files move only between packs with the same source root`() throws {
    let folder = try Self.makeProject(
      [
        "art": Self.art, "ui": Self.ui, "more-art": Self.elsewhere(Self.art),
        "more-ui": Self.elsewhere(Self.ui),
      ], in: ["Assets", "Other/More"])
    let run = Self.plan(folder, "--write", "best", "--yes")
    #expect(run.ending == .status(.done), "\(run.messages)")
    #expect(run.output.hasPrefix("8 releases, 12 files, 4 packs.\n"), "\(run.output)")
    let art = Self.art.replacing(#"{"directory": "Text"},"#, with: "")
    let ui = Self.ui.replacing(
      #"[{"directory": "UI"}]"#, with: #"[{"directory": "UI"}, {"directory": "Text"}]"#)
    for (name, text) in [
      ("art", art), ("ui", ui), ("more-art", Self.elsewhere(art)), ("more-ui", Self.elsewhere(ui)),
    ] {
      let written = String(decoding: try folder.contents("Packs/\(name).json"), as: UTF8.self)
      #expect(written == text)
    }
    let check = Captured("validate", "--project", folder.path, "--strict")
    #expect(check.ending == .status(.done), "\(check.messages)\(check.output)")
    // The figures are those of the report.
    #expect(Captured("pack", "--project", folder.path).ending == .status(.done))
    let report = Captured(
      "report", "--project", folder.path, "--history", "v0..", "--format", "markdown")
    let again = Self.plan(folder)
    #expect(again.output.contains("downloaded 34.4 KB in 7 updates"), "\(again.output)")
    #expect(report.messages.contains("downloaded 34.4 KB in 7 updates"), "\(report.messages)")
  }

  @Test func `a source root outside of the repository is named`() throws {
    let folder = try Self.makeProject(
      ["art": Self.art, "more-art": Self.elsewhere(Self.art)], in: ["Assets"])
    for name in ["Map/a.png", "Text/a.txt"] { try folder.makeFile("Other/More/\(name)", "1") }
    #expect(Captured("pack", "--project", folder.path).ending == .status(.done))
    // The other repository has fewer releases with the same names.
    let other = folder.path("Other")
    try Self.git(folder, "init", "--quiet", other)
    try Self.git(folder, "-C", other, "add", "--all")
    try Self.git(folder, "-C", other, "commit", "--quiet", "-m", "0")
    try Self.git(folder, "-C", other, "tag", "v0")
    try Self.git(folder, "-C", other, "commit", "--quiet", "--allow-empty", "-m", "1")
    for command in [["plan"], ["report", "--history", "v0..", "-o", folder.path("out.json")]] {
      let run = Captured(command + ["--project", folder.path])
      #expect(run.ending == .status(.failed))
      #expect(run.messages.contains("Other' is in another Git repository"), "\(run.messages)")
      #expect(run.messages.contains("hint: "), "\(run.messages)")
    }
    let one = Self.plan(folder, "art")
    #expect(one.ending == .status(.done), "\(one.messages)")
  }

  @Test func `mistakes are errors with a remedy`() throws {
    let folder = try Self.makeProject()
    try folder.makeFile("w.csv", "release,installs\nv99,1\n")
    try folder.makeFile("bad.csv", "release,count\nv1,1\n")
    for (words, message) in [
      (["--pin", "arts"], "no pack has the ID 'arts'"),
      (["--write", "worst"], "there is no proposal 'worst'"),
      (["--write", ""], "there is no proposal ''"),
      (["--weights", folder.path("w.csv")], "unknown release 'v99'"),
      (["--weights", folder.path("bad.csv")], "'count' is no column"),
    ] {
      let run = Captured(["plan", "--project", folder.path, "--history", "v0.."] + words)
      #expect(run.ending == .status(.failed), "\(words)")
      #expect(run.messages.contains(message), "\(words) \(run.messages)")
      #expect(run.messages.contains("hint: "), "\(words) \(run.messages)")
    }
    let single = Captured("plan", "--project", folder.path, "--history", "v7..")
    #expect(single.messages.contains("contains only one release"))
  }
}
