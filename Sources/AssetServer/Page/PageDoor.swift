package import HTTPServer
package import SystemIO

/// Whom the page with its switches is open to: programs on this machine that call it by a loopback name,
/// and no page of anybody else.
///
/// The port is any: behind a forwarded one (`ssh -L 9000:localhost:8481`) a browser calls it by another.
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
    guard let host = head.host?.lowercased(), Self.isLoopback(host) else {
      return "'Host' is no loopback name of this machine; open \(address)"
    }
    if let origin = head["origin"], origin.lowercased() != "http://\(host)" {
      return "a page from elsewhere may use nothing here; open \(address)"
    }
    if let site = head["sec-fetch-site"], site != "same-origin", site != "none" {
      return "a page from elsewhere led here; type the address \(address)"
    }
    return nil
  }

  /// Whether a host, with or without a port, is this machine for every browser: no name that somebody else
  /// can make lead here.
  private static func isLoopback(_ host: String) -> Bool {
    let isVersion6 = host.hasPrefix("[")
    let end =
      isVersion6 ? host.firstIndex(of: "]").map(host.index(after:)) : host.firstIndex(of: ":")
    if isVersion6, end == nil { return false }
    let port = host[(end ?? host.endIndex)...]
    guard port.isEmpty || port.first == ":" && port.dropFirst().utf8.allSatisfy(isDigit) else {
      return false
    }
    let name = host[..<(end ?? host.endIndex)]
    if name == "localhost" || name.hasSuffix(".localhost") { return true }
    let address = SocketAddress(String(isVersion6 ? name.dropFirst().dropLast() : name), port: 0)
    return address.map { $0.isLoopback && $0.isVersion6 == isVersion6 } ?? false
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
  }

  /// Whether the value of `Authorization` holds the token: `Bearer TOKEN`.
  package func admits(_ value: String?) -> Bool {
    guard let parts = value?.split(separator: " ", maxSplits: 1), parts.count == 2,
      parts[0].lowercased() == "bearer"
    else { return false }
    return isSecret(Array(parts[1].utf8), token)
  }
}
