import Arguments
import BAPackKit
import SourceDiagnostics
import SystemIO
import TerminalText

/// `project`: prints the settings in effect, and the origin of each value.
struct ProjectCommand: Subcommand {
  static let definition = Command(
    "project", overview: "Print the project settings and their origins.",
    discussion: [
      """
      Options override the project file, and the project file overrides the environment. Options \
      of 'pack' show their effect here. The source root of a manifest is '--source-root', else its \
      own 'sourceRoot', else 'sourceRoot' of the project, else the folder of the project file.
      """,
      """
      A shared cache that only the project file names is read-only. It is written to if \
      BA_CACHE_ORIGIN has its origin.
      """,
      DocumentName.settings.described(),
    ],
    [ManifestOptions.sourceRoot] + ProjectOptions.required
      + [ManifestOptions.hosting, ManifestOptions.primaryLanguage]
      + PackingOptions.ofProjects + CacheOptions.settings
      + [ReportFormat.option],
    examples: [
      Term("ba-package project", "Print the settings of 'pack'."),
      Term("ba-package project --level best --format json", "Print the effect of an option."),
    ],
    topics: ["project-file", "caching"])

  private let input: ManifestOptions
  private let format: ReportFormat

  init(_ arguments: ParsedArguments) throws(UsageError) {
    var input = try ManifestOptions(ofProject: arguments)
    PackingOptions.add(to: &input.project.settings, arguments)
    try CacheOptions.add(to: &input.project.settings, arguments)
    self.input = input
    format = arguments[ReportFormat.option]
  }

  func run(_ console: Console) throws(PackError) -> ExitStatus {
    guard var input = try input.opened(console, otherwise: "The project file cannot be used")
    else { return .failed }
    try input.run.addUsual(console)
    let packs = try packs(input, console)
    let restraint = try CacheOptions.restraint(input.run.settings, console)
    console.result(result(input, packs, restraint), as: format) {
      write(input, packs, restraint, console)
    }
    return .done
  }

  private func packs(_ input: ManifestInput, _ console: Console) throws(PackError) -> [ProjectResult
    .Pack]
  {
    let project = try input.project(input.paths, console)
    return project.found().inputs.map { found in
      let document = project.read(found, console.work)
      let root: Setting<String>
      if let given = input.sourceRoot {
        root = Setting(given, from: .option("--" + ManifestOptions.sourceRoot.parameter.name))
      } else if document.sourceRoot != nil {
        let start = document.locations.sourceRoot?.start ?? 0
        root = Setting(
          SourceRoot.path(for: document),
          from: .manifest(document.source.name, document.source.position(of: start)))
      } else {
        root = Setting(
          input.run.defaultSourceRoot, from: input.run.settings[\.sourceRoot]?.origin ?? .standard()
        )
      }
      return .init(manifest: found.name, id: document.assetPackID, root: root)
    }
  }

  // MARK: Writing

  private static let remote = ProjectSettings.key(of: \.cache.remote)

  private func write(
    _ input: ManifestInput, _ packs: [ProjectResult.Pack], _ restraint: String?, _ console: Console
  ) {
    if let place = input.run.document?.place { console.result("Project: \(place.path)\n") }
    // A single long value does not move the column of the others.
    var settings = TextTable(widest: 40)
    for (key, setting) in input.run.settings.all {
      guard let setting else { continue }
      let note = key == Self.remote ? restraint.map { "; " + $0 } ?? "" : ""
      settings.add(key, Self.phrase(setting.value), setting.origin.phrase + note)
    }
    for line in settings.lines { console.result("  " + line) }
    console.result("\n\(Quantity.count(packs.count, "manifest")):\n")
    var table = TextTable(widest: 40)
    for pack in packs {
      table.add(
        pack.manifest, pack.id ?? "?", "from \(pack.root.value)", pack.root.origin.phrase)
    }
    for line in table.lines { console.result("  " + line) }
  }

  private static func phrase(_ value: JSONValue) -> String {
    switch value {
    case .string(let text): text
    case .array(let elements): elements.map(phrase).joined(separator: ", ")
    case .object(let members):
      members.map { "\($0.key) = \(phrase($0.value))" }.joined(separator: ", ")
    default: value.description
    }
  }

