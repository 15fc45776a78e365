import Arguments
import BAPackKit
import Glibc
import SourceDiagnostics
import SystemIO
import TerminalText

/// The manifests given to a command, how they are checked, and where their files are.
struct ManifestInput: Sendable {
  static let paths = ArgumentList(
    "manifest", .file(), elsewhere: ProjectOptions.hint,
    triedAs: ["--only", "--id", "--manifest", "--pack"],
    """
    A manifest to read; a folder for all manifests below it, or a quoted pattern such as \
    'Packs/**/*.json'; the ID of a pack of the project, or a quoted pattern of IDs such as \
    'voices-*'; '-' reads standard input. Without any, those of the project file.
    """)
  static let hosting = Option<Hosting>(
    "hosting", .choice, called: "host",
    "Also apply the rules of those who host packs: Apple, or a server of your own.")
  static let sourceRoot = Option(
    "source-root", .file(), called: "path",
    "The folder or archive that selectors start from, instead of the manifest's 'sourceRoot'.")

  /// A language as packs write it.
  static let languageTag = ValueType<LanguageTag> { word throws(InvalidValue) in
    guard let tag = LanguageTag(locale: word) else {
      throw InvalidValue("a language such as en, es-419 or zh-Hant is needed")
    }
    return tag
  }

  static let primaryLanguage = Option<LanguageTag>(
    "primary-language", languageTag, called: "tag",
    """
    Check that localized packs are there in the app's primary language, which all other devices \
    get.
    """
  )

  /// What the command line names: the project's manifests are meant if that is nothing.
  let operands: [String]
  /// The project file, and what is in force with it.
  var run: ProjectRun
  /// Used for all manifests, instead of their own.
  let sourceRoot: String?

  var hosting: Hosting? { run.settings[\.hosting]?.value }
  var primaryLanguage: LanguageTag? { run.settings[\.primaryLanguage]?.value }
  /// The manifests that are meant.
  var paths: [String] { operands.isEmpty ? run.settings.packs?.value ?? [] : operands }

  init(_ arguments: ParsedArguments, operands: [String]) {
    self.operands = operands
    sourceRoot = arguments[Self.sourceRoot]
    run = ProjectRun(arguments)
    run.settings.add(Self.hosting, as: \.hosting, arguments)
    run.settings.add(Self.primaryLanguage, as: \.primaryLanguage, arguments)
  }

  /// For commands that are about a project file: without one they have nothing to do.
  init(ofProject arguments: ParsedArguments) throws(UsageError) {
    self.init(arguments, operands: [])
    if run.place == nil { throw ProjectOptions.missing }
  }

  /// Reads the project file, if there is one; what is wrong with it is among its findings.
  func opened(
    _ console: Console, lookingForBaseline: Bool = false
  ) throws(PackError) -> ManifestInput {
    var input = self
    try input.run.open(
      console, lookingForPacks: operands.isEmpty, lookingForBaseline: lookingForBaseline)
    return input
  }

  /// The same for a command that cannot go on with a project file that has errors: nil after these,
  /// which have been reported.
  func opened(
    _ console: Console, otherwise nothing: String
  ) throws(PackError) -> ManifestInput? {
    let input = try opened(console)
    let isUsable = input.run.isUsable(
      console, otherwise: nothing, canDoWithout: !operands.isEmpty)
    return isUsable ? input : nil
  }

  /// The project of some manifests; '-' is standard input.
  func project(_ paths: [String], _ console: Console) throws(PackError) -> Project {
    var inputs: [Project.Input] = []
    for path in try manifests(behind: paths, console.work) {
      inputs.append(
        path == "-"
          ? .text(try text(from: console), named: Self.standardInput)
          : .path(FilePath(path)))
    }
    var project = Project(inputs, hosting: hosting)
    project.primaryLanguage = primaryLanguage
    project.sourceRoot = sourceRoot.map { FilePath($0) }
    project.defaultSourceRoot = FilePath(run.defaultSourceRoot)
    project.ownFile = run.document?.place.path
    return project
  }

