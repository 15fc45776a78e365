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
  ) throws(SystemError) {
    let file = try AtomicFile(path, replacing: replacing)
    try put(text, into: file)
    try file.publish()
  }

  static func put(_ text: String, into file: borrowing AtomicFile) throws(SystemError) {
    try file.write(Array(text.utf8.prefix(3)))
    try file.write(Array(text.utf8.dropFirst(3)))
  }

  /// Makes the file system look like one without nameless files.
  static let noNamelessFiles = Fault.once(.open, EOPNOTSUPP, path: "x.aar")

  @Test("a file appears with its name, whole", arguments: [false, true])
  func appears(isNamed: Bool) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("x.aar")
    try Faults.inject(isNamed ? [Self.noNamelessFiles] : []) {
      let file = try AtomicFile(path)
      try Self.put("contents", into: file)
      #expect(try Self.names(in: folder).contains("x.aar") == false)
      #expect(try Self.names(in: folder).isEmpty == !isNamed)
      try file.publish()
    }
    #expect(try Self.names(in: folder) == ["x.aar"])
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "contents")
  }

  @Test("nothing is left of a file that was given up", arguments: [false, true])
  func givenUp(isNamed: Bool) throws {
    let folder = try TemporaryFolder()
    try Faults.inject(isNamed ? [Self.noNamelessFiles] : []) {
      let file = try AtomicFile(folder.path("x.aar"))
      try Self.put("contents", into: file)
    }
    #expect(try Self.names(in: folder) == [])
  }

  @Test("an existing file is refused at once, and when it comes later", arguments: [false, true])
  func exists(isNamed: Bool) throws {
    let folder = try TemporaryFolder()
    try folder.makeFile("x.aar", "old")
    let path = folder.path("x.aar")
    #expect(throws: SystemError("create", path, code: EEXIST)) { _ = try AtomicFile(path) }
    try folder.remove("x.aar")
    try Faults.inject(isNamed ? [Self.noNamelessFiles] : []) {
      let file = try AtomicFile(path)
      try Self.put("new", into: file)
      try folder.makeFile("x.aar", "old")
      do throws(SystemError) {
        try file.publish()
        Issue.record("an existing file was replaced")
      } catch {
        #expect(error.code == EEXIST)
      }
    }
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "old")
    #expect(try Self.names(in: folder) == ["x.aar"])
  }

  @Test("a folder in the way is found out at once", arguments: [false, true])
  func folderInTheWay(replacing: Bool) throws {
    let folder = try TemporaryFolder()
    try folder.makeFolder("x.aar")
    let path = folder.path("x.aar")
    let expected = SystemError("write", path, code: EISDIR)
    #expect(throws: expected) { _ = try AtomicFile(path, replacing: replacing) }
    #expect(throws: expected) { try AtomicFile.check(path, replacing: replacing) }
    try AtomicFile.check(folder.path("absent/x"), replacing: replacing)
  }

  @Test("one that may replace another does so in one step", arguments: [false, true])
  func replaces(isNamed: Bool) throws {
    let folder = try TemporaryFolder()
    try folder.makeFile("x.aar", "old")
    try Faults.inject(isNamed ? [Self.noNamelessFiles] : []) {
      try Self.write("new text", to: folder.path("x.aar"), replacing: true)
    }
    #expect(try String(contentsOfFile: folder.path("x.aar"), encoding: .utf8) == "new text")
    #expect(try Self.names(in: folder) == ["x.aar"])
  }

  @Test("a full disk or a broken one leaves what was there", arguments: [false, true])
  func faults(replacing: Bool) throws {
    let faults: [Fault] = [
      .always(.write, ENOSPC), .once(.write, EIO), .always(.sync, EIO), .always(.link, EACCES),
      .always(.rename, EACCES), Fault(.write, .fail(ENOSPC), skipping: 1),
    ]
    for fault in faults {
      let folder = try TemporaryFolder()
      if replacing { try folder.makeFile("x.aar", "old") }
      // Short writes in between must not lose bytes.
      let error = Faults.inject(fault, Fault(.write, .shorten(to: 2))) { () -> SystemError? in
        do throws(SystemError) {
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

  @Test("short writes are completed")
  func shortWrites() throws {
    let folder = try TemporaryFolder()
    for size in 1...9 {
      try Faults.inject(Fault(.write, .shorten(to: size))) {
        try Self.write("contents", to: folder.path("\(size)"))
      }
      #expect(try String(contentsOfFile: folder.path("\(size)"), encoding: .utf8) == "contents")
    }
  }

  @Test("a folder that is missing is named")
  func missingFolder() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("none/x.aar")
    #expect(throws: SystemError("open", folder.path("none"), code: ENOENT)) {
      _ = try AtomicFile(path)
    }
  }

  @Test("a staged folder appears whole, or goes with all that is in it")
  func stagedFolder() throws {
    let folder = try TemporaryFolder()
    try Self.fill("out", in: folder, publishing: false)
    #expect(try Self.names(in: folder) == [])
    try Self.fill("out", in: folder, publishing: true)
    #expect(try Self.names(in: folder) == ["out"])
    try folder.makeFolder("empty")
    for name in ["out", "empty"] {
      #expect(throws: SystemError("rename", folder.path(name), code: EEXIST)) {
        try Self.fill(name, in: folder, publishing: true)
      }
    }
    #expect(try Self.names(in: folder) == ["empty", "out"])
  }

  private static func fill(
    _ name: String, in folder: borrowing TemporaryFolder, publishing: Bool
  ) throws(SystemError) {
    let staged = try StagedFolder(
      in: FileDescriptor.open(folder.path, for: .directory), for: folder.path(name))
    let inner = FileName("file")
    try staged.contents.open(inner, for: .creating(permissions: 0o600)).close()
    if publishing { try staged.publish(as: folder.path(name)) }
  }
}
