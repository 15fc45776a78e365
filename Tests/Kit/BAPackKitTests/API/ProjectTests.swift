import BAPackKit
import Foundation
import Synchronization
import TestSupport
import Testing

/// The public API of the library, without access to `package` declarations.
@Suite struct ProjectTests {
  private static func manifest(_ id: String, _ selectors: String, root: String? = nil) -> String {
    """
    {"assetPackID": "\(id)", "downloadPolicy": {"onDemand": {}}, "platforms": ["iOS"],
     \(root.map { #""sourceRoot": "\#($0)","# } ?? "")
     "fileSelectors": [\(selectors)]}
    """
  }

  private static func game() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.makeFile("files/a.txt", "a")
    try folder.makeFile("files/deep/b.txt", String(repeating: "b", count: 3_000_000))
    try folder.makeFile("Packs/one.json", manifest("one", #"{"file": "a.txt"}"#, root: "../files"))
    try folder.makeFile(
      "Packs/two.json", manifest("two", #"{"directory": "deep"}"#, root: "../files"))
    return folder
  }

  @Test func `a project is checked, packed, verified, compared and extracted`() async throws {
    let folder = try Self.game()
    let project = Project([folder.filePath("Packs")], hosting: .apple)
    let checked = try await project.check()
    #expect(checked.report.text() == "")
    let packs = try #require(checked.packs)
    #expect(packs.map(\.manifest.assetPackID) == ["one", "two"])
    let seen = Mutex<[WorkProgress]>([])
    for pack in packs {
      let made = try await pack.pack(into: folder.filePath("out")) { at in
        seen.withLock { $0.append(at) }
      }
      #expect(made.path == folder.filePath("out/\(pack.manifest.assetPackID).aar"))
      let archive = AssetPack(made.path)
      let report = try await archive.verify(against: packs, expecting: made.sha256)
      #expect(report.findings.all == [])
      #expect(report.fileCount == made.fileCount)
    }
    let steps = seen.withLock { $0 }
    #expect(steps.allSatisfy { $0.step == .packing })
    #expect(steps.contains { $0.pack == "two" && $0.file == "deep/b.txt" })
    #expect(steps.last?.done == steps.last?.total)
    let two = AssetPack(folder.filePath("out/two.aar"))
    #expect(
      try await two.entries().map { "\($0.kind) \($0.path) \($0.isAsset)" } == [
        "directory  false", "directory Contents false", "directory deep true",
        "file deep/b.txt true", "file Manifest.json false",
      ])
    #expect(try await two.extract(["deep"], into: folder.filePath("x")).fileCount == 1)
    #expect(try folder.contents("x/deep/b.txt").count == 3_000_000)
  }

  @Test func `a project with an error has no packs`() async throws {
    let folder = try Self.game()
    try folder.makeFile("Packs/three.json", Self.manifest("one", #"{"file": "no.txt"}"#))
    let checked = try await Project([folder.filePath("Packs")]).check()
    #expect(checked.packs == nil)
    let ids = checked.report.findings.pages.map { $0.findings.map(\.id.name) }
    #expect(ids == [[], ["packs.same-id", "files.missing"], []])
    #expect(checked.report.text().contains("three.json:3:29: error: there is no file 'no.txt'"))
  }

  @Test func `a manifest that cannot be read is a finding, and so is a missing source root`()
    async throws
  {
    let folder = try Self.game()
    let missing = try await Project([
      folder.filePath("no.json"), folder.filePath("Packs/one.json"),
    ]).check()
    #expect(missing.packs == nil)
    #expect(
      missing.report.findings.pages.map { $0.findings.map(\.id.name) }
        == [["manifest.unreadable"], []])
    var project = Project([folder.filePath("Packs/one.json")])
    project.sourceRoot = folder.filePath("nowhere")
    let rootless = try await project.check()
    #expect(rootless.packs == nil)
    #expect(rootless.report.text().contains("there is no source root"))
  }

  @Test func `a pattern gives the matching manifests, and no match is an error`() async throws {
    let folder = try Self.game()
    try folder.makeFile("Packs/.hidden.json", "{")
    try folder.makeFile("Packs/more/three.json", Self.manifest("three", #"{"file": "a.txt"}"#))
    try folder.makeFile("a[b].json", Self.manifest("four", #"{"file": "a.txt"}"#))
    func ids(_ pattern: String) async throws -> [String]? {
      var project = Project([folder.filePath(pattern)])
      project.sourceRoot = folder.filePath("files")
      return try await project.check().packs?.map(\.manifest.assetPackID)
    }
    #expect(try await ids("Packs/*.json") == ["one", "two"])
    #expect(try await ids("Packs/**/*.json") == ["three", "one", "two"])
    #expect(try await ids("*/more/t??[a-f]e.json") == ["three"])
    // A path of an existing file is not a pattern.
    #expect(try await ids("a[b].json") == ["four"])
    let none = try await Project([folder.filePath("Packs/*.jsn")]).check()
    #expect(none.packs == nil)
    #expect(
      none.report.text() == """
        \(folder.path("Packs/*.jsn")): error: no file matches '\(folder.path("Packs/*.jsn"))' \
        [manifest.unreadable]

        """)
  }

  @Test func `a project without manifests has no packs`() async throws {
    let checked = try await Project([FilePath]()).check()
    #expect(checked.packs == nil)
    #expect(
      checked.report.text()
        == "project: error: the project has no manifest [manifest.unreadable]\n")
  }

  @Test func `a pack does not replace its source files`() async throws {
    let folder = try Self.game()
    try folder.makeFile("files/old.aar", "not to be lost")
    let text = Self.manifest("five", #"{"directory": "."}"#)
    var project = Project([.text(Array(text.utf8), named: "five")])
    project.sourceRoot = folder.filePath("files")
    let pack = try #require(try await project.check().packs?.first)
    let refusal = await #expect(throws: PackError.self) {
      try await pack.pack(toFile: folder.filePath("files/old.aar"), replacing: true)
    }
    #expect(
      refusal?.message == "cannot replace '\(folder.path("files/old.aar"))': packing reads "
        + "this file")
    #expect(try folder.contents("files/old.aar") == Array("not to be lost".utf8))
    project.outputs = [folder.filePath("files/old.aar")]
    let other = try #require(try await project.check().packs?.first)
    #expect(!other.selection.contains { $0.destination == "old.aar" })
    _ = try await other.pack(toFile: folder.filePath("files/old.aar"), replacing: true)
  }

  @Test func `a manifest can be a text in memory`() async throws {
    let folder = try Self.game()
    let text = Self.manifest("three", #"{"file": "a.txt"}"#)
    var project = Project([.text(Array(text.utf8), named: "made here")])
    project.sourceRoot = folder.filePath("files")
    let packs = try #require(try await project.check().packs)
    #expect(packs.map(\.selection.fileCount) == [1])
    let wrong = try await Project([.text(Array("{".utf8), named: "made here")]).check()
    #expect(wrong.report.text().hasPrefix("made here:1:"))
  }

  @Test func `a manifest is a value, a text and an input`() async throws {
    let folder = try Self.game()
    let manifest = Manifest(
      assetPackID: "three", downloadPolicy: .essential([.subsequentUpdate]),
      fileSelectors: [.renamedFile(source: "a.txt", destination: "b.txt")], platforms: [.visionOS],
      language: LanguageTag("de"))
    #expect(try Manifest(json: manifest.json) == manifest)
    let refusal = #expect(throws: PackError.self) {
      _ = try Manifest(
        json: #"{"platforms": ["iPhone"], "downloadPolicy": {"onDemand": {}}, "#
          + #""assetPackID": "a", "fileSelectors": [{"file": "a.txt"}]}"#)
    }
    #expect(refusal?.kind.isMalformed == true)
    #expect(refusal?.kind.offset == 15)
    #expect(refusal?.message.hasPrefix("the manifest is not valid: ") == true)
    var project = Project([.manifest(manifest)])
    project.sourceRoot = folder.filePath("files")
    let made = try await project.check().pack(into: folder.filePath("out"))
    let pack = AssetPack(try #require(made.first).path)
    #expect(try await pack.manifest() == manifest)
    let info = try await pack.info()
    #expect(info.fileSize == made[0].archiveBytes)
    #expect(info.groups.map(\.suffix) == [".txt"])
    let other = folder.filePath("files/a.txt")
    await #expect(throws: PackError.self) { _ = try await AssetPack(other).info() }
  }

  @Test func `a project file has the manifests and the settings`() async throws {
    let folder = try Self.game()
    try folder.makeFile(
      "ba-package.json",
      """
      {"packs": ["Packs"], "output": "build", "hosting": "apple", "compression": "none",
       "findings": {"files.working-file": "error"}, "budgets": {"one": "200"}}
      """)
    let project = try await Project(contentsOf: folder.filePath("ba-package.json"))
    #expect(project.hosting == .apple)
    #expect(project.output == folder.filePath("build"))
    #expect(project.settings.compression == .none)
    let checked = try await project.check()
    #expect(checked.report.text() == "")
    let made = try await checked.pack(into: try #require(project.output))
    #expect(made.map(\.assetPackID) == ["one", "two"])
    let budgets = checked.budgetReport(after: made)
    #expect(budgets.findings.all.map(\.id) == ["budget.packs"])
    #expect(budgets.hasErrors)
    // The folder names the file, too.
    try folder.makeFile("files/art/sky.psd", "x")
    try folder.makeFile(
      "Packs/three.json", Self.manifest("three", #"{"directory": "art"}"#, root: "../files"))
    let report = try await Project(contentsOf: folder.filePath(".")).check().report
    #expect(report.findings.contains { $0.id == "files.working-file" && $0.severity == .error })
  }

  @Test func `an error in a project file is a finding, and its packs are not checked`() async throws
  {
    let folder = try Self.game()
    try folder.makeFile("ba-package.json", #"{"packs": ["Packs"], "hostink": "apple"}"#)
    let checked = try await Project(contentsOf: folder.filePath("ba-package.json")).check()
    #expect(checked.report.text().contains("ba-package.json:1:22: error: "))
    #expect(checked.packs == nil)
    let refusal = await #expect(throws: PackError.self) {
      try await checked.pack(into: folder.filePath("out"))
    }
    #expect(refusal?.kind == .invalidValue)
    let missing = await #expect(throws: PackError.self) {
      try await Project(contentsOf: folder.filePath("none.json"))
    }
    #expect(missing?.kind.systemError == ENOENT)
    #expect(missing?.remedies.map(\.code).contains("start-project") == true)
  }

  @Test func `packs are written together, and a failed one does not stop the others`() async throws
  {
    let folder = try Self.game()
    let checked = try await Project([folder.filePath("Packs")]).check()
    try folder.makeFile("out/one.aar", "old")
    let refusal = await #expect(throws: PackError.self) {
      try await checked.pack(into: folder.filePath("out"))
    }
    #expect(refusal?.kind == .exists)
    #expect(refusal?.remedies.first?.code == "replace-existing")
    #expect(try folder.contents("out/one.aar") == Array("old".utf8))
    #expect(try folder.contents("out/two.aar").isEmpty == false)
    let steps = Mutex<Set<String>>([])
    let made = try await checked.pack(into: folder.filePath("out"), replacing: true) { at in
      steps.withLock { _ = $0.insert(at.pack) }
    }
    #expect(steps.withLock { $0 } == ["one", "two"])
    for summary in made {
      let alone = try await checked.packs?.first { $0.manifest.assetPackID == summary.assetPackID }?
        .pack(into: folder.filePath("alone"))
      #expect(alone?.sha256 == summary.sha256)
    }
  }

  @Test func `an archive never replaces a source file of another pack`() async throws {
    let folder = try Self.game()
    try folder.makeFile("files/two.aar", "not to be lost")
    try folder.makeFile(
      "Packs/one.json", Self.manifest("one", #"{"file": "two.aar"}"#, root: "../files"))
    let checked = try await Project([folder.filePath("Packs")]).check()
    let refusal = await #expect(throws: PackError.self) {
      try await checked.pack(into: folder.filePath("files"), replacing: true)
    }
    #expect(refusal?.kind == .exists)
    #expect(try folder.contents("files/two.aar") == Array("not to be lost".utf8))
    #expect(!FileManager.default.fileExists(atPath: folder.path("files/one.aar")))
  }

  @Test(arguments: [WorkProgress.Step.selecting, .packing, .verifying, .extracting])
  func `a cancelled task stops the operation and leaves no files`(step: WorkProgress.Step)
    async throws
  {
    let folder = try Self.game()
    let project = Project([folder.filePath("Packs/two.json")])
    let packs = folder.filePath("out")
    let whole = folder.filePath("whole")
    let archive = AssetPack(whole.appending(FilePath("two.aar")))
    let begun = AsyncStream.makeStream(of: Void.self)
    // The first report of progress waits until the task has been cancelled.
    let gate = DispatchSemaphore(value: 0)
    let hasReported = Atomic(false)
    let follow: @Sendable (WorkProgress) -> Void = { at in
      guard at.step == step, !hasReported.exchange(true, ordering: .relaxed) else { return }
      begun.continuation.yield()
      gate.wait()
    }
    if step == .verifying || step == .extracting {
      _ = try await project.check().packs?[0].pack(into: whole)
    }
    let task = Task {
      switch step {
      case .selecting: _ = try await project.check(progress: follow)
      case .packing:
        _ = try await project.check().packs?[0].pack(into: packs, progress: follow)
      case .verifying: _ = try await archive.verify(progress: follow)
      case .extracting:
        _ = try await archive.extract(into: packs, progress: follow)
      }
    }
    for await _ in begun.stream { break }
    task.cancel()
    gate.signal()
    let error = await #expect(throws: PackError.self) { try await task.value }
    #expect(error?.kind == .interrupted)
    #expect(!FileManager.default.fileExists(atPath: packs.text))
  }

  @Test func `a cancelled task stops waiting for a pipe without data`() async throws {
    let folder = try Self.game()
    try folder.makePipe("pipe")
    let path = folder.path("pipe")
    let task = Task { _ = try await Project([FilePath(path)]).check() }
    // The pipe can be opened for writing as soon as the project has opened it for reading.
    var writer: Int32 = -1
    while writer < 0 {
      await Task.yield()
      writer = unsafe open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC)
    }
    task.cancel()
    // Without the cancellation this would wait forever, because the writer is open.
    let error = await #expect(throws: PackError.self) { try await task.value }
    #expect(error?.kind == .interrupted)
    close(writer)
  }
}
