import BAPackKit
import SystemIO

/// Something that goes wrong on purpose: at a method and a path, and from which call to which.
package struct MockFault: Sendable, CustomStringConvertible {
  /// What goes wrong.
  package enum Kind: Sendable, Equatable {
    /// The connection ends before anything is done.
    case drop
    /// Everything is done, and then the connection ends without an answer.
    case applyAndDrop
    /// An HTML response, as from a proxy in front of the service, with its 'Retry-After' in seconds.
    case status(Int, retryAfter: Int? = nil)
    /// Too many requests, with this 'Retry-After'.
    case tooMany(Wait)
    /// An error of the storage, in XML.
    case storage(StorageError)
    /// A part whose stored bytes differ from the sent bytes.
    case corrupt
    /// A part that is accepted without an 'ETag'.
    case noTag
    /// Errors without the 'source' that names a place in the request.
    case noSource
    /// The answer comes drop by drop, in so long.
    case slow(Duration)
    /// The connection is thrown away behind so many bytes of a body that comes.
    case reset(UInt64)
    /// The address of a part holds no longer.
    case expired
    /// The token does not hold.
    case unauthorized
    /// The answer ends in the middle.
    case truncate
    /// The answer shows something that is not so.
    case distorted(Distortion)

    /// The pause that 'Retry-After' requests; a date may be in the past.
    package enum Wait: Sendable, Equatable { case none, seconds(Int), date(Int) }
  }

  package let method: String
  package let path: String
  package let kind: Kind
  /// The calls at which it happens, counted from 1 among those to method and path.
  package let calls: ClosedRange<Int>
  package let description: String
  private let pattern: NamePattern

  /// Whether a request is one of those that are counted.
  func concerns(_ method: String, _ path: [UInt8]) -> Bool {
    (self.method == "*" || self.method == method)
      && pattern.matches(path[...], dotIsOrdinary: true)
  }

  // MARK: Reading

  /// What is wrong with the text of a fault.
  package struct Mistake: Error, Sendable, Equatable {
    package let reason: String
  }

  /// All kinds, as they are written.
  package static let kinds =
    [
      "drop", "apply-and-drop", "status 503", "status 503 5s", "too-many", "too-many 5s",
      "too-many date", "too-many past", "slow 2s", "reset 1M", "expired", "unauthorized",
      "truncate",
      "no-source", "endless", "stuck", "failed", "failed-silently", "processing-fails",
      "no-internal-release", "no-checksums", "file-failed", "corrupt", "no-etag",
      "operations gap", "operations overlap", "operations overrun", "operations none",
      "operations http", "operations post",
    ] + StorageError.allCases.map { "storage \($0.rawValue)" }

  private static let methods = ["*", "GET", "POST", "PATCH", "PUT", "DELETE"]

  /// Reads `POST /v1/backgroundAssetVersions: apply-and-drop once`.
  package init(parsing text: String) throws(Mistake) {
    let words = text.split(separator: " ").map(String.init)
    guard words.count >= 3, words[1].hasSuffix(":"), words[1].count > 1 else {
      throw Mistake(
        reason: "a fault is written as 'POST /v1/backgroundAssetVersions: apply-and-drop once'")
    }
    guard Self.methods.contains(words[0]) else {
      throw Mistake(
        reason: "'\(words[0])' is no method; \(Self.methods.joined(separator: ", ")) are")
    }
    method = words[0]
    path = String(words[1].dropLast())
    guard path.utf8.first == UInt8(ascii: "/") || path.utf8.first == UInt8(ascii: "*"),
      let pattern = try? NamePattern(parsing: FileName(path))
    else {
      throw Mistake(reason: "'\(path)' is no pattern for paths, such as '/v1/apps/*'")
    }
    self.pattern = pattern
    var rest = Array(words.dropFirst(2))
    calls = try Self.calls(&rest)
    guard let name = rest.first else {
      throw Mistake(reason: "nothing stands behind the ':'; \(Self.list)")
    }
    kind = try Self.kind(name, Array(rest.dropFirst()))
    description = words.joined(separator: " ")
  }

  private static let list = "a fault is one of \(kinds.map { "'\($0)'" }.joined(separator: ", "))"

  /// Takes `once`, `twice`, `5 times`, `call 3` or `calls 3-5` off the end.
  private static func calls(_ words: inout [String]) throws(Mistake) -> ClosedRange<Int> {
    func number(_ text: String?) throws(Mistake) -> Int {
      guard let text, let number = Int(text), number > 0 else {
        throw Mistake(reason: "'call' and 'times' want a number, as in 'call 3' and '5 times'")
      }
      return number
    }
    switch words.last {
    case "once":
      words.removeLast()
      return 1...1
    case "twice":
      words.removeLast()
      return 1...2
    case "times":
      words.removeLast()
      return 1...(try number(words.popLast()))
    default: break
    }
    guard words.count >= 2 else { return 1...Int.max }
    switch words[words.count - 2] {
    case "call":
      let call = try number(words.popLast())
      words.removeLast()
      return call...call
    case "calls":
      let ends = (words.popLast() ?? "").split(separator: "-").map(String.init)
      words.removeLast()
      let (first, last) = (try number(ends.first), try number(ends.last))
      guard ends.count == 2, first <= last else {
        throw Mistake(reason: "'calls' wants the first and the last one, as in 'calls 3-5'")
      }
      return first...last
    default: return 1...Int.max
    }
  }

  private static func kind(_ name: String, _ rest: [String]) throws(Mistake) -> Kind {
    let value = rest.first
    func alone(_ kind: Kind) throws(Mistake) -> Kind {
      guard rest.isEmpty else { throw Mistake(reason: "'\(name)' takes no '\(rest[0])'") }
      return kind
    }
    guard rest.count <= (name == "status" ? 2 : 1) else {
      throw Mistake(reason: "unexpected '\(rest.last ?? "")'; \(list)")
    }
    switch name {
    case "drop": return try alone(.drop)
    case "apply-and-drop": return try alone(.applyAndDrop)
    case "status":
      guard let code = value.flatMap({ Int($0) }), (400...599).contains(code) else {
        throw Mistake(reason: "'status' takes that of an error, 400 to 599: 'status 503'")
      }
      return .status(code, retryAfter: try rest.count == 2 ? seconds(rest[1], name) : nil)
    case "storage":
      guard let error = value.flatMap({ StorageError(rawValue: $0) }) else {
        let all = StorageError.allCases.map { "'\($0.rawValue)'" }.joined(separator: ", ")
        throw Mistake(reason: "'storage' requires one of \(all)")
      }
      return .storage(error)
    case "corrupt": return try alone(.corrupt)
    case "no-etag": return try alone(.noTag)
    case "no-source": return try alone(.noSource)
    case "endless": return try alone(.distorted(.endless))
    case "processing-fails": return try alone(.distorted(.processingFails))
    case "no-checksums": return try alone(.distorted(.noChecksums))
    case "too-many":
      if value == nil { return .tooMany(.none) }
      if value == "date" { return .tooMany(.date(5)) }
      if value == "past" { return .tooMany(.date(-3600)) }
      return .tooMany(.seconds(try seconds(value, name)))
    case "slow": return .slow(.seconds(try seconds(value, name)))
    case "reset":
      guard let count = value.flatMap({ ByteCount.read($0) }) else {
        throw Mistake(reason: "'reset' takes how many bytes come before: 'reset 1M'")
      }
      return .reset(count)
    case "expired": return try alone(.expired)
    case "unauthorized": return try alone(.unauthorized)
    case "truncate": return try alone(.truncate)
    case "stuck": return try alone(.distorted(.stuck))
    case "failed": return try alone(.distorted(.failed(says: true)))
    case "failed-silently": return try alone(.distorted(.failed(says: false)))
    case "no-internal-release": return try alone(.distorted(.noRelease))
    case "file-failed": return try alone(.distorted(.fileFailed))
    case "operations":
      guard let value, let broken = Distortion.Broken(rawValue: value) else {
        let all = Distortion.Broken.allCases.map { "'\($0.rawValue)'" }.joined(separator: ", ")
        throw Mistake(reason: "'operations' takes one of \(all)")
      }
      return .distorted(.operations(broken))
    default: throw Mistake(reason: "there is no fault '\(name)'; \(list)")
    }
  }

  private static func seconds(_ text: String?, _ name: String) throws(Mistake) -> Int {
    guard let text, text.hasSuffix("s"), let number = Int(text.dropLast()),
      (0...86_400).contains(number)
    else { throw Mistake(reason: "'\(name)' takes seconds: '\(name) 5s'") }
    return number
  }
}

