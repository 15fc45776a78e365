package import BAPackKit
import SystemIO

/// Sending versions to App Review, all of them together or none.
package struct Review {
  /// The most packs that one submission may have.
  package static let mostPacks = 10

  private let service: AppStoreService

  package init(_ service: AppStoreService) { self.service = service }

  /// The version of each pack that would be submitted: the newest that is complete.
  package func candidates(
    _ ids: [PackID], of app: ResourceID
  ) throws(PackError) -> [(pack: PackRecord, version: PackVersion)] {
    let packs = try AppStoreService.asking("list the packs") { () throws(ServiceTrouble) in
      try service.packs(of: app)
    }
    var found: [(pack: PackRecord, version: PackVersion)] = []
    for id in ids {
      guard let pack = packs.first(where: { $0.pack == id }) else {
        throw PackError(
          .missing, "the app has no pack '\(id)'", remedy: "upload it first")
      }
      guard !pack.isArchived else { throw PackUploader.archived(id) }
      let versions = try AppStoreService.asking("list the versions of '\(id)'") {
        () throws(ServiceTrouble) in try service.versions(of: pack.id)
      }
      guard let version = versions.first(where: \.isComplete) else {
        throw PackError(
          .missing, "no version of the pack '\(id)' is complete",
          remedy: "wait until the service has processed one")
      }
      found.append((pack, version))
    }
    return found
  }

  /// Submits versions; if one cannot be added, the submission is taken back.
  package func submit(
    _ versions: [PackVersion], of app: ResourceID, for platform: String?
  ) throws(PackError) -> AppStoreService.Submission {
    let task = "submit for review"
    let made = try AppStoreService.asking(task) { () throws(ServiceTrouble) in
      try service.makeSubmission(of: app, for: platform)
    }
    do throws(ServiceTrouble) {
      for version in versions { try service.add(version, to: made) }
      return try service.finish(made)
    } catch {
      // What was lost may have been done: then there is nothing to take back, and the service says so.
      guard case .lost(let trouble) = error else {
        _ = try? service.finish(made, cancelling: true)
        guard case .refused(let refusal) = error, refusal.status == 409 else {
          throw error.error(task)
        }
        throw PackError(
          .server(status: 409), refusal.error(task).message,
          remedies: [
            "submit a pack that was never live together with a version of the app, in App Store Connect",
            "wait until the submission that is under way is over",
          ])
      }
      throw PackError(
        trouble.kind, trouble.message,
        remedy: "look in App Store Connect whether the submission is there before you submit again")
    }
  }
}
