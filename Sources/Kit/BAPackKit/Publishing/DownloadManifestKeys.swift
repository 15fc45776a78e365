import SourceDiagnostics

/// The keys of download manifests: a format of Apple's systems.
enum DownloadManifestKeys {
  static let root: [JSONKey] = [
    JSONKey(
      "assetPacks", .array(of: .object(pack)),
      "The packs that devices of one platform can download."),
    JSONKey(
      "isFromAppReview", .anything, is: .ignored,
      "A key that devices support but that is not for authors."),
  ]

  static let pack: [JSONKey] = [
    JSONKey("id", .string(), "The ID with which the app requests the pack."),
    JSONKey("url", .string(), "The address of the archive: a complete https URL."),
    JSONKey("version", .anything, "A whole number that increases whenever the archive changes."),
    JSONKey("downloadSize", .anything, "The size of the archive in bytes."),
    JSONKey(
      "downloadPolicy", DownloadPolicy.shape,
      "The download policy, as in the pack's manifest."),
    JSONKey("host", .anyObject, is: .optional, "The host of the pack: '{\"thirdParty\": {}}'."),
    JSONKey(
      "userInfo", .anyObject, is: .optional, "The object that the app gets with the pack."),
  ]
}
