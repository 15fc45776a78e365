// Long because each type of input and of output is tested with the same releases.
import Arguments
import BAPackCommands
import Foundation
import TestSupport
import Testing

/// `diff` on a terminal, in a script, and on a pull request.
@Suite("diff")
final class DiffTests {
  private let folder: TemporaryFolder
  private static let essential =
    #"{"essential": {"installationEventTypes": ["firstInstallation", "subsequentUpdate"]}}"#

  init() throws { folder = try TemporaryFolder() }

  private func path(_ name: String) -> String { folder.path(name) }

  private func makePack(
    _ path: String, _ id: String, policy: String = essential, _ files: [(String, [UInt8])]
  ) throws {
    var pack = PackBytes.beginning
    for (name, bytes) in files { pack.addFile("Contents/\(name)", bytes) }
    pack.addFile(
      "Manifest.json",
      Array(
        (#"{"assetPackID": "\#(id)", "downloadPolicy": \#(policy), "#
          + #""fileSelectors": [{"directory": "."}], "platforms": []}"#)
          .utf8))
    try folder.makeFile(path, pack.container())
  }

  private func makeReleases() throws {
    var random = Seeded(seed: 1)
    let music = random.noise(3_000_000)
    try makePack(
      "old/cave.aar", "cave",
      [
        ("Cave/backdrop.png", random.noise(5_000)), ("Cave/map.json", [1]),
        ("Cave/music.caf", music),
      ])
    try makePack(
      "new/cave.aar", "cave",
      [("Cave/backdrop.png", random.noise(53_000)), ("Cave/music.caf", music)])
    for side in ["old", "new"] { try makePack("\(side)/same.aar", "same", [("x", [1, 2, 3])]) }
    try makePack("new/demand.aar", "demand", policy: #"{"onDemand": {}}"#, [("y", [1])])
  }

  @Test func `changes, sizes and breaking changes are printed in a few lines`() throws {
    try makeReleases()
    let run = Captured("diff", path("old"), path("new"))
    #expect(run.ending == .status(.done))
    #expect(run.messages == "")
    let lines = run.output.split(separator: "\n").map(String.init)
    #expect(lines[0] == "cave    3.01 -> 3.05 MB   devices download 3.05 MB again")
    #expect(lines[1] == "    changed   Cave/backdrop.png   5.00 -> 53.0 KB")
    #expect(
      lines[2]
        == "    removed   Cave/map.json       1 byte   BREAKS: apps that request this path no "
        + "longer find it"
    )
    #expect(lines[3].hasPrefix("demand  new, "))
    #expect(lines[4] == "1 pack unchanged")
    #expect(lines[5] == "update: 3.05 MB")
    #expect(lines[6] == "first launch: 3.01 -> 3.05 MB")
    #expect(lines.contains { $0.hasPrefix("hosted: 3.01 -> 3.05 MB") })
    #expect(
      lines.last == "hint: backdrop.png in a separate pack would reduce this update to 53.2 KB")
  }

