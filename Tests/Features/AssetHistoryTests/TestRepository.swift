import SystemIO
import TerminalText
import TestSupport
import Testing

/// A Git repository for tests.
final class TestRepository {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    _ = try git("init", "--quiet", "--initial-branch=main", ".")
  }

  var path: String { folder.path }

  /// Runs Git and returns its output without the final newline.
  @discardableResult
  func git(_ words: String..., reading input: [UInt8] = []) throws -> String {
    let output = try ProgramOutput(
      of: [
        "git", "-C", folder.path, "-c", "user.name=t", "-c", "user.email=t@example.com", "-c",
        "commit.gpgsign=false", "-c", "protocol.file.allow=always",
      ] + words,
      changing: ["GIT_CONFIG_GLOBAL": "/dev/null", "GIT_DIR": nil], reading: input,
      atMost: 1 << 24, until: .now + .seconds(60), .unstoppable)
    try #require(
      output.end == .status(0), "\(words): \(String(decoding: output.errors, as: UTF8.self))")
    let text = String(decoding: output.bytes, as: UTF8.self)
    return text.hasSuffix("\n") ? String(text.dropLast()) : text
  }

  /// Commits all files with a tag.
  func release(_ tag: String) throws {
    try git("add", "--all")
    try git("commit", "--quiet", "--allow-empty", "-m", tag)
    try git("tag", "-a", "-m", tag, tag)
  }

  /// Commits a tree that Git itself would not write, and returns the ID of the commit.
  func commit(tree: [(mode: String, name: String, id: String)]) throws -> String {
    var bytes: [UInt8] = []
    for entry in tree {
      bytes += Array("\(entry.mode) \(entry.name)".utf8) + [0]
      bytes += try #require([UInt8](hexadecimal: entry.id, count: 20))
    }
    let id = try git("hash-object", "-w", "-t", "tree", "--stdin", "--literally", reading: bytes)
    return try git("commit-tree", "-m", "tree", id)
  }
}
