import AssetServer
import BAPackKit
import Faults
import Foundation
import HTTPServer
import SystemIO
import TestSupport
import Testing

/// The live page, requested over its sockets.
@Suite(.mustEnd) struct LivePageTests {
  @Test func `the page of the server itself has no token and no switches`() throws {
    let site = try Site()
    for path in ["/", "/?x", "/?state"] {
      let answer = Answer(try site.get(path, "\r\nAuthorization: Bearer \(Site.token)"))
      #expect(answer.head.hasPrefix("HTTP/1.1 200 "))
      #expect(!answer.text.contains(Site.token))
      for word in ["<form", "<select", "role=\"switch\"", "<input id=\"offline\""] {
        #expect(!answer.text.contains(word), "\(path) \(word)")
      }
    }
    // Requests for the page are not logged.
    #expect(site.events.ended.isEmpty)
    for (method, path) in SwitchTests.switches + [("GET", "/api/state"), ("GET", "/api/events")] {
      let answer = try site.send(
        "\(method) \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(site.server.address.port)\r\n"
          + "Authorization: Bearer \(Site.token)\r\nContent-Length: 0")
      #expect(answer.head.hasPrefix("HTTP/1.1 404 "), "\(method) \(path)")
    }
    // The request history does not contain requests for the page.
    #expect(try site.state().requests.allSatisfy { $0["path"] as? String != "/" })
  }

