import FoundationEssentials

/// An `http` or `https` address.
package struct WebAddress: Sendable, Equatable {
  /// The host in lower case, without brackets around an IP address.
  package let host: String
  /// Whether it is `https`.
  package let isSecure: Bool
  package let port: Int
  /// Whether it contains a user name or a password.
  package let hasUser: Bool
  package let hasQueryOrFragment: Bool
  /// The components of the path, without percent-encoding.
  package let path: [String]
  /// The last component of the path: the name of the file on the server.
  package var fileName: String { path.last ?? "" }
  /// The scheme, the host and the port.
  package var origin: String {
    "\(isSecure ? "https" : "http")://\(host.contains(":") ? "[\(host)]" : host):\(port)"
  }

  /// Parses an address; nil if it is not a complete `http` or `https` address.
  package init?(_ text: String) {
    guard let parts = URLComponents(string: text, encodingInvalidCharacters: false),
      let scheme = parts.scheme?.lowercased(), scheme == "https" || scheme == "http",
      let host = parts.host?.lowercased(), !host.isEmpty, (1...65_535).contains(parts.port ?? 443)
    else { return nil }
    self.host = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
    isSecure = scheme == "https"
    port = parts.port ?? (scheme == "https" ? 443 : 80)
    hasUser = parts.user != nil || parts.password != nil
    hasQueryOrFragment = parts.query != nil || parts.fragment != nil
    path = parts.percentEncodedPath.split(separator: "/").map {
      // Components are decoded separately, because `%2F` is not a separator.
      var component = URLComponents()
      component.percentEncodedPath = String($0)
      return component.path.isEmpty ? String($0) : component.path
    }
  }

  /// Parses an address of the command line.
  package init(
    _ text: String, called name: String, allowingHTTP: Bool
  ) throws(PackError) {
    guard let address = WebAddress(text) else {
      throw PackError(
        .invalidValue, "\(name) is not an address",
        remedy: "use the form https://downloads.example.com/packs, with percent-encoding")
    }
    guard address.isSecure || allowingHTTP else {
      throw PackError(
        .invalidValue, "\(name) is not https; devices download only over https",
        remedies: ["use https", .allowInsecureAddresses])
    }
    self = address
  }
}
