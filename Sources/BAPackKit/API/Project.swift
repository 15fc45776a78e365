import Glibc
import SourceDiagnostics
public import SystemIO

/// The asset packs of an app: their manifests, and how they are checked and packed.
///
/// ``check(progress:)`` looks for everything that can be wrong with them, one by one and together.
/// Only packs without errors can be packed: there is a ``ReadyPack`` only for those.
public struct Project: Sendable {
  /// Where a manifest is.
  public enum Input: Sendable, Hashable {
    /// A file; a folder, for all manifests in it; or a pattern, such as `Packs/*.json` or
    /// `**/pack.json`, for all files that match.
    case path(FilePath)
    /// A text in memory; messages use the name.
    case text([UInt8], named: String)

    /// The manifest's name in messages.
    public var name: String {
      switch self {
      case .path(let path): path.text
      case .text(_, let name): name
      }
    }
  }

  /// The manifests.
  public var inputs: [Input]
  /// Who hosts the packs; nil applies only the rules that hold for every host.
  public var hosting: Hosting?
  /// The language that devices get when their own is not available; nil does not check it.
  public var primaryLanguage: LanguageTag?
  /// Used instead of the manifests' own source roots: a folder, or an archive.
  public var sourceRoot: FilePath?
  /// Where selectors start in manifests that name no source root, if there is none for all; the
  /// current folder by default.
  public var defaultSourceRoot: FilePath = "."
  /// A file that is no manifest, whatever pattern matches it: the one that names the manifests.
  package var ownFile: String?
  /// Files and folders that are written during or after packing, and so are never packed.
  public var outputs: [FilePath] = []
  /// How a run finds out which archives are as they would be made; nil makes all of them.
  package var updating: Updating?
  /// What the packs are held against, as far as it is known before they are packed.
  package var budgets: [Budget] = []
  /// Whether the app has other packs: then what these take is the least that all of them take.
  package var isPart = false
  /// Whether to note what each archive depends on.
  package var notesDependencies = false
  /// How packs are written.
  public var settings = PackSettings(threads: ProcessState.processorCount)

  /// The packs of these manifests: paths of files or folders, or patterns.
  public init(_ paths: [FilePath], hosting: Hosting? = nil) {
    self.init(paths.map(Input.path), hosting: hosting)
  }

  /// The packs of these manifests.
  public init(_ inputs: [Input], hosting: Hosting? = nil) {
    self.inputs = inputs
    self.hosting = hosting
  }

  /// Checks the manifests and the files that they select.
  ///
  /// Everything that a person can correct is in the report, including a manifest that cannot be
  /// read. It throws only when the task is cancelled: ``PackError/Kind/interrupted``.
  public func check(
    progress: @escaping @Sendable (WorkProgress) -> Void = { _ in }
  ) async throws(PackError) -> CheckedProject {
    try await Work.run { work throws(PackError) in
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

// MARK: - In steps, for a program that says what it does

extension Project {
  /// The inputs, one file each, and what to report about how they were found.
  package struct Found: Sendable {
    /// One file each; no file is there twice.
    package var inputs: [Input] = []
    package var remarks: [Remark] = []
  }

  package enum Remark: Sendable, Equatable {
    /// A path leads to a file that was already named.
    case again(String, first: String)
    /// A folder contains so many manifests; other JSON files in it were left out.
    case folder(String, manifests: Int, others: [String])
  }

  /// Looks into the folders among the inputs.
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

  /// Reads one manifest; mistakes in its text are findings of the document.
  package func read(_ input: Input, _ work: Work) -> ManifestDocument {
    do throws(PackError) {
      return try document(of: input, work)
    } catch {
      return ManifestDocument(unreadable: error, named: input.name)
    }
  }

  /// The same, but throws if the machine refuses to read it.
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

  /// Checks documents that were read: one by one, with their files, and together.
  ///
  /// If only some are chosen, the files of the others are not looked at, and there are no packs of
  /// them.
  package func check(
    _ documents: [ManifestDocument], lookingAtFiles: Bool = true, only chosen: Set<Int>? = nil,
    _ work: Work
  ) throws(PackError) -> CheckedProject {
    var packs: [SelectedPack] = []
    var troubles: [PackError] = []
    var findings = Ledger()
    for document in documents { findings.add(contentsOf: document.findings) }
    var refusals = Ledger()
    let selecting = documents.enumerated().filter { index, document in
      lookingAtFiles && !document.fileSelectors.isEmpty && chosen?.contains(index) ?? true
    }
    var places: [Int] = []
    for ((place, document), result) in zip(selecting, try selected(selecting, work)) {
      switch result {
      case .success(let pack):
        packs.append(pack)
        places.append(place)
      case .failure(let error):
        if error.kind == .interrupted { throw error }
        // If all manifests have the same source root, its problem is reported once.
        if error != troubles.last {
          refusals.add(ManifestRules.unreadable(error), about: document.source)
        }
        troubles.append(error)
      }
    }
    let families =
      lookingAtFiles ? FilesTogetherRules.families(packs).map { $0.map { places[$0] } } : nil
    findings.add(
      contentsOf: ManifestDocument.findings(
        together: documents, primaryLanguage: primaryLanguage, hosting: hosting, families: families)
    )
    SelectedPack.check(together: &packs, hosting: hosting)
    for pack in packs { findings.add(contentsOf: pack.findings) }
    findings.add(contentsOf: refusals)
    var holdings = lookingAtFiles ? holdings(of: packs) : holdings(of: documents)
    holdings.isWhole = !isPart && holdings.packs.count == documents.count
    // How many packs there are was counted above.
    let uses = budgets.filter { $0.subject != .count }.map { BudgetUse(of: $0, by: holdings) }
    findings.add(uses)
    let ready = packs.compactMap { ReadyPack($0, settings) }
    let unchanged = packs.compactMap { $0.isUnchanged ? $0.updateCheck : nil }
    return CheckedProject(
      report: ProjectReport(findings: findings), packs: ready,
      isWhole: ready.count + unchanged.count == chosen?.count ?? documents.count,
      updateChecks: packs.compactMap(\.updateCheck), dependencies: packs.compactMap(\.dependencies),
      holdings: holdings, openBudgets: uses.filter(\.isOpen), troubles: troubles)
  }

  /// The packs as budgets see them; those count that have no errors.
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

  /// The same where nobody looks at files.
  private func holdings(of documents: [ManifestDocument]) -> BudgetHoldings {
    BudgetHoldings(documents.compactMap { $0.manifest.map { BudgetHoldings.Pack($0) } })
  }

  /// Looks for the files of several packs at once; the results stand in the order of the documents.
  private func selected(
    _ documents: [(offset: Int, element: ManifestDocument)], _ work: Work
  ) throws(PackError) -> [Result<SelectedPack, PackError>] {
    let (root, defaultRoot) = (sourceRoot?.text, defaultSourceRoot.text)
    let (hosting, outputs, updating) = (hosting, outputs.map(\.text), updating)
    let notesDependencies = notesDependencies
    let countsFiles = budgets.contains(where: \.subject.isOfFiles)
    var results: [Result<SelectedPack, PackError>] = []
    try documents.inParallel(threads: settings.threads, work) { numbered, _ throws(PackError) in
      try SelectedPack(
        numbered.element, sourceRoot: root, defaultRoot: defaultRoot, hosting: hosting,
        leavingOut: outputs, comparing: updating, notingDependencies: notesDependencies,
        countingFiles: countsFiles, work.of(item: numbered.offset))
    } _: {
      results.append($0)
    }
    return results
  }
}
