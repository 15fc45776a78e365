import Arguments
import BAPackCommands
import SystemIO
import TestSupport
import Testing

/// The number of system calls of a run grows linearly with the number of packs.
@Suite(.mustEnd) struct CallCountTests {
  /// Creates a project with `count` packs of one file each.
  private static func makeProject(_ folder: borrowing TemporaryFolder, _ count: Int) throws {
    try folder.makeFile(
      "ba-package.json", #"{"packs": ["Packs/*.json"], "output": "build", "hosting": "self"}"#)
    for number in 0..<count {
      try folder.makeFile("files/\(number).txt", "contents of \(number)")
      try folder.makeFile(
        "Packs/\(number).json",
        """
        {"assetPackID": "p\(number)", "downloadPolicy": {"onDemand": {}}, "platforms": [],
         "sourceRoot": "../files", "fileSelectors": [{"file": "\(number).txt"}]}
        """)
    }
  }

  /// Returns the numbers of system calls of several runs, one after the other, on one project.
  ///
  /// Calls of other threads are not counted.
  private static func calls(
    of runs: [[String]], _ kinds: [SystemCall] = [.status, .open], packs count: Int
  ) throws -> [Int] {
    let folder = try TemporaryFolder()
    try makeProject(folder, count)
    var counts: [Int] = []
    for arguments in runs {
      let counter = CallCount()
      // Only kinds of calls whose number does not depend on the clock.
      let calls = kinds.map { ForcedFailure($0, .run { counter.add() }) }
      let run = ForcedFailures.inject(calls) {
        Captured(arguments + ["--project", folder.path])
      }
      try #require(run.ending == .status(.done), "\(run.messages)")
      counts.append(counter.value)
    }
    return counts
  }

  @Test(.heavy) func `twice as many packs need at most 2.2 times as many system calls`() throws {
    let update = ["pack", "--threads", "1", "--update"]
    let first = [
      ["validate"], ["validate", "--fix"], ["pack", "--threads", "1"],
      ["pack", "--threads", "1", "--force"],
      // This run writes records.
      update,
    ]
    // The next run is not counted: it reads archives again that were written in the same tick of
    // the clock in which they were recorded, and their number depends on the time.
    let runs =
      first + [
        update, update, update + ["--check"], ["list"], ["info"], ["verify", "--threads", "1"],
        ["verify", "--threads", "1", "--all-shards"],
        ["report", "--format", "json", "--threads", "1"], ["simulate"], ["clean", "--dry-run"],
        ["clean"],
      ]
    let few = try Self.calls(of: runs, packs: 40)
    let many = try Self.calls(of: runs, packs: 80)
    for (index, run) in runs.enumerated() where index != first.count {
      #expect(few[index] > 40, "\(run)")
      #expect(many[index] * 10 <= few[index] * 22, "\(run): \(few[index]), \(many[index])")
    }
  }
}

extension CallCountTests {
  @Test func `fixes of manifests do not list their folder for each of them`() throws {
    let runs = [["validate", "--fix"]]
    let few = try Self.calls(of: runs, [.readDirectory], packs: 5)
    let many = try Self.calls(of: runs, [.readDirectory], packs: 10)
    #expect(few[0] > 0)
    #expect(few == many)
  }

  @Test func `twice as many folders need at most 2.2 times as many calls of init`() throws {
    func calls(_ count: Int) throws -> Int {
      let folder = try TemporaryFolder()
      for number in 0..<count {
        try folder.makeFile("Level\(number)/map.bin", "map \(number)")
      }
      let counter = CallCount()
      let calls = [SystemCall.status, .open, .readDirectory].map {
        ForcedFailure($0, .run { counter.add() })
      }
      let run = ForcedFailures.inject(calls) {
        Captured(["init", folder.path, "--yes", "--hosting", "self"])
      }
      try #require(run.ending == .status(.done), "\(run.messages)")
      return counter.value
    }
    let (few, many) = try (calls(40), calls(80))
    #expect(few > 40)
    #expect(many * 10 <= few * 22, "\(few), \(many)")
  }

  @Test(.heavy) func `a first run with records waits for the clock at most once`() throws {
    let folder = try TemporaryFolder()
    // More than the archives that are renamed together.
    try Self.makeProject(folder, 200)
    let counter = CallCount()
    let run = ForcedFailures.inject(
      ForcedFailure(.poll, .run { counter.add() }, path: "the clock")
    ) {
      Captured(["pack", "--update", "--threads", "1", "--project", folder.path])
    }
    try #require(run.ending == .status(.done), "\(run.messages)")
    #expect(counter.value <= 1)
    let again = Captured(["pack", "--update", "--check", "--project", folder.path])
    #expect(again.ending == .status(.done), "\(again.output)\(again.messages)")
  }
}
