package import SourceDiagnostics

/// A change of the faults that are switched on, as a client requests it.
///
/// The live page of a server and the control interface of the mock have the same requests, at
/// different paths: `POST` and `DELETE` with `{"fault": "level-*: cut 60%"}`, and `DELETE` without
/// a body for all faults.
package enum FaultChange<Effect: FaultEffect>: Sendable {
  case add(Fault<Effect>)
  case remove(Fault<Effect>)
  case removeAll

  /// Reads a request with the method `POST` or `DELETE`.
  package init(_ method: String, _ body: [UInt8]) throws(ControlError) {
    if method == "DELETE", body.isEmpty {
      self = .removeAll
      return
    }
    let text = try ControlError.read(body, Effect.scope.body)
    do throws(FaultMistake) {
      let fault = try Fault<Effect>(parsing: text)
      self = method == "DELETE" ? .remove(fault) : .add(fault)
    } catch {
      let place = error.place.map { " (character \($0.lowerBound + 1))" } ?? ""
      let parts = error.parts.map { "'\($0)'" }.joined(separator: ", then ")
      throw ControlError(
        400, error.reason + place + (parts.isEmpty ? "" : "; send one at a time: \(parts)"))
    }
  }
}

extension FaultBoard {
  /// Makes a change; throws if a fault cannot be switched on, or is not on.
  package mutating func apply(_ change: FaultChange<Effect>) throws(ControlError) {
    switch change {
    case .add(let fault):
      guard add(fault) else {
        throw ControlError(409, "at most \(Self.capacity) faults can be on; switch some off")
      }
    case .remove(let fault):
      guard remove(fault) else {
        let names = all.map { "'\($0)'" }.joined(separator: ", ")
        throw ControlError(
          404, "'\(fault)' is not on; \(names.isEmpty ? "no faults are on" : "faults: \(names)")")
      }
    case .removeAll: removeAll()
    }
  }
}

extension FaultScope {
  /// The body of a request that switches a fault on or off.
  package var body: Table<String> {
    switch self {
    case .downloads: Self.downloadBody
    case .service: Self.serviceBody
    }
  }

  private static let downloadBody = body(of: .downloads)
  private static let serviceBody = body(of: .service)

  private static func body(of scope: FaultScope) -> Table<String> {
    Table("the body", blank: "", unknown: .refused) {
      Key("fault", \.self, .text, "The fault.", example: "\"\(scope.example)\"")
    }
  }
}

/// An error response of a control interface, with the reason and a hint.
package struct ControlError: Error, Sendable, Described {
  package let status: Int
  package let reason: String

  package static let table = Table<Self>(written: "an error") {
    Key("error", written: \.reason, .text, "The reason, with a hint.")
  }

  package init(_ status: Int, _ reason: String) {
    self.status = status
    self.reason = reason
  }

  /// Reads the body of a request; the error contains an example of a valid body.
  ///
  /// By default, the example has all members.
  package static func read<Subject>(
    _ body: [UInt8], _ table: Table<Subject>, example: String? = nil
  ) throws(ControlError) -> Subject {
    var limits = JSONLimits()
    limits.depth = 8
    let document = JSONDocument(parsing: SourceText(body, named: "body"), limits: limits)
    var findings = document.findings
    let subject = document.root.flatMap { table.read($0, into: &findings) }
    let error = findings.all.first { $0.severity == .error }
    if let subject, error == nil { return subject }
    let members = table.record.keys.map { "\"\($0.name)\": \($0.example)" }
    throw ControlError(
      400,
      (error.map { "\($0.message); " } ?? "")
        + "send \(example ?? "{\(members.joined(separator: ", "))}")")
  }
}
