import SourceDiagnostics

/// The manifest language as a table: reader, schema, reference and template are made from it.
enum ManifestKeys {
  static let root: [JSONKey] = [
    JSONKey(
      "assetPackID", .string(pattern: #"^[^/\u0000-\u001F\u007F-\u009F]+$"#),
      "The name under which the app asks for the pack. It stays the same for the life of the app."),
    JSONKey(
      "downloadPolicy", .alternatives(policies.map { [$0] }),
      "When the system downloads the pack: exactly one of three keys."),
    JSONKey(
      "fileSelectors", .array(of: .alternatives(selectors), atLeast: 1),
      "Which files are in the pack. Paths are relative to the source root."),
    JSONKey(
      "platforms", .array(of: .word(Platform.allCases.map(\.rawValue))),
      "The platforms the pack is offered on. An empty list means all of them."),
    JSONKey(
      "sourceRoot", .string(pattern: #"^(?!/)(?![A-Za-z]:[/\\]).+$"#), is: .optional,
      "The folder that selectors start from, relative to the manifest."),
    JSONKey(
      "language",
      .string(pattern: "^[A-Za-z]{2,3}(-[A-Za-z]{4})?(-([A-Za-z]{2}|[0-9]{3}))?$"), is: .optional,
      "The one language of a localized pack, such as 'ja', 'es-US' or 'zh-Hant'."),
    JSONKey(
      "userInfo", .anyObject, is: .optional,
      "What the app gets along with the pack. For packs on a server of your own only."),
    JSONKey(
      "toolsVersion", .anything, is: .ignored,
      "Written by some packaging tools; it means nothing here."),
  ]

  static let policies: [JSONKey] = [
    JSONKey(
      "essential", .object([events]),
      "Downloads while the app installs; the app does not open before the pack is there."),
    JSONKey(
      "prefetch", .object([events]),
      "Starts to download while the app installs and may end after the app was opened."),
    JSONKey("onDemand", .emptyObject, "Downloads when the app asks for the pack."),
  ]

  static let events = JSONKey(
    "installationEventTypes",
    .array(of: .word(InstallationEvent.allCases.map(\.rawValue)), atLeast: 1),
    "The kinds of installation that the policy applies to: a new one, an update, or both.")

  /// A relative path: not empty, no leading slash or drive, no `..` component.
  private static let path = JSONShape.string(
    pattern: #"^(?!/)(?![A-Za-z]:[/\\])(?!(.*/)?\.\.(/|$))[^\u0000]+$"#)

  static let selectors: [[JSONKey]] = [
    [JSONKey("file", path, "One file; it keeps its path.")],
    [JSONKey("directory", path, "A folder with all that is below it; everything keeps its path.")],
    [JSONKey("filePattern", path, "The files that a pattern matches; they keep their paths.")],
    [
      JSONKey("fileSource", path, "One file ..."),
      JSONKey("fileDestination", path, "... and the path that it gets in the pack."),
    ],
    [
      JSONKey("directorySource", path, "What is below a folder ..."),
      JSONKey("directoryDestination", path, "... and the folder of the pack that it goes into."),
    ],
    [JSONKey("fileExclusion", path, "Takes away what other selectors chose.")],
  ]
}
