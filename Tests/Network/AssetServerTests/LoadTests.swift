import AssetServer
import BAPackKit
import Faults
import HTTPServer
import Synchronization
import SystemIO
import TestSupport
import Testing

/// Downloads of many clients while all switches change.
///
/// The sanitizers report the errors.
@Suite(.mustEnd) struct LoadTests {
  private static let faults = [
    "*: cut 60%", "cave: status 503 twice", "*: truncate", "c*: reset 1k", "manifest: stale",
    "manifest: not-json once", "*: tls-close once", "*: stall 1ms",
  ]

  /// Changes every switch until `isOver` is true.
  private static func play(_ site: Site, until isOver: borrowing Atomic<Bool>) throws {
    let faults = try faults.map { try DownloadFault(parsing: $0) }
    let board = site.packs.switches
    var round = 0
    while !isOver.load(ordering: .relaxed) || round < 20 {
      board.add(faults[round % faults.count])
      board.latency = .microseconds(round % 3 * 500)
      board.bytesPerSecond = round % 4 == 0 ? 50_000_000 : nil
      board.isOffline = round % 5 == 0
      _ = site.packs.catalogue.raise(round % 2 == 0 ? "cave" : "mac only")
      _ = (board.faults, site.packs.catalogue.record, site.packs.catalogue.previous)
      _ = board.remove(faults[(round + 3) % faults.count])
      round += 1
      // The record of all versions must not become the slowest part.
      _ = try waitUntil(.readable, -1, "", until: .now + .milliseconds(1), .unstoppable)
    }
    for fault in faults { _ = board.remove(fault) }
    board.isOffline = false
    board.latency = .zero
    board.bytesPerSecond = nil
  }

  @Test func `responses are always prefixes of a pack while switches change`() throws {
    let site = try Site()
    let bytes = Site.bytes(of: "cave")
    let isOver = Atomic(false)
    let ended = Atomic(0)
    let troubles = Noted<String>()
    try onThreads(9) { number in
      do {
        if number == 8 { return try Self.play(site, until: isOver) }
        for round in 0..<12 {
          switch (number + round) % 3 {
          case 0: _ = try? site.get("/manifest?platform=iOS")
          case 1:
            guard let part = try? site.get("/cave", "\r\nRange: bytes=1000-50999"),
              part.head.hasPrefix("HTTP/1.1 206 ")
            else { continue }
            #expect(bytes[1000..<51_000].starts(with: part.body))
          default:
            guard let all = try? site.get("/cave"), all.head.hasPrefix("HTTP/1.1 200 ") else {
              continue
            }
            #expect(bytes.starts(with: all.body))
          }
        }
        let count = ended.wrappingAdd(1, ordering: .relaxed).newValue
        if count == 8 { isOver.store(true, ordering: .relaxed) }
      } catch {
        troubles.add("\(error)")
      }
    }
    #expect(troubles.all == [])
    // After all switches are off, a download gets the original bytes.
    #expect(try site.get("/cave").body == bytes)
    #expect(site.events.ended.count > 60)
  }

  @Test(arguments: [Duration.zero, .milliseconds(50)])
  func `a server that stops ends all downloads`(time: Duration) throws {
    let site = try Site()
    // A whole download takes longer than any delay of a busy machine.
    site.packs.switches.bytesPerSecond = 2_000
    let bytes = Site.bytes(of: "cave")
    let begun = Atomic(0)
    let sizes = Noted<Int>()
    try onThreads(9) { number in
      if number == 8 {
        while begun.load(ordering: .relaxed) < 8 {
          _ = try? waitUntil(.readable, -1, "", until: .now + .milliseconds(1), .unstoppable)
        }
        return site.server.stop(within: time)
      }
      begun.wrappingAdd(1, ordering: .relaxed)
      guard let answer = try? site.get("/cave") else { return }
      #expect(bytes.starts(with: answer.body))
      sizes.add(answer.body.count)
    }
    #expect(sizes.all.allSatisfy { $0 < 200_000 })
    #expect(throws: (any Error).self) { try site.get("/cave") }
  }

