import Arguments
import BAPackKit
import SourceDiagnostics
import SystemIO

/// Which project file holds for a run.
struct ProjectOptions: Sendable {
  private static let file = Option(
    "project", .file("json"), called: "path",
    """
    The project file, or its folder, instead of the nearest 'ba-package.json' from the current \
    folder upwards to the top of the repository.
    """)
  private static let none = Flag(
    "no-project", "Take no project file, even if there is one, or if it has errors.")

  static let all: [any TypedParameter] = [file, none]
  /// Of which only one may be given.
  static let exclusive: [any TypedParameter] = [file, none]

  /// What helps where a command line says too little and there is no project file.
  static let hint =
    "'ba-package template --project' starts a project file, which can say what is missing."

  /// The hint with the project files in the folders below this one, if there are any: a repository
  /// may have several.
  static var hintHere: String {
    let found = ProjectPlace.below(".")
    guard let first = found.first else { return hint }
    let folder = FilePath(first).folder.text
    let more = found.count > 1 ? " (and \(found.count - 1) more)" : ""
    return "found '\(first)'\(more): use '--project \(folder)'."
  }

  /// The refusal of a command that is about a project file.
  static var missing: UsageError {
    var error = UsageError(
      "There is no project file, neither in this folder nor above it in the repository")
    error.hint = hint
    return error
  }

  /// nil if there is none.
  let place: ProjectPlace?

  init(_ arguments: ParsedArguments) {
    if arguments[Self.none] {
      place = nil
    } else {
      place = arguments[Self.file].map { ProjectPlace(named: $0) } ?? ProjectPlace()
    }
  }
}

/// The project file of a run, and all that is in force with it.
struct ProjectRun: Sendable {
  /// Before the file is read, only what options say.
  var settings = EffectiveSettings()
  /// The project file, once it was read.
  private(set) var document: ProjectDocument?
  /// Where the file is.
  let place: ProjectPlace?

  init(_ arguments: ParsedArguments) { place = ProjectOptions(arguments).place }

  /// Reads the file.
  mutating func open(
    _ console: Console, lookingForPacks: Bool = false, lookingForBaseline: Bool = false
  ) throws(PackError) {
    guard let place else { return }
    console.detail("the project file is '\(place.path)'")
    var document = try ProjectDocument(reading: place, as: console.projectOwner, console.work)
    if lookingForPacks { document.findPacks() }
    if lookingForBaseline { document.findBaseline() }
    settings.add(document)
    self.document = document
  }

  /// What is wrong with the file.
  var findings: Ledger { document?.findings ?? Ledger() }

  /// Whether the file has no errors; its findings are reported.
  ///
  /// Who named the packs is stopped as well: what the file says of them, such as who hosts them,
  /// would be missing without a word.
  func isUsable(
    _ console: Console, otherwise nothing: String, canDoWithout: Bool
  ) -> Bool {
    console.report(findings, as: .text)
    guard findings.hasErrors else { return true }
    console.finding(
      text: "\(nothing): \(findings.tally)\(canDoWithout ? Self.wayAround : "")\n")
    return false
  }

  /// What helps at once where the file is broken and not needed.
  static let wayAround = "; '--no-project' does without the project file"

  /// Where selectors start that nothing else says it for: the project's own root, or its folder.
  var defaultSourceRoot: String {
    settings[\.sourceRoot]?.value ?? document?.place.folder ?? "."
  }

  /// What the project is called: its 'name', or that of its folder; nil without a project.
  var name: String? {
    guard let folder = document?.place.folder else { return nil }
    if let name = settings[\.name]?.value { return name }
    return (try? realPath(of: folder)).map { FilePath(FilePath($0).name.bytes).text } ?? folder
  }

  /// What new packs are compared with.
  enum FormerPacks {
    /// The project does not say it, or there is no project.
    case unknown
    /// Nothing was released yet; the path has nothing.
    case none(String)
    /// They are there.
    case at(String)
  }

  /// Looks for what the project compares new packs with; throws if it is missing and not optional.
  func formerPacks(_ console: Console) throws(PackError) -> FormerPacks {
    guard let baseline = settings[\.baseline] else { return .unknown }
    let path = baseline.value.path
    if baseline.value.exists { return .at(path) }
    guard baseline.value.isOptional else {
      throw PackError(
        .missing, "there are no packs at '\(path)', \(baselineName)",
        remedies: [
          "put the former packs or a report about them there",
          #"write {"path": "…", "optional": true} before the first release"#,
        ])
    }
    console.summary("'\(path)' is optional and has no packs: this is the first release.")
    return .none(path)
  }

  /// The project's key for what new packs are compared with, and where it is.
  var baselineName: String {
    guard case .project(let file, let position) = settings[\.baseline]?.origin else {
      return "the 'baseline'"
    }
    return "the 'baseline' of '\(file):\(position.line):\(position.column)'"
  }

  /// What packs are held against: the budgets in force, and what the host allows.
  var budgets: [Budget] {
    settings.budgets + DeliveryLimits.current.budgets(for: settings[\.hosting]?.value)
  }

  /// Where packs are written to, unless an option says so; throws if that is no place of the
  /// project.
  func output() throws(PackError) -> String? {
    guard let output = settings[\.output] else { return nil }
    try document?.place.checkInside(output.value)
    return output.value
  }
}

extension Console {
  /// The user whose project file is taken without being named; nil for any, as in a container,
  /// where the mounted folder may belong to anybody.
  var projectOwner: UInt32? {
    environment("BA_TRUST_PROJECT") == "1" ? nil : ProcessState.userID
  }
}

extension EffectiveSettings {
  /// Adds what an option says, if it is given.
  mutating func add<Value>(
    _ option: Option<Value>, as property: WritableKeyPath<ProjectSettings, Value?>,
    _ arguments: ParsedArguments
  ) {
    add(arguments[option], as: property, from: .option("--" + option.parameter.name))
  }

  /// The same for an option that has a value in any case.
  mutating func add<Value>(
    _ option: DefaultedOption<Value>, as property: WritableKeyPath<ProjectSettings, Value?>,
    _ arguments: ParsedArguments
  ) {
    guard arguments.isGiven(option) else { return }
    add(arguments[option], as: property, from: .option("--" + option.parameter.name))
  }
}
