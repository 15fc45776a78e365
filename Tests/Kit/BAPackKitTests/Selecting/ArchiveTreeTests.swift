import BAPackKit
import Foundation
import SystemIO
import TestSupport
import Testing

/// Tests of archive entries that cannot exist on a disk: the same rules apply, and only to selected
/// entries.
@Suite final class ArchiveTreeTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func resolve(
    _ selectors: String, tar build: (inout TarBytes) -> Void
  ) throws -> (Selection.Resolution, SourceRoot) {
    var tar = TarBytes()
    build(&tar)
    try folder.makeFile("a.tar", tar.archive)
    let root = try SourceRoot(opening: folder.path("a.tar"), .unstoppable)
    return (try Selection.resolve(document(selectors), in: root, .unstoppable), root)
  }

  /// Returns the files of a selection and their contents.
  private func texts(_ resolved: (Selection.Resolution, SourceRoot)) throws -> [String: String] {
    #expect(resolved.0.lines == [])
    let selection = resolved.0.selection
    let contents = try resolved.1.contents(of: selection, .unstoppable)
    var texts: [String: String] = [:]
    for index in selection.indices where selection[index].kind == .file {
      try contents.open(index)
      let bytes = try contents.readPrefix(Int(selection[index].size) + 1)
      texts[selection[index].destination.text] = String(decoding: bytes, as: UTF8.self)
    }
    return texts
  }

  @Test func `of two entries with one path the last is used, as in unpacking`() throws {
    let resolved = try resolve(#"{"directory": "."}"#) {
      $0.add("a", contents: "old")
      $0.add("link", type: "1", target: "a")
      $0.add("becomes-a-folder", contents: "file")
      $0.add("becomes-a-file", type: "5")
      $0.add("d", type: "5")
      $0.add("d/x", contents: "x", mode: 0o755)
      $0.add("./a", contents: "newer")
      $0.add("becomes-a-folder/", type: "5")
      $0.add("becomes-a-folder/y", contents: "y")
      $0.add("becomes-a-file", contents: "file")
      $0.add("d/", type: "5")
      $0.add("d/x", contents: "script")
    }
    #expect(
      try texts(resolved) == [
        "a": "newer", "link": "old", "becomes-a-folder/y": "y", "becomes-a-file": "file",
        "d/x": "script",
      ])
    #expect(resolved.0.selection.allSatisfy { !$0.isExecutable })
  }

  @Test(arguments: [
    ("../x", "'../x' has a '..' in its path"),
    ("d/../../x", "'d/../../x' has a '..' in its path"),
    ("/etc/x", "'etc/x' is stored as '/etc/x', an absolute path"),
    ("file/x/y", "'file/x/y' is below 'file', which is not a folder"),
    ("link/x", "'link/x' is below 'link', which is not a folder"),
  ])
  func `an entry that cannot be unpacked is an error only if it is selected`(
    name: String, message: String
  ) throws {
    func resolved(_ selectors: String) throws -> Selection.Resolution {
      try resolve(selectors) {
        $0.add("d/good", contents: "1")
        $0.add("file", contents: "2")
        $0.add("e/good", contents: "3")
        $0.add("link", type: "2", target: "e")
        $0.add(name, contents: "bad")
      }.0
    }
    for selectors in [
      #"{"file": "file"}, {"file": "d/good"}"#, #"{"filePattern": "d/*"}"#,
      #"{"filePattern": "**/good"}, {"file": "link/good"}"#,
    ] {
      #expect(try resolved(selectors).lines == [])
    }
    #expect(try resolved(#"{"directory": "."}"#).lines == ["error files.unreadable: " + message])
  }

  @Test func `a folder that is also a file is rejected with its name`() throws {
    let result = try resolve(#"{"directory": "."}"#) {
      $0.add("a/b/c", contents: "1")
      $0.add("a/b", contents: "2")
    }.0
    #expect(result.lines == ["error files.unreadable: 'a/b' is both a folder and a file"])
  }

  @Test func `a hard link without a target and a damaged link are rejected with their names`()
    throws
  {
    let result = try resolve(#"{"directory": "."}"#) {
      $0.add("good", contents: "1")
      $0.add("second", type: "1", target: "first")
    }.0
    #expect(
      result.lines == [
        "error files.unreadable: 'second' is another name of 'first', "
          + "which is not a file in the archive"
      ])
    var zip = ZipBytes()
    var oddity = ZipBytes.Oddity()
    oddity.checkSum = 1
    zip.add("good", contents: "1")
    zip.add("link", contents: "good", mode: 0o120777, oddity)
    try folder.makeFile("a.zip", zip.archive())
    let root = try SourceRoot(opening: folder.path("a.zip"), .unstoppable)
    #expect(
      try Selection.resolve(document(#"{"file": "link"}"#), in: root, .unstoppable).lines
        == ["error files.unreadable: 'link' is damaged"])
    #expect(
      try Selection.resolve(document(#"{"file": "good"}"#), in: root, .unstoppable).lines == [])
  }

  @Test func `names that are not UTF-8 are found as on a disk`() throws {
    var tar = TarBytes()
    tar.add("good", contents: "1")
    tar.addLong([0x66, 0xFF])
    try folder.makeFile("a.tar", tar.archive)
    let root = try SourceRoot(opening: folder.path("a.tar"), .unstoppable)
    let disk = try TemporaryFolder()
    try disk.makeFile("good")
    try disk.makeFile(named: [0x66, 0xFF])
    for selectors in [#"{"directory": "."}"#, #"{"file": "good"}"#] {
      #expect(
        try Selection.resolve(document(selectors), in: root, .unstoppable).lines
          == BAPackKitTests.resolve(selectors, in: disk).lines)
    }
  }

  @Test(
    .heavy,
    arguments: [
      (255, 1, nil), (256, 1, "has a component of 256 bytes; the limit is 255"),
      (65_535, 1, "has a path of 65535 bytes; the maximum is 4096"),
      (65_536, 1, "has a path of 65536 bytes; the maximum is 4096"),
      (1, 64_000, "has a path of 127999 bytes; the maximum is 4096"),
      (1, 2000, " bytes in the archive; the limit is 1023"),
    ])
  func `names and paths that exceed the limits are rejected`(
    length: Int, depth: Int, reason: String?
  ) throws {
    let name = [UInt8](repeating: 0x6E, count: length)
    let path = Array([[UInt8]](repeating: name, count: depth).joined(separator: [0x2F]))
    func findings(_ selectors: String) throws -> [String] {
      try resolve(selectors) {
        for number in 0..<10 { $0.add("good\(number)", contents: "1") }
        $0.addLong(path)
      }.0.lines
    }
    for selectors in [#"{"directory": "."}"#, #"{"filePattern": "**/*n*"}"#] {
      let findings = try findings(selectors)
      #expect(findings.count == (reason == nil ? 0 : 1))
      #expect(findings.allSatisfy { $0.hasSuffix(reason ?? "") && $0.count < 400 }, "\(findings)")
    }
    #expect(try findings(#"{"filePattern": "good*"}"#) == [])
  }

  @Test func `missing owners, times and modes of a source get the values of the rules`()
    throws
  {
    var zip = ZipBytes()
    zip.add("d/e/x", contents: "1", mode: 0o100600)
    try folder.makeFile("a.zip", zip.archive())
    var tar = TarBytes()
    tar.add("d/e/x", contents: "1", mode: 0o600)
    try folder.makeFile("a.tar", tar.archive)
    for (name, isOwned) in [("a.zip", false), ("a.tar", true)] {
      let root = try SourceRoot(opening: folder.path(name), .unstoppable)
      let document = document(#"{"directory": "."}"#)
      let selection = try Selection.resolve(document, in: root, .unstoppable).selection
      #expect(selection.map(\.destination) == ["d", "d/e", "d/e/x"])
      for entry in selection.prefix(2) { #expect(entry.metadata == Selection.Metadata()) }
      let file = try #require(selection.last?.metadata)
      #expect(file.permissions == 0o600)
      #expect(file.userID == (isOwned ? 501 : nil))
      #expect(file.groupID == (isOwned ? 20 : nil))
      #expect(file.modified != nil)

      var settings = PackSettings(compression: .none, metadata: .preserved)
      settings.timestamp = Moment(seconds: 1000)
      let plan = try PackPlan(
        #require(document.manifest), selection, from: root, settings: settings)
      _ = try PackSeries.Job(plan, to: folder.path(name + ".aar")).pack(.unstoppable)
      var reader = try PackReader(opening: folder.path(name + ".aar"))
      var folders = 0
      while let entry = try reader.nextEntry() {
        guard entry.archivePath.text.hasPrefix("Contents/d"), entry.kind == .directory else {
          continue
        }
        folders += 1
        #expect(entry.userID == 501)
        #expect(entry.groupID == 20)
        #expect(entry.permissions == 0o755)
        #expect(entry.modified?.seconds == 1000)
      }
      #expect(folders == 2)
    }
  }
}

extension TarBytes {
  /// Adds a file with any path, in the pax format.
  mutating func addLong(_ path: [UInt8]) {
    // The length includes its own digits.
    func size(_ count: Int) -> Int { "\(count) path=\n".utf8.count + path.count }
    var count = size(0)
    while size(count) != count { count = size(count) }
    let text = Array("\(count) path=".utf8) + path + [0x0A]
    add("PaxHeader", type: "x", contents: text)
    add("file", contents: Array("long".utf8))
  }
}
