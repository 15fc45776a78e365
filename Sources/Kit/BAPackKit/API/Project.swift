import Glibc
import SourceDiagnostics
public import SystemIO

/// The asset packs of an app: their manifests, and the settings for checking and packing.
///
/// ``check(progress:)`` checks each pack, and all packs together. Only packs without errors can be
/// packed: each of them is a ``ReadyPack``.
public struct Project: Sendable {
  /// The location of a manifest.
  public enum Input: Sendable, Hashable {
    /// A file; a folder, for all manifests in it; or a pattern, such as `Packs/*.json` or
    /// `**/pack.json`, for all files that match.
    case path(FilePath)
    /// A text in memory, with a name for messages.
    case text([UInt8], named: String)

    /// The name of the manifest in messages.
    public var name: String {
      switch self {
      case .path(let path): path.text
      case .text(_, let name): name
      }
    }
  }

  /// The manifests.
  public var inputs: [Input]
  /// The host of the packs; nil applies only the rules for all hosts.
  public var hosting: Hosting?
  /// The primary language of the app, for devices without a pack in their language; nil omits this
  /// check.
  public var primaryLanguage: LanguageTag?
  /// The source root of all manifests, a folder or an archive; nil uses those of the manifests.
  public var sourceRoot: FilePath?
  /// A list of the source files of all manifests, instead of a source root; nil for none.
  ///
  /// A line is a mode (644 or 755), a source and a destination, separated by tabs. A source is
  /// relative to the current folder, and its links are followed. The destinations are the paths in
  /// the source root. No other source file is read.
  public var files: Input?
  /// Whether each field of ``files`` ends in NUL, instead of tabs and line ends.
  public var filesEndInNUL = false
  /// The source root of manifests without a source root (default: the current folder).
  public var defaultSourceRoot: FilePath = "."
  /// The project file, which is not a manifest even if a pattern matches it.
  package var ownFile: String?
  /// The output files and folders, which are never packed.
  public var outputs: [FilePath] = []
  /// The levels of findings.
  package var policy = FindingPolicy()
  /// The budgets of the packs.
  package var budgets: [Budget] = []
  /// Whether the app has other packs; then the sums for budgets are lower bounds.
  package var isPart = false
  /// Whether rules that open files are checked.
  package var readsContents = true
  /// The findings about the project file.
  private var fileFindings = Ledger()
  /// The output folder of the project file, for ``CheckedProject/pack(into:replacing:progress:)``;
  /// nil if it has none.
  public private(set) var output: FilePath?
  /// The settings of the archives.
  public var settings = PackSettings(threads: ProcessState.processorCount)

  /// Creates a project from the paths of manifests: files, folders or patterns.
  public init(_ paths: [FilePath], hosting: Hosting? = nil) {
    self.init(paths.map(Input.path), hosting: hosting)
  }

  /// Creates a project from manifests.
  public init(_ inputs: [Input], hosting: Hosting? = nil) {
    self.inputs = inputs
    self.hosting = hosting
  }

  /// Creates a project from a project file, or from the `ba-package.json` in a folder.
  ///
  /// The file lists the manifests, and contains settings for checking and packing: the host, the
  /// levels of findings, budgets, and the compression. Errors in the file are in the report of
  /// ``check(progress:)``.
  ///
  /// - Throws: An error if the file cannot be read, or if its output folder is outside of the
  ///   project.
  public init(contentsOf path: FilePath) async throws(PackError) {
    self = try await Work.run { work throws(PackError) in
      try Project(ProjectDocument(reading: ProjectPlace(named: path.text), as: nil, work))
    }
  }

  private init(_ file: ProjectDocument) throws(PackError) {
    var file = file
    file.findPacks()
    var settings = EffectiveSettings()
    settings.add(file)
    self.init((settings.packs?.value ?? []).map { FilePath($0) })
    adopt(settings, of: file)
    budgets = settings.allBudgets
    self.settings = PackSettings(settings)
    if let folder = settings[\.output]?.value {
      try file.place.checkInside(folder)
      output = FilePath(folder)
    }
    fileFindings = file.findings
    fileFindings.follow(policy)
  }

  /// Checks the manifests and the files that they select.
  ///
  /// All errors that the user can correct are in the report, including a manifest that cannot be
  /// read.
  ///
  /// - Parameter progress: A function that is called with the progress, on any thread.
  /// - Throws: ``PackError/Kind/interrupted`` if the task was cancelled.
  public func check(
    progress: @escaping @Sendable (WorkProgress) -> Void = { _ in }
  ) async throws(PackError) -> CheckedProject {
    try await Work.run { work throws(PackError) in
      if fileFindings.hasErrors {
        return CheckedProject(
          report: ProjectReport(findings: fileFindings), packs: [], isWhole: false, failures: [])
      }
      var documents = found().inputs.map { read($0, work) }
      // A read that was cancelled is not a finding.
      try work.checkCancellation()
      if documents.isEmpty {
        let error = PackError(.system(ENOENT), "the project has no manifest")
        documents = [ManifestDocument(unreadable: error, named: "project")]
      }
      return try check(
        documents,
        work.reporting(
          .selecting, of: documents.map { $0.assetPackID ?? $0.source.name }, to: progress))
    }
  }
}

