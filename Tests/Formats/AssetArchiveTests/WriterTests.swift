import AssetArchive
import BlockCodecs
import Glibc
import LZFSE
import Synchronization
import SystemIO
import TestSupport
import Testing

@Suite("Writing block streams")
struct WriterTests {
  /// Text, noise and zeros: blocks of every form, the last one short.
  static let stream: [UInt8] = {
    var seeded = Seeded(seed: 1)
    var bytes: [UInt8] = []
    for round in 0..<40 {
      switch round % 3 {
      case 0: bytes += (0..<5000).map { UInt8(truncatingIfNeeded: $0 * $0 >> 5) }
      case 1: bytes += seeded.noise(5000)
      default: bytes += [UInt8](repeating: UInt8(round), count: 5003)
      }
    }
    return bytes
  }()

  static func container(
    _ stream: [UInt8], _ settings: BlockSettings, step: Int = 777
  ) throws -> (bytes: [UInt8], statistics: BlockStatistics) {
    let target = MemoryTarget()
    var writer = try BlockStreamWriter(settings, .unstoppable)
    writer.begin(target)
    var start = 0
    while start < stream.count {
      let end = min(start + step, stream.count)
      try Array(stream[start..<end]).withRawSpan { bytes throws(Failure) in
        try writer.write(bytes)
      }
      start = end
    }
    writer.end()
    writer.finish()
    if let failure = target.failure { throw failure }
    return (target.bytes, try #require(target.statistics))
  }

  static func decoded(_ container: [UInt8], threads: Int = 1) throws -> [UInt8] {
    var reader = try BlockStreamReader(
      ByteSource(container, name: "test"), parallelism: .init(threads: threads))
    return try reader.take(.max / 2)
  }

  static let algorithms = BlockAlgorithm.allCases.filter { $0 != .lzbitmap && $0 != .stored }

  @Test(arguments: algorithms)
  func `threads, window and the size of writes have no influence on the bytes`(
    algorithm: BlockAlgorithm
  )
    throws
  {
    var settings = BlockSettings(algorithm: algorithm, effort: .fast, blockSize: 4096, window: 1)
    let (expected, statistics) = try Self.container(Self.stream, settings)
    #expect(statistics.rawBytes == UInt64(Self.stream.count))
    #expect(statistics.fileBytes == UInt64(expected.count))
    #expect(statistics.blocks == (Self.stream.count + 4095) / 4096)
    #expect(try Self.decoded(expected) == Self.stream)
    for threads in [1, 2, 3, 8] {
      for window in [1, 2, 8] {
        settings.threads = threads
        settings.window = window
        let again = try Self.container(Self.stream, settings, step: 5000 * threads + window)
        #expect(again.bytes == expected)
        #expect(again.statistics == statistics)
        #expect(try Self.decoded(expected, threads: threads) == Self.stream)
      }
    }
  }

  @Test(arguments: algorithms)
  func `blocks that do not become smaller are stored`(algorithm: BlockAlgorithm)
    throws
  {
    let settings = BlockSettings(algorithm: algorithm, blockSize: 5000)
    let (bytes, statistics) = try Self.container(Self.stream, settings)
    let source = ByteSource(bytes, name: "test")
    var walk = try BlockWalk(source)
    #expect(walk.container == ContainerHeader(algorithm, blockSize: 5000))
    var storedBlocks = 0
    while let block = try walk.next(source) {
      #expect(block.header.storedSize <= block.header.rawSize)
      if block.header.isStored { storedBlocks += 1 }
    }
    #expect(walk.shortInnerBlock == nil)
    #expect(storedBlocks == statistics.storedBlocks)
    #expect(storedBlocks < 20)
    #expect(storedBlocks > 10)
  }

  @Test
  func `a length that is a multiple of the block size adds no empty block`() throws {
    let settings = BlockSettings(algorithm: .lzfse, blockSize: 10)
    // Too short for LZFSE to shrink: all are stored.
    let (bytes, statistics) = try Self.container(Array(1...30), settings)
    #expect(statistics.blocks == 3)
    #expect(bytes.count == 12 + 3 * 26)
    let empty = try Self.container([], settings)
    #expect(empty.bytes == Array("pbze".utf8) + [0, 0, 0, 0, 0, 0, 0, 10])
    #expect(empty.statistics.blocks == 0)
  }

  @Test(arguments: [1, 2, 3, 8])
  func `a stream without encoding is written unchanged, without a container`(threads: Int) throws {
    let settings = BlockSettings(algorithm: .stored, blockSize: 4096, threads: threads)
    for stream in [Self.stream, [], [7], [UInt8](repeating: 0, count: 8192)] {
      let (bytes, statistics) = try Self.container(stream, settings)
      #expect(bytes == stream)
      #expect(statistics.rawBytes == UInt64(stream.count))
      #expect(statistics.fileBytes == UInt64(stream.count))
      #expect(statistics.blocks == 0 && statistics.storedBlocks == 0)
    }
  }

  @Test(arguments: [1, 2, 3])
  func `a stream that is abandoned in the middle ends its threads`(threads: Int) throws {
    for length in [0, 1, 5000, 50_000] {
      weak var store: EmptyStore?
      try giveUp(after: length, threads: threads) { store = $0 }
      // Every thread releases its store.
      #expect(store == nil)
    }
  }

  @Test(arguments: [2, 3, 8])
  func `all threads of a writer encode blocks in parallel`(threads: Int) throws {
    let store = MeetingStore(of: threads)
    var writer = try BlockStreamWriter(
      BlockSettings(blockSize: 1000, threads: threads), store: store, .unstoppable)
    writer.begin(MemoryTarget())
    try [UInt8](repeating: 1, count: 1000 * threads).withRawSpan { bytes throws(Failure) in
      try writer.write(bytes)
    }
    writer.end()
    writer.finish()
    #expect(store.haveMet)
  }

  private func giveUp(
    after length: Int, threads: Int, _ watch: (EmptyStore) -> Void
  ) throws {
    let store = EmptyStore()
    watch(store)
    var writer = try BlockStreamWriter(
      BlockSettings(blockSize: 1000, threads: threads), store: store, .unstoppable)
    writer.begin(MemoryTarget())
    try [UInt8](repeating: 1, count: length).withRawSpan { bytes throws(Failure) in
      try writer.write(bytes)
    }
  }

  @Test(arguments: [1, 2, 3, 8], [1, 2, 8])
  func `streams share a window, and neither their bytes nor a failure affects others`(
    threads: Int, window: Int
  ) throws {
    let settings = BlockSettings(
      effort: .fast, blockSize: 4096, threads: threads, window: window)
    let lengths = [0, 1, 4095, 4096, 4097, 120_000, 5, 12_000, 0, 60_000]
    let expected = try lengths.map { try Self.container(Array(Self.stream.prefix($0)), settings) }
    // The target that refuses its bytes, and the stream that is abandoned in the middle.
    for (broken, halfway) in [(-1, -1), (5, -1), (3, 9), (0, 5), (9, 4)] {
      let targets = lengths.indices.map { MemoryTarget(refusing: $0 == broken) }
      var writer = try BlockStreamWriter(settings, .unstoppable)
      for (index, length) in lengths.enumerated() {
        writer.begin(targets[index])
        do throws(Failure) {
          let share = index == halfway ? length / 2 : length
          try Array(Self.stream.prefix(share)).withRawSpan { bytes throws(Failure) in
            try writer.write(bytes)
          }
          if index == halfway { throw Failure(.malformed("halfway")) }
          writer.end()
        } catch {
          writer.giveUp(error)
        }
      }
      writer.finish()
      for (index, target) in targets.enumerated() {
        let isWhole = index != broken && index != halfway
        #expect((target.failure == nil) == isWhole, "\(index)")
        #expect((target.statistics == nil) != isWhole)
        if isWhole {
          #expect(target.bytes == expected[index].bytes)
          #expect(target.statistics == expected[index].statistics)
        }
      }
    }
  }

  @Test
  func `an interrupt stops the writer between blocks`() throws {
    let alarm = try Alarm()
    alarm.ring()
    var writer = try BlockStreamWriter(
      BlockSettings(blockSize: 100, threads: 2), Work(until: alarm))
    writer.begin(MemoryTarget())
    #expect(throws: Failure(.interrupted)) {
      try Self.stream.withRawSpan { bytes throws(Failure) in try writer.write(bytes) }
    }
  }

