package import BAPackKit
import FoundationEssentials
import SystemIO
import TerminalText
import Transfers

/// The address of a server with the Bazel HTTP cache protocol.
package struct CacheAddress: Sendable, Equatable, CustomStringConvertible {
  private let base: String
  let address: WebAddress

  package var description: String { base }

  /// Whether a text is an address with any scheme, and not a folder.
  package static func isMeant(by word: String) -> Bool {
    guard let colon = word.utf8.firstRange(of: "://".utf8) else { return false }
    let scheme = word[..<colon.lowerBound]
    return !scheme.isEmpty
      && scheme.utf8.allSatisfy { $0.isLetterOrDigit || "+-.".utf8.contains($0) }
  }

  /// Parses an address: http or https, a host, and optionally a port and folders.
  package init(_ text: String) throws(PackError) {
    guard let address = WebAddress(text), !address.hasQueryOrFragment, !address.hasUser else {
      throw PackError(
        .invalidValue, "invalid cache address: expected http or https and a host",
        remedy: """
          write it as https://cache.example.com/folder; set names and passwords in the \
          environment
          """)
    }
    var base = text[...]
    while base.utf8.last == slash { base = base.dropLast() }
    self.base = String(base)
    self.address = address
  }

  /// The scheme, host and port of the server, in the format of BA_CACHE_ORIGIN.
  package var origin: String { address.origin }

  /// Returns the address of an entry.
  func url(_ name: String) -> String { "\(base)/ac/\(name)" }
}

/// The credentials for a server, and the key that authenticates entries.
///
/// Both come from the environment.
package struct CacheAccess: Sendable {
  /// The header fields for requests to the server.
  let fields: [HeaderField]
  /// The key that authenticates entries.
  let secret: [UInt8]?
  /// The reason why the credentials are not sent to this server; nil if they are sent.
  package let withheld: String?

  /// No credentials, and no authentication: every entry that decodes to the right block is
  /// accepted.
  package static let none = CacheAccess()

  private init() {
    fields = []
    secret = nil
    withheld = nil
  }

  /// Reads the secrets from the environment.
  ///
  /// A project file may name a server. Therefore, credentials are sent only to the server that the
  /// environment names, too.
  package init(
    to server: CacheAddress, environment: (String) -> String?
  ) throws(PackError) {
    func value(_ name: String) -> String? { environment(name).flatMap { $0.isEmpty ? nil : $0 } }
    // A key from a file often ends with a line break.
    secret = value("BA_CACHE_KEY").map { key in
      Array(key.utf8.reversed().drop { $0 == 0x0A || $0 == 0x0D }.reversed())
    }
    if let secret, secret.count < Self.shortestSecret {
      throw PackError(
        .invalidValue,
        "BA_CACHE_KEY has less than \(Self.shortestSecret) characters and is easy to guess",
        remedy: "generate a key with 'openssl rand -hex 32'")
    }
    let named = try Self.namedOrigin(environment)
    guard let credentials = try Self.credentials(value) else {
      fields = []
      withheld = nil
      return
    }
    let isMeant = named == server.origin
    fields = isMeant ? [HeaderField("Authorization", credentials)] : []
    withheld =
      isMeant
      ? nil
      : named.map { "BA_CACHE_ORIGIN names \($0)" }
        ?? "BA_CACHE_ORIGIN does not name the server of the credentials"
  }

  private static let shortestSecret = 16

  /// Whether the environment names this server, too; a project file can name any server.
  package static func isNamed(
    _ server: CacheAddress, in environment: (String) -> String?
  ) throws(PackError) -> Bool {
    try namedOrigin(environment) == server.origin
  }

  private static func namedOrigin(
    _ environment: (String) -> String?
  ) throws(PackError) -> String? {
    guard let text = environment("BA_CACHE_ORIGIN"), !text.isEmpty else { return nil }
    guard let named = WebAddress(text), !named.hasUser, !named.hasQueryOrFragment,
      named.path.isEmpty
    else {
      throw PackError(
        .invalidValue, "BA_CACHE_ORIGIN is not the origin of a server",
        remedy: "write it as https://cache.example.com")
    }
    return named.origin
  }

  /// Returns the value of the authorization field.
  private static func credentials(_ value: (String) -> String?) throws(PackError) -> String? {
    let (token, user) = (value("BA_CACHE_TOKEN"), value("BA_CACHE_USER"))
    if token != nil, user != nil {
      throw PackError(
        .conflict, "BA_CACHE_TOKEN and BA_CACHE_USER are both set", remedy: "unset one of them")
    }
    if let token {
      guard token.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
        throw PackError(
          .invalidValue, "BA_CACHE_TOKEN is not a single word",
          remedy: "set it to the token without 'Bearer' and line breaks")
      }
      return "Bearer \(token)"
    }
    guard let user else { return nil }
    guard !user.contains(":") else {
      throw PackError(.invalidValue, "BA_CACHE_USER contains a colon")
    }
    let pair = "\(user):\(value("BA_CACHE_PASSWORD") ?? "")"
    return "Basic \(Data(pair.utf8).base64EncodedString())"
  }
}
