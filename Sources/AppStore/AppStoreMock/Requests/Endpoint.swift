import SourceDiagnostics
import SystemIO

/// An endpoint of the mock: a method, a path, parameters and an action.
struct Endpoint: Sendable {
  let method: String
  /// The parts of the path; nil represents an ID.
  let path: [String?]
  /// The resource in the error of an operation that is not allowed.
  let resource: String
  var parameters: [Parameter] = []
  var document: RequestDocument?
  let action: Action

  enum Action: Sendable, Equatable {
    case read(Reading)
    case change(Change)
    /// The update of a file, which can be its commit.
    case updateFile
    case webhooks(Webhooks)
  }

  /// The content of a response.
  enum Reading: Sendable, Equatable {
    case apps, app, appVersions
    case packs, packLinkages, pack
    case versions, versionLinkages, version
    case files, fileLinkages, file
    case release(MockRelease.Kind)
    case submissions, submission, items
  }

  /// A change of the store that ends immediately.
  enum Change: Sendable, Equatable {
    case createPack, updatePack
    case createVersion
    case createFile
    case createSubmission, updateSubmission
    case createItem, updateItem, deleteItem
    case createBetaReview
  }

  /// An operation on the webhooks, which the store does not contain.
  enum Webhooks: Sendable, Equatable { case list, create, delete }

  /// A parameter of a query.
  enum Parameter: Sendable {
    case fields(ResourceKind)
    case include([Inclusion])
    /// One or more of several values.
    case filter(String, [String])
    case filterText(String)
    case filterPackID
    case filterFlag(String)
    case required(String)
    case sort([Sort.Key])
    case limit(String = "limit", most: Int = 200)
    case cursor

    var name: String {
      switch self {
      case .fields(let kind): "fields[\(kind.rawValue)]"
      case .include: "include"
      case .filter(let name, _), .filterText(let name), .filterFlag(let name),
        .required(let name):
        "filter[\(name)]"
      case .filterPackID: "filter[assetPackIdentifier]"
      case .sort: "sort"
      case .limit(let name, _): name
      case .cursor: "cursor"
      }
    }
  }

  private init(
    _ method: String, _ path: String, _ resource: String, _ action: Action,
    _ parameters: [Parameter] = [], _ document: RequestDocument? = nil
  ) {
    self.method = method
    self.path = Self.parts(path[...].utf8).map { $0 == "{id}" ? nil : $0 }
    self.resource = resource
    self.parameters = parameters
    self.document = document
    self.action = action
  }

  /// Returns the parts of a path after each slash; they can be empty.
  static func parts(_ path: some Collection<UInt8>) -> [String] {
    path.split(separator: slash, omittingEmptySubsequences: false).dropFirst().map {
      String(decoding: Array($0), as: UTF8.self)
    }
  }

  /// Returns the ID in a path; nil if the path does not match.
  func match(_ parts: [String]) -> (id: String, Void)? {
    guard parts.count == path.count else { return nil }
    var id = ""
    for (part, own) in zip(parts, path) {
      if let own {
        guard part == own else { return nil }
      } else {
        guard !part.isEmpty else { return nil }
        id = part
      }
    }
    return (id, ())
  }
}

/// A relationship whose resources a response can include.
enum Inclusion: String, Sendable {
  case app, appStoreVersion, internalBetaVersion, externalBetaVersion
  case backgroundAsset, internalBetaRelease, externalBetaRelease, appStoreRelease
  case assetFile, manifestFile
  case backgroundAssetVersion, items
}

/// The order of a list.
struct Sort: Sendable {
  enum Key: String, Sendable, CaseIterable { case assetPackIdentifier, createdDate, version }

  var key: Key
  var isDescending = false

  /// Reads `createdDate` or `-createdDate`.
  init?(_ text: String) {
    isDescending = text.hasPrefix("-")
    guard let key = Key(rawValue: isDescending ? String(text.dropFirst()) : text) else {
      return nil
    }
    self.key = key
  }
}

/// A type of resource, with its members.
enum ResourceKind: String, Sendable, CaseIterable {
  case apps
  case appVersions = "appStoreVersions"
  case packs = "backgroundAssets"
  case versions = "backgroundAssetVersions"
  case files = "backgroundAssetUploadFiles"
  case internalReleases = "backgroundAssetVersionInternalBetaReleases"
  case externalReleases = "backgroundAssetVersionExternalBetaReleases"
  case appStoreReleases = "backgroundAssetVersionAppStoreReleases"
  case submissions = "reviewSubmissions"
  case items = "reviewSubmissionItems"
  case betaReviews = "betaBackgroundAssetReviewSubmissions"
  case webhooks

  init(_ kind: MockRelease.Kind) {
    self =
      switch kind {
      case .internalBeta: .internalReleases
      case .externalBeta: .externalReleases
      case .appStore: .appStoreReleases
      }
  }

