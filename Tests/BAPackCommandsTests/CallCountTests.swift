import Arguments
import BAPackCommands
import Synchronization
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
  private static func calls(of runs: [[String]], packs count: Int) throws -> [Int] {
    let folder = try TemporaryFolder()
    try makeProject(folder, count)
    var counts: [Int] = []
    for arguments in runs {
      let counter = CallCounter()
      // Only calls whose number does not depend on the clock.
      let calls = [SystemCall.status, .open].map { ForcedFailure($0, .run { counter.add() }) }
      let run = ForcedFailures.inject(calls) {
        Captured(arguments + ["--project", folder.path])
      }
      try #require(run.ending == .status(.done), "\(run.messages)")
      counts.append(counter.value)
    }
    return counts
  }

  @Test func `twice as many packs need at most 2.2 times as many system calls`() throws {
    let runs = [
      ["validate"], ["pack", "--threads", "1"], ["pack", "--threads", "1", "--force"],
      ["clean", "--dry-run"], ["clean"],
    ]
    let few = try Self.calls(of: runs, packs: 40)
    let many = try Self.calls(of: runs, packs: 80)
    for (index, run) in runs.enumerated() {
      #expect(few[index] > 40, "\(run)")
      #expect(many[index] * 10 <= few[index] * 22, "\(run): \(few[index]), \(many[index])")
    }
  }
}

/// A counter of system calls.
private final class CallCounter: Sendable {
  private let count = Atomic<Int>(0)

  func add() { count.add(1, ordering: .relaxed) }

  var value: Int { count.load(ordering: .relaxed) }
}
