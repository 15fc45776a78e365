import SystemIO
import TestSupport
import Testing

/// A document with the format number and one value, for example `1 42`.
private protocol Counter: StateDocument {
  var value: Int { get set }
  init(value: Int)
}

extension Counter {
  static var noun: String { "record of counts" }
  static var loss: String { "counting starts again" }
  static var largest: Int { 64 }

  static func read(_ bytes: [UInt8], named _: String) throws(StateFault) -> StateReading<Self> {
    let words = String(decoding: bytes, as: UTF8.self).split(separator: " ").map { Int($0) }
    guard words.count == 2, let format = words[0] else { throw .damaged("it has no format") }
    guard format <= 2 else { throw .newer(format: format) }
    guard let value = words[1] else { throw .damaged("it has no value") }
    return StateReading(Self(value: value), isCurrent: format == 2)
  }

  func encoded() -> [UInt8] { Array("2 \(value)".utf8) }
}

private struct OwnCounter: Counter {
  var value: Int
  static var rules: StateRules { StateRules(.owner) }
}

private struct SharedCounter: Counter {
  var value: Int
  static var rules: StateRules { StateRules(.everyone, followsLinks: true, makesFolder: false) }
}

private struct CachedCounter: Counter, StateCache {
  var value: Int
  static var loss: String { "it is counted again" }
  static var rules: StateRules { StateRules(.owner, isSynced: false) }
}

/// A counter that notes the bytes that are parsed.
private struct NotedCounter: StateDocument {
  static let parsed = Noted<[UInt8]>()
  static var noun: String { "record of counts" }
  static var loss: String { "counting starts again" }
  static var largest: Int { 64 }
  static var rules: StateRules { StateRules(.owner) }
  var value: Int

  static func read(_ bytes: [UInt8], named name: String) throws(StateFault) -> StateReading<Self> {
    parsed.add(bytes)
    let counter = try OwnCounter.read(bytes, named: name)
    return StateReading(Self(value: counter.document.value), isCurrent: counter.isCurrent)
  }

  func encoded() -> [UInt8] { Array("2 \(value)".utf8) }
}

@Suite(.mustEnd)
final class StateFileTests {
  private let folder: TemporaryFolder
  private var file: StateFile<OwnCounter> { StateFile(folder.path("a/count")) }
  private var shared: StateFile<SharedCounter> { StateFile(folder.path("count")) }

  init() throws {
    folder = try TemporaryFolder()
    try folder.makeFolder("a")
  }

  private func fault(_ body: () throws(Failure) -> Void) -> StateFault? {
    do throws(Failure) {
      try body()
    } catch {
      if case .state(let trouble) = error.kind { return trouble.fault }
    }
    return nil
  }

  private func text(_ name: String) throws -> String {
    String(decoding: try folder.contents(name), as: UTF8.self)
  }

  @Test func `a missing or empty file and a missing folder have no value and are created`() throws {
    #expect(try file.read() == nil)
    let deep = StateFile<OwnCounter>(folder.path("b/c/count"))
    #expect(try deep.read() == nil)
    try deep.change(.unstoppable) { $0 = OwnCounter(value: 1) }
    #expect(try deep.read() == OwnCounter(value: 1))
    try folder.makeFile("a/count", "")
    #expect(try file.read() == nil)
    try file.change(.unstoppable) { counter throws(Failure) in
      #expect(counter == nil)
      counter = OwnCounter(value: 7)
    }
    #expect(try text("a/count") == "2 7")
    #expect(try FileStatus(ofFileAt: file.path).permissions == 0o600)
    // Neither a lock nor a temporary file is left.
    let names = try FileDescriptor.open(folder.path("a"), for: .directory).list().items.count
    #expect(names == 1)
  }