  private func result(
    _ input: ManifestInput, _ packs: [ProjectResult.Pack], _ restraint: String?
  ) -> ProjectResult {
    let settings = input.run.settings.all.compactMap { key, setting in
      setting.map {
        ProjectResult.Line(
          key: key, setting: $0, isReadOnly: key == Self.remote && restraint != nil ? true : nil)
      }
    }
    return ProjectResult(
      project: input.run.document?.place.path, settings: settings, packs: packs)
  }
}

// MARK: - JSON

/// The result as JSON.
struct ProjectResult: Described {
  let project: String?
  let settings: [Line]
  let packs: [Pack]

  static let table = Table<Self>(written: "settings") {
    Key(
      "project", written: \.project, .nullable(.text),
      "The path of the project file; null if there is none.")
    Key("settings", written: \.settings, .list(of: .object), "The settings in effect.")
    Key("packs", written: \.packs, .list(of: .object), "The packs of the project.")
  }

  /// A key of project files with its value.
  struct Line: Described {
    let key: String
    let setting: Setting<JSONValue>
    let isReadOnly: Bool?

    static let table = Table<Self>(written: "a setting") {
      Key("key", written: \.key, .text, "The key in project files.")
      Key("value", written: \.setting.value, .anything, "The value.")
      Key(inlined: \.setting.origin, of: Origin.table)
      Key("readOnly", written: \.isReadOnly, .flag, "Whether the cache is only read.")
    }
  }

  /// A manifest, and the start of its selectors.
  struct Pack: Described {
    let manifest: String
    let id: String?
    let root: Setting<String>

    static let table = Table<Self>(written: "a pack") {
      Key("manifest", written: \.manifest, .text, "The path of the manifest.")
      Key(
        Manifest.key(of: \.assetPackID), written: \.id, .nullable(.text),
        "The ID of the pack; null if it cannot be read.")
      Key(
        Manifest.key(of: \.sourceRoot), written: \.root.value, .text,
        "The source root: a folder or an archive.")
      Key(inlined: \.root.origin, of: Origin.table)
    }
  }
}

extension Origin {
  /// The origin of a value as text.
  fileprivate var phrase: String {
    switch self {
    case .option(let name): name
    case .manifest(let name, let position), .project(let name, let position):
      "\(name):\(position.line):\(position.column)"
    case .environment(let name): name
    case .standard(nil): "default"
    case .standard(let reason?): "default: \(reason)"
    }
  }

  /// The origin of a value as JSON.
  fileprivate static let table = Table<Origin>(written: "an origin") {
    Key("origin", written: \.kind, .word, "The origin of the value.")
    Key(
      "place", written: \.place, .text,
      "The option, the variable, the position in a file, or the reason for a default.")
  }

  private enum Kind: String, CaseIterable {
    case option, manifest, project, environment
    case standard = "default"
  }

  private var kind: Kind {
    switch self {
    case .option: .option
    case .manifest: .manifest
    case .project: .project
    case .environment: .environment
    case .standard: .standard
    }
  }

  private var place: String? {
    switch self {
    case .option(let name), .environment(let name): name
    case .manifest, .project: phrase
    case .standard(let reason): reason
    }
  }
}

extension ProjectRun {
  /// Adds the defaults, so that they are shown.
  fileprivate mutating func addUsual(_ console: Console) throws(PackError) {
    if settings.usesCache, settings[\.cache.folder] == nil {
      let folder = try UserFolders.blocks(console)
      let isSet = console.environment("XDG_CACHE_HOME")?.isEmpty == false
      settings.add(
        folder, as: \.cache.folder,
        from: isSet ? .environment("XDG_CACHE_HOME") : .standard("separate for each user"))
    }
    if settings.usesCache {
      settings.add(CacheOptions.defaultLimit, as: \.cache.limit, from: .standard())
    }
    settings.add(defaultSourceRoot, as: \.sourceRoot, from: .standard("the project's folder"))
    settings.add(.lzfse, as: \.compression, from: .standard())
    settings.add(.default, as: \.level, from: .standard())
    settings.add(
      ProcessState.processorCount, as: \.threads, from: .standard("the number of processors"))
  }
}
