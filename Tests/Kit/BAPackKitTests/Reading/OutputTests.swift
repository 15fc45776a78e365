import BAPackKit
import Foundation
import Glibc
import Synchronization
import SystemIO
import TestSupport
import Testing

/// Tests of the target of an extraction, and of failing system calls.
@Suite("The target of an extraction")
final class OutputTests {
  /// The initial state of the target.
  enum Place: CaseIterable {
    case absent, empty, filled
  }

  private let folder: TemporaryFolder
  private var pack: String { folder.path("a.aar") }
  private var target: String { folder.path("out") }

  init() throws {
    folder = try TemporaryFolder()
    var pack = PackBytes.sample
    pack.addFolder("Contents/private", mode: 0o700)
    try folder.makeFile("a.aar", pack.container(blockSize: 200))
  }

  private func prepare(_ place: Place) throws {
    if FileManager.default.fileExists(atPath: target) { try folder.remove("out") }
    if place != .absent { try folder.makeFolder("out", mode: 0o750) }
    guard place == .filled else { return }
    try folder.makeFile("out/mine.txt", "mine")
    try folder.makeFile("out/run.sh", "old", mode: 0o600)
    try folder.makeFile("out/Levels/two.json", "old")
    try folder.makeFile("out/Levels/more/mine.txt", "mine")
    try folder.makeFolder("out/Levels", mode: 0o711)
    try folder.makeFolder("out", mode: 0o750)
  }

  private func extract(_ place: Place, _ path: String? = nil) throws(PackError) {
    var extraction = Extraction()
    extraction.isForced = place == .filled
    _ = try extraction.extract(pack, into: path ?? target, .unstoppable)
  }

  /// Returns the entries below the test's folder except the pack: paths with modes and contents.
  private func tree() throws -> [String: String] {
    var tree: [String: String] = [:]
    for name in try FileManager.default.subpathsOfDirectory(atPath: folder.path)
    where name != "a.aar" {
      let path = folder.path(name)
      let status = try FileStatus(ofFileAt: path)
      let text = status.kind == .directory ? "/" : try String(contentsOfFile: path, encoding: .utf8)
      tree[name] = String(status.permissions, radix: 8) + " " + text
    }
    return tree
  }

  private func expected(_ place: Place) -> [String: String] {
    var tree = [
      "out": "755 /", "out/Levels": "755 /", "out/empty": "755 /",
      "out/private": "700 /",
      "out/run.sh": "755 #!/bin/sh\n", "out/日本.txt": "644 ",
      "out/Levels/one.json": "644 {\"name\": \"one\", \"name2\": \"one\"}",
      "out/Levels/two.json": "644 {\"name\": \"two\", \"name2\": \"two\"}",
    ]
    if place != .absent { tree["out"] = "750 /" }
    if place == .filled {
      tree["out/Levels"] = "711 /"
      tree["out/mine.txt"] = "644 mine"
      tree["out/Levels/more"] = "755 /"
      tree["out/Levels/more/mine.txt"] = "644 mine"
    }
    return tree
  }