  /// The members that `fields` can contain.
  var members: [String] {
    switch self {
    case .apps: ["name", "bundleId", "sku", "primaryLocale", "backgroundAssets"]
    case .appVersions: ["platform", "versionString", "appVersionState"]
    case .packs:
      [
        "archived", "assetPackIdentifier", "createdDate", "usedBytes", "app", "versions",
        "appStoreVersion", "internalBetaVersion", "externalBetaVersion",
      ]
    case .versions:
      [
        "createdDate", "platforms", "state", "stateDetails", "version", "locale",
        "backgroundAsset", "internalBetaRelease", "externalBetaRelease", "appStoreRelease",
        "assetFile", "manifestFile", "backgroundAssetUploadFiles",
      ]
    case .files:
      [
        "assetDeliveryState", "assetToken", "assetType", "fileName", "fileSize",
        "sourceFileChecksum", "sourceFileChecksums", "uploadOperations",
      ]
    case .internalReleases, .externalReleases, .appStoreReleases:
      ["state", "backgroundAssetVersion"]
    case .submissions: ["platform", "submittedDate", "state", "app", "items"]
    case .items: ["state", "appStoreVersion", "backgroundAssetVersion"]
    case .betaReviews: ["betaReviewState", "backgroundAssetVersion"]
    case .webhooks: ["enabled", "eventTypes", "name", "url", "app"]
    }
  }
}

extension Endpoint {
  private static let ofPacks: [Parameter] = [
    .fields(.packs), .fields(.versions), .fields(.apps),
    .include([.app, .appStoreVersion, .internalBetaVersion, .externalBetaVersion]),
  ]
  private static let ofVersions: [Parameter] = [
    .fields(.versions), .fields(.packs), .fields(.internalReleases), .fields(.externalReleases),
    .fields(.appStoreReleases), .fields(.files),
    .include([
      .backgroundAsset, .internalBetaRelease, .externalBetaRelease, .appStoreRelease, .assetFile,
      .manifestFile,
    ]),
  ]
  private static let paged: [Parameter] = [.limit(), .cursor]
  private static let ofSubmissions: [Parameter] = [
    .fields(.submissions), .fields(.apps), .fields(.items), .include([.app, .items]),
    .limit("limit[items]", most: 50),
  ]

  private static func states(_ kind: MockRelease.Kind) -> [String] { kind.states.map(\.rawValue) }

  private static func release(_ kind: MockRelease.Kind) -> Endpoint {
    Endpoint(
      "GET", "/v1/\(kind.rawValue)/{id}", kind.rawValue, .read(.release(kind)),
      [.fields(ResourceKind(kind)), .fields(.versions), .include([.backgroundAssetVersion])])
  }

