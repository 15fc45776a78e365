import AssetServer
import BAPackKit
import Faults
import Foundation
import HTTPServer
import SystemIO
import TestSupport
import Testing

/// Access to the switches, and their effects, tested over their socket.
@Suite(.mustEnd) struct SwitchTests {
  @Test func `the page with its switches accepts only loopback names, with any port`() throws {
    let site = try Site()
    let port = site.pageServer.address.port
    for host in [
      "127.0.0.1:\(port)", "localhost:\(port)", "LOCALHOST:\(port)", "[::1]:\(port)",
      "localhost:9000", "127.0.0.1:1", "127.0.0.1", "localhost", "[::1]", "127.9.9.9:80",
      "page.localhost:9000",
    ] {
      let answer = Answer(try site.send("GET / HTTP/1.1\r\nHost: \(host)", of: port))
      #expect(answer.head.hasPrefix("HTTP/1.1 200 "), "\(host)")
      // Every user of the host can request the page, so it does not contain the token.
      #expect(!answer.text.contains(Site.token) && answer.text.contains("id=\"fault-form\""))
    }
    for host in [
      "evil.example:\(port)", "evil.example", "evillocalhost", "localhost.evil.example",
      "localhost.:\(port)", "127.0.0.1.evil.example:\(port)", "127.1:\(port)", "192.168.1.1:80",
      "[::1", "::1", "[127.0.0.1]", "localhost:+1", "localhost:1:2", "[::1]x", "[fe80::1]:80",
      ":80",
    ] {
      for path in ["/", "/api/state", "/api/events"] {
        let answer = Answer(
          try site.send("GET \(path) HTTP/1.1\r\nHost: \(host)", of: port))
        #expect(answer.head.hasPrefix("HTTP/1.1 403 "), "\(host)")
        #expect(!answer.text.contains(Site.token) && !answer.text.contains("cave"))
        #expect(answer.text.contains("open http://127.0.0.1:\(port)/"))
      }
    }
    let old = try site.send("GET / HTTP/1.0", of: port)
    #expect(old.head.hasPrefix("HTTP/1.1 403 "))
  }

