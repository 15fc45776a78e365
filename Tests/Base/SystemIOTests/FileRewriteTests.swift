import Foundation
import Glibc
import SystemIO
import TestSupport
import Testing

@Suite("Files that are rewritten in place")
struct FileRewriteTests {
  private static func rewrite(_ path: String, _ text: String) throws {
    let file = try FileRewrite(path)
    #expect(try file.contents(atMost: 100) == Array("old".utf8))
    try file.replace(by: Array(text.utf8))
  }

  @Test
  func `owner, group, permissions, attributes and a link are kept`() throws {
    let folder = try TemporaryFolder()
    try folder.makeFile("x.json", "old")
    let path = folder.path("x.json")
    let link = folder.path("link.json")
    #expect(unsafe symlink("x.json", link) == 0)
    let file = try FileDescriptor.open(path, for: .reading)
    // Only root can change the owner of files; other users keep theirs.
    if geteuid() == 0 { try file.setOwner(1234, group: 4321) }
    try file.setPermissions(0o2640)
    try file.setAttributes(["user.origin": Array("build 7".utf8), "user.empty": []])
    let before = try file.status()
    try Self.rewrite(link, "new")
    let after = try FileDescriptor.open(path, for: .reading)
    #expect(try after.readToEnd(atMost: 100) == Array("new".utf8))
    let status = try after.status()
    #expect(status.permissions == 0o2640)
    #expect(status.userID == before.userID)
    #expect(status.groupID == before.groupID)
    #expect(geteuid() != 0 || status.userID == 1234)
    #expect(
      try after.attributes()["user.origin"] == Array("build 7".utf8)
        && after.attributes()["user.empty"] == [])
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "x.json")
    #expect(try AtomicFileTests.names(in: folder) == ["link.json", "x.json"])
  }

  @Test
  func `a path that is not a regular file is rejected before reading`() throws {
    let folder = try TemporaryFolder()
    let pipe = folder.path("pipe")
    #expect(unsafe mkfifo(pipe, 0o600) == 0)
    #expect(throws: Failure(.rewrite, pipe, code: FileRewrite.notRegular)) {
      _ = try FileRewrite(pipe)
    }
    #expect(throws: Failure(.rewrite, folder.path, code: EISDIR)) {
      _ = try FileRewrite(folder.path)
    }
    #expect(try FileStatus(ofFileAt: pipe).kind == .pipe)
  }

  @Test
  func `a file that another process changed keeps its new contents`() throws {
    let folder = try TemporaryFolder()
    try folder.makeFile("x.json", "old")
    let path = folder.path("x.json")
    let theirs = ForcedFailure(
      .changeMode, .run { try? Data("theirs".utf8).write(to: URL(filePath: path)) }, times: 1)
    #expect(throws: Failure(.rewrite, path, code: ESTALE)) {
      try ForcedFailures.inject(theirs) { try Self.rewrite(path, "ours") }
    }
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "theirs")
    #expect(try AtomicFileTests.names(in: folder) == ["x.json"])
  }

  @Test(arguments: [SystemCall.changeOwner, .changeMode, .changeAttributes, .write, .sync, .rename])
  func `after any failed system call, the old bytes are kept`(call: SystemCall) throws {
    let folder = try TemporaryFolder()
    try folder.makeFile("x.json", "old")
    let path = folder.path("x.json")
    let file = try FileDescriptor.open(path, for: .reading)
    try file.setAttributes(["user.origin": [1]])
    guard geteuid() == 0 || call != .changeOwner else { return }
    if call == .changeOwner { try file.setOwner(1234, group: 4321) }
    #expect(throws: Failure.self) {
      try ForcedFailures.inject(.always(call, EPERM)) { try Self.rewrite(path, "new") }
    }
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "old")
    #expect(try AtomicFileTests.names(in: folder) == ["x.json"])
  }
}
