import Arguments
import BAPackKit
import SourceDiagnostics
import SystemIO
import TerminalText

/// `project`: prints what is in force, and where each value comes from.
struct ProjectCommand: Subcommand {
  static let definition = Command(
    "project", overview: "Prints the settings in force, and where each of them comes from.",
    discussion: [
      """
      Options win over the project file, and that wins over the environment. Options of 'pack' can be given \
      to see what they change. Where selectors start is said for each manifest: '--source-root', else the \
      manifest's own 'sourceRoot', else the project's, else the project's folder. A shared cache that nobody \
      but the project file names is only read; with its origin in BA_CACHE_ORIGIN it is written to as well.
      """,
      """
      With '--format json', one object: 'project', the path of the file or null; 'settings', each with \
      'key', 'value', 'origin' ('option', 'project', 'environment', 'default') and 'place', as far as it \
      has them, and 'readOnly' for a cache that is only read; 'packs', each with 'manifest', 'assetPackID', 'sourceRoot', 'origin' and 'place'.
      """,
    ],
    [ManifestInput.hosting, ManifestInput.primaryLanguage, ManifestInput.sourceRoot]
      + PackingOptions.ofProjects + CacheOptions.settings + ProjectOptions.all
      + [ReportFormat.option],
    exclusive: [ProjectOptions.exclusive],
    examples: [
      Term("ba-package project", "See what 'pack' would do, and why."),
      Term("ba-package project --level best --format json", "The same for a script."),
    ])

  private var input: ManifestInput
  private let format: ReportFormat

  init(_ arguments: ParsedArguments) throws(UsageError) {
    input = try ManifestInput(ofProject: arguments)
    PackingOptions.add(to: &input.run.settings, arguments)
    try CacheOptions.add(to: &input.run.settings, arguments)
    format = arguments[ReportFormat.option]
  }

  func run(_ console: Console) throws(PackError) -> ExitStatus {
    guard var input = try input.opened(console, otherwise: "The project file cannot be used")
    else { return .failed }
    try input.run.addUsual(console)
    let packs = try packs(input, console)
    let restraint = try CacheOptions.restraint(input.run.settings, console)
    switch format {
    case .text: write(input, packs, restraint, console)
    case .json: console.result(JSONWriter.string(json(input, packs, restraint), .compact))
    }
    return .done
  }

  /// A manifest, and where its selectors start.
  private struct PackLine {
    var manifest: String
    var id: String?
    var root: Setting<String>
  }

  private func packs(_ input: ManifestInput, _ console: Console) throws(PackError) -> [PackLine] {
    let project = try input.project(input.paths, console)
    return project.found().inputs.map { found in
      let document = project.read(found, console.work)
      let root: Setting<String>
      if let given = input.sourceRoot {
        root = Setting(given, from: .option("--" + ManifestInput.sourceRoot.parameter.name))
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
      return PackLine(manifest: found.name, id: document.assetPackID, root: root)
    }
  }

  // MARK: Writing

  private static let remote = ProjectSettings.key(of: \.cache.remote)

  private func write(
    _ input: ManifestInput, _ packs: [PackLine], _ restraint: String?, _ console: Console
  ) {
    if let place = input.run.document?.place { console.result("Project: \(place.path)\n") }
    // A single long value does not move all others aside.
    var settings = TextTable(widest: 40)
    for (key, setting) in input.run.settings.all {
      guard let setting else { continue }
      let note = key == Self.remote ? restraint.map { "; " + $0 } ?? "" : ""
      settings.add(key, Self.words(setting.value), setting.origin.words + note)
    }
    for line in settings.lines { console.result("  " + line) }
    console.result("\n\(Quantity.count(packs.count, "manifest")):\n")
    var table = TextTable(widest: 40)
    for pack in packs {
      table.add(
        pack.manifest, pack.id ?? "?", "from \(pack.root.value)", pack.root.origin.words)
    }
    for line in table.lines { console.result("  " + line) }
  }

  private static func words(_ value: JSONValue) -> String {
    switch value {
    case .string(let text): text
    case .array(let elements): elements.map(words).joined(separator: ", ")
    case .object(let members):
      members.map { "\($0.key) = \(words($0.value))" }.joined(separator: ", ")
    default: value.description
    }
  }

  private func json(
    _ input: ManifestInput, _ packs: [PackLine], _ restraint: String?
  ) -> JSONValue {
    .object([
      .init("project", input.run.document.map { .string($0.place.path) } ?? .null),
      .init(
        "settings",
        .array(
          input.run.settings.all.compactMap { key, setting in
            setting.map {
              .object(
                [.init("key", .string(key)), .init("value", $0.value)] + $0.origin.members
                  + (key == Self.remote && restraint != nil
                    ? [.init("readOnly", .bool(true))] : []))
            }
          })),
      .init(
        "packs",
        .array(
          packs.map { pack in
            .object(
              [
                .init("manifest", .string(pack.manifest)),
                .init(Manifest.key(of: \.assetPackID), pack.id.map { .string($0) } ?? .null),
                .init(Manifest.key(of: \.sourceRoot), .string(pack.root.value)),
              ] + pack.root.origin.members)
          })),
    ])
  }
}

extension Origin {
  /// Where a value comes from, in a few words.
  fileprivate var words: String {
    switch self {
    case .option(let name): name
    case .manifest(let name, let position), .project(let name, let position):
      "\(name):\(position.line):\(position.column)"
    case .environment(let name): name
    case .standard(nil): "default"
    case .standard(let reason?): "default: \(reason)"
    }
  }

  /// The same for programs.
  fileprivate var members: [JSONValue.Member] {
    let (kind, place): (String, String?) =
      switch self {
      case .option(let name): ("option", name)
      case .manifest: ("manifest", words)
      case .project: ("project", words)
      case .environment(let name): ("environment", name)
      case .standard(let reason): ("default", reason)
      }
    return [.init("origin", .string(kind))] + (place.map { [.init("place", .string($0))] } ?? [])
  }
}

extension ProjectRun {
  /// Adds what holds where nobody says anything, so that it can be shown.
  fileprivate mutating func addUsual(_ console: Console) throws(PackError) {
    if settings.wantsCache, settings[\.cache.folder] == nil {
      let folder = try UserFolders.blocks(console)
      let isSet = console.environment("XDG_CACHE_HOME")?.isEmpty == false
      settings.add(
        folder, as: \.cache.folder,
        from: isSet ? .environment("XDG_CACHE_HOME") : .standard("each person's own"))
    }
    if settings.wantsCache {
      settings.add(CacheOptions.usualLimit, as: \.cache.limit, from: .standard())
    }
    settings.add(defaultSourceRoot, as: \.sourceRoot, from: .standard("the project's folder"))
    settings.add(.lzfse, as: \.compression, from: .standard())
    settings.add(.default, as: \.level, from: .standard())
    settings.add(
      ProcessState.processorCount, as: \.threads, from: .standard("one for each processor"))
  }
}
