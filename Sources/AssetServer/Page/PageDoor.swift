package import HTTPServer
package import SystemIO

/// Access to the page with its switches: for programs and pages of this machine.
///
/// Behind a forwarded port (`ssh -L 9000:localhost:8481`) a browser uses another port.
package struct PageDoor: Sendable {
  private let token: [UInt8]

  package init(token: String) { self.token = Array(token.utf8) }

  /// The reason to refuse a request; nil if it is allowed.
  package func refusal(
    of head: RequestHead, from peer: SocketAddress, at own: SocketAddress
  ) -> String? {
    guard peer.isLoopback else { return "this page is only for the machine of the server" }
    return head.foreignSiteReason(isSecure: false).map {
      "\($0); open http://127.0.0.1:\(own.port)/"
    }
  }

  /// Whether the value of `Authorization` holds the token: `Bearer TOKEN`.
  package func admits(_ value: String?) -> Bool {
    guard let parts = value?.split(separator: " ", maxSplits: 1), parts.count == 2,
      parts[0].lowercased() == "bearer"
    else { return false }
    return isSameSecret(Array(parts[1].utf8), token)
  }
}
