import Arguments
import BAPackKit
import SourceDiagnostics
import SystemIO

/// `verify`: packs read to the last byte, and everything that is wrong with them.
struct VerifyCommand: Subcommand {
  private static let packs = ArgumentList("pack", .file("aar"), "The asset packs to verify.")
  private static let manifest = Option(
    "against", .file(), called: "manifest",
    "Also compare the pack with this manifest and the files it selects, byte for byte.")
  private static let sha256 = Option(
    "sha256",
    ValueType<[UInt8]> { text throws(InvalidValue) in
      guard let digest = Verification.digest(fromHexadecimal: text) else {
        throw InvalidValue("64 hexadecimal digits are needed")
      }
      return digest
    }, called: "hex", "Also check that the file has this SHA-256.")

  static let definition = Command(
    "verify", overview: "Decodes packs and reports everything that is wrong with them.",
    discussion: [
      """
      Checks blocks, structure, sizes and paths, that nothing lies outside 'Contents', and that \
      the manifest in the pack is valid and could have chosen what is there.
      """
    ],
    [
      packs, manifest, ManifestInput.sourceRoot, ManifestInput.hosting, sha256, PackInput.threads,
      FindingsFormat.option,
    ],
    dependent: [(ManifestInput.sourceRoot, on: manifest)],
    examples: [
      Term("ba-package verify Archives/*.aar", "Check packs after a download."),
      Term(
        "ba-package verify Tutorial.aar --against Manifest.json",
        "See whether a pack is what its sources are now."),
    ])

  private let packs: [String]
  private let manifest: String?
  private let input: ManifestInput
  private let format: FindingsFormat
  private var verification = Verification()

  init(_ arguments: ParsedArguments) throws(UsageError) {
    packs = arguments[Self.packs]
    manifest = arguments[Self.manifest]
    input = ManifestInput(arguments)
    format = arguments[FindingsFormat.option]
    verification.hosting = input.hosting
    verification.expectedSHA256 = arguments[Self.sha256]
    verification.threads = arguments[PackInput.threads] ?? ProcessState.processorCount
    verification.isCancelled = { Interrupt.pending != nil }
    guard packs.count == 1 || (manifest == nil && verification.expectedSHA256 == nil) else {
      throw UsageError(
        "'--against' and '--sha256' are about one pack, but \(packs.count) were given")
    }
  }

  func run(_ console: Console) throws(PackError) -> ExitStatus {
    Interrupt.install()
    var source: Verification.Source?
    if let manifest {
      guard let found = try self.source(manifest, console) else { return .failed }
      source = found
    }
    var findings: [Findings] = []
    var status = ExitStatus.done
    var unreadable = 0
    for pack in packs {
      do throws(PackError) {
        let report = try verify(pack, source, console)
        findings += report.findings
        if report.hasErrors { status = .failed }
      } catch {
        if error.kind == .interrupted { throw error }
        console.error(error)
        status = .failed
        unreadable += 1
      }
    }
    guard unreadable < packs.count else { return .failed }
    console.conclude(
      findings, about: Quantity.count(packs.count - unreadable, "pack"),
      failed: status != .done, as: format, of: .packs, for: input.hosting,
      isWhole: unreadable == 0)
    return status
  }

  private func verify(
    _ pack: String, _ source: Verification.Source?, _ console: Console
  ) throws(PackError) -> Verification.Report {
    var line: ProgressLine?
    defer { line?.finish() }
    return try verification.verify(pack, against: source) { progress in
      if progress.isBeginning { console.detail(progress.path) }
      if line == nil { line = ProgressLine(console, title: "Verifying", total: progress.total) }
      line?.update(done: progress.done)
    }
  }

  /// The manifest and its files; nil when there are errors, which have been reported.
  private func source(
    _ path: String, _ console: Console
  ) throws(PackError) -> Verification.Source? {
    var checked = CheckedManifest(try input.read(path, console))
    if !checked.document.fileSelectors.isEmpty {
      try checked.checkFiles(input, leavingOut: packs)
    }
    let findings = CheckedManifest.findings(of: [checked], input)
    guard findings.count(.error) == 0, let manifest = checked.document.manifest,
      let pack = checked.pack, let root = pack.root
    else {
      console.report(findings, as: format)
      console.finding(text: "Nothing was verified: \(findings.tally)\n")
      return nil
    }
    return Verification.Source(manifest, pack.selection, in: root)
  }
}
