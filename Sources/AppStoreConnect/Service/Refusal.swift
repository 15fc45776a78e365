package import BAPackKit
import Glibc
import SourceDiagnostics
import SystemIO
import TerminalText
import Transfers

extension ServiceTrouble {
  /// Whether the same request may succeed later without a change by the user.
  var isTransient: Bool {
    switch self {
    case .refused(let refusal): Self.isTransient(status: refusal.status)
    case .lost(let error), .failed(let error):
      switch error.kind {
      case .timedOut, .unknownHost, .transfer: true
      case .server(let status): Self.isTransient(status: status)
      case .system(let code): Self.networkErrors.contains(code)
      default: false
      }
    }
  }

  private static func isTransient(status: Int) -> Bool {
    status == 408 || status == 425 || status == 429 || (500...599).contains(status)
  }

  /// The system errors about connections; errors about files or memory are not transient.
  private static let networkErrors: Set<Int32> = [
    ECONNREFUSED, ECONNRESET, ECONNABORTED, EPIPE, ENETDOWN, ENETUNREACH, EHOSTDOWN, EHOSTUNREACH,
    ETIMEDOUT,
  ]
}

/// What the service says when it says no.
package struct Refusal: Sendable, Equatable {
  package let status: Int
  /// Its errors, and those that hide behind them.
  package let errors: [Item]
  /// What came instead of errors, shortened.
  package let text: String
  /// The duration by which this machine's clock is ahead of the service's, if that may be the
  /// cause.
  var clockDifference: Duration?

  /// One error, in the words of the service.
  package struct Item: Sendable, Equatable {
    package let code: String
    package let title: String
    package let detail: String
    /// The part of the request that it is about: `/data/attributes/assetPackIdentifier`.
    package let source: String
    /// Whether it stands behind another one.
    package let isAssociated: Bool
  }

  /// Whether a code of the service begins so; the ends of codes are not documented.
  func has(_ start: String) -> Bool {
    errors.contains { $0.code == start || $0.code.hasPrefix("\(start).") }
  }

  /// Whether it says that bytes of a file are missing; how the code begins is not known.
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
  /// Whether something of that name is there already.
  var isDuplicate: Bool { has("ENTITY_ERROR.ATTRIBUTE.INVALID.DUPLICATE") }
}

extension Refusal {
  /// Reads an answer; secrets are taken out of what it says.
  init(_ answer: HTTPResponse, _ root: JSONNode?, _ secrets: Secrets) {
    status = answer.status
    var items: [Item] = []
    func take(_ node: JSONNode, associated isAssociated: Bool, depth: Int) {
      guard items.count < 100, depth < 8 else { return }
      func text(_ name: String) -> String { secrets.removed(from: node[name]?.string ?? "") }
      let source = node["source"]?["pointer"]?.string ?? node["source"]?["parameter"]?.string
      items.append(
        Item(
          code: text("code"), title: text("title"), detail: text("detail"),
          source: secrets.removed(from: source ?? ""), isAssociated: isAssociated))
      for member in node["meta"]?["associatedErrors"].map({ Array($0.members) }) ?? [] {
        for error in member.value.elements { take(error, associated: true, depth: depth + 1) }
      }
    }
    for node in root?["errors"].map({ Array($0.elements) }) ?? [] {
      take(node, associated: false, depth: 0)
    }
    errors = items
    let start = String(decoding: answer.body.prefix(200), as: UTF8.self)
    text = items.isEmpty ? secrets.removed(from: start) : ""
  }

  /// What it says, in one line.
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

  /// The refusal as an error: what was asked for, what the service said, and what helps.
  package func error(_ task: String) -> PackError {
    PackError(
      .server(status: status), "App Store Connect refused to \(task): \(phrase)",
      remedies: remedies)
  }