  @Test(arguments: [
    ("Origin: http://evil.example", 403), ("Origin: null", 403), ("Origin: http://localhost", 403),
    ("Origin: https://127.0.0.1:PORT", 403), ("Origin: http://127.0.0.1:1", 403),
    ("Origin: http://localhost:PORT", 403), ("Origin:", 403),
    ("Origin: http://127.0.0.1:PORT", 200), ("Origin: http://localhost:9000", 403),
    ("Origin: http://127.0.0.1:PORT\r\nOrigin: null", 403),
    ("Sec-Fetch-Site: cross-site", 403), ("Sec-Fetch-Site: same-site", 403),
    ("Sec-Fetch-Site: nonsense", 403), ("Sec-Fetch-Site: same-origin", 200),
    ("Sec-Fetch-Site: none", 200), ("X: y", 200),
  ])
  func `only the page itself can read or change the switches`(field: String, status: Int) throws {
    let site = try Site()
    let port = site.pageServer.address.port
    let field = field.replacing("PORT", with: "\(port)")
    for request in ["GET /", "GET /api/state", "PUT /api/offline"] {
      let answer = try site.script(request, #"{"offline": true}"#, fields: "\r\n\(field)")
      #expect(answer.status == status, "\(request) \(answer.text)")
    }
    #expect(site.packs.switches.isOffline == (status == 200))
  }

  @Test func `a client from another host is refused, with any host name`() throws {
    let access = PageAccess(token: "t")
    let own = SocketAddress.loopback(port: 8481)
    let head = try RequestHead(
      parsing: Array("GET / HTTP/1.1\r\nHost: localhost:8481\r\n\r\n".utf8)[...])
    for (peer, isIn) in [
      ("127.0.0.1", true), ("127.9.9.9", true), ("::1", true), ("::ffff:127.0.0.1", true),
      ("192.168.1.23", false), ("::ffff:10.0.0.1", false), ("fe80::1", false), ("::", false),
    ] {
      let address = try #require(SocketAddress(peer, port: 50_000))
      #expect((access.refusal(of: head, from: address, at: own) == nil) == isIn, "\(peer)")
    }
  }

  @Test func `a request without the token changes no switch`() throws {
    let site = try Site()
    for (method, path) in Self.switches {
      for token in [
        "", "\r\nAuthorization: Bearer", "\r\nAuthorization: Bearer x",
        "\r\nAuthorization: Bearer \(Site.token)x", "\r\nAuthorization: Basic \(Site.token)",
        "\r\nAuthorization: Bearer \(Site.token.dropLast())", "\r\nAuthorization: \(Site.token)",
      ] {
        let answer = try site.script(
          "\(method) \(path)", #"{"offline": true}"#, token: nil, fields: token)
        #expect(answer.status == 401, "\(method) \(path) \(token)")
        #expect(answer.head.contains("WWW-Authenticate: Bearer"))
        #expect(answer.text.contains("'Authorization: Bearer' with the token"))
      }
    }
    #expect(!site.packs.switches.isOffline)
    #expect(site.packs.catalogue["cave"]?.version == 0)
    // Reading requires no token, but a wrong token is an error.
    #expect(try site.script("GET /api/state", token: nil).status == 200)
    #expect(try site.script("GET /api/state", token: "wrong").status == 401)
    #expect(try site.script("GET /api/state", fields: "\r\nX: y").status == 200)
  }

  static let switches = [
    ("POST", "/api/faults"), ("DELETE", "/api/faults"), ("PUT", "/api/offline"),
    ("PUT", "/api/latency"), ("PUT", "/api/throttle"), ("POST", "/api/packs/cave/raise"),
  ]

  // MARK: The switches

  @Test func `faults are switched on and off, and report how often they happened`() throws {
    let site = try Site()
    let on = try site.script("POST /api/faults", #"{"fault": "c*:  status 503 twice"}"#)
    #expect(on.status == 200)
    #expect(on.compact == Self.switches(#"{"fault":"c*: status 503 twice","count":0,"matches":1}"#))
    for count in [0, 0, 200_000, 200_000] {
      #expect(try site.get("/cave").body.count == (count == 0 ? 37 : count))
    }
    let state = try site.state()
    #expect(state.faults == ["c*: status 503 twice"] && state.counts == [2])
    #expect(try site.script("POST /api/faults", #"{"fault": "*: corrupt"}"#).status == 200)
    let off = try site.script("DELETE /api/faults", #"{"fault": "c*: status 503 twice"}"#)
    #expect(off.compact == Self.switches(#"{"fault":"*: corrupt","count":0,"matches":2}"#))
    let gone = try site.script("DELETE /api/faults", #"{"fault": "a: truncate"}"#)
    #expect(gone.status == 404)
    #expect(gone.text.contains("'a: truncate' is not on; faults: '*: corrupt'"))
    #expect(try site.script("DELETE /api/faults").compact == Self.switches(""))
    #expect(site.packs.switches.faults == [])
  }

  private static func switches(_ faults: String) -> String {
    let text = #"{"switches":{"offline":false,"latency":null,"throttle":null,"faults":[FAULTS]}}"#
    return text.replacing("FAULTS", with: faults)
  }

  @Test func `the switches delay, throttle or close connections`() throws {
    let site = try Site()
    #expect(try site.script("PUT /api/latency", #"{"latency": "1.5s"}"#).text.contains("1500ms"))
    #expect(site.packs.switches.latency == .milliseconds(1500))
    #expect(
      try site.script("PUT /api/throttle", #"{"throttle": "0.5Mbit"}"#).text.contains("500kbit"))
    #expect(site.packs.switches.bytesPerSecond == 62_500)
    #expect(
      try site.script("PUT /api/offline", #"{"offline": true}"#).compact.contains(
        #""offline":true"#))
    #expect(site.packs.switches.isOffline)
    let answer = try site.script("PUT /api/latency", #"{"latency": null}"#)
    #expect(answer.compact.contains(#""offline":true,"latency":null,"throttle":"500kbit""#))
    #expect(try site.script("PUT /api/throttle", #"{"throttle": null}"#).status == 200)
    #expect(try site.script("PUT /api/offline", #"{"offline": false}"#).status == 200)
    #expect(
      try site.script("GET /api/state").compact.contains(
        #""offline":false,"latency":null,"throttle":null"#))
  }

  @Test func `the version of a pack is raised`() throws {
    let site = try Site()
    let answer = try site.script("POST /api/packs/mac%20only/raise")
    #expect(answer.compact == #"{"id":"mac only","version":1}"#)
    #expect(site.packs.catalogue["mac only"]?.version == 1)
    let missing = try site.script("POST /api/packs/missing/raise")
    #expect(missing.status == 404)
    #expect(missing.text.contains("no pack 'missing'; packs: 'cave', 'mac only'"))
  }

  @Test(arguments: [
    ("POST /api/faults", "", 400, "send {\\\"fault\\\": "),
    ("POST /api/faults", "[]", 400, "the body must be an object, not an array; send {"),
    ("POST /api/faults", "{", 400, "send {"), ("POST /api/faults", "\u{0}", 400, "send {"),
    ("POST /api/faults", #"{"fault": 1}"#, 400, "'fault' must be a string"),
    ("POST /api/faults", #"{"fault": null}"#, 400, "'fault' must be a string"),
    ("POST /api/faults", #"{"fault": "a: b", "fault": "c"}"#, 400, "send {"),
    ("POST /api/faults", #"{"fault": "a: truncate", "x": 1}"#, 400, "'x'"),
    (
      "POST /api/faults", #"{"fault": "a: cutt"}"#, 400,
      "unknown fault 'cutt'; a fault is one of"
    ),
    ("DELETE /api/faults", #"{"fault": "a"}"#, 400, "expected '<packs>: <fault>'"),
    ("PUT /api/offline", #"{"offline": "yes"}"#, 400, "'offline' must be true or false"),
    ("PUT /api/offline", "{}", 400, "'offline'"),
    ("PUT /api/latency", #"{"latency": "5"}"#, 400, "must be a time such as 200ms"),
    ("PUT /api/latency", #"{"latency": 5}"#, 400, "'latency' must be a string or null"),
    ("PUT /api/throttle", #"{"throttle": "3"}"#, 400, "must be a rate such as 3mbit"),
    ("GET /api/faults", "", 405, "method 'GET' not allowed; use POST or DELETE"),
    ("POST /", "", 405, "GET or HEAD"), ("PUT /api/packs/cave/raise", "", 405, "POST"),
    ("GET /api", "", 404, "paths are /, /api/state"),
    ("POST /api/packs//raise", "", 404, "paths are /, /api/state"),
  ])
  func `an error response describes a valid request`(
    request: String, body: String, status: Int, reason: String
  ) throws {
    let site = try Site()
    let answer = try site.script(request, body)
    #expect(answer.status == status)
    #expect(answer.head.contains("Content-Type: application/json"))
    #expect(answer.text.contains(reason), "\(answer.text)")
    let object = try JSONSerialization.jsonObject(with: Data(answer.text.utf8)) as? [String: String]
    #expect(object?.keys.map(\.self) == ["error"])
    #expect(site.packs.switches.status == LiveFaults().status)
  }

  @Test func `a body that is too large is not read`() throws {
    let site = try Site()
    let body = "{\"fault\": \"" + String(repeating: "x", count: 5000) + "\"}"
    #expect(try site.script("POST /api/faults", body).status == 413)
  }

  @Test func `the number of faults is limited`() throws {
    let switches = LiveFaults()
    func corrupt(_ id: String) throws -> DownloadFault {
      try DownloadFault(parsing: "\(id): corrupt")
    }
    for number in 0..<FaultBoard<DownloadEffect>.capacity {
      #expect(switches.add(try corrupt("p\(number)")))
    }
    #expect(!switches.add(try corrupt("more")))
    #expect(switches.add(try corrupt("p0")))
    #expect(switches.faults.count == FaultBoard<DownloadEffect>.capacity)
  }
}
