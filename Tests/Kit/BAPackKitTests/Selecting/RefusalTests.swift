import BAPackKit
import Glibc
import SourceDiagnostics
import SystemIO
import TestSupport
import Testing

@Suite struct RefusalTests {
  private func prepare(_ folder: borrowing TemporaryFolder) throws {
    try folder.makeFile("a/x", "1")
    try folder.makeFile("a/private", "1", mode: 0o600)
    try folder.makeLink("a/link", to: "x")
  }

  private let everything = #"{"directory": "a"}, {"file": "a/link"}, {"filePattern": "a/*"}"#

  @Test(arguments: [
    SystemCall.open, .readDirectory, .seek, .status, .readLink, .access,
  ])
  func `every system call can fail at any time, with an error that names the file`(
    call: SystemCall
  ) throws {
    let folder = try TemporaryFolder()
    try prepare(folder)
    var failures = 0
    for skipped in 0..<12 {
      for times in [1, 2, Int.max] {
        let fault = ForcedFailure(call, .fail(EIO), times: times, skipping: skipped, path: "")
        do {
          let result = try ForcedFailures.inject(fault) { try resolve(everything, in: folder) }
          // No call failed: all files were read.
          #expect(result.paths == ["a/", "a/link", "a/private", "a/x"])
        } catch let error as PackError {
          failures += 1
          #expect(error.kind == .system(EIO))
          #expect(error.message.contains(folder.path), "\(error.message)")
        }
        #expect(try openDescriptors(below: folder.path) == [])
      }
    }
    #expect(failures > 0)
  }

  @Test(arguments: [SystemCall.open, .readDirectory, .status, .readLink])
  func `a call that a signal interrupts is repeated`(call: SystemCall) throws {
    let folder = try TemporaryFolder()
    try prepare(folder)
    let result = try ForcedFailures.inject(ForcedFailure(call, .fail(EINTR), times: 20)) {
      try resolve(everything, in: folder)
    }
    #expect(result.lines == [])
    #expect(result.paths == ["a/", "a/link", "a/private", "a/x"])
  }

  @Test func `a file that vanishes during the listing is an error`() throws {
    let folder = try TemporaryFolder()
    try folder.makeFile("a/x")
    let error = ForcedFailures.inject(.once(.status, ENOENT, path: "a/x")) {
      #expect(throws: PackError.self) { try resolve(#"{"directory": "a"}"#, in: folder) }
    }
    #expect(error?.kind == .changed)
    #expect(error?.message == "'a/x' changed during the listing of files")
  }

  @Test(arguments: [#"{"directory": "."}"#, #"{"filePattern": "**"}"#])
  func `a selection above the limit is rejected without storing the rest`(selector: String) throws {
    let folder = try TemporaryFolder()
    for name in ["a/1", "a/2", "b/3", "b/4"] { try folder.makeFile(name) }
    let root = try SourceRoot(opening: folder.path, .unstoppable)
    // A pattern selects files; their parent folders are not counted.
    let count = selector.contains("directory") ? 6 : 4
    let exact = try Selection.resolve(
      document(selector), in: root, within: .init(entries: count), .unstoppable)
    #expect(exact.paths == ["a/", "a/1", "a/2", "b/", "b/3", "b/4"])
    for bound in 1..<count {
      let error = #expect(throws: PackError.self) {
        try Selection.resolve(
          document(selector), in: root, within: .init(entries: bound), .unstoppable)
      }
      #expect(error?.kind == .limit)
      #expect(error?.message == "more than \(bound) files and folders are selected")
    }
    #expect(Selection.Bounds().entries == 4_000_000)
  }

  @Test func `a few links that result in a million paths are stopped`() throws {
    let folder = try TemporaryFolder()
    try folder.makeFile("0/x")
    for level in 1...20 {
      for name in ["a", "b"] { try folder.makeLink("\(level)/\(name)", to: "../\(level - 1)") }
    }
    let root = try SourceRoot(opening: folder.path, .unstoppable)
    let error = #expect(throws: PackError.self) {
      try Selection.resolve(
        document(#"{"directory": "20"}"#), in: root, within: .init(entries: 1000), .unstoppable)
    }
    #expect(error?.message == "more than 1000 files and folders are selected")
    #expect(
      error?.remedies.first?.description.contains("links that lead to the same folders") == true)
  }

  @Test func `links that lead a pattern to the same folders repeatedly are stopped`() throws {
    let folder = try TemporaryFolder()
    try folder.makeFile("0/x.png")
    for level in 1...40 {
      for name in ["a", "b"] { try folder.makeLink("\(level)/\(name)", to: "../\(level - 1)") }
    }
    let root = try SourceRoot(opening: folder.path, .unstoppable)
    for (pattern, folders, files) in [("40/**/*.wav", 41, 0), ("9/**/*.png", 10, 511)] {
      let text = document(#"{"filePattern": "\#(pattern)"}"#)
      let error = #expect(throws: PackError.self) {
        try Selection.resolve(text, in: root, within: .init(returns: 1012), .unstoppable)
      }
      #expect(
        error?.message
          == "'\(pattern)' contains \(folders) folders, and links return to them more than 1012 "
          + "times, after \(files) files")
      #expect(
        error?.remedies.first?.description.contains("links that lead to the same folders") == true)
    }
    let exact = try Selection.resolve(
      document(#"{"filePattern": "9/**/*.png"}"#), in: root, within: .init(returns: 1013),
      .unstoppable)
    #expect(exact.selection.fileCount == 512)
    #expect(Selection.Bounds().returns == 200_000)
  }

