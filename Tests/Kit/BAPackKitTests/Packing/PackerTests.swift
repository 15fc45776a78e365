import AssetArchive
import BAPackKit
import BlockCodecs
import Foundation
import Glibc
import Synchronization
import SystemIO
import TestSupport
import Testing

@Suite("Packing")
struct PackerTests {
  static func plan(
    _ folder: borrowing TemporaryFolder, _ selectors: String = #"{"directory": "."}"#,
    _ settings: PackSettings = PackSettings()
  ) throws -> PackPlan {
    let document = document(selectors)
    let root = try SourceRoot(opening: folder.path, .unstoppable)
    let resolution = try Selection.resolve(document, in: root, .unstoppable)
    #expect(resolution.hasErrors == false)
    return try PackPlan(
      #require(document.manifest), resolution.selection, from: root, settings: settings)
  }

  static func pack(
    _ plan: PackPlan, _ options: PackSeries.Options = .init()
  ) throws -> (bytes: [UInt8], summary: PackSummary) {
    let output = try TemporaryFolder()
    let summary = try PackSeries.Job(plan, to: output.path("x.aar")).pack(.unstoppable, options)
    return ([UInt8](try Data(contentsOf: URL(filePath: output.path("x.aar")))), summary)
  }

  /// Returns the entries of an archive as `T path mode owner time size`, with their contents.
  static func entries(_ bytes: [UInt8]) throws -> [(line: String, data: [UInt8])] {
    var reader = try ArchiveReader(ByteSource(bytes, name: "x.aar"))
    var entries: [(line: String, data: [UInt8])] = []
    while let entry = try reader.nextEntry() {
      let (header, fields) = (entry.header, entry.header.fields)
      let path = header.path.map { String(decoding: $0.bytes, as: UTF8.self) } ?? "none"
      let mode = String(fields.mode ?? 0, radix: 8)
      let owner = "\(fields.userID ?? 0):\(fields.groupID ?? 0)"
      let time = fields.modified?.seconds ?? 0
      let size = fields.dataSize.map { " \($0)" } ?? ""
      var data: [UInt8] = []
      while try reader.nextChunk() != nil { reader.withChunk { data.append(copying: $0) } }
      entries.append(("\(header.type) '\(path)' \(mode) \(owner) \(time)\(size)", data))
    }
    return entries
  }

  static func makeGame(_ folder: borrowing TemporaryFolder) throws {
    try folder.makeFile("run.sh", "#!/bin/sh\n", mode: 0o700)
    try folder.makeFile("empty", "")
    try folder.makeFolder("hollow")
    try folder.makeFile("日本/ä ö.txt", "names in any script")
    var seeded = Seeded(seed: 1)
    try folder.makeFile("noise", seeded.noise(150_000))
    try folder.makeFile("text", [UInt8](repeating: 65, count: 200_000))
  }

  @Test
  func `a pack contains the selected files in order, with fixed metadata`() throws {
    let folder = try TemporaryFolder()
    try Self.makeGame(folder)
    let plan = try Self.plan(folder)
    let (bytes, summary) = try Self.pack(plan)
    let entries = try Self.entries(bytes)
    let json = plan.manifestJSON
    #expect(
      entries.map(\.line) == [
        "directory '' 755 501:20 978307200",
        "directory 'Contents' 755 501:20 978307200",
        "file 'Contents/empty' 644 501:20 978307200 0",
        "directory 'Contents/hollow' 755 501:20 978307200",
        "file 'Contents/noise' 644 501:20 978307200 150000",
        "file 'Contents/run.sh' 755 501:20 978307200 10",
        "file 'Contents/text' 644 501:20 978307200 200000",
        "directory 'Contents/日本' 755 501:20 978307200",
        "file 'Contents/日本/ä ö.txt' 644 501:20 978307200 19",
        "file 'Manifest.json' 644 501:20 978307200 \(json.count)",
      ])
    #expect(entries.count == plan.entryCount)
    #expect(entries[5].data == Array("#!/bin/sh\n".utf8))
    #expect(entries[8].data == Array("names in any script".utf8))
    #expect(entries[9].data == json)
    #expect(summary.fileCount == 5)
    #expect(summary.contentBytes == 350_029)
    #expect(summary.archiveBytes == UInt64(bytes.count))
    #expect(summary.assetPackID == "Pack")
  }

