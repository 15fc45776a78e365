package import BAPackKit
import FoundationEssentials
import SystemIO
import TerminalText
import Transfers

/// Where the service is: Apple's, or a mock or a proxy that somebody named.
package struct ServiceAddress: Sendable, Hashable, CustomStringConvertible {
  /// The host in lower case, and its port where that is not the usual one.
  package let hostAndPort: String
  /// What every path is put behind; it has no slash at its end.
  private let base: String

  /// Apple's own.
  package static let apple = ServiceAddress(
    hostAndPort: appleHost, base: "https://\(appleHost)")
  private static let appleHost = "api.appstoreconnect.apple.com"

  package var isApple: Bool { hostAndPort == Self.appleHost }
  package var description: String { base }

  private init(hostAndPort: String, base: String) {
    self.hostAndPort = hostAndPort
    self.base = base
  }

  /// Reads an address: https, a host, perhaps a port and a path, and nothing else.
  package init(_ text: String) throws(PackError) {
    guard let parts = URLComponents(string: text, encodingInvalidCharacters: false),
      let place = Self.place(of: parts), parts.query == nil, parts.fragment == nil,
      parts.user == nil, parts.password == nil
    else {
      throw PackError(
        .invalidValue,
        "this is no address of a service: https, a host, and perhaps a port are needed",
        remedy: "write it as https://localhost:8443; tokens are sent over https only")
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

  /// The address of a path with its parameters; their values may have any signs in them.
  func url(_ path: String, _ parameters: [(name: String, value: String)] = []) -> String {
    // Commas join the elements of a list.
    let query = parameters.map {
      percentEncoded($0.name.utf8, keeping: ",") + "=" + percentEncoded($0.value.utf8, keeping: ",")
    }
    return base + path + (query.isEmpty ? "" : "?" + query.joined(separator: "&"))
  }

  /// Whether an address that the service named is its own: a token goes nowhere else.
  func isOwn(_ text: String) -> Bool {
    guard let parts = URLComponents(string: text, encodingInvalidCharacters: false) else {
      return false
    }
    return Self.place(of: parts) == hostAndPort && parts.user == nil && parts.password == nil
  }

  /// The host of any address, for a message; what else stands in it may be a secret.
  static func host(of text: String) -> String {
    URLComponents(string: text, encodingInvalidCharacters: false)?.host ?? "another host"
  }
}

/// An address that lets in whoever knows it: where one part of a file goes.
///
/// There is no way to its text but to make the request: no description, no mirror and no journal
/// has it.
package struct SignedAddress: Sendable, Equatable, CustomStringConvertible,
  CustomDebugStringConvertible, CustomReflectable
{
  private let text: String

  init(_ text: String) { self.text = text }

  package var description: String { "an address at \(host)" }
  package var debugDescription: String { description }
  package var customMirror: Mirror { Mirror(self, children: ["host": host]) }

  /// Whom it belongs to; that is no secret.
  package var host: String { ServiceAddress.host(of: text) }
  /// Whether it is one that may be used at all.
  var isSecure: Bool { URLComponents(string: text)?.scheme?.lowercased() == "https" }

  /// The request that brings bytes there.
  func exchange(_ method: String, _ fields: [HeaderField], _ body: Exchange.Body) -> Exchange {
    Exchange(method, text, fields: fields, body: body)
  }
}
