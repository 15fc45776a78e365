import SourceDiagnostics

/// The language of manifests as a table: a key is an entry here and a property of ``Manifest``.
enum ManifestKeys {
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
    \.assetPackID, title: "Pack", words: { $0 }, write: { .string($0) }
  ) { node, reader in
    guard let id = node.string else { return nil }
    let hosting = reader.hosting
    reader.findings.add(
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
    \.downloadPolicy, title: "Policy", words: { $0.words }, write: { $0.jsonValue }
  ) { node, reader in
    DownloadPolicy.read(node, into: &reader.findings)
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
    \.fileSelectors, write: { .array($0.map(\.jsonValue)) }
  ) { node, reader in
    reader.readSelectors(node)
  }

  static let platforms = ManifestKey(
    JSONKey(
      "platforms", .array(of: .word(Platform.allCases.map(\.rawValue))),
      "Where the pack is offered. An empty list means everywhere.",
      details: ["'iOS' covers iPads. Take away what you do not need."],
      example: #"["iOS", "macOS", "tvOS", "visionOS"]"#),
    \.platforms, title: "Platforms",
    words: { $0.isEmpty ? "all" : $0.map(\.rawValue).joined(separator: ", ") },
    write: { .array($0.map { .string($0.rawValue) }) }
  ) { node, reader in
    let words = WordList(node, PlatformRules.words)
    words.check(into: &reader.findings)
    return words.values
  }

  static let sourceRoot = ManifestKey(
    JSONKey(
      "sourceRoot", .string(pattern: #"^(?!/)(?![A-Za-z]:[/\\])[^\u0000]+$"#), is: .optional,
      "The folder that selectors start from, relative to this file.",
      details: ["Without it, that is the folder in which you run the command."],
      example: #""..""#),
    \.sourceRoot, isArchived: false, write: { $0.map { .string($0) } }
  ) { node, reader in
    guard let path = node.string else { return nil }
    guard let finding = ManifestRules.sourceRoot(path, at: node.span) else { return path }
    reader.findings.add(finding)
    return nil
  }

  static let language = ManifestKey(
    JSONKey(
      "language",
      LanguageRules.shape, is: .optional,
      "The language of a localized pack: a language, perhaps a script, perhaps a region.",
      details: ["Make one pack for each language, with the same paths inside."],
      example: #""zh-Hant-TW""#),
    \.language, title: "Language", words: { $0?.description },
    write: { $0.map { .string($0.description) } }
  ) { node, reader in
    guard let tag = LanguageRules.read(node, into: &reader.findings) else { return nil }
    reader.findings.add(LanguageRules.selfHosted(at: node.span, for: reader.hosting))
    return tag
  }

  static let userInfo = ManifestKey(
    written: JSONKey(
      "userInfo", .anyObject, is: .optional,
      "Anything that the app should get along with the pack.",
      details: ["Only for packs on a server of your own; App Store Connect refuses it."],
      example: #"{"edition": 1}"#),
    \.userInfo
  ) { node, reader in
    reader.draft.writtenUserInfo = .node(node)
    reader.findings.add(ManifestRules.userInfo(node, for: reader.hosting))
  }

  static let schema = ManifestKey(
    meaningless: JSONKey(
      schemaKey, .anything, is: .ignored,
      "Where editors find the schema of manifests; it means nothing here.",
      example: #""manifest.schema.json""#))

  static let toolsVersion = ManifestKey(
    meaningless: JSONKey(
      "toolsVersion", .anything, is: .ignored,
      "Written by some packagers; it means nothing here.", example: #""2.0""#))
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
