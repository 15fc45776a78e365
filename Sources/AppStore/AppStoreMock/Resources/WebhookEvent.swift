// The webhooks of apps, and the events about which they are informed.

/// A webhook of an app.
///
/// It is kept in memory only, because of its secret.
struct Webhook: Sendable, Identifiable {
  var id: String
  var appID: String
  var name: String
  var url: String
  var secret: String
  var isEnabled: Bool
  var types: Set<String>
}

/// A change about which webhooks are informed.
struct WebhookEvent: Sendable {
  /// The names of the types of events.
  enum Kind: String, Sendable, CaseIterable {
    case version = "BACKGROUND_ASSET_VERSION_STATE_UPDATED"
    case internalBeta = "BACKGROUND_ASSET_VERSION_INTERNAL_BETA_RELEASE_CREATED"
    case externalBeta = "BACKGROUND_ASSET_VERSION_EXTERNAL_BETA_RELEASE_STATE_UPDATED"
    case appStore = "BACKGROUND_ASSET_VERSION_APP_STORE_RELEASE_STATE_UPDATED"

    init(_ kind: MockRelease.Kind) {
      self =
        switch kind {
        case .internalBeta: .internalBeta
        case .externalBeta: .externalBeta
        case .appStore: .appStore
        }
    }

    /// The type in the body of a request.
    var payload: String {
      switch self {
      case .version: "backgroundAssetVersionStateUpdated"
      case .internalBeta: "backgroundAssetVersionInternalBetaReleaseCreated"
      case .externalBeta: "backgroundAssetVersionExternalBetaReleaseStateUpdated"
      case .appStore: "backgroundAssetVersionAppStoreReleaseStateUpdated"
      }
    }
  }

  let id: String
  let kind: Kind
  let appID: String
  let instance: String
  /// The states before and after the change; nil for a created resource.
  let states: (old: String, new: String)?
}