/// The errors of object storage that a fault can produce.
package enum StorageError: String, Sendable, CaseIterable {
  case requestTimeout = "RequestTimeout"
  case incompleteBody = "IncompleteBody"
  case badDigest = "BadDigest"
  case skewed = "RequestTimeTooSkewed"
  case aborted = "OperationAborted"
  case internalError = "InternalError"
  case slowDown = "SlowDown"
  case unavailable = "ServiceUnavailable"

  /// The response of the storage.
  var refusal: StorageAnswer {
    switch self {
    case .requestTimeout:
      StorageAnswer(
        400, rawValue,
        "Your socket connection to the server was not read from or written to within the timeout "
          + "period. Idle connections will be closed.")
    case .incompleteBody:
      StorageAnswer(
        400, rawValue,
        "You did not provide the number of bytes specified by the Content-Length HTTP header.")
    case .badDigest:
      StorageAnswer(
        400, rawValue, "The Content-MD5 you specified did not match what we received.")
    case .skewed:
      StorageAnswer(
        403, rawValue,
        "The difference between the request time and the server's time is too large.")
    case .aborted:
      StorageAnswer(
        409, rawValue,
        "A conflicting conditional operation is currently in progress against this resource.")
    case .internalError:
      StorageAnswer(500, rawValue, "We encountered an internal error. Please try again.")
    case .slowDown: StorageAnswer(503, rawValue, "Please reduce your request rate.")
    case .unavailable:
      StorageAnswer(503, rawValue, "Service is unable to handle request.")
    }
  }
}

