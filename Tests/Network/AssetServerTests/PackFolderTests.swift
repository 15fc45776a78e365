// Long because each change of files is one short test of the same folder.
import BAPackKit
import Foundation
import SystemIO
import TestSupport
import Testing

@testable import AssetServer

/// Changes of served pack files, and the packs and versions that the server offers after them.
@Suite(.mustEnd)
final class PackFolderTests {
  let folder: TemporaryFolder
  let catalogue: Catalogue
  let packFolder: PackFolder

  init() throws {
    let folder = try TemporaryFolder()
    try folder.makeFolder("packs")
    catalogue = Catalogue()
    packFolder = PackFolder([folder.path("packs")], into: catalogue)
    self.folder = folder
  }

  /// The archive of a pack with one file.
  static func pack(_ id: String, _ contents: String = "hello") -> [UInt8] {
    var pack = PackBytes.beginning
    pack.addFile("Contents/a.txt", Array(contents.utf8))
    let manifest = """
      {"assetPackID": "\(id)", "downloadPolicy": {"onDemand": {}}, "platforms": [],
       "fileSelectors": [{"file": "a.txt"}]}
      """
    pack.addFile("Manifest.json", Array(manifest.utf8))
    return pack.container()
  }

  /// Returns the versions of packs by their IDs.
  private func versions(_ packs: [ServedPack]) -> [String: Int] {
    Dictionary(uniqueKeysWithValues: packs.map { ($0.id.text, $0.version) })
  }

  /// Scans the files twice, so that changed files are settled, and returns the events as text.
  private func refresh(_ scope: PackFolder.Scope = .everything) throws -> [String] {
    let first = try packFolder.refresh(scope, .unstoppable)
    return try Self.texts(first.events + packFolder.refresh(scope, .unstoppable).events)
  }

  private static func texts(_ events: [PackFolder.FileEvent]) -> [String] {
    events.map { event in
      switch event {
      case .accepted(let id, let change, let path): "\(id) \(change) \(name(path))"
      case .damaged(let path, _): "damaged \(name(path))"
      case .refused(let path, let error): "refused \(name(path)) \(error.kind)"
      case .removed(let id, let path): "\(id) gone \(name(path))"
      case .withdrawn(let id, let path): "\(id) withdrawn \(name(path))"
      }
    }
  }

  private static func name(_ path: String) -> String { FilePath(path).name.shown }

  // MARK: Duplicates

  @Test func `a duplicate is served when the original file is removed`() throws {
    try folder.makeFile("packs/a.aar", Self.pack("x"))
    _ = try packFolder.addAll(.unstoppable)
    try folder.makeFile("packs/b.aar", Self.pack("x"))
    #expect(try refresh() == ["refused b.aar conflict"])
    #expect(try refresh() == [])
    try folder.remove("packs/a.aar")
    #expect(try refresh() == ["x unchanged(version: 0) b.aar"])
    #expect(versions(catalogue.all) == ["x": 0])
    #expect(catalogue["x"]?.archive.path == folder.path("packs/b.aar"))
    try folder.remove("packs/b.aar")
    #expect(try refresh() == ["x gone b.aar"])
    #expect(catalogue.all.isEmpty)
  }

  @Test func `one of several duplicates is served, and its bytes decide the version`() throws {
    try folder.makeFile("packs/a.aar", Self.pack("x"))
    _ = try packFolder.addAll(.unstoppable)
    try folder.makeFile("packs/c.aar", Self.pack("x", "three"))
    try folder.makeFile("packs/b.aar", Self.pack("x", "two"))
    #expect(try refresh() == ["refused b.aar conflict", "refused c.aar conflict"])
    try folder.remove("packs/a.aar")
    #expect(try refresh() == ["x raised(from: 0, to: 1) b.aar"])
    try folder.remove("packs/b.aar")
    #expect(try refresh() == ["x raised(from: 1, to: 2) c.aar"])
    #expect(versions(catalogue.all) == ["x": 2])
  }

