package import BAPackKit
import Transfers

/// Starts the review of versions for external testers of TestFlight, one after the other.
package struct BetaReview {
  private let service: AppStoreService

  package init(_ service: AppStoreService) { self.service = service }

  /// The states of a version whose review can be started.
  private static let open: Set<StateName> = ["READY_FOR_BETA_SUBMISSION", "REJECTED"]

  /// Starts the review of a version of a pack; throws if the service has no request for that.
  package func start(_ version: PackVersion, of pack: PackID) throws(PackError) {
    if let state = version.externalState, !Self.open.contains(state) {
      throw PackError(
        .conflict, "\(version.key.phrase) of '\(pack)' is \(state.phrase) for external testers",
        remedy: "upload a changed pack for another review")
    }
    let task = "start the review of '\(pack)' for external testers"
    do throws(ServiceError) {
      try service.settling { () throws(ServiceError) in
        try service.startBetaReview(of: version.id)
      } unless: { () throws(ServiceError) in
        let seen = try service.version(version.id)
        return seen.externalState.map { Self.open.contains($0) } ?? true ? nil : ()
      }
    } catch {
      let refused = error.error(task)
      guard case .refused(let refusal) = error, [403, 404, 405].contains(refusal.status) else {
        throw refused
      }
      throw PackError(
        refused.kind,
        "cannot \(task): the interface of App Store Connect has no request for it",
        remedies: [
          .advice(
            "start it in App Store Connect: TestFlight, the pack, 'Set Up External Testing' or "
              + "'Replace'")
        ])
    }
  }
}
