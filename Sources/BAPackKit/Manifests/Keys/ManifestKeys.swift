import SourceDiagnostics

/// The keys of manifests: each is an entry here and a property of ``Manifest``.
enum ManifestKeys {
  typealias ManifestKey = Key<Draft<Manifest>>

  /// All keys, in the order in which they are taught and written.
  static let all = [
    assetPackID, downloadPolicy, fileSelectors, platforms, sourceRoot, language, userInfo, schema,
    toolsVersion,
  ]

  static let assetPackID = ManifestKey(
    JSONKey(
      "assetPackID",
      .string(pattern: Placeholder.absent + #"[^/\u0000-\u001F\u007F-\u009F]+$"#),
      "The name under which the app asks for the pack.",
      details: [
        "Letters, digits and inner '-' signs. App Store Connect never lets you change it or use "
          + "it again."
      ],
      example: "\"\(Placeholder.id)\""),
    \.value.assetPackID, write: { .string($0) }
  ) { node, draft, findings in
    guard let id = node.string else { return nil }
    let hosting = draft.hosting
    findings.add(
      ManifestRules.placeholder(id, at: node.span) ?? PackIDRules.empty(id, at: node.span)
        ?? PackIDRules.characters(id, at: node.span)
        ?? PackIDRules.grammar(id, at: node.span, for: hosting)
        ?? PackIDRules.style(id, at: node.span, for: hosting))
    return id
  }

  static let downloadPolicy = ManifestKey(
    JSONKey(
      "downloadPolicy", DownloadPolicy.shape,
      "When the system downloads the pack: exactly one of three keys.",
      example: #"{"essential": {"installationEventTypes": ["firstInstallation"]}}"#),
    \.value.downloadPolicy, write: { $0.jsonValue }
  ) { node, _, findings in
    DownloadPolicy.read(node, into: &findings)
  }

  static let fileSelectors = ManifestKey(
    JSONKey(
      "fileSelectors", .array(of: .alternatives(SelectorKind.shapes), atLeast: 1),
      "Which files are in the pack.",
      details: [
        "As many selectors as you like, of any kind. Paths are relative to the source root, with "
          + "'/' between folders; in a pack, files keep their paths unless a selector says "
          + "otherwise."
      ],
      example: #"[{"directory": "Textures"}]"#),
    \.value.fileSelectors, write: { .array($0.map(\.jsonValue)) }
  ) { node, draft, findings in
    draft.readSelectors(node, &findings)
  }

  static let platforms = ManifestKey(
    "platforms", \.value.platforms,
    Form(
      .array(of: .word(Platform.allCases.map(\.rawValue))),
      write: { .array($0.map { .string($0.rawValue) }) },
      reading: { node, findings in
        let phrase = WordList(node, PlatformRules.words)
        phrase.check(into: &findings)
        return phrase.values
      }),
    "Where the pack is offered. An empty list means everywhere.",
    details: ["'iOS' covers iPads. Take away what you do not need."],
    example: #"["iOS", "macOS", "tvOS", "visionOS"]"#)

  static let sourceRoot = ManifestKey(
    "sourceRoot", \.value.sourceRoot,
    .text(pattern: #"^(?!/)(?![A-Za-z]:[/\\])[^\u0000]+$"#, fault: ManifestRules.sourceRoot),
    "The folder that selectors start from, relative to this file.",
    details: ["Without it, that is the folder in which you run the command."],
    example: #""..""#)

  static let language = ManifestKey(
    JSONKey(
      "language", LanguageRules.shape, is: .optional,
      "The language of a localized pack: a language, perhaps a script, perhaps a region.",
      details: ["Make one pack for each language, with the same paths inside."],
      example: #""zh-Hant-TW""#),
    \.value.language, write: { $0.map { .string($0.description) } }
  ) { node, draft, findings in
    guard let tag = LanguageRules.read(node, into: &findings) else { return nil }
    findings.add(LanguageRules.selfHosted(at: node.span, for: draft.hosting))
    return tag
  }

  /// Its value may be large: the draft keeps the node.
  static let userInfo = ManifestKey(
    JSONKey(
      "userInfo", .anyObject, is: .optional,
      "Anything that the app should get along with the pack.",
      details: ["Only for packs on a server of your own; App Store Connect refuses it."],
      example: #"{"edition": 1}"#),
    property: \Draft<Manifest>.value.userInfo, write: { $0.value.userInfo }
  ) { node, draft, findings in
    draft.value.writtenUserInfo = .node(node)
    findings.add(ManifestRules.userInfo(node, for: draft.hosting))
    return true
  }

  static let schema = ManifestKey(
    ignored: schemaKey, "Where editors find the schema of manifests; it means nothing here.",
    example: #""manifest.schema.json""#)

  static let toolsVersion = ManifestKey(
    ignored: "toolsVersion", "Written by some packagers; it means nothing here.",
    example: #""2.0""#)
}

/// What the template leaves for a person to fill in.
enum Placeholder {
  static let id = "[Asset-Pack ID]"
  static let file = "[Path to File]"
  static let folder = "[Path to Directory]"
  static let manifest = "[Path to Manifest]"

  static let all = [id, file, folder, manifest]

  /// Where a schema's pattern begins that takes none of them.
  static let absent =
    #"^(?![\s\S]*\[(Asset-Pack ID|Path to File|Path to Directory|Path to Manifest)\])"#
}
