package import HTTPServer
package import SystemIO

/// Whom the page with its switches is open to: programs on this machine that call it by a name of this
/// machine, and no page of anybody else.
///
/// A page from elsewhere runs on this machine, too, in its browser. It can make its own name lead to
/// 127.0.0.1; then `Host` is that name. It can post to us; then `Origin` and `Sec-Fetch-Site` say so.
package struct PageDoor: Sendable {
  private let token: [UInt8]

  package init(token: String) { self.token = Array(token.utf8) }

  /// Why a request is not answered; nil if it is.
  package func refusal(
    of head: RequestHead, from peer: SocketAddress, at own: SocketAddress
  ) -> String? {
    let address = "http://127.0.0.1:\(own.port)/"
    guard peer.isLoopback else { return "this page is for the machine that it runs on" }
    guard let host = head.host?.lowercased(), Self.hosts(own.port).contains(host) else {
      return "'Host' is no name of this machine with this port; open \(address)"
    }
    if let origin = head["origin"], origin.lowercased() != "http://\(host)" {
      return "a page from elsewhere may use nothing here; open \(address)"
    }
    if let site = head["sec-fetch-site"], site != "same-origin", site != "none" {
      return "a page from elsewhere led here; type the address \(address)"
    }
    return nil
  }

  /// The names by which a browser on this machine calls a port of it.
  private static func hosts(_ port: UInt16) -> Set<String> {
    let names = ["localhost", "127.0.0.1", "[::1]"]
    // Browsers leave out the port that every address has.
    return Set(names.map { "\($0):\(port)" } + (port == 80 ? names : []))
  }

  /// Whether the value of `Authorization` holds the token: `Bearer TOKEN`.
  package func admits(_ value: String?) -> Bool {
    guard let parts = value?.split(separator: " ", maxSplits: 1), parts.count == 2,
      parts[0].lowercased() == "bearer"
    else { return false }
    return isSecret(Array(parts[1].utf8), token)
  }
}
