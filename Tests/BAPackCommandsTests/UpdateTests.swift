import Arguments
import BAPackCommands
import BAPackKit
import Foundation
import Glibc
import SystemIO
import TestSupport
import Testing

/// `pack --update`: what has changed is made again, and nothing else is touched.
@Suite(.mustEnd) struct UpdateTests {
  /// Three packs: a folder with a link in it, a pattern, and an archive as the source root.
  private struct Studio: ~Copyable {
    let folder: TemporaryFolder
    static let ids = ["Art", "Sound", "Text"]
    var level = "default"

    private init(in folder: consuming TemporaryFolder) { self.folder = folder }

    static func made() throws -> Studio {
      let studio = Studio(in: try TemporaryFolder())
      try studio.fill()
      return studio
    }

    private func fill() throws {
      for name in ["a", "b", "c/d"] {
        try folder.makeFile("src/Art/\(name).png", "picture \(name)")
      }
      try folder.makeFile("src/Store/one", "the one")
      try folder.makeFile("src/Store/two", "the two")
      try folder.makeLink("src/Art/link", to: "../Store/one")
      for number in 0..<4 { try folder.makeFile("src/Sound/\(number).wav", "sound \(number)") }
      try tar("first")
      try manifest("Art", #"{"directory": "Art"}"#, root: "../src")
      try manifest("Sound", #"{"filePattern": "Sound/**/*.wav"}"#, root: "../src")
      try manifest("Text", #"{"directory": "."}"#, root: "../text.tar")
    }

    func tar(_ text: String) throws {
      var tar = TarBytes()
      tar.add("words.txt", contents: text)
      try folder.makeFile("text.tar", tar.archive)
    }

    func manifest(
      _ id: String, _ selectors: String, root: String, platforms: String = "",
      comment: String = ""
    ) throws {
      try folder.makeFile(
        "Packs/\(id).json",
        """
        \(comment){"assetPackID": "\(id)", "downloadPolicy": {"onDemand": {}},
         "platforms": [\(platforms)], "sourceRoot": "\(root)", "fileSelectors": [\(selectors)]}
        """)
    }

    func run(_ words: String..., into output: String = "out") -> Captured {
      Captured(["pack", folder.path("Packs"), "-o", folder.path(output), "--level", level] + words)
    }

    func path(of id: String) -> String { folder.path("out/\(id).aar") }

    /// What the system says about an archive; nil where there is none.
    func status(of id: String) -> FileStatus? { try? FileStatus(ofFileAt: path(of: id)) }

    func names(_ path: String = "out") throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: folder.path(path)).sorted()
    }
  }

  private static let records = Studio.ids.map { ".ba-package-\($0).aar.record" }

  @Test func `a second run leaves every archive as it is, and says so in its last line`() throws {
    let studio = try Studio.made()
    let first = studio.run("--update")
    #expect(first.ending == .status(.done), "\(first.messages)")
    #expect(first.messages.hasSuffix("\n3 packed, 0 unchanged\n"))
    #expect(try studio.names() == Self.records + Studio.ids.map { "\($0).aar" })
    let before = Studio.ids.map { studio.status(of: $0) }
    let second = studio.run("--update", "--verbose", "--sha256")
    #expect(second.messages.hasSuffix("\n0 packed, 3 unchanged\n"))
    #expect(second.messages.contains("\(studio.path(of: "Art")): unchanged\n"))
    #expect(second.output.split(separator: "\n").count == 3)
    #expect(Studio.ids.map { studio.status(of: $0) } == before)
    #expect(second.output == studio.run("--sha256", "--force").output)
  }

  @Test func `--check names each archive with its reason, fails, and writes nothing`() throws {
    let studio = try Studio.made()
    let fresh = studio.run("--update", "--check")
    #expect(fresh.ending == .status(.failed))
    #expect(!FileManager.default.fileExists(atPath: studio.folder.path("out")))
    _ = studio.run("--update")
    #expect(studio.run("--update", "--check").ending == .status(.done))
    try studio.folder.makeFile("src/Sound/9.wav", "new")
    let before = try studio.names()
    let run = studio.run("--update", "--check")
    #expect(run.ending == .status(.failed))
    #expect(
      run.messages.hasSuffix(
        """
        \(studio.path(of: "Sound")): would be made because 'Sound/9.wav' is new
        1 to pack, 2 unchanged

        """), "\(run.messages)")
    #expect(studio.run("--update", "--check", "--quiet").messages.contains("'Sound/9.wav' is new"))
    #expect(try studio.names() == before)
  }

