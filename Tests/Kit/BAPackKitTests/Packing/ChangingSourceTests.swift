import BAPackKit
import Foundation
import SystemIO
import TestSupport
import Testing

@Suite("Sources that change during packing")
struct ChangingSourceTests {
  @Test
  func `a source that shrinks, grows, vanishes or is replaced is an error`() throws {
    let changes: [@Sendable (String) throws -> Void] = [
      { try Data(repeating: 65, count: 199_999).write(to: URL(filePath: $0)) },
      { try Data(repeating: 65, count: 200_001).write(to: URL(filePath: $0)) },
      { try FileManager.default.removeItem(atPath: $0) },
    ]
    for change in changes {
      for call in [SystemCall.open, .read] {
        let folder = try TemporaryFolder()
        try PackerTests.makeGame(folder)
        let output = try TemporaryFolder()
        let plan = try PackerTests.plan(folder)
        let path = folder.path("text")
        let fault = ForcedFailure(call, .run { try? change(path) }, times: 1, path: "text")
        let job = PackSeries.Job(plan, to: output.path("x.aar"))
        let error = PackerTests.failure(fault, of: job)
        if error == nil {
          // The name was removed while the file is open: all bytes were read.
          #expect(call == .read && !FileManager.default.fileExists(atPath: path))
          continue
        }
        #expect(error?.kind == .changed)
        #expect(error?.message.contains("text' changed during packing") == true)
        #expect(error?.remedies == ["run again when no process writes to it"])
        #expect(try FileManager.default.contentsOfDirectory(atPath: output.path) == [])
      }
    }
  }

  @Test
  func `a source that is modified during reading is an error, even with the same size`() throws {
    let changes: [@Sendable (String) throws -> Void] = [
      { try FileHandle(forWritingTo: URL(filePath: $0)).write(contentsOf: Data("new head".utf8)) },
      { path in
        // Like a tool that resets the time: new contents with the old time.
        let before = try FileManager.default.attributesOfItem(atPath: path)[.modificationDate]
        let file = try FileHandle(forWritingTo: URL(filePath: path))
        try file.seek(toOffset: 150_000)
        try file.write(contentsOf: Data("new tail".utf8))
        try file.close()
        try FileManager.default.setAttributes(
          [.modificationDate: try #require(before)], ofItemAtPath: path)
      },
    ]
    for change in changes {
      for name in ["text", "hole", "empty"] {
        for skipping in 0..<4 {
          let folder = try TemporaryFolder()
          try PackerTests.makeGame(folder)
          try folder.makeHole("hole", size: 300_000, (5, [1]), (200_000, [1]))
          let output = try TemporaryFolder()
          let plan = try PackerTests.plan(folder, settings: PackSettings(blockSize: 1 << 16))
          let path = folder.path(name)
          let fired = CallCount()
          // The clock of a file system ticks some hundred times a second.
          let fault = ForcedFailure(
            .read,
            .run {
              fired.add()
              let changed = Self.changed(path)
              while Self.changed(path) == changed { try? change(path) }
            }, times: 1, skipping: skipping, path: name)
          let job = PackSeries.Job(plan, to: output.path("x.aar"))
          let error = PackerTests.failure(fault, of: job)
          // A short file has fewer reads.
          guard fired.value > 0 else {
            #expect(error == nil)
            continue
          }
          #expect(error?.kind == .changed)
          #expect(error?.message.contains("\(name)' changed during packing") == true)
          #expect(try FileManager.default.contentsOfDirectory(atPath: output.path) == [])
        }
      }
    }
  }

  private static func changed(_ path: String) -> Moment? {
    try? FileStatus(ofFileAt: path).changed
  }

  @Test
  func `a file that changed since planning is never packed`() throws {
    let folder = try TemporaryFolder()
    try PackerTests.makeGame(folder)
    let plan = try PackerTests.plan(folder)
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 5)], ofItemAtPath: folder.path("text"))
    let output = try TemporaryFolder()
    let job = PackSeries.Job(plan, to: output.path("x.aar"))
    #expect(PackerTests.failure(nil, of: job)?.kind == .changed)
  }

  @Test
  func `a file that was rewritten since planning, with the old time, is never packed`() throws {
    let folder = try TemporaryFolder()
    try PackerTests.makeGame(folder)
    let plan = try PackerTests.plan(folder)
    try folder.writeKeepingTime(Array("new".utf8), into: "text")
    let output = try TemporaryFolder()
    let job = PackSeries.Job(plan, to: output.path("x.aar"))
    #expect(PackerTests.failure(nil, of: job)?.kind == .changed)
  }
}
