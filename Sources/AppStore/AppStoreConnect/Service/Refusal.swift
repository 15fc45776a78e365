package import BAPackKit
import Glibc
import SourceDiagnostics
import SystemIO
import TerminalText
import Transfers

extension ServiceError {
  /// Whether the same request may succeed later without a change by the user.
  var isTransient: Bool {
    switch self {
    case .refused(let refusal): Transient.includes(status: refusal.status)
    case .lost(let error), .failed(let error):
      [PackError.Kind.timedOut, .unknownHost, .transfer].contains(error.kind)
        || error.kind.status.map { Transient.includes(status: $0) }
          ?? error.kind.systemError.map { Self.networkErrors.contains($0) } ?? false
    }
  }

  /// The system errors about connections; errors about files or memory are not transient.
  private static let networkErrors: Set<Int32> = [
    ECONNREFUSED, ECONNRESET, ECONNABORTED, EPIPE, ENETDOWN, ENETUNREACH, EHOSTDOWN, EHOSTUNREACH,
    ETIMEDOUT,
  ]
}

extension Failure {
  /// Whether the service may have received the request, although there is no response.
  var mayHaveArrived: Bool {
    switch transferError {
    case .distrusted, .encryption, .badAddress, .proxyStatus: return false
    default: break
    }
    return switch kind {
    case .unresolved, .refused(.call(.connect), _), .timedOut(.call(.connect)): false
    // After a stop no more requests are sent; the next run queries the outcome.
    case .outOfMemory, .malformed, .interrupted: false
    default: true
    }
  }

  /// Whether another attempt may succeed.
  func isTransient(wasReached: Bool) -> Bool {
    switch transferError {
    case .cutOff: return true
    case .encryption: return wasReached
    default: break
    }
    return switch kind {
    case .unresolved, .refused(.call(.connect), _), .timedOut(.call(.connect)): wasReached
    case .timedOut: true
    default: false
    }
  }
}

/// An error response of the service.
package struct Refusal: Sendable, Equatable {
  package let status: Int
  /// The errors of the response, including associated errors.
  package let errors: [Item]
  /// The truncated text of a response without errors.
  package let text: String
  /// The duration by which the clock of this computer is ahead of the service's, if that may be the
  /// cause.
  var clockDifference: Duration?

  /// One error, as reported by the service.
  package struct Item: Sendable, Equatable {
    package let code: String
    package let title: String
    package let detail: String
    /// The part of the request with the error: `/data/attributes/assetPackIdentifier`.
    package let source: String
    /// Whether the error is an associated error of another one.
    package let isAssociated: Bool
  }

  /// Whether an error has this code, or a code that begins with it and a dot.
  func has(_ start: String) -> Bool {
    errors.contains { $0.code == start || $0.code.hasPrefix("\(start).") }
  }

  /// Whether bytes of a file are missing; the start of the code is undocumented.
  var lacksContent: Bool { errors.contains { $0.code.hasSuffix("CONTENT_NOT_UPLOADED") } }
  /// Whether the service refuses the checksum, or an attribute that it does not name.
  ///
  /// The checksum is the only attribute that the service may refuse.
  var isAboutChecksum: Bool {
    guard [400, 409, 422].contains(status) else { return false }
    return errors.contains { item in
      [item.source, item.detail, item.title].contains { $0.lowercased().contains("checksum") }
        || (item.source.isEmpty && item.code.hasPrefix("ENTITY_ERROR.ATTRIBUTE"))
    }
  }
  /// Whether the service accepts the form of the checksum, but computed another value.
  var disputesChecksum: Bool { errors.contains { $0.source.hasSuffix("/file/hash") } }
  /// Whether a resource with this name already exists.
  var isDuplicate: Bool { has("ENTITY_ERROR.ATTRIBUTE.INVALID.DUPLICATE") }
}

extension Refusal {
  /// Parses a response, and removes secrets from its texts.
  init(_ response: HTTPResponse, _ root: JSONNode?, _ secrets: Secrets) {
    status = response.status
    var items: [Item] = []
    func add(_ node: JSONNode, associated isAssociated: Bool, depth: Int) {
      guard items.count < 100, depth < 8 else { return }
      func shown(_ text: String?) -> String {
        secrets.removed(from: text ?? "", upTo: Secrets.longestDetail)
      }
      let source = node["source"]?["pointer"] ?? node["source"]?["parameter"]
      items.append(
        Item(
          code: shown(node["code"]?.string), title: shown(node["title"]?.string),
          detail: shown(node["detail"]?.string), source: shown(source?.string),
          isAssociated: isAssociated))
      for member in node["meta"]?["associatedErrors"].map({ Array($0.members) }) ?? [] {
        for error in member.value.elements { add(error, associated: true, depth: depth + 1) }
      }
    }
    for node in root?["errors"].map({ Array($0.elements) }) ?? [] {
      add(node, associated: false, depth: 0)
    }
    errors = items
    let body = String(decoding: response.body.prefix(Secrets.longestText), as: UTF8.self)
    text = items.isEmpty ? secrets.removed(from: body, upTo: 200) : ""
  }