extension Project {
  /// Sets the properties that a project file or the options of a program determine, except for
  /// budgets and the settings of archives.
  package mutating func adopt(_ settings: EffectiveSettings, of file: ProjectDocument?) {
    hosting = settings[\.hosting]?.value
    primaryLanguage = settings[\.primaryLanguage]?.value
    defaultSourceRoot = FilePath(settings.defaultSourceRoot(of: file))
    ownFile = file?.place.path
    policy = settings.policy
  }
}

// MARK: - Single steps, for programs that report each step

extension Project {
  /// The manifests that were found, with remarks about the search.
  package struct Found: Sendable {
    /// The manifests, one file each, without duplicates.
    package var inputs: [Input] = []
    package var remarks: [Remark] = []
  }

  package enum Remark: Sendable, Equatable {
    /// A path is the same file as an earlier one.
    case again(String, first: String)
    /// A folder contains manifests; its other JSON files are ignored.
    case folder(String, manifests: Int, others: [String])
  }

  /// Searches the folders and patterns among the inputs.
  package func found() -> Found {
    var found = Found()
    var seen: [FileIdentity: String] = [:]
    let own = ownFile.flatMap { try? FileStatus(ofFileAt: $0).identity }
    for input in inputs {
      guard case .path(let given) = input else {
        found.inputs.append(input)
        continue
      }
      for path in paths(at: given.text, &found.remarks) {
        if let identity = try? FileStatus(ofFileAt: path).identity {
          if identity == own, path != given.text { continue }
          if let first = seen[identity] {
            found.remarks.append(.again(path, first: first))
            continue
          }
          seen[identity] = path
        }
        found.inputs.append(.path(FilePath(path)))
      }
    }
    return found
  }

  private func paths(at path: String, _ remarks: inout [Remark]) -> [String] {
    if let manifests = MatchingFiles(path)?.manifests, !manifests.isEmpty { return manifests }
    guard (try? FileStatus(ofFileAt: path))?.kind == .directory,
      let folder = try? ManifestFolder(path), !folder.manifests.isEmpty
    else { return [path] }
    remarks.append(.folder(path, manifests: folder.manifests.count, others: folder.others))
    return folder.manifests
  }

  /// Reads a manifest; errors are findings of the document.
  package func read(_ input: Input, _ work: Work) -> ManifestDocument {
    do throws(PackError) {
      return try document(of: input, work)
    } catch {
      return ManifestDocument(unreadable: error, named: input.name)
    }
  }

  /// Reads a manifest; throws if a system call fails.
  package func document(
    of input: Input, _ work: Work
  ) throws(PackError) -> ManifestDocument {
    switch input {
    case .text(let bytes, let name):
      return ManifestDocument(parsing: bytes, named: name, for: hosting)
    case .path(let path):
      if MatchingFiles(path.text) != nil {
        throw PackError(.system(ENOENT), "no file matches '\(path.text)'")
      }
      return try ManifestDocument(reading: path.text, for: hosting, work)
    }
  }

  /// Returns a document with the levels of findings for its manifest.
  package func following(_ document: ManifestDocument) -> ManifestDocument {
    if policy.isEmpty { return document }
    let path = policy.namesManifests ? placeInProject(document.source.name) : nil
    return document.following(policy.narrowed(toManifest: path ?? document.source.name))
  }

  /// Returns the path of a manifest relative to the folder of the project file; nil if it is not in
  /// that folder.
  private func placeInProject(_ name: String) -> String? {
    guard let ownFile, let path = relativePath(of: name, from: OutputPlace(ownFile).folder),
      !path.hasPrefix("../")
    else { return nil }
    return path
  }

