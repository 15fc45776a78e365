import AssetArchive
import BlockSharing
import HTTPServer
import SystemIO
import TestSupport
import Testing

/// The client with short timeouts, and slow servers.
@Suite("Waiting for a shared cache", .mustEnd)
struct SharedCacheWaitingTests {
  private static func key(_ number: Int) -> BlockKey {
    BlockKey(Array(repeating: UInt8(truncatingIfNeeded: number), count: 32))
  }

  private func cache(
    _ site: CacheSite, patience: Duration = .milliseconds(200), isReadOnly: Bool = true
  ) throws -> SharedCache {
    var options = SharedCache.Options()
    options.patience = patience
    options.threads = 4
    options.isReadOnly = isReadOnly
    return try SharedCache(try CacheAddress(site.url), options)
  }

  /// Requests many blocks on four threads.
  private func requestBlocks(_ cache: SharedCache, _ count: Int = 25) throws {
    try onThreads(4) { thread in
      guard var room = try? ByteBuffer(capacity: 4096) else { return }
      for number in 0..<count {
        let found = cache.find(
          Self.key(thread * count + number), ofSize: 4096, into: &room, .unstoppable
        ) {
          _, _ in true
        }
        #expect(found == nil)
        // Then it is encoded.
        cache.offer(Self.key(number), .stored, RawSpan(), after: .milliseconds(5))
      }
    }
  }

  @Test(arguments: [Duration.seconds(1000), .milliseconds(60)])
  func `an unresponsive or slow server delays the run only once`(delay: Duration) throws {
    let site = try CacheSite { _, _ in
      var response = Response(404)
      response.delay = delay
      return response
    }
    let cache = try cache(site)
    try requestBlocks(cache)
    let report = cache.finish(.unstoppable)
    // Blocks without requests cost no time.
    #expect(report.unasked > 50)
    #expect(report.found == 0)
  }

  @Test
  func `slow responses are aborted`() throws {
    let site = try CacheSite { _, _ in
      Response(
        200,
        body: .writing(4000) { writer throws(Failure) in
          for _ in 0..<4000 {
            try writer.write([0])
            _ = try waitUntil(.readable, -1, "", until: .now + .milliseconds(10), .unstoppable)
          }
        })
    }
    let cache = try cache(site)
    try requestBlocks(cache, 3)
    #expect(cache.finish(.unstoppable).found == 0)
  }

  @Test(arguments: [
    Response(200, body: .noResponse),
    Response(200, body: .bytes([UInt8](repeating: 1, count: 9000))),
  ])
  func `connections that end and responses that are too large are faults`(answer: Response) throws {
    let site = try CacheSite { _, _ in answer }
    let cache = try cache(site, patience: .seconds(60))
    try requestBlocks(cache)
    let report = cache.finish(.unstoppable)
    #expect(report.trouble != nil)
    #expect((8...16).contains(report.missed), "\(report)")
    #expect(report.missed + report.unasked == 100)
  }

  @Test
  func `the end of a run waits only briefly for a slow server`() throws {
    let site = try CacheSite { _, _ in
      var response = Response(201)
      response.delay = .seconds(1000)
      return response
    }
    let cache = try cache(site, isReadOnly: false)
    for number in 0..<20 {
      [UInt8](repeating: 1, count: 100).withRawSpan {
        cache.offer(Self.key(number), .encoded, $0, after: .milliseconds(1))
      }
    }
    let start = ContinuousClock.now
    let report = cache.finish(.unstoppable)
    // The server takes longer for a single block.
    #expect(.now - start < .seconds(1000))
    #expect(report.added == 0)
    #expect(report.unsent == 20)
    #expect(cache.finish(.unstoppable) == report)
  }

  @Test
  func `the queue of blocks to send is limited, and the rest is reported`() throws {
    let site = try CacheSite { _, _ in
      var response = Response(201)
      response.delay = .seconds(1000)
      return response
    }
    let cache = try cache(site, patience: .zero, isReadOnly: false)
    let block = [UInt8](repeating: 1, count: 8 << 20)
    for number in 0..<12 {
      block.withRawSpan { cache.offer(Self.key(number), .encoded, $0, after: .zero) }
    }
    #expect(cache.finish(.unstoppable).unsent == 12)
  }
}
