import SourceDiagnostics
import SystemIO

/// The language of project files as a table: a key is an entry here and a property of ``ProjectSettings``.
///
/// Reader, schema, template, and what is shown of the settings in force walk it.
enum ProjectKeys {
  static let all = [
    name, packs, hosting, output, sourceRoot, compression, level, threads, cache, budgets,
    primaryLanguage, selfHosting, appStore, baseline, schema,
  ]

  typealias ProjectKey = TextKey<ProjectSettings>

  static let name = ProjectKey(
    JSONKey(
      "name", .string(pattern: #"^(?=.*\S)[^\u0000-\u001f]+$"#), is: .optional,
      "What the project is called in reports and comparisons; the name of its folder if it is not said.",
      example: #""Lantern""#),
    \.name, isArchived: false, write: { $0.map { .string($0) } }
  ) { node, reader in
    guard let name = node.string else { return nil }
    guard let finding = ProjectRules.name(name, at: node.span) else { return name }
    reader.findings.add(finding)
    return nil
  }

  static let packs: ProjectKey = ProjectKey(
    JSONKey(
      "packs", .array(of: .string(pattern: Placeholder.absent + #"[^\u0000]+$"#), atLeast: 1),
      "The manifests of the packs: files, folders of them, or patterns such as 'Packs/**/*.json'.",
      details: ["This and every other path starts at the folder of this file."],
      example: "[\"\(Placeholder.manifest)\"]"),
    \.packs, write: { $0.isEmpty ? nil : .array($0.map { .string($0) }) }
  ) { node, reader in
    var paths: [String] = []
    for element in node.elements {
      guard let path = element.string else {
        if element.kind != .invalid {
          reader.findings.add(.wrongType(element, "'\(packs.name)' takes strings"))
        }
        continue
      }
      if let finding = ManifestRules.placeholder(path, at: element.span)
        ?? ProjectRules.path(path, at: element.span)
      {
        reader.findings.add(finding)
        continue
      }
      reader.locations[place(ofPack: paths.count)] = element.span
      paths.append(path)
    }
    if node.count == 0, !node.isDamaged { reader.findings.add(ProjectRules.noPacks(at: node.span)) }
    return paths
  }

  /// The name under which the place of an element of 'packs' is kept.
  static func place(ofPack index: Int) -> String { "\(packs.name)[\(index)]" }

  static let hosting = word(
    "hosting", \.hosting,
    "Who serves the packs to devices: its rules are applied, too.",
    details: ["'apple' is App Store Connect, 'self' a server of your own."], example: "apple")

  static let output = path(
    "output", \.output, "The folder that packs are written to, below this file's folder.",
    details: ["Each gets the name '<assetPackID>.aar' there."], example: "build/packs",
    isWritten: true)

  static let sourceRoot = path(
    ManifestKeys.sourceRoot.name, \.sourceRoot,
    "The folder or archive that selectors start from, in manifests that name none.",
    details: ["Without it, that is the folder of this file."], example: "Assets")

  static let compression = word(
    "compression", \.compression, "The codec of the blocks; 'lzfse' if it is not said.",
    example: "lzfse")

  static let level = word(
    "level", \.level, "How hard the encoder tries; 'best' makes the smallest packs.",
    example: "best")

  static let threads = ProjectKey(
    JSONKey(
      "threads", .integer(in: ProjectRules.threads), is: .optional,
      "How many threads compress; as many as there are processors if it is not said.",
      example: "8"),
    \.threads, isArchived: false, write: { $0.map { .integer($0) } }
  ) { node, reader in
    guard let count = node.number.flatMap({ Int($0) }), ProjectRules.threads.contains(count) else {
      reader.findings.add(ProjectRules.threads(node))
      return nil
    }
    return count
  }

  static let cache = ProjectKey(
    "cache", of: [cacheFolder, cacheLimit, cacheRemote],
    "Where encoded blocks are kept, so that the same content is not compressed again.",
    details: ["'{}' keeps them where each person's caches are."],
    isThere: \ProjectSettings.cache.isWanted)

  private static let cacheFolder = path(
    "folder", \.cache.folder, "A folder below this file's folder, instead of the usual one.",
    example: ".cache/blocks", isWritten: true)

  private static let cacheLimit = ProjectKey(
    JSONKey(
      "limit", .size(pattern: "^[0-9]+[KMGTkmgt]?$"), is: .optional,
      "How many bytes it may take, with powers of 1024; 10G if it is not said.",
      example: #""20G""#),
    \.cache.limit, isArchived: false, write: { $0.map { .number("\($0)") } }
  ) { node, reader in
    let text = node.string ?? node.number ?? ""
    guard let size = ByteCount.read(text), ProjectRules.cacheSizes.contains(size) else {
      reader.findings.add(ProjectRules.cacheLimit(node))
      return nil
    }
    return size
  }

  private static let cacheRemote = address(
    "remote", \.cache.remote,
    "The address of a cache that several machines share; only read, unless BA_CACHE_ORIGIN names it, too.",
    example: "https://cache.example.com")

  static let budgets = ProjectKey(
    JSONKey(
      "budgets", .values(of: .size(pattern: #"^[0-9]+(\.[0-9]+)? ?[KMGTkmgt]?[Bb]?$"#)),
      is: .optional,
      "How large what players download may become, with powers of 1000.",
      details: [
        "'essential' is the most that any device downloads before the app opens, 'total' the most that any "
          + "one device may have, 'hosted' all archives together, and 'update' what players download again.",
        "Any other name is a pattern: for IDs of packs, whose archives count together, or, with a '/', for "
          + "files, which count unpacked.",
        "More than a budget is an error, from 90 % of it on there is a warning.",
      ],
      example: #"{"total": "2G", "voices-*": "80M"}"#),
    \.budgets, isArchived: false,
    write: { $0.map { .object($0.map { .init($0.name, .string($0.text)) }) } }
  ) { node, reader in
    node.members.compactMap { member in
      guard let name = member.key.string, !member.key.isDamaged else { return nil }
      return ProjectRules.budget(
        (member.key, member.value), named: name, in: reader.source, into: &reader.findings)
    }
  }

  static let primaryLanguage = ProjectKey(
    JSONKey(
      "primaryLanguage", LanguageRules.shape, is: .optional,
      "The app's primary language, which devices get when their own is not available.",
      example: #""en""#),
    \.primaryLanguage, isArchived: false, write: { $0.map { .string($0.description) } }
  ) { node, reader in
    LanguageRules.read(node, into: &reader.findings)
  }

  static let selfHosting = ProjectKey(
    "selfHosting", of: [baseURL, urlTemplate, manifests],
    "The server of your own that packs are downloaded from.")

  static let baseURL = address(
    "baseURL", \.selfHosting.baseURL,
    "Where the packs are served: the address of a pack is this, a slash and its ID.",
    example: "https://downloads.example.com/packs")

  static let urlTemplate = ProjectKey(
    JSONKey(
      "urlTemplate", .string(pattern: #"^[^\u0000]+$"#), is: .optional,
      "Another form of address, with {base}, {id}, {version}, {sha256} and {file}.",
      example: #""{base}/{id}.aar""#),
    \.selfHosting.urlTemplate, isArchived: false, write: { $0.map { .string($0) } }
  ) { node, reader in
    guard let text = node.string else { return nil }
    guard let finding = ProjectRules.secret(text, at: node.span) else { return text }
    reader.findings.add(finding)
    return nil
  }

  static let manifests: ProjectKey = ProjectKey(
    JSONKey(
      "manifests",
      .object(
        Platform.allCases.map {
          JSONKey(
            $0.rawValue, .string(pattern: ProjectRules.relative), is: .optional,
            "The download manifest for \($0.rawValue).")
        }), is: .optional, "The download manifest of each platform.",
      example: #"{"iOS": "build/ios.json"}"#),
    \.selfHosting.manifests, isArchived: false,
    write: { paths in
      paths.map { paths in
        .object(
          Platform.allCases.compactMap { platform in
            paths[platform].map { .init(platform.rawValue, .string($0)) }
          })
      }
    }
  ) { node, reader in
    guard case .object(let keys) = manifests.json.shape else { return nil }
    let object = JSONObjectReader(
      node, keys: keys, owner: "'\(manifests.name)'", into: &reader.findings)
    var paths: [Platform: String] = [:]
    for platform in Platform.allCases {
      guard let value = object[platform.rawValue], let path = value.string else { continue }
      if let finding = ProjectRules.path(path, at: value.span, isWritten: true) {
        reader.findings.add(finding)
      } else {
        paths[platform] = path
      }
    }
    return paths
  }

  static let appStore = ProjectKey(
    "appStore", of: [app], "What the packs are uploaded for; keys never stand here.")

  static let app = ProjectKey(
    JSONKey(
      "app", .string(pattern: "^.+$"), is: .optional,
      "The app in App Store Connect: its Apple ID, a number, or its bundle ID.",
      example: #""com.example.lantern""#),
    \.appStore.app, isArchived: false, write: { $0.map { .string($0) } }
  ) { node, reader in
    guard let app = node.string, !app.isEmpty else {
      reader.findings.add(ProjectRules.emptyApp(at: node.span))
      return nil
    }
    return app
  }

  static let baseline = ProjectKey(
    JSONKey(
      "baseline",
      .stringOrObject(pattern: ProjectRules.relative, [baselinePath, baselineIsOptional]),
      is: .optional,
      "A folder of former packs, or a report about them, that new ones are compared with.",
      details: [
        "Comparisons begin with it where nothing else is named.",
        "An object with 'path' and 'optional': true says that they may be missing before the first release.",
      ],
      example: #""../released/packs""#),
    \.baseline, isArchived: false,
    write: { baseline in
      baseline.map { baseline in
        guard baseline.isOptional else { return .string(baseline.path) }
        return .object([
          .init(baselinePath.name, .string(baseline.path)),
          .init(baselineIsOptional.name, .bool(true)),
        ])
      }
    }
  ) { node, reader in
    var place: JSONNode? = node
    var isOptional = false
    if node.kind == .object {
      let object = JSONObjectReader(
        node, keys: [baselinePath, baselineIsOptional], owner: "'baseline'",
        into: &reader.findings)
      place = object[baselinePath.name]
      isOptional = object[baselineIsOptional.name]?.bool ?? false
    }
    guard let place, let path = place.string else { return nil }
    guard let finding = ProjectRules.path(path, at: place.span) else {
      return .init(path: path, isOptional: isOptional)
    }
    reader.findings.add(finding)
    return nil
  }

  private static let baselinePath = JSONKey(
    "path", .string(pattern: ProjectRules.relative), "Where the former packs are.")

  private static let baselineIsOptional = JSONKey(
    "optional", .bool, is: .optional,
    "Whether they may be missing, as they are before the first release.")

  static let schema = ProjectKey(
    meaningless: JSONKey(
      schemaKey, .anything, is: .ignored,
      "Where editors find the schema of project files; it means nothing here.",
      example: #""project.schema.json""#))
}

// MARK: - Kinds of keys

extension ProjectKeys {
  private static func word<Word: RawRepresentable & CaseIterable & Equatable & Sendable>(
    _ name: String, _ property: any WritableKeyPath<ProjectSettings, Word?> & Sendable,
    _ summary: String, details: [String] = [], example: String
  ) -> ProjectKey where Word.RawValue == String {
    let words = Word.allCases.map(\.rawValue)
    return ProjectKey(
      JSONKey(
        name, .word(words), is: .optional, summary, details: details, example: "\"\(example)\""),
      property, isArchived: false, write: { $0.map { .string($0.rawValue) } }
    ) { node, reader in
      guard let text = node.string else { return nil }
      if let word = Word(rawValue: text) { return word }
      reader.findings.add(ProjectRules.unknownWord(node, text, of: name, known: words))
      return nil
    }
  }

  /// A path that starts at the project file; what is written there stays below it.
  private static func path(
    _ name: String, _ property: any WritableKeyPath<ProjectSettings, String?> & Sendable,
    _ summary: String, details: [String] = [], example: String, isWritten: Bool = false
  ) -> ProjectKey {
    ProjectKey(
      JSONKey(
        name, .string(pattern: ProjectRules.relative), is: .optional, summary, details: details,
        example: "\"\(example)\""),
      property, isArchived: false, write: { $0.map { .string($0) } }
    ) { node, reader in
      guard let path = node.string else { return nil }
      guard let finding = ProjectRules.path(path, at: node.span, isWritten: isWritten) else {
        return path
      }
      reader.findings.add(finding)
      return nil
    }
  }

  private static func address(
    _ name: String, _ property: any WritableKeyPath<ProjectSettings, String?> & Sendable,
    _ summary: String, example: String
  ) -> ProjectKey {
    ProjectKey(
      JSONKey(
        name, .string(pattern: #"^[Hh][Tt][Tt][Pp][Ss]?://[^/?#@]+(/[^?#]*)?$"#), is: .optional,
        summary, example: "\"\(example)\""),
      property, isArchived: false, write: { $0.map { .string($0) } }
    ) { node, reader in
      guard let text = node.string else { return nil }
      guard
        let finding = ProjectRules.secret(text, at: node.span)
          ?? ProjectRules.address(text, of: name, at: node.span)
      else { return text }
      reader.findings.add(finding)
      return nil
    }
  }
}
