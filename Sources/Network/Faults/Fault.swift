import BAPackKit
import SourceDiagnostics
import SystemIO

/// A failure that a user requests, to see how an app or a client handles it.
///
/// A server of packs, a simulated device and the mock of App Store Connect cause the faults.
package struct Fault: Sendable, Equatable {
  /// The requests to which the fault applies.
  package let subject: Subject
  /// The effect.
  package let effect: Effect
  /// The occasions on which the fault happens.
  package let turns: Turns
  /// The places where the effect can happen.
  private let places: Set<FaultKind.Place>

  package init(_ subject: Subject, _ effect: Effect, _ turns: Turns = .always) {
    self.subject = subject
    places = effect.places
    self.effect = effect
    self.turns = turns
  }

  /// The requests to which a fault applies.
  package enum Subject: Sendable, Equatable {
    /// Downloads of the packs whose IDs match, and of the manifest if the text is `manifest`.
    case downloads(Pattern)
    /// Requests with this method to the paths that match.
    case requests(Method, Pattern)
  }

  /// A pattern with the text that it was read from.
  package struct Pattern: Sendable, Equatable {
    package let text: String
    private let pattern: NamePattern

    package init?(_ text: String) {
      guard let pattern = try? NamePattern(parsing: FileName(text)) else { return nil }
      self.text = text
      self.pattern = pattern
    }

    func matches(_ bytes: [UInt8]) -> Bool { pattern.matches(bytes[...], dotIsOrdinary: true) }
  }

  /// The method of a request; `*` is any method.
  package enum Method: String, Sendable, CaseIterable {
    case any = "*"
    case get = "GET"
    case post = "POST"
    case patch = "PATCH"
    case put = "PUT"
    case delete = "DELETE"
  }

  /// When a fault happens.
  package enum Turns: Sendable, Equatable {
    case always
    /// The first `n` times: for each device and path of a download, for all clients of a service.
    case first(Int)
    /// The calls with these numbers, counted from 1 among the calls to which the fault applies.
    case calls(ClosedRange<Int>)
  }

  /// The subject of one request.
  package enum Target: Sendable, Hashable {
    case manifest
    case pack(String)
    case request(method: String, path: [UInt8])
  }

  /// The field of a response that names the effect of a fault.
  package static let fieldName = "ba-fault"

  /// Returns whether the fault can happen to a target.
  package func applies(to target: Target) -> Bool {
    switch (subject, target) {
    case (.downloads(let pattern), .manifest):
      pattern.isOfManifest && places.contains(.manifest)
    case (.downloads(let pattern), .pack(let id)):
      places.contains(.pack) && pattern.matches(Array(id.utf8))
    case (.requests(let method, let pattern), .request(let actual, let path)):
      (method == .any || method.rawValue == actual) && pattern.matches(path)
    case (.downloads, .request), (.requests, .manifest), (.requests, .pack): false
    }
  }

  /// Returns the pack ID or pattern with the most similar spelling; nil if none is similar.
  package func nearestSubject(among ids: [String]) -> String? {
    guard case .downloads(let pattern) = subject else { return nil }
    // In a pattern, only the characters before '*' can be misspelled: 'levle-*'.
    guard pattern.text.hasSuffix("*") else {
      return Spelling.nearest(to: pattern.text, among: ids + ["manifest"])
    }
    let start = pattern.text.dropLast()
    let starts = ids.filter { $0.count > start.count }.map { String($0.prefix(start.count)) }
    return Spelling.nearest(to: String(start), among: starts).map { $0 + "*" }
  }
}

extension Fault.Pattern {
  /// Whether the pattern matches the manifest, in addition to packs.
  var isOfManifest: Bool { text == "manifest" }
}

// MARK: - Writing

extension Fault: CustomStringConvertible {
  /// The text of the fault, which can be parsed: `level-*: status 503 3 times`.
  package var description: String { "\(subject): \(effect)\(turns.text)" }
}

extension Fault.Subject: CustomStringConvertible {
  package var description: String {
    switch self {
    case .downloads(let pattern): pattern.text
    case .requests(let method, let pattern): "\(method.rawValue) \(pattern.text)"
    }
  }
}

extension Fault.Turns {
  /// The text after the effect, with a space before it.
  fileprivate var text: String {
    switch self {
    case .always: ""
    case .first(1): " once"
    case .first(2): " twice"
    case .first(let count): " \(count) times"
    case .calls(let calls) where calls.count == 1: " call \(calls.lowerBound)"
    case .calls(let calls): " calls \(calls.lowerBound)-\(calls.upperBound)"
    }
  }
}
