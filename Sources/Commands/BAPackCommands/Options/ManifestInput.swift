import Arguments
import BAPackKit
import Glibc
import SourceDiagnostics
import SystemIO
import TerminalText

/// The options of commands that read manifests.
struct ManifestOptions: Sendable {
  /// Options of other tools for the input, which is an argument here.
  static let inputGuesses = ["--input", "--in", "--path", "--pack", "--archive"]

  static let paths = ArgumentList(
    "manifest", .file(), elsewhere: ProjectOptions.hint,
    triedAs: inputGuesses + ["--only", "--id", "--manifest"],
    "Manifests or pack IDs (default: the project's packs).",
    details: """
      A folder selects all manifests below it. Quoted patterns are 'Packs/**/*.json' for files and \
      'voices-*' for IDs in the project, for example. '-' reads standard input.
      """)
  static let hosting = Option<Hosting>(
    "hosting", .choice, called: "hosting", in: .check, "Apply the rules of this hosting.",
    details: "'apple' is App Store Connect, 'self' a self-hosted server.")
  static let sourceRoot = Option(
    "source-root", .file(), called: "path", in: .input,
    "Read source files from this folder or archive.",
    details: "It overrides 'sourceRoot' in the manifest.")
  static let filesFrom = Option(
    "files-from", .file(), called: "list", in: .input,
    "Select only from the source files in this list.",
    details: """
      A line is a mode (644 or 755), a source and a destination, separated by tabs. Selectors \
      match the destinations, and 'sourceRoot' in manifests is ignored. '-' reads standard input.
      """)
  private static let endsFieldsInNUL = Flag(
    "null", short: "0", in: .input, "End fields in NUL.")

  static let sources: [any TypedParameter] = [sourceRoot, filesFrom, endsFieldsInNUL]
  /// The options of which only one may be given.
  static let exclusiveSources: [any TypedParameter] = [sourceRoot, filesFrom]
  static let dependentSources: [Command.Dependence] = [(endsFieldsInNUL, on: filesFrom)]

  /// A language in the form of packs.
  static let languageTag = ValueType<LanguageTag> { word throws(InvalidValue) in
    guard let tag = LanguageTag(locale: word) else {
      throw InvalidValue("expected a language, such as en, es-419 or zh-Hant")
    }
    if let unknown = tag.unassignedCodes.first { throw InvalidValue(unknown.phraseWithSuggestion) }
    return tag
  }

  static let primaryLanguage = Option<LanguageTag>(
    "primary-language", languageTag, called: "tag", in: .check,
    "Set the primary language of the app, such as en.",
    details: """
      It is the fallback of all other languages. Localized packs without a pack in this language \
      are a finding.
      """)

  /// The operands of the command line; empty for the manifests of the project.
  let operands: [String]
  var project: ProjectOptions
  /// The source root for all manifests, which overrides their own.
  fileprivate let sourceRoot: String?
  /// The list of source files, instead of a source root.
  fileprivate let filesFrom: String?
  fileprivate let endsFieldsInNUL: Bool

  init(_ arguments: ParsedArguments, operands: [String]) {
    self.operands = operands
    sourceRoot = arguments[Self.sourceRoot]
    filesFrom = arguments[Self.filesFrom]
    endsFieldsInNUL = arguments[Self.endsFieldsInNUL]
    project = ProjectOptions(arguments)
    project.settings.add(Self.hosting, as: \.hosting, arguments)
    project.settings.add(Self.primaryLanguage, as: \.primaryLanguage, arguments)
  }

  /// Creates the options of a command that requires a project file.
  init(ofProject arguments: ParsedArguments) throws(UsageError) {
    self.init(arguments, operands: [])
    if project.place == nil { throw ProjectOptions.missing }
  }

  /// Reads the project file, if there is one; its errors are in its findings.
  func opened(
    _ console: Console, lookingForBaseline: Bool = false
  ) throws(PackError) -> ManifestInput {
    ManifestInput(
      options: self,
      run: try project.opened(
        console, lookingForPacks: operands.isEmpty, lookingForBaseline: lookingForBaseline))
  }

  /// Reads the project file for a command that stops at its errors: returns nil after errors, which
  /// have been reported.
  func opened(
    _ console: Console, otherwise nothing: String
  ) throws(PackError) -> ManifestInput? {
    let input = try opened(console)
    let isUsable = input.run.isUsable(
      console, otherwise: nothing, canDoWithout: !operands.isEmpty)
    return isUsable ? input : nil
  }
}

/// The manifests of a command, the checks that apply to them, and the source root.
struct ManifestInput: Sendable {
  fileprivate let options: ManifestOptions
  /// The project file and the settings.
  var run: ProjectRun

  /// The operands of the command line; empty for the manifests of the project.
  var operands: [String] { options.operands }
  /// The source root for all manifests, which overrides their own.
  var sourceRoot: String? { options.sourceRoot }
  var hosting: Hosting? { run.settings[\.hosting]?.value }
  var primaryLanguage: LanguageTag? { run.settings[\.primaryLanguage]?.value }
  /// The selected manifests.
  var paths: [String] { operands.isEmpty ? run.settings.packs?.value ?? [] : operands }

  /// Whether a finding about an entry of the project file reports the same error.
  func isReported(_ error: PackError) -> Bool {
    operands.isEmpty && error.kind == .system(ENOENT) && run.hasAbsentPacks
  }

