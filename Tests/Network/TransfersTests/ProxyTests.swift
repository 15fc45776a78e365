import BAPackKit
import Glibc
import HTTPServer
import SystemIO
import TestSupport
import Testing
import Transfers

/// A proxy on the loopback interface: it creates tunnels, forwards requests, or refuses them.
private final class TestProxy: Sendable {
  let address: SocketAddress
  /// The heads of the received requests.
  let heads = Noted<String>()
  private let end: Alarm

  private final class Side: Sendable {
    let connection: Connection
    init(_ connection: consuming Connection) { self.connection = connection }

    /// Forwards all bytes from this side to the other one.
    func pass(to other: Side) {
      while let bytes = try? connection.read(atMost: 1 << 16), !bytes.isEmpty {
        guard (try? other.connection.write(bytes)) != nil else { break }
      }
      try? other.connection.finishWriting()
    }
  }

  init(answering refusal: String? = nil) throws {
    let listener = try Listener()
    address = listener.address
    end = listener.alarm
    let heads = heads
    let waiting = Waiting(listener)
    try WorkerThreads.startAlone {
      while let connection = try? waiting.listener.accept(timeout: .seconds(600)) {
        let side = Side(connection)
        try? WorkerThreads.startAlone { Self.serve(side, refusal, heads) }
      }
    }
  }

  private final class Waiting: Sendable {
    let listener: Listener
    init(_ listener: consuming Listener) { self.listener = listener }
  }

  func stop() { end.ring() }

  private static func serve(_ near: Side, _ refusal: String?, _ heads: Noted<String>) {
    var head: [UInt8] = []
    while !head.holds("\r\n\r\n") {
      guard let more = try? near.connection.read(atMost: 1), !more.isEmpty else { return }
      head += more
    }
    let text = String(decoding: head, as: UTF8.self)
    heads.add(text)
    if let refusal {
      try? near.connection.write(Array("\(refusal)\r\nContent-Length: 0\r\n\r\n".utf8))
      return
    }
    // "CONNECT 127.0.0.1:8443 HTTP/1.1", or "GET http://127.0.0.1:8080/x HTTP/1.1"
    let words = text.split(separator: " ")
    let isTunnel = words[0] == "CONNECT"
    let target = isTunnel ? words[1] : words[1].split(separator: "/")[1]
    guard let port = target.split(separator: ":").last.flatMap({ UInt16($0) }),
      let made = try? Connection.connect(
        to: "127.0.0.1", port: port, timeout: .seconds(600), .unstoppable)
    else { return }
    let far = Side(made)
    if isTunnel {
      try? near.connection.write(Array("HTTP/1.1 200 Connection established\r\n\r\n".utf8))
    } else {
      let path = words[1].dropFirst("http://\(target)".count)
      let rest = text.dropFirst(words[0].count + words[1].count + 1)
      try? far.connection.write(Array("\(words[0]) \(path)\(rest)".utf8))
    }
    try? WorkerThreads.startAlone { far.pass(to: near) }
    near.pass(to: far)
  }
}

/// Proxies from the environment.
@Suite(.mustEnd) struct ProxyTests {
  private static func answer(_ request: Request, _: Int) -> Response {
    Response(200, body: .bytes(Array("hello".utf8)))
  }

  private func ask(
    _ site: ScriptedSite, _ url: String, _ proxies: Proxies
  ) throws -> HTTPResponse {
    try site.transfers {
      $0.proxies = proxies
      $0.allowsHTTP = true
    }.exchange(
      Exchange("GET", url, fields: [HeaderField("Authorization", "Bearer s3cr3t")]), .unstoppable)
  }