  /// The paths of manifests, with those of the project's manifests in place of the IDs of packs and
  /// of patterns of IDs.
  ///
  /// A path that exists, or a pattern that matches files, is unchanged.
  func manifests(behind operands: [String], _ work: Work) throws(PackError) -> [String] {
    func mayBeID(_ word: String) -> Bool {
      word != "-" && !word.utf8.contains(slash)
        && !word.lowercased().hasSuffix(".json")
        && (try? FileStatus(ofFileAt: word)) == nil
        && MatchingFiles(word)?.paths.isEmpty ?? true
    }
    guard let packs = run.settings.packs?.value, operands.contains(where: mayBeID) else {
      return operands
    }
    var whole = Project(packs.map { FilePath($0) })
    whole.ownFile = run.document?.place.path
    let known = whole.found().inputs.compactMap { input in
      whole.read(input, work).assetPackID.map { (id: $0, path: input.name) }
    }
    var paths: [String] = []
    for word in operands {
      guard mayBeID(word), let pattern = try? NamePattern(parsing: FileName(word)) else {
        paths.append(word)
        continue
      }
      let chosen = known.filter {
        $0.id == word || pattern.matches(Array($0.id.utf8)[...], dotIsOrdinary: true)
      }
      guard !chosen.isEmpty else {
        let near = Spelling.nearest(to: word, among: known.map(\.id))
        throw PackError(
          .missing, "there is no file '\(word)', and no pack of the project has such an ID",
          remedy: near.map { .advice("did you mean '\($0)'?") })
      }
      paths += chosen.map(\.path)
    }
    // A pack that two patterns match is meant once.
    var seen: Set<String> = []
    return paths.filter { !known.map(\.path).contains($0) || seen.insert($0).inserted }
  }

  /// Adds the budgets that are in force to the project that is checked.
  func addBudgets(to project: inout Project) {
    project.budgets = run.budgets
    project.isPart = isPart(project)
  }

  /// Whether manifests were named that are not all of the project's.
  private func isPart(_ project: Project) -> Bool {
    guard !operands.isEmpty, let packs = run.settings.packs?.value, !run.settings.budgets.isEmpty
    else {
      return false
    }
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
  static let standardInput = "<stdin>"

  /// The text from standard input.
  private func text(from console: Console) throws(PackError) -> [UInt8] {
    try mapFailure(.reading) { () throws(Failure) in
      try console.readInput(atMost: ManifestDocument.readingLimit)
    }
  }
}

extension Project {
  /// The manifests, one file each; also prints what was found in folders, and what was named twice.
  func inputs(saying console: Console) -> [Input] {
    let found = found()
    for remark in found.remarks {
      switch remark {
      case .again(let path, let first):
        console.warning("'\(path)' is the same file as '\(first)', and counts once")
      case .folder(let path, let count, let others):
        let manifests = Quantity.count(count, "manifest")
        let names = others.prefix(3).map { "'\($0)'" }.joined(separator: ", ")
        let more = others.count > 3 ? ", …" : ""
        console.summary(
          others.isEmpty
            ? "\(path): \(manifests)"
            : "\(path): \(manifests); left out: \(Quantity.count(others.count, "other JSON file")) "
              + "(\(names)\(more))")
      }
    }
    return found.inputs
  }
}

extension Console {
  /// Standard input up to its end, or the first `count` bytes of it.
  func readInput(atMost count: Int) throws(Failure) -> [UInt8] {
    if let givenInput { return Array(givenInput.prefix(count)) }
    // A copy of the descriptor: opening /dev/stdin fails if it is a socket, as in some CI systems.
    return try FileDescriptor.standardInput(work).readToEnd(atMost: count)
  }

  /// The first line that a person types, without the spaces around it; empty at the end of input.
  func typedLine() throws(PackError) -> String {
    let most = 4096
    let bytes = try mapFailure(.reading) { () throws(Failure) -> [UInt8] in
      if let givenInput { return Array(givenInput.prefix(most)) }
      let input = try FileDescriptor.standardInput(work)
      var line: [UInt8] = []
      // One at a time: what is behind the line is not ours.
      while line.count < most, let byte = try input.readToEnd(atMost: 1).first {
        if byte == UInt8(ascii: "\n") { break }
        line.append(byte)
      }
      return line
    }
    let line = bytes.prefix { $0 != UInt8(ascii: "\n") }
    return String(decoding: line, as: UTF8.self).filter { !$0.isWhitespace }
  }
}