  @Test(arguments: PackSettings.Compression.allCases)
  func `packs have the same bytes for all numbers of threads, umasks and orders of names`(
    compression: PackSettings.Compression
  ) throws {
    let folder = try TemporaryFolder()
    try Self.makeGame(folder)
    var settings = PackSettings(compression: compression, effort: .fast, blockSize: 1 << 14)
    let expected = try Self.pack(Self.plan(folder, settings: settings)).bytes
    let copy = try TemporaryFolder()
    for name in ["text", "noise", "日本/ä ö.txt", "run.sh", "empty"] {
      let bytes = [UInt8](try Data(contentsOf: URL(filePath: folder.path(name))))
      try copy.makeFile(name, bytes, mode: name == "run.sh" ? 0o755 : 0o600)
    }
    try copy.makeFolder("hollow", mode: 0o700)
    for threads in [1, 2, 3, 8] {
      settings.threads = threads
      #expect(try Self.pack(Self.plan(copy, settings: settings)).bytes == expected)
    }
  }

  @Test
  func `real metadata are kept on request`() throws {
    let folder = try TemporaryFolder()
    try folder.makeFile("a/file", "x", mode: 0o640)
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 1234.5)], ofItemAtPath: folder.path("a/file"))
    let settings = PackSettings(timestamp: Moment(seconds: 77), metadata: .preserved)
    let (bytes, _) = try Self.pack(Self.plan(folder, settings: settings))
    let owner = "\(getuid()):\(getgid())"
    let lines = try Self.entries(bytes).map(\.line)
    #expect(lines[1] == "directory 'Contents' 755 501:20 77")
    #expect(lines[2].hasPrefix("directory 'Contents/a' 755 \(owner)"))
    #expect(lines[3] == "file 'Contents/a/file' 640 \(owner) 1234 1")
    #expect(lines[4].hasSuffix(" 77 \(try Self.plan(folder).manifestJSON.count)"))
  }

  @Test
  func `the digest is that of the file`() throws {
    let folder = try TemporaryFolder()
    try folder.makeFile("a", "abc")
    var options = PackSeries.Options()
    options.computesSHA256 = true
    let (bytes, summary) = try Self.pack(Self.plan(folder), options)
    #expect(try summary.sha256 == sha256(bytes))
  }

  @Test
  func `progress counts every byte and names every entry`() throws {
    let folder = try TemporaryFolder()
    try Self.makeGame(folder)
    let plan = try Self.plan(folder)
    let output = try TemporaryFolder()
    let seen = Noted<Work.Progress>()
    let job = PackSeries.Job(plan, to: output.path("x.aar"))
    _ = try job.pack(.unstoppable.reporting { seen.add($0) })
    let paths = plan.selection.indices.map { plan.selection.pathInContents(at: $0).bytes }
    #expect(seen.all.filter(\.isBeginning).compactMap(\.path) == paths)
    #expect(
      seen.all.last
        == Work.Progress(done: plan.selection.totalSize, total: plan.selection.totalSize))
    #expect(seen.all.map(\.done) == seen.all.map(\.done).sorted())
  }

  @Test
  func `a failure reports the file and the remedy, and leaves no file`() throws {
    let folder = try TemporaryFolder()
    try Self.makeGame(folder)
    let cases: [(ForcedFailure, PackError.Kind, String, [Remedy])] = [
      (
        .always(.write, ENOSPC, path: "x.aar"), .system(ENOSPC),
        "cannot write 'OUT': No space left on device",
        ["free some space", .writeToAnotherDisk]
      ),
      (
        .always(.sync, EIO, path: "x.aar"), .system(EIO), "cannot sync 'OUT': Input/output error",
        ["check the disk", .writeToAnotherDisk]
      ),
      (
        .always(.read, EIO, path: "text"), .system(EIO),
        "cannot read 'ROOT/text': Input/output error",
        ["check the disk, or get another copy of the file"]
      ),
    ]
    for (fault, kind, message, remedies) in cases {
      let output = try TemporaryFolder()
      let plan = try Self.plan(folder)
      let error = Self.failure(fault, of: PackSeries.Job(plan, to: output.path("x.aar")))
      #expect(error?.kind == kind)
      let expected = message.replacingOccurrences(of: "OUT", with: output.path("x.aar"))
        .replacingOccurrences(of: "ROOT/", with: folder.path(""))
      #expect(error?.message == expected)
      #expect(error?.remedies == remedies)
      #expect(try FileManager.default.contentsOfDirectory(atPath: output.path) == [])
    }
  }

  @Test(arguments: PackSettings.Compression.allCases, [1, 3])
  func `holes are not read, and have the same bytes as zeros`(
    compression: PackSettings.Compression, threads: Int
  ) throws {
    let settings = PackSettings(
      compression: compression, effort: .fast, blockSize: 1 << 14, threads: threads)
    let size = 600_000
    let folder = try TemporaryFolder()
    let copy = try TemporaryFolder()
    let mark = Array("a mark".utf8)
    try folder.makeHole("a", size: size, (300_000, mark), (size - 6, mark))
    try copy.makeFile("a", folder.contents("a"))
    try folder.makeFile("b", "what follows")
    try copy.makeFile("b", "what follows")
    let expected = try Self.pack(Self.plan(copy, settings: settings)).bytes
    #expect(try Self.pack(Self.plan(folder, settings: settings)).bytes == expected)
    // Without holes, one read is sufficient: the read that reaches the end.
    try folder.makeHole("a", size: size)
    let output = try TemporaryFolder()
    let fault = ForcedFailure(.read, .fail(EIO), skipping: 1, path: "/a")
    let plan = try Self.plan(folder, settings: settings)
    #expect(Self.failure(fault, of: PackSeries.Job(plan, to: output.path("x.aar"))) == nil)
  }

  @Test
  func `an archive that is written to a stream has the bytes of the file`() throws {
    let folder = try TemporaryFolder()
    try Self.makeGame(folder)
    let plan = try Self.plan(folder, settings: PackSettings(blockSize: 1 << 14, threads: 2))
    var options = PackSeries.Options()
    options.computesSHA256 = true
    var bytes: [UInt8] = []
    let job = PackSeries.Job(plan, writing: { bytes.append(copying: $0) }, named: "a pipe")
    let summary = try job.pack(.unstoppable, options)
    let file = try Self.pack(plan)
    #expect(bytes == file.bytes)
    #expect(try summary.sha256 == sha256(bytes))
    #expect(summary.path == "a pipe")
    let broken = PackSeries.Job(
      plan,
      writing: { (_) throws(Failure) in throw Failure(.write, "a pipe", code: EPIPE) },
      named: "a pipe")
    #expect(Self.failure(nil, of: broken)?.message == "cannot write 'a pipe': Broken pipe")
  }

  @Test
  func `cancellation at any time leaves no file`() throws {
    let folder = try TemporaryFolder()
    try Self.makeGame(folder)
    for calls in [0, 1, 5, 11] {
      for threads in [1, 2] {
        let output = try TemporaryFolder()
        let plan = try Self.plan(
          folder, settings: PackSettings(blockSize: 1 << 13, threads: threads))
        let counter = Counter(calls)
        let alarm = try Alarm()
        if calls == 0 { alarm.ring() }
        let work = Work(until: alarm).reporting { _ in
          if counter.isAtEnd() { alarm.ring() }
        }
        let error = Self.failure(nil, of: PackSeries.Job(plan, to: output.path("x.aar")), work)
        #expect(error?.kind == .interrupted)
        #expect(try FileManager.default.contentsOfDirectory(atPath: output.path) == [])
      }
    }
  }

  @Test
  func `an existing output is rejected before packing unless it may be replaced`() throws {
    let folder = try TemporaryFolder()
    try folder.makeFile("a", "abc")
    let output = try TemporaryFolder()
    try output.makeFile("x.aar", "old")
    let plan = try Self.plan(folder)
    let path = output.path("x.aar")
    let error = Self.failure(nil, of: PackSeries.Job(plan, to: path))
    #expect(error?.kind == .exists)
    #expect(error?.message == "'\(path)' already exists")
    #expect(error?.remedies == [.replaceExisting, .specifyAnotherOutput])
    var options = PackSeries.Options()
    options.replacesExisting = true
    _ = try PackSeries.Job(plan, to: path).pack(.unstoppable, options)
    #expect(try Data(contentsOf: URL(filePath: path)).prefix(4) == Data("pbze".utf8))
  }

  static func failure(
    _ fault: ForcedFailure?, of job: PackSeries.Job, _ work: Work = .unstoppable,
    options: PackSeries.Options = PackSeries.Options()
  ) -> PackError? {
    ForcedFailures.inject(fault.map { [$0] } ?? []) {
      do throws(PackError) {
        _ = try job.pack(work, options)
        return nil
      } catch {
        return error
      }
    }
  }
}

extension PackerTests {
  static func plan(
    _ folder: borrowing TemporaryFolder, settings: PackSettings
  ) throws -> PackPlan {
    try plan(folder, #"{"directory": "."}"#, settings)
  }
}

/// A condition that becomes true after a number of calls.
final class Counter: Sendable {
  private let left: Atomic<Int>

  init(_ count: Int) { left = Atomic(count) }

  func isAtEnd() -> Bool { left.subtract(1, ordering: .relaxed).newValue < 0 }
}

func sha256(_ bytes: [UInt8]) throws -> [UInt8] {
  var digest = try Digest(.sha256)
  bytes.withRawSpan { digest.update($0) }
  return digest.finish()
}
