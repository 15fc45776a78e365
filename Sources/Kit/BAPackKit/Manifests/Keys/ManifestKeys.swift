import SourceDiagnostics

/// The keys of manifests: each key has an entry here and a property of ``Manifest``.
enum ManifestKeys {
  typealias ManifestKey = Key<Draft<Manifest>>

  /// All keys, in the order of the template and of written files.
  static let all = [
    assetPackID, downloadPolicy, fileSelectors, platforms, sourceRoot, language, userInfo, schema,
    toolsVersion,
  ]

  static let assetPackID = ManifestKey(
    JSONKey(
      "assetPackID",
      .string(pattern: Placeholder.absent + #"[^/\u0000-\u001F\u007F-\u009F]+$"#),
      "The name by which the app requests the pack.",
      details: [
        "Letters, digits and hyphens; the first and last characters are not hyphens. In App Store "
          + "Connect, an ID cannot be changed or used again."
      ],
      example: "\"\(Placeholder.id)\"", sample: #""Tutorial""#),
    \.value.assetPackID, write: { .string($0) }
  ) { node, draft, findings in
    guard let id = node.string else { return nil }
    let hosting = draft.hosting
    findings.add(
      ManifestRules.placeholder(id, at: node.span) ?? PackIDRules.empty(id, at: node.span)
        ?? PackIDRules.characters(id, at: node)
        ?? PackIDRules.grammar(id, at: node, for: hosting)
        ?? PackIDRules.style(id, at: node.span, for: hosting))
    return id
  }

  static let downloadPolicy = ManifestKey(
    JSONKey(
      "downloadPolicy", DownloadPolicy.shape,
      "The download policy: exactly one of three keys.",
      example: #"{"essential": {"installationEventTypes": ["firstInstallation"]}}"#),
    \.value.downloadPolicy, write: { $0.jsonValue }
  ) { node, _, findings in
    DownloadPolicy.read(node, into: &findings)
  }

  static let fileSelectors = ManifestKey(
    JSONKey(
      "fileSelectors", .array(of: .alternatives(SelectorKind.shapes), atLeast: 1),
      "The selectors of the files in the pack.",
      details: [
        "The list can mix all kinds of selectors. Paths are relative to the source root, and the "
          + "separator is '/'. Files keep their paths unless a selector has a destination."
      ],
      example: #"[{"directory": "Textures"}]"#, correction: SelectorRules.asSelectors),
    \.value.fileSelectors, write: { .array($0.map(\.jsonValue)) }
  ) { node, draft, findings in
    draft.readSelectors(node, &findings)
  }

  static let platforms = ManifestKey(
    "platforms", \.value.platforms,
    JSONForm(
      .array(of: .word(Platform.allCases.map(\.rawValue))),
      write: { .array($0.map { .string($0.rawValue) }) },
      reading: { node, findings in
        let platforms = KeywordList(node, PlatformRules.list)
        platforms.check(into: &findings)
        return platforms.values
      }),
    "The platforms that the pack is offered on. An empty list means all.",
    details: ["'iOS' includes iPads. Remove the platforms that you do not need."],
    example: #"["iOS", "macOS", "tvOS", "visionOS"]"#)

  static let sourceRoot = ManifestKey(
    "sourceRoot", \.value.sourceRoot,
    .text(pattern: #"^(?!/)(?![A-Za-z]:[/\\])[^\u0000]+$"#, fault: ManifestRules.sourceRoot),
    "The folder or archive with the source files, relative to this file.",
    details: [
      """
      The default is 'sourceRoot' of the project, or the project's folder. Without a project, it \
      is the current folder of the command.
      """
    ],
    example: #""..""#)

  static let language = ManifestKey(
    JSONKey(
      "language", LanguageRules.shape, is: .optional,
      "The language of a localized pack, with an optional script and region.",
      details: ["Create one pack for each language. All of them contain the same paths."],
      example: #""zh-Hant-TW""#),
    \.value.language, write: { $0.map { .string($0.description) } }
  ) { node, draft, findings in
    guard let tag = LanguageRules.read(node, into: &findings) else { return nil }
    findings.add(LanguageRules.selfHosted(at: node.span, for: draft.hosting))
    return tag
  }

  /// The draft keeps the node, because the value may be large.
  static let userInfo = ManifestKey(
    JSONKey(
      "userInfo", .anyObject, is: .optional,
      "An object with data for the app.",
      details: ["It is only for packs on your own server: App Store Connect rejects it."],
      example: #"{"edition": 1}"#),
    property: \Draft<Manifest>.value.userInfo, write: { $0.value.userInfo }
  ) { node, draft, findings in
    draft.value.writtenUserInfo = .node(node)
    findings.add(ManifestRules.userInfo(node, for: draft.hosting))
    return true
  }

  static let schema = ManifestKey(
    ignored: schemaKey, "The address of the schema of manifests, for editors; ignored.",
    example: #""manifest.schema.json""#)

  static let toolsVersion = ManifestKey(
    ignored: "toolsVersion", "Written by some packagers; ignored.",
    example: #""2.0""#)
}

/// The placeholders of the template.
enum Placeholder {
  static let id = "[Asset-Pack ID]"
  static let file = "[Path to File]"
  static let folder = "[Path to Directory]"
  static let manifest = "[Path to Manifest]"

  static let all = [id, file, folder, manifest]

  /// The beginning of a regular expression in a schema that matches no placeholder.
  static let absent =
    #"^(?![\s\S]*\[(Asset-Pack ID|Path to File|Path to Directory|Path to Manifest)\])"#
}