  @Test
  func `headers are written in the smallest widths and read as the same values`() throws {
    let widths: [(UInt64, Int)] = [
      (0, 1), (255, 1), (256, 2), (65_535, 2), (65_536, 4), (1 << 32 - 1, 4), (1 << 32, 8),
      (.max, 8),
    ]
    for (number, width) in widths {
      let header = EntryHeader(.file, .root, [Field(.userID, .number(number))])
      var bytes: [UInt8] = []
      try header.encode(into: &bytes)
      #expect(bytes.count == 6 + 5 + 6 + 4 + width)
      #expect(try readBack(header)?.fields.userID == number)
    }
    let blobs: [(UInt64, Int)] = [(0, 2), (65_535, 2), (65_536, 4), (1 << 32 - 1, 4), (1 << 32, 8)]
    for (size, width) in blobs {
      var bytes: [UInt8] = []
      try EntryHeader(.file, .root, [Field(.data, .blob(size))])
        .encode(into: &bytes)
      #expect(bytes.count == 6 + 5 + 6 + 4 + width)
    }
    let link = try EntryHeader(
      .symbolicLink, PackPath(Array("ä/b".utf8)[...]),
      [
        Field(.linkTarget, .string(Array("c".utf8))),
        Field(.modified, .time(Moment(seconds: -1, nanoseconds: 5))),
        Field(.created, .time(Moment(seconds: 1 << 40))),
        Field(.sha1, .hash([UInt8](repeating: 3, count: 20))),
      ])
    let read = try #require(try readBack(link))
    #expect(read.type == .symbolicLink)
    #expect(read.path?.path == link.path)
    #expect(read.fields.linkTarget == Array("c".utf8)[...])
    #expect(read.fields.modified == Moment(seconds: -1, nanoseconds: 5))
    #expect(read.fields.created == Moment(seconds: 1 << 40))
    #expect(read.fields.recorded == [link.fields[3]])
    #expect(read.fields.unusual == [.sha1])
  }

