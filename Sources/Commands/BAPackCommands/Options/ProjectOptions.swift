import Arguments
import BAPackKit
import SourceDiagnostics
import SystemIO

/// The place of the project file, and the settings of options.
struct ProjectOptions: Sendable {
  private static let file = Option(
    "project", .file("json"), called: "path", in: .input,
    "Use this project file, or the one in this folder.",
    details: """
      Without it, the nearest 'ba-package.json' is used, from the current folder up to the top of \
      the repository.
      """)
  private static let none = Flag("no-project", in: .input, "Ignore the project file.")

  static let all: [any TypedParameter] = [file, none]
  /// The options of commands that work only with a project file.
  static let required: [any TypedParameter] = [file]
  /// The options of which only one may be given.
  static let exclusive: [any TypedParameter] = [file, none]

  /// The hint for an incomplete command line without a project file.
  static let hint =
    "a project file can provide it; 'ba-package init' writes one"

  /// Returns the hint for a value that a key of the project file can provide.
  static func hint(key: String) -> String { "'\(key)' of a project file can provide it" }

  /// Returns the hint for a command line: a folder without manifests, or the project files in the
  /// folders below this one; a repository can have several.
  static func hint(for words: [String], of command: Command) -> String {
    if command.parameters.contains(where: { $0.name == ManifestOptions.paths.parameter.name }),
      let folder = words.first(where: isFolderWithoutManifests)
    {
      return Remedy.proposePacks(folder).phrase
    }
    if words.contains(none.parameter.spellings[0]), ProjectPlace() != nil {
      return "without '\(none.parameter.spellings[0])', the project file provides it"
    }
    let found = ProjectPlace.below(".")
    guard let first = found.first else { return hint }
    let folder = FilePath(first).folder.text
    let more = found.count > 1 ? " (and \(found.count - 1) more)" : ""
    return "found '\(first)'\(more): use '--project \(folder)'"
  }

  private static func isFolderWithoutManifests(_ path: String) -> Bool {
    guard (try? FileStatus(ofFileAt: path))?.kind == .directory else { return false }
    return (try? ManifestFolder(path).manifests.isEmpty) ?? false
  }

  /// The error of a command that requires a project file.
  static var missing: UsageError {
    UsageError(
      "There is no project file in this folder or above it",
      hint: "'ba-package init' proposes packs and writes a project file")
  }

  /// The place of the file; nil if there is none.
  let place: ProjectPlace?
  var settings = EffectiveSettings()
  /// Whether the levels of findings are ignored, as by 'verify'.
  var ignoresLevels = false

  init(_ arguments: ParsedArguments) {
    if arguments[Self.none] {
      place = nil
    } else {
      place = arguments[Self.file].map { ProjectPlace(named: $0) } ?? ProjectPlace()
    }
  }

  /// Reads the file, if there is one.
  func opened(
    _ console: Console, lookingForPacks: Bool = false, lookingForBaseline: Bool = false
  ) throws(PackError) -> ProjectRun {
    guard let place else { return ProjectRun(self) }
    console.detail("the project file is '\(place.path)'")
    var document = try ProjectDocument(reading: place, as: console.projectOwner, console.work)
    if lookingForPacks { document.findPacks() }
    if lookingForBaseline { document.findBaseline() }
    return ProjectRun(self, document)
  }
}

/// The project file of a run, if there is one, and the settings of both the file and the options.
struct ProjectRun: Sendable {
  var settings: EffectiveSettings
  let document: ProjectDocument?
  private let ignoresLevels: Bool

  init(_ options: ProjectOptions, _ document: ProjectDocument? = nil) {
    settings = options.settings
    if let document { settings.add(document) }
    self.document = document
    ignoresLevels = options.ignoresLevels
  }

  /// The levels of findings.
  var policy: FindingPolicy { ignoresLevels ? FindingPolicy() : settings.policy }