  @Test(arguments: Place.allCases)
  func `an existing folder is not replaced`(place: Place) throws {
    try prepare(place)
    let before = try? FileStatus(ofFileAt: target).identity
    try extract(place)
    #expect(try tree() == expected(place))
    if let before { #expect(try FileStatus(ofFileAt: target).identity == before) }
  }

  @Test(arguments: ["/.", "/./.", "//", "/"])
  func `a dot at the end of the path is the folder itself`(ending: String) throws {
    for place in Place.allCases {
      try prepare(place)
      try extract(place, target + ending)
      #expect(try tree() == expected(place))
    }
  }

  @Test(
    .heavy,
    arguments: [
      SystemCall.write, .open, .makeDirectory, .changeMode, .changeTimes, .rename, .sync, .status,
      .readDirectory,
    ])
  func `after any failing system call, either all files or none are replaced`(call: SystemCall)
    throws
  {
    var failures = 0
    for place in Place.allCases {
      var (skipping, successes) = (-1, 0)
      // Three failures in a row, because the call is rare.
      while successes < 3 {
        skipping += 1
        try prepare(place)
        let before = try tree()
        let error = ForcedFailures.inject(
          ForcedFailure(call, .fail(ENOSPC), times: 1, skipping: skipping)
        ) { () -> PackError? in
          do throws(PackError) {
            try extract(place)
            return nil
          } catch {
            return error
          }
        }
        let comment: Comment = "\(place), \(call) \(skipping): \(error?.message ?? "")"
        successes = error == nil ? successes + 1 : 0
        // Only steps after the last rename may fail and leave the files.
        if let error, try tree() != expected(place) {
          failures += 1
          #expect(try tree() == before, comment)
          #expect(error.kind == .system(ENOSPC), comment)
          if call == .write {
            #expect(error.message.hasSuffix("': No space left on device"))
            #expect(error.remedies == ["free some space", .writeToAnotherDisk])
          }
        } else {
          // The next run removes files that could not be removed.
          let rest = try tree().filter { !$0.key.contains(".ba-package-") }
          #expect(rest == expected(place), comment)
        }
      }
    }
    #expect(failures > 0)
  }

  @Test(arguments: [3, 100])
  func `all files are on the disk before the first rename`(count: Int) throws {
    var pack = PackBytes.beginning
    pack.addFolder("Contents/d")
    for index in 0..<count { pack.addFile("Contents/d/\(1000 + index)", [1, 2, 3]) }
    try folder.makeFile("a.aar", pack.stream)
    for place in Place.allCases {
      try prepare(place)
      let calls = Calls()
      try ForcedFailures.inject(
        [SystemCall.write, .changeMode, .changeTimes, .sync, .rename].map(calls.note)
      ) { try extract(place) }
      let seen = calls.all
      let name = try #require(seen.firstIndex(of: .rename))
      let contents = try #require(seen.lastIndex(of: .write))
      let attributes = try #require(seen.lastIndex(of: .changeTimes))
      #expect(contents < name && attributes < name, "\(place)")
      let syncs = seen[contents..<name].count { $0 == .sync }
      // Each file and folder separately, or the whole file system once.
      #expect(count > 32 ? syncs == 1 : syncs == count + 2, "\(place): \(syncs)")
      #expect(seen[name...].contains(.sync), "names are synced, too")
    }
  }

  @Test
  func `permissions are set last, so that folders are writable when they are moved`() throws {
    var pack = PackBytes.beginning
    pack.addFolder("Contents/closed", mode: 0o555)
    pack.addFolder("Contents/closed/inner", mode: 0o500)
    pack.addFile("Contents/closed/inner/file", [1])
    try folder.makeFile("a.aar", pack.stream)
    try folder.makeFolder("out")
    let target = target
    let modes = Mutex<[UInt32]>([])
    let failure = ForcedFailure(
      .rename,
      .run {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: target)) ?? []
        for name in names where TemporaryName.matches(name.utf8) {
          let status = try? FileStatus(ofFileAt: "\(target)/\(name)/closed")
          modes.withLock { $0.append(status?.permissions ?? 0) }
        }
      })
    try ForcedFailures.inject(failure) { try extract(.empty) }
    #expect(modes.withLock { $0 } == [0o755])
    let after = try tree()
    #expect(after["out/closed"] == "555 /")
    #expect(after["out/closed/inner"] == "500 /")
    #expect(after["out/closed/inner/file"] == "644 \u{1}")
  }

  @Test(arguments: [EBUSY, EPERM, EXDEV])
  func `a folder that cannot be exchanged is filled nevertheless`(code: Int32) throws {
    for place in [Place.empty, .filled] {
      try prepare(place)
      try ForcedFailures.inject(.always(.rename, code, path: "/out")) { try extract(place) }
      #expect(try tree() == expected(place))
    }
  }

  @Test
  func `a subfolder on another disk is filled there`() throws {
    try prepare(.filled)
    let inside = ForcedFailure(
      .rename, .fail(EXDEV), times: 1, path: ".tmp", within: target + "/Levels/")
    try ForcedFailures.inject(inside) { try extract(.filled) }
    #expect(try tree() == expected(.filled))
  }

  @Test(arguments: [
    ("out/run.sh/x", "cannot extract to 'run.sh': it is a folder"),
    ("out/empty", "cannot extract to 'empty': it is not a folder"),
    ("out/Levels/two.json/x", "cannot extract to 'Levels/two.json': it is a folder"),
  ])
  func `an entry that cannot be replaced is reported before writing`(
    name: String, message: String
  ) throws {
    try folder.makeFile(name, "mine")
    let before = try tree()
    let calls = Calls()
    let error = ForcedFailures.inject(calls.note(.write)) { () -> PackError? in
      do throws(PackError) {
        try extract(.filled)
        return nil
      } catch {
        return error
      }
    }
    #expect(error?.message == message.replacing("'", with: "'\(target)/", maxReplacements: 1))
    #expect(calls.all.isEmpty)
    #expect(try tree() == before)
  }

  @Test
  func `a folder that is not writable is reported before writing`() throws {
    try prepare(.filled)
    let calls = Calls()
    let refused = ForcedFailure(.rename, .fail(EACCES), path: ".tmp", within: target + "/Levels/")
    #expect(throws: PackError.self) {
      try ForcedFailures.inject([refused, calls.note(.write)]) { try self.extract(.filled) }
    }
    #expect(calls.all.isEmpty)
  }

  @Test
  func `a folder that appears during the replacement of files is kept`() throws {
    try prepare(.filled)
    let target = target
    let late = ForcedFailure(
      .rename,
      .run {
        try? FileManager.default.removeItem(atPath: target + "/run.sh")
        try? FileManager.default.createDirectory(
          atPath: target + "/run.sh/precious", withIntermediateDirectories: true)
      }, times: 1, path: "out/run.sh")
    #expect(throws: PackError.self) {
      try ForcedFailures.inject(late) { try self.extract(.filled) }
    }
    #expect(FileManager.default.fileExists(atPath: target + "/run.sh/precious"))
    #expect(try tree()["out/Levels/two.json"] == "644 old")
  }

  @Test
  func `setuid, setgid and sticky bits are not restored, but a setgid folder is inherited`()
    throws
  {
    var pack = PackBytes.beginning
    pack.addFolder("Contents/d", mode: 0o7755)
    pack.addFile("Contents/d/x", [1], mode: 0o7777)
    try folder.makeFile("a.aar", pack.stream)
    try folder.makeFolder("out", mode: 0o2755)
    try extract(.empty)
    #expect(try FileStatus(ofFileAt: target + "/d").permissions == 0o2755)
    #expect(try FileStatus(ofFileAt: target + "/d/x").permissions == 0o755)
  }

  @Test
  func `zeros of a file become a hole again`() throws {
    let size = 6 << 20
    var pack = PackBytes.beginning
    pack.addFile("Contents/disk", [UInt8](repeating: 0, count: size) + [1])
    try folder.makeFile("a.aar", pack.container(blockSize: 100_000))
    try extract(.absent)
    var status = stat()
    #expect(unsafe stat(target + "/disk", &status) == 0)
    #expect(status.st_size == size + 1 && status.st_blocks * 512 < 200_000)
    #expect(try folder.contents("out/disk") == [UInt8](repeating: 0, count: size) + [1])
  }
}

/// The system calls of a run, in order.
private final class Calls: Sendable {
  private let calls = Mutex<[SystemCall]>([])
  var all: [SystemCall] { calls.withLock { $0 } }

  /// Records calls of one kind.
  func note(_ call: SystemCall) -> ForcedFailure {
    ForcedFailure(call, .run { self.calls.withLock { $0.append(call) } })
  }
}
