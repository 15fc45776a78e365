import BAPackKit
import SourceDiagnostics
import SystemIO

/// A failure that a user requests, to see how an app or a client handles it.
///
/// A server of packs and a simulated device cause faults of downloads, the mock of App Store
/// Connect those of its requests.
package struct Fault<Effect: FaultEffect>: Sendable, Equatable {
  /// The requests to which the fault applies.
  package let subject: Effect.Subject
  package let effect: Effect
  /// The occasions on which the fault happens.
  package let turns: FaultTurns
  /// The routes on which the effect can happen.
  let routes: Set<FaultRoute>

  package init(_ subject: Effect.Subject, _ effect: Effect, _ turns: FaultTurns = .always) {
    self.subject = subject
    self.effect = effect
    self.turns = turns
    routes = FaultKind.named(effect.description.prefix { $0 != " " })?.routes ?? []
  }

  /// The subject of one request.
  package typealias Target = Effect.Subject.Target

  /// Returns whether the fault can happen to a target.
  package func applies(to target: Target) -> Bool { subject.includes(target, on: routes) }
}

package typealias DownloadFault = Fault<DownloadEffect>
package typealias ServiceFault = Fault<ServiceEffect>

/// The requests to which a fault applies.
package protocol FaultSubject: Sendable, Equatable, CustomStringConvertible {
  /// The subject of one request.
  associatedtype Target: Sendable, Hashable
  /// Parses the text before the colon of a fault.
  init(parsing text: String) throws(FaultMistake)
  /// Returns whether a fault that can happen on these routes applies to a target.
  func includes(_ target: Target, on routes: Set<FaultRoute>) -> Bool
  /// Returns whether faults on these routes can happen to any of its targets.
  func canHave(faultsOn routes: Set<FaultRoute>) -> Bool
}

/// Downloads of the packs whose IDs match, and of the manifest if the text is `manifest`.
package struct DownloadSubject: FaultSubject {
  let pattern: FaultPattern

  /// A download of the manifest, or of a pack.
  package enum Target: Sendable, Hashable {
    case manifest
    case pack(String)
  }

  package func includes(_ target: Target, on routes: Set<FaultRoute>) -> Bool {
    switch target {
    case .manifest: isOfManifest && routes.contains(.manifest)
    case .pack(let id): routes.contains(.pack) && pattern.matches(Array(id.utf8))
    }
  }

  package func canHave(faultsOn routes: Set<FaultRoute>) -> Bool {
    isOfManifest || routes.contains(.pack)
  }

  /// Whether the pattern matches the manifest, in addition to packs.
  private var isOfManifest: Bool { pattern.text == "manifest" }
}

/// Requests with this method to the paths that match.
package struct ServiceSubject: FaultSubject {
  let method: Method
  let pattern: FaultPattern

  /// The method of a request; `*` is any method.
  package enum Method: String, Sendable, CaseIterable {
    case any = "*"
    case get = "GET"
    case post = "POST"
    case patch = "PATCH"
    case put = "PUT"
    case delete = "DELETE"
  }

  /// A request to App Store Connect or its storage.
  package struct Target: Sendable, Hashable {
    let method: String
    let path: [UInt8]

    package init(_ method: String, _ path: [UInt8]) {
      self.method = method
      self.path = path
    }
  }

  package func includes(_ target: Target, on _: Set<FaultRoute>) -> Bool {
    (method == .any || method.rawValue == target.method) && pattern.matches(target.path)
  }

  package func canHave(faultsOn _: Set<FaultRoute>) -> Bool { true }
}

/// A pattern with the text that it was read from.
struct FaultPattern: Sendable, Equatable {
  let text: String
  private let pattern: NamePattern

  init?(_ text: String) {
    guard let pattern = try? NamePattern(parsing: FileName(text)) else { return nil }
    self.text = text
    self.pattern = pattern
  }

  func matches(_ bytes: [UInt8]) -> Bool { pattern.matches(bytes[...], dotIsOrdinary: true) }
}

/// When a fault happens.
package enum FaultTurns: Sendable, Equatable {
  case always
  /// The first `n` times: for each device and path of a download, for all clients of a service.
  case first(Int)
  /// The calls with these numbers, counted from 1 among the calls to which the fault applies.
  case calls(ClosedRange<Int>)
}

extension Fault<DownloadEffect> {
  /// The field of a response that names the effect of a fault.
  package static var fieldName: String { "ba-fault" }

  /// Returns the pack ID or pattern with the most similar spelling; nil if none is similar.
  package func nearestSubject(among ids: [String]) -> String? {
    let text = subject.pattern.text
    // In a pattern, only the characters before '*' can be misspelled: 'levle-*'.
    guard text.hasSuffix("*") else {
      return Spelling.nearest(to: text, among: ids + ["manifest"])
    }
    let start = text.dropLast()
    let starts = ids.filter { $0.count > start.count }.map { String($0.prefix(start.count)) }
    return Spelling.nearest(to: String(start), among: starts).map { $0 + "*" }
  }
}

// MARK: - Writing

extension Fault: CustomStringConvertible {
  /// The text of the fault, which can be parsed: `level-*: status 503 3 times`.
  package var description: String { "\(subject): \(effect)\(turns.text)" }
}

extension DownloadSubject {
  package var description: String { pattern.text }
}

extension ServiceSubject {
  package var description: String { "\(method.rawValue) \(pattern.text)" }
}

extension FaultTurns {
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
