import HTTPServer
import SystemIO
import TLSIdentity
import TestSupport
import Testing
import Transfers

/// A server on the loopback interface with scripted responses, over TLS by default.
final class ScriptedSite: Sendable {
  let authority: Authority
  let server: HTTPServer
  /// The received requests.
  let requests = Noted<Request>()

  /// Responds to each request with the result of `answer`, which gets the request and its number.
  init(
    secure isSecure: Bool = true, _ answer: @escaping @Sendable (Request, Int) -> Response
  ) throws {
    let now = Moment.now
    let authority = try Authority.make(called: "Tests", at: now)
    let context = try TLSContext { name, address throws(Failure) in
      let asked = name.flatMap { HostName($0) } ?? HostName(address.hostText)
      guard let host = asked else { throw .malformed("no host") }
      return try authority.leaf(for: host, at: now)
    }
    let requests = requests
    server = try HTTPServer(
      try Listener(), tls: isSecure ? context : nil,
      HTTPServer.Handler(bodyLimit: { $0["content-length"] == nil ? nil : 8 << 20 }) { request in
        answer(request, requests.add(request))
      })
    try server.start()
    self.authority = authority
  }

  deinit { server.stop() }

  func url(_ path: String, host: String = "127.0.0.1", scheme: String = "https") -> String {
    "\(scheme)://\(host):\(server.address.port)\(path)"
  }

  func transfers(_ change: (inout Transfers.Options) -> Void = { _ in }) throws -> Transfers {
    var options = Transfers.Options()
    options.roots = [try authority.root.pem()]
    options.proxies = Proxies()
    options.backoff.first = .milliseconds(2)
    options.backoff.shortest = .milliseconds(1)
    change(&options)
    return try Transfers(options)
  }

  var paths: [String] { requests.all.map(\.head.pathText) }

  /// Returns the head of a received request.
  func head(_ number: Int = 0) throws -> RequestHead {
    let all = requests.all
    return try #require(number < all.count ? all[number].head : nil)
  }
}
