package import BAPackKit

/// How a question to the service ended, if not with what was asked for.
package enum ServiceTrouble: Error, Sendable {
  /// The service said no.
  case refused(Refusal)
  /// Something was to be changed, and nobody heard whether it was: look before it is asked again.
  case lost(PackError)
  /// It was not asked, or it does not matter whether it was.
  case failed(PackError)
}

extension ServiceTrouble {
  /// The trouble as an error, whatever it means for what follows.
  package func error(_ task: String) -> PackError {
    switch self {
    case .refused(let refusal): refusal.error(task)
    case .lost(let error), .failed(let error): error
    }
  }
}

extension AppStoreService {
  /// Asks; trouble becomes an error in the words of the library.
  package static func asking<Success>(
    _ task: String, _ body: () throws(ServiceTrouble) -> Success
  ) throws(PackError) -> Success {
    do throws(ServiceTrouble) {
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
      .conflict, "the pack '\(pack)' was archived, and takes no version any more",
      remedy: "give the pack another ID: this one can never be used again")
  }
}
