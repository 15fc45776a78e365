import AssetArchive
@testable import BAPackKit
import SystemIO
import TestSupport
import Testing

/// Tests of the record of an archive and of its evaluation.
@Suite struct ArchiveRecordTests {
  private static let moment = Moment(seconds: 1_800_000_000, nanoseconds: 5)

  private static func witness(
    size: UInt64 = 9, changed: Moment = Self.moment, number: UInt64 = 7
  ) -> FileWitness {
    FileWitness(size: size, modified: moment, changed: changed, number: number)
  }

  private static func record(_ entries: [UInt8] = []) -> ArchiveRecord {
    ArchiveRecord(
      inputs: PackInputs(
        settings: [.init(name: .program, value: Array("one".utf8))], archive: witness(),
        entries: entries),
      examinedAt: moment, hosting: .apple, output: witness(),
      seenOutput: Moment(seconds: moment.seconds + 1), sha256: [1, 2, 3], fileCount: 4,
      contentBytes: 5, blockCount: 6, storedBlockCount: 1)
  }

  private static func entries(_ folder: borrowing TemporaryFolder) throws -> [UInt8] {
    var inputs = PackInputs(settings: [], archive: nil, entries: [])
    inputs.add(try resolve(#"{"directory": "."}"#, in: folder).selection, .fixed)
    return inputs.entries
  }

  @Test func `a record is read as written, and a damaged record is rejected`()
    throws
  {
    let folder = try TemporaryFolder()
    for name in ["a", "b/c", "b/d"] { try folder.makeFile(name) }
    var record = Self.record(try Self.entries(folder))
    record.contents = [.init(index: 1, sha256: [9]), .init(index: .init(UInt32.max), sha256: [])]
    record.digests = Array(0..<96)
    record.manifest = "/game/Packs/a.json"
    let bytes = try record.encoded()
    #expect(ArchiveRecord(bytes) == record)
    for index in bytes.indices {
      var damaged = bytes
      damaged[index] ^= 0x10
      #expect(ArchiveRecord(damaged) == nil)
    }
    for count in stride(from: 0, to: bytes.count, by: 5) {
      #expect(ArchiveRecord(Array(bytes.prefix(count))) == nil)
    }
  }

  @Test func `the verdict depends on the record and the current input`() {
    let record = Self.record()
    let later = Moment(seconds: Self.moment.seconds + 10)
    func verdict(
      _ change: (inout ArchiveRecord) -> Void = { _ in }, output: FileWitness? = Self.witness(),
      now: Moment = later
    ) -> ArchiveRecord.Verdict {
      var former = record
      change(&former)
      return ArchiveRecord.verdict(on: former, inputs: record.inputs, output: output, now: now)
    }
    #expect(verdict() == .unchanged)
    #expect(verdict(output: nil) == .pack(.absent))
    #expect(
      ArchiveRecord.verdict(on: nil, inputs: record.inputs, output: Self.witness(), now: later)
        == .pack(.record))
    #expect(verdict { $0.inputs.settings[0].value = [] } == .pack(.program))
    #expect(verdict { $0.inputs.archive = nil } == .pack(.sourceRoot))
    // The clock was set back by more than the difference between the clocks of two hosts.
    #expect(verdict(now: Moment(seconds: Self.moment.seconds - 1)) == .unchanged)
    #expect(verdict(now: Moment(seconds: Self.moment.seconds - 3)) == .pack(.clock))
    #expect(verdict(output: Self.witness(size: 8)) == .pack(.output))
    let reads = ArchiveRecord.Verdict.unchangedIf(contents: [], readsOutput: true)
    #expect(verdict(output: Self.witness(changed: later)) == reads)
    #expect(verdict(output: Self.witness(number: 8)) == reads)
    let content = ArchiveRecord.Content(index: 3, sha256: [4])
    #expect(
      verdict { $0.contents = [content] }
        == .unchangedIf(contents: [content], readsOutput: false))
    // With timestamps in whole seconds, a second is insufficient.
    let coarse = FileWitness(
      size: 9, modified: Moment(seconds: 1), changed: Moment(seconds: Self.moment.seconds),
      number: 7)
    #expect(verdict({ $0.output = coarse }, output: coarse) == reads)
    #expect(
      verdict(
        {
          $0.output = coarse
          $0.seenOutput = later
        }, output: coarse) == .unchanged)
  }

  @Test func `files with another status are compared by contents`() throws {
    let folder = try TemporaryFolder()
    for name in ["a", "b/c", "b/d"] { try folder.makeFile(name) }
    func inputs(_ metadata: String = "fixed") throws -> PackInputs {
      PackInputs(
        settings: [.init(name: .metadata, value: Array(metadata.utf8))], archive: nil,
        entries: try Self.entries(folder))
    }
    func verdict(_ record: ArchiveRecord, _ inputs: PackInputs) -> ArchiveRecord.Verdict {
      ArchiveRecord.verdict(
        on: record, inputs: inputs, output: Self.witness(), now: record.examinedAt)
    }
    var record = Self.record()
    record.inputs = try inputs()
    record.digests = (0..<3 as Range<UInt8>).flatMap { [UInt8](repeating: $0, count: 32) }
    // 'b' is between them, but is not a file.
    record.contents = [.init(index: 0, sha256: [7]), .init(index: 3, sha256: [8])]
    try folder.remove("b/d")
    try folder.makeFile("b/d")
    let last = ArchiveRecord.Content(index: 3, sha256: [UInt8](repeating: 2, count: 32))
    #expect(
      verdict(record, try inputs())
        == .unchangedIf(contents: [last, .init(index: 0, sha256: [7])], readsOutput: false))
    var short = record
    short.digests.removeLast()
    #expect(verdict(short, try inputs()) == .pack(.written(AssetPath(unchecked: "b/d".utf8))))
    var kept = record
    kept.inputs.settings[0].value = Array("preserved".utf8)
    #expect(
      verdict(kept, try inputs("preserved")) == .pack(.written(AssetPath(unchecked: "b/d".utf8))))
    try folder.makeFile("b/d", "longer")
    #expect(verdict(record, try inputs()) == .pack(.resized(AssetPath(unchecked: "b/d".utf8))))
  }

  @Test func `a reason names the file that was added, removed, resized or changed`() throws {
    let folder = try TemporaryFolder()
    for name in ["a", "b/c", "b/d"] { try folder.makeFile(name) }
    var before = PackInputs(settings: [], archive: nil, entries: try Self.entries(folder))
    func reason() throws -> PackReason? {
      let now = PackInputs(settings: [], archive: nil, entries: try Self.entries(folder))
      defer { before = now }
      return now.difference(from: before)
    }
    #expect(try reason() == nil)
    try folder.makeFile("b/e")
    #expect(try reason() == .added(AssetPath(unchecked: "b/e".utf8)))
    try folder.remove("b/c")
    #expect(try reason() == .removed(AssetPath(unchecked: "b/c".utf8)))
    try folder.makeFile("b/d", "longer")
    #expect(try reason() == .resized(AssetPath(unchecked: "b/d".utf8)))
    try folder.remove("a")
    try folder.makeFolder("a")
    #expect(try reason() == .written(AssetPath(unchecked: "a".utf8)))
    #expect("\(PackReason.added(AssetPath(unchecked: [0x0A])))" == #"'\x0A' is new"#)
  }
}
