import Arguments
import BAPackKit
import SourceDiagnostics
import SystemIO

/// `download-manifest check`: validates a manifest before devices download it.
struct DownloadManifestCheckCommand: Subcommand {
  private typealias Shared = PublicationOptions
  private static let manifest = Argument(
    "manifest", .file("json"), elsewhere: ProjectOptions.hint(key: "selfHosting.manifests"),
    "The download manifest (default: the manifests of the project).",
    details: "Manifests of the project are compared with its packs.")
  private static let archives = Option(
    "archives", .folder, called: "folder", in: .check, "Compare with the packs in this folder.")
  private static let previous = Option(
    "previous", .file("json"), called: "manifest", in: .check,
    "Compare with the released manifest.")
  private static let infoPlist = Option(
    "info-plist", .file("plist"), called: "path", in: .check,
    "Compare with the Info.plist of the app.",
    details: "Allowed hosts and declared sizes are compared.")
  private static let strict = Flag("strict", in: .check, "Fail on warnings.")

  static let definition = Command(
    "check", overview: "Check a download manifest before its release.",
    discussion: [
      """
      Changed bytes are detected with the packs of '--archives' and with the records \
      '<manifest>.lock.json' of both manifests. Unpacked sizes require '--archives'.
      """,
      FindingsFormat.meaningOfJSON,
    ],
    [manifest] + ProjectOptions.all + Shared.platforms
      + [archives, previous, infoPlist, strict, Shared.allowHTTP, FindingsFormat.option]
      + [MemoryOption.option],
    exclusive: [Shared.platforms, ProjectOptions.exclusive],
    dependent: [(MemoryOption.option, on: archives)],
    examples: [
      Term(
        "ba-package download-manifest check ios.json --archives Packs",
        "Compare with the packs."),
      Term(
        "ba-package download-manifest check ios.json --previous live.json",
        "Compare with the released manifest."),
    ],
    topics: ["project-file"])

  private let input: ManifestOptions
  private let manifest: String?
  private let folder: String?
  private let previous: String?
  private let plistPath: String?
  private let platform: Platform?
  private let allowsHTTP: Bool
  private let isStrict: Bool
  private let memory: UInt64
  private let format: FindingsFormat

  init(_ arguments: ParsedArguments) throws(UsageError) {
    manifest = arguments[Self.manifest]
    input = ManifestOptions(arguments, operands: [])
    folder = arguments[Self.archives]
    previous = arguments[Self.previous]
    plistPath = arguments[Self.infoPlist]
    platform = Shared.platform(arguments)
    allowsHTTP = arguments[Shared.allowHTTP]
    isStrict = arguments[Self.strict]
    memory = UInt64(arguments[MemoryOption.option])
    format = arguments[FindingsFormat.option]
  }

  func run(_ console: Console) throws(PackError) -> ExitStatus {
    if let manifest {
      return try check(PublicationFiles(manifest), for: platform, in: folder, console)
    }
    guard
      let project = try ProjectPublication(
        input, packs: [], console, otherwise: "No manifest was checked")
    else { return .failed }
    var status = ExitStatus.done
    for (platform, path) in try project.manifests(for: platform) {
      let checked = try check(
        PublicationFiles(path), for: platform, in: folder ?? project.folder, console)
      if checked != .done { status = .failed }
    }
    return status
  }

  private func check(
    _ files: PublicationFiles, for platform: Platform?, in folder: String?, _ console: Console
  ) throws(PackError) -> ExitStatus {
    var check = DownloadManifestCheck(
      try files.readManifest(allowingHTTP: allowsHTTP, console.work))
    check.allowsHTTP = allowsHTTP
    var others = Ledger()
    check.record = try readRecord(of: files, &others, console.work)
    check.platform = platform ?? check.record?.platform
    if let previous { check.previous = try readPrevious(previous, &others, console.work) }
    if let plistPath {
      check.plist = try PublicationFiles.readInfoPlist(
        plistPath, isManaged: true, console.work)
    }
    if let folder {
      check.archives = try ArchiveFolder(
        reading: folder, for: check.document.packs, memory: memory, console.work)
    }
    var findings = check.findings()
    findings.add(contentsOf: others)
    let failed = findings.hasErrors || isStrict && findings.count(.warning) > 0
    console.conclude(
      findings, about: files.path, failed: failed, as: format,
      of: RuleCatalogue.rules(of: .publishing), for: .selfHosted)
    return failed ? .failed : .done
  }

  private func readRecord(
    of files: PublicationFiles, _ findings: inout Ledger, _ work: Work
  ) throws(PackError) -> PublicationRecord? {
    guard let document = try files.readRecord(work) else { return nil }
    findings.add(contentsOf: document.findings)
    return document.record
  }

  /// Reads the released manifest; only findings that make it unreadable are reported.
  private func readPrevious(
    _ path: String, _ findings: inout Ledger, _ work: Work
  ) throws(PackError) -> DownloadManifestCheck.Previous {
    let files = PublicationFiles(path)
    let document = try files.readManifest(allowingHTTP: true, work)
    if document.manifest == nil { findings.add(contentsOf: document.findings) }
    return .init(document, record: try readRecord(of: files, &findings, work))
  }
}
