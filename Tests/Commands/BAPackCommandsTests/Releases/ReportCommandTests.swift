import Arguments
import BAPackCommands
import BAPackKit
import Foundation
import SystemIO
import TestSupport
import Testing

/// `report` on a terminal and in a script.
///
/// The contents of the formats are tested in ReportingTests.
@Suite("report")
final class ReportCommandTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try makePack(
      "old/cave.aar", "cave", [("a.png", [UInt8](repeating: 1, count: 500)), ("b", [2])])
    try makePack(
      "new/cave.aar", "cave", [("a.png", [UInt8](repeating: 3, count: 900)), ("c", [2])])
    try makePack("new/more.aar", "more", [("copy.png", [UInt8](repeating: 3, count: 900))])
  }

  private func path(_ name: String) -> String { folder.path(name) }

  private func text(_ name: String) throws -> String {
    String(decoding: try folder.contents(name), as: UTF8.self)
  }

  private func makePack(
    _ path: String, _ id: String, _ files: [(String, [UInt8])], _ members: String = ""
  ) throws {
    var pack = PackBytes.beginning
    for (name, bytes) in files { pack.addFile("Contents/\(name)", bytes) }
    pack.addFile(
      "Manifest.json",
      Array(
        (#"{\#(members)"assetPackID": "\#(id)", "downloadPolicy": {"onDemand": {}}, "#
          + #""fileSelectors": [{"directory": "."}], "platforms": []}"#)
          .utf8))
    try folder.makeFile(path, pack.container())
  }

  @Test func `the extension of the output selects the format, and an option overrides it`() throws {
    for (name, start) in [
      ("r.html", "<!doctype html>"), ("r.json", "{\n\"format\":"), ("r.csv", "pack,policy,"),
      ("r.md", "## Asset packs"), ("r.cdx.json", "{\n  \"$schema\": \"http://cyclonedx.org"),
      ("r", "<!doctype html>"),
    ] {
      let run = Captured("report", path("new"), "-o", path(name))
      #expect(run.ending == .status(.done), "\(run.messages)")
      #expect(run.messages.hasPrefix("Wrote '\(path(name))': 2 packs, 3 files, "))
      #expect(try text(name).hasPrefix(start), "\(name)")
      let again = Captured("report", path("new"), "-o", path(name))
      #expect(again.ending == .status(.done), "a former report is replaced: \(again.messages)")
    }
    let run = Captured("report", path("new"), "--format", "csv", "-o", path("table.txt"))
    #expect(run.ending == .status(.done))
    #expect(try text("table.txt") == text("r.csv"))
    #expect(Captured("report", path("new"), "--format", "csv").output == (try text("r.csv")))
  }

  @Test func `a report compares with one channel of the old packs`() throws {
    try makePack("live/store/cave.aar", "cave", [("old", [1])])
    try makePack("live/internal/cave.aar", "cave", [("c", [2])])
    let run = Captured("report", path("new"), "--baseline", path("live"), "-o", path("r.json"))
    #expect(run.ending == .status(.done), "\(run.messages)")
    #expect(
      run.messages.hasPrefix(
        "The old packs are those of the channel 'store'; '--channel' selects another one.\n"))
    #expect(try text("r.json").contains(path("live/store")))
    let other = Captured(
      "report", path("new"), "--baseline", path("live"), "--channel", "internal", "-o",
      path("r.json"))
    #expect(other.ending == .status(.done), "\(other.messages)")
    #expect(!other.messages.contains("channel"))
    #expect(try text("r.json").contains(path("live/internal")))
  }

  @Test func `only an earlier report is replaced without --force`() throws {
    try folder.makeFile("mine.html", "<!doctype html><title>mine</title>")
    try folder.makeFile("mine.json", "{\n\"assetPackID\": 1}")
    for name in ["mine.html", "mine.json", "new/cave.aar"] {
      let before = try folder.contents(name)
      let format = name.hasSuffix(".aar") ? ["--format", "html"] : []
      let run = Captured(["report", path("new"), "-o", path(name)] + format)
      #expect(run.ending == .status(.failed))
      #expect(run.messages.contains("--force"), "\(run.messages)")
      #expect(try folder.contents(name) == before)
    }
    let forced = Captured("report", path("new"), "-o", path("mine.html"), "--force")
    #expect(forced.ending == .status(.done))
  }

  @Test func `equal inputs give equal bytes, with any number of threads in any folder`() throws {
    for format in ["html", "json", "csv", "markdown", "cyclonedx"] {
      let outputs = ["1", "2", "3", "8"].map {
        Captured(
          "report", path("new"), "--baseline", path("old"), "--format", format, "--threads", $0
        )
        .outputBytes
      }
      #expect(Set(outputs).count == 1, "\(format)")
      #expect(outputs[0].count > 100)
    }
  }

  @Test func `archives are read a second time only for a report with their digests`() throws {
    func reads(_ options: [String]) -> Int {
      let counter = CallCount()
      let run = ForcedFailures.inject(ForcedFailure(.read, .run { counter.add() }, path: ".aar")) {
        Captured(["report", path("new"), "--threads", "1"] + options)
      }
      #expect(run.ending == .status(.done), "\(run.messages)")
      return counter.value
    }
    let page = reads(["--format", "html"])
    #expect(page > 0)
    for format in ["csv", "markdown"] { #expect(reads(["--format", format]) == page, "\(format)") }
    let whole = reads(["--format", "json"])
    #expect(whole > page)
    #expect(reads(["--format", "cyclonedx"]) == whole)
    // Of a pack that did not change, only the digest is computed.
    let unchanged = reads(["--format", "html", "--baseline", path("new")])
    #expect(unchanged == whole + (whole - page))
  }

  @Test func `findings about a pack that did not change are at its path, not the baseline's`()
    throws
  {
    for release in ["old", "new"] {
      try makePack("\(release)/voices.aar", "voices", [("voice", [1])], #""language": "fr", "#)
    }
    #expect(try folder.contents("old/voices.aar") == folder.contents("new/voices.aar"))
    for baseline in [[], ["--baseline", path("old")]] {
      let run = Captured(["report", path("new"), "--format", "json"] + baseline)
      #expect(run.ending == .status(.done), "\(run.messages)")
      #expect(run.output.contains("language.systems"), "\(baseline)")
      #expect(run.output.contains("new/voices.aar/Manifest.json"), "\(baseline)")
      #expect(!run.output.contains("old/voices.aar/Manifest.json"), "\(baseline)")
    }
  }

  @Test func `an earlier report represents packs that no longer exist, in diff and as a baseline`()
    throws
  {
    #expect(Captured("report", path("old"), "-o", path("1.0.json")).ending == .status(.done))
    let kept = Captured("diff", path("1.0.json"), path("new"))
    let real = Captured("diff", path("old"), path("new"))
    #expect(kept.ending == .status(.done))
    #expect(kept.output == real.output)
    #expect(kept.output.contains("changed   a.png    500 -> 900 bytes"))
    let page = Captured(
      "report", path("new"), "--baseline", path("1.0.json"), "--format", "markdown")
    #expect(page.output.contains("a.png"))
    try folder.makeFile(
      "broken.json", try text("1.0.json").replacing("\"packs\":[", with: "\"packs\":[1,"))
    let broken = Captured("diff", path("broken.json"), path("new"))
    #expect(broken.ending == .status(.failed))
    #expect(broken.messages.contains("broken.json:"))
    #expect(broken.messages.contains("No packs were compared"))
  }

  @Test func `a folder of earlier reports is the history`() throws {
    for name in ["1.0", "1.1"] {
      #expect(
        Captured("report", path("old"), "-o", path("history/\(name).json")).ending
          == .status(.failed))
      try folder.makeFolder("history")
      #expect(
        Captured("report", path("old"), "-o", path("history/\(name).json")).ending == .status(.done)
      )
      try FileManager.default.moveItem(atPath: path("history"), toPath: path("history-\(name)"))
    }
    try folder.makeFolder("history")
    for name in ["1.0", "1.1"] {
      try folder.makeFile(
        "history/\(name).json", try folder.contents("history-\(name)/\(name).json"))
    }
    let run = Captured("report", path("new"), "--baseline", path("history"), "--format", "json")
    #expect(run.ending == .status(.done), "\(run.messages)")
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(run.outputBytes)) as? [String: Any])
    let history = try #require(object["history"] as? [[String: Any]])
    #expect(history.count == 3)
  }

  @Test func `an exceeded budget fails, and the report is written nevertheless`() throws {
    let run = Captured("report", path("new"), "-o", path("r.html"), "--budget", "hosted=100")
    #expect(run.ending == .status(.failed))
    #expect(run.messages.contains("is over the budget of 100"))
    #expect(run.messages.contains("[budget.hosted]"))
    #expect(try text("r.html").contains("budget.hosted"))
    let update = Captured(
      "report", path("new"), "-o", path("r.html"), "--baseline", path("old"), "--budget", "update=1"
    )
    #expect(update.ending == .status(.failed))
    #expect(update.messages.contains("[budget.update]"))
  }

  @Test func `notes about the manifests in packs are in the report`() throws {
    func pack(_ language: String) throws {
      var pack = PackBytes.beginning
      pack.addFile("Contents/voice", [1])
      pack.addFile(
        "Manifest.json",
        Array(
          (#"{"assetPackID": "voices-\#(language)", "downloadPolicy": {"onDemand": {}}, "#
            + #""fileSelectors": [{"directory": "."}], "platforms": [], "#
            + #""language": "\#(language)"}"#)
            .utf8))
      try folder.makeFile("voices/\(language).aar", pack.container())
    }
    try pack("fr")
    try pack("de")
    let run = Captured(
      "report", path("voices"), "--format", "json", "--primary-language", "en")
    #expect(run.ending == .status(.done), "\(run.messages)")
    #expect(run.output.contains("language.systems"))
    #expect(run.output.contains("packs.primary-language"), "\(run.output)")
    #expect(!Captured("diff", path("voices"), path("voices")).messages.contains("language."))
  }

  @Test func `a page is not written to a terminal, and packs are required`() {
    let run = Captured(["report", path("new")], terminal: true)
    #expect(run.ending == .status(.failed))
    #expect(run.messages.contains("specify a file with -o"))
    #expect(Captured("report", "--no-project").ending == .status(.usage))
    let none = Captured("report", path("nothing"), "-o", path("r.html"))
    #expect(none.ending == .status(.failed))
  }

  @Test func `packing compares the update downloads with the project's baseline`() throws {
    try folder.makeFile("Assets/a.bin", [UInt8](repeating: 1, count: 100))
    try folder.makeFile(
      "pack.json",
      #"{"assetPackID": "cave", "downloadPolicy": {"onDemand": {}}, "#
        + #""fileSelectors": [{"directory": "Assets"}], "platforms": []}"#
    )
    try folder.makeFile(
      "ba-package.json",
      #"{"packs": ["pack.json"], "output": "build", "baseline": "old", "budgets": "#
        + #"{"update": "1K"}}"#
    )
    let project = ["--project", path("ba-package.json")]
    let small = Captured(["pack"] + project)
    #expect(small.ending == .status(.done), "\(small.messages)")
    var random = Seeded(seed: 1)
    try folder.makeFile("Assets/a.bin", random.noise(3000))
    let large = Captured(["pack", "--force"] + project)
    #expect(large.ending == .status(.failed))
    #expect(large.messages.contains("is over the budget of 1 KB"), "\(large.messages)")
    #expect(large.messages.contains("ba-package.json:1:"))
  }

  @Test func `an earlier report shows an update with the same files`() throws {
    try folder.makeFile("Assets/a.bin", [UInt8](repeating: 1, count: 1000))
    try folder.makeFile(
      "pack.json",
      #"{"assetPackID": "p", "downloadPolicy": {"onDemand": {}}, "fileSelectors": "#
        + #"[{"directory": "Assets"}], "sourceRoot": ".", "platforms": []}"#
    )
    func pack(at time: String) {
      let run = Captured(
        ["pack", path("pack.json"), "-o", path("packed/p.aar"), "--force", "--no-project"],
        environment: ["SOURCE_DATE_EPOCH": time])
      #expect(run.ending == .status(.done), "\(run.messages)")
    }
    try folder.makeFolder("packed")
    pack(at: "1500000000")
    #expect(Captured("report", path("packed"), "-o", path("1.json")).ending == .status(.done))
    let digest = try PublishedArchive.sha256(ofFileAt: path("packed/p.aar"), .unstoppable)
    #expect(try text("1.json").contains("\"sha256\":\"\(digest)\""))
    let same = Captured("diff", path("1.json"), path("packed"), "--budget", "update=1")
    #expect(same.ending == .status(.done))
    #expect(same.output.hasPrefix("1 pack unchanged\n"))
    let size = try folder.contents("packed/p.aar").count
    pack(at: "1600000000")
    #expect(try folder.contents("packed/p.aar").count == size, "else the size alone would tell")
    let other = Captured("diff", path("1.json"), path("packed"), "--budget", "update=1")
    #expect(other.ending == .status(.failed))
    #expect(other.output.contains("the same files: different bytes   devices download"))
    #expect(other.messages.contains("[budget.update]"))
    #expect(Captured("report", path("packed"), "-o", path("2.json")).ending == .status(.done))
    let reports = Captured("diff", path("1.json"), path("2.json"))
    #expect(reports.output == other.output)
    // A report of an older program, without this information.
    try folder.makeFile(
      "0.json",
      try text("1.json").replacing(
        "\"sha256\":\"\(digest)\",", with: ""))
    let unknown = Captured("diff", path("0.json"), path("packed"), "--budget", "update=1")
    #expect(
      unknown.output.hasPrefix("p  may have changed: the SHA-256 digest of an archive is unknown\n")
    )
    #expect(unknown.messages.contains("The budget 'update' is not checked"))
  }

  @Test func `an output without the extension of a report is an error`() throws {
    for name in ["x.pdf", "report.xlsx", "a.html.gz"] {
      let run = Captured("report", path("new"), "-o", path(name))
      #expect(run.ending == .status(.usage), "\(name)")
      #expect(run.messages.contains("--format"), "\(run.messages)")
      #expect(throws: (any Error).self) { try self.folder.contents(name) }
    }
    #expect(
      Captured("report", path("new"), "-o", path("x.pdf"), "--format", "csv").ending
        == .status(.done))
    #expect(Captured("report", path("new"), "-o", path("page")).ending == .status(.done))
    #expect(try text("page").hasPrefix("<!doctype html>"))
  }
}
