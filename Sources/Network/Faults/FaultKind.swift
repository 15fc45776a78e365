/// A kind of fault: its name, examples of its value, its meaning, and the routes on which it can
/// happen.
///
/// The parser, the help of the commands, the form of the live page and the tests read this table.
package struct FaultKind: Sendable {
  package let name: String
  /// The kind with each form of its value: `cut 60%`, `cut 1M`.
  package let examples: [String]
  package let routes: Set<FaultRoute>
  /// The effect, as the predicate of a sentence.
  package let meaning: String
  /// Makes the effect of the value on a download; nil if there is none.
  let download: Reading<DownloadEffect>?
  /// The same for a request to App Store Connect.
  let service: Reading<ServiceEffect>?

  typealias Reading<Effect> = @Sendable (inout FaultValues) throws(FaultMistake) -> Effect

  private init(
    _ name: String, _ values: [String], at routes: Set<FaultRoute>, _ meaning: String,
    download: Reading<DownloadEffect>? = nil, service: Reading<ServiceEffect>? = nil
  ) {
    self.name = name
    examples = values.isEmpty ? [name] : values.map { $0.isEmpty ? name : "\(name) \($0)" }
    self.routes = routes
    self.meaning = meaning
    self.download = download
    self.service = service
  }

  private init(
    _ name: String, _ download: DownloadEffect? = nil, service: ServiceEffect? = nil,
    at routes: Set<FaultRoute>, _ meaning: String
  ) {
    self.init(
      name, [], at: routes, meaning,
      download: download.map { effect -> Reading<DownloadEffect> in { _ in effect } },
      service: service.map { effect -> Reading<ServiceEffect> in { _ in effect } })
  }

  private init(_ name: String, _ distortion: Distortion, _ meaning: String) {
    self.init(name, service: .distorted(distortion), at: [.interface], meaning)
  }

  /// The kind with this name; nil if there is none.
  static func named(_ name: some StringProtocol) -> FaultKind? {
    all.first { $0.name == name }
  }

  package static let all: [FaultKind] = [
    FaultKind(
      "cut", ["60%", "1M"], at: downloads, "closes the connection at this point of the body",
      download: { values throws(FaultMistake) in .cut(try values.amount()) }),
    FaultKind(
      "reset", ["1M"], at: [.pack, .manifest, .storage],
      "resets the connection at this point of the body",
      download: { values throws(FaultMistake) in .reset(try values.amount()) },
      service: { values throws(FaultMistake) in .reset(try values.amount()) }),
    FaultKind(
      "status", ["503", "503 5s"], at: Set(FaultRoute.allCases),
      "responds with this status, and with 'Retry-After' if a time is given",
      download: { values throws(FaultMistake) in
        .status(try values.status(), retryAfter: try values.secondsIfAny())
      },
      service: { values throws(FaultMistake) in
        .status(try values.status(), retryAfter: try values.secondsIfAny())
      }),
    FaultKind(
      "stall", ["10s"], at: downloads, "pauses in the middle of the body",
      download: { values throws(FaultMistake) in .stall(try values.duration()) }),
    FaultKind(
      "truncate", .truncate, service: .truncate, at: [.pack, .manifest, .interface],
      "sends only half of the body"),
    FaultKind(
      "corrupt", .corrupt, service: .corrupt, at: [.pack, .manifest, .storage],
      "changes one bit of the body"),
    FaultKind("tls-close", .tlsClose, at: downloads, "closes the connection without a response"),
    FaultKind("stale", .stale, at: [.manifest], "sends the manifest from before the last change"),
    FaultKind("not-json", .notJSON, at: [.manifest], "sends a manifest that is not JSON"),

    FaultKind(
      "drop", service: .drop, at: requests, "closes the connection before the request has an effect"
    ),
    FaultKind(
      "apply-and-drop", service: .applyAndDrop, at: requests,
      "performs the request and closes the connection without a response"),
    FaultKind(
      "too-many", ["", "5s", "date", "past"], at: requests,
      "responds with status 429, and with 'Retry-After' in seconds, as a date or as a past date",
      service: { values throws(FaultMistake) in .tooMany(try values.wait()) }),
    FaultKind(
      "slow", ["2s"], at: requests, "takes this long to send the response",
      service: { values throws(FaultMistake) in .slow(try values.duration()) }),
    FaultKind("unauthorized", service: .unauthorized, at: requests, "refuses the token"),
    FaultKind("no-source", service: .noSource, at: [.interface], "omits 'source' from errors"),
    FaultKind("endless", .endless, "adds a link to a next page to every page"),
    FaultKind("stuck", .stuck, "shows a version that is still processed"),
    FaultKind("failed", .failed(hasReason: true), "shows a version that failed"),
    FaultKind(
      "failed-silently", .failed(hasReason: false), "shows a version that failed without a reason"),
    FaultKind("processing-fails", .processingFails, "fails the processing of a committed file"),
    FaultKind(
      "no-internal-release", .noRelease, "shows a complete version that testers do not get"),
    FaultKind("no-checksums", .noChecksums, "shows a file without checksums"),
    FaultKind(
      "file-failed", .fileFailed, "shows a file that failed and a version that waits for it"),
    FaultKind(
      "operations", BrokenOperations.allCases.map(\.rawValue), at: [.interface],
      "lists invalid upload operations",
      service: { values throws(FaultMistake) in .distorted(.operations(try values.choice())) }),
    FaultKind(
      "storage", StorageError.allCases.map(\.rawValue), at: [.storage],
      "responds with this error of the storage",
      service: { values throws(FaultMistake) in .storage(try values.choice()) }),
    FaultKind("expired", service: .expired, at: [.storage], "reports an expired address"),
    FaultKind("no-etag", service: .noTag, at: [.storage], "omits 'ETag' from the response"),
  ]

  private static let downloads = FaultScope.downloads.routes
  private static let requests = FaultScope.service.routes
}

/// A request on which a fault can happen.
package enum FaultRoute: Sendable, CaseIterable {
  /// The download of a pack.
  case pack
  /// The download of the manifest.
  case manifest
  /// A request to the interface of App Store Connect.
  case interface
  /// The upload of a part to its storage.
  case storage
}

/// The two forms of faults, by the program that causes them.
package enum FaultScope: Sendable {
  /// Downloads of packs and of the manifest: `level-*: cut 60%`.
  case downloads
  /// Requests to App Store Connect: `POST /v1/*: drop once`.
  case service

  /// The routes of these faults.
  package var routes: Set<FaultRoute> {
    switch self {
    case .downloads: [.pack, .manifest]
    case .service: [.interface, .storage]
    }
  }

  /// The kinds of these faults.
  package var kinds: [FaultKind] { FaultKind.all.filter { !$0.routes.isDisjoint(with: routes) } }

  /// The examples of each kind, with the subject if only one is possible: `manifest: stale`.
  package var examples: [String] { kinds.flatMap(examples) }

  /// The examples of a kind, with the subject if only one is possible.
  package func examples(of kind: FaultKind) -> [String] {
    kind.routes == [.manifest] ? kind.examples.map { "manifest: \($0)" } : kind.examples
  }

  /// The form of a fault, with an example.
  package var form: String {
    switch self {
    case .downloads: "'<packs>: <fault>', for example '\(example)'"
    case .service: "'<method> <path>: <fault>', for example '\(example)'"
    }
  }

  /// The text of a fault.
  var example: String {
    switch self {
    case .downloads: "level-*: cut 60%"
    case .service: "PUT /upload/*: status 503 once"
    }
  }
}
