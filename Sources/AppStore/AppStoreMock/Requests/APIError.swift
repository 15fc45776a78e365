package import SourceDiagnostics

/// An error of a request, in the form of the service.
package struct APIError: Error, Sendable {
  package var status: Int
  package let code: String
  package let title: String
  package let detail: String
  /// The place in the body, or the parameter.
  package var source: Source?
  /// Errors of other resources that caused this one, by the addresses of the resources.
  var associated: [(resource: String, errors: [APIError])] = []
  /// The reason, for the log only: the service does not report it.
  var secret: String?

  package enum Source: Sendable, Equatable {
    case pointer(String)
    case parameter(String)
  }

  init(
    _ status: Int, _ code: String, _ title: String, _ detail: String, at source: Source? = nil
  ) {
    self.status = status
    self.code = code
    self.title = title
    self.detail = detail
    self.source = source
  }

  /// The error as a member of `errors`.
  package func value(id: () -> String) -> JSONValue {
    let place: JSONValue? =
      switch source {
      case .pointer(let pointer): .members(["pointer": .string(pointer)])
      case .parameter(let name): .members(["parameter": .string(name)])
      case nil: nil
      }
    let others: JSONValue? =
      associated.isEmpty
      ? nil
      : .members([
        "associatedErrors": .object(
          associated.map { other in
            .init(other.resource, .array(other.errors.map { $0.value(id: id) }))
          })
      ])
    return .members([
      "id": .string(id()), "status": .string("\(status)"), "code": .string(code),
      "title": .string(title), "detail": .string(detail), "source": place, "meta": others,
    ])
  }
}

/// Several errors: the service reports all errors of a body together.
package struct APIErrors: Error, Sendable {
  package let all: [APIError]

  init(_ all: [APIError]) { self.all = all }
  init(_ one: APIError) { all = [one] }

  var status: Int { all.first?.status ?? 500 }
}

extension JSONValue {
  /// Returns an object; members without a value are omitted.
  static func members(_ members: KeyValuePairs<String, JSONValue?>) -> JSONValue {
    .object(members.compactMap { key, value in value.map { .init(key, $0) } })
  }

  static func optional(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }

  static func strings(_ texts: some Sequence<String>) -> JSONValue {
    .array(texts.map { .string($0) })
  }
}

// MARK: - Known errors of the service

extension APIError {
  static func notAuthorized(_ reason: String) -> APIError {
    var error = APIError(
      401, "NOT_AUTHORIZED", "Authentication credentials are missing or invalid.",
      "Provide a properly configured and signed bearer token, and make sure that it has not "
        + "expired. "
        + "Learn more about Generating Tokens for API Requests "
        + "https://developer.apple.com/go/?id=api-generating-tokens")
    error.secret = reason
    return error
  }

  static func forbidden(_ operation: String, on resource: String, allowed: [String]) -> APIError {
    APIError(
      403, "FORBIDDEN_ERROR", "The given operation is not allowed",
      "The resource '\(resource)' does not allow '\(operation)'. Allowed operations are: "
        + allowed.joined(separator: ", "))
  }

  static func notFound(_ type: String, _ id: String) -> APIError {
    APIError(
      404, "NOT_FOUND", "The specified resource does not exist",
      "There is no resource of type '\(type)' with id '\(id)'")
  }

  static let pathNotFound = APIError(
    404, "PATH_ERROR", "The specified path does not exist",
    "The path provided does not match a defined resource type.")

  static let tooManyRequests = APIError(
    429, "RATE_LIMIT_EXCEEDED", "The request rate limit has been reached.",
    "We've received too many requests for this API. Please wait and try again or slow down your "
      + "request rate.")

  static func illegalParameter(_ name: String) -> APIError {
    APIError(
      400, "PARAMETER_ERROR.ILLEGAL", "A parameter has an invalid value",
      "The parameter '\(name)' can not be used with this request", at: .parameter(name))
  }

  static func invalidParameter(_ name: String, _ detail: String) -> APIError {
    APIError(
      400, "PARAMETER_ERROR.INVALID", "A parameter has an invalid value", detail,
      at: .parameter(name))
  }

  static func requiredParameter(_ name: String) -> APIError {
    APIError(
      400, "PARAMETER_ERROR.REQUIRED", "A required parameter is missing",
      "The parameter '\(name)' is required but was not provided", at: .parameter(name))
  }

  static let wrongMediaType = APIError(
    415, "UNSUPPORTED_MEDIA_TYPE", "The given content type is not supported",
    "The body of this request must have 'Content-Type: application/json'.")

  static func unreadable(_ detail: String) -> APIError {
    APIError(400, "ENTITY_INVALID", "JSON processing failed", detail)
  }

  static func noDocument(_ detail: String, at pointer: String) -> APIError {
    APIError(
      422, "ENTITY_UNPROCESSABLE", "The request entity is not a valid request document object",
      detail, at: .pointer(pointer))
  }

  // Errors of a body.

  static func entity(
    _ code: String, _ title: String, _ detail: String, at pointer: String
  ) -> APIError {
    APIError(409, "ENTITY_ERROR.\(code)", title, detail, at: .pointer(pointer))
  }

  static func invalidAttribute(_ name: String, _ detail: String, at pointer: String? = nil)
    -> APIError
  {
    entity(
      "ATTRIBUTE.INVALID", "An attribute value is invalid.", detail,
      at: pointer ?? "/data/attributes/\(name)")
  }

  static func missingTarget(_ name: String, _ type: String, _ id: String) -> APIError {
    entity(
      "RELATIONSHIP.INVALID", "The provided entity includes a relationship with an invalid value",
      "The relationship '\(name)' names a resource of type '\(type)' with id '\(id)' that does not "
        + "exist",
      at: "/data/relationships/\(name)")
  }

  /// A commit although the service does not have all sent bytes.
  static func notUploaded(_ detail: String) -> APIError {
    entity(
      "CONTENT_NOT_UPLOADED", "The content of the file has not been uploaded", detail,
      at: "/data/attributes/uploaded")
  }

  /// A failure of the mock itself.
  static func unexpected(_ detail: String) -> APIError {
    APIError(500, "UNEXPECTED_ERROR", "An unexpected error occurred.", detail)
  }

  /// Returns an error for a request that the current state does not allow.
  static func state(
    _ detail: String, code: String = "STATE_ERROR", at pointer: String? = nil
  ) -> APIError {
    APIError(
      409, code, "The request cannot be fulfilled because of the state of another resource.",
      detail, at: pointer.map { .pointer($0) })
  }
}
