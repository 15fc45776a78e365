import Arguments
import Foundation
import HTTPServer
import TestSupport
import Testing

/// `pack --cache URL` with correct and faulty servers.
@Suite("pack with a shared cache", .mustEnd)
struct SharedCacheTests {
  private static let key = ["BA_CACHE_KEY": "0123456789abcdef0123456789abcdef"]

  @Test(arguments: [[:], key])
  func `another machine uses the blocks of the first one, and the bytes are the same`(
    environment: [String: String]
  ) throws {
    let game = try CachedGame()
    let site = try CacheSite()
    let first = game.pack("--cache", site.url, environment: environment)
    #expect(first.console.ending == .status(.done), "\(first.messages)")
    #expect(try first.archive() == game.plain)
    let blocks = site.entries.count
    #expect(blocks > 3)
    #expect(
      first.messages.hasSuffix(
        "\nshared cache \(site.url): 0 of \(blocks) blocks found, \(blocks) added\n"),
      "\(first.messages)")
    #expect(site.entries.keys.allSatisfy { $0.utf8.count == 68 && $0.hasPrefix("/ac/") })
    let second = game.pack("--cache", site.url, environment: environment)
    #expect(try second.archive() == game.plain)
    #expect(second.messages.contains(", \(blocks) of \(blocks) blocks from the cache, "))
    #expect(
      second.messages.hasSuffix("\nshared cache \(site.url): \(blocks) of \(blocks) blocks found\n")
    )
    #expect(site.count("PUT") == blocks)
    let quiet = game.pack("-q", "--cache", site.url + "/", environment: environment)
    #expect(quiet.messages == "")
    let others = game.pack("--cache", site.url + "/team/x", environment: environment)
    #expect(others.messages.contains(": 0 of \(blocks) blocks found, \(blocks) added\n"))
  }

  @Test
  func `a local folder stores the blocks of the server, and is used first`() throws {
    let game = try CachedGame()
    let site = try CacheSite()
    _ = game.pack("--cache", site.url)
    let folder = game.folder.path("kept")
    let both = game.pack("--cache", site.url, "--cache", folder)
    #expect(try both.archive() == game.plain)
    let asked = site.count("GET")
    let again = game.pack("--cache", folder, "--cache", site.url)
    #expect(try again.archive() == game.plain)
    #expect(site.count("GET") == asked)
    #expect(!again.messages.contains("shared cache"))
    #expect(game.pack("--cache", folder).messages.contains("blocks from the cache"))
    #expect(site.count("PUT") == site.entries.count)
  }

  @Test
  func `a job with read-only access sends no blocks`() throws {
    let game = try CachedGame()
    let site = try CacheSite()
    let run = game.pack("--cache", site.url, "--cache-read-only")
    #expect(site.count("PUT") == 0)
    #expect(site.count("GET") > 3)
    #expect(try run.archive() == game.plain)
    #expect(run.messages.hasSuffix(" blocks found\n"))
  }

  @Test
  func `any data under the names of blocks gives the same pack`() throws {
    let game = try CachedGame()
    let site = try CacheSite()
    _ = game.pack("--cache", site.url)
    let good = site.entries
    let names = good.keys.sorted()
    var seeded = Seeded(seed: 9)
    var bad: [(String, ([UInt8]) -> [UInt8])] = [
      ("empty", { _ in [] }), ("a page", { _ in Array("<html>Hello</html>".utf8) }),
      ("cut", { Array($0.dropLast(7)) }), ("longer", { $0 + [1, 2, 3] }),
      ("huge", { $0 + [UInt8](repeating: 0, count: 3 << 20) }),
    ]
    for _ in 0..<8 {
      let place = Int(seeded.next() % 3000) + 20
      bad.append(
        (
          "bit \(place)",
          { entry in
            var entry = entry
            entry[place % entry.count] ^= 4
            return entry
          }
        ))
    }
    for (what, change) in bad {
      site.entries = good.mapValues(change)
      let run = game.pack("--cache", site.url)
      #expect(run.console.ending == .status(.done), "\(what): \(run.messages)")
      #expect(try run.archive() == game.plain, "\(what)")
    }
    // Each block under the name of the next.
    site.entries = Dictionary(
      uniqueKeysWithValues: zip(names, (names.dropFirst() + names.prefix(1)).map { good[$0] ?? [] })
    )
    let run = game.pack("--cache", site.url)
    #expect(try run.archive() == game.plain)
    #expect(run.messages.contains("\(names.count) invalid"), "\(run.messages)")
    // The wrong blocks are replaced.
    #expect(site.entries == good)
  }

  @Test
  func `another encoding of a block is accepted without a key, and refused with one`() throws {
    // One block, encoded with another level: its decoded bytes are the same.
    let game = try CachedGame(size: 9000)
    let others = try CacheSite()
    let site = try CacheSite()
    for environment in [[:], Self.key] {
      let other = try game.pack(
        "--cache", others.url, "--level", "fast", environment: environment
      ).archive()
      #expect(other != game.plain)
      _ = game.pack("--cache", site.url, environment: environment)
      let name = try #require(site.entries.keys.first)
      site.entries = [name: try #require(others.entries.values.first)]
      let run = game.pack("--cache", site.url, environment: environment)
      #expect(try run.archive() == (environment.isEmpty ? other : game.plain))
      let check = Captured("verify", run.path, "--against", game.folder.path("m.json"))
      #expect(check.ending == .status(.done), "\(check.messages)")
      (others.entries, site.entries) = ([:], [:])
    }
  }

  @Test
  func `without the key of the writer, blocks are ignored and replaced`() throws {
    let game = try CachedGame()
    let site = try CacheSite()
    _ = game.pack("--cache", site.url)
    let unsigned = site.entries
    let run = game.pack("--cache", site.url, environment: Self.key)
    #expect(run.messages.contains(": 0 of "))
    #expect(try run.archive() == game.plain)
    #expect(Set(site.entries.keys) == Set(unsigned.keys))
    #expect(site.entries.allSatisfy { $1 != unsigned[$0] })
    // A client without a key can read them.
    let count = unsigned.count
    #expect(game.pack("--cache", site.url).messages.contains(": \(count) of \(count) blocks found"))
  }

  @Test(arguments: [301, 302, 307, 400, 401, 403, 405, 418, 501])
  func `after a refusal, no further requests are sent, and the pack is written`(status: Int) throws
  {
    let game = try CachedGame()
    let elsewhere = try CacheSite()
    let target = elsewhere.url
    let site = try CacheSite { request, _ in
      Response(status, fields: [("Location", target + request.head.target)])
    }
    let run = game.pack("--cache", site.url)
    #expect(run.console.ending == .status(.done), "\(run.messages)")
    #expect(try run.archive() == game.plain)
    // Each of the two threads may have sent a request.
    #expect(site.requests.all.count <= 2)
    #expect(elsewhere.requests.all.isEmpty)
    #expect(
      run.messages.contains(
        "\nWarning: the shared cache \(site.url) failed for some blocks: "
          + "the server responded with \(status)"), "\(run.messages)")
  }

  @Test(arguments: [408, 429, 500, 502, 503])
  func `after repeated failures no further requests are sent`(status: Int) throws {
    let game = try CachedGame(size: 400_000)
    let site = try CacheSite { _, _ in Response(status, fields: [("Retry-After", "100")]) }
    let run = game.pack("--cache", site.url)
    #expect(try run.archive() == game.plain)
    #expect((8...20).contains(site.requests.all.count), "\(site.requests.all.count)")
    #expect(run.messages.contains("the server responded with \(status)"), "\(run.messages)")
  }

  @Test
  func `a read-only server still receives read requests`() throws {
    let game = try CachedGame()
    let site = try CacheSite()
    _ = game.pack("--cache", site.url)
    let good = site.entries
    let reader = try CacheSite { request, _ in
      request.head.method == "PUT" ? Response(403) : nil
    }
    reader.entries = Dictionary(uniqueKeysWithValues: good.prefix(2).map { ($0.key, $0.value) })
    let run = game.pack("--cache", reader.url)
    #expect(try run.archive() == game.plain)
    #expect(reader.count("GET") == good.count)
    #expect(run.messages.contains("it rejected a block: the server responded with 403"))
    #expect(run.messages.contains("2 of \(good.count) blocks found, \(good.count - 2) not added"))
  }

  @Test
  func `without a server, the pack is written`() throws {
    let game = try CachedGame()
    // No server listens on port 1; another process may take the port of a server that has ended.
    let run = game.pack("--cache", "http://127.0.0.1:1")
    #expect(run.console.ending == .status(.done))
    #expect(try run.archive() == game.plain)
    #expect(run.messages.contains("Connection refused; 0 of "), "\(run.messages)")
  }

  @Test
  func `credentials are sent to BA_CACHE_ORIGIN only, and are never printed`() throws {
    let game = try CachedGame()
    let site = try CacheSite { request, _ in
      request.head["authorization"] == "Bearer s3cret" ? nil : Response(401)
    }
    let right = ["BA_CACHE_TOKEN": "s3cret", "BA_CACHE_ORIGIN": site.url]
    let run = game.pack("--cache", site.url, environment: right)
    #expect(!site.entries.isEmpty)
    #expect(!run.messages.contains("s3cret"))
    let other = game.pack(
      "--cache", site.url,
      environment: ["BA_CACHE_TOKEN": "s3cret", "BA_CACHE_ORIGIN": "https://127.0.0.1"])
    #expect(
      other.messages.hasPrefix(
        "Warning: no credentials are sent to the shared cache \(site.url): "
          + "BA_CACHE_ORIGIN names https://127.0.0.1:443\n"), "\(other.messages)")
    #expect(other.messages.contains("the server responded with 401 Unauthorized"))
    #expect(!other.messages.contains("s3cret"))
    #expect(site.requests.all.last?.head["authorization"] == nil)
    #expect(try other.archive() == game.plain)
  }

  @Test
  func `a given certificate is trusted`() throws {
    let game = try CachedGame()
    let site = try CacheSite(secure: true)
    try game.folder.makeFile("ca.pem", site.certificate)
    let other = game.pack("--cache", site.url)
    #expect(try other.archive() == game.plain)
    #expect(other.messages.contains("the server is not trusted"), "\(other.messages)")
    #expect(site.requests.all.isEmpty)
    let named = game.pack("--cache", site.url, "--cache-ca", game.folder.path("ca.pem"))
    #expect(named.messages.contains(" added\n"), "\(named.messages)")
    let known = game.pack(
      "--cache", site.url, environment: ["BA_CACHE_CA_FILE": game.folder.path("ca.pem")])
    #expect(known.messages.contains(" blocks found\n"), "\(known.messages)")
    #expect(try known.archive() == game.plain)
  }

  @Test(arguments: [
    (["--cache", "http://c", "--cache-limit", "2M"], "without a folder in '--cache'"),
    (
      ["--cache", "x", "--cache-read-only"], "'--cache-read-only' has no effect without the address"
    ),
    (["--cache", "x", "--cache-ca", "y"], "'--cache-ca' has no effect without the address"),
    (["--cache-read-only"], "'--cache-read-only' has no effect without the address"),
  ])
  func `conflicting options are an error`(arguments: [String], message: String) throws {
    let game = try CachedGame(size: 100)
    let run = game.pack(arguments)
    #expect(run.console.ending == .status(.failed))
    #expect(run.messages.contains(message), "\(run.messages)")
    #expect(throws: (any Error).self) { try run.archive() }
  }

  @Test
  func `a URL with a password is an error that does not repeat it`() {
    let run = Captured("pack", "m.json", "-o", "x.aar", "--cache", "http://u:p@c")
    #expect(run.ending == .status(.usage))
    #expect(run.messages.contains("Invalid cache address"), "\(run.messages)")
    #expect(!run.messages.contains("u:p"))
  }

  @Test
  func `a project specifies the server, and options take precedence`() throws {
    let game = try CachedGame()
    let (site, other) = (try CacheSite(), try CacheSite())
    try game.folder.makeFile(
      "ba-package.json",
      #"{"packs": ["m.json"], "cache": {"folder": "kept", "remote": "\#(site.url)"}}"#)
    let project = ["--project", game.folder.path("ba-package.json")]
    // A file in a checkout may name any server, so no data is written to it.
    let careful = game.pack(project)
    #expect(
      careful.messages.hasSuffix(" found, read-only, because BA_CACHE_ORIGIN does not name it\n"),
      "\(careful.messages)")
    #expect(site.count("PUT") == 0 && site.count("GET") > 0)
    #expect(try careful.archive() == game.plain)
    try FileManager.default.removeItem(atPath: game.folder.path("kept"))
    let named = ["BA_CACHE_ORIGIN": site.url]
    for (environment, isRead) in [([:], true), (named, false)] {
      let shown = Captured(["project"] + project, environment: environment)
      #expect(shown.output.contains("; read-only, because BA_") == isRead, "\(shown.output)")
      let json = Captured(["project", "--format", "json"] + project, environment: environment)
      #expect(json.output.contains(#""readOnly":true"#) == isRead)
    }
    let run = Captured(
      ["pack", "-o", game.folder.path("x"), "--block-size", "16K", "--compression", "zlib"]
        + project, environment: named)
    #expect(run.messages.contains("shared cache \(site.url): 0 of "), "\(run.messages)")
    #expect(site.count("PUT") > 0)
    #expect(try game.folder.contents("x/Tutorial.aar") == Array(game.plain))
    // The folder is used first.
    #expect(!game.pack(project).messages.contains("shared cache"))
    try FileManager.default.removeItem(atPath: game.folder.path("kept"))
    let second = game.pack(project + ["--cache", other.url, "--cache-read-only"])
    #expect(second.messages.contains("shared cache \(other.url): 0 of "), "\(second.messages)")
    #expect(other.entries.isEmpty)
    #expect(try second.archive() == game.plain)
    // A server in the command line may be written to.
    try FileManager.default.removeItem(atPath: game.folder.path("kept"))
    _ = game.pack(project + ["--cache", other.url])
    #expect(!other.entries.isEmpty)
  }

  @Test
  func `an invalid origin is an error`() throws {
    let game = try CachedGame(size: 100)
    let run = game.pack("--cache", "http://127.0.0.1:1", environment: ["BA_CACHE_ORIGIN": "cache"])
    #expect(
      run.messages.contains("BA_CACHE_ORIGIN is not the origin of a server"), "\(run.messages)")
  }

  @Test
  func `a limit without a folder applies to the project's cache`() throws {
    let game = try CachedGame(size: 3_000_000)
    let file = game.folder.path("ba-package.json")
    try game.folder.makeFile(
      "ba-package.json",
      #"{"packs": ["m.json"], "cache": {"folder": "kept", "limit": "1G"}}"#)
    let whole = game.pack("--project", file, "--level", "fast")
    #expect(!whole.messages.contains("is too small for all blocks"), "\(whole.messages)")
    try FileManager.default.removeItem(atPath: game.folder.path("kept"))
    let run = game.pack("--project", file, "--cache-limit", "1M", "--level", "fast")
    #expect(run.messages.contains("is too small for all blocks of this run"), "\(run.messages)")
    let shown = Captured("project", "--project", file, "--cache-limit", "2M")
    #expect(shown.output.contains("2097152"), "\(shown.output)")
    try game.folder.makeFile("ba-package.json", #"{"packs": ["m.json"]}"#)
    let without = game.pack("--project", file, "--cache-limit", "1M")
    #expect(without.messages.contains("or a 'cache' in the project file"), "\(without.messages)")
  }

  @Test
  func `a limit that is too small is an error with the minimum`() throws {
    let game = try CachedGame(size: 3_000_000)
    let folder = game.folder.path("kept")
    let small = game.pack("--cache", folder, "--cache-limit", "1M", "--level", "fast")
    let text = try #require(
      small.messages.firstMatch(
        of: #/is too small for all blocks of this run\nhint: use '--cache-limit (\d+M)'/#)?
        .output.1)
    #expect(text != "1M")
    let other = game.folder.path("other")
    for _ in 0..<2 {
      let run = game.pack("--cache", other, "--cache-limit", String(text), "--level", "fast")
      #expect(!run.messages.contains("--cache-limit"), "\(run.messages)")
    }
    let again = game.pack("--cache", other, "--cache-limit", String(text), "--level", "fast")
    let use = try #require(
      again.messages.firstMatch(of: #/, (\d+) of (\d+) blocks from the cache/#)?.output)
    #expect(use.1 == use.2)
  }
}
