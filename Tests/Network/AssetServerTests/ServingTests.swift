import AssetServer
import BAPackKit
import Foundation
import HTTPServer
import SystemIO
import TestSupport
import Testing

/// A server of packs on the loopback interface, tested over its sockets.
@Suite(.mustEnd) struct ServingTests {
  @Test func `the manifest contains the packs for the platform of the device`() throws {
    let site = try Site()
    let port = site.server.address.port
    let (head, body) = try site.get("/manifest?platform=MacOS")
    #expect(head.hasPrefix("HTTP/1.1 200 OK\r\n"))
    #expect(head.contains("Content-Type: application/json\r\n"))
    #expect(
      String(decoding: body, as: UTF8.self) == """
        {
          "assetPacks": [
            {
              "id": "cave",
              "url": "http://127.0.0.1:\(port)/assetpacks/cave",
              "version": 0,
              "downloadSize": 200000,
              "downloadPolicy": {
                "onDemand": {}
              },
              "host": {
                "thirdParty": {}
              },
              "language": "fr"
            },
            {
              "id": "mac only",
              "url": "http://127.0.0.1:\(port)/assetpacks/mac%20only",
              "version": 0,
              "downloadSize": 200000,
              "downloadPolicy": {
                "onDemand": {}
              },
              "host": {
                "thirdParty": {}
              }
            }
          ]
        }

        """)
    func count(_ path: String) throws -> Int {
      String(decoding: try site.get(path).body, as: UTF8.self).components(separatedBy: "\"id\"")
        .count - 1
    }
    #expect(try count("/manifest?platform=iOS") == 1)
    #expect(try count("/manifest") == 2)
    #expect(try count("/manifest?platform=toaster") == 2)
    #expect(site.events.ended.last?.remark == "unknown platform 'toaster'")
  }

  @Test func `the manifest repeats a host name of the server, and no foreign name`() throws {
    let site = try Site { $0.hosts = ["my-mac.local"] }
    let port = site.server.address.port
    for (host, shown) in [
      ("My-Mac.local:99", "my-mac.local:99"), ("evil.example", "127.0.0.1:\(port)"),
      ("127.0.0.1", "127.0.0.1"), ("[::1]:5", "127.0.0.1:\(port)"),
    ] {
      let body = try site.send("GET /manifest HTTP/1.1\r\nHost: \(host)").body
      #expect(String(decoding: body, as: UTF8.self).contains("\"http://\(shown)/assetpacks/cave\""))
    }
  }

  @Test func `a pack is sent completely, in part, or as not modified`() throws {
    let site = try Site()
    let bytes = Site.bytes(of: "cave")
    for path in ["/assetpacks/cave", "/assets/cave", "/cave", "/cave.aar"] {
      #expect(try site.get(path).body == bytes, "\(path)")
    }
    #expect(try site.get("/assetpacks/mac%20only").body == Site.bytes(of: "mac only"))
    let part = try site.get("/cave", "\r\nRange: bytes=100-199")
    #expect(part.head.hasPrefix("HTTP/1.1 206 "))
    #expect(part.head.contains("Content-Range: bytes 100-199/200000\r\n"))
    #expect(part.body == Array(bytes[100..<200]))
    #expect(try site.get("/cave", "\r\nRange: bytes=-5").body == Array(bytes.suffix(5)))
    let beyond = try site.get("/cave", "\r\nRange: bytes=200000-")
    #expect(beyond.head.hasPrefix("HTTP/1.1 416 "))
    #expect(beyond.head.contains("Content-Range: bytes */200000"))
    let same = "\r\nRange: bytes=0-1\r\nIf-Range: \"sha-cave\""
    #expect(try site.get("/cave", same).body.count == 2)
    let other = "\r\nRange: bytes=0-1\r\nIf-Range: \"sha-old\""
    #expect(try site.get("/cave", other).body.count == 200_000)
    let known = try site.get("/cave", "\r\nIf-None-Match: \"x\", W/\"sha-cave\"")
    #expect(known.head.hasPrefix("HTTP/1.1 304 "))
    #expect(known.body == [])
    #expect(try site.get("/cave", "\r\nIf-Match: \"x\"").head.hasPrefix("HTTP/1.1 412 "))
    // 'If-Match' is compared first, and strongly: a weak tag does not match.
    for (fields, status) in [
      ("If-Match: \"x\", \"sha-cave\"", 200), ("If-Match: *", 200),
      ("If-Match: W/\"sha-cave\"", 412),
      ("If-Match: \"x\"\r\nIf-None-Match: \"sha-cave\"", 412),
      ("If-Match: \"sha-cave\"\r\nIf-None-Match: \"sha-cave\"", 304),
    ] {
      let answer = try site.get("/cave", "\r\n\(fields)")
      #expect(answer.head.hasPrefix("HTTP/1.1 \(status) "), "\(fields)")
    }
    let head = try site.send("HEAD /cave HTTP/1.1\r\nHost: a")
    #expect(head.head.contains("Content-Length: 200000\r\n"))
    #expect(head.body == [])
    #expect(try site.get("/nothing").head.hasPrefix("HTTP/1.1 404 "))
    let post = try site.send("POST /cave HTTP/1.1\r\nHost: a\r\nContent-Length: 0")
    #expect(post.head.hasPrefix("HTTP/1.1 405 ") && post.head.contains("Allow: GET, HEAD"))
  }

  @Test(arguments: [
    ("*: cut 60%", 120_000), ("c*: cut 1k", 1024), ("*: cut 0%", 0), ("*: truncate", 100_000),
    ("*: cut 1G", 200_000), ("nobody: cut 1k", 200_000), ("*: corrupt", 200_000),
  ])
  func `every fault changes the response as described`(fault: String, count: Int) throws {
    let site = try Site(faults: [fault])
    let answer = try site.get("/cave")
    let bytes = Site.bytes(of: "cave")
    #expect(answer.body.count == count)
    let length = fault.hasSuffix("truncate") ? 100_000 : 200_000
    #expect(answer.head.contains("Content-Length: \(length)\r\n"))
    let differences = zip(answer.body, bytes).filter { $0 != $1 }.map { $0 ^ $1 }
    #expect(differences == (fault.hasSuffix("corrupt") ? [1] : []))
    let event = try #require(site.events.ended.last)
    #expect(
      event.fault
        == (fault.hasPrefix("nobody") || fault.hasSuffix("1G")
          ? nil : fault.replacing("1k", with: "1K")))
    #expect(event.sent == UInt64(count))
  }

  @Test func `a fault with 'twice' happens twice for each device and path`() throws {
    let site = try Site(faults: ["*: status 503 twice"])
    let statuses = try (0..<4).map { _ in try site.get("/cave").head.prefix(12) }
    #expect(statuses == ["HTTP/1.1 503", "HTTP/1.1 503", "HTTP/1.1 200", "HTTP/1.1 200"])
    #expect(try site.get("/mac%20only").head.hasPrefix("HTTP/1.1 503"))
  }

  @Test func `a connection is reset, or closed without a response`() throws {
    let reset = try Site(faults: ["*: reset 100k"])
    #expect(try reset.get("/cave").body.count <= 100 << 10)
    let silent = try Site(faults: ["*: tls-close once"])
    #expect(try silent.get("/cave").head == "")
    #expect(try silent.get("/cave").body.count == 200_000)
    let offline = try Site()
    offline.packs.switches.isOffline = true
    #expect(try offline.get("/manifest").head == "")
    offline.packs.switches.isOffline = false
    #expect(try offline.get("/manifest").head.hasPrefix("HTTP/1.1 200"))
  }

  @Test func `the manifest can be invalid JSON, or the previous one`() throws {
    let broken = try Site(faults: ["manifest: not-json"])
    let body = try broken.get("/manifest").body
    #expect(throws: (any Error).self) { try JSONSerialization.jsonObject(with: Data(body)) }
    let stale = try Site(faults: ["manifest: stale once"])
    #expect(stale.packs.catalogue.raise("cave") == 1)
    func version() throws -> Bool {
      String(decoding: try stale.get("/manifest").body, as: UTF8.self).contains("\"version\": 1")
    }
    #expect(try !version())
    #expect(try version())
  }

  @Test func `latency and throttling delay a response`() throws {
    let site = try Site()
    site.packs.switches.latency = .milliseconds(100)
    let start = ContinuousClock.now
    _ = try site.get("/manifest")
    #expect(.now - start >= .milliseconds(100))
    site.packs.switches.latency = .zero
    site.packs.switches.bytesPerSecond = 1_000_000
    let before = ContinuousClock.now
    #expect(try site.get("/cave").body.count == 200_000)
    #expect(.now - before >= .milliseconds(190))
  }

  @Test func `a client without the password is refused`() throws {
    let site = try Site { $0.credentials = BasicCredentials(user: "me", password: "a:b") }
    let refused = try site.get("/cave")
    #expect(refused.head.hasPrefix("HTTP/1.1 401 ") && refused.head.contains("Basic realm="))
    func status(_ text: String) throws -> Substring {
      let code = Data(text.utf8).base64EncodedString()
      return try site.get("/cave", "\r\nAuthorization: Basic \(code)").head.dropFirst(9).prefix(3)
    }
    #expect(try status("me:a:b") == "200")
    for wrong in ["me:a:c", "me:a:", "me:a:bb", "", "me"] { #expect(try status(wrong) == "401") }
    let odd = try site.get("/cave", "\r\nAuthorization: Basic ====").head
    #expect(odd.hasPrefix("HTTP/1.1 401 "))
  }

  @Test func `the files of replaced packs are closed, except those of the last change`() throws {
    let folder = try TemporaryFolder()
    let catalogue = Catalogue()
    let manifest = try #require(
      ManifestDocument(
        parsing: Array(
          (#"{"assetPackID":"a","downloadPolicy":{"onDemand":{}},"platforms":[],"#
            + #""fileSelectors":[{"file":"a"}]}"#)
            .utf8), named: "m"
      ).manifest)
    for number in 0..<5 {
      try folder.makeFile("\(number)", [1])
      let path = folder.path("\(number)")
      _ = catalogue.add(
        PublishedArchive(
          path: path, manifest: manifest, size: 1, installedSize: 1, sha256: "\(number)"),
        try PackFile(ByteSource(FileDescriptor.open(path, for: .reading))), version: nil)
    }
    #expect(
      try openDescriptors(below: folder.path).sorted() == [folder.path("3"), folder.path("4")])
  }

  @Test func `a version increases when the bytes change, and never decreases`() throws {
    var record = PublicationRecord()
    record.add(.init(id: "a", version: 7, sha256: "one"))
    let catalogue = Catalogue(VersionRecord(record))
    let manifest = try #require(
      ManifestDocument(
        parsing: Array(
          (#"{"assetPackID":"a","downloadPolicy":{"onDemand":{}},"platforms":[],"#
            + #""fileSelectors":[{"file":"a"}]}"#)
            .utf8), named: "m"
      ).manifest)
    func add(_ digest: String, version: Int? = nil) -> Catalogue.Change {
      catalogue.add(
        PublishedArchive(path: "a", manifest: manifest, size: 1, installedSize: 1, sha256: digest),
        PackFile(ByteSource([1], name: "a")), version: version)
    }
    #expect(add("one") == .added(version: 7))
    #expect(add("one") == .unchanged(version: 7))
    #expect(add("two") == .raised(from: 7, to: 8))
    #expect(add("one") == .raised(from: 8, to: 9))
    #expect(add("three", version: 9) == .refused(requested: 9, highest: 9))
    #expect(add("three", version: 50) == .raised(from: 9, to: 50))
    #expect(catalogue.raise("a") == 51)
    #expect(catalogue.raise("b") == nil)
    #expect(add("four", version: .max) == .raised(from: 51, to: .max))
    #expect(add("five") == .refused(requested: nil, highest: .max))
    #expect(catalogue.raise("a") == nil)
    #expect(catalogue.record.latest(of: "a")?.version == .max)
  }
}
