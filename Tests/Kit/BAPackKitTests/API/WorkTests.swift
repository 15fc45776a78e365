import AssetArchive
import BAPackKit
import Foundation
import Synchronization
import SystemIO
import TestSupport
import Testing

/// The progress and the cancellation of the public operations.
@Suite("Progress and cancellation", .mustEnd)
struct WorkTests {
  private enum Operation: CaseIterable, Sendable {
    case check, pack, verify, extract

    /// Runs the operation on an existing project.
    func run(
      in folder: String, _ progress: @escaping @Sendable (WorkProgress) -> Void
    ) async throws {
      let project = Project(["one", "two"].map { FilePath("\(folder)/Packs/\($0).json") })
      let made = AssetPack(FilePath(folder + "/made/two.aar"))
      let output = FilePath(folder + "/out")
      switch self {
      case .check: _ = try await project.check(progress: progress)
      case .pack:
        for pack in try #require(try await project.check().packs) {
          _ = try await pack.pack(into: output, progress: progress)
        }
      case .verify: _ = try await made.verify(progress: progress)
      case .extract: _ = try await made.extract(into: output, progress: progress)
      }
    }
  }

  private static func game() async throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.makeFile("files/a.txt", "a")
    try folder.makeFile("files/deep/b.txt", String(repeating: "b", count: 3_000_000))
    for (id, selector) in [("one", #"{"file": "a.txt"}"#), ("two", #"{"directory": "deep"}"#)] {
      try folder.makeFile(
        "Packs/\(id).json",
        """
        {"assetPackID": "\(id)", "downloadPolicy": {"onDemand": {}}, "platforms": [],
         "sourceRoot": "../files", "fileSelectors": [\(selector)]}
        """)
    }
    let project = Project([FilePath(folder.path("Packs"))])
    for pack in try #require(try await project.check().packs) {
      _ = try await pack.pack(into: FilePath(folder.path("made")))
    }
    return folder
  }

  @Test(arguments: Operation.allCases)
  private func `the progress of each pack increases to its total`(operation: Operation)
    async throws
  {
    let folder = try await Self.game()
    let seen = Noted<WorkProgress>()
    try await operation.run(in: folder.path) { seen.add($0) }
    for steps in Dictionary(grouping: seen.all, by: \.pack).values {
      #expect(steps.map(\.done) == steps.map(\.done).sorted())
      #expect(steps.last.map { $0.done == $0.total } == true)
    }
    #expect(!seen.all.isEmpty)
  }

  @Test(arguments: Operation.allCases)
  private func `an operation of a cancelled task has no effect`(
    operation: Operation
  ) async throws {
    let folder = try await Self.game()
    let path = folder.path
    let seen = Noted<WorkProgress>()
    let task = Task {
      while !Task.isCancelled { await Task.yield() }
      try await operation.run(in: path) { seen.add($0) }
    }
    task.cancel()
    let error = await #expect(throws: PackError.self) { try await task.value }
    #expect(error?.kind == .interrupted)
    #expect(seen.all == [])
    #expect(!FileManager.default.fileExists(atPath: folder.path("out")))
  }

  // MARK: Waiting

  /// An operation of the library that waits for another process.
  private struct Wait: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let body: @Sendable (_ path: String, Work) throws -> Void

    init(_ name: String, _ body: @escaping @Sendable (String, Work) throws -> Void) {
      testDescription = name
      self.body = body
    }

    /// The operations that read a file, which may be a pipe.
    static let pipes = [
      Wait("a manifest") { _ = try ManifestDocument(reading: $0, $1) },
      Wait("a project file") { _ = try ProjectDocument(reading: ProjectPlace(named: $0), $1) },
      Wait("a list of checksums") { _ = try ChecksumList(reading: $0, $1) },
      Wait("a download manifest") { _ = try PublicationFiles($0).readManifest($1) },
      Wait("a property list") {
        _ = try PublicationFiles.readInfoPlist($0, isManaged: true, $1)
      },
    ]

    /// The operations that lock the file at a path.
    static let locks = [
      Wait("a download manifest") { path, work in try PublicationFiles(path).alone(work) {} },
      Wait("the sizes of packs") { path, work in
        let place = ProjectPlace(named: FilePath(path).folder.text + "/ba-package.json")
        _ = try PackSizes(of: [], and: []).write(for: place, work)
      },
    ]
  }

  /// Runs an operation that is cancelled at its first wait.
  private func stopped(_ wait: Wait, _ path: String) throws -> PackError? {
    let alarm = try Alarm()
    return #expect(throws: PackError.self) {
      try ForcedFailures.inject(ForcedFailure(.poll, .run { alarm.ring() }, times: 1)) {
        try wait.body(path, Work(until: alarm))
      }
    }
  }

  @Test(arguments: Wait.pipes)
  private func `cancellation ends a wait for a pipe without a writer`(
    wait: Wait
  ) throws {
    let folder = try TemporaryFolder()
    try folder.makePipe("pipe")
    #expect(try stopped(wait, folder.path("pipe"))?.kind == .interrupted)
  }

  @Test(arguments: Wait.locks)
  private func `cancellation ends a wait for a file that another process has locked`(
    wait: Wait
  ) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("ba-package.sizes.json")
    let held = try FileLock(besides: path, .unstoppable) {}
    #expect(try stopped(wait, path)?.kind == .interrupted)
    held.release()
    // The next operation gets the lock.
    try wait.body(path, .unstoppable)
  }

  @Test func `cancellation ends a wait for the lock of a cache`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("cache")
    let cache = try BlockCache(path, limit: 0)
    let marker = try #require(
      try FileManager.default.contentsOfDirectory(atPath: path).first { $0 == "CACHEDIR.TAG" })
    let held = try FileDescriptor.open(path + "/" + marker, for: .reading)
    try held.lock(.unstoppable)
    let alarm = try Alarm()
    ForcedFailures.inject(ForcedFailure(.poll, .run { alarm.ring() }, times: 1)) {
      cache.sweep(Work(until: alarm))
    }
    #expect(cache.firstError?.kind == .interrupted)
  }

  @Test(arguments: [1, 4])
  func `a parallel map keeps the order, throws the first error and stops`(threads: Int) throws {
    let numbers = Array(0..<100)
    let doubled = try numbers.inParallel(threads: threads, .unstoppable) {
      number, _ throws(PackError) in 2 * number
    }
    #expect(doubled == numbers.map { 2 * $0 })
    let error = #expect(throws: PackError.self) {
      try numbers.inParallel(threads: threads, .unstoppable) { number, _ throws(PackError) in
        guard number % 10 != 7 else { throw PackError(.missing, "\(number)") }
        return number
      }
    }
    #expect(error?.message == "7")
    let alarm = try Alarm()
    let begun = Atomic(0)
    let stop = #expect(throws: PackError.self) {
      try numbers.inParallel(threads: threads, Work(until: alarm)) { number, _ throws(PackError) in
        begun.add(1, ordering: .relaxed)
        alarm.ring()
        return number
      }
    }
    #expect(stop?.kind == .interrupted)
    #expect(begun.load(ordering: .relaxed) <= threads)
  }
}
