import SystemIO
import TerminalText

extension RequestHead {
  /// Returns the reason to refuse a request to an interface for local programs and pages only; nil
  /// if the request is allowed.
  ///
  /// A local browser also runs pages of other sites. Such a page can resolve its own name to
  /// 127.0.0.1; then `Host` is that name. It can send a form; then `Origin` and `Sec-Fetch-Site`
  /// are those of the other site. Every port is allowed, because a port can be forwarded.
  ///
  /// - Parameter isSecure: Whether the request used TLS; `Origin` must then use `https`.
  package func foreignSiteReason(isSecure: Bool) -> String? {
    guard let host = host?.lowercased(), Self.isLoopback(host) else {
      return "'Host' is not a loopback name, such as localhost or 127.0.0.1"
    }
    if let origin = self["origin"],
      origin.lowercased() != "\(isSecure ? "https" : "http")://\(host)"
    {
      return "'Origin' is another site"
    }
    if let site = self["sec-fetch-site"], site != "same-origin", site != "none" {
      return "the request comes from another site"
    }
    return nil
  }

  /// Returns whether every browser resolves a host name, with or without a port, to the computer on
  /// which the browser runs.
  package static func isLoopback(_ host: String) -> Bool {
    let isVersion6 = host.hasPrefix("[")
    let end =
      isVersion6 ? host.firstIndex(of: "]").map(host.index(after:)) : host.firstIndex(of: ":")
    if isVersion6, end == nil { return false }
    let port = host[(end ?? host.endIndex)...]
    guard port.isEmpty || port.first == ":" && isPort(port.dropFirst()) else { return false }
    let name = host[..<(end ?? host.endIndex)]
    if name == "localhost" || name.hasSuffix(".localhost") { return true }
    let address = SocketAddress(String(isVersion6 ? name.dropFirst().dropLast() : name), port: 0)
    return address.map { $0.isLoopback && $0.isVersion6 == isVersion6 } ?? false
  }

  private static func isPort(_ text: Substring) -> Bool {
    text.utf8.allSatisfy(\.isDigit) && UInt16(text) != nil
  }
}
