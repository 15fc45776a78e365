import SourceDiagnostics
import SystemIO

/// The keys of project files: each is an entry here and a property of ``ProjectSettings``.
///
/// Reader, schema, template, and the list of the settings in force are made from them.
enum ProjectKeys {
  static let all = [
    name, packs, hosting, output, sourceRoot, compression, level, threads, cache, budgets,
    primaryLanguage, selfHosting, appStore, baseline, schema,
  ]

  typealias ProjectKey = Key<Draft<ProjectSettings>>

  static let name = ProjectKey(
    "name", \.value.name,
    .text(pattern: #"^(?=.*\S)[^\u0000-\u001f]+$"#, fault: ProjectRules.name),
    "What the project is called in reports and comparisons; the name of its folder if it is not "
      + "said.",
    example: #""Lantern""#)

  static let packs: ProjectKey = ProjectKey(
    JSONKey(
      "packs", .array(of: .string(pattern: Placeholder.absent + #"[^\u0000]+$"#), atLeast: 1),
      "The manifests of the packs: files, folders of them, or patterns such as 'Packs/**/*.json'.",
      details: ["This and every other path starts at the folder of this file."],
      example: "[\"\(Placeholder.manifest)\"]"),
    \.value.packs, write: { $0.isEmpty ? nil : .array($0.map { .string($0) }) }
  ) { node, draft, findings in
    var paths: [String] = []
    for element in node.elements {
      guard let path = element.string else {
        if element.kind != .invalid {
          findings.add(.wrongType(element, "'\(packs.name)' takes strings"))
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

  /// The name under which the place of an element of 'packs' is kept.
  static func place(ofPack index: Int) -> String { "\(packs.name)[\(index)]" }

  static let hosting = word(
    "hosting", \.value.hosting,
    "Who serves the packs to devices: its rules are applied, too.",
    details: ["'apple' is App Store Connect, 'self' a server of your own."], example: "apple")

  static let output = path(
    "output", \.value.output, "The folder that packs are written to, below this file's folder.",
    details: ["Each gets the name '<assetPackID>.aar' there."], example: "build/packs",
    isWritten: true)

  static let sourceRoot = path(
    ManifestKeys.sourceRoot.name, \.value.sourceRoot,
    "The folder or archive that selectors start from, in manifests that name none.",
    details: ["Without it, that is the folder of this file."], example: "Assets")

  static let compression = word(
    "compression", \.value.compression, "The codec of the blocks; 'lzfse' if it is not said.",
    example: "lzfse")

  static let level = word(
    "level", \.value.level, "How hard the encoder tries; 'best' makes the smallest packs.",
    example: "best")

  static let threads = ProjectKey(
    "threads", \.value.threads,
    Form(
      .integer(in: ProjectRules.threads), write: { .integer($0) },
      reading: { node, findings in
        let count = node.number.flatMap { Int($0) }
        if let count, ProjectRules.threads.contains(count) { return count }
        findings.add(ProjectRules.threads(node))
        return nil
      }),
    "How many threads compress; as many as there are processors if it is not said.",
    example: "8")

  static let cache = ProjectKey(
    "cache", of: [cacheFolder, cacheLimit, cacheRemote],
    "Where encoded blocks are kept, so that the same content is not compressed again.",
    details: ["'{}' keeps them where each person's caches are."],
    isThere: \Draft<ProjectSettings>.value.cache.isWanted)

  private static let cacheFolder = path(
    "folder", \.value.cache.folder, "A folder below this file's folder, instead of the usual one.",
    example: ".cache/blocks", isWritten: true)

  private static let cacheLimit = ProjectKey(
    "limit", \.value.cache.limit,
    Form(
      .size(pattern: "^[0-9]+[KMGTkmgt]?$"), write: { .number("\($0)") },
      reading: { node, findings in
        let size = ByteCount.read(node.string ?? node.number ?? "")
        if let size, ProjectRules.cacheSizes.contains(size) { return size }
        findings.add(ProjectRules.cacheLimit(node))
        return nil
      }),
    "How many bytes it may take, with powers of 1024; 10G if it is not said.", example: #""20G""#)

  private static let cacheRemote = address(
    "remote", \.value.cache.remote,
    "The address of a cache that several machines share; only read, unless BA_CACHE_ORIGIN names "
      + "it, too.",
    example: "https://cache.example.com")

  static let budgets = ProjectKey(
    "budgets", \.value.budgets,
    Form(
      .values(of: .size(pattern: #"^[0-9]+(\.[0-9]+)? ?[KMGTkmgt]?[Bb]?$"#)),
      write: { .object($0.map { .init($0.name, .string($0.text)) }) },
      reading: { node, findings in
        node.members.compactMap { member in
          guard let name = member.key.string, !member.key.isDamaged else { return nil }
          return ProjectRules.budget(
            (member.key, member.value), named: name, in: node.document.source, into: &findings)
        }
      }),
    "How large what players download may become, with powers of 1000.",
    details: [
      "'essential' is the most that any device downloads before the app opens, 'total' the most "
        + "that any one device may have, 'hosted' all archives together, and 'update' what players "
        + "download again.",
      "Any other name is a pattern: for IDs of packs, whose archives count together, or, with a "
        + "'/', for files, which count unpacked.",
      "More than a budget is an error, from 90 % of it on there is a warning.",
    ],
    example: #"{"total": "2G", "voices-*": "80M"}"#)

  static let primaryLanguage = ProjectKey(
    "primaryLanguage", \.value.primaryLanguage,
    Form(
      LanguageRules.shape, write: { .string($0.description) }, reading: LanguageRules.read),
    "The app's primary language, which devices get when their own is not available.",
    example: #""en""#)

  static let selfHosting = ProjectKey(
    "selfHosting", of: [baseURL, urlTemplate, manifests],
    "The server of your own that packs are downloaded from.")

  private static let baseURL = address(
    "baseURL", \.value.selfHosting.baseURL,
    "Where the packs are served: the address of a pack is this, a slash and its ID.",
    example: "https://downloads.example.com/packs")

  private static let urlTemplate = ProjectKey(
    "urlTemplate", \.value.selfHosting.urlTemplate,
    .text(pattern: #"^[^\u0000]+$"#, fault: ProjectRules.secret),
    "Another form of address, with {base}, {id}, {version}, {sha256} and {file}.",
    example: #""{base}/{id}.aar""#)

  private static let manifestOfPlatform = Platform.allCases.map {
    JSONKey(
      $0.rawValue, .string(pattern: ProjectRules.relative), is: .optional,
      "The download manifest for \($0.rawValue).")
  }

  private static let manifests: ProjectKey = ProjectKey(
    "manifests", \.value.selfHosting.manifests,
    Form(
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
    "appStore", of: [app], "What the packs are uploaded for; keys never stand here.")

  private static let app = ProjectKey(
    "app", \.value.appStore.app,
    .text(pattern: "^.+$") { $0.isEmpty ? ProjectRules.emptyApp(at: $1) : nil },
    "The app in App Store Connect: its Apple ID, a number, or its bundle ID.",
    example: #""com.example.lantern""#)

  static let baseline: ProjectKey = ProjectKey(
    JSONKey(
      "baseline",
      .stringOrObject(pattern: ProjectRules.relative, [baselinePath, baselineIsOptional]),
      is: .optional,
      "A folder of former packs, or a report about them, that new ones are compared with.",
      details: [
        "Comparisons begin with it where nothing else is named.",
        "An object with 'path' and 'optional': true says that they may be missing before the first "
          + "release.",
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
    "path", .string(pattern: ProjectRules.relative), "Where the former packs are.")

  private static let baselineIsOptional = JSONKey(
    "optional", .bool, is: .optional,
    "Whether they may be missing, as they are before the first release.")

  static let schema = ProjectKey(
    ignored: schemaKey, "Where editors find the schema of project files; it means nothing here.",
    example: #""project.schema.json""#)
}

// MARK: - Kinds of keys

extension ProjectKeys {
  private typealias Property<Value> = WritableKeyPath<Draft<ProjectSettings>, Value?>

  private static func word<Word: RawRepresentable & CaseIterable & SendableMetatype>(
    _ name: String, _ property: any Property<Word> & Sendable, _ summary: String,
    details: [String] = [], example: String
  ) -> ProjectKey where Word.RawValue == String {
    let words = Word.allCases.map(\.rawValue)
    let form = Form<Word>(
      .word(words), write: { .string($0.rawValue) },
      reading: { node, findings in
        let text = node.string ?? ""
        if let word = Word(rawValue: text) { return word }
        findings.add(ProjectRules.unknownWord(node, text, of: name, known: words))
        return nil
      })
    return ProjectKey(
      name, property, form, summary, details: details, example: "\"\(example)\"")
  }

  /// A path that starts at the project file; a path that is written to is below that folder.
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
    _ name: String, _ property: any Property<String> & Sendable, _ summary: String,
    example: String
  ) -> ProjectKey {
    ProjectKey(
      name, property,
      .text(pattern: #"^[Hh][Tt][Tt][Pp][Ss]?://[^/?#@]+(/[^?#]*)?$"#) {
        ProjectRules.secret($0, at: $1) ?? ProjectRules.address($0, of: name, at: $1)
      }, summary, example: "\"\(example)\"")
  }
}
