import SystemIO

/// The proxies from the environment.
package struct Proxies: Sendable, Equatable {
  /// The proxy for http URLs: `http_proxy`.
  package var http: String?
  /// The proxy for https URLs, through a tunnel: `https_proxy`.
  package var https: String?
  /// The hosts that are accessed without a proxy: `no_proxy`, names with their subdomains and
  /// addresses, or `*`.
  package var exceptions: String?

  /// Creates an empty value: no proxies.
  package init() {}

  /// The proxies from the environment, in lower or upper case.
  ///
  /// `HTTP_PROXY` is ignored: in a CGI program, clients can set it.
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

  /// The proxy for a URL, for messages; nil without a proxy.
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
