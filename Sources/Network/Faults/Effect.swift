import SystemIO

/// The effect of a fault.
package enum Effect: Sendable, Equatable {
  /// The connection closes after this much of a body.
  case cut(Amount)
  /// The connection is reset after this much of a body.
  case reset(Amount)
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
  /// A fault that only App Store Connect has.
  case service(ServiceEffect)

  /// A part of a body.
  package enum Amount: Sendable, Equatable {
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

  /// Returns whether the fault changes a response whose body has `size` bytes.
  ///
  /// A fault that changes nothing does not count as an occurrence. Examples are a corruption of an
  /// empty body and a cut after the end of the body.
  package func changes(bodyOf size: UInt64) -> Bool {
    switch self {
    case .cut(let amount), .reset(let amount): amount.bytes(of: size) < size
    case .stall, .truncate, .corrupt: size > 0
    case .status, .stale, .notJSON, .tlsClose, .service: true
    }
  }

  /// The effect that only App Store Connect has; nil for others.
  package var ofService: ServiceEffect? {
    if case .service(let effect) = self { effect } else { nil }
  }

  /// The places where the effect can happen.
  var places: Set<FaultKind.Place> { FaultKind.named(name)?.places ?? [] }

  /// The first word of the text.
  private var name: Substring { description.prefix { $0 != " " } }
}

/// The effect of a fault of App Store Connect or its storage.
package enum ServiceEffect: Sendable, Equatable {
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

extension Effect: CustomStringConvertible {
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
    case .service(let effect): effect.description
    }
  }
}

extension Effect.Amount: CustomStringConvertible {
  package var description: String {
    switch self {
    case .bytes(let count): ByteCount.exact(count)
    case .percent(let share): "\(share)%"
    }
  }
}

extension ServiceEffect: CustomStringConvertible {
  package var description: String {
    switch self {
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