  @Test func `only requested conditions cause a failure`() throws {
    try makeReleases()
    #expect(Captured("diff", path("old"), path("old"), "--fail-on", "any").ending == .status(.done))
    let breaking = Captured("diff", path("old"), path("new"), "--fail-on", "breaking")
    #expect(breaking.ending == .status(.failed))
    #expect(breaking.messages == "error: 1 change breaks apps that are already released\n")
    let any = Captured("diff", path("new"), path("new"), "--fail-on", "budget,any")
    #expect(any.ending == .status(.done))
    let both = Captured("diff", path("old"), path("new"), "--fail-on", "budget,any")
    #expect(both.ending == .status(.failed))
    #expect(both.messages == "error: packs changed\n")
    #expect(
      Captured("diff", path("old"), path("new"), "--fail-on", "all").ending == .status(.usage))
  }

  @Test func `accepted breakage does not fail until its last day, and must exist`()
    throws
  {
    try makeReleases()
    func judged(_ entries: String) throws -> Captured {
      try folder.makeFile("accept.json", #"{"accepted": [\#(entries)]}"#)
      return Captured(
        "diff", path("old"), path("new"), "--fail-on", "breaking", "--accept", path("accept.json"))
    }
    func entry(_ until: String, path: String = "Cave/*.json") -> String {
      #"{"breaks": "path-removed", "pack": "ca*", "path": "\#(path)", "reason": "no app asks", "#
        + #""until": "\#(until)"}"#
    }
    let accepted = try judged(entry("2999-12-31"))
    #expect(accepted.ending == .status(.done))
    #expect(accepted.output.contains("accepted until 2999-12-31: no app asks"))
    let over = try judged(entry("2020-01-31"))
    #expect(over.ending == .status(.failed))
    #expect(
      over.messages.contains("accept.json:1:15: warning: this break was accepted until 2020-01-31"))
    let unused = try judged(entry("2999-12-31", path: "other"))
    #expect(unused.ending == .status(.failed))
    #expect(unused.messages.contains("[accept.unused]"))
    for (wrong, reason) in [
      (entry("soon"), "expected a date such as 2027-01-31 instead of 'soon' [accept.value]"),
      (
        entry("2026-02-30"),
        "expected a date such as 2027-01-31 instead of '2026-02-30' [accept.value]"
      ),
      (
        entry("2027-02-29"),
        "expected a date such as 2027-01-31 instead of '2027-02-29' [accept.value]"
      ),
      (
        #"{"breaks": "nothing", "pack": "a", "reason": "r", "until": "2999-01-01"}"#,
        "[accept.value]"
      ),
      (#"{"breaks": "path-removed", "pack": "a", "until": "2999-01-01"}"#, "'reason'"),
      (
        #"{"breaks": "path-removed", "pack": "a", "reason": " ", "until": "2999-01-01"}"#,
        "the reason is empty"
      ),
    ] {
      let run = try judged(wrong)
      #expect(run.ending == .status(.failed))
      #expect(run.messages.contains(reason), "\(run.messages)")
      #expect(run.messages.contains("No packs were compared"))
    }
  }

  @Test func `hostile names remain names in every format`() throws {
    let names = [
      "a`b|c\n@everyone.png", "<img src=x onerror=alert(1)>.png", "\u{1B}[31mred", "![x](http://e)",
      "::error::x", "=cmd()", "``", "`",
    ]
    try makePack("old/p.aar", "p", [("keep", [1])])
    try makePack("new/p.aar", "p", [("keep", [1])] + names.map { ($0, [2]) })
    let text = Captured("diff", path("old"), path("new")).output
    #expect(!text.contains("\u{1B}") && text.split(separator: "\n").count < 20)
    let markdown = Captured("diff", path("old"), path("new"), "--format", "markdown").output
    // Each name has one row, and the text is inside of code.
    let rows = markdown.split(separator: "\n").filter { $0.hasPrefix("| added |") }
    #expect(rows.count == names.count)
    #expect(rows.contains("| added | ``a`b\\|c\\x0A@everyone.png`` | 1 byte |"))
    #expect(rows.contains("| added | ``` `` ``` | 1 byte |"))
    #expect(!markdown.contains("\u{1B}"))
    let json = Captured("diff", path("old"), path("new"), "--format", "json").output
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
    let packs = try #require(object["packs"] as? [[String: Any]])
    let files = try #require(packs[0]["files"] as? [[String: Any]])
    #expect(Set(files.compactMap { $0["path"] as? String }) == Set(names))
    let github = Captured("diff", path("new"), path("old"), "--format", "github").output
    #expect(github.split(separator: "\n").allSatisfy { $0.hasPrefix("::warning file=") })
    #expect(github.split(separator: "\n").count == names.count)
  }

  @Test func `a comment contains the largest changes and the number of the others`() throws {
    let long = String(repeating: "n", count: 200)
    var files: [(String, [UInt8])] = [("keep", [1])]
    for number in 0..<60 {
      files.append(("\(long)\(number)", [UInt8](repeating: 1, count: 60 - number)))
    }
    for number in 0..<40 {
      try makePack("new/p\(number).aar", "p\(number)", files)
      try makePack("old/p\(number).aar", "p\(number)", [("keep", [1])])
    }
    let markdown = Captured("diff", path("old"), path("new"), "--format", "markdown").output
    #expect(markdown.utf16.count <= 65_536)
    #expect(markdown.contains("changed packs more: omitted because of the size limit._"))
    #expect(markdown.contains("| and 10 files more |") || markdown.contains("files more |"))
    #expect(markdown.contains("Devices download whole packs"))
  }

  @Test func `in GitHub Actions the comment is added to the summary of the step`() throws {
    try makeReleases()
    try folder.makeFile("summary", "before\n")
    for format in ["markdown", "github"] {
      let run = Captured(
        ["diff", path("old"), path("new"), "--format", format],
        environment: ["GITHUB_STEP_SUMMARY": path("summary")])
      #expect(run.ending == .status(.done))
    }
    let summary = String(decoding: try folder.contents("summary"), as: UTF8.self)
    #expect(summary.hasPrefix("before\n### Asset packs: 1 changed, 1 new, 1 unchanged\n"))
    #expect(summary.components(separatedBy: "### Asset packs").count == 3)
  }

  @Test func `lists of digests represent packs that no longer exist`() throws {
    try makeReleases()
    try folder.makeFile("cave.sha256", Captured("list", "--digests", path("old/cave.aar")).output)
    let one = Captured("diff", path("cave.sha256"), path("new/cave.aar"))
    #expect(one.output.contains("    changed   Cave/backdrop.png   53.0 KB\n"))
    #expect(one.output.contains("    removed   Cave/map.json       BREAKS"))
    #expect(one.output.contains("update: unknown: a list of digests contains no"))
    let both = ["old/cave.aar", "old/same.aar"].map(path)
    try folder.makeFile("all.txt", Captured(["list", "--digests"] + both).output)
    try folder.makeFile(
      "all.jsonl", Captured(["list", "--digests", "--format", "json"] + both).output)
    for list in ["all.txt", "all.jsonl"] {
      let run = Captured("diff", path(list), path("new"))
      #expect(run.output.contains("    changed   Cave/backdrop.png"), "\(list)")
      #expect(run.output.contains("1 pack unchanged"), "\(list): \(run.output)")
    }
    // Two concatenated lists are the list of both packs, under any file name.
    try folder.makeFile(
      "two.txt",
      ["old/cave.aar", "old/same.aar"].map {
        Captured("list", "--digests", path($0)).output
      }.joined())
    try FileManager.default.moveItem(atPath: path("new/cave.aar"), toPath: path("new/1.aar"))
    let two = Captured("diff", path("two.txt"), path("new"))
    #expect(two.output.contains("cave    ") && two.output.contains("1 pack unchanged"))
    #expect(!two.output.contains("cave    new"))
    try folder.makeFile("none.txt", "no list\n")
    let none = Captured("diff", path("none.txt"), path("new"))
    #expect(none.ending == .status(.failed))
    #expect(none.messages.contains("which contains no packs"))
  }

  @Test func `a list specifies its pack, or is matched by the file name, or is an error`() throws {
    try makePack("build/a.aar", "tutorial", [("map.json", [1]), ("x", [2])])
    let list = Captured("list", "--digests", path("build/a.aar")).output
    #expect(list.hasPrefix("# assetPackID: \"tutorial\"\n"))
    try folder.makeFile("old.sha256", list)
    let same = Captured("diff", path("old.sha256"), path("build/a.aar"))
    #expect(same.output.hasPrefix("1 pack unchanged\n"), "\(same.output)")
    let json = Captured("list", "--digests", "--format", "json", path("build/a.aar")).output
    #expect(json.components(separatedBy: #","assetPackID":"tutorial","#).count == 3)
    // In the format of other programs.
    let bare = list.split(separator: "\n").dropFirst().joined(separator: "\n") + "\n"
    try folder.makeFile("a.sha256", bare)
    let byName = Captured("diff", path("a.sha256"), path("build/a.aar"))
    #expect(byName.output.hasPrefix("1 pack unchanged\n"), "\(byName.output)\(byName.messages)")
    try folder.makeFile("bare.sha256", bare)
    try folder.makeFile("titled.txt", "elsewhere/b.aar:\n" + bare)
    for name in ["bare.sha256", "titled.txt"] {
      let refused = Captured("diff", path(name), path("build/a.aar"))
      #expect(refused.ending == .status(.failed))
      #expect(refused.messages.contains("contains no ID for a pack"), "\(refused.messages)")
      #expect(refused.messages.contains("with this program, which adds the ID"))
      #expect(refused.output == "")
    }
    try folder.makeFile("titled.txt", "elsewhere/a.aar:\n" + bare)
    #expect(
      Captured("diff", path("titled.txt"), path("build/a.aar")).output.hasPrefix("1 pack unchanged")
    )
  }

  @Test func `a list of selected files does not represent a pack`() throws {
    try makePack("build/a.aar", "tutorial", [("map.json", [1]), ("k", [2])])
    try makePack("build/b.aar", "cave", [("cave.json", [3])])
    let chosen = [
      ["list", "--digests", path("build/a.aar"), "k"],
      ["list", "--digests", path("build"), "--find", "k"],
      ["list", "--digests", path("build"), "--find", "k", "--format", "json"],
      ["list", "--digests", path("build/a.aar"), "k", "--format", "json"],
    ]
    for arguments in chosen {
      let list = Captured(arguments)
      #expect(list.ending == .status(.done), "\(list.messages)")
      try folder.makeFile("part", list.output)
      let run = Captured("diff", path("part"), path("build"))
      #expect(run.ending == .status(.failed), "\(arguments)")
      #expect(
        run.messages.contains("part' contains only some of the files of its packs"),
        "\(run.messages)")
      #expect(run.output == "")
    }
    // 'sha256sum' skips the comment.
    try folder.makeFile("unpacked/k", [UInt8(2)])
    try folder.makeFile("unpacked/part", Captured(chosen[0]).output)
    #expect(try folder.contents("unpacked/part").starts(with: Array("# assetPackID: ".utf8)))
    let check = Process()
    check.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    check.arguments = ["sha256sum", "--check", "--strict", "part"]
    check.currentDirectoryURL = URL(fileURLWithPath: path("unpacked"))
    check.standardOutput = FileHandle.nullDevice
    check.standardError = FileHandle.nullDevice
    try check.run()
    check.waitUntilExit()
    #expect(check.terminationStatus == 0)
    // Reports that a text listing contains no data for a comparison.
    #expect(!Captured("list", path("build/a.aar"), "k").output.contains("#"))
  }

  @Test func `manifests represent the packs that they would create`() throws {
    try folder.makeFile("Assets/a.bin", [UInt8](repeating: 1, count: 1000))
    try folder.makeFile("Assets/b.bin", [UInt8](repeating: 2, count: 1000))
    try folder.makeFile(
      "pack.json",
      #"{"assetPackID": "p", "downloadPolicy": \#(Self.essential), "#
        + #""fileSelectors": [{"directory": "Assets"}], "sourceRoot": ".", "platforms": []}"#
    )
    #expect(Captured("pack", path("pack.json"), "-o", path("built/")).ending == .status(.done))
    let same = Captured("diff", path("built"), path("pack.json"))
    #expect(same.output.hasPrefix("1 pack unchanged\n"), "\(same.output)")
    try folder.makeFile("Assets/b.bin", [UInt8](repeating: 3, count: 1000))
    let other = Captured("diff", path("built"), path("pack.json"))
    #expect(other.output.contains("    changed   Assets/b.bin   1.00 KB\n"), "\(other.output)")
    #expect(other.output.contains("update: unknown: some packs are not packed yet"))
    try folder.makeFile("pack.json", #"{"assetPackID": "p", "downloadPolice": {}}"#)
    let broken = Captured("diff", path("built"), path("pack.json"))
    #expect(broken.ending == .status(.failed))
    #expect(broken.messages.contains("pack.json:1:1: error: a manifest must contain"))
  }

  @Test func `download manifests are compared by their versions`() throws {
    try makeReleases()
    func publish(_ name: String) -> Captured {
      Captured(
        "download-manifest", "create", path("new/cave.aar"), path("new/same.aar"), "--ios",
        "--download-base-url", "https://example.com", "-o", path(name))
    }
    #expect(publish("dm.json").ending == .status(.done))
    let text = String(decoding: try folder.contents("dm.json"), as: UTF8.self)
    try folder.makeFile(
      "higher.json", text.replacing("\"version\": 0", with: "\"version\": 1", maxReplacements: 1))
    let same = Captured("diff", path("dm.json"), path("dm.json"))
    #expect(same.output.hasPrefix("2 packs unchanged\n"))
    let higher = Captured("diff", path("dm.json"), path("higher.json"))
    #expect(higher.output.hasPrefix("cave  3.05 MB   devices download 3.05 MB again\n"))
    #expect(higher.output.contains("1 pack unchanged\nupdate: 3.05 MB\n"))
    // The record next to the manifest has the digests of the archives.
    let recorded = Captured("diff", path("dm.json"), path("new"), "--fail-on", "breaking")
    #expect(recorded.ending == .status(.done))
    #expect(recorded.output.contains("demand  new, "))
    #expect(recorded.output.contains("2 packs unchanged\n"), "\(recorded.output)")
    #expect(!recorded.output.contains("may have changed"))
    try makePack("new/same.aar", "same", [("x", [1, 2, 4])])
    let changed = Captured("diff", path("dm.json"), path("new"))
    #expect(changed.output.contains("same    "), "\(changed.output)")
    #expect(changed.output.contains("devices download"))
    try makePack("new/same.aar", "same", [("x", [1, 2, 3])])
    // Without it only the server has the bytes of a version.
    try FileManager.default.removeItem(atPath: path("dm.json.lock.json"))
    let unknown = Captured("diff", path("dm.json"), path("new"), "--budget", "update=1")
    #expect(unknown.ending == .status(.done))
    #expect(
      unknown.output.contains("cave    may have changed: the files of one release are unknown"))
    #expect(unknown.output.contains(", plus 2 packs that may have changed\n"))
  }

  @Test func `a project specifies the baseline`() throws {
    try folder.makeFile("Assets/a.bin", "one")
    try folder.makeFile(
      "pack.json",
      #"{"assetPackID": "p", "downloadPolicy": {"onDemand": {}}, "fileSelectors": "#
        + #"[{"directory": "Assets"}], "platforms": []}"#
    )
    try folder.makeFile(
      "ba-package.json", #"{"packs": ["pack.json"], "output": "build", "baseline": "released"}"#)
    let project = ["--project", path("ba-package.json")]
    #expect(Captured(["pack", "-o", path("released/")] + project).ending == .status(.done))
    let early = Captured(["diff"] + project)
    #expect(early.ending == .status(.failed))
    #expect(early.messages.contains("build/p.aar', which is a pack of the project"))
    try folder.makeFile("Assets/a.bin", "two")
    #expect(Captured(["pack"] + project).ending == .status(.done))
    let run = Captured(["diff"] + project)
    #expect(
      run.output.contains("    changed   Assets/a.bin   3 bytes\n"), "\(run.output)\(run.messages)")
    let named = Captured(["diff", path("build")] + project)
    #expect(named.output.hasPrefix("1 pack unchanged\n"))
    #expect(Captured("diff", path("build"), "--no-project").ending == .status(.usage))
  }

  // MARK: Channels

  /// Old packs in two channels: the store has more files, the external testers have the new ones.
  private func makeChannels() throws {
    try makePack("released/store/cave.aar", "cave", [("a", [1]), ("b", [2])])
    try makePack("released/external/cave.aar", "cave", [("a", [1])])
    try makePack("now/cave.aar", "cave", [("a", [1])])
    try folder.makeFile("released/README.md", "The live packs.")
  }

  @Test func `each channel of the old packs is compared`() throws {
    try makeChannels()
    let run = Captured("diff", path("released"), path("now"), "--fail-on", "breaking")
    #expect(run.ending == .status(.failed))
    #expect(run.output.hasPrefix("channel store:\ncave  "), "\(run.output)")
    #expect(run.output.contains("    removed   b   1 byte   BREAKS"), "\(run.output)")
    #expect(run.output.contains("\n\nchannel external:\n1 pack unchanged\n"), "\(run.output)")
    #expect(run.messages == "error: 1 change breaks apps that are already released\n")
    let external = Captured(
      "diff", path("released"), path("now"), "--fail-on", "any", "--channel", "external")
    #expect(external.ending == .status(.done), "\(external.messages)")
    #expect(external.output.hasPrefix("channel external:\n1 pack unchanged\n"))
    let absent = Captured("diff", path("released"), path("now"), "--channel", "internal")
    #expect(absent.ending == .status(.failed))
    #expect(absent.messages.contains("has no packs of the channel 'internal'"))
    #expect(absent.messages.contains("the channels are store, external"), "\(absent.messages)")
    let other = Captured("diff", path("now"), path("now"), "--channel", "store")
    #expect(other.messages.contains("add a folder or a report of this name"))
    let json = Captured("diff", path("released"), path("now"), "--format", "json")
    let lines = json.output.split(separator: "\n")
    #expect(lines.count == 2)
    #expect(lines.first?.hasPrefix(#"{"channel":"store","old":"#) == true, "\(json.output)")
    let markdown = Captured("diff", path("released"), path("now"), "--format", "markdown").output
    #expect(markdown.contains("### Asset packs compared with the channel store: 1 changed"))
    #expect(markdown.contains("### Asset packs compared with the channel external: no changes"))
    let github = Captured(
      "diff", path("released"), path("now"), "--format", "github", "--fail-on", "breaking")
    #expect(github.output.ranges(of: "change.path-removed").count == 1, "\(github.output)")
  }

  @Test func `reports are the old packs of channels, and an entry is accepted in one of them`()
    throws
  {
    try makeChannels()
    try folder.makeFile("reports/README.md", "The live packs.")
    for channel in ["store", "external"] {
      let report = Captured(
        "report", path("released/\(channel)"), "-o", path("reports/\(channel).json"))
      #expect(report.ending == .status(.done), "\(report.messages)")
    }
    try folder.makeFile(
      "accepted.json",
      #"""
      {"accepted": [{"breaks": "path-removed", "pack": "cave", "path": "b", "reason": "unused",
        "until": "2999-01-01"}]}
      """#)
    let run = Captured(
      "diff", path("reports"), path("now"), "--fail-on", "breaking", "--accept",
      path("accepted.json"))
    #expect(run.ending == .status(.done), "\(run.messages)")
    #expect(run.output.contains("accepted until 2999-01-01: unused"), "\(run.output)")
    // The break is not in the other channel, but the entry is not unused.
    #expect(run.messages == "")
    try folder.makeFile("reports/other.json", "{}")
    let mixed = Captured("diff", path("reports"), path("now"))
    #expect(mixed.ending == .status(.failed), "\(mixed.output)")
  }

  @Test func `a budget for updates counts the channel with the largest update`() throws {
    try makeProject(#""budgets": {"update": "1"}, "#)
    let project = ["--project", path("game")]
    #expect(Captured(["pack"] + project).ending == .status(.done))
    for channel in ["store", "external"] {
      try FileManager.default.createDirectory(
        atPath: path("game/released"), withIntermediateDirectories: true)
      try FileManager.default.copyItem(
        atPath: path("game/build"), toPath: path("game/released/\(channel)"))
    }
    let same = Captured(["pack"] + project)
    #expect(same.ending == .status(.done), "\(same.messages)")
    try FileManager.default.removeItem(atPath: path("game/released/store/a.aar"))
    let pack = Captured(["pack"] + project)
    #expect(pack.ending == .status(.failed))
    #expect(pack.messages.contains("[budget.update]"), "\(pack.messages)")
    let diff = Captured(["diff"] + project)
    #expect(diff.ending == .status(.failed))
    #expect(diff.messages.ranges(of: "[budget.update]").count == 1, "\(diff.messages)")
    #expect(Captured(["diff", "--channel", "external"] + project).ending == .status(.done))
  }

  // MARK: Projects

  private func makeProject(_ members: String = "") throws {
    for id in ["a", "b", "c", "d"] {
      try folder.makeFile("game/Assets/\(id)/\(id).bin", "one")
      try folder.makeFile(
        "game/Packs/\(id).json",
        """
        {
          "assetPackID": "\(id)", "downloadPolicy": \(Self.essential),
          "fileSelectors": [{"directory": "Assets/\(id)"}], "platforms": []
        }
        """)
    }
    try folder.makeFile(
      "game/ba-package.json",
      #"{"packs": ["Packs/*.json"], "output": "build", \#(members)"baseline": "#
        + #"{"path": "released", "optional": true}}"#
    )
  }

  @Test func `a project is called by its name, and its annotations are at its manifests`() throws {
    try makeProject()
    let project = ["--project", path("game")]
    #expect(Captured(["pack", "-o", path("game/released/")] + project).ending == .status(.done))
    try folder.makeFile("game/Assets/a/other.bin", "two")
    try FileManager.default.removeItem(atPath: path("game/Assets/a/a.bin"))
    try FileManager.default.removeItem(atPath: path("game/Packs/d.json"))
    #expect(Captured(["pack"] + project).ending == .status(.done))
    let github = Captured(["diff", "--format", "github", "--fail-on", "breaking"] + project)
    let lines = github.output.split(separator: "\n").map(String.init)
    #expect(lines.count == 2)
    #expect(
      lines.contains {
        $0.hasPrefix("::error file=\(path("game"))/Packs/a.json,line=3,")
          && $0.contains("change.path-removed")
      }, "\(lines)")
    #expect(
      lines.contains {
        $0.hasPrefix("::error file=\(path("game"))/ba-package.json,line=1,")
          && $0.contains("change.pack-removed")
      }, "\(lines)")
    func name(_ format: String) throws -> Any? {
      let run = Captured(["report", "--format", "json"] + project)
      return (try JSONSerialization.jsonObject(with: Data(run.outputBytes)) as? [String: Any])?[
        "name"]
    }
    #expect(try name("json") as? String == "game")
    try makeProject(#""name": "Lantern & Light", "#)
    try FileManager.default.removeItem(atPath: path("game/Packs/d.json"))
    #expect(try name("json") as? String == "Lantern & Light")
    let page = Captured(["report", "--format", "html"] + project).output
    #expect(page.contains("<h1>Lantern &amp; Light</h1>"))
    // Packs that are specified individually are limited, too.
    let named = Captured(
      ["report", "--format", "markdown", "--no-project"]
        + ["a", "b", "c", "d"].map { path("game/released/\($0).aar") })
    #expect(named.output.hasPrefix("## Asset packs: `\(path("game/released/a.aar")) and 3 more`\n"))
  }

  @Test func `before the first release no packs are compared, and the command succeeds`() throws {
    try makeProject(#""budgets": {"update": "1"}, "#)
    let project = ["--project", path("game")]
    let note = "released' is optional and has no packs: this is the first release.\n"
    let open = "The budget 'update' is not checked: "
    let packed = Captured(["pack"] + project)
    #expect(packed.ending == .status(.done))
    #expect(packed.messages.contains(note) && packed.messages.contains(open), "\(packed.messages)")
    let run = Captured(["diff", "--fail-on", "any,breaking"] + project)
    #expect(run.ending == .status(.done))
    #expect(run.messages.contains(note) && run.messages.contains(open))
    #expect(run.output.contains("a  new, "))
    #expect(run.output.contains("update: none, this is the first release\nfirst launch: "))
    #expect(!run.output.contains("->"))
    let markdown = Captured(["diff", "--format", "markdown"] + project).output
    #expect(markdown.hasPrefix("### Asset packs: first release, 4 packs\n"))
    #expect(!markdown.contains("0 bytes ->"))
    let report = Captured(["report", "--format", "json"] + project)
    #expect(report.ending == .status(.done))
    #expect(report.messages.contains(note) && report.messages.contains(open))
    #expect(!report.output.contains("\"changes\""))
    #expect(Captured(["validate", "--strict"] + project).ending == .status(.done))
    #expect(!Captured(["pack", "--force", "-q"] + project).messages.contains("budget"))
  }

  @Test func `a folder without packs is no baseline, and an unreadable baseline is an error`()
    throws
  {
    try makeProject(#""budgets": {"update": "1"}, "#)
    let project = ["--project", path("game")]
    for name in [".gitkeep", "README.md"] { try folder.makeFile("game/released/\(name)", "x") }
    let first = Captured(["pack"] + project)
    #expect(first.ending == .status(.done), "\(first.messages)")
    #expect(first.messages.contains("this is the first release"))
    try FileManager.default.removeItem(atPath: path("game/build"))
    try folder.makeFile("game/released/old.aar", "no archive")
    let run = Captured(["pack"] + project)
    #expect(run.ending == .status(.failed))
    #expect(run.messages.contains(", in the 'baseline' of '"), "\(run.messages)")
    #expect(!FileManager.default.fileExists(atPath: path("game/build")))
  }

  @Test func `a missing baseline is reported before packing`() throws {
    try makeProject(#""budgets": {"update": "1"}, "#)
    let text = String(decoding: try folder.contents("game/ba-package.json"), as: UTF8.self)
    try folder.makeFile(
      "game/ba-package.json",
      text.replacing(#"{"path": "released", "optional": true}"#, with: #""released""#))
    let project = ["--project", path("game")]
    let place = "ba-package.json:1:88"
    for command in [["pack"], ["diff"]] {
      let run = Captured(command + project)
      #expect(run.ending == .status(.failed))
      #expect(run.messages.contains("there are no packs at"), "\(command): \(run.messages)")
      #expect(run.messages.contains("'baseline' of"))
      #expect(!FileManager.default.fileExists(atPath: path("game/build")))
      #expect(run.messages.contains(place))
    }
    let checked = Captured(["validate"] + project)
    #expect(checked.ending == .status(.failed))
    #expect(checked.messages.contains("\(place): error: there are no packs at 'released'"))
    // A list with IDs requires no baseline.
    #expect(Captured(["validate", path("game/Packs")] + project).ending == .status(.done))
    try folder.makeFile(
      "game/ba-package.json",
      #"{"packs": ["Packs/*.json"], "output": "build", "budgets": {"update": "1"}}"#)
    let unchecked = Captured(["validate"] + project)
    #expect(unchecked.messages.contains("warning: the budget 'update' is not checked"))
    #expect(Captured(["pack"] + project).messages.contains("The budget 'update' is not checked"))
  }
}
