import BAPackKit
import Foundation
import Proposing
import SourceDiagnostics
import SystemIO
import TestSupport
import Testing

@testable import AppSide

/// Tests of several runs that add an extension to the same project, and of interrupted runs.
@Suite struct ExtensionRunsTests {
  @Test(arguments: [XcodeSample.classic, .synchronized])
  func `a second run changes nothing, and equal projects get equal objects`(
    sample: XcodeSample
  ) throws {
    let folder = try TemporaryFolder()
    let first = try sample.result(in: folder).after
    let again = try XcodeSample.addition(to: folder)
    #expect(again.changes.isEmpty)
    #expect(!again.addsTarget)
    #expect(again.target == "Downloader")
    #expect(try sample.result(in: try TemporaryFolder()).after == first)
  }

  @Test func `a project that an engine writes again gets the same extension again`() throws {
    let folder = try TemporaryFolder()
    let first = try XcodeSample.classic.result(in: folder).after
    try folder.makeFile("Downloader/BackgroundDownloadHandler.swift", "// changed by the user\n")
    try folder.makeFile("Game.xcodeproj/project.pbxproj", XcodeSample.classic.project)
    let again = try XcodeSample.addition(to: folder)
    #expect(again.changes.newFiles.isEmpty)
    try again.write()
    #expect(try XcodeSample.text("Game.xcodeproj/project.pbxproj", folder) == first)
    #expect(
      try XcodeSample.text("Downloader/BackgroundDownloadHandler.swift", folder)
        == "// changed by the user\n")
  }

  @Test func `the former project is kept, and no kept project is replaced`() throws {
    let folder = try TemporaryFolder()
    _ = try XcodeSample.classic.result(in: folder)
    let kept = "Game.xcodeproj/project.pbxproj.orig"
    #expect(try XcodeSample.text(kept, folder) == XcodeSample.classic.project)
    var other = XcodeSample.classic
    other.appSettings["MARKETING_VERSION"] = "1.3"
    _ = try other.result(in: folder)
    #expect(try XcodeSample.text(kept, folder) == XcodeSample.classic.project)
    #expect(try XcodeSample.text(kept + ".2", folder) == other.project)
  }

  @Test(arguments: [XcodeSample.classic, .synchronized])
  func `a run that ends between two files is completed by the next run`(
    sample: XcodeSample
  ) throws {
    var sample = sample
    (sample.appSettings["INFOPLIST_FILE"], sample.info) = (nil, nil)
    sample.appSettings["GENERATE_INFOPLIST_FILE"] = "YES"
    let folder = try TemporaryFolder()
    try sample.write(to: folder)
    let addition = try XcodeSample.addition(to: folder)
    let path = folder.path
    let states = Guarded<[[String: Data]]>([])
    let calls = [SystemCall.link, .rename].map { call in
      ForcedFailure(
        call,
        .run {
          let tree = Self.tree(path)
          states.with { $0.append(tree) }
        }, within: path)
    }
    try ForcedFailures.inject(calls) { () throws(PackError) in try addition.write() }
    // Each new file gets its name once, and each changed file has another one before.
    let (new, changed) = (addition.changes.newFiles.count, addition.changes.edits.count)
    let all = states.with { $0 }
    #expect(all.count == new + 2 * changed)
    let whole = Self.tree(path)
    for state in all {
      #expect(state["Game.xcodeproj/project.pbxproj"] == Data(sample.project.utf8))
      let copy = try TemporaryFolder()
      for (name, data) in state { try copy.makeFile(name, Array(data)) }
      try XcodeSample.addition(to: copy).write()
      #expect(Self.tree(copy.path) == whole)
    }
  }

  /// Returns the contents of all files, except those that have temporary names.
  private static func tree(_ path: String) -> [String: Data] {
    var tree: [String: Data] = [:]
    for name in FileManager.default.subpaths(atPath: path) ?? [] {
      let isTemporary = TemporaryName.matches(Array(FilePath(name).name.bytes))
      guard !isTemporary else { continue }
      tree[name] = FileManager.default.contents(atPath: path + "/" + name)
    }
    return tree
  }

  @Test func `a missing dependency is completed`() throws {
    let folder = try TemporaryFolder()
    let whole = try XcodeSample.classic.result(in: folder).after
    let lines = whole.split(separator: "\n", omittingEmptySubsequences: false)
    let index = try #require(lines.firstIndex { $0.hasSuffix("/* PBXTargetDependency */,") })
    var partial = lines
    partial.remove(at: index)
    try folder.makeFile("Game.xcodeproj/project.pbxproj", partial.joined(separator: "\n"))
    // The dependency is still an object, which no list contains.
    let message = XcodeSample.reason(folder)
    #expect(message.contains("contains a part of an extension: the object '"))
    let names = ["PBXTargetDependency", "PBXContainerItemProxy"]
    var bytes = Array(partial.joined(separator: "\n").utf8)
    let objects = try #require(try OldPropertyList.read(bytes)["objects"]).members
    for member in objects.reversed() where names.contains(member.value["isa"]?.text ?? "") {
      bytes.removeSubrange(member.keySpan.start..<member.value.span.end + 1)
    }
    try folder.makeFile("Game.xcodeproj/project.pbxproj", bytes)
    let completed = try XcodeSample.addition(to: folder)
    #expect(!completed.addsTarget)
    try completed.write()
    let after = try XcodeSample.objects(
      try XcodeSample.text("Game.xcodeproj/project.pbxproj", folder))
    let expected = try XcodeSample.objects(whole)
    #expect(after == expected)
  }

  @Test func `a folder that was deleted is written again`() throws {
    let folder = try TemporaryFolder()
    let (first, _, after) = try XcodeSample.classic.result(in: folder)
    try folder.remove("Downloader")
    let again = try XcodeSample.addition(to: folder)
    #expect(again.changes.newFiles.map(\.path) == first.changes.newFiles.prefix(3).map(\.path))
    #expect(again.changes.edits.isEmpty)
    try again.write()
    #expect(try XcodeSample.text("Game.xcodeproj/project.pbxproj", folder) == after)
    // The code may be in another file now.
    try folder.remove("Downloader/BackgroundDownloadHandler.swift")
    #expect(try XcodeSample.addition(to: folder).changes.isEmpty)
  }
}
