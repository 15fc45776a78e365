package import BAPackKit
import FoundationEssentials
import SystemIO
import TerminalText
import Transfers

/// The address of the service: that of Apple, a mock or a proxy.
package struct ServiceAddress: Sendable, Hashable, CustomStringConvertible {
  /// The host in lower case, with the port if it is not 443.
  package let hostAndPort: String
  /// The prefix of all paths, without a slash at its end.
  private let base: String

  package static let apple = ServiceAddress(
    hostAndPort: appleHost, base: "https://\(appleHost)")
  private static let appleHost = "api.appstoreconnect.apple.com"

  package var isApple: Bool { hostAndPort == Self.appleHost }
  package var description: String { base }

  private init(hostAndPort: String, base: String) {
    self.hostAndPort = hostAndPort
    self.base = base
  }

  /// Parses an address: https, a host, an optional port and an optional path.
  package init(_ text: String) throws(PackError) {
    guard let parts = URLComponents(string: text, encodingInvalidCharacters: false),
      let place = Self.place(of: parts), parts.query == nil, parts.fragment == nil,
      parts.user == nil, parts.password == nil
    else {
      throw PackError(
        .invalidValue,
        "invalid service address: expected https, a host and an optional port",
        remedy: "use an address such as https://localhost:8443; tokens are sent over https only")
    }
    var path = parts.percentEncodedPath[...]
    while path.utf8.last == slash { path = path.dropLast() }
    self.init(hostAndPort: place, base: "https://\(place)\(path)")
  }

  private static func place(of parts: URLComponents) -> String? {
    guard parts.scheme?.lowercased() == "https", let host = parts.host?.lowercased(),
      !host.isEmpty, (1...65_535).contains(parts.port ?? 443)
    else { return nil }
    let isBare = host.contains(":") && host.utf8.first != UInt8(ascii: "[")
    let shown = isBare ? "[\(host)]" : host
    return parts.port.map { $0 == 443 ? shown : "\(shown):\($0)" } ?? shown
  }

  /// Returns the URL of a path with percent-encoded parameters.
  func url(_ path: String, _ parameters: [(name: String, value: String)] = []) -> String {
    // Commas join the elements of a list.
    let query = parameters.map {
      percentEncoded($0.name.utf8, keeping: ",") + "=" + percentEncoded($0.value.utf8, keeping: ",")
    }
    return base + path + (query.isEmpty ? "" : "?" + query.joined(separator: "&"))
  }

  /// Whether a URL from a response has the host of the service: tokens are sent only there.
  func isOwn(_ text: String) -> Bool {
    guard let parts = URLComponents(string: text, encodingInvalidCharacters: false) else {
      return false
    }
    return Self.place(of: parts) == hostAndPort && parts.user == nil && parts.password == nil
  }

  /// Returns the host of a URL for messages; other parts can be secret.
  static func host(of text: String) -> String {
    URLComponents(string: text, encodingInvalidCharacters: false)?.host ?? "another host"
  }
}

/// The address of an upload operation, which permits the upload without a token.
///
/// Its text is a secret: it is used only in the request, and never in descriptions, mirrors and
/// journals.
package struct SignedAddress: Sendable, Equatable, CustomStringConvertible,
  CustomDebugStringConvertible, CustomReflectable
{
  private let text: String

  init(_ text: String) { self.text = text }

  package var description: String { "an address at \(host)" }
  package var debugDescription: String { description }
  package var customMirror: Mirror { Mirror(self, children: ["host": host]) }

  /// The host, which is not a secret.
  package var host: String { ServiceAddress.host(of: text) }
  /// The texts of the address that permit the upload: its path, and the values of its query, in
  /// both forms.
  var secrets: [String] {
    guard let parts = URLComponents(string: text) else { return [text] }
    let values = (parts.queryItems ?? []) + (parts.percentEncodedQueryItems ?? [])
    return [parts.path, parts.percentEncodedPath] + values.compactMap(\.value)
  }
  /// Whether the address uses https.
  var isSecure: Bool { URLComponents(string: text)?.scheme?.lowercased() == "https" }

  /// Returns the request that uploads bytes to the address.
  func exchange(_ method: String, _ fields: [HeaderField], _ body: Exchange.Body) -> Exchange {
    Exchange(method, text, fields: fields, body: body)
  }
}
