import Arguments
import BAPackKit
import SourceDiagnostics
import SystemIO
import TerminalText

/// `download-manifest update`: publishes new archives and keeps the other packs of the manifest.
struct DownloadManifestUpdateCommand: Subcommand {
  private typealias Shared = PublicationOptions
  private static let manifest = Argument(
    "manifest", .file("json"), elsewhere: ProjectOptions.hint(key: "selfHosting.manifests"),
    "The download manifest (default: the manifests of the project).",
    details: "The file is changed in place.")
  private static let archives = ArgumentList(
    "pack", .file("aar"), isRequired: false, "New and changed asset packs.")
  private static let morePaths = OptionList(
    "asset-pack-paths", .file("aar", "json"), called: "pack", in: .input,
    "Add asset packs with any file names.")
  private static let removed = OptionList(
    "remove", .text, called: "id", in: .output, "Remove packs from the manifest.",
    details: "Devices delete them after the release.")

  static let definition = Command(
    "update", overview: "Publish new and changed packs in a download manifest.",
    discussion: [
      """
      If the bytes of a pack differ from the published ones, which '<manifest>.lock.json' records, \
      its version is incremented; versions never decrease. New packs are added. Other packs, \
      comments and layout are kept. Without the record, every given pack counts as changed.
      """,
      """
      Given packs get URLs of the given form. Without one, a changed pack gets a URL of the \
      recorded form, and other packs keep their URLs. Packs for other platforms are ignored. \
      Concurrent updates wait for each other.
      """,
      DocumentName.publication.described(),
    ],
    [manifest, archives, morePaths] + ProjectOptions.all + Shared.platforms + Shared.urls
      + [removed, Shared.publishTo, ReportFormat.option, MemoryOption.option],
    exclusive: [Shared.platforms, ProjectOptions.exclusive],
    examples: [
      Term(
        "ba-package download-manifest update ios.json Packs/*.aar",
        "Increment the versions of changed packs."),
      Term("ba-package download-manifest update ios.json --remove level-1", "Remove a pack."),
      Term(
        """
        ba-package download-manifest update ios.json new.aar --download-base-url \
        https://downloads.example.com/packs
        """, "Add a pack."),
    ],
    topics: ["project-file"])

  private let input: ManifestOptions
  private let manifest: String?
  private let paths: [String]
  private let removed: [PackID]
  private let platform: Platform?
  private let urls: PackURLs?
  private let folder: String?
  private let allowsHTTP: Bool
  private let memory: UInt64
  private let format: ReportFormat

  init(_ arguments: ParsedArguments) throws(UsageError) {
    manifest = arguments[Self.manifest]
    paths = arguments[Self.archives] + arguments[Self.morePaths]
    input = ManifestOptions(arguments, operands: paths)
    removed = arguments[Self.removed].map { PackID($0) }
    guard manifest == nil || !paths.isEmpty || !removed.isEmpty else {
      throw UsageError("Missing packs: specify archives, or '--remove <id>'")
    }
    platform = Shared.platform(arguments)
    urls = try Shared.urls(arguments)
    folder = arguments[Shared.publishTo]
    allowsHTTP = arguments[Shared.allowHTTP]
    memory = UInt64(arguments[MemoryOption.option])
    format = arguments[ReportFormat.option]
  }

  func run(_ console: Console) throws(PackError) -> ExitStatus {
    Interrupt.install()
    let outcome = "No manifest was changed"
    if let manifest {
      guard let packs = try PackOperands.resolved(input, console, otherwise: outcome) else {
        return .failed
      }
      return try update(manifest, with: packs, for: platform, at: urls).run(console)
    }
    guard let project = try ProjectPublication(input, packs: paths, console, otherwise: outcome)
    else { return .failed }
    var status = ExitStatus.done
    for (platform, path) in try project.manifests(for: platform) {
      let update = update(path, with: project.packs, for: platform, at: urls ?? project.urls)
      if try update.run(console) != .done { status = .failed }
    }
    return status
  }

  private func update(
    _ manifest: String, with packs: [String], for platform: Platform?, at urls: PackURLs?
  ) -> ManifestUpdate {
    ManifestUpdate(
      files: PublicationFiles(manifest), paths: packs, removed: removed, platform: platform,
      urls: urls, folder: folder.map { PublishedFolder($0, for: urls) }, allowsHTTP: allowsHTTP,
      memory: memory, format: format)
  }
}

/// Publishes new and changed packs in one manifest.
private struct ManifestUpdate {
  let files: PublicationFiles
  let paths: [String]
  let removed: [PackID]
  let platform: Platform?
  let urls: PackURLs?
  let folder: PublishedFolder?
  let allowsHTTP: Bool
  let memory: UInt64
  let format: ReportFormat

  func run(_ console: Console) throws(PackError) -> ExitStatus {
    do throws(PackError) {
      // Reading packs takes long, so it is done before the lock excludes other processes.
      let (archives, unreadable) = try [PublishedArchive].read(paths, memory: memory, console.work)
      Leftovers.remove(beside: files.path, console)
      return try files.alone(console.work, waiting: { console.waiting(for: files.path) }) {
        () throws(PackError) in try update(with: archives, unreadable, console)
      }
    } catch {
      PublicationReport.refuse(error, files, to: console, as: format)
      throw error
    }
  }

  private func refuse(_ findings: Ledger, _ console: Console) -> ExitStatus {
    PublicationReport.refuse("No manifest was changed", findings, files, to: console, as: format)
  }

  private func update(
    with archives: [PublishedArchive], _ unreadable: Ledger, _ console: Console
  ) throws(PackError) -> ExitStatus {
    let document = try files.readManifest(allowingHTTP: allowsHTTP, console.work)
    let record = try files.readRecord(console.work)
    var findings = document.findings
    findings.add(contentsOf: unreadable)
    if let record { findings.add(contentsOf: record.findings) }
    guard let manifest = document.manifest, !findings.hasErrors else {
      return refuse(findings, console)
    }
    var publication = manifest.updated(
      with: archives, removing: removed, for: try platform(accordingTo: record?.record), at: urls,
      record: record?.record, named: files.path)
    let text = publication.text(over: document)
    findings.add(contentsOf: publication.findings)
    guard let text else { return refuse(findings, console) }
    console.report(findings, as: .text)
    if let folder {
      let count = try folder.copyArchives(of: publication, replacing: true, console.work)
      console.summary("Copied \(Quantity.count(count, "pack")) to '\(folder.path)'.")
    }
    try files.write(text, publication.record, replacing: true, console.work)
    PublicationReport(publication, files, hadRecord: record != nil, findings: findings)
      .write(to: console, as: format)
    return .done
  }

  /// Returns the platform of the manifest, which cannot be changed.
  private func platform(
    accordingTo record: PublicationRecord?
  ) throws(PackError) -> Platform {
    switch (platform, record?.platform) {
    case (let given?, let recorded?) where given != recorded:
      throw PackError(
        .wrongPlatform,
        "'\(files.path)' is for \(recorded.rawValue), not for \(given.rawValue)",
        remedy: "each platform has a separate manifest; create one with 'create'")
    case (let given?, _): return given
    case (nil, let recorded?): return recorded
    case (nil, nil):
      throw PackError(
        .ambiguous, "the platform of '\(files.path)' is unknown",
        remedy: "specify it with --ios, --macos, --tvos, --visionos or --platform")
    }
  }
}
