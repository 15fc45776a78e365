import SourceDiagnostics

/// The language of download manifests, and of the records beside them, as a table.
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

  static let record: [JSONKey] = [
    JSONKey("format", .anything, is: .optional, "The number of the record's form."),
    JSONKey(
      "platform", .word(Platform.allCases.map(\.rawValue)), is: .optional,
      "The platform that the manifest is for."),
    JSONKey("urlTemplate", .string(), is: .optional, "The form of the packs' addresses."),
    JSONKey("published", .array(of: .object(entry)), "Every version that was ever published."),
  ]

  static let entry: [JSONKey] = [
    JSONKey("id", .string(), "The ID of the pack."),
    JSONKey("version", .anything, "The version."),
    JSONKey(
      "sha256", .string(), is: .optional,
      "The SHA-256 of its archive in hexadecimal digits; not there when nobody knows it."),
    JSONKey("url", .string(), is: .optional, "Its address, if that is of another form."),
    JSONKey(
      "removed", .anything, is: .optional, "Whether the pack then left the manifest on purpose."),
  ]
}