  @Test(arguments: [
    ("x", StateFault.damaged("it has no format")), ("1 x", .damaged("it has no value")),
    ("3 1", .newer(format: 3)), ("9999 unknown", .newer(format: 9999)),
    ("2 " + String(repeating: "1", count: 63), .tooLarge), ("\0", .damaged("it has no format")),
  ])
  func `a file that cannot be read is kept byte for byte`(text: String, expected: StateFault) throws
  {
    for name in ["a/count", "count"] {
      try folder.makeFile(name, text, mode: 0o640)
    }
    let (file, shared) = (file, shared)
    #expect(fault { () throws(Failure) in _ = try file.read() } == expected)
    #expect(fault { () throws(Failure) in try file.hold(.unstoppable).release() } == expected)
    #expect(
      fault { () throws(Failure) in try file.change(.unstoppable) { $0 = OwnCounter(value: 1) } }
        == expected)
    #expect(
      fault { () throws(Failure) in try shared.change(.unstoppable) { $0 = SharedCounter(value: 1) }
      }
        == expected)
    for name in ["a/count", "count"] {
      #expect(try self.text(name) == text)
      #expect(try FileStatus(ofFileAt: folder.path(name)).permissions == 0o640)
    }
    let names = try FileDescriptor.open(folder.path("a"), for: .directory).list().items.count
    #expect(names == 1)
  }

  @Test func `the message contains the kind of file and the format`() throws {
    try folder.makeFile("a/count", "3 1")
    let file = file
    do throws(Failure) {
      _ = try file.read()
      Issue.record("it was read")
    } catch {
      #expect(
        error.description
          == "cannot read '\(file.path)': a newer version of this program wrote the record of "
          + "counts, in format 3")
    }
  }

  @Test func `a symbolic link is followed only if the rules allow it`() throws {
    try folder.makeFile("real", "2 5", mode: 0o640)
    try folder.makeLink("count", to: "real")
    try folder.makeLink("a/count", to: "../real")
    let (file, shared) = (file, shared)
    #expect(fault { () throws(Failure) in _ = try file.read() } == .notAFile)
    #expect(
      fault { () throws(Failure) in try file.change(.unstoppable) { $0 = OwnCounter(value: 1) } }
        == .notAFile)
    #expect(try text("real") == "2 5")
    try shared.change(.unstoppable) { $0?.value += 1 }
    #expect(try text("real") == "2 6")
    #expect(try FileStatus(ofFileAt: folder.path("real")).permissions == 0o640)
    let kind = try FileDescriptor.open(folder.path, for: .directory)
      .status(of: FileName("count".utf8)).kind
    #expect(kind == .symbolicLink)
  }

  @Test func `a folder and a pipe are rejected without a wait for a writer`() throws {
    try folder.makePipe("count")
    try folder.makeFolder("a/count")
    let (file, shared) = (file, shared)
    #expect(fault { () throws(Failure) in _ = try shared.read() } == .notAFile)
    #expect(
      fault { () throws(Failure) in try shared.change(.unstoppable) { $0 = .init(value: 1) } }
        == .notAFile)
    #expect(
      fault { () throws(Failure) in try file.change(.unstoppable) { $0 = .init(value: 1) } }
        == .notAFile)
    #expect(try FileStatus(ofFileAt: shared.path).kind == .pipe)
    #expect(try FileStatus(ofFileAt: file.path).kind == .directory)
  }

  @Test func `the first change of a file in an older format keeps a copy`() throws {
    try folder.makeFile("a/count", "1 5")
    #expect(try file.read() == OwnCounter(value: 5))
    // Without a change, the file is not written.
    try file.change(.unstoppable) { _ in }
    #expect(try text("a/count") == "1 5")
    for _ in 0..<2 { try file.change(.unstoppable) { $0?.value += 1 } }
    #expect(try text("a/count") == "2 7")
    #expect(try text("a/count.older") == "1 5")
    #expect(try FileStatus(ofFileAt: folder.path("a/count.older")).permissions == 0o600)
  }

  @Test func `known bytes are not parsed again, and all others are`() throws {
    let file = StateFile<NotedCounter>(folder.path("a/count"))
    #expect(try file.readWhole()?.document == nil)
    try folder.makeFile("a/count", "1 5")
    let known = try #require(try file.readWhole())
    #expect(known.document == NotedCounter(value: 5))
    #expect(NotedCounter.parsed.all.count == 1)
    try file.change(.unstoppable, knowing: known) { counter throws(Failure) in
      #expect(counter == NotedCounter(value: 5))
    }
    #expect(NotedCounter.parsed.all.count == 1)
    // Other bytes of the same size.
    try folder.makeFile("a/count", "1 6")
    try file.change(.unstoppable, knowing: known) { $0?.value += 1 }
    #expect(NotedCounter.parsed.all.count == 2)
    #expect(try text("a/count") == "2 7")
    #expect(try text("a/count.older") == "1 6")
    // A file in an older format is copied, although its bytes are known.
    try folder.makeFile("a/count", "1 5")
    try file.change(.unstoppable, knowing: known) { $0?.value += 1 }
    #expect(NotedCounter.parsed.all.count == 2)
    #expect(try text("a/count") == "2 6")
    #expect(try text("a/count.older") == "1 5")
    for damage in ["x", "3 5"] {
      try folder.makeFile("a/count", damage)
      #expect(throws: Failure.self) {
        try file.change(.unstoppable, knowing: known) { $0 = NotedCounter(value: 1) }
      }
      #expect(try text("a/count") == damage)
    }
    try folder.makeFile("a/count", "")
    try file.change(.unstoppable, knowing: known) { counter throws(Failure) in
      #expect(counter == nil)
    }
  }

  @Test
  func `contents that another program wrote without the lock are read before they are replaced`()
    throws
  {
    var hold = try file.hold(.unstoppable)
    try hold.keep(OwnCounter(value: 1))
    try folder.makeFile("a/count", "3 new")
    do throws(Failure) {
      try hold.keep(OwnCounter(value: 2))
      Issue.record("it was written")
    } catch {
      #expect(error.description.contains("format 3"))
    }
    #expect(try text("a/count") == "3 new")
    // Readable contents may be replaced.
    try folder.makeFile("a/count", "1 8")
    try hold.keep(OwnCounter(value: 3))
    hold.release()
    #expect(try text("a/count") == "2 3")
    #expect(try text("a/count.older") == "1 8")
  }

  @Test(arguments: [SystemCall.write, .sync, .rename, .open, .changeMode])
  func `a change with a failed system call leaves the file unchanged`(call: SystemCall) throws {
    try folder.makeFile("a/count", "2 5")
    let file = file
    let thrown = ForcedFailures.inject(.always(call, 28)) {
      do throws(Failure) {
        try file.change(.unstoppable) { $0?.value += 1 }
        return false
      } catch {
        return true
      }
    }
    #expect(thrown)
    #expect(try text("a/count") == "2 5")
    try file.change(.unstoppable) { $0?.value += 1 }
    #expect(try text("a/count") == "2 6")
  }

  @Test func `threads and processes change one file in turn`() async throws {
    let path = file.path
    let failures = Noted<Failure>()
    let other = Task {
      await #expect(processExitsWith: .success) { [path = path as String] in
        for _ in 0..<25 {
          try StateFile<OwnCounter>(path).change(.unstoppable) {
            $0 = OwnCounter(value: ($0?.value ?? 0) + 1)
          }
        }
      }
    }
    try onThreads(4) { _ in
      for _ in 0..<25 {
        do throws(Failure) {
          try StateFile<OwnCounter>(path).change(.unstoppable) {
            $0 = OwnCounter(value: ($0?.value ?? 0) + 1)
          }
        } catch {
          failures.add(error)
        }
      }
    }
    _ = await other.value
    #expect(failures.all == [])
    #expect(try file.read() == OwnCounter(value: 125))
  }

  @Test func `a wait for the lock is reported once, and can be canceled`() throws {
    let first = try file.hold(.unstoppable)
    var reports = 0
    let file = file
    #expect(throws: Failure(.interrupted, "here")) {
      try file.hold(.unstoppable) { () throws(Failure) in
        reports += 1
        throw Failure(.interrupted, "here")
      }.release()
    }
    #expect(reports == 1)
    let alarm = try Alarm()
    #expect(throws: Failure.self) {
      try file.hold(Work(until: alarm)) { () throws(Failure) in alarm.ring() }.release()
    }
    first.release()
    try file.hold(.unstoppable) { () throws(Failure) in reports += 1 }.release()
    #expect(reports == 1)
  }

  @Test func `a damaged cache is rebuilt, and a cache of a newer version is kept`() throws {
    let file = StateFile<CachedCounter>(folder.path("a/count"))
    for text in ["x", "1 x", "", "2 1 1"] {
      try folder.makeFile("a/count", text)
      #expect(file.readCache() == nil)
      try file.replaceCache(by: CachedCounter(value: 4))
      #expect(file.readCache() == CachedCounter(value: 4))
    }
    try folder.makeFile("a/count", "3 1")
    #expect(file.readCache() == nil)
    try file.replaceCache(by: CachedCounter(value: 4))
    #expect(try text("a/count") == "3 1")
  }
}
