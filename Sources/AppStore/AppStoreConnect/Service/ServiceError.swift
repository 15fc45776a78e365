package import BAPackKit

/// An error of a request to the service.
package enum ServiceError: Error, Sendable {
  /// The service responded with an error.
  case refused(Refusal)
  /// The outcome of a change is unknown: it must be queried before the change is repeated.
  case lost(PackError)
  /// The request was not sent, or its outcome does not matter.
  case failed(PackError)
}

extension ServiceError {
  package func error(_ task: String) -> PackError {
    switch self {
    case .refused(let refusal): refusal.error(task)
    case .lost(let error), .failed(let error): error
    }
  }
}

extension AppStoreService {
  /// Calls a function, and converts its error to an error of the library.
  package static func perform<Success>(
    _ task: String, _ body: () throws(ServiceError) -> Success
  ) throws(PackError) -> Success {
    do throws(ServiceError) {
      return try body()
    } catch {
      throw error.error(task)
    }
  }
}

extension PackError {
  /// Returns the error for a pack that was archived.
  package static func archived(_ pack: PackID) -> PackError {
    PackError(
      .conflict, "the pack '\(pack)' is archived and accepts no new versions",
      remedy: "use another ID: this one can never be used again")
  }
}
