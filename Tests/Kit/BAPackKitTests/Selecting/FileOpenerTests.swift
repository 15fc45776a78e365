import SystemIO
import TestSupport
import Testing

@testable import BAPackKit

@Suite("Opener of the files of a source root")
struct FileOpenerTests {
  private static func opener(_ folder: borrowing TemporaryFolder) throws -> FileOpener {
    FileOpener(FolderTree(try FileDescriptor.open(folder.path("in"), for: .directory)))
  }

  private static func text(
    _ path: String, _ opener: inout FileOpener
  ) throws(Failure) -> String {
    String(decoding: try opener.open(Array(path.utf8)[...]).readToEnd(atMost: 100), as: UTF8.self)
  }

  /// Opens files in this order; returns the number of calls to open files and folders, and of calls
  /// for a status.
  private static func calls(
    _ paths: [String], _ folder: borrowing TemporaryFolder
  ) throws -> (opens: Int, statuses: Int) {
    var opener = try opener(folder)
    let (opens, statuses) = (CallCount(), CallCount())
    let counted = [
      ForcedFailure(.open, .run { opens.add() }), ForcedFailure(.status, .run { statuses.add() }),
    ]
    try ForcedFailures.inject(counted) {
      for path in paths {
        let text = try Self.text(path, &opener)
        #expect(text == path)
      }
    }
    return (opens.value, statuses.value)
  }

  @Test func `each folder is opened once, and only links need a status`() throws {
    let folder = try TemporaryFolder()
    var paths: [String] = []
    for first in 0..<3 {
      for second in 0..<4 {
        for name in ["a", "b"] { paths.append("top/\(first)/\(second)/\(name)") }
      }
      paths.append("top/\(first)/z")
    }
    paths += ["top/z", "z"]
    for path in paths { try folder.makeFile("in/\(path)", path) }
    let calls = try Self.calls(paths, folder)
    #expect(calls.opens == paths.count + 1 + 3 + 3 * 4)
    #expect(calls.statuses == 0)
  }

  @Test func `a link to a folder is followed once for its files`() throws {
    let folder = try TemporaryFolder()
    try folder.makeFile("in/real/deep/a", "links/here/deep/a")
    try folder.makeFile("in/real/deep/b", "links/here/deep/b")
    try folder.makeFile("in/real/c", "links/here/c")
    try folder.makeFolder("in/links")
    try folder.makeLink("in/links/here", to: "../real")
    let paths = ["links/here/deep/a", "links/here/deep/b", "links/here/c"]
    let calls = try Self.calls(paths, folder)
    // The link, which is not opened, and its target; "links", "real", "deep", and three files.
    #expect(calls.opens == 1 + 3 + 3)
    #expect(calls.statuses == 2)
  }

  @Test func `names that begin with the same text are different folders`() throws {
    let folder = try TemporaryFolder()
    let paths = ["level/a", "level1/a", "level1/b/a", "level/b/a", "level11/a", "a", "level/b/a"]
    for path in paths { try folder.makeFile("in/\(path)", path) }
    #expect(try Self.calls(paths, folder).statuses == 0)
  }

  @Test func `the next file is opened after an error about a folder`() throws {
    let folder = try TemporaryFolder()
    try folder.makeFile("in/a/b/c/file", "a/b/c/file")
    try folder.makeFile("in/a/x", "x")
    var opener = try Self.opener(folder)
    #expect(try Self.text("a/b/c/file", &opener) == "a/b/c/file")
    for (path, place) in [
      ("a/b/none/file", "a/b/none"), ("a/x/c/file", "a/x"), ("none/file", "none"),
    ] {
      let error = #expect(throws: Failure.self) { try Self.text(path, &opener) }
      #expect(error?.path.hasSuffix(place) == true, "\(path): \(String(describing: error))")
      #expect(try Self.text("a/b/c/file", &opener) == "a/b/c/file")
    }
  }

  @Test func `a link that leaves the root is not followed`() throws {
    let folder = try TemporaryFolder()
    try folder.makeFile("secret/file", "secret")
    try folder.makeFile("in/a/file", "a/file")
    try folder.makeLink("in/a/out", to: "../../secret")
    var opener = try Self.opener(folder)
    #expect(throws: Failure.self) { try Self.text("a/out/file", &opener) }
    #expect(try Self.text("a/file", &opener) == "a/file")
  }
}
