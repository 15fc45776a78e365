import SystemIO

/// What stands between us and servers, as the environment says it, or nobody.
package struct Proxies: Sendable, Equatable {
  /// For addresses without encryption: `http_proxy`.
  package var http: String?
  /// For encrypted ones, through a tunnel: `https_proxy`.
  package var https: String?
  /// The hosts that are reached without: `no_proxy`, names with their subdomains and addresses, or `*`.
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
}