  /// Returns the project of some manifests; '-' is standard input.
  func project(_ paths: [String], _ console: Console) throws(PackError) -> Project {
    var inputs: [Project.Input] = []
    for path in try manifests(behind: paths, console.work) {
      inputs.append(
        path == "-"
          ? .text(try text(from: console), named: Self.standardInput)
          : .path(FilePath(path)))
    }
    var project = Project(inputs)
    project.adopt(run.settings, of: run.document)
    project.sourceRoot = sourceRoot.map { FilePath($0) }
    project.files = try files(console)
    project.filesEndInNUL = options.endsFieldsInNUL
    project.policy = run.policy
    return project
  }

  /// Reads a list of files from a path.
  func fileList(at path: String, _ console: Console) throws(PackError) -> FileList {
    try FileList(reading: path, endingFieldsInNUL: options.endsFieldsInNUL, console.work)
  }

  /// Returns the list of source files.
  private func files(_ console: Console) throws(PackError) -> Project.Input? {
    guard options.filesFrom == "-" else {
      return options.filesFrom.map { .path(FilePath($0)) }
    }
    let bytes = try mapFailure(.reading) { () throws(Failure) in
      try console.readInput(atMost: FileList.largest + 1)
    }
    return .text(bytes, named: FileList.standardInput)
  }

  /// Returns the paths of manifests: IDs of packs and patterns of IDs are replaced by the manifests
  /// of the project.
  ///
  /// A path that exists, or a pattern that matches files, is unchanged. A folder without manifests
  /// and packs, such as the folder of the pack's files, does not hide an ID.
  func manifests(behind operands: [String], _ work: Work) throws(PackError) -> [String] {
    func mayBeID(_ word: String) -> Bool { ProjectIDs.mayBe(word, besides: ".json") }
    guard let packs = run.settings.packs?.value, operands.contains(where: mayBeID) else {
      return operands
    }
    var whole = Project(packs.map { FilePath($0) })
    whole.ownFile = run.document?.place.path
    let known = whole.found().inputs.compactMap { input in
      whole.read(input, work).assetPackID.map { (id: $0, path: input.name) }
    }
    let ids = ProjectIDs(known)
    var paths: [String] = []
    for word in operands {
      guard mayBeID(word), (try? NamePattern(parsing: FileName(word))) != nil else {
        paths.append(word)
        continue
      }
      let chosen = ids.paths(word)
      if PackInput.isFolder(word), chosen.isEmpty || Self.isOfPacks(word) {
        paths.append(word)
        continue
      }
      guard !chosen.isEmpty else { throw ids.unknown(word) }
      paths += chosen
    }
    // A pack that matches two patterns counts once.
    let knownPaths = Set(known.map(\.path))
    var seen: Set<String> = []
    return paths.filter { !knownPaths.contains($0) || seen.insert($0).inserted }
  }

  /// Returns whether a folder contains manifests or packs; true if it cannot be searched.
  private static func isOfPacks(_ folder: String) -> Bool {
    do {
      return try !ManifestFolder(folder).manifests.isEmpty
        || !ArchiveSearch.archives(in: folder).isEmpty
    } catch {
      return true
    }
  }

  /// Returns the paths of packs or manifests; IDs are those of manifests of the project.
  ///
  /// Packs without a manifest in the output folder of the project are left out, and reported.
  func packsOrManifests(_ operands: [String], _ console: Console) throws(PackError) -> [String] {
    let known = PackOperands(self, for: operands, console)
    var paths: [String] = []
    for path in try manifests(behind: operands, console.work) {
      paths += PackInput.isFolder(path) ? try known.resolve(path) : [path]
    }
    return paths
  }

  /// Adds the budgets to the checked project.
  func addBudgets(to project: inout Project) {
    project.budgets = run.budgets
    project.isPart = !run.settings.budgets.isEmpty && isPart(project)
  }

  /// Returns whether the operands are only some of the project's manifests.
  func isPart(_ project: Project) -> Bool {
    guard !operands.isEmpty, let packs = run.settings.packs?.value else { return false }
    func files(_ project: Project) -> Set<FileIdentity> {
      Set(
        project.found().inputs.compactMap { input in
          guard case .path(let path) = input else { return nil }
          return try? FileStatus(ofFileAt: path.text).identity
        })
    }
    var whole = Project(packs.map { FilePath($0) })
    whole.ownFile = project.ownFile
    return !files(whole).isSubset(of: files(project))
  }

  /// The name of the manifest from standard input in messages.
  static let standardInput = FileList.standardInput

  /// Returns the text from standard input.
  private func text(from console: Console) throws(PackError) -> [UInt8] {
    try mapFailure(.reading) { () throws(Failure) in
      try console.readInput(atMost: ManifestDocument.readingLimit)
    }
  }
}

extension Project {
  /// Returns the manifests, one file each; also reports the contents of folders and repeated files.
  func inputs(saying console: Console) -> [Input] {
    let found = found()
    for remark in found.remarks {
      switch remark {
      case .again(let path, let first):
        console.warning("'\(path)' is the same file as '\(first)' and counts once")
      case .folder(let path, let count, let others):
        let manifests = Quantity.count(count, "manifest")
        let names = others.prefix(3).map { "'\($0)'" }.joined(separator: ", ")
        let more = others.count > 3 ? ", …" : ""
        console.summary(
          others.isEmpty
            ? "\(path): \(manifests)"
            : "\(path): \(manifests); ignored: \(Quantity.count(others.count, "other JSON file")) "
              + "(\(names)\(more))")
      }
    }
    return found.inputs
  }
}

extension Console {
  /// Returns at most `count` bytes from the start of standard input.
  func readInput(atMost count: Int) throws(Failure) -> [UInt8] {
    if let givenInput { return Array(givenInput.prefix(count)) }
    // This copies the descriptor: opening /dev/stdin fails if it is a socket, as in some CI
    // systems.
    return try FileDescriptor.standardInput(work).readToEnd(atMost: count)
  }
}
