import Arguments
import BAPackCommands
import BAPackKit
import Foundation
import Glibc
import SystemIO
import TestSupport
import Testing

/// `pack --update`: changed archives are rebuilt, and no other file is changed.
@Suite(.mustEnd) struct UpdateTests {
  /// Three packs: a folder with a link in it, a pattern, and an archive as the source root.
  struct Studio: ~Copyable {
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
      tar.add("arguments.txt", contents: text)
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

    func run(_ arguments: String..., into output: String = "out") -> Captured {
      Captured(
        ["pack", folder.path("Packs"), "-o", folder.path(output), "--level", level] + arguments)
    }

    func path(of id: String) -> String { folder.path("out/\(id).aar") }

    /// Returns the status of an archive; nil if there is none.
    func status(of id: String) -> FileStatus? { try? FileStatus(ofFileAt: path(of: id)) }

    func names(_ path: String = "out") throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: folder.path(path)).sorted()
    }
  }

  private static let records = Studio.ids.map { ".ba-package-\($0).aar.record" }

  @Test func `a second run leaves every archive unchanged, and its last line reports that`() throws
  {
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

  @Test func `--check prints each archive with its reason, fails, and writes no file`() throws {
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
        \(studio.path(of: "Sound")): would be written because 'Sound/9.wav' is new
        1 to pack, 2 unchanged

        """), "\(run.messages)")
    #expect(studio.run("--update", "--check", "--quiet").messages.contains("'Sound/9.wav' is new"))
    #expect(try studio.names() == before)
  }

  @Test(arguments: [
    ("--update --dry-run", "'--update' and '--dry-run' cannot be used together"),
    ("--update --force", "'--force' and '--update' cannot be used together"),
  ])
  func `options that conflict with --update are errors`(_ arguments: String, _ message: String) {
    let run = Captured(
      ["pack", "a.json", "-o", "b"] + arguments.split(separator: " ").map(String.init))
    #expect(run.ending == .status(.usage))
    #expect(run.messages.hasPrefix("Error: \(message)\n"), "\(run.messages)")
  }

  @Test func `as JSON an unchanged archive has its figures, and is marked as unchanged`() throws {
    let studio = try Studio.made()
    _ = studio.run("--update")
    let lines = studio.run("--update", "--format", "json").output.split(separator: "\n")
    #expect(lines.count == 3)
    #expect(lines.allSatisfy { $0.contains(#""unchanged":true"#) && !$0.contains("seconds") })
    try studio.tar("more")
    let check = studio.run("--update", "--check", "--format", "json").output
    #expect(check.contains(#""Art","unchanged":true}"#))
    #expect(
      check.contains(#""Text","unchanged":false,"reason":"its source root has changed"}"#))
  }

  @Test func `a record is never packed, and one of another program or a truncated one is ignored`()
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
      #expect(run.messages.contains("rebuilding because it has no record"))
      #expect(run.messages.hasSuffix("\n1 packed, 2 unchanged\n"))
    }
  }

  @Test
  func `in a fresh checkout a restored output folder is used, and only differences are rebuilt`()
    throws
  {
    let studio = try Studio.made()
    _ = studio.run("--update")
    // All times, file numbers and paths differ, also those of the output folder.
    let other = studio.folder.path("elsewhere")
    for name in ["src", "Packs", "out"] {
      try FileManager.default.createDirectory(
        atPath: other, withIntermediateDirectories: true)
      try FileManager.default.copyItem(
        atPath: studio.folder.path(name), toPath: "\(other)/\(name)")
    }
    try studio.folder.makeFile("elsewhere/text.tar", studio.folder.contents("text.tar"))
    for path in try FileManager.default.subpathsOfDirectory(atPath: other) {
      _ = unsafe utimensat(AT_FDCWD, "\(other)/\(path)", nil, AT_SYMLINK_NOFOLLOW)
    }
    let arguments = [
      "pack", "\(other)/Packs", "-o", "\(other)/out", "--level", "default", "--update",
    ]
    let check = Captured(arguments + ["--check"])
    // A source root that is an archive is identified by its file status only.
    #expect(check.messages.hasSuffix("\n1 to pack, 2 unchanged\n"), "\(check.messages)")
    let run = Captured(arguments)
    #expect(run.messages.hasSuffix("\n1 packed, 2 unchanged\n"), "\(run.messages)")
    #expect(Captured(arguments + ["--check"]).ending == .status(.done))
    // Of the same size and time.
    try studio.folder.makeFile("elsewhere/src/Sound/1.wav", "SOUND 1")
    let changed = Captured(arguments + ["--verbose"])
    #expect(changed.messages.contains("because 'Sound/1.wav' has changed"), "\(changed.messages)")
    #expect(changed.messages.hasSuffix("\n1 packed, 2 unchanged\n"))
    #expect(studio.run("--update", "--check").ending == .status(.done))
  }

  @Test func `if times are in the archive, a file with another time causes a rebuild`() throws {
    let studio = try Studio.made()
    _ = studio.run("--update", "--preserve-metadata")
    #expect(
      studio.run("--update", "--preserve-metadata").messages.hasSuffix("0 packed, 3 unchanged\n"))
    _ = unsafe utimensat(AT_FDCWD, studio.folder.path("src/Sound/1.wav"), nil, 0)
    let run = studio.run("--update", "--preserve-metadata")
    #expect(run.messages.hasSuffix("\n1 packed, 2 unchanged\n"), "\(run.messages)")
  }

  // MARK: - Errors

  @Test func `a pack that fails does not affect the others, and the exit status is a failure`()
    throws
  {
    let studio = try Studio.made()
    let run = ForcedFailures.inject([
      ForcedFailure(.read, .fail(EIO), path: "Sound/2.wav")
    ]) { studio.run("--update") }
    #expect(run.ending == .status(.failed))
    #expect(run.messages.contains("Error: cannot read "), "\(run.messages)")
    #expect(run.messages.hasSuffix("\n2 packed, 0 unchanged, 1 failed\n"))
    #expect(
      try studio.names() == [Self.records[0], Self.records[2], "Art.aar", "Text.aar"])
    #expect(studio.run("--update").messages.hasSuffix("\n1 packed, 2 unchanged\n"))
  }

  /// Starts the program, without waiting for its end.
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

  @Test func `concurrent runs write the same archives, and a later one finds them unchanged`()
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

  /// The system calls by which a run changes the disk.
  private static let changes: [SystemCall] = [
    .open, .write, .sync, .truncate, .rename, .link, .unlink, .makeDirectory, .changeMode,
    .changeTimes, .changeAttributes,
  ]

  /// Changes two of three packs; `round` selects the change.
  private func change(_ studio: borrowing Studio, round: Int) throws {
    try studio.folder.makeFile("src/Art/round", "round \(round % 10)")
    try studio.tar("round \(round % 10)")
  }

  /// Returns each call by which a run changes the output folder, with the number of such calls
  /// before it.
  private func moments(_ studio: borrowing Studio) throws -> [(call: SystemCall, number: Int)] {
    let made = Noted<SystemCall>()
    let output = studio.folder.path("out")
    try change(studio, round: 0)
    let run = ForcedFailures.inject(
      Self.changes.map { call in ForcedFailure(call, .run { made.add(call) }, within: output) }
    ) { studio.run("--update") }
    #expect(run.messages.hasSuffix("\n2 packed, 1 unchanged\n"), "\(run.messages)")
    return Self.changes.flatMap { call in
      made.all.filter { $0 == call }.indices.map { (call, $0) }
    }
  }

  /// Kills a run just before a call for the output folder, with the given number of such calls
  /// before it.
  private func kill(_ studio: borrowing Studio, before call: SystemCall, _ number: Int) async {
    let arguments = [
      "pack", studio.folder.path("Packs"), "-o", studio.folder.path("out"), "--update", "--quiet",
    ]
    await #expect(processExitsWith: .signal(SIGKILL)) {
      [arguments = arguments as [String], name = call.rawValue as String, number = number as Int] in
      let death = ForcedFailure(
        try #require(SystemCall(rawValue: name)), .run { _ = Glibc.kill(getpid(), SIGKILL) },
        skipping: number, within: arguments[3])
      _ = ForcedFailures.inject(death) { Captured(arguments) }
    }
  }

  /// Kills a run at each of these times, and checks the result of the next run.
  private func checkKills(
    _ studio: borrowing Studio, _ moments: [(call: SystemCall, number: Int)]
  ) async throws {
    for (round, moment) in moments.enumerated() {
      let comment: Comment = "killed before \(moment)"
      try change(studio, round: round + 1)
      await kill(studio, before: moment.call, moment.number)
      let next = studio.run("--update")
      #expect(next.ending == .status(.done), "\(comment): \(next.messages)")
      try checkAgainstFullRun(studio, comment)
      #expect(try studio.names() == Self.records + Studio.ids.map { "\($0).aar" }, comment)
    }
  }

  @Test func `a killed run leaves no file that misleads the next run`() async throws {
    let studio = try Studio.made()
    _ = studio.run("--update")
    let moments = try moments(studio)
    // The last call of each kind.
    let last = Self.changes.compactMap { call in moments.last { $0.call == call } }
    #expect(last.count > 3)
    try await checkKills(studio, last)
  }

  @Test(.heavy)
  func `a run that is killed before any of its changes leaves no file that misleads the next run`()
    async throws
  {
    let studio = try Studio.made()
    _ = studio.run("--update")
    let moments = try moments(studio)
    #expect(moments.count > 20)
    try await checkKills(studio, moments)
  }
}
