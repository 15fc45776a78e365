import BlockCodecs
import SourceDiagnostics
package import SystemIO
import TerminalText

// The requests of App Store Connect to a webhook.

/// The secret of a webhook, with which App Store Connect signs the body of each request.
package struct WebhookSecret: Sendable, CustomStringConvertible, CustomReflectable {
  private let bytes: [UInt8]

  package var description: String { "a webhook secret" }
  package var customMirror: Mirror { Mirror(self, children: []) }

  /// The header field of the signature.
  package static let field = "x-apple-signature"
  /// The beginning of a signature in one of its two forms; the other one has only the digits.
  package static let prefix = "hmacsha256="

  /// Creates a secret from a text; nil if it is empty without the white space at its ends.
  package init?(_ text: String) {
    let trimmed = text.drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed()
    guard !trimmed.isEmpty else { return nil }
    bytes = Array(String(trimmed).utf8)
  }

  /// Returns the signature of a body: 64 hexadecimal digits.
  package func signature(of body: [UInt8]) throws(Failure) -> String {
    hexadecimal(try authenticationCode(of: body, key: bytes))
  }

  /// Returns whether a signature, in either of its forms, is that of a body.
  package func admits(_ signature: String?, of body: [UInt8]) throws(Failure) -> Bool {
    guard let signature else { return false }
    let given = signature.lowercased()
    let digits = given.hasPrefix(Self.prefix) ? given.dropFirst(Self.prefix.count) : given[...]
    return isSameSecret(Array(digits.utf8), Array(try self.signature(of: body).utf8))
  }
}

/// A change in App Store Connect, as a webhook receives it.
package struct WebhookEvent: Sendable, Equatable {
  package let id: String
  /// The type, for example `backgroundAssetVersionStateUpdated`.
  package let type: String
  package let time: String?
  package let oldState: StateName?
  package let newState: StateName?
  /// The ID of the resource that changed.
  package let instance: ResourceID?

  /// Whether it is about a version of a pack.
  package var isAboutPacks: Bool { type.hasPrefix("backgroundAssetVersion") }

  /// Reads the body of a request; nil if it is not an event.
  ///
  /// Texts with control characters are left out: they are passed on in environment variables.
  package init?(_ body: [UInt8]) {
    let document = JSONDocument(parsing: SourceText(body, named: ""))
    func text(_ node: JSONNode?) -> String? {
      node?.string.flatMap { text in
        text.utf8.count <= 256 && text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F } ? text : nil
      }
    }
    guard !document.findings.hasErrors, let data = document.root?["data"],
      let type = text(data["type"]), let id = text(data["id"])
    else { return nil }
    self.type = type
    self.id = id
    let attributes = data["attributes"]
    time = text(attributes?["timestamp"])
    oldState = text(attributes?["oldState"]).map { StateName($0) }
    newState = text(attributes?["newState"]).map { StateName($0) }
    // Events about packs have the resource here; others have it in a member 'data'.
    let related = data["relationships"]?["instance"]
    let instance = related?["data"] ?? related
    self.instance = text(instance?["id"]).flatMap { ResourceID($0) }
  }
}