  /// The findings about the file, with the levels in effect.
  var findings: Ledger {
    var findings = document?.findings ?? Ledger()
    findings.follow(policy)
    return findings
  }

  /// Whether a finding reports an entry of 'packs' without a file.
  var hasAbsentPacks: Bool { findings.contains { $0.id.name == "project.packs" } }

  /// Returns whether the file has no errors; its findings are reported.
  ///
  /// A run with named packs is stopped as well, because settings of the file, such as the host,
  /// would be ignored silently.
  func isUsable(
    _ console: Console, otherwise nothing: String, canDoWithout: Bool
  ) -> Bool {
    console.report(findings, as: .text)
    guard findings.hasErrors else { return true }
    console.finding(
      text: "\(nothing): \(findings.tally)\(canDoWithout ? Self.wayAround : "")\n")
    return false
  }

  /// The hint for a file with errors that is not needed.
  static let wayAround = "; '--no-project' ignores the project file"

  /// The source root of manifests without their own: the project's, or the project's folder.
  var defaultSourceRoot: String { settings.defaultSourceRoot(of: document) }

  /// The project's 'name', or the name of its folder; nil without a project.
  var name: String? {
    guard let folder = document?.place.folder else { return nil }
    if let name = settings[\.name]?.value { return name }
    return (try? realPath(of: folder)).map { FilePath(FilePath($0).name.bytes).text } ?? folder
  }

  /// The packs of the former release.
  enum FormerPacks {
    /// The project has no 'baseline', or there is no project.
    case unknown
    /// There is no former release; the path is empty.
    case none(String)
    /// They are at this path.
    case at(String)
  }

  /// Returns the packs of the former release; throws if they are missing and not optional.
  func formerPacks(_ console: Console) throws(PackError) -> FormerPacks {
    guard let baseline = settings[\.baseline] else { return .unknown }
    let path = baseline.value.path
    if baseline.value.exists { return .at(path) }
    guard baseline.value.isOptional else {
      throw PackError(
        .missing, "there are no packs at '\(path)', \(baselineName)",
        remedies: [
          "put the old packs or a report about them there",
          #"write {"path": "…", "optional": true} before the first release"#,
        ])
    }
    console.summary("'\(path)' is optional and has no packs: this is the first release.")
    return .none(path)
  }

  /// The position of the project's 'baseline', for messages.
  var baselineName: String {
    guard case .project(let file, let position) = settings[\.baseline]?.origin else {
      return "the 'baseline'"
    }
    return "the 'baseline' of '\(file):\(position.line):\(position.column)'"
  }

  /// The budgets of the settings, and the limits of the host.
  var budgets: [Budget] { settings.allBudgets }

  /// Returns the output path of the project; throws if it is outside of the project.
  func output() throws(PackError) -> String? {
    guard let output = settings[\.output] else { return nil }
    try document?.place.checkInside(output.value)
    return output.value
  }
}

extension Console {
  /// The owner of project files that are used without '--project'; nil for any owner, as in a
  /// container, where the mounted folder can belong to another user.
  var projectOwner: UInt32? {
    environment("BA_TRUST_PROJECT") == "1" ? nil : ProcessState.userID
  }
}

extension EffectiveSettings {
  /// Adds the value of an option, if it is given.
  mutating func add<Value>(
    _ option: Option<Value>, as property: WritableKeyPath<ProjectSettings, Value?>,
    _ arguments: ParsedArguments
  ) {
    add(arguments[option], as: property, from: .option("--" + option.parameter.name))
  }

  /// Adds the value of an option with a default, if it is given.
  mutating func add<Value>(
    _ option: DefaultedOption<Value>, as property: WritableKeyPath<ProjectSettings, Value?>,
    _ arguments: ParsedArguments
  ) {
    guard arguments.isGiven(option) else { return }
    add(arguments[option], as: property, from: .option("--" + option.parameter.name))
  }
}