  @Test func `the page loads no foreign content, and is not cached or framed`() throws {
    let site = try Site()
    let pages = [
      try site.script("GET /", token: nil), Answer(try site.get("/")),
    ]
    for page in pages {
      for field in [
        "Content-Type: text/html; charset=utf-8", "Cache-Control: no-store",
        "X-Content-Type-Options: nosniff", "Referrer-Policy: same-origin",
      ] { #expect(page.head.contains("\r\n\(field)\r\n"), "\(field)") }
      let policy = try #require(
        page.head.firstMatch(of: /Content-Security-Policy: (.+?)\r\n/)?.1)
      for part in ["default-src 'none'", "frame-ancestors 'none'", "form-action 'none'"] {
        #expect(policy.contains(part))
      }
      #expect(!policy.contains("unsafe") && !policy.contains("http"))
      let nonce = try #require(policy.firstMatch(of: /script-src 'nonce-([a-z0-9]{20,})'/)?.1)
      #expect(page.text.components(separatedBy: "nonce=\"\(nonce)\"").count == 3)
      #expect(page.text.firstMatch(of: /<[^>]*\s(on[a-z]+|style|src)\s*=/) == nil)
      // The page links only to addresses of the server.
      let links = page.text.matches(of: /href="([^"]+)"/).map { String($0.1.prefix(21)) }
      #expect(Set(links) == ["#requests", "http://127.0.0.1:8480", "data:image/svg+xml,%3"])
    }
    #expect(pages[0].text != (try site.script("GET /", token: nil)).text)
  }

  @Test func `without scripts the page shows packs and addresses with any names`() throws {
    let site = try Site(ids: ["<b>&'\u{301}", "<\u{301}script>alert(1)<i>"])
    for page in [try site.script("GET /", token: nil), Answer(try site.get("/"))] {
      #expect(page.text.contains("<code id=\"override\">\(site.overrideURL)</code>"))
      #expect(page.text.contains("<a href=\"http://127.0.0.1:8480\">"))
      #expect(page.text.contains("<code>AA:BB</code>"))
      #expect(
        page.text.contains("viewBox=\"0 0 11 10\"")
          && page.text.contains("d=\"M4 4h2v1h-2zM5 5h1v1h-1z\""))
      #expect(page.text.contains("<span class=\"name\">&lt;b&gt;&amp;&#39;"))
      #expect(page.text.contains("onDemand · all platforms · fr</span>"))
      #expect(page.text.contains("onDemand · macOS") && page.text.contains("200000 bytes"))
      #expect(page.text.components(separatedBy: "<script").count == 2)
    }
  }

  @Test func `the form offers every kind of fault`() throws {
    let page = try Site().script("GET /", token: nil).text
    for kind in FaultScope.downloads.examples {
      let parts = kind.replacing("manifest: ", with: "").split(separator: " ")
      #expect(page.contains("<option value=\"\(parts[0])\""), "\(kind)")
    }
    for match in page.matches(
      of:
        /<option value="([a-z-]+)"(?: data-label="[a-z]+" data-example="(.+?)")?( data-manifest)?>/
    ) {
      guard !["once", "twice"].contains(match.1) else { continue }
      let subject = match.3 == nil ? "*" : "manifest"
      _ = try DownloadFault(parsing: "\(subject): \(match.1) \(match.2 ?? "")")
    }
  }

  // MARK: State

  @Test func `the state contains server, packs, switches, devices and requests`() throws {
    let site = try Site(faults: ["cave: cut 60% once"])
    #expect(try site.get("/cave", "\r\nUser-Agent: test <b>\r\nRange: bytes=0-99").body.count == 60)
    #expect(try site.get("/cave").body.count == 200_000)
    #expect(try site.get("/manifest?platform=x").body.count > 0)
    try site.events.waitForEnds(3)
    let state = try site.state()
    #expect(
      state.keys == ["server", "packs", "switches", "devices", "requests"])
    #expect(
      state.object("server").keys.sorted() == [
        "enrolmentURL", "overrideURL", "rootDigest", "started",
      ])
    let pack = state.list("packs")[0]
    #expect(pack["id"] as? String == "cave" && pack["version"] as? Int == 0)
    #expect(pack["language"] as? String == "fr" && pack["size"] as? Int == 200_000)
    #expect(pack["policy"] as? String == "onDemand")
    let device = state.list("devices")[0]
    #expect(device["address"] as? String == "127.0.0.1" && device["requests"] as? Int == 3)
    #expect(device["userAgent"] as? String == "test <b>")
    let requests = state.requests
    #expect(requests.map { $0["path"] as? String } == ["/cave", "/cave", "/manifest"])
    #expect(requests[0]["range"] as? String == "bytes=0-99")
    #expect(requests[0]["fault"] as? String == "cave: cut 60% once")
    #expect(requests[0]["isWhole"] as? Bool == false && requests[0]["sent"] as? Int == 60)
    #expect(requests[1]["isWhole"] as? Bool == true && requests[1]["status"] as? Int == 200)
    #expect(requests[2]["remark"] as? String == "unknown platform 'x'")
    let bytes = requests.compactMap { $0["sent"] as? Int }.reduce(0, +)
    #expect(device["bytes"] as? Int == bytes)
    for request in requests {
      #expect(
        request.keys.sorted() == [
          "device", "fault", "isOver", "isWhole", "method", "milliseconds", "number", "pack",
          "path", "problem",
          "query", "range", "remark", "sent", "size", "status", "time", "userAgent", "version",
        ])
    }
    #expect(state.list("switches").isEmpty && state.faults == ["cave: cut 60% once"])
  }

  @Test func `the members of the state have a fixed order`() throws {
    let site = try Site(faults: ["cave: corrupt"], ids: ["cave"])
    _ = try site.get("/manifest")
    try site.events.waitForEnds(1)
    let text = try site.script("GET /api/state", token: nil).text
    let order = """
      server started overrideURL enrolmentURL rootDigest packs id version policy events platforms \
      language size installedSize sha256 outage switches offline latency throttle faults fault \
      count matches devices address userAgent requests bytes last requests number time device \
      userAgent method path query range pack version size sent milliseconds isOver status isWhole \
      fault remark problem
      """
    #expect(text.matches(of: #/"(\w+)": /#).map(\.1).joined(separator: " ") == order)
  }

  @Test func `a request without a response has no status`() throws {
    let site = try Site(faults: ["cave: tls-close"])
    #expect(try site.get("/cave").head == "")
    try site.events.waitForEnds(1)
    #expect(try site.state().requests[0]["status"] is NSNull)
  }

  @Test(arguments: [true, false])
  func `a stream sends the complete state, then the changes`(withSwitches: Bool) throws {
    let site = try Site()
    let stream = try EventStream(site, withSwitches: withSwitches)
    let first = try stream.next()
    #expect(
      first.name == "state" && first.keys == ["server", "packs", "switches", "devices", "requests"])
    #expect(try site.get("/cave").body.count == 200_000)
    let last = try stream.until { $0.requests.contains { $0["isOver"] as? Bool == true } }
    #expect(last.name == "change")
    #expect(last.list("devices")[0]["bytes"] as? Int == 200_000)
    #expect(site.packs.catalogue.raise("cave") == 1)
    let packs = try stream.until { $0.keys.contains("packs") }
    #expect(packs.list("packs")[0]["version"] as? Int == 1 && !packs.keys.contains("requests"))
    #expect(try site.script("PUT /api/offline", #"{"offline": true}"#).status == 200)
    let switches = try stream.until { $0.keys.contains("switches") }
    #expect(switches.object("switches")["offline"] as? Bool == true)
    // A page that is opened later sees the same.
    let late = try site.state()
    #expect(late.requests.count == 1)
    site.page.end()
    #expect(try stream.isEnded())
  }

  @Test func `the findings of a build are shown until a build without errors`() throws {
    let site = try Site()
    let stream = try EventStream(site, withSwitches: false)
    #expect(try !stream.next().keys.contains("build"))
    site.page.show(findings: "lake.json:1:2: error: <b>\nNo archive was written\n")
    let failed = try stream.until { $0.keys.contains("build") }
    #expect(
      failed.object("build")["findings"] as? String
        == "lake.json:1:2: error: <b>\nNo archive was written\n")
    // A page that is opened later shows them, too.
    #expect(try site.state().object("build")["findings"] is String)
    site.page.show(findings: nil)
    let done = try stream.until { $0.keys.contains("build") }
    #expect(done.object("build")["findings"] is NSNull)
    #expect(try Answer(site.get("/")).text.contains("<pre id=\"findings\"></pre>"))
  }

  @Test func `downloads are shown while they are in progress`() throws {
    let site = try Site()
    // Far slower than a busy machine, so that the download does not end.
    site.packs.switches.bytesPerSecond = 2_000
    let stream = try EventStream(site, withSwitches: true)
    let download = try Connection.connect(
      to: "127.0.0.1", port: site.server.address.port, timeout: .seconds(600), .unstoppable)
    try download.write(Array("GET /cave HTTP/1.1\r\nHost: a\r\n\r\n".utf8))
    let begun = try stream.until { $0.name == "change" && !$0.requests.isEmpty }
    #expect(begun.requests[0]["isOver"] as? Bool == false)
    let under = try stream.until { ($0.requests.first?["sent"] as? Int ?? 0) > 0 }
    #expect(
      under.requests[0]["isOver"] as? Bool == false && under.requests[0]["size"] as? Int == 200_000)
    #expect(under.list("devices")[0]["bytes"] as? Int == under.requests[0]["sent"] as? Int)
    site.packs.switches.bytesPerSecond = nil
    download.resetWhenClosed()
  }

  @Test func `a server stops without waiting for event streams`() throws {
    let site = try Site()
    let open = try EventStream(site, withSwitches: false)
    let local = try EventStream(site, withSwitches: true)
    _ = try (open.next(), local.next())
    let start = ContinuousClock.now
    site.server.stop(within: .seconds(600))
    site.pageServer.stop(within: .seconds(600))
    #expect(.now - start < .seconds(600))
    #expect(try open.isEnded() && local.isEnded())
  }

  @Test func `a slow reader uses no memory and misses only intermediate states`() throws {
    let site = try Site()
    let stream = try EventStream(site, withSwitches: true)
    _ = try stream.next()
    let long = String(repeating: "x", count: 3000)
    for number in 0..<300 {
      _ = try site.get("/\(number)?\(long)", "\r\nUser-Agent: \(long)")
    }
    try site.events.waitForEnds(300)
    let state = try site.state()
    #expect(state.requests.count == 200)
    #expect(state.requests.last?["path"] as? String == "/299")
    #expect((state.requests[0]["query"] as? String)?.count == 301)
    #expect(state.text.utf8.count < 400_000)
    // A state that was not read in time is sent once, in its last form.
    let seen = try stream.until { $0.requests.last?["path"] as? String == "/299" }
    #expect(seen.requests.count <= 200)
    #expect(state.list("devices")[0]["requests"] as? Int == 300)
  }

  @Test func `32 pages can be open, and another one with switches`() throws {
    let site = try Site()
    var streams: [EventStream] = []
    for _ in 0..<32 {
      let stream = try EventStream(site, withSwitches: false)
      _ = try stream.next()
      streams.append(stream)
    }
    let full = Answer(try site.get("/?events"))
    #expect(full.head.hasPrefix("HTTP/1.1 503 ") && full.text.contains("close one"))
    let local = try EventStream(site, withSwitches: true)
    #expect(try local.next().name == "state")
    #expect(streams.count == 32)
  }
}
