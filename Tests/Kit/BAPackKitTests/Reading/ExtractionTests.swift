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

  /// Returns the entries below a folder: paths with contents, folders with a slash.
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

  /// Whether the folder contains only the files of the test.
  private func leftovers() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).filter {
      $0.hasPrefix(".ba-package")
    }
  }

  @Test(arguments: [1, 2])
  func `a new folder gets the entries of Contents, with modes and times`(threads: Int) throws {
    var extraction = Extraction()
    extraction.threads = threads
    let summary = try extraction.extract(folder.path("a.aar"), into: target, .unstoppable)
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

  @Test
  func `an empty folder is filled, also the current folder`() throws {
    try folder.makeFolder("out", mode: 0o700)
    _ = try Extraction().extract(folder.path("a.aar"), into: target, .unstoppable)
    #expect(try tree(target) == expected)
    #expect(try mode(target) == 0o700)
    try folder.makeFolder("real")
    try folder.makeLink("link", to: "real")
    _ = try Extraction().extract(folder.path("a.aar"), into: folder.path("link"), .unstoppable)
    #expect(try tree(folder.path("real")) == expected)
    #expect(try leftovers() == [])
  }

  @Test
  func `a nonempty folder requires force, and keeps its other files`() throws {
    try folder.makeFile("out/mine.txt", "mine")
    try folder.makeFile("out/run.sh", "old")
    #expect(
      throws: PackError(
        .exists, "'\(target)' is not empty",
        remedies: ["choose another folder", .writeIntoFolder])
    ) {
      try Extraction().extract(self.folder.path("a.aar"), into: self.target, .unstoppable)
    }
    var extraction = Extraction()
    extraction.isForced = true
    _ = try extraction.extract(folder.path("a.aar"), into: target, .unstoppable)
    var whole = expected
    whole["mine.txt"] = "mine"
    #expect(try tree(target) == whole)
  }

  @Test
  func `--all extracts the raw entries`() throws {
    var extraction = Extraction()
    extraction.scope = .everything
    _ = try extraction.extract(folder.path("a.aar"), into: target, .unstoppable)
    let names = Set(try tree(target).keys)
    #expect(names == Set(expected.keys.map { "Contents/" + $0 } + ["Contents", "Manifest.json"]))
  }

  @Test
  func `selected paths are extracted with their parent folders`() throws {
    var extraction = Extraction()
    extraction.paths = ["./Levels/two.json", "empty/"]
    _ = try extraction.extract(folder.path("a.aar"), into: target, .unstoppable)
    #expect(Set(try tree(target).keys) == ["Levels", "Levels/two.json", "empty"])
    extraction.paths = ["Levels", "nothing", "Leve"]
    let error = #expect(throws: PackError.self) {
      try extraction.extract(
        self.folder.path("a.aar"), into: self.folder.path("other"), .unstoppable)
    }
    #expect(error?.message == "'\(folder.path("a.aar"))' does not contain 'nothing', 'Leve'")
    #expect(!FileManager.default.fileExists(atPath: folder.path("other")))
    #expect(try leftovers() == [])
  }

  @Test(arguments: Extraction.exportSuffixes)
  func `exports contain the same files`(suffix: String) throws {
    let archive = folder.path("x" + suffix)
    let summary = try Extraction().export(folder.path("a.aar"), to: archive, .unstoppable)
    #expect(summary.fileCount == 4)
    #expect(throws: PackError.self) {
      try Extraction().export(self.folder.path("a.aar"), to: archive, .unstoppable)
    }
    let first = try Data(contentsOf: URL(filePath: archive))
    var forced = Extraction()
    forced.isForced = true
    _ = try forced.export(folder.path("a.aar"), to: archive, .unstoppable)
    #expect(try Data(contentsOf: URL(filePath: archive)) == first)
    #expect(try leftovers() == [])
  }

  @Test
  func `a cancelled extraction leaves no file`() throws {
    let alarm = try Alarm()
    alarm.ring()
    let error = #expect(throws: PackError.self) {
      try Extraction().extract(
        self.folder.path("a.aar"), into: self.target, Work(until: alarm))
    }
    #expect(error?.kind == .interrupted)
    #expect(!FileManager.default.fileExists(atPath: target))
    #expect(try leftovers() == [])
  }

  @Test
  func `progress covers the whole pack and names each entry`() throws {
    let seen = Noted<Work.Progress>()
    let work = Work.unstoppable.reporting { seen.add($0) }
    _ = try Extraction().extract(folder.path("a.aar"), into: target, work)
    #expect(seen.all.map(\.done) == seen.all.map(\.done).sorted())
    #expect(seen.all.last?.done == seen.all.last?.total)
    #expect(
      seen.all.filter(\.isBeginning).map { String(decoding: $0.path ?? [], as: UTF8.self) } == [
        "Levels", "Levels/one.json", "Levels/two.json", "empty", "run.sh", "日本.txt",
      ])
  }

  /// Returns an archive from Apple's own tools of a folder with a link, a pipe and a file.
  private func makeGeneralArchive(below prefix: String) throws {
    func link(_ path: String) -> [[UInt8]] {
      [PackBytes.path(prefix + path), Array("LNKP".utf8) + [1, 0, UInt8(ascii: "x")]]
    }
    var pack = PackBytes()
    pack.addFolder("")
    if !prefix.isEmpty { pack.addFolder("Contents") }
    pack.addFile(prefix + "a", [1])
    pack.add(type: "L", link("b"))
    pack.addFolder(prefix + "d")
    pack.add(type: "P", [PackBytes.path(prefix + "d/pipe")])
    pack.addFile(prefix + "d/z", [2])
    pack.add(type: "L", link("e"))
    pack.addFile(prefix + "e/below", [3])
    try folder.makeFile("a.aar", pack.stream)
  }

  @Test(arguments: [Extraction.Scope.contents, .everything])
  func `only selected paths are validated`(scope: Extraction.Scope) throws {
    try makeGeneralArchive(below: scope == .contents ? "Contents/" : "")
    var extraction = Extraction()
    extraction.scope = scope
    extraction.paths = ["a", "d/z"]
    _ = try extraction.extract(folder.path("a.aar"), into: target, .unstoppable)
    #expect(try tree(target) == ["a": "\u{1}", "d": "/", "d/z": "\u{2}"])
    for (path, message) in [
      ("b", "is a symbolic link"), ("e/below", "which is not a folder"), ("d", "is a pipe"),
    ] {
      extraction.paths = ["a", path]
      let error = #expect(throws: PackError.self) {
        try extraction.extract(
          self.folder.path("a.aar"), into: self.folder.path("no"), .unstoppable)
      }
      #expect(error?.message.contains(message) == true)
      #expect(!FileManager.default.fileExists(atPath: folder.path("no")))
    }
  }

  @Test
  func `an extraction reports all unsupported entries once`() throws {
    try makeGeneralArchive(below: "Contents/")
    for isForced in [false, true] {
      var extraction = Extraction()
      extraction.isForced = isForced
      if isForced { try folder.makeFile("out/mine", "mine") }
      #expect(
        throws: PackError(
          .malformed(offset: 216),
          "cannot unpack '\(folder.path("a.aar"))': 3 invalid entries: "
            + "'Contents/b' is a symbolic link, 'Contents/d/pipe' is a pipe, "
            + "'Contents/e' is a symbolic link",
          remedy: "specify the files and folders to extract")
      ) { try extraction.extract(self.folder.path("a.aar"), into: self.target, .unstoppable) }
    }
    #expect(try tree(target) == ["mine": "mine"])
  }

  @Test
  func `another archive is reported as not an asset pack`() throws {
    try makeGeneralArchive(below: "")
    #expect(
      throws: PackError(
        .notAnAssetPack,
        "'\(folder.path("a.aar"))' is not an asset pack: 'Contents' is missing; it has 8 entries",
        remedy: .takeRawEntries)
    ) { try Extraction().extract(self.folder.path("a.aar"), into: self.target, .unstoppable) }
  }
}
