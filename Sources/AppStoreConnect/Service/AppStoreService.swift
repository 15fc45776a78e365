package import BAPackKit
import SourceDiagnostics
package import SystemIO
package import Transfers

/// What carries requests: libcurl, or a stand-in.
package protocol Transport: AnyObject {
  func exchange(
    _ exchanges: [Exchange], atOnce count: Int,
    progress: @escaping (Int, UInt64) throws(Failure) -> Void,
    answered: @escaping (Int, Answer) throws(Failure) -> Void
  ) throws(Failure)
}

extension Transfers: Transport {}

/// The time, and waiting for it to pass.
package struct ServiceClock {
  package var now: () -> Moment
  package var pause: (Duration) throws(Failure) -> Void

  package init(
    now: @escaping () -> Moment, pause: @escaping (Duration) throws(Failure) -> Void
  ) {
    self.now = now
    self.pause = pause
  }

  /// The clock of the machine; a signal ends a pause.
  package static var machine: ServiceClock {
    ServiceClock(
      now: { .now },
      pause: { (duration) throws(Failure) in
        _ = try waitUntil(.readable, -1, "a pause", until: .now + duration)
      })
  }
}

/// The interface of App Store Connect: questions with a token, and answers as values.
///
/// A question that changes nothing is asked again when it gets lost; one that changes something never
/// is, unless the service says that it did nothing.
package final class AppStoreService {
  /// What a person who waits should know.
  package enum Notice: Sendable, Equatable {
    /// The key was used too often in the last hour.
    case waitingForRate(Duration)
    /// The outcome of a change is unknown: after the pause it is looked up.
    case lookingUp(PackError, Duration)
  }

  package let address: ServiceAddress
  let transport: any Transport
  let clock: ServiceClock
  private let tokens: TokenSource
  private let notify: (Notice) -> Void
  /// How long is waited altogether for the rate of a key: its requests are counted over an hour.
  package var longestRateWait: Duration = .seconds(65 * 60)
  /// The end of a wait of the caller: a pause that is longer is not begun.
  var deadline: Moment?
  /// How many requests the key had left in this hour, as far as the service said it.
  package private(set) var remaining: Int?
  /// How many requests were made.
  package private(set) var requestCount = 0

  package init(
    _ address: ServiceAddress, _ transport: any Transport, _ tokens: TokenSource,
    clock: ServiceClock = .machine, notify: @escaping (Notice) -> Void = { _ in }
  ) {
    self.address = address
    self.transport = transport
    self.tokens = tokens
    self.clock = clock
    self.notify = notify
  }

  /// A document of the service has to fit into this.
  private static let largestAnswer = 64 << 20

  // MARK: Asking

  /// Asks for the document at an address of the service.
  private func ask(
    _ method: String, _ url: String, _ body: JSONValue?, _ task: String
  ) throws(ServiceTrouble) -> JSONDocument {
    var isTokenNew = false
    var waited: Duration = .zero
    var pause: Duration = .seconds(5)
    let changes = method != "GET"
    while true {
      let (answer, token) = try answer(method, url, body, changes)
      note(answer)
      let json = answer.status == 204 ? Self.nothing : Self.json(of: answer)
      if answer.isSuccess {
        guard let json else {
          let error = PackError(
            .transfer, "cannot \(task): the answer of \(address.hostAndPort) is no whole JSON text",
            remedy: "try again")
          throw changes ? .lost(error) : .failed(error)
        }
        return json
      }
      let refusal = Refusal(answer, json?.root, Secrets(tokens: [token]))
      switch answer.status {
      case 401 where !isTokenNew:
        // A token may end on its way, or a clock be set: another one is worth a try.
        isTokenNew = true
        tokens.forget()
      case 429:
        let wanted = answer.wait ?? pause
        guard waited + wanted <= longestRateWait else { throw .refused(refusal) }
        notify(.waitingForRate(wanted))
        try pausing(wanted)
        waited += wanted
        if answer.wait == nil { pause = min(pause * 2, .seconds(300)) }
      case 500...599 where changes: throw .lost(refusal.error(task))
      default: throw .refused(refusal)
      }
    }
  }

  func pausing(_ duration: Duration) throws(ServiceTrouble) {
    if let deadline, duration > .milliseconds(deadline.milliseconds(since: clock.now())) {
      throw .failed(
        PackError(.timedOut, "\(address.hostAndPort) cannot be asked again before the time is up"))
    }
    do throws(Failure) {
      try clock.pause(duration)
    } catch {
      throw .failed(PackError(error, while: .connecting))
    }
  }

  private func answer(
    _ method: String, _ url: String, _ body: JSONValue?, _ changes: Bool
  ) throws(ServiceTrouble) -> (answer: Answer, token: String) {
    requestCount += 1
    var found: Answer?
    do throws(Failure) {
      let field = try tokens.field(at: clock.now())
      var exchange =
        body.map {
          Exchange(method, url, fields: [field], json: JSONWriter.bytes($0, .compact))
        } ?? Exchange(method, url, fields: [field])
      exchange.leavesRateLimits = true
      exchange.answerLimit = Self.largestAnswer
      try transport.exchange(
        [exchange], atOnce: 1, progress: { _, _ in }, answered: { found = $1 })
      guard let found else { throw Failure(.transfer(.ask, .noAnswer), address.hostAndPort) }
      return (found, String(field.value.dropFirst("Bearer ".count)))
    } catch {
      let trouble = PackError(error, while: .connecting)
      throw changes && error.leavesDoubt ? .lost(trouble) : .failed(trouble)
    }
  }

  /// `X-Rate-Limit: user-hour-lim:3500;user-hour-rem:500;`, which may be missing or malformed.
  private func note(_ answer: Answer) {
    for part in (answer.head["x-rate-limit"] ?? "").split(separator: ";") {
      let pair = part.split(separator: ":")
      if pair.count == 2, pair[0].filter({ $0 != " " }) == "user-hour-rem" {
        remaining = Int(pair[1].filter { $0 != " " }) ?? remaining
      }
    }
  }

  /// The text of an answer; nil where it is not whole.
  private static func json(of answer: Answer) -> JSONDocument? {
    var limits = JSONLimits()
    limits.size = largestAnswer
    let json = JSONDocument(parsing: SourceText(answer.body, named: "an answer"), limits: limits)
    return json.isWellFormed && json.root?.kind == .object ? json : nil
  }

  /// What stands for the document of a response that has none.
  private static let nothing = JSONDocument(parsing: SourceText(Array("{}".utf8), named: "nothing"))

  // MARK: Changes

  /// Deletes a resource; one that is absent is as good.
  func remove(_ path: String, to task: String) throws(ServiceTrouble) {
    do throws(ServiceTrouble) {
      _ = try ask("DELETE", address.url(path, []), nil, task)
    } catch {
      guard case .refused(let refusal) = error, refusal.status == 404 else { throw error }
    }
  }

  /// Makes a change; while its outcome is unknown, waits, looks, and repeats it only if it was not made.
  package func settling<Value>(
    _ change: () throws(ServiceTrouble) -> Value,
    unless made: () throws(ServiceTrouble) -> Value?
  ) throws(ServiceTrouble) -> Value {
    var backoff = Backoff(first: .seconds(2), longest: .seconds(30), attempts: 5)
    while true {
      do throws(ServiceTrouble) {
        return try change()
      } catch {
        guard case .lost(let trouble) = error, let pause = backoff.next() else { throw error }
        notify(.lookingUp(trouble, pause))
        try pausing(pause)
        if let value = try made() { return value }
      }
    }
  }

  // MARK: Documents

  /// The one resource of a document.
  func one<Value>(
    _ method: String, _ path: String, _ parameters: [(name: String, value: String)] = [],
    _ body: JSONValue? = nil, to task: String, _ read: (ResourceNode) -> Value?
  ) throws(ServiceTrouble) -> Value {
    let json = try ask(method, address.url(path, parameters), body, task)
    guard let root = json.root, let data = root["data"], data.kind == .object,
      let value = read(ResourceNode(node: data, included: ResourceNode.included(in: root)))
    else {
      let error = PackError(
        .transfer, "cannot \(task): the answer of \(address.hostAndPort) lacks what was asked for",
        remedy: "look for a newer version of this program")
      throw method == "GET" ? .failed(error) : .lost(error)
    }
    return value
  }

  /// The resources of a document and of those that follow it.
  func all<Value>(
    _ path: String, _ parameters: [(name: String, value: String)] = [], to task: String,
    _ read: (ResourceNode) -> Value?
  ) throws(ServiceTrouble) -> [Value] {
    var url = address.url(path, parameters)
    var values: [Value] = []
    var seen: Set<String> = []
    while seen.insert(url).inserted {
      let json = try ask("GET", url, nil, task)
      guard let root = json.root else { break }
      let included = ResourceNode.included(in: root)
      for node in root["data"].map({ Array($0.elements) }) ?? [] {
        if let value = read(ResourceNode(node: node, included: included)) { values.append(value) }
      }
      guard let next = root["links"]?["next"]?.string else { break }
      guard address.isOwn(next) else {
        throw .failed(
          PackError(
            .untrusted,
            "cannot \(task): \(address.hostAndPort) wants us to ask \(ServiceAddress.host(of: next)), "
              + "and the token is for nobody else",
            remedy: "see that the address of the service is right"))
      }
      url = next
    }
    return values
  }
}

extension Failure {
  /// Whether the other side may have heard what was asked, although no answer came.
  fileprivate var leavesDoubt: Bool {
    switch kind {
    case .unresolved, .refused(.call(.connect), _), .timedOut(.call(.connect)): false
    case .transfer(_, let fault):
      switch fault {
      case .distrusted, .encryption, .badAddress, .proxyStatus: false
      default: true
      }
    case .outOfMemory, .malformed: false
    default: true
    }
  }
}
