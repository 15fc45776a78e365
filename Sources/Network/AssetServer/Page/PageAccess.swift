package import HTTPServer
package import SystemIO

/// Access control for the page with switches: only pages and programs on the same host.
///
/// The port in `Host` and `Origin` is not compared: over a forwarded port
/// (`ssh -L 9000:localhost:8481`), a browser uses another one.
package struct PageAccess: Sendable {
  private let token: [UInt8]

  package init(token: String) { self.token = Array(token.utf8) }

  /// The reason to refuse a request; nil if it is allowed.
  package func refusal(
    of head: RequestHead, from peer: SocketAddress, at own: SocketAddress
  ) -> String? {
    guard peer.isLoopback else { return "this page is available only on the host of the server" }
    return head.foreignSiteReason(isSecure: false).map {
      "\($0); open http://127.0.0.1:\(own.port)/"
    }
  }

  /// Returns whether the value of `Authorization` contains the token: `Bearer TOKEN`.
  package func admits(_ value: String?) -> Bool {
    guard let parts = value?.split(separator: " ", maxSplits: 1), parts.count == 2,
      parts[0].lowercased() == "bearer"
    else { return false }
    return isSameSecret(Array(parts[1].utf8), token)
  }
}
