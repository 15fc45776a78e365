import SystemIO

/// The effect of a fault: ``DownloadEffect`` or ``ServiceEffect``.
package protocol FaultEffect: Sendable, Equatable, CustomStringConvertible {
  /// The requests to which a fault applies.
  associatedtype Subject: FaultSubject
  /// The form of the faults with this effect.
  static var scope: FaultScope { get }
  /// Reads the effect of a kind from the values after its name.
  static func read(
    _ kind: FaultKind, _ values: inout FaultValues
  ) throws(FaultMistake) -> Self?
}

/// The effect of a fault on a download of a pack or of the manifest.
package enum DownloadEffect: FaultEffect {
  /// The connection closes after this much of a body.
  case cut(FaultAmount)
  /// The connection is reset after this much of a body.
  case reset(FaultAmount)
  /// The response has this status, and `Retry-After` in seconds.
  case status(Int, retryAfter: Int? = nil)
  /// The body pauses in its middle for this long.
  case stall(Duration)
  /// Only half of the body is announced and sent.
  case truncate
  /// One bit of the body differs.
  case corrupt
  /// The manifest is the one from before the last change.
  case stale
  /// The manifest is not JSON.
  case notJSON
  /// The connection closes without a response, and without the closing message of TLS.
  case tlsClose

  package typealias Subject = DownloadSubject
  package static let scope = FaultScope.downloads

  package static func read(
    _ kind: FaultKind, _ values: inout FaultValues
  ) throws(FaultMistake) -> Self? { try kind.download?(&values) }

  /// Returns whether the fault changes a response whose body has `size` bytes.
  ///
  /// A fault that changes nothing does not count as an occurrence. Examples are a corruption of an
  /// empty body and a cut after the end of the body.
  package func changes(bodyOf size: UInt64) -> Bool {
    switch self {
    case .cut(let amount), .reset(let amount): amount.bytes(of: size) < size
    case .stall, .truncate, .corrupt: size > 0
    case .status, .stale, .notJSON, .tlsClose: true
    }
  }
}

/// A part of a body.
package enum FaultAmount: Sendable, Equatable {
  case bytes(UInt64)
  case percent(Int)

  /// Returns the number of bytes of a body with `size` bytes.
  package func bytes(of size: UInt64) -> UInt64 {
    switch self {
    case .bytes(let count): min(count, size)
    case .percent(let share):
      UInt64(min(Double(size), (Double(size) * Double(share) / 100).rounded(.down)))
    }
  }
}

/// The effect of a fault of App Store Connect or its storage.
package enum ServiceEffect: FaultEffect {
  /// The connection is reset after this much of a part.
  case reset(FaultAmount)
  /// The response has this status, and `Retry-After` in seconds.
  case status(Int, retryAfter: Int? = nil)
  /// Only half of the body is sent.
  case truncate
  /// One bit of a part differs.
  case corrupt
  /// The connection closes before the request has an effect.
  case drop
  /// The request has its effect, and then the connection closes without a response.
  case applyAndDrop
  /// Too many requests, with a `Retry-After`.
  case tooMany(Wait)
  /// An error of the storage, in XML.
  case storage(StorageError)
  /// A part is accepted without an `ETag`.
  case noTag
  /// Errors have no `source`, which names a place in the request.
  case noSource
  /// The response takes this long.
  case slow(Duration)
  /// The address of a part has expired.
  case expired
  /// The token is not valid.
  case unauthorized
  /// The response, or the outcome of a request, is wrong.
  case distorted(Distortion)

  /// The value of `Retry-After`: none, a number of seconds, a date in the future or in the past.
  package enum Wait: Sendable, Equatable { case none, seconds(Int), date, past }

  package typealias Subject = ServiceSubject
  package static let scope = FaultScope.service

  package static func read(
    _ kind: FaultKind, _ values: inout FaultValues
  ) throws(FaultMistake) -> Self? { try kind.service?(&values) }

  /// The wrong content of a response, or the wrong outcome of a request.
  package var distortion: Distortion? {
    if case .distorted(let distortion) = self { distortion } else { nil }
  }
}

/// The errors of the object storage that a fault can cause.
package enum StorageError: String, Sendable, CaseIterable {
  case requestTimeout = "RequestTimeout"
  case incompleteBody = "IncompleteBody"
  case badDigest = "BadDigest"
  case skewed = "RequestTimeTooSkewed"
  case aborted = "OperationAborted"
  case internalError = "InternalError"
  case slowDown = "SlowDown"
  case unavailable = "ServiceUnavailable"
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
  /// The version has failed, with or without a reason.
  case failed(hasReason: Bool)
  /// A complete version is not offered to testers.
  case noRelease
  /// The file has failed, and its version waits for it.
  case fileFailed
  /// The operations of an upload are invalid.
  case operations(BrokenOperations)
}

/// The ways in which the operations of an upload are wrong.
package enum BrokenOperations: String, Sendable, CaseIterable {
  case gap, overlap, overrun, none, http, post
}

// MARK: - Writing

extension DownloadEffect {
  /// The text of the effect: `cut 60%`.
  package var description: String {
    switch self {
    case .cut(let amount): "cut \(amount)"
    case .reset(let amount): "reset \(amount)"
    case .status(let code, let seconds): "status \(code)" + (seconds.map { " \($0)s" } ?? "")
    case .stall(let time): "stall \(time.written)"
    case .truncate: "truncate"
    case .corrupt: "corrupt"
    case .stale: "stale"
    case .notJSON: "not-json"
    case .tlsClose: "tls-close"
    }
  }
}

extension FaultAmount: CustomStringConvertible {
  package var description: String {
    switch self {
    case .bytes(let count): ByteCount.exact(count)
    case .percent(let share): "\(share)%"
    }
  }
}

extension ServiceEffect {
  package var description: String {
    switch self {
    case .reset(let amount): "reset \(amount)"
    case .status(let code, let seconds): "status \(code)" + (seconds.map { " \($0)s" } ?? "")
    case .truncate: "truncate"
    case .corrupt: "corrupt"
    case .drop: "drop"
    case .applyAndDrop: "apply-and-drop"
    case .tooMany(.none): "too-many"
    case .tooMany(.seconds(let seconds)): "too-many \(seconds)s"
    case .tooMany(.date): "too-many date"
    case .tooMany(.past): "too-many past"
    case .storage(let error): "storage \(error.rawValue)"
    case .noTag: "no-etag"
    case .noSource: "no-source"
    case .slow(let time): "slow \(time.written)"
    case .expired: "expired"
    case .unauthorized: "unauthorized"
    case .distorted(let distortion): distortion.description
    }
  }
}

extension Distortion: CustomStringConvertible {
  package var description: String {
    switch self {
    case .endless: "endless"
    case .processingFails: "processing-fails"
    case .noChecksums: "no-checksums"
    case .stuck: "stuck"
    case .failed(hasReason: true): "failed"
    case .failed(hasReason: false): "failed-silently"
    case .noRelease: "no-internal-release"
    case .fileFailed: "file-failed"
    case .operations(let broken): "operations \(broken.rawValue)"
    }
  }
}
