import BAPackKit
import Foundation
import Glibc
import SystemIO
import TestSupport
import Testing

@testable import Proposing

/// Tests of files that are written together.
@Suite final class FileChangesTests {
  private let folder: TemporaryFolder
  private let changes: FileChanges

  init() throws {
    folder = try TemporaryFolder()
    try folder.makeFile("old/1", "one")
    try folder.makeFile("old/2", "two")
    let path = FilePath(folder.path)
    let new = Array("new".utf8)
    changes = FileChanges(
      newFiles: ["new/a/1", "new/2"].map { .init(path: path.appending(FilePath($0)), bytes: new) },
      edits: Self.before.sorted { $0.key < $1.key }.map { name, text in
        .init(path: path.appending(FilePath(name)), before: Array(text.utf8), after: new)
      })
  }

  private static let before = ["old/1": "one", "old/2": "two"]
  private static let after = ["new/a/1": "new", "new/2": "new", "old/1": "new", "old/2": "new"]

  /// Returns the files of a folder with their contents, and its other subfolders.
  private static func tree(_ path: String) -> [String: String] {
    var tree: [String: String] = [:]
    for name in FileManager.default.subpaths(atPath: path) ?? [] {
      tree[name] = (try? String(contentsOfFile: path + "/" + name, encoding: .utf8)) ?? "/"
    }
    return tree.filter { name, text in
      text != "/" || !tree.keys.contains { $0.hasPrefix(name + "/") }
    }
  }

  @Test func `new files are written, and existing ones are changed`() throws {
    try changes.write()
    #expect(Self.tree(folder.path) == Self.after)
  }

  @Test(arguments: [SystemCall.open, .write, .read, .sync, .link, .rename], 0..<8)
  func `after a failure all files are as before`(call: SystemCall, skipping: Int) throws {
    let failure = ForcedFailure(
      call, .fail(EIO), times: 1, skipping: skipping, within: folder.path)
    do throws(PackError) {
      try ForcedFailures.inject(failure) { () throws(PackError) in try changes.write() }
      #expect(Self.tree(folder.path) == Self.after)
    } catch {
      #expect(Self.tree(folder.path) == Self.before)
    }
  }

  @Test func `all contents are on the disk before the first file gets its name`() throws {
    let path = folder.path
    let names = Guarded(0)
    let counting = ForcedFailure(.link, .run { names.with { $0 += 1 } }, within: path)
    // The last contents cannot be written: no file has got its name.
    #expect(throws: PackError.self) {
      try ForcedFailures.inject(
        counting, ForcedFailure(.sync, .fail(EIO), path: "old/2")
      ) { try changes.write() }
    }
    #expect(names.with { $0 } == 0)
    #expect(Self.tree(path) == Self.before)
  }

  @Test func `contents that are read with other bytes are not used`() throws {
    // The file system returns the start of the contents only.
    let failure = ForcedFailure(.read, .shorten(to: 0), path: "new/2")
    let error = #expect(throws: PackError.self) {
      try ForcedFailures.inject(failure) { try changes.write() }
    }
    #expect(error?.message.contains("new/2") == true)
    #expect(Self.tree(folder.path) == Self.before)
  }

  @Test func `a file that was changed since it was read is kept`() throws {
    try folder.makeFile("old/2", "other")
    let error = #expect(throws: PackError.self) { try changes.write() }
    #expect(error?.message.contains("old/2") == true)
    #expect(Self.tree(folder.path) == ["old/1": "one", "old/2": "other"])
    try folder.makeFile("old/2", "two")
    try folder.makeFile("new/2", "theirs")
    #expect(throws: PackError.self) { try changes.write() }
    #expect(Self.tree(folder.path) == ["old/1": "one", "old/2": "two", "new/2": "theirs"])
  }
}