  /// Checks documents: each with its files, and all together.
  ///
  /// - Parameters:
  ///   - documents: The manifests.
  ///   - checksFiles: Whether the files are checked.
  ///   - chosen: The indices of the manifests whose files are checked and that become packs; nil
  ///     for all.
  ///   - updating: The search for up-to-date archives; nil packs all of them.
  ///   - notesDependencies: Whether the dependencies of each archive are recorded.
  ///   - work: The operation, for cancellation and progress.
  package func check(
    _ documents: [ManifestDocument], lookingAtFiles checksFiles: Bool = true,
    only chosen: Set<Int>? = nil, comparing updating: Updating? = nil,
    notingDependencies notesDependencies: Bool = false, _ work: Work
  ) throws(PackError) -> CheckedProject {
    var listFindings = Ledger()
    let listed = try checksFiles ? listedFiles(&listFindings, work) : nil
    // With errors in the list, all files would appear to be missing.
    let checksFiles = checksFiles && !listFindings.hasErrors
    let documents = documents.map(following)
    var packs: [SelectedPack] = []
    var failures: [PackError] = []
    var findings = fileFindings
    for document in documents { findings.add(contentsOf: document.findings) }
    var refusals = Ledger()
    let selecting = documents.enumerated().filter { index, document in
      checksFiles && !document.fileSelectors.isEmpty && chosen?.contains(index) ?? true
    }
    var places: [Int] = []
    let results = try selected(
      selecting, in: listed, comparing: updating, notingDependencies: notesDependencies, work)
    for ((place, document), result) in zip(selecting, results) {
      switch result {
      case .success(let pack):
        packs.append(pack)
        places.append(place)
      case .failure(let error):
        if error.kind == .interrupted { throw error }
        // An error of a common source root is reported once.
        if error != failures.last {
          refusals.add(ManifestRules.unreadable(error), about: document.source)
        }
        failures.append(error)
      }
    }
    let families =
      checksFiles ? FilesTogetherRules.families(packs).map { $0.map { places[$0] } } : nil
    findings.add(
      contentsOf: ManifestDocument.findings(
        together: documents, primaryLanguage: primaryLanguage, hosting: hosting, families: families)
    )
    SelectedPack.check(together: &packs, hosting: hosting)
    for pack in packs { findings.add(contentsOf: pack.findings) }
    findings.add(contentsOf: refusals)
    findings.add(contentsOf: listFindings)
    var holdings = checksFiles ? holdings(of: packs) : holdings(of: documents)
    holdings.isWhole = !isPart && holdings.packs.count == documents.count
    // The number of packs is counted in `ManifestDocument.findings(together:)`.
    let uses = budgets.filter { $0.subject != .count }.map { BudgetUse(of: $0, by: holdings) }
    findings.add(uses)
    findings.follow(
      policy,
      Dictionary(documents.map { ($0.source.name, $0.policy) }, uniquingKeysWith: { $1 }))
    let ready = packs.compactMap { ReadyPack($0, settings) }
    return CheckedProject(
      report: ProjectReport(findings: findings), packs: ready,
      isWhole: ready.count + packs.count(where: \.isUnchanged) == chosen?.count ?? documents.count,
      updateChecks: packs.compactMap(\.updateCheck), dependencies: packs.compactMap(\.dependencies),
      holdings: holdings, openBudgets: uses.filter(\.isOpen), under: policy, failures: failures)
  }

  /// Opens the list of files, once for all manifests; nil if there is no list, or after errors.
  package func listedFiles(
    _ findings: inout Ledger, _ work: Work
  ) throws(PackError) -> SourceRoot? {
    guard let files else { return nil }
    let list: FileList
    switch files {
    case .text(let bytes, let name):
      list = FileList(bytes, named: name, endingFieldsInNUL: filesEndInNUL)
    case .path(let path):
      do throws(PackError) {
        list = try FileList(reading: path.text, endingFieldsInNUL: filesEndInNUL, work)
      } catch {
        if error.kind == .interrupted { throw error }
        findings.add(
          FileListRules.unreadable(error), about: SourceText([], named: path.text))
        return nil
      }
    }
    findings.add(contentsOf: list.findings)
    guard !list.findings.hasErrors else { return nil }
    let root = try SourceRoot(listing: list, &findings, work)
    return findings.hasErrors ? nil : root
  }

  /// Returns the packs without errors for budgets.
  private func holdings(of packs: [SelectedPack]) -> BudgetHoldings {
    let areFilesCounted = budgets.contains(where: \.subject.isOfFiles)
    return BudgetHoldings(
      packs.compactMap { pack in
        guard let manifest = pack.document.manifest, !pack.hasErrors else { return nil }
        return BudgetHoldings.Pack(
          manifest, archiveSize: pack.isUnchanged ? pack.updateCheck?.record?.output.size : nil,
          files: areFilesCounted ? pack.selection.budgetFiles : nil)
      })
  }

  /// Returns the packs for budgets, without their files.
  private func holdings(of documents: [ManifestDocument]) -> BudgetHoldings {
    BudgetHoldings(documents.compactMap { $0.manifest.map { BudgetHoldings.Pack($0) } })
  }

  /// Selects the files of packs in parallel; the results are in the order of the documents.
  private func selected(
    _ documents: [(offset: Int, element: ManifestDocument)], in listed: SourceRoot?,
    comparing updating: Updating?, notingDependencies notesDependencies: Bool, _ work: Work
  ) throws(PackError) -> [Result<SelectedPack, PackError>] {
    let (root, defaultRoot) = (sourceRoot?.text, defaultSourceRoot.text)
    let hosting = hosting
    let outputs = RunOutputs(outputs.map(\.text))
    let readsContents = readsContents
    let countsFiles = budgets.contains(where: \.subject.isOfFiles)
    var results: [Result<SelectedPack, PackError>] = []
    try documents.inParallel(threads: settings.threads, work) { numbered, _ throws(PackError) in
      try SelectedPack(
        numbered.element, sourceRoot: root, defaultRoot: defaultRoot, in: listed, hosting: hosting,
        leavingOut: outputs, readingContents: readsContents, comparing: updating,
        notingDependencies: notesDependencies, countingFiles: countsFiles,
        work.of(item: numbered.offset))
    } _: {
      results.append($0)
    }
    return results
  }
}