  static let all: [Endpoint] = [
    Endpoint(
      "GET", "/v1/apps", "apps", .read(.apps),
      [.filterText("bundleId"), .filterText("id"), .fields(.apps)] + paged),
    Endpoint("GET", "/v1/apps/{id}", "apps", .read(.app), [.fields(.apps)]),
    Endpoint(
      "GET", "/v1/apps/{id}/appStoreVersions", "appStoreVersions", .read(.appVersions),
      [
        .filterText("id"), .filterText("versionString"), .filter("platform", Platforms.all),
        .filter("appVersionState", MockAppVersion.State.allCases.map(\.rawValue)),
        .fields(.appVersions),
      ] + paged),
    Endpoint(
      "GET", "/v1/apps/{id}/backgroundAssets", "backgroundAssets", .read(.packs),
      [
        .filterFlag("archived"), .filterPackID, .filterText("versions.locale"),
        .filter("versions.platforms", Platforms.all),
        .sort([.assetPackIdentifier, .createdDate]),
      ] + ofPacks + paged),
    Endpoint(
      "GET", "/v1/apps/{id}/relationships/backgroundAssets", "backgroundAssets",
      .read(.packLinkages),
      paged),
    Endpoint(
      "POST", "/v1/backgroundAssets", "backgroundAssets", .change(.createPack), [], .createPack),
    Endpoint("GET", "/v1/backgroundAssets/{id}", "backgroundAssets", .read(.pack), ofPacks),
    Endpoint(
      "PATCH", "/v1/backgroundAssets/{id}", "backgroundAssets", .change(.updatePack), [],
      .updatePack),
    Endpoint(
      "GET", "/v1/backgroundAssets/{id}/versions", "backgroundAssetVersions", .read(.versions),
      [
        .filterText("locale"), .filter("platforms", Platforms.all),
        .filter("state", MockVersion.State.allCases.map(\.rawValue)), .filterText("version"),
        .filter("internalBetaRelease.state", states(.internalBeta)),
        .filter("externalBetaRelease.state", states(.externalBeta)),
        .filter("appStoreRelease.state", states(.appStore)), .sort([.version]),
      ] + ofVersions + paged),
    Endpoint(
      "GET", "/v1/backgroundAssets/{id}/relationships/versions", "backgroundAssetVersions",
      .read(.versionLinkages), paged),
    Endpoint(
      "POST", "/v1/backgroundAssetVersions", "backgroundAssetVersions", .change(.createVersion), [],
      .createVersion),
    Endpoint(
      "GET", "/v1/backgroundAssetVersions/{id}", "backgroundAssetVersions", .read(.version),
      ofVersions),
    Endpoint(
      "GET", "/v1/backgroundAssetVersions/{id}/backgroundAssetUploadFiles",
      "backgroundAssetUploadFiles", .read(.files), [.fields(.files)] + paged),
    Endpoint(
      "GET", "/v1/backgroundAssetVersions/{id}/relationships/backgroundAssetUploadFiles",
      "backgroundAssetUploadFiles", .read(.fileLinkages), paged),
    Endpoint(
      "POST", "/v1/backgroundAssetUploadFiles", "backgroundAssetUploadFiles", .change(.createFile),
      [],
      .createFile),
    Endpoint(
      "GET", "/v1/backgroundAssetUploadFiles/{id}", "backgroundAssetUploadFiles", .read(.file),
      [.fields(.files)]),
    Endpoint(
      "PATCH", "/v1/backgroundAssetUploadFiles/{id}", "backgroundAssetUploadFiles", .updateFile,
      [], .updateFile),
    release(.internalBeta), release(.externalBeta), release(.appStore),
    Endpoint(
      "GET", "/v1/reviewSubmissions", "reviewSubmissions", .read(.submissions),
      [
        .required("app"), .filter("platform", Platforms.all),
        .filter("state", ReviewSubmission.State.allCases.map(\.rawValue)),
      ] + ofSubmissions + paged),
    Endpoint(
      "POST", "/v1/reviewSubmissions", "reviewSubmissions", .change(.createSubmission), [],
      .createSubmission),
    Endpoint(
      "GET", "/v1/reviewSubmissions/{id}", "reviewSubmissions", .read(.submission), ofSubmissions),
    Endpoint(
      "PATCH", "/v1/reviewSubmissions/{id}", "reviewSubmissions", .change(.updateSubmission), [],
      .updateSubmission),
    Endpoint(
      "GET", "/v1/reviewSubmissions/{id}/items", "reviewSubmissionItems", .read(.items),
      [
        .fields(.items), .fields(.versions), .fields(.appVersions),
        .include([.backgroundAssetVersion, .appStoreVersion]),
      ] + paged),
    Endpoint(
      "POST", "/v1/reviewSubmissionItems", "reviewSubmissionItems", .change(.createItem), [],
      .createItem),
    Endpoint(
      "PATCH", "/v1/reviewSubmissionItems/{id}", "reviewSubmissionItems", .change(.updateItem), [],
      .updateItem),
    Endpoint(
      "DELETE", "/v1/reviewSubmissionItems/{id}", "reviewSubmissionItems", .change(.deleteItem)),
    Endpoint(
      "POST", "/v1/betaBackgroundAssetReviewSubmissions", "betaBackgroundAssetReviewSubmissions",
      .change(.createBetaReview), [], .createBetaReview),
    Endpoint(
      "GET", "/v1/apps/{id}/webhooks", "webhooks", .webhooks(.list), [.fields(.webhooks)] + paged),
    Endpoint("POST", "/v1/webhooks", "webhooks", .webhooks(.create), [], .createWebhook),
    Endpoint("DELETE", "/v1/webhooks/{id}", "webhooks", .webhooks(.delete)),
  ]

  /// Returns the endpoint of a request; throws if there is none.
  static func find(
    _ method: String, _ path: some Collection<UInt8>
  ) throws(APIErrors) -> (endpoint: Endpoint, id: String) {
    let parts = Self.parts(path)
    for endpoint in all where endpoint.method == method {
      if let found = endpoint.match(parts) { return (endpoint, found.id) }
    }
    // For an existing resource without this method, the service responds with 403 instead of 405.
    guard parts.count >= 2, parts[0] == "v1", parts.count <= 5 else {
      throw APIErrors(.pathNotFound)
    }
    let isInstance = parts.count == 3 && !parts[2].isEmpty
    let known = all.first { $0.match(parts) != nil }?.resource
    let ofKind = all.contains { $0.path.count > 1 && $0.path[1] == parts[1] }
    guard let resource = known ?? (ofKind && (parts.count == 2 || isInstance) ? parts[1] : nil)
    else { throw APIErrors(.pathNotFound) }
    throw APIErrors(
      .forbidden(
        operation(method, isInstance: isInstance), on: resource, allowed: operations(on: resource)))
  }

  /// Returns the name that the service uses for an operation.
  private static func operation(_ method: String, isInstance: Bool) -> String {
    switch method {
    case "POST": "CREATE"
    case "GET": isInstance ? "GET_INSTANCE" : "GET_COLLECTION"
    case "PATCH": "UPDATE"
    default: method
    }
  }

  private static func operations(on resource: String) -> [String] {
    let own = all.filter { $0.path.count > 1 && $0.path[1] == resource && $0.path.count <= 3 }
    return Set(own.map { operation($0.method, isInstance: $0.path.count == 3) }).sorted()
  }
}
