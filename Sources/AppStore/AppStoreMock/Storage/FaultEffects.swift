import Faults

extension StorageError {
  var refusal: StorageResponse {
    switch self {
    case .requestTimeout:
      StorageResponse(
        400, rawValue,
        "Your socket connection to the server was not read from or written to within the timeout "
          + "period. Idle connections will be closed.")
    case .incompleteBody:
      StorageResponse(
        400, rawValue,
        "You did not provide the number of bytes specified by the Content-Length HTTP header.")
    case .badDigest:
      StorageResponse(
        400, rawValue, "The Content-MD5 you specified did not match what we received.")
    case .skewed:
      StorageResponse(
        403, rawValue,
        "The difference between the request time and the server's time is too large.")
    case .aborted:
      StorageResponse(
        409, rawValue,
        "A conflicting conditional operation is currently in progress against this resource.")
    case .internalError:
      StorageResponse(500, rawValue, "We encountered an internal error. Please try again.")
    case .slowDown: StorageResponse(503, rawValue, "Please reduce your request rate.")
    case .unavailable:
      StorageResponse(503, rawValue, "Service is unable to handle request.")
    }
  }
}

extension Distortion {
  /// The reason of a failure that a fault causes.
  static let detail = Details.Detail(
    code: "MOCK-FAULT", description: "This failure was requested by a fault.")

  /// Returns the state that the response shows for a version; nil for the actual state.
  func state(of version: MockVersion) -> MockVersion.State? {
    switch self {
    case .stuck: version.state == .awaitingUpload ? nil : .processing
    case .failed: .failed
    case .noRelease, .operations, .endless, .processingFails, .noChecksums: nil
    case .fileFailed: .awaitingUpload
    }
  }

  /// Changes the operations of an upload, so that they are invalid.
  func change(_ operations: inout [UploadOperation]) {
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
