import SourceDiagnostics

/// The keys of download manifests: a format of Apple's systems.
enum DownloadManifestKeys {
  static let root: [JSONKey] = [
    JSONKey(
      "assetPacks", .array(of: .object(pack)),
      "The packs that devices of one platform can download."),
    JSONKey(
      "isFromAppReview", .anything, is: .ignored,
      "Known to devices, and nothing that authors write."),
  ]

  static let pack: [JSONKey] = [
    JSONKey("id", .string(), "The ID under which the app asks for the pack."),
    JSONKey("url", .string(), "Where its archive is: a whole https address."),
    JSONKey("version", .anything, "A whole number that rises whenever the archive changes."),
    JSONKey("downloadSize", .anything, "How many bytes the archive has."),
    JSONKey(
      "downloadPolicy", DownloadPolicy.shape,
      "When the system downloads the pack, as in its manifest."),
    JSONKey("host", .anyObject, is: .optional, "Who serves it: '{\"thirdParty\": {}}'."),
    JSONKey("userInfo", .anyObject, is: .optional, "What the app gets along with the pack."),
  ]
}
