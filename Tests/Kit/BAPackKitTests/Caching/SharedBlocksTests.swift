import AssetArchive
import BAPackKit
import SystemIO
import TestSupport
import Testing

@Suite("Packing with shared blocks")
struct SharedBlocksTests {
  /// A server in memory that returns stored blocks, or altered ones.
  private final class Server: SharedBlocks {
    private let state: Guarded<State>

    init(seed: Int) { state = Guarded(State(seeded: Seeded(seed: UInt64(seed)))) }

    var count: Int { state.with { $0.kept.count } }
    /// The number of wrong responses that were accepted.
    var acceptedErrors: Int { state.with { $0.acceptedErrors } }

    /// The number of wrong responses in ten.
    func setWrongResponses(_ wrongResponses: UInt64) {
      state.with { $0.wrongResponses = wrongResponses }
    }

    func find(
      _ key: BlockKey, ofSize size: Int, into encoded: inout ByteBuffer, _ work: Work,
      _ isRight: (BlockEncoding, RawSpan) -> Bool
    ) -> BlockEncoding? {
      let (found, isWrong) = state.with { $0.response(key) }
      guard let found else { return nil }
      let form: BlockEncoding = found.isEmpty && !isWrong ? .stored : .encoded
      let isAccepted = found.withRawSpan { isRight(form, $0) && encoded.append($0) == $0.byteCount }
      if isAccepted, isWrong { state.with { $0.acceptedErrors += 1 } }
      return isAccepted ? form : nil
    }

    private struct State {
      var kept: [BlockKey: [UInt8]] = [:]
      var order: [BlockKey] = []
      var seeded: Seeded
      var wrongResponses: UInt64 = 0
      var acceptedErrors = 0

      mutating func response(_ key: BlockKey) -> ([UInt8]?, isWrong: Bool) {
        guard let right = kept[key] else { return (nil, false) }
        guard seeded.next() % 10 < wrongResponses else { return (right, false) }
        var wrong = right
        switch seeded.next() % 5 {
        case 0: wrong = kept[order[Int(seeded.next() % UInt64(order.count))]] ?? []
        case 1: wrong = seeded.noise(Int(seeded.next() % 20_000))
        case 2: wrong = Array(right.dropLast(Int(seeded.next() % 40) + 1))
        case 3: wrong += seeded.noise(40_000)
        default: wrong = []
        }
        return wrong == right ? (right, false) : (wrong, true)
      }
    }

    func offer(_ key: BlockKey, _ form: BlockEncoding, _ encoded: RawSpan, after time: Duration) {
      var bytes: [UInt8] = []
      bytes.append(copying: encoded)
      state.with { [bytes] state in
        if state.kept.updateValue(bytes, forKey: key) == nil { state.order.append(key) }
      }
    }
  }

  @Test(arguments: PackSettings.Compression.allCases, [0, 1])
  func `packs have the same bytes for all responses of a server`(
    compression: PackSettings.Compression, seed: Int
  ) throws {
    let folder = try TemporaryFolder()
    try CachedPackTests.makeGame(folder)
    let settings = PackSettings(
      compression: compression, effort: .fast, blockSize: 1 << 14, threads: 2)
    let plain = try CachedPackTests.pack(folder, nil, settings)
    let server = Server(seed: seed)
    let plan = try PackerTests.plan(folder, settings: settings)
    var options = PackSeries.Options()
    options.sharedBlocks = server
    let first = try PackerTests.pack(plan, options)
    #expect(first.bytes == plain.bytes)
    #expect((server.count > 3) == (compression != .none))
    #expect(first.summary.cacheUse?.misses == server.count)
    let second = try PackerTests.pack(plan, options)
    #expect(second.bytes == plain.bytes)
    #expect(second.summary.cacheUse?.misses == 0)
    for wrongResponses: UInt64 in [1, 5, 10] {
      server.setWrongResponses(wrongResponses)
      #expect(try PackerTests.pack(plan, options).bytes == plain.bytes)
    }
    #expect(server.acceptedErrors == 0)
  }

  @Test
  func `blocks from a server are also added to the folder`() throws {
    let folder = try TemporaryFolder()
    let place = try TemporaryFolder()
    try CachedPackTests.makeGame(folder)
    let plan = try PackerTests.plan(folder, settings: CachedPackTests.settings)
    var options = PackSeries.Options()
    options.sharedBlocks = Server(seed: 1)
    let plain = try PackerTests.pack(plan, options).bytes
    options.cache = try BlockCache(place.path, limit: CachedPackTests.everything)
    #expect(try PackerTests.pack(plan, options).summary.cacheUse?.misses == 0)
    options.sharedBlocks = nil
    let alone = try PackerTests.pack(plan, options)
    #expect(alone.bytes == plain)
    #expect(alone.summary.cacheUse?.misses == 0)
  }
}
