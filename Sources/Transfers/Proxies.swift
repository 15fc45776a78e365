import SystemIO

/// What stands between us and servers, as the environment says it, or nobody.
package struct Proxies: Sendable, Equatable {
  /// For addresses without encryption: `http_proxy`.
  package var http: String?
  /// For encrypted ones, through a tunnel: `https_proxy`.
  package var https: String?
  /// The hosts that are reached without: `no_proxy`, names with their subdomains and addresses, or
  /// `*`.
  package var exceptions: String?

  /// No proxy at all.
  package init() {}

  /// What the environment says, in small or in capital letters.
  ///
  /// `HTTP_PROXY` is not looked at: where a server runs programs, whoever asks can set that.
  package static var environment: Proxies {
    func value(_ names: String...) -> String? {
      names.lazy.compactMap { ProcessState.variable($0) }.first { !$0.isEmpty }
    }
    var proxies = Proxies()
    proxies.http = value("http_proxy", "all_proxy", "ALL_PROXY")
    proxies.https = value("https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY")
    proxies.exceptions = value("no_proxy", "NO_PROXY")
    return proxies
  }

  func proxy(for address: TransferAddress) -> String? { address.isSecure ? https : http }

  /// The proxy that an address is reached through, for a message; nil where none is.
  func shownProxy(for address: TransferAddress) -> String? {
    guard let proxy = proxy(for: address), !isException(address.host) else { return nil }
    var text = proxy[...]
    if let mark = text.lastIndex(of: "@") { text = text[text.index(after: mark)...] }
    if let range = text.firstRange(of: "://") { text = text[range.upperBound...] }
    return "the proxy \(text.prefix { $0 != "?" && $0 != "#" })"
  }

  private func isException(_ host: String) -> Bool {
    let host = host.lowercased()
    return (exceptions ?? "").split { $0 == "," || $0 == " " }.contains { item in
      let name = item.lowercased().drop { $0 == "." }
      return name == "*" || host == name || host.hasSuffix(".\(name)")
    }
  }
}