  @Test func `a duplicate is served when the other file becomes another pack`() throws {
    try folder.makeFile("packs/a.aar", Self.pack("x"))
    _ = try packFolder.addAll(.unstoppable)
    try folder.makeFile("packs/b.aar", Self.pack("x"))
    _ = try refresh()
    try folder.makeFile("packs/a.aar", Self.pack("y"))
    #expect(
      Set(try refresh()) == [
        "y added(version: 0) a.aar", "x unchanged(version: 0) b.aar", "x withdrawn a.aar",
      ])
    #expect(versions(catalogue.all) == ["x": 0, "y": 0])
    #expect(catalogue.all.allSatisfy { catalogue.outage(of: $0) == nil })
  }

  @Test func `a duplicate is served when the other file is damaged in place`() throws {
    try folder.makeFile("packs/a.aar", Self.pack("x"))
    _ = try packFolder.addAll(.unstoppable)
    try folder.makeFile("packs/b.aar", Self.pack("x"))
    _ = try refresh()
    try folder.makeFile("packs/a.aar", "no pack any more")
    let events = try refresh()
    #expect(events.first == "x withdrawn a.aar")
    #expect(events.last == "x unchanged(version: 0) b.aar")
    #expect(catalogue["x"].map { catalogue.outage(of: $0) } == .some(nil))
    // The damaged file no longer belongs to the pack, so its removal does not remove the pack.
    try folder.remove("packs/a.aar")
    #expect(try refresh() == [])
    #expect(versions(catalogue.all) == ["x": 0])
  }

  // MARK: Files that change in place

  @Test(arguments: [PackFolder.Scope.everything, .withdrawn])
  func `a pack whose file is touched is verified again and served as before`(
    scope: PackFolder.Scope
  ) throws {
    try folder.makeFile("packs/a.aar", Self.pack("x"))
    try folder.makeFile("packs/b.aar", Self.pack("y"))
    _ = try packFolder.addAll(.unstoppable)
    let pack = try #require(catalogue["x"])
    #expect(catalogue.outage(of: pack) == nil)
    let calls = Noted<Void>()
    catalogue.observeOutages { calls.add(()) }
    // The same bytes with another modification time.
    try folder.makeFile("packs/a.aar", Self.pack("x"))
    let outage = catalogue.outage(of: pack)
    #expect(outage == "'\(folder.path("packs/a.aar"))' changed and is being verified again")
    #expect(catalogue["x"]?.outage == nil)
    #expect(calls.all.isEmpty)
    #expect(catalogue.noteRequest(of: pack) == outage)
    #expect(catalogue["x"]?.outage == outage)
    #expect(calls.all.count == 1)
    #expect(try refresh(scope) == ["x withdrawn a.aar", "x unchanged(version: 0) a.aar"])
    #expect(catalogue["x"].map { catalogue.outage(of: $0) } == .some(nil))
    #expect(catalogue["y"].map { catalogue.outage(of: $0) } == .some(nil))
    #expect(try refresh(scope) == [])
  }

  @Test(arguments: [PackFolder.Scope.everything, .withdrawn])
  func `a pack of equal size with the old modification time has a new version`(
    scope: PackFolder.Scope
  ) throws {
    try folder.makeFile("packs/a.aar", Self.pack("x"))
    _ = try packFolder.addAll(.unstoppable)
    let pack = try #require(catalogue["x"])
    #expect(catalogue.outage(of: pack) == nil)
    try folder.writeKeepingTime(Self.pack("x", "jello"), into: "packs/a.aar")
    #expect(
      catalogue.outage(of: pack)
        == "'\(folder.path("packs/a.aar"))' changed and is being verified again")
    #expect(try refresh(scope) == ["x withdrawn a.aar", "x raised(from: 0, to: 1) a.aar"])
    #expect(catalogue["x"].map { catalogue.outage(of: $0) } == .some(nil))
  }

  @Test func `a pack with other attributes or another name is served without an interruption`()
    throws
  {
    let bytes = Self.pack("x")
    try folder.makeFile("packs/a.aar", bytes)
    _ = try packFolder.addAll(.unstoppable)
    let pack = try #require(catalogue["x"])
    try folder.writeKeepingTime(bytes, into: "packs/a.aar")
    #expect(catalogue.outage(of: pack) == nil)
    // The new file gets the name of the old one.
    try Data(Self.pack("x", "jello")).write(
      to: URL(filePath: folder.path("packs/a.aar")), options: .atomic)
    #expect(catalogue.outage(of: pack) == nil)
    #expect(pack.file.all() == bytes)
    #expect(try refresh(.everything) == ["x raised(from: 0, to: 1) a.aar"])
  }

  @Test(arguments: [PackFolder.Scope.everything, .withdrawn])
  func `a pack with a truncated file is not served until the file is complete again`(
    scope: PackFolder.Scope
  ) throws {
    let whole = Self.pack("x")
    try folder.makeFile("packs/a.aar", whole)
    _ = try packFolder.addAll(.unstoppable)
    try folder.makeFile("packs/a.aar", Array(whole.dropLast(9)))
    let events = try refresh(scope)
    #expect(events.first == "x withdrawn a.aar")
    #expect(events.count == 2)
    let reason = try #require(catalogue["x"].flatMap { catalogue.outage(of: $0) })
    #expect(!reason.hasSuffix("verified again"))
    #expect(try refresh(scope) == [])
    #expect(catalogue["x"]?.outage == reason)
    try folder.makeFile("packs/a.aar", whole)
    #expect(try refresh(scope) == ["x unchanged(version: 0) a.aar"])
    #expect(catalogue["x"].map { catalogue.outage(of: $0) } == .some(nil))
    try folder.makeFile("packs/a.aar", Self.pack("x", "other bytes"))
    #expect(try refresh(scope) == ["x withdrawn a.aar", "x raised(from: 0, to: 1) a.aar"])
  }

  @Test func `a pack that cannot be delivered is not checked again without a request`() throws {
    try folder.makeFile("packs/a.aar", Self.pack("x"))
    _ = try packFolder.addAll(.unstoppable)
    let (requests, passes) = (Noted<Void>(), Noted<String>())
    catalogue.observeOutages { requests.add(()) }
    try folder.makeFile("packs/a.aar", "damaged")
    // Two checks in a row find the same state; then the watch waits for a request.
    for isSettling in [true, false, false, false] {
      let pass = try packFolder.refresh(.withdrawn, .unstoppable)
      #expect(pass.isSettling == isSettling)
      Self.texts(pass.events).forEach { passes.add($0) }
    }
    #expect(passes.all.first == "x withdrawn a.aar")
    #expect(passes.all.count == 2)
    #expect(requests.all.isEmpty)
    #expect(catalogue.noteRequest(of: try #require(catalogue["x"])) != nil)
    #expect(requests.all.count == 1)
    #expect(try refresh(.withdrawn) == [])
    #expect(requests.all.count == 1)
  }

  @Test func `a file that is changed and then removed is reported, and served when it is restored`()
    throws
  {
    try folder.makeFile("packs/a.aar", Self.pack("x"))
    _ = try packFolder.addAll(.unstoppable)
    try folder.makeFile("packs/a.aar", "cut")
    try folder.remove("packs/a.aar")
    #expect(try refresh(.withdrawn) == ["x withdrawn a.aar"])
    #expect(catalogue["x"]?.outage == "'\(folder.path("packs/a.aar"))' no longer exists")
    try folder.makeFile("packs/a.aar", Self.pack("x"))
    #expect(try refresh(.withdrawn) == ["x unchanged(version: 0) a.aar"])
    #expect(catalogue["x"]?.outage == nil)
  }

  @Test func `a file that cannot be read is reported once`() throws {
    try folder.makeFile("packs/a.aar", Self.pack("x"))
    _ = try packFolder.addAll(.unstoppable)
    try folder.makeFile("packs/b.aar", Self.pack("y"))
    let path = folder.path("packs/b.aar")
    let events = try ForcedFailures.inject(.always(.open, 13, path: "b.aar")) {
      _ = try packFolder.refresh(.everything, .unstoppable)
      return try (0..<4).flatMap { _ in
        try Self.texts(packFolder.refresh(.everything, .unstoppable).events)
      }
    }
    #expect(events == ["refused b.aar system(13)"])
    #expect(versions(catalogue.all) == ["x": 0])
    // New permissions change the file status, so the file is read again.
    try folder.makeFile("packs/b.aar", Self.pack("y"), mode: 0o600)
    #expect(try refresh() == ["y added(version: 0) b.aar"])
    #expect(catalogue["y"]?.archive.path == path)
  }

  // MARK: Previous state

  @Test func `the previous state is complete when a server starts for the first time`() throws {
    for name in ["a", "b", "c"] { try folder.makeFile("packs/\(name).aar", Self.pack(name)) }
    _ = try packFolder.addAll(.unstoppable)
    #expect(versions(catalogue.previous) == ["a": 0, "b": 0, "c": 0])
  }

  @Test func `the previous state is the state before the last change`() throws {
    for name in ["a", "b"] { try folder.makeFile("packs/\(name).aar", Self.pack(name)) }
    _ = try packFolder.addAll(.unstoppable)
    for name in ["a", "b", "c"] {
      try folder.makeFile("packs/\(name).aar", Self.pack(name, "changed"))
    }
    _ = try refresh()
    #expect(versions(catalogue.all) == ["a": 1, "b": 1, "c": 0])
    #expect(versions(catalogue.previous) == ["a": 0, "b": 0])
    try folder.remove("packs/a.aar")
    _ = try refresh()
    #expect(versions(catalogue.previous) == ["a": 1, "b": 1, "c": 0])
    _ = try refresh()
    #expect(versions(catalogue.previous) == ["a": 1, "b": 1, "c": 0])
  }

  @Test func `after a restart, the previous state comes from the record`() throws {
    let path = folder.path("versions.json")
    for name in ["a", "b"] { try folder.makeFile("packs/\(name).aar", Self.pack(name)) }
    func start() throws -> Catalogue {
      let catalogue = Catalogue(try VersionRecord(keptIn: path, .unstoppable))
      _ = try PackFolder([folder.path("packs")], into: catalogue).addAll(.unstoppable)
      return catalogue
    }
    #expect(versions(try start().previous) == ["a": 0, "b": 0])
    // No pack has changed, so the previous state is the first state.
    #expect(versions(try start().previous) == ["a": 0, "b": 0])
    try folder.makeFile("packs/a.aar", Self.pack("a", "changed"))
    let raised = try start()
    #expect(versions(raised.all) == ["a": 1, "b": 0])
    #expect(versions(raised.previous) == ["a": 0, "b": 0])
    let same = try start()
    #expect(versions(same.all) == ["a": 1, "b": 0])
    #expect(versions(same.previous) == ["a": 0, "b": 0])
    // The previous state does not contain a new pack.
    try folder.makeFile("packs/c.aar", Self.pack("c"))
    #expect(versions(try start().previous) == ["a": 1, "b": 0])
  }

  // MARK: Version lock

  @Test(arguments: [#"{"format": 2, "future": [{"id": "x", "version": 9}]}"#, "{ damaged", "[]"])
  func `a version lock that becomes unreadable is kept, and versions increase in memory`(
    text: String
  ) throws {
    let path = folder.path("versions.json")
    let troubles = Noted<PackError>()
    var reports = VersionRecord.Reports()
    reports.failed = { troubles.add($0) }
    let catalogue = Catalogue(try VersionRecord(keptIn: path, reports: reports, .unstoppable))
    let packFolder = PackFolder([folder.path("packs")], into: catalogue)
    try folder.makeFile("packs/a.aar", Self.pack("x"))
    _ = try packFolder.addAll(.unstoppable)
    try folder.makeFile("versions.json", text)
    for contents in ["one", "two"] {
      try folder.makeFile("packs/a.aar", Self.pack("x", contents))
      for _ in 0..<2 { _ = try packFolder.refresh(.everything, .unstoppable) }
    }
    #expect(versions(catalogue.all) == ["x": 2])
    #expect(String(decoding: try folder.contents("versions.json"), as: UTF8.self) == text)
    #expect(troubles.all.count == 1)
    let trouble = try #require(troubles.all.first)
    #expect(trouble.message.hasPrefix("cannot read '\(path)': "))
    #expect(trouble.remedies.count == 2)
    // Another server cannot start with this record.
    #expect(throws: trouble) { try VersionRecord(keptIn: path, .unstoppable) }
    // After the file is removed, all assigned versions are written.
    try folder.remove("versions.json")
    #expect(catalogue.raise("x") == 3)
    let record = try VersionRecord(keptIn: path, .unstoppable).all
    #expect(record.latest(of: "x")?.version == 3)
    #expect(record.entry(of: "x", below: 3)?.version == 2)
  }

  @Test func `the first change after a start reads what another server wrote since`() throws {
    let path = folder.path("versions.json")
    try folder.makeFile("packs/a.aar", Self.pack("x"))
    func versions(after change: () throws -> Void) throws -> [String: Int] {
      let record = try VersionRecord(keptIn: path, .unstoppable)
      try change()
      let catalogue = Catalogue(record)
      _ = try PackFolder([folder.path("packs")], into: catalogue).addAll(.unstoppable)
      return self.versions(catalogue.all)
    }
    #expect(try versions {} == ["x": 0])
    let unchanged = try folder.contents("versions.json")
    #expect(try versions {} == ["x": 0])
    #expect(try folder.contents("versions.json") == unchanged)
    let other = String(repeating: "b", count: 64)
    let changed = try versions {
      try VersionRecord(keptIn: path, .unstoppable).change { record in
        record.add(.init(id: "x", version: 7, sha256: other))
        record.add(.init(id: "y", version: 2, sha256: other))
      }
    }
    #expect(changed == ["x": 8])
    let record = try VersionRecord(keptIn: path, .unstoppable).all
    #expect(record.entries.map { "\($0.id) \($0.version)" } == ["x 0", "x 7", "x 8", "y 2"])
    #expect(try versions { try folder.makeFile("versions.json", "{ damaged") } == ["x": 8])
    #expect(String(decoding: try folder.contents("versions.json"), as: UTF8.self) == "{ damaged")
  }

  @Test func `packs are served while another process locks the version lock`() throws {
    let path = folder.path("versions.json")
    let waits = Noted<String>()
    var reports = VersionRecord.Reports()
    let bell = try Bell()
    reports.waiting = {
      waits.add($0)
      bell.ring()
    }
    let catalogue = Catalogue(try VersionRecord(keptIn: path, reports: reports, .unstoppable))
    let packFolder = PackFolder([folder.path("packs")], into: catalogue)
    try folder.makeFile("packs/a.aar", Self.pack("x"))
    _ = try packFolder.addAll(.unstoppable)
    let held = try FileLock(besides: path, .unstoppable) {}
    let raised = Noted<Int?>()
    let thread = try WorkerThreads(1, stop: {}) { raised.add(catalogue.raise("x")) }
    // The change waits for the other process.
    #expect(try bell.wait(until: .now + .seconds(600), "the wait", .unstoppable))
    #expect(versions(catalogue.all) == ["x": 0])
    #expect(catalogue["x"].map { catalogue.outage(of: $0) } == .some(nil))
    #expect(catalogue.record.latest(of: "x")?.version == 0)
    #expect(versions(catalogue.previous) == ["x": 0])
    held.release()
    thread.join()
    #expect(raised.all == [1])
    #expect(waits.all == [path])
  }

  @Test func `a start with many packs writes the record once`() throws {
    for number in 0..<20 {
      try folder.makeFile("packs/\(number).aar", Self.pack("p\(number)"))
    }
    let path = folder.path("versions.json")
    let renames = Noted<Void>()
    let catalogue = Catalogue(try VersionRecord(keptIn: path, .unstoppable))
    let packFolder = PackFolder([folder.path("packs")], into: catalogue)
    try ForcedFailures.inject(
      ForcedFailure(.rename, .run { renames.add(()) }, path: "versions.json")
    ) { _ = try packFolder.addAll(.unstoppable) }
    #expect(renames.all.count == 1)
    #expect(catalogue.record.entries.count == 20)
    #expect(catalogue.all.map(\.id).count == 20)
    for pack in catalogue.all { #expect(catalogue[pack.id]?.id == pack.id) }
  }

  /// Returns the system calls of this thread while `count` packs are served for the first time.
  ///
  /// The packs known from earlier starts have no file: whether it is written depends on the time
  /// that passed since the files of the packs were changed.
  private static func callsOfStart(_ count: Int, threads: Int) throws -> [SystemCall: Int] {
    let folder = try TemporaryFolder()
    for number in 0..<count {
      try folder.makeFile("packs/\(number).aar", Self.pack("p\(number)"))
    }
    let calls = Noted<SystemCall>()
    var verification = Verification()
    verification.threads = threads
    let packFolder = PackFolder(
      [folder.path("packs")],
      into: Catalogue(try VersionRecord(keptIn: folder.path("versions.json"), .unstoppable)),
      verification: verification)
    let events = try ForcedFailures.inject(
      SystemCall.allCases.map { call in ForcedFailure(call, .run { calls.add(call) }) }
    ) { try packFolder.addAll(.unstoppable) }
    #expect(events.count == count)
    return Dictionary(calls.all.map { ($0, 1) }, uniquingKeysWith: +)
  }

  @Test func `twice as many packs need at most 2.2 times as many system calls at a start`() throws {
    let few = try Self.callsOfStart(20, threads: 1)
    let many = try Self.callsOfStart(40, threads: 1)
    #expect(many.values.reduce(0, +) * 10 <= few.values.reduce(0, +) * 22)
    #expect(few[.sync] == many[.sync] && few[.rename] == many[.rename])
  }

  @Test func `packs of one block are verified on one thread`() throws {
    // The calls of other threads are not counted.
    #expect(try Self.callsOfStart(5, threads: 4) == Self.callsOfStart(5, threads: 1))
  }
}
