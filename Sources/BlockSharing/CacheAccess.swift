package import BAPackKit
import FoundationEssentials
import SystemIO
import TerminalText
import Transfers

/// The address of a server that speaks the HTTP cache protocol of Bazel.
package struct CacheAddress: Sendable, Equatable, CustomStringConvertible {
  private let base: String
  let address: WebAddress

  package var description: String { base }

  /// Whether a word is meant to be an address, of whatever kind, and not a folder.
  package static func isMeant(by word: String) -> Bool {
    guard let colon = word.utf8.firstRange(of: "://".utf8) else { return false }
    let scheme = word[..<colon.lowerBound]
    return !scheme.isEmpty
      && scheme.utf8.allSatisfy { $0.isLetterOrDigit || "+-.".utf8.contains($0) }
  }

  /// Reads an address: http or https, a host, perhaps a port and folders, and nothing else.
  package init(_ text: String) throws(PackError) {
    guard let address = WebAddress(text), !address.hasQueryOrFragment, !address.hasUser else {
      throw PackError(
        .invalidValue, "this is no address of a cache: http or https and a host are needed",
        remedy: """
          write it as https://cache.example.com/folder; names and passwords come from the \
          environment
          """)
    }
    var base = text[...]
    while base.utf8.last == slash { base = base.dropLast() }
    self.base = String(base)
    self.address = address
  }

  /// Its scheme, host and port, as BA_CACHE_ORIGIN names servers.
  package var origin: String { address.origin }

  /// Where the entry of a name is.
  func url(_ name: String) -> String { "\(base)/ac/\(name)" }
}

/// What lets us into a server, and what shows that entries come from us: secrets of the
/// environment.
package struct CacheAccess: Sendable {
  /// The fields that go to the server.
  let fields: [HeaderField]
  /// What entries are authenticated with.
  let secret: [UInt8]?
  /// Why there are credentials that do not go to this server.
  package let withheld: String?

  /// Nobody is let in, and anything is believed that decodes to the right block.
  package static let none = CacheAccess()

  private init() {
    fields = []
    secret = nil
    withheld = nil
  }

  /// Looks for secrets.
  ///
  /// A server may be named by a file that comes with a project; so credentials go to no server but
  /// the one that the environment names, too.
  package init(
    to server: CacheAddress, environment: (String) -> String?
  ) throws(PackError) {
    func value(_ name: String) -> String? { environment(name).flatMap { $0.isEmpty ? nil : $0 } }
    // A key from a file often has the end of its line with it.
    secret = value("BA_CACHE_KEY").map { key in
      Array(key.utf8.reversed().drop { $0 == 0x0A || $0 == 0x0D }.reversed())
    }
    if let secret, secret.count < Self.shortestSecret {
      throw PackError(
        .invalidValue,
        "BA_CACHE_KEY has less than \(Self.shortestSecret) signs: it could be guessed",
        remedy: "make one with 'openssl rand -hex 32'")
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
        ?? "BA_CACHE_ORIGIN does not say which server they are for"
  }

  private static let shortestSecret = 16

  /// Whether the environment names this server, too; a file that comes with a project can name any.
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
        .invalidValue, "BA_CACHE_ORIGIN is no origin of a server",
        remedy: "write it as https://cache.example.com")
    }
    return named.origin
  }

  /// The value of the field that lets us in.
  private static func credentials(_ value: (String) -> String?) throws(PackError) -> String? {
    let (token, user) = (value("BA_CACHE_TOKEN"), value("BA_CACHE_USER"))
    if token != nil, user != nil {
      throw PackError(
        .conflict, "BA_CACHE_TOKEN and BA_CACHE_USER are both set", remedy: "unset one of them")
    }
    if let token {
      guard token.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
        throw PackError(
          .invalidValue, "BA_CACHE_TOKEN is not one word",
          remedy: "set it to the token alone, without 'Bearer' and without line ends")
      }
      return "Bearer \(token)"
    }
    guard let user else { return nil }
    guard !user.contains(":") else {
      throw PackError(.invalidValue, "BA_CACHE_USER has a colon in it")
    }
    let pair = "\(user):\(value("BA_CACHE_PASSWORD") ?? "")"
    return "Basic \(Data(pair.utf8).base64EncodedString())"
  }
}