/// Wrong contents of a response, or an outcome that the request would not have without the fault.
package enum Distortion: Sendable, Equatable {
  /// Every page of a list contains the address of a next page.
  case endless
  /// The committed file fails when it is processed.
  case processingFails
  /// The file has no checksums.
  case noChecksums
  /// The version is still processed.
  case stuck
  /// The version has failed, and says why or does not.
  case failed(says: Bool)
  /// A version that is complete is not offered to testers yet.
  case noRelease
  /// The file has failed, and its version waits for it.
  case fileFailed
  /// The operations of an upload cannot be followed.
  case operations(Broken)

  package enum Broken: String, Sendable, CaseIterable {
    case gap, overlap, overrun, none, http, post
  }

  /// The reason that a failure on purpose has.
  static let detail = Details.Detail(
    code: "MOCK-FAULT", description: "This failure was asked for.")

  /// The state that a version seems to have; nil for its own.
  func state(of version: Version) -> Version.State? {
    switch self {
    case .stuck: version.state == .awaitingUpload ? nil : .processing
    case .failed: .failed
    case .noRelease, .operations, .endless, .processingFails, .noChecksums: nil
    case .fileFailed: .awaitingUpload
    }
  }

  /// Breaks the operations of an upload.
  func change(_ operations: inout [Operation]) {
    guard case .operations(let broken) = self, let last = operations.indices.last else { return }
    switch broken {
    case .gap:
      if operations.count > 1 {
        operations.remove(at: last / 2)
      } else {
        operations[last].offset += 1
        operations[last].length = max(1, operations[last].length) - 1
      }
    case .overlap:
      if operations.count > 1 {
        operations[1].offset = operations[0].offset
      } else {
        operations.append(operations[0])
      }
    case .overrun: operations[last].length += 1
    case .none: operations = []
    case .http:
      operations[last].url = operations[last].url.replacing(
        "https://", with: "http://", maxReplacements: 1)
    case .post: operations[last].method = "POST"
    }
  }
}

/// The faults that are switched on, and how often what they concern was called.
struct MockFaultBoard: Sendable {
  private var faults: [(fault: MockFault, calls: Int)] = []

  /// A program that adds faults and never takes one away must not slow every request down.
  static let most = 200

  init(_ faults: [MockFault] = []) { self.faults = faults.map { ($0, 0) } }

  var all: [MockFault] { faults.map(\.fault) }

  /// Switches one on; false if there are as many as there may be.
  mutating func add(_ fault: MockFault) -> Bool {
    guard faults.count < Self.most else { return false }
    faults.append((fault, 0))
    return true
  }

  mutating func removeAll() { faults = [] }

  /// The fault that happens to a request: the first of those whose turn it is; all count it.
  mutating func strike(_ method: String, _ path: [UInt8]) -> MockFault? {
    var found: MockFault?
    for index in faults.indices where faults[index].fault.concerns(method, path) {
      faults[index].calls += 1
      if found == nil, faults[index].fault.calls.contains(faults[index].calls) {
        found = faults[index].fault
      }
    }
    return found
  }
}