  private func readBack(_ header: EntryHeader) throws -> StoredHeader? {
    var bytes: [UInt8] = []
    try header.encode(into: &bytes)
    var reader = try ArchiveReader(bytes)
    return try reader.nextEntry()?.header
  }

  @Test
  func `a common form writes the same bytes as a whole header`() throws {
    let fields = [
      Field(.userID, .number(501)), Field(.modified, .time(Moment(seconds: 1, nanoseconds: 2))),
    ]
    let paths = try ["", "a", "Contents/ä/b", String(repeating: "a/b", count: 300)].map {
      try PackPath(Array($0.utf8)[...])
    }
    for (type, path) in zip([EntryType.file, .directory, .file, .file], paths) {
      for size in [nil, 0, 65_535, 65_536, 1 << 32, UInt64.max] as [UInt64?] {
        var header = EntryHeader(type, path, fields)
        if let size { header.fields.append(Field(.data, .blob(size))) }
        // Headers are appended.
        var (bytes, expected): ([UInt8], [UInt8]) = ([1, 2], [1, 2])
        try HeaderTemplate(type, fields).encode(path, size: size, into: &bytes)
        try header.encode(into: &expected)
        #expect(bytes == expected)
      }
    }
    let long = [Field(.linkTarget, .string([UInt8](repeating: 97, count: 65_535)))]
    var bytes: [UInt8] = []
    #expect(throws: Failure.malformed("an entry header cannot be 65566 bytes long")) {
      try HeaderTemplate(.symbolicLink, long).encode(.contents, size: nil, into: &bytes)
    }
  }

  @Test
  func `a header that is too long is not written`() throws {
    var bytes: [UInt8] = []
    let long = EntryHeader(
      .symbolicLink, .contents,
      [
        Field(.linkTarget, .string([UInt8](repeating: 97, count: 65_535)))
      ])
    #expect(throws: Failure.malformed("an entry header cannot be 65566 bytes long")) {
      try long.encode(into: &bytes)
    }
  }
}

/// A store without blocks that keeps none.
private final class EmptyStore: BlockStore {
  func key(of block: RawSpan) -> BlockKey { BlockKey([]) }

  func find(_ key: BlockKey, of block: RawSpan, into encoded: inout ByteBuffer) -> BlockEncoding? {
    nil
  }

  func keep(
    _ key: BlockKey, _ form: BlockEncoding, _ encoded: borrowing ByteBuffer, after time: Duration
  ) {}
}

/// A store in which each thread waits until all the expected threads are in it.
private final class MeetingStore: BlockStore {
  private let count: Int
  private let present = Atomic(0)
  private let met = Atomic(false)

  init(of count: Int) { self.count = count }

  /// Whether all of them were in it concurrently.
  var haveMet: Bool { met.load(ordering: .acquiring) }

  func key(of block: RawSpan) -> BlockKey {
    let last = ContinuousClock.now + .seconds(60)
    if present.wrappingAdd(1, ordering: .acquiringAndReleasing).newValue == count {
      met.store(true, ordering: .releasing)
    }
    while !haveMet, .now < last { sched_yield() }
    present.subtract(1, ordering: .releasing)
    return BlockKey([])
  }

  func find(_ key: BlockKey, of block: RawSpan, into encoded: inout ByteBuffer) -> BlockEncoding? {
    nil
  }

  func keep(
    _ key: BlockKey, _ form: BlockEncoding, _ encoded: borrowing ByteBuffer, after time: Duration
  ) {}
}

/// A target that keeps its bytes, or throws for all of them.
final class MemoryTarget: BlockTarget {
  private(set) var bytes: [UInt8] = []
  private(set) var statistics: BlockStatistics?
  private(set) var failure: Failure?
  private let refuses: Bool

  init(refusing refuses: Bool = false) { self.refuses = refuses }

  func write(_ more: RawSpan) throws(Failure) {
    if refuses { throw Failure(.write, "memory", code: 28) }
    bytes.append(copying: more)
  }

  func end(_ statistics: BlockStatistics) { self.statistics = statistics }
  func giveUp(_ failure: Failure) { self.failure = failure }
}