  /// The errors in one line.
  package var phrase: String {
    guard !errors.isEmpty else {
      let status = "\(status) \(HTTPStatus.phrase(for: status))"
      return text.isEmpty ? status : "\(status): \(text)"
    }
    return errors.map { item in
      var phrase = item.detail.isEmpty ? item.title : item.detail
      if phrase.isEmpty { phrase = "no reason was given" }
      let place = item.source.isEmpty ? "" : " at \(item.source)"
      return "\(phrase) (\(status) \(item.code)\(place))"
    }.joined(separator: "; ")
  }

  /// Returns the error for a failed task, with the errors of the service and the remedies.
  package func error(_ task: String) -> PackError {
    PackError(
      .server(status: status), "cannot \(task): App Store Connect reported: \(phrase)",
      remedies: remedies)
  }

  package var remedies: [Remedy] {
    let known =
      ServiceAdvice.all.first { $0.fits(self) }.map { $0.remedies }
      ?? (Transient.includes(status: status) ? [ServiceAdvice.later] : [])
    guard let seconds = clockDifference?.components.seconds else { return known }
    let sign = seconds > 0 ? "+" : "-"
    return [
      .advice(
        "correct the clock of this computer: it is off by \(sign)\(seconds.magnitude) s"
      )
    ] + known.prefix(1)
  }
}

/// The remedies for an error, from the documentation of Apple and the experience of developers.
struct ServiceAdvice {
  let status: ClosedRange<Int>
  let code: String
  let source: String
  let remedies: [Remedy]

  init(
    _ status: ClosedRange<Int>, code: String = "", source: String = "", _ remedies: Remedy...
  ) {
    self.status = status
    self.code = code
    self.source = source
    self.remedies = remedies
  }

  func fits(_ refusal: Refusal) -> Bool {
    guard status.contains(refusal.status) else { return false }
    if code.isEmpty, source.isEmpty { return true }
    return refusal.errors.contains { item in
      (code.isEmpty || item.code == code || item.code.hasPrefix("\(code).")
        || item.code.hasSuffix(".\(code)"))
        && item.source.contains(source)
    }
  }

  private static let grammar: Remedy =
    "use a pack ID of letters and digits, with '-' only between them (ITMS-91133), and pack again"
  private static let newer: Remedy =
    "update this program: the service requires a feature that this version does not have"

  /// All entries; the first match is used.
  static let all: [ServiceAdvice] = [
    .init(400...400, source: "assetPackIdentifier", grammar),
    .init(400...400, code: "PARAMETER_ERROR.ILLEGAL", newer),
    .init(400...400, code: "PARAMETER_ERROR", newer),
    .init(
      401...401,
      """
      check that the key ID, the issuer ID and the file match, and that the key is not \
      revoked
      """,
      "correct the clock of this computer"),
    .init(
      403...403,
      "assign the role Admin, App Manager or Developer to the key, with access to this app",
      "check App Store Connect for agreements that the account holder must accept"),
    .init(404...404, "check the app's Apple ID, and that the key has access to the app"),
    .init(
      409...409, code: "CONTENT_NOT_UPLOADED",
      "run the command again: it uploads the missing parts"),
    .init(
      409...409, code: "ENTITY_ERROR.ATTRIBUTE.INVALID.DUPLICATE",
      "use another ID: the ID of an archived pack cannot be used again"),
    .init(
      409...409, code: "ENTITY_ERROR.ATTRIBUTE.INVALID", source: "assetPackIdentifier", grammar),
    .init(
      409...409, code: "ENTITY_ERROR.ATTRIBUTE.INVALID", source: "sourceFileChecksum",
      "omit the checksum: the service accepts files without it"),
    .init(409...409, code: "ENTITY_ERROR.ATTRIBUTE", newer),
    .init(409...409, code: "ENTITY_ERROR.RELATIONSHIP", newer),
    .init(409...409, code: "ENTITY_ERROR.UNEXPECTED_ID", newer),
    .init(
      409...409, code: "STATE_ERROR",
      "check the state of the pack: an archived pack, or one in review, cannot be changed"),
    .init(409...409, "check the app and its packs in App Store Connect"),
    .init(422...422, newer),
    .init(
      429...429,
      "wait: the service limits the requests of a key per hour, including those of other programs"),
  ]

  /// The remedy for transient statuses without an entry.
  static let later: Remedy =
    "try again later; https://developer.apple.com/system-status/ shows outages"
}

/// The remedies for findings of the service about a pack, by their numbers.
package enum ProcessingAdvice {
  /// Returns the remedy for a finding; nil if none is documented.
  package static func remedy(for code: String) -> String? {
    let digits = code.hasPrefix("ITMS-") ? String(code.dropFirst(5)) : code
    return known[digits]
  }

  private static let known = [
    "91133": "the ID can contain only letters and digits, with '-' only between them",
    "91139":
      """
    the manifest contains a platform that the app does not support; this is harmless, but the \
    platform can be removed
    """,
    "91140": "'onDemand' must be an empty object, not null; pack again with this program",
    "91148":
      """
    an earlier version was for more platforms: devices on the missing platforms no longer get the \
    pack
    """,
    "-19247": "this archive was already delivered",
  ]
}
