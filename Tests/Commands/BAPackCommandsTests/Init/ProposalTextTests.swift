import BAPackKit
import Proposing
import SystemIO
import TerminalText
import Testing

@testable import BAPackCommands

/// The display of proposals.
@Suite struct ProposalTextTests {
  private func pack(
    _ id: String, _ policy: DownloadPolicy = .onDemand, series: (String, String)? = nil,
    language: String? = nil, because text: String = "a folder", bytes: UInt64 = 2_000_000
  ) throws -> ProposedPack {
    let rule = try #require(
      ProposalRules.all.first { $0.id.name == (language == nil ? "init.folder" : "init.localized") }
    )
    var pack = ProposedPack(
      Manifest(
        assetPackID: id, downloadPolicy: policy, fileSelectors: [.directory(id)], platforms: [],
        language: language.flatMap { LanguageTag($0) }),
      reasons: [Reason(rule, text)])
    pack.series = series.map { .init(name: $0.0, part: $0.1) }
    pack.count = 1000
    pack.bytes = bytes
    pack.compressed = bytes / 2
    return pack
  }

  private func leftOut(_ text: String, _ count: Int, _ bytes: UInt64) throws -> LeftOut {
    var group = LeftOut(Reason(try #require(ProposalRules.all.first), text))
    group.count = count
    group.bytes = bytes
    group.examples = ["a\u{1B}[31m.psd", "b.psd"]
    return group
  }

  private func text(
    _ packs: [ProposedPack], leftOut: [LeftOut] = [], engine: Engine? = nil, columns: Int = 80
  ) -> String {
    var project = FoundProject(engine: engine)
    project.version = engine == nil ? nil : "4"
    project.marker = engine == nil ? nil : "project.godot"
    var proposal = Proposal(project: project)
    proposal.packs = packs
    proposal.leftOut = leftOut
    let layout = ProjectLayout(
      projectFolder: ".", packsFolder: "Packs", sourceRoot: ".", output: "build/packs")
    return ProposalText(proposal, layout, isChosen: false).text(columns: columns)
  }

  @Test func `packs of a series and a policy are one row`() throws {
    let levels = try (2...9).map {
      try pack("world-0\($0)", series: ("world", "0\($0)"), because: "eight folders of levels")
    }
    let voices = try ["en", "es", "de"].map {
      try pack(
        "voices-\($0)", .prefetch(Set(InstallationEvent.allCases)), series: ("voices", $0),
        language: $0, because: "same paths in three languages")
    }
    let other = try pack(
      "world-10", .prefetch(Set(InstallationEvent.allCases)), series: ("world", "10"))
    let text = text(levels + voices + [other], engine: .godot)
    #expect(
      text.hasPrefix(
        """
        Found a Godot 4 project (project.godot). Assets: 12,000 files, 24.0 MB.

        pack             policy     files     size  compressed*  why
        world-02 … 09    on demand  8,000  16.0 MB      8.00 MB  eight folders of levels
        voices-en/es/de  prefetch   3,000  6.00 MB      3.00 MB  same paths in three
                                                                 languages
        world-10         prefetch   1,000  2.00 MB      1.00 MB  a folder

        """), "\(text)")
    #expect(text.contains("'ba-package explain init.localized' explains a decision."))
    #expect(text.ranges(of: "ba-package explain").count == 1)
  }

  @Test(arguments: [52, 60, 80, 120, 200])
  func `lines are not wider than the terminal`(columns: Int) throws {
    let reason = String(repeating: "small folders that many scenes name ", count: 8)
    let text = text(
      [try pack("core", because: reason)],
      leftOut: [try leftOut("sources of artists and everything that belongs to them", 12, 34)],
      columns: columns)
    for line in text.split(separator: "\n") {
      #expect(ColumnCount(line).columns <= columns, "\(line)")
    }
    #expect(text.contains("many scenes name"))
  }

  @Test func `files that are left out have a row for each reason, the largest first`() throws {
    let groups = try (1...8).map { try leftOut("reason \($0)", $0, UInt64($0) * 1000) }
    let text = text([try pack("core")], leftOut: groups)
    let lines = text.split(separator: "\n").map(String.init)
    let start = try #require(lines.firstIndex { $0.hasPrefix("left out") })
    let words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(lines[start].contains("reason 8"))
    #expect(words.contains("reason 8: a\\x1B[31m.psd, b.psd, …"))
    #expect(words.contains("reason 4:") && !words.contains("reason 3:"))
    #expect(words.contains("3 other reasons"))
    // 1 + 2 + 3 files.
    let sum = try #require(lines.first { $0.contains("3 other") })
    #expect(sum.split(separator: " ").prefix(3) == ["6", "6.00", "KB"])
  }

  @Test func `different downloads of devices are a range`() throws {
    let all = try pack("core", .essential(Set(InstallationEvent.allCases)))
    #expect(text([all]).contains("Before the first launch a device downloads 1.00 MB."))
    let voices = try [("en", UInt64(2_000_000)), ("de", 6_000_000)].map {
      try pack(
        "voices-\($0.0)", .essential(Set(InstallationEvent.allCases)), language: $0.0, bytes: $0.1)
    }
    let range = text([all] + voices).split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(range.contains("a device downloads 2.00 MB (en) to 4.00 MB (de)."), "\(range)")
    #expect(range.contains("All packs of a device: 2.00 MB to 4.00 MB."))
  }
}