  @Test(arguments: [
    ("--update --dry-run", "'--update' and '--dry-run' cannot be used together"),
    ("--update --force", "'--force' and '--update' cannot be used together"),
    ("--check", "'--check' has no effect without '--update'"),
  ])
  func `what contradicts --update is refused`(_ words: String, _ message: String) {
    let run = Captured(
      ["pack", "a.json", "-o", "b"] + words.split(separator: " ").map(String.init))
    #expect(run.ending == .status(.usage))
    #expect(run.messages.hasPrefix("Error: \(message)\n"), "\(run.messages)")
  }

  @Test func `as JSON an archive that stays has its figures, and says that it stays`() throws {
    let studio = try Studio.made()
    _ = studio.run("--update")
    let lines = studio.run("--update", "--format", "json").output.split(separator: "\n")
    #expect(lines.count == 3)
    #expect(lines.allSatisfy { $0.contains(#""unchanged":true"#) && !$0.contains("seconds") })
    try studio.tar("more")
    let check = studio.run("--update", "--check", "--format", "json").output
    #expect(check.contains(#""Art","unchanged":true}"#))
    #expect(
      check.contains(#""Text","unchanged":false,"reason":"its source root is another archive"}"#))
  }

  @Test func `a record is never packed, and one of another program or half of one counts as none`()
    throws
  {
    let studio = try Studio.made()
    try studio.manifest("Art", #"{"directory": "."}"#, root: "../out")
    _ = studio.run("--update")
    try studio.manifest("Art", #"{"directory": "Art"}"#, root: "../src")
    _ = studio.run("--update")
    let record = try studio.folder.contents("out/\(Self.records[0])")
    for bytes in [[], Array(record.dropLast()), record.map { $0 ^ 1 }, Array("{}".utf8)] {
      try studio.folder.makeFile("out/\(Self.records[0])", bytes)
      let run = studio.run("--update", "--verbose")
      #expect(run.messages.contains("is made because no record says what it was made of"))
      #expect(run.messages.hasSuffix("\n1 packed, 2 unchanged\n"))
    }
  }

  // MARK: - Trouble

  @Test func `a pack that fails does not spoil the others, and the exit status says so`() throws {
    let studio = try Studio.made()
    let run = Faults.inject([
      ForcedFailure(.read, .fail(EIO), path: "Sound/2.wav")
    ]) { studio.run("--update") }
    #expect(run.ending == .status(.failed))
    #expect(run.messages.contains("Error: cannot read "), "\(run.messages)")
    #expect(run.messages.hasSuffix("\n2 packed, 0 unchanged, 1 failed\n"))
    #expect(
      try studio.names() == [Self.records[0], Self.records[2], "Art.aar", "Text.aar"])
    #expect(studio.run("--update").messages.hasSuffix("\n1 packed, 2 unchanged\n"))
  }

  /// Starts the program; it goes on by itself.
  private func start(_ studio: borrowing Studio) throws -> Process {
    let process = Process()
    process.executableURL = URL(filePath: BuiltProgram.program)
    process.arguments = [
      "pack", studio.folder.path("Packs"), "-o", studio.folder.path("out"), "--update", "--quiet",
    ]
    process.standardError = FileHandle.nullDevice
    try process.run()
    return process
  }

  private func checkAgainstFullRun(
    _ studio: borrowing Studio, _ comment: Comment
  ) throws {
    #expect(studio.run("--force", into: "full").ending == .status(.done), comment)
    for id in Studio.ids {
      #expect(
        try studio.folder.contents("out/\(id).aar") == studio.folder.contents("full/\(id).aar"),
        comment)
    }
  }

  @Test func `several runs at once make the same archives, and a later one finds them unchanged`()
    throws
  {
    let studio = try Studio.made()
    for round in 0..<2 {
      try studio.folder.makeFile("src/Art/round", "round \(round)")
      let processes = try (0..<3).map { _ in try start(studio) }
      for process in processes {
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
      }
      _ = studio.run("--update")
      try checkAgainstFullRun(studio, "round \(round)")
      #expect(studio.run("--update", "--check").ending == .status(.done))
      #expect(try studio.names() == Self.records + Studio.ids.map { "\($0).aar" })
    }
  }

  /// Kills a run after so many milliseconds, and looks at what the next one makes of what is left.
  private func kill(after moments: [UInt32]) throws {
    let studio = try Studio.made()
    for (round, moment) in moments.enumerated() {
      try studio.folder.makeFile("src/Art/round", "round \(round)")
      try studio.tar("round \(round)")
      let process = try start(studio)
      usleep(moment * 1000)
      _ = Glibc.kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
      let left = studio.run("--update")
      #expect(left.ending == .status(.done), "\(left.messages)")
      try checkAgainstFullRun(studio, "killed after \(moment) ms")
      #expect(try studio.names() == Self.records + Studio.ids.map { "\($0).aar" })
    }
  }

  @Test func `a run that is killed leaves nothing that the next one believes`() throws {
    try kill(after: [5, 20, 40])
  }

  @Test(.heavy) func `the same at many moments`() throws { try kill(after: Array(0..<60)) }

  // MARK: - A model

  private enum Change: CaseIterable {
    case nothing, sameSizeOldTime, append, rename, add, remove, retarget, comment, meaning, level
    case version, clock, lost, garbled, outputChanged, outputTouched, outputGone, beside, archive
    case source
  }

  /// Makes a change; returns the packs that have to be made again for it.
  private func make(
    _ change: Change, in studio: inout Studio, step: Int, _ seeded: inout Seeded
  ) throws -> Set<String> {
    let id = Studio.ids[seeded.next(below: 3)]
    let record = studio.path(of: id)
    switch change {
    case .nothing: return []
    case .sameSizeOldTime:
      let path = studio.folder.path("src/Art/a.png")
      let before = try FileStatus(ofFileAt: path)
      try studio.folder.write([UInt8(ascii: "A") + UInt8(step % 26)], at: 0, into: "src/Art/a.png")
      let time = timespec(
        tv_sec: Int(before.modified.seconds), tv_nsec: Int(before.modified.nanoseconds))
      let times = [time, time]
      _ = unsafe times.withUnsafeBufferPointer {
        unsafe utimensat(AT_FDCWD, path, $0.baseAddress, 0)
      }
      return ["Art"]
    case .append:
      let name = "src/Sound/0.wav"
      try studio.folder.makeFile(name, studio.folder.contents(name) + [7])
      return ["Sound"]
    case .rename:
      let name = try #require(studio.names("src/Sound").last)
      try FileManager.default.moveItem(
        atPath: studio.folder.path("src/Sound/\(name)"),
        toPath: studio.folder.path("src/Sound/z\(step).wav"))
      return ["Sound"]
    case .add:
      try studio.folder.makeFile("src/Art/c/new\(step)/file", "new")
      return ["Art"]
    case .remove:
      guard let name = try studio.names("src/Art/c").first(where: { $0.hasPrefix("new") }) else {
        return []
      }
      try studio.folder.remove("src/Art/c/\(name)")
      return ["Art"]
    case .retarget:
      try studio.folder.remove("src/Art/link")
      let isOne = step % 2 == 0
      try studio.folder.makeLink("src/Art/link", to: isOne ? "../Store/two" : "../Store/one")
      // It may lead to the same file as before: then nothing has changed.
      return try studio.folder.contents("link") == [isOne ? 2 : 1] ? [] : ["Art"]
    case .comment:
      try studio.manifest(
        "Art", #"  {'directory' : "Art",}  "#, root: "../src", comment: "// \(step)\n")
      return []
    case .meaning:
      let isEven = try studio.folder.contents("meaning") == [0]
      try studio.folder.makeFile("meaning", [isEven ? 1 : 0])
      try studio.manifest(
        "Sound", #"{"filePattern": "Sound/**/*.wav"}"#, root: "../src",
        platforms: isEven ? "" : #""iOS""#)
      return ["Sound"]
    case .level:
      studio.level = studio.level == "fast" ? "default" : "fast"
      return Set(Studio.ids)
    case .version:
      var former = try #require(ArchiveRecord(of: record))
      former.inputs.settings[0].value = Array("ba-package 0.0.9".utf8)
      try former.keep(beside: record)
      return [id]
    case .clock:
      var former = try #require(ArchiveRecord(of: record))
      former.seen.seconds += 3600
      try former.keep(beside: record)
      return [id]
    case .lost:
      try FileManager.default.removeItem(atPath: ArchiveRecord.path(of: record))
      return [id]
    case .garbled:
      try studio.folder.write([9], at: 40, into: "out/.ba-package-\(id).aar.record")
      return [id]
    case .outputChanged:
      let bytes = try studio.folder.contents("out/\(id).aar")
      try studio.folder.write(
        [bytes[bytes.count - 1] ^ 1], at: bytes.count - 1, into: "out/\(id).aar")
      return [id]
    case .outputTouched:
      _ = unsafe utimensat(AT_FDCWD, record, nil, 0)
      return []
    case .outputGone:
      try studio.folder.remove("out/\(id).aar")
      return [id]
    case .beside:
      try studio.folder.makeFile("src/Sound/\(step).txt", "not chosen")
      return []
    case .archive:
      try studio.tar("text \(step)")
      return ["Text"]
    case .source:
      // Another file of the same name, size and time.
      let name = "src/Art/b.png"
      let time = try FileStatus(ofFileAt: studio.folder.path(name)).modified
      let bytes = try studio.folder.contents(name)
      try studio.folder.makeFile("src/fresh", bytes)
      let file = try FileDescriptor.open(studio.folder.path("src/fresh"), for: .reading)
      try file.setModified(time)
      _ = unsafe rename(studio.folder.path("src/fresh"), studio.folder.path(name))
      return ["Art"]
    }
  }

  private func play(seed: UInt64, steps: Int) throws {
    var studio = try Studio.made()
    var seeded = Seeded(seed: seed)
    try studio.folder.makeFile("meaning", [1])
    try studio.folder.makeFile("link", [1])
    _ = studio.run("--update")
    for step in 0..<steps {
      var needed: Set<String> = []
      var changes: [Change] = []
      for _ in 0...seeded.next(below: 2) {
        let change = Change.allCases[seeded.next(below: Change.allCases.count)]
        // Done twice, it might be undone; and a record can be read only while nobody has spoilt it.
        if changes.contains(change) { break }
        if changes.contains(where: { [.lost, .garbled, .outputGone].contains($0) }) { break }
        changes.append(change)
        needed.formUnion(try make(change, in: &studio, step: step, &seeded))
        if change == .retarget {
          let target = try FileManager.default.destinationOfSymbolicLink(
            atPath: studio.folder.path("src/Art/link"))
          try studio.folder.makeFile("link", [target.hasSuffix("two") ? 2 : 1])
        }
      }
      let comment: Comment = "seed \(seed), step \(step): \(changes), needed \(needed.sorted())"
      let before = Studio.ids.map { studio.status(of: $0) }
      let check = studio.run("--update", "--check")
      #expect(check.ending == .status(needed.isEmpty ? .done : .failed), comment)
      #expect(Studio.ids.map { studio.status(of: $0) } == before, comment)
      let run = studio.run("--update", "--verbose")
      #expect(
        run.messages.hasSuffix("\n\(needed.count) packed, \(3 - needed.count) unchanged\n"), comment
      )
      for (id, before) in zip(Studio.ids, before) where !needed.contains(id) {
        #expect(studio.status(of: id) == before, comment)
      }
      #expect(studio.run("--force", into: "full").ending == .status(.done), comment)
      for id in Studio.ids {
        #expect(
          try studio.folder.contents("out/\(id).aar") == studio.folder.contents("full/\(id).aar"),
          comment)
      }
    }
  }

  @Test(arguments: 1...4 as ClosedRange<UInt64>)
  func `whatever changes, the archives are those of a full run, and none is written without need`(
    seed: UInt64
  ) throws {
    try play(seed: seed, steps: 12)
  }

  @Test(.heavy, arguments: 5...60 as ClosedRange<UInt64>)
  func `the same, for long`(seed: UInt64) throws { try play(seed: seed, steps: 40) }
}