  @Test(arguments: [
    #"{"directory": "."}"#, #"{"filePattern": "**/*.png"}"#, #"{"filePattern": "a/*"}"#,
    #"{"directory": "."}, {"fileExclusion": "b"}"#, #"{"directory": "c"}"#,
    #"{"file": "a/hero.pgn"}, {"directory": "bb"}"#,
  ])
  func `a file system without kinds in its folder lists has the same result`(selectors: String)
    throws
  {
    let folder = try TemporaryFolder()
    for name in ["a/hero.png", "a/text", "b/deep/x.png", "top.png"] { try folder.makeFile(name) }
    try folder.makeFolder("empty")
    try folder.makeLink("c", to: "b")
    try folder.makePipe("a/pipe")
    let usual = try resolve(selectors, in: folder)
    let unknown = try ForcedFailures.inject(ForcedFailure(.readDirectory, .withhold)) {
      try resolve(selectors, in: folder)
    }
    #expect(unknown.lines == usual.lines)
    #expect(unknown.paths == usual.paths)
    #expect(usual.paths.isEmpty == selectors.contains("pgn"))
  }

  @Test func `a missing source root is an error`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("nothing")
    let error = #expect(throws: PackError.self) { try SourceRoot(opening: path, .unstoppable) }
    #expect(error?.kind == .system(ENOENT))
    #expect(error?.message.contains(path) == true)
  }
}

@Suite struct ContentsTests {
  private func read(_ contents: any SourceContents, _ index: Int) throws -> [UInt8] {
    try contents.open(index)
    return try contents.readPrefix(1000)
  }

  @Test func `the selected file is read`() throws {
    let folder = try TemporaryFolder()
    try folder.makeFile("a/x", "one")
    try folder.makeFile("a/y", "")
    try folder.makeLink("b", to: "a/x")
    let root = try SourceRoot(opening: folder.path, .unstoppable)
    let selection = try Selection.resolve(document(#"{"directory": "."}"#), in: root, .unstoppable)
      .selection
    let contents = try root.contents(of: selection, .unstoppable)
    #expect(selection.map(\.destination) == ["a", "a/x", "a/y", "b"])
    #expect(try read(contents, 1) == Array("one".utf8))
    #expect(try read(contents, 2) == [])
    #expect(try read(contents, 3) == Array("one".utf8))
  }

  @Test(arguments: ["shorter", "longer", "other file", "link", "folder", "gone"])
  func `a file that differs from the selected file is an error`(change: String) throws {
    let folder = try TemporaryFolder()
    try folder.makeFile("a/x", "12345")
    try folder.makeFile("outside", "12345")
    let root = try SourceRoot(opening: folder.path, .unstoppable)
    let selection = try Selection.resolve(document(#"{"directory": "a"}"#), in: root, .unstoppable)
      .selection
    let contents = try root.contents(of: selection, .unstoppable)
    switch change {
    case "shorter": try folder.makeFile("a/x", "1234")
    case "longer": try folder.makeFile("a/x", "123456")
    default: try folder.remove("a/x")
    }
    switch change {
    case "other file": try folder.makeFile("a/x", "12345")
    case "link": try folder.makeLink("a/x", to: "../outside")
    case "folder": try folder.makeFolder("a/x")
    default: break
    }
    // A new file may get the inode of the removed file; then its size differs.
    if change == "other file" { try folder.makeFile("a/x", "123456") }
    let error = #expect(throws: PackError.self) { try read(contents, 1) }
    #expect(error?.kind == .changed, "\(String(describing: error))")
    #expect(error?.message.contains("a/x") == true)
  }

  @Test(arguments: [3, 5, 6])
  func `a file that changes its size during reading is an error`(size: Int) throws {
    let folder = try TemporaryFolder()
    try folder.makeFile("x", "12345")
    let root = try SourceRoot(opening: folder.path, .unstoppable)
    let selection = try Selection.resolve(document(#"{"file": "x"}"#), in: root, .unstoppable)
      .selection
    let contents = try root.contents(of: selection, .unstoppable)
    let path = folder.path("x")
    let change = ForcedFailure(.read, .run { truncate(path, size) }, times: 1, skipping: 1)
    ForcedFailures.inject(change, ForcedFailure(.read, .shorten(to: 2))) {
      do {
        let bytes = try read(contents, 0)
        #expect(size == 5)
        #expect(bytes == Array("12345".utf8))
      } catch {
        #expect(size != 5)
        #expect((error as? PackError)?.kind == .changed)
      }
    }
  }

  @Test func `a folder that becomes a link is not followed`() throws {
    let outside = try TemporaryFolder()
    try outside.makeFile("x", "12345")
    let folder = try TemporaryFolder()
    try folder.makeFile("a/x", "12345")
    let root = try SourceRoot(opening: folder.path, .unstoppable)
    let selection = try Selection.resolve(document(#"{"directory": "a"}"#), in: root, .unstoppable)
      .selection
    let contents = try root.contents(of: selection, .unstoppable)
    try folder.remove("a")
    try folder.makeLink("a", to: outside.path)
    let error = #expect(throws: PackError.self) { try read(contents, 1) }
    #expect(error?.kind == .changed)
    #expect(try openDescriptors(below: outside.path) == [])
  }
}

private func truncate(_ path: String, _ size: Int) { _ = unsafe Glibc.truncate(path, size) }
