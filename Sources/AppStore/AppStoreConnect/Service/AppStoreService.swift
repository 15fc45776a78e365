package import BAPackKit
import SourceDiagnostics
package import SystemIO
package import Transfers

/// Sends requests: libcurl, or a mock.
package protocol Transport: AnyObject {
  func exchange(
    _ exchanges: [Exchange], atOnce count: Int, _ work: Work,
    responded: @escaping (Int, HTTPResponse) throws(Failure) -> Void
  ) throws(Failure)
}

extension Transfers: Transport {}

/// The current time, and a function that waits.
package struct ServiceClock {
  package var now: () -> Moment
  package var pause: (Duration) throws(Failure) -> Void

  /// Returns the system clock; a pause ends early if the operation is stopped.
  package static func machine(_ work: Work) -> ServiceClock {
    ServiceClock(
      now: { .now },
      pause: { (duration) throws(Failure) in try work.pause(until: .now + duration, "a pause") })
  }
}

/// The interface of App Store Connect: requests with a token, and responses as values.
///
/// A request without a change is repeated after a transient failure. A change is repeated only
/// if the service did not make it; if its outcome is unknown, the caller queries it first
/// (``settling(_:unless:)``). A ``Backoff`` determines all pauses, and every pause is reported.
package final class AppStoreService {
  /// An event that the user should see during a wait.
  package enum Notice: Sendable, Equatable {
    /// The key was used too often in the last hour.
    case waitingForRate(Duration)
    /// A request failed, and is repeated after the pause.
    case retrying(PackError, Duration)
    /// The outcome of a change is unknown, and is queried after the pause.
    case querying(PackError, Duration)
    /// The clock of this computer is ahead of the service's clock by the duration, which can be
    /// negative. Tokens use the service's clock.
    case clockDiffers(Duration)
  }

  package let address: ServiceAddress
  let transport: any Transport
  let clock: ServiceClock
  /// Ends all requests and pauses.
  let work: Work
  private let tokens: TokenSource
  private let notify: (Notice) -> Void
  /// The maximum total wait for the rate limit of a key: its requests are counted per hour.
  package var longestRateWait: Duration = .seconds(65 * 60)
  /// The time limit of the caller; a pause that would end later is not started.
  ///
  /// A request after it is sent once, and has ``shortestTime`` for its response.
  var deadline: Moment?
  /// The number of seconds by which the clock of this computer is ahead of the service's, by the
  /// last response; 0 if they hardly differ.
  private var lead: Int64 = 0
  /// The number of requests that the key has left in this hour, if the service reports it.
  package private(set) var remaining: Int?
  /// The number of sent requests.
  package private(set) var requestCount = 0
  /// The pause that the last response requests.
  private var requestedPause: Duration?
  /// Whether the service has responded; until then, a wrong address is a likely cause of a failure.
  private var wasReached = false
  /// The token of the last request and the IDs of the key, which a response can repeat.
  private var secrets = Secrets([])

  package init(
    _ address: ServiceAddress, _ transport: any Transport, _ tokens: TokenSource,
    clock: ServiceClock? = nil, _ work: Work, notify: @escaping (Notice) -> Void = { _ in }
  ) {
    self.address = address
    self.transport = transport
    self.tokens = tokens
    self.clock = clock ?? .machine(work)
    self.work = work
    self.notify = notify
  }

  /// The maximum size of a response in bytes.
  private static let largestAnswer = 64 << 20

  /// The time of the service, by which its addresses expire.
  var time: Moment { clock.now().adding(seconds: -lead) }

  // MARK: Requests

  /// Requests a document of the service.
  private func send(
    _ method: String, _ url: String, _ body: JSONValue?, _ task: String
  ) throws(ServiceError) -> JSONDocument {
    var renewal = TokenRenewal()
    var delays = Self.retryDelays
    var rate = Self.rate
    rate.patience = longestRateWait
    let changes = method != "GET"
    while true {
      let response: HTTPResponse
      do throws(Failure) {
        response = try self.respond(method, url, body)
      } catch {
        requestedPause = nil
        let failure = PackError(error, while: .connecting)
        if changes, error.mayHaveArrived { throw .lost(failure) }
        guard error.isTransient(wasReached: wasReached), let pause = delays.next() else {
          throw .failed(failure)
        }
        try retry(after: failure, pause)
        continue
      }
      note(response)
      let json = response.status == 204 ? Self.nothing : Self.json(of: response)
      if response.isSuccess {
        if let json { return json }
        if !changes, !Self.mayBeginDocument(response.body) {
          throw .failed(notJSON(response, task))
        }
        let error = PackError(
          .transfer, "cannot \(task): the response of \(address.hostAndPort) is not complete JSON",
          remedy: "try again")
        if changes { throw .lost(error) }
        guard let pause = delays.next(requested: response.wait) else { throw .failed(error) }
        try retry(after: error, pause)
        continue
      }
      var refusal = Refusal(response, json?.root, secrets)
      switch response.status {
      case 401:
        guard renew(&renewal, response) else {
          refusal.clockDifference = renewal.difference
          throw .refused(refusal)
        }
      case 429:
        guard let pause = rate.next(requested: response.wait) else { throw .refused(refusal) }
        notify(.waitingForRate(pause))
        try wait(for: pause)
      case let status where changes && (status >= 500 || Transient.includes(status: status)):
        throw .lost(refusal.error(task))
      case let status where Transient.includes(status: status):
        guard let pause = delays.next(requested: response.wait) else { throw .refused(refusal) }
        try retry(after: refusal.error(task), pause)
      default: throw .refused(refusal)
      }
    }
  }

  /// The pauses after transient failures of one request.
  private static let retryDelays = Backoff(
    first: .seconds(1), longest: .seconds(30), attempts: 8, patience: .seconds(600))
  /// The pauses after a key reached its limit of requests in an hour.
  private static let rate = Backoff(
    first: .seconds(5), longest: .seconds(300), shortest: .seconds(1), attempts: 60)
  /// The pauses before the outcome of a change is queried.
  static let queries = Backoff(
    first: .seconds(2), longest: .seconds(60), attempts: 8, patience: .seconds(900))

  private func retry(after error: PackError, _ pause: Duration) throws(ServiceError) {
    notify(.retrying(error, pause))
    try wait(for: pause)
  }

  /// The steps that were tried after a refused token.
  private struct TokenRenewal {
    var isRenewed = false
    var followsService = false
    /// The difference between the clocks, if it is noticeable.
    var difference: Duration?
  }

  /// Prepares another token after a refusal: first a new one, then one made with the service's
  /// clock.
  ///
  /// Returns false if both were tried.
  private func renew(_ done: inout TokenRenewal, _ response: HTTPResponse) -> Bool {
    tokens.discard()
    if response.date != nil { done.difference = lead == 0 ? nil : .seconds(lead) }
    if !done.isRenewed {
      done.isRenewed = true
      return true
    }
    guard !done.followsService, let difference = done.difference else {
      tokens.follow(behind: .zero)
      return false
    }
    done.followsService = true
    tokens.follow(behind: difference)
    notify(.clockDiffers(difference))
    return true
  }

  /// The smallest difference between clocks, in seconds, that is not due to delay or inexact
  /// clocks.
  private static let noticeableDifference: UInt64 = 30

  /// The time for the response of a request that is sent after the deadline.
  private static let shortestTime: Duration = .seconds(2)

  func wait(for duration: Duration) throws(ServiceError) {
    if let deadline, duration > .milliseconds(deadline.milliseconds(since: clock.now())) {
      throw .failed(
        PackError(
          .timedOut, "the next request to \(address.hostAndPort) would exceed the time limit"))
    }
    do throws(Failure) {
      try clock.pause(duration)
    } catch {
      throw .failed(PackError(error, while: .connecting))
    }
  }

  private func respond(
    _ method: String, _ url: String, _ body: JSONValue?
  ) throws(Failure) -> HTTPResponse {
    requestCount += 1
    var found: HTTPResponse?
    let field = try tokens.field(at: clock.now())
    secrets = tokens.secrets(with: field)
    var exchange =
      body.map {
        Exchange(method, url, fields: [field], json: JSONWriter.bytes($0, .compact))
      } ?? Exchange(method, url, fields: [field])
    exchange.isTriedOnce = true
    exchange.responseLimit = Self.largestAnswer
    exchange.deadline = deadline.map { deadline in
      .now + max(.milliseconds(deadline.milliseconds(since: clock.now())), Self.shortestTime)
    }
    try transport.exchange([exchange], atOnce: 1, work, responded: { found = $1 })
    guard let found else { throw Failure(.transfer(.ask, .notHTTP), address.hostAndPort) }
    return found
  }

  /// `X-Rate-Limit: user-hour-lim:3500;user-hour-rem:500;`, which may be missing or malformed.
  private func note(_ response: HTTPResponse) {
    wasReached = true
    requestedPause = response.wait
    if let date = response.date {
      let seconds = clock.now().seconds(since: date)
      let isNoticeable = seconds.magnitude > Self.noticeableDifference
      lead = isNoticeable ? min(max(seconds, -1 << 40), 1 << 40) : 0
    }
    for part in (response.head["x-rate-limit"] ?? "").split(separator: ";") {
      let pair = part.split(separator: ":")
      if pair.count == 2, pair[0].filter({ $0 != " " }) == "user-hour-rem" {
        remaining = Int(pair[1].filter { $0 != " " }) ?? remaining
      }
    }
  }

  /// Returns the JSON document of a response; nil if it is incomplete.
  private static func json(of response: HTTPResponse) -> JSONDocument? {
    var limits = JSONLimits()
    limits.size = largestAnswer
    let json = JSONDocument(parsing: SourceText(response.body, named: "a response"), limits: limits)
    return json.isWellFormed && json.root?.kind == .object ? json : nil
  }

  /// Whether bytes can be the beginning of a document, which is an object.
  private static func mayBeginDocument(_ body: [UInt8]) -> Bool {
    let first = body.first { !" \t\r\n".utf8.contains($0) }
    return first == nil || first == UInt8(ascii: "{")
  }

  /// Returns the error for a response that is not of the service, such as a web page of a proxy.
  private func notJSON(_ response: HTTPResponse, _ task: String) -> PackError {
    let body = String(decoding: response.body.prefix(Secrets.longestText), as: UTF8.self)
    return PackError(
      .untrusted,
      "cannot \(task): the response of \(address.hostAndPort) is not JSON: "
        + secrets.removed(from: body, upTo: 100),
      remedy: "check the address of the service, and whether a proxy or a login page responds")
  }

  /// The document that replaces an empty response.
  private static let nothing = JSONDocument(parsing: SourceText(Array("{}".utf8), named: "nothing"))

  // MARK: Changes

  /// Deletes a resource; succeeds if the resource does not exist.
  func remove(_ path: String, to task: String) throws(ServiceError) {
    do throws(ServiceError) {
      _ = try send("DELETE", address.url(path, []), nil, task)
    } catch {
      guard case .refused(let refusal) = error, refusal.status == 404 else { throw error }
    }
  }

  /// Waits before the outcome of a change is queried.
  func wait(after failure: PackError, _ queries: inout Backoff) throws(ServiceError) {
    guard let pause = queries.next(requested: requestedPause) else { throw .failed(failure) }
    requestedPause = nil
    notify(.querying(failure, pause))
    try wait(for: pause)
  }

  /// Sends a change.
  ///
  /// If its outcome is unknown, waits, queries it with `made`, and repeats the change only if
  /// `made` returns nil.
  package func settling<Value>(
    _ change: () throws(ServiceError) -> Value, unless made: () throws(ServiceError) -> Value?
  ) throws(ServiceError) -> Value {
    var queries = Self.queries
    while true {
      do throws(ServiceError) {
        return try change()
      } catch {
        guard case .lost(let failure) = error else { throw error }
        try wait(after: failure, &queries)
        if let value = try made() { return value }
      }
    }
  }

  // MARK: Documents

  /// Returns the only resource of a document.
  func one<Value>(
    _ method: String, _ path: String, _ parameters: [(name: String, value: String)] = [],
    _ body: JSONValue? = nil, to task: String, _ read: (ResourceNode) -> Value?
  ) throws(ServiceError) -> Value {
    let json = try send(method, address.url(path, parameters), body, task)
    guard let root = json.root, let data = root["data"], data.kind == .object,
      let value = read(
        ResourceNode(node: data, included: ResourceNode.included(in: root), secrets: secrets))
    else {
      let error = PackError(
        .transfer, "cannot \(task): incomplete response of \(address.hostAndPort)",
        remedy: "update this program")
      throw method == "GET" ? .failed(error) : .lost(error)
    }
    return value
  }

  /// Returns the resources of a document and of its next pages.
  func all<Value>(
    _ path: String, _ parameters: [(name: String, value: String)] = [], to task: String,
    _ read: (ResourceNode) -> Value?
  ) throws(ServiceError) -> [Value] {
    var url = address.url(path, parameters)
    var values: [Value] = []
    var seen: Set<String> = []
    while true {
      guard seen.insert(url).inserted, seen.count <= Self.mostPages else {
        throw .failed(
          PackError(
            .transfer, "cannot \(task): the list of \(address.hostAndPort) does not end",
            remedy: "try again later"))
      }
      let json = try send("GET", url, nil, task)
      guard let root = json.root else { break }
      let included = ResourceNode.included(in: root)
      for node in root["data"].map({ Array($0.elements) }) ?? [] {
        let resource = ResourceNode(node: node, included: included, secrets: secrets)
        if let value = read(resource) { values.append(value) }
      }
      guard let next = root["links"]?["next"]?.string else { break }
      guard address.isOwn(next) else {
        throw .failed(
          PackError(
            .untrusted,
            "cannot \(task): \(address.hostAndPort) links to another host, "
              + "\(ServiceAddress.host(of: next)), "
              + "and the token must not be sent there",
            remedy: "check the address of the service"))
      }
      url = next
    }
    return values
  }

  /// The limit of pages in a listing; a page has 200 resources.
  private static let mostPages = 500
}
