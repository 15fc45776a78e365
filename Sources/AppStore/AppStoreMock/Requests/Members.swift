/// The valid members of a request document; other members are refused.
package struct RequestDocument: Sendable {
  let type: String
  /// Whether the document updates an existing resource, and so has an ID.
  package var isUpdate = false
  package var attributes: [Attribute] = []
  package var relationships: [Relationship] = []

  package struct Attribute: Sendable {
    package let name: String
    let shape: Shape
    package var isRequired = false
    var mayBeNull = false
  }

  /// The type of a value.
  indirect enum Shape: Sendable {
    case text
    case word([String])
    case texts
    case flag
    case number(ClosedRange<Int64>)
    case object([Attribute])
  }

  package struct Relationship: Sendable {
    package let name: String
    let type: String
    package var isRequired = false
  }
}

/// The largest number in JSON documents of the service: 2^53 - 1.
private let largestNumber: Int64 = 9_007_199_254_740_991

extension RequestDocument {
  static let createPack = RequestDocument(
    type: "backgroundAssets",
    attributes: [.init(name: "assetPackIdentifier", shape: .text, isRequired: true)],
    relationships: [.init(name: "app", type: "apps", isRequired: true)])

  static let updatePack = RequestDocument(
    type: "backgroundAssets", isUpdate: true,
    attributes: [.init(name: "archived", shape: .flag, mayBeNull: true)])

  static let createVersion = RequestDocument(
    type: "backgroundAssetVersions",
    relationships: [.init(name: "backgroundAsset", type: "backgroundAssets", isRequired: true)])

  static let createFile = RequestDocument(
    type: "backgroundAssetUploadFiles",
    attributes: [
      .init(name: "assetType", shape: .word(["ASSET", "MANIFEST"]), isRequired: true),
      .init(name: "fileName", shape: .text, isRequired: true),
      .init(name: "fileSize", shape: .number(1...largestNumber), isRequired: true),
    ],
    relationships: [
      .init(name: "backgroundAssetVersion", type: "backgroundAssetVersions", isRequired: true)
    ])

  static let updateFile = RequestDocument(
    type: "backgroundAssetUploadFiles", isUpdate: true,
    attributes: [
      .init(name: "sourceFileChecksum", shape: .text, mayBeNull: true),
      .init(
        name: "sourceFileChecksums",
        shape: .object([
          .init(
            name: "file",
            shape: .object([
              .init(name: "hash", shape: .text),
              .init(name: "algorithm", shape: .word(["MD5", "SHA_256"])),
            ])),
          .init(
            name: "composite",
            shape: .object([
              .init(name: "hash", shape: .text),
              .init(name: "algorithm", shape: .word(["MD5"])),
            ])),
        ]), mayBeNull: true),
      .init(name: "uploaded", shape: .flag, mayBeNull: true),
    ])

  static let createSubmission = RequestDocument(
    type: "reviewSubmissions",
    attributes: [.init(name: "platform", shape: .word(Platforms.all), mayBeNull: true)],
    relationships: [.init(name: "app", type: "apps", isRequired: true)])

  static let updateSubmission = RequestDocument(
    type: "reviewSubmissions", isUpdate: true,
    attributes: [
      .init(name: "platform", shape: .word(Platforms.all), mayBeNull: true),
      .init(name: "submitted", shape: .flag, mayBeNull: true),
      .init(name: "canceled", shape: .flag, mayBeNull: true),
    ])

  /// Other types of items, such as events, are not supported.
  static let createItem = RequestDocument(
    type: "reviewSubmissionItems",
    relationships: [
      .init(name: "reviewSubmission", type: "reviewSubmissions", isRequired: true),
      .init(name: "backgroundAssetVersion", type: "backgroundAssetVersions"),
      .init(name: "appStoreVersion", type: "appStoreVersions"),
    ])

  static let updateItem = RequestDocument(
    type: "reviewSubmissionItems", isUpdate: true,
    attributes: [
      .init(name: "resolved", shape: .flag, mayBeNull: true),
      .init(name: "removed", shape: .flag, mayBeNull: true),
    ])

  static let createBetaReview = RequestDocument(
    type: "betaBackgroundAssetReviewSubmissions",
    relationships: [
      .init(
        name: "backgroundAssetVersion", type: "backgroundAssetVersions", isRequired: true)
    ])

  static let createWebhook = RequestDocument(
    type: "webhooks",
    attributes: [
      .init(name: "enabled", shape: .flag, isRequired: true),
      .init(name: "eventTypes", shape: .texts, isRequired: true),
      .init(name: "name", shape: .text, isRequired: true),
      .init(name: "secret", shape: .text, isRequired: true),
      .init(name: "url", shape: .text, isRequired: true),
    ],
    relationships: [.init(name: "app", type: "apps", isRequired: true)])

  /// All documents, for tests.
  package static let all: [RequestDocument] = [
    createPack, updatePack, createVersion, createFile, updateFile, createSubmission,
    updateSubmission, createItem, updateItem, createBetaReview, createWebhook,
  ]
}
