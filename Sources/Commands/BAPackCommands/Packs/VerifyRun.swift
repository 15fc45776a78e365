import Arguments
import BAPackKit
import SourceDiagnostics
import SystemIO
import TerminalText

/// One run of `verify`, after the project file is read.
struct VerifyRun {
  static let nothing = "No packs were verified"

  private let settings: VerifyCommand
  private let input: ManifestInput
  private let console: Console
  private var packs: [String]
  private var verification = Verification()
  private var shardFindings = Ledger()
  /// The packs or folders that could not be read, with the reasons.
  private var unreadable: [JUnitReport.Suite] = []

  init(_ settings: VerifyCommand, _ input: ManifestInput, _ console: Console) {
    self.settings = settings
    self.input = input
    self.console = console
    packs = settings.packs
    verification.hosting = input.hosting
    verification.memory = settings.memory
    verification.threads =
      settings.threads ?? input.run.settings[\.threads]?.value ?? ProcessState.processorCount
  }

  mutating func run() throws(PackError) -> ExitStatus {
    if settings.checksShards { return try verifyShards() }
    if packs.isEmpty {
      guard let outputs = try ProjectOutputs(input, console, otherwise: Self.nothing)
      else { return .failed }
      packs = outputs.paths
    } else {
      try inspectFolders()
    }
    return try verify()
  }

  /// Replaces folders, patterns and IDs by their packs.
  ///
  /// A folder or pattern without packs is an error; the others are verified.
  private mutating func inspectFolders() throws(PackError) {
    let known = PackOperands(input, for: packs, console)
    var found: [String] = []
    for path in packs {
      do throws(PackError) {
        found += try known.archives(path)
      } catch {
        try refuse(path, error)
      }
    }
    packs = found
  }

  /// Reports a pack or folder that could not be read, so that others are verified.
  private mutating func refuse(_ path: String, _ error: PackError) throws(PackError) {
    if error.kind == .interrupted { throw error }
    console.error(error)
    unreadable.append(.init(path, [.init("readable", .error(error.message))]))
  }

  /// Verifies the packs in the given folders, which must have each pack of the project exactly
  /// once.
  private mutating func verifyShards() throws(PackError) -> ExitStatus {
    guard let outputs = try ProjectOutputs(input, console, otherwise: Self.nothing)
    else { return .failed }
    let folders = packs.isEmpty ? [outputs.folder ?? outputs.paths[0]] : packs
    var paths: [String] = []
    for folder in folders {
      // A missing folder is one error instead of one for each pack.
      try mapFailure(.reading) { () throws(Failure) in _ = try FileStatus(ofFileAt: folder) }
      if PackInput.isFolder(folder) {
        paths += try mapFailure(.reading) { () throws(Failure) in
          try ArchiveSearch.archives(in: folder)
        }
      } else {
        paths.append(folder)
      }
    }
    var collected: [ShardRules.Collected] = []
    var holdings = BudgetHoldings([])
    for path in paths {
      // An unreadable pack is reported when it is verified.
      let inspection = try? PackInspection(of: path, memory: verification.memory)
      if let id = inspection?.manifest?.assetPackID {
        collected.append(.init(path, PackID(id)))
      }
      if let inspection, let manifest = inspection.manifest?.manifest {
        holdings.packs.append(.init(manifest, archiveSize: inspection.fileSize))
      }
    }
    shardFindings = ShardRules.findings(
      collected: collected, of: outputs.documents, in: folders.joined(separator: ", "))
    holdings.isWhole = !shardFindings.hasErrors
    let uses = input.run.budgets.map { BudgetUse(of: $0, by: holdings) }
    shardFindings.add(uses)
    console.report(open: uses)
    packs = paths
    return try verify()
  }

  private mutating func verify() throws(PackError) -> ExitStatus {
    guard settings.digests.count <= 1 || settings.digests.count == packs.count else {
      throw PackError(
        .conflict, "\(settings.digests.count) digests were given for \(packs.count) packs",
        remedy: "specify one for each, or one for all")
    }
    let list = try settings.sums.map { path throws(PackError) in
      try ChecksumList(reading: path, console.work)
    }
    guard let sources = try sources() else { return .failed }
    var findings = shardFindings
    var status = findings.hasErrors || !unreadable.isEmpty ? ExitStatus.failed : .done
    var verified = 0
    for (index, pack) in packs.enumerated() {
      do throws(PackError) {
        let digest =
          try list?.digest(of: pack)
          ?? (settings.digests.count > 1 ? settings.digests[index] : settings.digests.first)
        let report = try verify(pack, digest, sources)
        verified += 1
        findings.add(contentsOf: report.findings)
        if report.hasErrors { status = .failed }
      } catch {
        try refuse(pack, error)
        status = .failed
      }
    }
    if let junit = settings.junit {
      var report = JUnitReport(
        of: findings, failingFrom: .error, place: Checkout(console.environment).path)
      report.suites += unreadable
      try report.write(to: junit)
    }
    guard verified > 0 || findings.hasErrors else { return .failed }
    console.conclude(
      findings, about: Quantity.count(verified, "pack"),
      failed: status != .done, hint: unread(unreadable.count).map { "; \($0)" } ?? "",
      as: settings.format, of: RuleCatalogue.rules(of: .packs), for: input.hosting,
      isWhole: unreadable.isEmpty)
    return status
  }

  private func verify(
    _ pack: String, _ digest: [UInt8]?, _ sources: [Verification.Source]
  ) throws(PackError) -> VerificationReport {
    var verification = verification
    verification.expectedSHA256 = digest
    return try console.showing("Verifying") { (work) throws(PackError) in
      try verification.verify(pack, against: sources, work)
    }
  }

  /// Returns the manifests and their files; nil if there are errors, which have been reported.
  private func sources() throws(PackError) -> [Verification.Source]? {
    guard !settings.manifests.isEmpty else { return [] }
    var project = try input.project(settings.manifests, console)
    // The packs were made with the lowered levels.
    project.policy = FindingPolicy(input.run.settings.policy.settings.filter { $0.level != .error })
    project.outputs = packs.map { FilePath($0) }
    var documents: [ManifestDocument] = []
    for input in project.inputs(saying: console) {
      documents.append(try project.document(of: input, console.work))
    }
    let checked = try project.check(documents, console.work)
    if let failure = checked.failures.first { throw failure }
    guard let ready = checked.packs else {
      let findings = checked.report.findings
      console.report(findings, as: settings.format)
      console.finding(text: "\(Self.nothing): \(findings.tally)\n")
      return nil
    }
    return ready.map(\.comparison)
  }
}