  /// What helps.
  package var remedies: [Remedy] {
    let known = ServiceAdvice.all.first { $0.fits(self) }.map { $0.remedies } ?? []
    guard let seconds = clockDifference?.components.seconds else { return known }
    let place = seconds > 0 ? "ahead of" : "behind"
    return [
      .advice(
        "set the clock of this machine: it is \(seconds.magnitude) s \(place) the service's")
    ] + known.prefix(1)
  }
}

/// What helps against a refusal, as far as Apple or those who met it say.
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
    "give the pack an ID of letters, digits and inner '-' signs (ITMS-91133), and pack it again"
  private static let newer: Remedy =
    "look for a newer version of this program: the service wants what this one does not know"

  /// The first that fits is used.
  static let all: [ServiceAdvice] = [
    .init(400...400, source: "assetPackIdentifier", grammar),
    .init(400...400, code: "PARAMETER_ERROR.ILLEGAL", newer),
    .init(400...400, code: "PARAMETER_ERROR", newer),
    .init(
      401...401,
      """
      see that the key's ID, its issuer and its file belong together and that nobody revoked the \
      key
      """,
      "set the clock of this machine right"),
    .init(
      403...403,
      "give the key the role Admin, App Manager or Developer, and access to this app",
      "see in App Store Connect whether an agreement waits for the account holder"),
    .init(404...404, "see that the app's Apple ID is right, and that the key may see the app"),
    .init(409...409, code: "CONTENT_NOT_UPLOADED", "run this again: it sends what is missing"),
    .init(
      409...409, code: "ENTITY_ERROR.ATTRIBUTE.INVALID.DUPLICATE",
      "an archived pack keeps its ID for ever: give the pack another one"),
    .init(
      409...409, code: "ENTITY_ERROR.ATTRIBUTE.INVALID", source: "assetPackIdentifier", grammar),
    .init(
      409...409, code: "ENTITY_ERROR.ATTRIBUTE.INVALID", source: "sourceFileChecksum",
      "leave the checksum out: the service takes files without it"),
    .init(409...409, code: "ENTITY_ERROR.ATTRIBUTE", newer),
    .init(409...409, code: "ENTITY_ERROR.RELATIONSHIP", newer),
    .init(409...409, code: "ENTITY_ERROR.UNEXPECTED_ID", newer),
    .init(
      409...409, code: "STATE_ERROR",
      "look at the state of the pack: one that is archived, or in review, takes no changes"),
    .init(409...409, "look at the app and its packs in App Store Connect"),
    .init(422...422, newer),
    .init(
      429...429,
      "wait: the key's requests are counted over an hour, together with those of other programs"),
    .init(
      500...599, "try again later; https://developer.apple.com/system-status/ shows outages"),
  ]
}

/// What is known of the service's findings about a pack, by their numbers.
package enum ProcessingAdvice {
  /// What helps against a finding; nil where nobody knows.
  package static func remedy(for code: String) -> String? {
    let digits = code.hasPrefix("ITMS-") ? String(code.dropFirst(5)) : code
    return known[digits]
  }

  private static let known = [
    "91133": "the ID may have letters, digits and inner '-' signs only",
    "91139":
      """
    the manifest names a platform that the app has not; it does no harm, or leave the platform \
    out
    """,
    "91140": "'onDemand' must be an empty object, not null; pack it again with this program",
    "91148":
      """
    an earlier version was for more platforms: those that are missing now no longer get the \
    pack
    """,
    "-19247": "exactly this archive was delivered before",
  ]
}

/// What must not be shown, wherever somebody else repeats it.
struct Secrets {
  let tokens: [String]

  /// The text without tokens, and without what stands behind the `?` of addresses.
  func removed(from text: String) -> String {
    var text = text
    for token in tokens where !token.isEmpty { text = text.replacing(token, with: "…") }
    guard text.contains("://") else { return text }
    return text.split(separator: " ", omittingEmptySubsequences: false).map { word in
      guard word.contains("://"), let mark = word.firstIndex(where: { $0 == "?" || $0 == "#" })
      else { return String(word) }
      return String(word[..<mark]) + "?…"
    }.joined(separator: " ")
  }
}