  /// Opens two thousand connections with two requests each, while every switch is used.
  ///
  /// Under the thread sanitizer four hundred connections find the same races. The limits of time
  /// are long, because a busy machine serves the first connection minutes before the last one.
  @Test(.heavy) func `two thousand connections are served at the same time`() throws {
    ProcessState.allowManyOpenFiles()
    let site = try Site()
    let clientsPerThread = ProcessState.variable("TSAN_OPTIONS") == nil ? 250 : 50
    var limits = HTTPServer.Limits()
    limits.connections = 2048
    limits.headTime = .seconds(600)
    limits.idleTime = .seconds(600)
    limits.stallTime = .seconds(600)
    let server = try HTTPServer(try Listener(backlog: 2048), limits: limits, site.packs.handler)
    try server.start()
    defer { server.stop() }
    let port = server.address.port
    let asking = Array(
      "GET /cave HTTP/1.1\r\nHost: a\r\nRange: bytes=1000-1999\r\n\r\n".utf8)
    let part = Site.bytes(of: "cave")[1000..<2000]
    let isOver = Atomic(false)
    let ended = Atomic(0)
    let open = Atomic(0)
    let troubles = Noted<String>()
    try onThreads(9) { number in
      do {
        if number == 8 {
          return try Self.useSwitches(of: site) { !isOver.load(ordering: .relaxed) }
        }
        defer {
          let count = ended.wrappingAdd(1, ordering: .relaxed).newValue
          if count == 8 { isOver.store(true, ordering: .relaxed) }
        }
        let clients = try (0..<clientsPerThread).map { _ in
          Client(
            try Connection.connect(
              to: "127.0.0.1", port: port, timeout: .seconds(600), .unstoppable))
        }
        open.wrappingAdd(clientsPerThread, ordering: .relaxed)
        for _ in 0..<2 {
          for client in clients { try client.connection.write(asking) }
          for client in clients {
            if try !client.reads(a: part) { troubles.add("another answer: \(client.text)") }
          }
        }
      } catch {
        troubles.add("\(error)")
      }
    }
    #expect(troubles.all == [])
    #expect(open.load(ordering: .relaxed) == 8 * clientsPerThread)
    try site.events.waitForEnds(16 * clientsPerThread)
    let ends = site.events.ended
    #expect(ends.count == 16 * clientsPerThread && ends.allSatisfy { $0.outcome?.isWhole == true })
  }

  /// Uses all switches repeatedly.
  ///
  /// Offline mode and matching faults are not used, because requests would get no response.
  private static func useSwitches(of site: Site, while isRunning: () -> Bool) throws {
    let board = site.packs.switches
    while isRunning() {
      for fault in ["nobody: corrupt", "manifest: stale"] {
        board.add(try DownloadFault(parsing: fault))
      }
      board.latency = .microseconds(100)
      board.bytesPerSecond = 1_000_000_000
      _ = (site.packs.catalogue.raise("cave"), board.status, try site.state())
      try board.apply(.removeAll)
      board.latency = .zero
      board.bytesPerSecond = nil
    }
  }

  /// One of many clients.
  private final class Client {
    let connection: Connection
    private(set) var text = ""

    init(_ connection: consuming Connection) { self.connection = connection }

    /// Reads one response, and returns whether it has this body.
    func reads(a body: ArraySlice<UInt8>) throws -> Bool {
      var bytes: [UInt8] = []
      repeat {
        let more = try connection.read(atMost: 4096)
        bytes += more
        if more.isEmpty { break }
      } while !bytes.suffix(body.count).elementsEqual(body)
      text = String(decoding: bytes.prefix(200), as: UTF8.self)
      return text.hasPrefix("HTTP/1.1 206 ") && bytes.suffix(body.count).elementsEqual(body)
    }
  }

  @Test(.needs("python3"))
  func `many TLS clients connect at the same time without session resumption`() throws {
    let site = try Site(isSecure: true)
    let isOver = Atomic(false)
    let answers = Noted<Peer.Answer>()
    try onThreads(2) { number in
      guard number == 1 else {
        while !isOver.load(ordering: .relaxed) {
          _ = site.packs.catalogue.raise("cave")
          site.packs.switches.latency = .microseconds(200)
          _ = try? waitUntil(.readable, -1, "", until: .now + .milliseconds(1), .unstoppable)
        }
        return
      }
      defer { isOver.store(true, ordering: .relaxed) }
      let script = """
        import http.client, ssl, sys, threading
        port, root, path = int(sys.argv[1]), sys.argv[2], sys.argv[3]
        whole = open(path, "rb").read()
        good = []
        def visit(number):
            context = ssl.create_default_context(cafile=root)
            host = "localhost" if number % 2 else "127.0.0.1"
            for round in range(3):
                connection = http.client.HTTPSConnection(host, port, timeout=600, context=context)
                for again in range(2):
                    connection.request("GET", "/cave")
                    if connection.getresponse().read() == whole: good.append(1)
                connection.close()
        threads = [threading.Thread(target=visit, args=[number]) for number in range(8)]
        for thread in threads: thread.start()
        for thread in threads: thread.join()
        print(len(good))
        """
      let answer = try? Peer.ask(
        "python3",
        ["-c", script, "\(site.server.address.port)", site.folder.path("root.pem")]
          + [site.folder.path("pack0")])
      if let answer { answers.add(answer) }
    }
    #expect(answers.all.first?.output == "48\n", "\(answers.all)")
  }
}
