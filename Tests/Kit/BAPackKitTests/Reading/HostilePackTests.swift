import BAPackKit
import Foundation
import SystemIO
import TestSupport
import Testing

/// Tests of malicious archives.
@Suite final class HostilePackTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Returns the error of an extraction, after a check that no file was left.
  private func refusal(_ bytes: [UInt8], force: Bool = false) throws -> PackError {
    try folder.makeFile("a.aar", bytes)
    var extraction = Extraction()
    extraction.isForced = force
    if force { try folder.makeFile("inner/out/mine", "mine") }
    try folder.makeFolder("inner")
    let target = folder.path("inner/out")
    let error = #expect(throws: PackError.self) {
      try extraction.extract(self.folder.path("a.aar"), into: target, .unstoppable)
    }
    let left = try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted()
    #expect(left == ["a.aar", "inner"] + (force ? ["inner/out", "inner/out/mine"] : []))
    return try #require(error)
  }

  private func pack(_ add: (inout PackBytes) -> Void) -> [UInt8] {
    var pack = PackBytes.beginning
    add(&pack)
    return pack.stream
  }

  @Test(arguments: [
    ("/etc/evil", "it is absolute"), ("../evil", "it has a '..' component"),
    ("Contents/../../evil", "it has a '..' component"),
    ("Contents//a", "it has an empty component"),
    ("Contents/./a", "it has a '.' component"), ("Contents/a/", "it ends in a slash"),
    ("Contents/a\0b", "it contains a NUL character"),
  ])
  func `a path that leaves the folder is rejected`(path: String, reason: String) throws {
    for force in [false, true] {
      let error = try refusal(pack { $0.addFile(path, [1]) }, force: force)
      #expect(error.message.contains("has an unsafe path: \(reason)"))
      #expect(error.kind == .malformed(offset: 134))
      #expect(error.message.hasSuffix("(at byte 134 of the file)"))
    }
  }

  @Test
  func `a symbolic link and entries below it are rejected`() throws {
    let target = Array("LNKP".utf8) + PackBytes.little(4, 2) + Array("/etc".utf8)
    let error = try refusal(
      pack {
        $0.add(type: "L", [PackBytes.path("Contents/x"), target])
        $0.addFile("Contents/x/evil", [1])
      })
    #expect(error.message.contains("is a symbolic link; a pack contains only files and folders"))
  }

  @Test(arguments: Array("LPCBSWRTMH"))
  func `only files and folders are accepted`(type: Character) throws {
    let error = try refusal(
      pack { $0.add(type: type, [PackBytes.path("Contents/x"), PackBytes.attributes(0o644)]) })
    #expect(error.message.contains("a pack contains only files and folders"))
  }

  @Test
  func `two entries with the same path are rejected`() throws {
    for (first, second) in [("F", "F"), ("D", "F"), ("F", "D"), ("D", "D")] {
      let error = try refusal(
        pack { pack in
          for type in [first, second] {
            if type == "F" {
              pack.addFile("Contents/x", [1])
            } else {
              pack.addFolder("Contents/x")
            }
          }
        })
      #expect(error.message.contains("the entry 'Contents/x' is a duplicate"))
    }
  }

  @Test
  func `an entry without its folder, or below a file, is rejected`() throws {
    var error = try refusal(pack { $0.addFile("Contents/no/x", [1]) })
    #expect(error.message.contains("is in 'Contents/no', which has no earlier entry"))
    error = try refusal(
      pack {
        $0.addFile("Contents/x", [1])
        $0.addFile("Contents/x/y", [1])
      })
    #expect(error.message.contains("is below 'Contents/x', which is not a folder"))
  }

  @Test
  func `a path that is not UTF-8, or is too long, is rejected`() throws {
    var error = try refusal(
      pack {
        $0.add(
          type: "F",
          [PackBytes.path(Array("Contents/".utf8) + [0xFF]), Array("DATA".utf8) + [0, 0]])
      })
    #expect(error.message.contains("the entry 'Contents/\\xFF' has a path that is not UTF-8"))
    error = try refusal(pack { $0.addFile("Contents/" + String(repeating: "a", count: 1020)) })
    #expect(error.message.contains("is longer than 1023 bytes"))
  }

  @Test
  func `a small file with a claimed size of 1 EiB is rejected immediately`() throws {
    let data = Array("DATC".utf8) + PackBytes.little(1 << 60, 8)
    let pack = pack { $0.add(type: "F", [PackBytes.path("Contents/x"), data], [1, 2, 3]) }
    let error = try refusal(pack)
    #expect(
      error.message.contains("has the size 1152921504606846976, which exceeds the archive"))
    var boxed = PackBytes.beginning
    boxed.add(type: "F", [PackBytes.path("Contents/x"), data], [1, 2, 3])
    #expect(try refusal(boxed.container()).message.contains("which exceeds the archive"))
    let block =
      PackBytes.containerStart(blockSize: 0xFFFF_FFFF)
      + PackBytes.block(raw: 0xFFFF_FFFE, stored: 20, Array(repeating: 0, count: 20))
    #expect(
      try refusal(block).message.contains(
        "a block needs 4294967314 bytes of memory; the maximum is 536870912 (at byte 12"))
  }

  @Test
  func `an empty or truncated file is rejected and leaves no file`() throws {
    #expect(try refusal([]).message.hasSuffix("the file is empty"))
    for whole in [PackBytes.sample.stream, PackBytes.sample.container(blockSize: 200)] {
      for count in stride(from: 1, to: whole.count, by: 17) {
        try folder.makeFile("a.aar", Array(whole.prefix(count)))
        try folder.makeFolder("inner")
        // An archive without a container may be truncated between two entries.
        guard let error = Self.extract(folder) else {
          #expect(whole == PackBytes.sample.stream)
          try folder.remove("inner/out")
          continue
        }
        #expect(error.kind.isMalformed, "cut off at \(count): \(error)")
        #expect((error.kind.offset ?? .max) <= count)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("inner")) == [])
      }
    }
  }

  private static func extract(_ folder: borrowing TemporaryFolder) -> PackError? {
    do throws(PackError) {
      _ = try Extraction().extract(
        folder.path("a.aar"), into: folder.path("inner/out"), .unstoppable)
      return nil
    } catch {
      return error
    }
  }

  @Test
  func `a link in the folder is not followed, and a link in place of a file is replaced`() throws {
    try folder.makeFile(
      "a.aar",
      pack {
        $0.addFolder("Contents/d")
        $0.addFile("Contents/d/x", [1])
        $0.addFile("Contents/y", [2])
      })
    try folder.makeFile("outside/y", "safe")
    try folder.makeLink("out/d", to: "../outside")
    try folder.makeLink("out/y", to: "../outside/y")
    var extraction = Extraction()
    extraction.isForced = true
    let error = #expect(throws: PackError.self) {
      try extraction.extract(self.folder.path("a.aar"), into: self.folder.path("out"), .unstoppable)
    }
    #expect(error?.message == "cannot extract to '\(folder.path("out/d"))': it is not a folder")
    try folder.remove("out/d")
    _ = try extraction.extract(folder.path("a.aar"), into: folder.path("out"), .unstoppable)
    #expect(try Data(contentsOf: URL(filePath: folder.path("outside/y"))) == Data("safe".utf8))
    #expect(try Data(contentsOf: URL(filePath: folder.path("out/y"))) == Data([2]))
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path("outside")) == ["y"])
  }

  @Test
  func `a folder that is replaced with a link during extraction is not followed`() throws {
    try folder.makeFile(
      "a.aar",
      pack {
        $0.addFolder("Contents/d")
        $0.addFile("Contents/d/1", [1])
        $0.addFile("Contents/d/2", [2])
        $0.addFile("Contents/e", [2])
        $0.addFile("Contents/d/3", [2])
      })
    try folder.makeFolder("outside")
    try folder.makeFile("out/mine", "mine")
    let here = folder.path("")
    var extraction = Extraction()
    extraction.isForced = true
    let work = Work.unstoppable.reporting { progress in
      guard progress.isBeginning, progress.path?.elementsEqual("d/2".utf8) == true else { return }
      try? FileManager.default.moveItem(atPath: here + "out/d", toPath: here + "out/moved")
      try? FileManager.default.createSymbolicLink(
        atPath: here + "out/d", withDestinationPath: "../outside")
    }
    _ = try? extraction.extract(folder.path("a.aar"), into: folder.path("out"), work)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("outside")) == [])
  }

  @Test
  func `names that differ only in case are two files or an error`()
    throws
  {
    try folder.makeFile(
      "a.aar",
      pack {
        $0.addFile("Contents/A", [1])
        $0.addFile("Contents/a", [2])
      })
    _ = try Extraction().extract(folder.path("a.aar"), into: folder.path("out"), .unstoppable)
    #expect(try Data(contentsOf: URL(filePath: folder.path("out/A"))) == Data([1]))
    #expect(try Data(contentsOf: URL(filePath: folder.path("out/a"))) == Data([2]))
  }
}
