import Foundation
import Glibc
import SystemIO
import TestSupport
import Testing

@Suite("Files that are whole or absent")
struct AtomicFileTests {
  static func names(in folder: borrowing TemporaryFolder) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
  }

  static func write(
    _ text: String, to path: String, replacing: Bool = false
  ) throws(Failure) {
    let file = try AtomicFile(path, replacing: replacing)
    try put(text, into: file)
    try file.publish()
  }

  static func put(_ text: String, into file: borrowing AtomicFile) throws(Failure) {
    try file.write(Array(text.utf8.prefix(3)))
    try file.write(Array(text.utf8.dropFirst(3)))
  }

  /// Makes the file system look like one without nameless files.
  static let noNamelessFiles = ForcedFailure.once(.open, EOPNOTSUPP, path: "x.aar")

  @Test(arguments: [false, true])
  func `a file is published atomically`(isNamed: Bool) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("x.aar")
    try ForcedFailures.inject(isNamed ? [Self.noNamelessFiles] : []) {
      let file = try AtomicFile(path)
      try Self.put("contents", into: file)
      #expect(try Self.names(in: folder).contains("x.aar") == false)
      #expect(try Self.names(in: folder).isEmpty == !isNamed)
      try file.publish()
    }
    #expect(try Self.names(in: folder) == ["x.aar"])
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "contents")
  }

  @Test(arguments: [false, true])
  func `an abandoned file leaves no file`(isNamed: Bool) throws {
    let folder = try TemporaryFolder()
    try ForcedFailures.inject(isNamed ? [Self.noNamelessFiles] : []) {
      let file = try AtomicFile(folder.path("x.aar"))
      try Self.put("contents", into: file)
    }
    #expect(try Self.names(in: folder) == [])
  }

  @Test(arguments: [false, true])
  func `an existing file is an error at the start and at the end`(isNamed: Bool) throws {
    let folder = try TemporaryFolder()
    try folder.makeFile("x.aar", "old")
    let path = folder.path("x.aar")
    #expect(throws: Failure(.create, path, code: EEXIST)) { _ = try AtomicFile(path) }
    try folder.remove("x.aar")
    try ForcedFailures.inject(isNamed ? [Self.noNamelessFiles] : []) {
      let file = try AtomicFile(path)
      try Self.put("new", into: file)
      try folder.makeFile("x.aar", "old")
      do throws(Failure) {
        try file.publish()
        Issue.record("an existing file was replaced")
      } catch {
        #expect(error.code == EEXIST)
      }
    }
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "old")
    #expect(try Self.names(in: folder) == ["x.aar"])
  }

  /// Makes a pipe, or a link to a device.
  private static func makeSpecial(_ kind: FileKind, at path: String) throws {
    if kind == .pipe {
      try #require(unsafe mkfifo(path, 0o600) == 0)
    } else {
      try FileManager.default.createSymbolicLink(
        atPath: path, withDestinationPath: "/dev/full")
    }
  }

  @Test(arguments: [FileKind.pipe, .characterDevice], [false, true])
  func `a pipe or a device is never replaced, and is not reported as an existing file`(
    kind: FileKind, replacing: Bool
  ) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("x.aar")
    try Self.makeSpecial(kind, at: path)
    let refused = Failure(.write, path, code: FileRewrite.notRegular)
    #expect(throws: refused) { _ = try AtomicFile(path, replacing: replacing) }
    #expect(throws: refused) { try AtomicFile.check(path, replacing: replacing) }
    #expect(try FileStatus(ofFileAt: path).kind == kind)
  }

  @Test func `a text is written into an existing pipe or device`() throws {
    let folder = try TemporaryFolder()
    let pipe = folder.path("pipe")
    try Self.makeSpecial(.pipe, at: pipe)
    // The pipe has no reader yet.
    #expect(throws: Failure(.open, pipe, code: ENXIO)) {
      try AtomicFile.write([1], to: pipe, replacing: true)
    }
    let text = [UInt8](repeating: 7, count: 1 << 20)
    let reader = try FileDescriptor.open(pipe, for: .waiting(.unstoppable))
    let read = Noted<[UInt8]>()
    let thread = try WorkerThreads(1, stop: {}) {
      read.add(
        (try? FileDescriptor.open(pipe, for: .waiting(.unstoppable)).readToEnd(atMost: 1 << 30))
          ?? [])
    }
    try AtomicFile.write(text, to: pipe)
    thread.join()
    extendLifetime(reader)
    #expect(read.all == [text])
    let full = folder.path("full")
    try Self.makeSpecial(.characterDevice, at: full)
    #expect(throws: Failure(.write, full, code: ENOSPC)) {
      try AtomicFile.write([1], to: full, replacing: true)
    }
    #expect(try Self.names(in: folder) == ["full", "pipe"])
  }

  @Test(arguments: [false, true])
  func `a folder at the path is an immediate error`(replacing: Bool) throws {
    let folder = try TemporaryFolder()
    try folder.makeFolder("x.aar")
    let path = folder.path("x.aar")
    let expected = Failure(.write, path, code: EISDIR)
    #expect(throws: expected) { _ = try AtomicFile(path, replacing: replacing) }
    #expect(throws: expected) { try AtomicFile.check(path, replacing: replacing) }
    #expect(throws: Failure(.open, folder.path("absent"), code: ENOENT)) {
      try AtomicFile.check(folder.path("absent/x"), replacing: replacing)
    }
    try AtomicFile.check(folder.path("absent/too/x"), replacing: replacing, makingFolder: true)
    #expect(try Self.names(in: folder) == ["x.aar"])
  }

  @Test(arguments: [false, true])
  func `the check before the work throws the error of the work`(makingFolder: Bool) throws {
    let folder = try TemporaryFolder()
    try folder.makeFile("file", "a file")
    try folder.makeFile("there/x")
    try folder.makeFolder("taken/x")
    let faults: [[ForcedFailure]] = [
      [], [.always(.open, EACCES, path: "there")], [.always(.open, EIO, path: "/new")],
    ]
    for (path, faults) in ["x", "there/x", "taken/x", "file/x", "new/x", "new/deep/x"].flatMap({
      path in faults.map { (path, $0) }
    }) {
      let path = folder.path(path)
      func failure(_ body: () throws(Failure) -> Void) -> Int32? {
        ForcedFailures.inject(faults) {
          do throws(Failure) {
            try body()
            return nil
          } catch {
            return error.code
          }
        }
      }
      let said = failure { () throws(Failure) in
        try AtomicFile.check(path, replacing: false, makingFolder: makingFolder)
      }
      #expect(!FileManager.default.fileExists(atPath: folder.path("new")))
      let met = failure { () throws(Failure) in
        try Self.put("text", into: AtomicFile(path, makingFolder: makingFolder))
      }
      #expect(said == met, "\(path)")
      if FileManager.default.fileExists(atPath: folder.path("new")) { try folder.remove("new") }
    }
    // The superuser may write everywhere, so the failure is forced.
    let refused = ForcedFailures.inject(.always(.access, EACCES, path: "there")) {
      #expect(throws: Failure.self) {
        try AtomicFile.check(folder.path("there/new"), replacing: false)
      }
    }
    #expect(refused?.code == EACCES)
  }

  @Test(arguments: [false, true])
  func `a folder that another process removes before the publication is created again`(
    replacing: Bool
  )
    throws
  {
    for call in [SystemCall.status, .open, .write, .sync, .link] {
      for skipping in 0..<3 {
        let folder = try TemporaryFolder()
        try folder.makeFolder("out/deep")
        let path = folder.path("out/deep/x.aar")
        let (inner, outer) = (folder.path("out/deep"), folder.path("out"))
        let other = ForcedFailure.interruptedPacker(
          at: call, skipping: skipping, removing: inner, in: outer)
        try ForcedFailures.inject(other) {
          let file = try AtomicFile(path, replacing: replacing, makingFolder: true)
          try Self.put("contents", into: file)
          try file.publish()
        }
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "contents")
        #expect(try FileManager.default.contentsOfDirectory(atPath: inner) == ["x.aar"])
      }
    }
  }

  @Test
  func `without permission to create a folder, none is created`() throws {
    let folder = try TemporaryFolder()
    try folder.makeFolder("out")
    let inner = folder.path("out")
    let error = ForcedFailures.inject(ForcedFailure(.sync, .run { unsafe rmdir(inner) }, times: 1))
    {
      #expect(throws: Failure.self) { try Self.write("text", to: folder.path("out/x.aar")) }
    }
    #expect(error?.code == ENOENT)
    #expect(try Self.names(in: folder) == [])
  }

  @Test(arguments: [false, true])
  func `without '/proc' a file is also published atomically`(replacing: Bool) throws {
    let folder = try TemporaryFolder()
    try ForcedFailures.inject(.always(.access, ENOENT, path: "/proc/self/fd")) {
      try Self.write("old", to: folder.path("x.aar"))
      try Self.write("new", to: folder.path(replacing ? "x.aar" : "y"), replacing: replacing)
      try Self.put("given up", into: AtomicFile(folder.path("z")))
    }
    #expect(try Self.names(in: folder) == (replacing ? ["x.aar"] : ["x.aar", "y"]))
  }

  @Test
  func `a folder for outputs removes the empty folders that it created`() throws {
    let folder = try TemporaryFolder()
    try folder.makeFolder("was/there")
    do { try use(OutputFolder(folder.path("was/there/new/deep"))) }
    #expect(try FileManager.default.subpathsOfDirectory(atPath: folder.path("was")) == ["there"])
    do {
      try use(OutputFolder(folder.path("a/b/c")))
      let outer = try OutputFolder(folder.path("a/b/c"))
      try folder.makeFile("a/b/x")
      use(outer)
    }
    #expect(
      try FileManager.default.subpathsOfDirectory(atPath: folder.path("a")).sorted() == [
        "b", "b/x",
      ])
    try folder.makeFile("file", "in the way")
    #expect(throws: Failure.self) { try use(OutputFolder(folder.path("file/x"))) }
    #expect(throws: Failure.self) {
      try use(OutputFolder(folder.path("new/" + String(repeating: "x", count: 300))))
    }
    #expect(try Self.names(in: folder) == ["a", "file", "was"])
  }

  private func use(_ folder: consuming OutputFolder) {}

  @Test(arguments: [false, true])
  func `an existing file is replaced in one step`(isNamed: Bool) throws {
    let folder = try TemporaryFolder()
    try folder.makeFile("x.aar", "old")
    try ForcedFailures.inject(isNamed ? [Self.noNamelessFiles] : []) {
      try Self.write("new text", to: folder.path("x.aar"), replacing: true)
    }
    #expect(try String(contentsOfFile: folder.path("x.aar"), encoding: .utf8) == "new text")
    #expect(try Self.names(in: folder) == ["x.aar"])
  }

  @Test(arguments: [false, true])
  func `a full or broken disk leaves the existing file unchanged`(replacing: Bool) throws {
    let faults: [ForcedFailure] = [
      .always(.write, ENOSPC), .once(.write, EIO), .always(.sync, EIO), .always(.link, EACCES),
      .always(.rename, EACCES), ForcedFailure(.write, .fail(ENOSPC), skipping: 1),
    ]
    for fault in faults {
      let folder = try TemporaryFolder()
      if replacing { try folder.makeFile("x.aar", "old") }
      // Short writes between full ones must not lose bytes.
      let error = ForcedFailures.inject(fault, ForcedFailure(.write, .shorten(to: 2))) {
        () -> Failure? in
        do throws(Failure) {
          try Self.write("contents", to: folder.path("x.aar"), replacing: replacing)
          return nil
        } catch {
          return error
        }
      }
      if let error {
        #expect(error.path.hasSuffix("x.aar"))
        #expect(try Self.names(in: folder) == (replacing ? ["x.aar"] : []))
      } else {
        // A file without a name is linked, and not renamed.
        #expect(fault.call == .rename && !replacing)
      }
    }
  }

  @Test
  func `short writes are completed`() throws {
    let folder = try TemporaryFolder()
    for size in 1...9 {
      try ForcedFailures.inject(ForcedFailure(.write, .shorten(to: size))) {
        try Self.write("contents", to: folder.path("\(size)"))
      }
      #expect(try String(contentsOfFile: folder.path("\(size)"), encoding: .utf8) == "contents")
    }
  }

  @Test
  func `an error contains the missing folder`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("none/x.aar")
    #expect(throws: Failure(.open, folder.path("none"), code: ENOENT)) {
      _ = try AtomicFile(path)
    }
  }

  @Test
  func `a staged folder is published complete or removed with its contents`() throws {
    let folder = try TemporaryFolder()
    try Self.fill("out", in: folder, publishing: false)
    #expect(try Self.names(in: folder) == [])
    try Self.fill("out", in: folder, publishing: true)
    #expect(try Self.names(in: folder) == ["out"])
    try folder.makeFolder("empty")
    for name in ["out", "empty"] {
      #expect(throws: Failure(.rename, folder.path(name), code: EEXIST)) {
        try Self.fill(name, in: folder, publishing: true)
      }
    }
    #expect(try Self.names(in: folder) == ["empty", "out"])
  }

  private static func fill(
    _ name: String, in folder: borrowing TemporaryFolder, publishing: Bool
  ) throws(Failure) {
    let staged = try StagedFolder(
      in: FileDescriptor.open(folder.path, for: .directory), for: folder.path(name))
    let inner = FileName("file")
    try staged.contents.open(inner, for: .creating(permissions: 0o600)).close()
    if publishing { try staged.publish(as: folder.path(name)) }
  }
}