  @Test func `https uses a tunnel, and the proxy receives no secrets`()
    throws
  {
    let site = try ScriptedSite(Self.answer)
    let proxy = try TestProxy()
    defer { proxy.stop() }
    var proxies = Proxies()
    proxies.https = "http://name:word@\(proxy.address)"
    let answer = try ask(site, site.url("/a"), proxies)
    #expect(answer.body == Array("hello".utf8))
    #expect(answer.head["content-length"] == "5")
    #expect(proxy.heads.all.count == 1)
    let head = try #require(proxy.heads.all.first)
    #expect(head.hasPrefix("CONNECT 127.0.0.1:\(site.server.address.port) HTTP/1.1\r\n"))
    #expect(head.contains("Proxy-Authorization: Basic bmFtZTp3b3Jk\r\n"))
    #expect(!head.contains("s3cr3t"))
    #expect(try site.head(0)["proxy-authorization"] == nil)
  }

  @Test func `http uses the http proxy`() throws {
    let site = try ScriptedSite(secure: false, Self.answer)
    let proxy = try TestProxy()
    defer { proxy.stop() }
    var proxies = Proxies()
    proxies.http = "\(proxy.address)"
    proxies.https = "http://127.0.0.1:1"
    let url = site.url("/a", scheme: "http")
    #expect(try ask(site, url, proxies).body == Array("hello".utf8))
    #expect(proxy.heads.all.first?.hasPrefix("GET \(url) HTTP/1.1\r\n") == true)
  }

  @Test(arguments: ["127.0.0.1", "*", "a.example,127.0.0.1", "a.example, 127.0.0.1"])
  func `a host in 'no_proxy' is accessed without the proxy`(exceptions: String) throws {
    let site = try ScriptedSite(Self.answer)
    let proxy = try TestProxy()
    defer { proxy.stop() }
    var proxies = Proxies()
    proxies.https = "http://\(proxy.address)"
    proxies.exceptions = exceptions
    #expect(try ask(site, site.url("/a"), proxies).status == 200)
    #expect(proxy.heads.all.isEmpty)
  }

  @Test func `an error message contains the proxy that refuses or is unreachable`() throws {
    let site = try ScriptedSite(Self.answer)
    let proxy = try TestProxy(answering: "HTTP/1.1 407 Proxy Authentication Required")
    defer { proxy.stop() }
    var proxies = Proxies()
    proxies.https = "http://name:word@\(proxy.address)"
    let refused = #expect(throws: Failure.self) { try ask(site, site.url("/a"), proxies) }
    #expect(refused?.kind == .transfer(.ask, .proxyStatus(407)))
    let error = PackError(try #require(refused))
    #expect(error.message.hasSuffix("the proxy responded with 407 Proxy Authentication Required"))
    #expect(error.kind == .server(status: 407))
    proxies.https = "http://name:word@127.0.0.1:1"
    let absent = #expect(throws: Failure.self) { try ask(site, site.url("/a"), proxies) }
    #expect(
      absent?.description == "cannot connect to 'the proxy 127.0.0.1:1': Connection refused")
    proxies.https = "http://name:word@proxy.invalid:1"
    let unknown = #expect(throws: Failure.self) { try ask(site, site.url("/a"), proxies) }
    #expect(unknown?.path == "the proxy proxy.invalid:1")
    #expect(site.requests.all.isEmpty)
  }

  @Test func `the environment contains proxies, in lower or upper case`() async {
    await #expect(processExitsWith: .success) {
      setVariable("http_proxy", "")
      setVariable("HTTP_PROXY", "http://evil.example")
      setVariable("https_proxy", "")
      setVariable("HTTPS_PROXY", "http://b.example:8080")
      setVariable("all_proxy", "")
      setVariable("ALL_PROXY", "")
      setVariable("no_proxy", "localhost,.c.example")
      let proxies = Proxies.environment
      #expect(proxies.http == nil)
      #expect(proxies.https == "http://b.example:8080")
      #expect(proxies.exceptions == "localhost,.c.example")
      setVariable("all_proxy", "http://d.example")
      #expect(Proxies.environment.http == "http://d.example")
      #expect(Transfers.Options().proxies == Proxies.environment)
    }
  }
}

/// Sets an environment variable of the whole process; use it only in a separate process.
private func setVariable(_ name: String, _ value: String) {
  unsafe Glibc.setenv(name, value, 1)
}
