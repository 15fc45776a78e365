import SourceDiagnostics

/// The manifest language as a table: reader, schema, reference and template are made from it.
enum ManifestKeys {
  static let root: [JSONKey] = [
    JSONKey(
      "assetPackID", .string(pattern: withoutPlaceholders + #"[^/\u0000-\u001F\u007F-\u009F]+$"#),
      "The name under which the app asks for the pack.",
      details: [
        "Letters, digits and inner '-' signs. App Store Connect never lets you change it or use "
          + "it again."
      ],
      example: "\"\(Placeholder.id)\""),
    JSONKey(
      "downloadPolicy", .alternatives(policies.map { [$0] }),
      "When the system downloads the pack: exactly one of three keys.",
      example: #"{"essential": {"installationEventTypes": ["firstInstallation"]}}"#),
    JSONKey(
      "fileSelectors", .array(of: .alternatives(selectors), atLeast: 1),
      "Which files are in the pack.",
      details: [
        "As many selectors as you like, of any kind. Paths are relative to the source root, with "
          + "'/' between folders; in a pack, files keep their paths unless a selector says "
          + "otherwise."
      ],
      example: #"[{"directory": "Textures"}]"#),
    JSONKey(
      "platforms", .array(of: .word(Platform.allCases.map(\.rawValue))),
      "Where the pack is offered. An empty list means everywhere.",
      details: ["'iOS' covers iPads. Take away what you do not need."],
      example: #"["iOS", "macOS", "tvOS", "visionOS"]"#),
    JSONKey(
      "sourceRoot", .string(pattern: #"^(?!/)(?![A-Za-z]:[/\\])[^\u0000]+$"#), is: .optional,
      "The folder that selectors start from, relative to this file.",
      details: ["Without it, that is the folder in which you run the command."],
      example: #""..""#),
    JSONKey(
      "language",
      .string(pattern: "^[A-Za-z]{2,3}(-[A-Za-z]{4})?(-([A-Za-z]{2}|[0-9]{3}))?$"), is: .optional,
      "The language of a localized pack: a language, perhaps a script, perhaps a region.",
      details: ["Make one pack for each language, with the same paths inside."],
      example: #""zh-Hant-TW""#),
    JSONKey(
      "userInfo", .anyObject, is: .optional,
      "Anything that the app should get along with the pack.",
      details: ["Only for packs on a server of your own; App Store Connect refuses it."],
      example: #"{"edition": 1}"#),
    JSONKey(
      "$schema", .anything, is: .ignored,
      "Where editors find the schema of manifests; it means nothing here.",
      example: #""manifest.schema.json""#),
    JSONKey(
      "toolsVersion", .anything, is: .ignored,
      "Written by some packagers; it means nothing here.", example: #""2.0""#),
  ]

  static let policies: [JSONKey] = [
    JSONKey(
      "essential", .object([events]),
      "Downloads while the app installs, and the app does not open before the pack is there.",
      example: #"{"installationEventTypes": ["firstInstallation", "subsequentUpdate"]}"#),
    JSONKey(
      "prefetch", .object([events]),
      "Starts to download while the app installs, and goes on when the app is already open.",
      example: #"{"installationEventTypes": ["firstInstallation", "subsequentUpdate"]}"#),
    JSONKey(
      "onDemand", .emptyObject, "Downloads when the app asks for the pack; its value is '{}'.",
      example: "{}"),
  ]

  static let events = JSONKey(
    "installationEventTypes",
    .array(of: .word(InstallationEvent.allCases.map(\.rawValue)), atLeast: 1),
    "The kinds of installation the policy applies to: a new one, an update of the app, or both.",
    example: #"["firstInstallation", "subsequentUpdate"]"#)

  private static let withoutPlaceholders =
    #"^(?![\s\S]*\[(Asset-Pack ID|Path to File|Path to Directory)\])"#

  /// A relative path: not empty, no leading slash or drive, no `..` component.
  private static let relativePath =
    withoutPlaceholders + #"(?!/)(?![A-Za-z]:[/\\])(?!([\s\S]*/)?\.\.(/|$))"#
  private static let folder = JSONShape.string(pattern: relativePath + #"[^\u0000]+$"#)
  private static let file = JSONShape.string(pattern: relativePath + #"[^\u0000]*[^/\u0000]$"#)

  static let selectors: [[JSONKey]] = [
    [JSONKey("file", file, "One file.", example: "\"\(Placeholder.file)\"")],
    [
      JSONKey(
        "directory", folder, "A folder with everything below it.",
        example: "\"\(Placeholder.folder)\"")
    ],
    [
      JSONKey(
        "filePattern", file,
        "The files that a pattern matches: '*' and '?' stay within a name, '**' stands for any "
          + "folders.",
        example: #""Audio/**/*.wav""#)
    ],
    [
      JSONKey(
        "fileSource", file, "One file that gets another path in the pack.",
        example: #""build/atlas.bin""#),
      JSONKey(
        "fileDestination", file, "The path it gets.",
        example: #""Textures/atlas.bin""#),
    ],
    [
      JSONKey(
        "directorySource", folder, "A folder whose contents get other paths in the pack.",
        example: #""build/levels""#),
      JSONKey(
        "directoryDestination", folder, "The folder they go into; '.' is the pack itself.",
        example: #""Levels""#),
    ],
    [
      JSONKey(
        "fileExclusion", folder,
        "Takes away what other selectors chose; './' holds a pattern at the source root.",
        example: #""*.psd""#)
    ],
  ]
}
