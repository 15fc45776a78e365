import Arguments
import BAPackCommands
import Foundation
import SystemIO
import TestSupport
import Testing

/// `init` in a Git repository.
@Suite("init in a Git repository", .mustEnd)
final class InitHistoryTests {
  private let folder: TemporaryFolder
  private static let maps = "changed in 3 of 3 releases"

  init() throws { folder = try TemporaryFolder() }

  private func git(_ words: String...) throws {
    let output = try ProgramOutput(
      of: ["git", "-C", folder.path, "-c", "user.name=t", "-c", "user.email=t@example.com"] + words,
      changing: ["GIT_CONFIG_GLOBAL": "/dev/null", "GIT_DIR": nil], atMost: 1 << 20,
      until: .now + .seconds(60), .unstoppable)
    try #require(output.end == .status(0), "\(String(decoding: output.errors, as: UTF8.self))")
  }

  /// Commits four releases in which only the maps change.
  private func makeReleases() throws {
    try git("init", "--quiet", ".")
    try folder.makeHole("Shapes/a.mesh", size: 400_000)
    try folder.makeHole("UI/button.tga", size: 300_000)
    for number in 1...4 {
      var random = Seeded(seed: UInt64(number))
      try folder.makeFile("Maps/a.map", random.noise(100_000))
      try git("add", "--all")
      try git("commit", "--quiet", "-m", "\(number)")
      try git("tag", "v\(number)")
    }
  }

  private func run(_ arguments: String...) -> Captured {
    Captured(["init", folder.path] + arguments)
  }

  @Test func `packs follow the changes, and the table and the result say how often`() throws {
    try makeReleases()
    let plain = run("--no-history", "--dry-run")
    #expect(plain.ending == .status(.done))
    #expect(!plain.output.contains("releases"))
    let text = run("--dry-run")
    #expect(text.ending == .status(.done), "\(text.messages)")
    #expect(
      text.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        .contains(Self.maps))
    let json = run("--yes", "--format", "json")
    #expect(json.ending == .status(.done), "\(json.messages)")
    let result = try JSONSerialization.jsonObject(with: Data(json.output.utf8))
    let packs = try #require((result as? [String: Any])?["packs"] as? [[String: Any]])
    let reasons = packs.flatMap { $0["reasons"] as? [[String: String]] ?? [] }
      .filter { $0["rule"] == "init.history" }.compactMap { $0["text"] }
    #expect(reasons.contains(Self.maps))
    #expect(reasons.contains("unchanged in 3 releases"))
    // The proposal is complete, and has no warnings.
    for (words, message) in [
      (["validate", "--strict", "--project", folder.path], "no problems"),
      (["init", "--add", folder.path], "Every file is in a pack"),
    ] {
      let next = Captured(words)
      #expect(next.ending == .status(.done), "\(next.messages)")
      #expect((next.output + next.messages).contains(message), "\(next.output) \(next.messages)")
    }
  }

  @Test func `with a damaged tag, the commits are the releases`() throws {
    try makeReleases()
    try folder.makeFile(".git/refs/tags/v3", "no ID\n")
    let text = run("--dry-run")
    #expect(text.ending == .status(.done), "\(text.messages)")
    #expect(
      text.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        .contains("changed in 3 of 3 commits"))
  }

  @Test func `--no-history has no effect on other operations`() {
    let run = run("--add", "--no-history")
    #expect(run.ending != .status(.done))
  }
}
