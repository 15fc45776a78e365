import Arguments
import BAPackKit
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
    [PackInput.projectPaths] + ManifestOptions.sources + ProjectOptions.all
      + [manifests, sha256, sums, allShards, ManifestOptions.hosting] + BudgetOptions.all
      + [FindingsFormat.option, JUnitReport.option, PackInput.threads, MemoryOption.option],
    exclusive: [[sha256, sums], ProjectOptions.exclusive, ManifestOptions.exclusiveSources],
    dependent: [
      (ManifestOptions.sourceRoot, on: manifests), (ManifestOptions.filesFrom, on: manifests),
    ] + ManifestOptions.dependentSources
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

  let packs: [String]
  let manifests: [String]
  let digests: [[UInt8]]
  let sums: String?
  let input: ManifestOptions
  let format: FindingsFormat
  let junit: String?
  let threads: Int?
  let memory: UInt64
  let checksShards: Bool

  init(_ arguments: ParsedArguments) throws(UsageError) {
    packs = arguments[PackInput.projectPaths]
    manifests = arguments[Self.manifests]
    digests = arguments[Self.sha256]
    sums = arguments[Self.sums]
    checksShards = arguments[Self.allShards]
    // The folders are compared with the packs of the project.
    var input = ManifestOptions(arguments, operands: checksShards ? [] : packs)
    input.project.ignoresLevels = true
    BudgetOptions.add(to: &input.project.settings, arguments)
    self.input = input
    format = arguments[FindingsFormat.option]
    junit = arguments[JUnitReport.option]
    threads = arguments[PackInput.threads]
    if checksShards, input.project.place == nil {
      throw UsageError("'--all-shards' requires a project file")
    }
    memory = UInt64(arguments[MemoryOption.option])
    guard digests.count <= 1 || packs.isEmpty || digests.count == packs.count else {
      throw UsageError(
        "\(digests.count) digests were given for \(packs.count) packs",
        hint: "specify one for each, or one for all")
    }
  }

  func run(_ console: Console) throws(PackError) -> ExitStatus {
    Interrupt.install()
    guard let input = try input.opened(console, otherwise: VerifyRun.nothing) else {
      return .failed
    }
    var run = VerifyRun(self, input, console)
    return try run.run()
  }
}
