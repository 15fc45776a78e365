import Arguments
import BAPackKit
import SourceDiagnostics
import SystemIO
import TerminalText

/// `verify`: reads packs completely and reports all errors.
struct VerifyCommand: Subcommand {
  private static let manifests = RepeatableOption(
    "against", .file(), called: "manifest", in: .check,
    "Compare packs with a manifest and its files; repeatable.",
    details: """
      Files are compared byte for byte. Of several manifests, or a folder of them, each pack is \
      compared with the manifest of its ID.
      """)
  private static let sha256 = RepeatableOption(
    "sha256",
    ValueType<[UInt8]> { text throws(InvalidValue) in
      guard let digest = [UInt8](hexadecimal: text, count: 32) else {
        throw InvalidValue("expected 64 hexadecimal digits")
      }
      return digest
    }, called: "hex", in: .check, "Require this SHA-256 digest; repeatable.",
    details: "Several digests are for the packs in their order.")
  private static let sums = Option(
    "sums", .file(), called: "path", in: .check, "Check digests against a list from sha256sum.",
    details: """
      A line of the list applies to the pack at its path, as for 'sha256sum -c', or to the only \
      pack with its name.
      """)

  private static let allShards = Flag(
    "all-shards", in: .check, "Require each pack of the project exactly once.",
    details: "For the folders with the results of 'pack --shard' on all machines.")

  static let definition = Command(
    "verify", overview: "Decode asset packs and check them.",
    discussion: [
      """
      Checks blocks, structure, sizes, paths and recorded digests. Checks that all files are in \
      'Contents', and that the manifest in the pack is valid and matches the files.
      """,
      """
      A pack holds no digest of its contents. For this reason a changed byte in a stored block \
      cannot be detected in the pack alone. '--sha256' and '--sums' detect every changed byte, and \
      '--against' every changed file.
      """,
      """
      Without packs, the packs of the project file are verified.
      """,
      """
      With '--all-shards', the archives of all shards are checked against the budgets. Budgets for \
      files are checked by 'validate'.
      """,
      """
      The severities in 'findings' of the project file are ignored, except lowered ones for the \
      files of '--against'.
      """,
      FindingsFormat.meaningOfJSON,
    ],
    [PackInput.projectPaths] + ManifestInput.sources + ProjectOptions.all
      + [manifests, sha256, sums, allShards, ManifestInput.hosting] + BudgetOptions.all
      + [FindingsFormat.option, JUnitReport.option, PackInput.threads, MemoryOption.option],
    exclusive: [[sha256, sums], ProjectOptions.exclusive, ManifestInput.exclusiveSources],
    dependent: [
      (ManifestInput.sourceRoot, on: manifests), (ManifestInput.filesFrom, on: manifests),
    ] + ManifestInput.dependentSources
      + BudgetOptions.dependent(on: allShards),
    examples: [
      Term("ba-package verify Archives", "Check the packs in a folder."),
      Term(
        "ba-package verify Tutorial.aar --against Manifest.json",
        "Compare a pack with its source files."),
      Term("ba-package verify --sums SHA256SUMS Archives/*.aar", "Detect every changed byte."),
      Term("ba-package verify --all-shards collected", "Check that no shard is missing."),
    ],
    topics: ["budgets"])

  private var packs: [String]
  private let manifests: [String]
  private let digests: [[UInt8]]
  private let sums: String?
  private var input: ManifestInput
  private let format: FindingsFormat
  private let junit: String?
  private let threads: Int?
  private let checksShards: Bool
  private var shardFindings = Ledger()
  /// The packs or folders that could not be read, with the reasons.
  private var unreadable: [JUnitReport.Suite] = []
  private var verification = Verification()

  init(_ arguments: ParsedArguments) throws(UsageError) {
    packs = arguments[PackInput.projectPaths]
    manifests = arguments[Self.manifests]
    digests = arguments[Self.sha256]
    sums = arguments[Self.sums]
    checksShards = arguments[Self.allShards]
    // The folders are compared with the packs of the project.
    input = ManifestInput(arguments, operands: checksShards ? [] : packs)
    input.run.ignoresLevels = true
    BudgetOptions.add(to: &input.run.settings, arguments)
    format = arguments[FindingsFormat.option]
    junit = arguments[JUnitReport.option]
    threads = arguments[PackInput.threads]
    if checksShards, input.run.place == nil {
      throw UsageError("'--all-shards' requires a project file")
    }
    verification.threads = ProcessState.processorCount
    verification.memory = UInt64(arguments[MemoryOption.option])
    guard digests.count <= 1 || packs.isEmpty || digests.count == packs.count else {
      throw UsageError(
        "\(digests.count) digests were given for \(packs.count) packs",
        hint: "specify one for each, or one for all")
    }
  }

