import BAPackKit
import Foundation
import Glibc
import SystemIO
import TestSupport
import Testing

@Suite final class ExtractionTests {
  private let folder: TemporaryFolder
  private var target: String { folder.path("out") }

  init() throws {
    folder = try TemporaryFolder()
    try folder.makeFile("a.aar", PackBytes.sample.container(blockSize: 200))
  }

  /// What is below a folder: paths with contents, folders with a slash.
  private func tree(_ path: String) throws -> [String: String] {
    var tree: [String: String] = [:]
    for name in try FileManager.default.subpathsOfDirectory(atPath: path) {
      tree[name] = (try? String(contentsOfFile: path + "/" + name, encoding: .utf8)) ?? "/"
    }
    return tree
  }

  private func mode(_ path: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
  }

  private let expected = [
    "Levels": "/", "empty": "/", "run.sh": "#!/bin/sh\n", "日本.txt": "",
    "Levels/one.json": "{\"name\": \"one\", \"name2\": \"one\"}",
    "Levels/two.json": "{\"name\": \"two\", \"name2\": \"two\"}",
  ]

  /// Nothing but what the test put there, not even for a moment longer.
  private func leftovers() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).filter {
      $0.hasPrefix(".ba-package")
    }
  }

  @Test("a new folder gets what is below Contents, with modes and times", arguments: [1, 2])
  func newFolder(threads: Int) throws {
    var extraction = Extraction()
    extraction.threads = threads
    let summary = try extraction.extract(folder.path("a.aar"), into: target)
    #expect(try tree(target) == expected)
    #expect(summary.fileCount == 4)
    #expect(summary.directoryCount == 2)
    #expect(summary.byteCount == 72)
    #expect(try mode(target + "/run.sh") == 0o755)
    #expect(try mode(target + "/Levels/one.json") == 0o644)
    #expect(try mode(target + "/Levels") == 0o755)
    for name in ["run.sh", "Levels", "empty"] {
      let date = try FileManager.default.attributesOfItem(atPath: target + "/" + name)
      #expect(date[.modificationDate] as? Date == Date(timeIntervalSince1970: 978_307_200))
    }
    #expect(try leftovers() == [])
  }

  @Test("an empty folder is filled, also the one that one is in")
  func emptyFolder() throws {
    try folder.makeFolder("out", mode: 0o700)
    _ = try Extraction().extract(folder.path("a.aar"), into: target)
    #expect(try tree(target) == expected)
    #expect(try mode(target) == 0o700)
    try folder.makeFolder("real")
    try folder.makeLink("link", to: "real")
    _ = try Extraction().extract(folder.path("a.aar"), into: folder.path("link"))
    #expect(try tree(folder.path("real")) == expected)
    #expect(try leftovers() == [])
  }

  @Test("a folder with something in it needs force, and then keeps what is not replaced")
  func filledFolder() throws {
    try folder.makeFile("out/mine.txt", "mine")
    try folder.makeFile("out/run.sh", "old")
    #expect(
      throws: PackError(
        .exists, "'\(target)' is not empty",
        remedy: "choose another folder, or use --force to write into this one")
    ) {
      try Extraction().extract(self.folder.path("a.aar"), into: self.target)
    }
    var extraction = Extraction()
    extraction.isForced = true
    _ = try extraction.extract(folder.path("a.aar"), into: target)
    var whole = expected
    whole["mine.txt"] = "mine"
    #expect(try tree(target) == whole)
  }

  @Test("--all takes the raw entries")
  func everything() throws {
    var extraction = Extraction()
    extraction.scope = .everything
    _ = try extraction.extract(folder.path("a.aar"), into: target)
    let names = Set(try tree(target).keys)
    #expect(names == Set(expected.keys.map { "Contents/" + $0 } + ["Contents", "Manifest.json"]))
  }

  @Test("chosen paths come with the folders above them")
  func chosen() throws {
    var extraction = Extraction()
    extraction.paths = ["./Levels/two.json", "empty/"]
    _ = try extraction.extract(folder.path("a.aar"), into: target)
    #expect(Set(try tree(target).keys) == ["Levels", "Levels/two.json", "empty"])
    extraction.paths = ["Levels", "nothing", "Leve"]
    let error = #expect(throws: PackError.self) {
      try extraction.extract(self.folder.path("a.aar"), into: self.folder.path("other"))
    }
    #expect(error?.message == "'\(folder.path("a.aar"))' has no 'nothing', 'Leve'")
    #expect(!FileManager.default.fileExists(atPath: folder.path("other")))
    #expect(try leftovers() == [])
  }

  @Test("exports hold the same files", arguments: Extraction.exportSuffixes)
  func exports(suffix: String) throws {
    let archive = folder.path("x" + suffix)
    let summary = try Extraction().export(folder.path("a.aar"), to: archive)
    #expect(summary.fileCount == 4)
    #expect(throws: PackError.self) {
      try Extraction().export(self.folder.path("a.aar"), to: archive)
    }
    let first = try Data(contentsOf: URL(filePath: archive))
    var forced = Extraction()
    forced.isForced = true
    _ = try forced.export(folder.path("a.aar"), to: archive)
    #expect(try Data(contentsOf: URL(filePath: archive)) == first)
    #expect(try leftovers() == [])
  }

  @Test("an empty folder stays the one it is where nothing can be made beside it")
  func parentIsNotWritable() throws {
    try folder.makeFolder("out")
    let before = try FileDescriptor.open(target, for: .directory).status().identity
    let (path, target) = (folder.path("a.aar"), target)
    let summary = try Faults.inject(.always(.access, EACCES)) {
      try Extraction().extract(path, into: target)
    }
    #expect(summary.fileCount == 4)
    #expect(try FileDescriptor.open(target, for: .directory).status().identity == before)
    #expect(try leftovers() == [])
  }

  @Test("an extraction that is cancelled leaves nothing")
  func cancelled() throws {
    var extraction = Extraction()
    extraction.isCancelled = { true }
    let error = #expect(throws: PackError.self) {
      try extraction.extract(self.folder.path("a.aar"), into: self.target)
    }
    #expect(error?.kind == .interrupted)
    #expect(!FileManager.default.fileExists(atPath: target))
    #expect(try leftovers() == [])
  }

  @Test("progress rises to the whole pack and names each entry")
  func progress() throws {
    var names: [String] = []
    var last: UInt64 = 0
    _ = try Extraction().extract(folder.path("a.aar"), into: target) { progress in
      if progress.isBeginning { names.append(progress.path) }
      #expect(progress.done >= last && progress.done <= progress.total)
      last = progress.done
    }
    #expect(
      names == ["Levels", "Levels/one.json", "Levels/two.json", "empty", "run.sh", "日本.txt"])
  }

  @Test(
    "what the disk refuses names the file and the remedy, and leaves nothing",
    arguments: [SystemCall.write, .open, .makeDirectory, .changeMode, .changeTimes, .rename])
  func refusals(call: SystemCall) throws {
    for skipping in 0..<3 {
      let fault = Fault(call, .fail(ENOSPC), times: 1, skipping: skipping)
      let path = folder.path("a.aar")
      let target = target
      let error = try Faults.inject(fault) {
        do {
          _ = try Extraction().extract(path, into: target)
          return nil as PackError?
        } catch let error as PackError {
          return error
        }
      }
      if let error {
        #expect(error.kind == .system(ENOSPC))
        if call == .write {
          #expect(error.message.hasSuffix("': No space left on device"))
          #expect(error.message.contains("Levels/") || error.message.contains("run.sh"))
          #expect(error.remedy == "free some space, or write to another disk with -o")
        }
        #expect(!FileManager.default.fileExists(atPath: target))
      } else {
        try folder.remove("out")
      }
      #expect(try leftovers() == [])
    }
  }
}
