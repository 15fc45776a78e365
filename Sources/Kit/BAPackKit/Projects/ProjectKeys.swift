import SourceDiagnostics
import SystemIO

/// The keys of project files.
///
/// Each key is an entry here and a property of ``ProjectSettings``.
///
/// The reader, the schema, the template and the list of effective settings are generated from them.
enum ProjectKeys {
  static let all = [
    name, packs, hosting, output, sourceRoot, compression, level, threads, cache, budgets,
    findings, primaryLanguage, selfHosting, appStore, baseline, schema,
  ]

  typealias ProjectKey = Key<Draft<ProjectSettings>>

  static let name = ProjectKey(
    "name", \.value.name, .text(pattern: #"^(?=.*\S)[^\u0000-\u001f]+$"#, fault: ProjectRules.name),
    "The name of the project in reports and comparisons (default: the name of its folder).",
    example: #""Lantern""#)

  static let packs: ProjectKey = ProjectKey(
    JSONKey(
      "packs", .array(of: .string(pattern: Placeholder.absent + #"[^\u0000]+$"#), atLeast: 1),
      "The manifests of the packs: files, folders of them, or patterns such as 'Packs/**/*.json'.",
      details: ["All paths in this file are relative to the folder of this file."],
      example: "[\"\(Placeholder.manifest)\"]"),
    \.value.packs, write: { $0.isEmpty ? nil : .array($0.map { .string($0) }) }
  ) { node, draft, findings in
    var paths: [String] = []
    for element in node.elements {
      guard let path = element.string else {
        if element.kind != .invalid {
          findings.add(.wrongType(element, "'\(packs.name)' must contain strings"))
        }
        continue
      }
      if let finding = ManifestRules.placeholder(path, at: element.span)
        ?? ProjectRules.path(path, at: element.span)
      {
        findings.add(finding)
        continue
      }
      draft.locations[place(ofPack: paths.count)] = element.span
      paths.append(path)
    }
    if node.count == 0, !node.isDamaged { findings.add(ProjectRules.noPacks(at: node.span)) }
    return paths
  }

  /// Returns the name under which the position of an element of 'packs' is stored.
  static func place(ofPack index: Int) -> String { "\(packs.name)[\(index)]" }

  static let hosting = word(
    "hosting", \.value.hosting,
    "The hosting of the packs, which some findings depend on: 'apple' or 'self'.",
    details: ["'apple' is App Store Connect, 'self' is your own server."], example: "apple")

  static let output = path(
    "output", \.value.output, "The output folder of packs, below the folder of this file.",
    details: ["The name of a pack's file is '<assetPackID>.aar'."], example: "build/packs",
    isWritten: true)

  static let sourceRoot = path(
    ManifestKeys.sourceRoot.name, \.value.sourceRoot,
    "The source root, a folder or an archive, of manifests without a 'sourceRoot'.",
    details: ["The default is the folder of this file."], example: "Assets")

  static let compression = word(
    "compression", \.value.compression, "The compression of the packs (default: 'lzfse').",
    example: "lzfse")

  static let level = word(
    "level", \.value.level, "The compression effort. 'best' is slowest and smallest.",
    example: "best")

  static let threads = ProjectKey(
    "threads", \.value.threads,
    JSONForm(
      .integer(in: ProjectRules.threads), write: { .integer($0) },
      reading: { node, findings in
        let count = node.number.flatMap { Int($0) }
        if let count, ProjectRules.threads.contains(count) { return count }
        findings.add(ProjectRules.threads(node))
        return nil
      }),
    "The number of threads for compression (default: the number of processors).",
    example: "8")

  static let cache = ProjectKey(
    "cache", of: [cacheFolder, cacheLimit, cacheRemote],
    "The cache of compressed blocks: the same content is not compressed again.",
    details: ["'{}' enables the cache in its default folder, which is separate for each user."],
    isPresent: \Draft<ProjectSettings>.value.cache.isEnabled)

  private static let cacheFolder = path(
    "folder", \.value.cache.folder,
    "The folder of the cache, below the folder of this file, instead of the default folder.",
    example: ".cache/blocks", isWritten: true)

  private static let cacheLimit = ProjectKey(
    "limit", \.value.cache.limit,
    JSONForm(
      .size(pattern: "^[0-9]+[KMGTkmgt]?$"), write: { .number("\($0)") },
      reading: { node, findings in
        let size = ByteCount.read(node.string ?? node.number ?? "")
        if let size, ProjectRules.cacheSizes.contains(size) { return size }
        findings.add(ProjectRules.cacheLimit(node))
        return nil
      }),
    "The size limit of the cache in bytes, with powers of 1024 (default: 10G).", example: #""20G""#)

  private static let cacheRemote = address(
    "remote", \.value.cache.remote,
    "The address of a shared cache. It is only read, unless BA_CACHE_ORIGIN also contains the "
      + "address.",
    example: "https://cache.example.com")

  static let budgets = ProjectKey(
    "budgets", \.value.budgets,
    JSONForm(
      .values(of: .size(pattern: #"^[0-9]+(\.[0-9]+)? ?[KMGTkmgt]?[Bb]?$"#)),
      write: { .object($0.map { .init($0.name, .string($0.text)) }) },
      reading: { node, findings in
        node.members.compactMap { member in
          guard let name = member.key.string, !member.key.isDamaged else { return nil }
          return ProjectRules.budget(
            (member.key, member.value), named: name, in: node.document.source, into: &findings)
        }
      }),
    "The size limits of downloads, with powers of 1000.",
    details: [
      "'essential' limits the download of any device before the first launch, 'total' all packs of "
        + "one device, 'hosted' all archives of the app, and 'update' the download for an update.",
      "Any other name is a pattern: for pack IDs, which counts the archives, or, with a '/', for "
        + "files, which counts their unpacked sizes.",
      "Exceeding a budget is an error; reaching 90 % of it is a warning.",
    ],
    example: #"{"total": "2G", "voices-*": "80M"}"#)

  static let primaryLanguage = ProjectKey(
    "primaryLanguage", \.value.primaryLanguage,
    JSONForm(LanguageRules.shape, write: { .string($0.description) }, reading: LanguageRules.read),
    "The app's primary language, which devices use if their language is not available.",
    example: #""en""#)

  static let selfHosting = ProjectKey(
    "selfHosting", of: [baseURL, urlTemplate, manifests],
    "Your own server, from which devices download the packs.")

  private static let baseURL = address(
    "baseURL", \.value.selfHosting.baseURL,
    "The base URL. The URL of a pack is the base URL, a slash and the ID.",
    example: "https://downloads.example.com/packs")

  private static let urlTemplate = ProjectKey(
    "urlTemplate", \.value.selfHosting.urlTemplate,
    .text(pattern: #"^[^\u0000]+$"#, fault: ProjectRules.secret),
    "A template for addresses, with {base}, {id}, {version}, {sha256} and {file}.",
    example: #""{base}/{id}.aar""#)

  private static let manifestOfPlatform = Platform.allCases.map {
    JSONKey(
      $0.rawValue, .string(pattern: ProjectRules.relative), is: .optional,
      "The download manifest for \($0.rawValue).")
  }

  private static let manifests: ProjectKey = ProjectKey(
    "manifests", \.value.selfHosting.manifests,
    JSONForm(
      .object(manifestOfPlatform),
      write: { paths in
        .object(
          Platform.allCases.compactMap { platform in
            paths[platform].map { .init(platform.rawValue, .string($0)) }
          })
      },
      reading: { node, findings in
        let object = JSONObjectReader(
          node, keys: manifestOfPlatform, owner: "'\(manifests.name)'", into: &findings)
        var paths: [Platform: String] = [:]
        for platform in Platform.allCases {
          guard let value = object[platform.rawValue], let path = value.string else { continue }
          if let finding = ProjectRules.path(path, at: value.span, isWritten: true) {
            findings.add(finding)
          } else {
            paths[platform] = path
          }
        }
        return paths
      }),
    "The download manifest of each platform.", example: #"{"iOS": "build/ios.json"}"#)

  static let appStore = ProjectKey(
    "appStore", of: [app], "The settings of App Store Connect. Do not write API keys in this file.")

  private static let app = ProjectKey(
    "app", \.value.appStore.app,
    .text(pattern: "^.+$") { $0.isEmpty ? ProjectRules.emptyApp(at: $1) : nil },
    "The app in App Store Connect: its Apple ID (a number) or its bundle ID.",
    example: #""com.example.lantern""#)

  static let baseline: ProjectKey = ProjectKey(
    JSONKey(
      "baseline",
      .either([
        .string(pattern: ProjectRules.relative), .object([baselinePath, baselineIsOptional]),
      ]),
      is: .optional,
      "A folder of old packs, or a report about them, to compare new packs with.",
      details: [
        "Comparisons use this baseline by default.",
        "With 'path' and 'optional': true, the packs may be missing before the first release.",
      ],
      example: #""../released/packs""#),
    \.value.baseline,
    write: { baseline in
      baseline.map { baseline in
        guard baseline.isOptional else { return .string(baseline.path) }
        return .object([
          .init(baselinePath.name, .string(baseline.path)),
          .init(baselineIsOptional.name, .bool(true)),
        ])
      }
    }
  ) { node, _, findings in
    var place: JSONNode? = node
    var isOptional = false
    if node.kind == .object {
      let object = JSONObjectReader(
        node, keys: [baselinePath, baselineIsOptional], owner: "'\(baseline.name)'",
        into: &findings)
      place = object[baselinePath.name]
      isOptional = object[baselineIsOptional.name]?.bool ?? false
    }
    guard let place, let path = place.string else { return nil }
    guard let finding = ProjectRules.path(path, at: place.span) else {
      return .init(path: path, isOptional: isOptional)
    }
    findings.add(finding)
    return nil
  }

  private static let baselinePath = JSONKey(
    "path", .string(pattern: ProjectRules.relative), "The path of the old packs.")

  private static let baselineIsOptional = JSONKey(
    "optional", .bool, is: .optional,
    "Whether the packs may be missing, for example before the first release.")

  static let schema = ProjectKey(
    ignored: schemaKey, "The schema for editors; ba-package ignores it.",
    example: #""project.schema.json""#)
}

// MARK: - Kinds of keys

extension ProjectKeys {
  private typealias Property<Value> = WritableKeyPath<Draft<ProjectSettings>, Value?>

  private static func word<Value: RawRepresentable & CaseIterable & SendableMetatype>(
    _ name: String, _ property: any Property<Value> & Sendable, _ summary: String,
    details: [String] = [], example: String
  ) -> ProjectKey where Value.RawValue == String {
    let values = Value.allCases.map(\.rawValue)
    let form = JSONForm<Value>(
      .word(values), write: { .string($0.rawValue) },
      reading: { node, findings in
        let text = node.string ?? ""
        if let word = Value(rawValue: text) { return word }
        findings.add(ProjectRules.unknownValue(node, text, of: name, known: values))
        return nil
      })
    return ProjectKey(name, property, form, summary, details: details, example: "\"\(example)\"")
  }

  /// Returns a key for a path relative to the project file; an output path must be below its
  /// folder.
  private static func path(
    _ name: String, _ property: any Property<String> & Sendable, _ summary: String,
    details: [String] = [], example: String, isWritten: Bool = false
  ) -> ProjectKey {
    ProjectKey(
      name, property,
      .text(pattern: ProjectRules.relative) {
        ProjectRules.path($0, at: $1, isWritten: isWritten)
      }, summary, details: details, example: "\"\(example)\"")
  }

  private static func address(
    _ name: String, _ property: any Property<String> & Sendable, _ summary: String, example: String
  ) -> ProjectKey {
    ProjectKey(
      name, property,
      .text(pattern: #"^[Hh][Tt][Tt][Pp][Ss]?://[^/?#@]+(/[^?#]*)?$"#) {
        ProjectRules.secret($0, at: $1) ?? ProjectRules.address($0, of: name, at: $1)
      }, summary, example: "\"\(example)\"")
  }
}