  func run(_ console: Console) throws(PackError) -> ExitStatus {
    Interrupt.install()
    guard let input = try input.opened(console, otherwise: "No packs were verified") else {
      return .failed
    }
    var command = self
    command.input = input
    command.verification.hosting = input.hosting
    if let threads = threads ?? input.run.settings[\.threads]?.value {
      command.verification.threads = threads
    }
    if checksShards { return try command.verifyShards(console) }
    if packs.isEmpty {
      guard let outputs = try ProjectOutputs(input, console, otherwise: "No packs were verified")
      else { return .failed }
      command.packs = outputs.paths
    } else {
      try command.inspectFolders(console)
    }
    return try command.verify(console)
  }

  /// Replaces folders and patterns by their packs.
  ///
  /// A folder or pattern without packs is an error; the others are verified.
  private mutating func inspectFolders(_ console: Console) throws(PackError) {
    var found: [String] = []
    for path in packs {
      do throws(PackError) {
        found += try PackInput.packs(at: path)
      } catch {
        try refuse(path, error, console)
      }
    }
    packs = found
  }

  /// Reports a pack or folder that could not be read, so that others are verified.
  private mutating func refuse(
    _ path: String, _ error: PackError, _ console: Console
  ) throws(PackError) {
    if error.kind == .interrupted { throw error }
    console.error(error)
    unreadable.append(.init(path, [.init("readable", .error(error.message))]))
  }

  /// Verifies the packs in the given folders, which must have each pack of the project exactly
  /// once.
  private mutating func verifyShards(_ console: Console) throws(PackError) -> ExitStatus {
    guard let outputs = try ProjectOutputs(input, console, otherwise: "No packs were verified")
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
    return try verify(console)
  }

  private mutating func verify(_ console: Console) throws(PackError) -> ExitStatus {
    guard digests.count <= 1 || digests.count == packs.count else {
      throw PackError(
        .conflict, "\(digests.count) digests were given for \(packs.count) packs",
        remedy: "specify one for each, or one for all")
    }
    let list = try sums.map { path throws(PackError) in
      try ChecksumList(reading: path, console.work)
    }
    guard let sources = try sources(console) else { return .failed }
    var findings = shardFindings
    var status = findings.hasErrors || !unreadable.isEmpty ? ExitStatus.failed : .done
    var verified = 0
    for (index, pack) in packs.enumerated() {
      do throws(PackError) {
        let digest =
          try list?.digest(of: pack) ?? (digests.count > 1 ? digests[index] : digests.first)
        let report = try verify(pack, digest, sources, console)
        verified += 1
        findings.add(contentsOf: report.findings)
        if report.hasErrors { status = .failed }
      } catch {
        try refuse(pack, error, console)
        status = .failed
      }
    }
    if let junit {
      var report = JUnitReport(
        of: findings, failingFrom: .error, place: Checkout(console.environment).path)
      report.suites += unreadable
      try report.write(to: junit)
    }
    guard verified > 0 || findings.hasErrors else { return .failed }
    console.conclude(
      findings, about: Quantity.count(verified, "pack"),
      failed: status != .done, hint: unread(unreadable.count).map { "; \($0)" } ?? "", as: format,
      of: RuleCatalogue.rules(of: .packs), for: input.hosting,
      isWhole: unreadable.isEmpty)
    return status
  }

  private func verify(
    _ pack: String, _ digest: [UInt8]?, _ sources: [Verification.Source], _ console: Console
  ) throws(PackError) -> VerificationReport {
    var verification = verification
    verification.expectedSHA256 = digest
    return try console.showing("Verifying") { (work) throws(PackError) in
      try verification.verify(pack, against: sources, work)
    }
  }

  /// Returns the manifests and their files; nil if there are errors, which have been reported.
  private func sources(_ console: Console) throws(PackError) -> [Verification.Source]? {
    guard !manifests.isEmpty else { return [] }
    var project = try input.project(manifests, console)
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
      console.report(findings, as: format)
      console.finding(text: "No packs were verified: \(findings.tally)\n")
      return nil
    }
    return ready.map(\.comparison)
  }
}
