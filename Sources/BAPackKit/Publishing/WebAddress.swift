import FoundationEssentials

/// An address that a device can download from.
package struct WebAddress: Sendable, Equatable {
  /// The host in lower case, without brackets around an IP address.
  package let host: String
  /// Whether it is `https`.
  package let isSecure: Bool
  package let hasQueryOrFragment: Bool
  /// The components of the path, decoded.
  package let path: [String]
  /// The last component of the path: what a server would call the file.
  package var fileName: String { path.last ?? "" }

  /// Takes an address apart; nil when it is not a whole `http` or `https` address.
  package init?(_ text: String) {
    guard let parts = URLComponents(string: text, encodingInvalidCharacters: false),
      let scheme = parts.scheme?.lowercased(), scheme == "https" || scheme == "http",
      let host = parts.host?.lowercased(), !host.isEmpty, (1...65_535).contains(parts.port ?? 443)
    else { return nil }
    self.host = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
    isSecure = scheme == "https"
    hasQueryOrFragment = parts.query != nil || parts.fragment != nil
    path = parts.percentEncodedPath.split(separator: "/").map {
      // Each by itself: a slash that is written as '%2F' does not end a component.
      var component = URLComponents()
      component.percentEncodedPath = String($0)
      return component.path.isEmpty ? String($0) : component.path
    }
  }

  /// Takes an address apart that somebody gave on a command line.
  package init(
    _ text: String, called name: String, allowingHTTP: Bool
  ) throws(PackError) {
    guard let address = WebAddress(text) else {
      throw PackError(
        .unsupported, "\(name) is not an address",
        remedy: "write it as https://downloads.example.com/packs, other signs percent-encoded")
    }
    guard address.isSecure || allowingHTTP else {
      throw PackError(
        .unsupported, "\(name) is not https, and devices download over https only",
        remedies: ["use https", .allowInsecureAddresses])
    }
    self = address
  }
}
