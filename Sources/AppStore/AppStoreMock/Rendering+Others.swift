import SourceDiagnostics

extension Rendering {
  func appVersion(_ version: MockAppVersion) -> JSONValue {
    resource(
      .appVersions, version.id,
      [
        "platform": .string(version.platform), "versionString": .string(MockAppVersion.number),
        "appVersionState": .string(store.state(of: version).rawValue),
      ], [])
  }

  func webhook(_ webhook: Webhook) -> JSONValue {
    resource(
      .webhooks, webhook.id,
      [
        "enabled": .bool(webhook.isEnabled),
        "eventTypes": .array(webhook.types.sorted().map { .string($0) }),
        "name": .string(webhook.name), "url": .string(webhook.url),
      ], [("app", .one(.apps, webhook.appID))])
  }

  /// A review for external testers, which has the ID of its release.
  func betaReview(of release: MockRelease) -> JSONValue {
    resource(
      .betaReviews, release.id, ["betaReviewState": .string(release.state.rawValue)],
      [("backgroundAssetVersion", .one(.versions, release.versionID))])
  }
}
