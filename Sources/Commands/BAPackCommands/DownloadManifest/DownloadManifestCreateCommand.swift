import Arguments
import BAPackKit
import SourceDiagnostics
import SystemIO
import TerminalText

/// `download-manifest create`: creates the manifest of a first publication.
struct DownloadManifestCreateCommand: Subcommand {
  private typealias Shared = PublicationOptions
  private static let versions = OptionList(
    "asset-pack-versions", .number(in: 0...Int.max), called: "version", in: .output,
    "Set the versions of the packs, in their order.",
    details: "Without it, versions continue from the version lock, or start at 0.")
  private static let output = Option(
    "output-path", short: "o", .file("json"), called: "path", in: .output, isRequired: true,
    elsewhere: ProjectOptions.hint(key: "selfHosting.manifests"),
    "Write the manifest to this file.",
    details: "'-' is standard output, without a version lock.")
  private static let force = Flag(
    "force", short: "f", in: .output, "Replace an existing manifest.",
    details: "Its versions continue and never decrease.")

  static let definition = Command(
    "create", overview: "Create the download manifest of a platform.",
    discussion: [
      """
      The project file provides missing options: the packs, the form of URLs, and every platform \
      with a manifest.
      """,
      """
      ID, policy, userInfo and platforms are read from each pack. Packs for other platforms are \
      ignored. In the same folder, '<manifest>.lock.json' records the SHA-256 digest and the \
      version of each pack, and the form of URLs. 'update' and 'check' compare with it. Keep this \
      file; the server does not need it.
      """,
      DocumentName.publication.described(),
    ],
    [Shared.archives] + ProjectOptions.all + Shared.platforms + Shared.urls
      + [output, force, versions, Shared.publishTo, ReportFormat.option, MemoryOption.option],
    exclusive: [Shared.platforms, ProjectOptions.exclusive],
    examples: [
      Term(
        """
        ba-package download-manifest create Packs/*.aar --ios --download-base-url \
        https://downloads.example.com/packs -o ios.json
        """, "Publish packs for the first time."),
      Term(
        """
        ba-package download-manifest create a.aar b.aar --asset-pack-versions 3 1 --macos \
        --url-template 'https://cdn.example.com/{id}-{version}.aar' -o macos.json
        """, "Set versions and another form of URLs."),
      Term(
        """
        ba-package download-manifest create Packs/*.aar --ios --download-base-url \
        https://downloads.example.com/packs --url-template '{base}/{id}.aar' -o ios.json
        """, "Use the file names of 'pack' in URLs."),
    ],
    topics: ["project-file"])

  private let input: ManifestOptions
  private let paths: [String]
  private let platform: Platform?
  private let urls: PackURLs?
  private let versions: [Int?]
  private let output: String?
  private let replaces: Bool
  private let folder: String?
  private let memory: UInt64
  private let format: ReportFormat

  init(_ arguments: ParsedArguments) throws(UsageError) {
    paths = arguments[Shared.archives]
    input = ManifestOptions(arguments, operands: paths)
    let hasProject = input.project.place != nil
    platform = Shared.platform(arguments)
    guard platform != nil || hasProject else {
      throw UsageError("Missing platform: use one of '--ios', '--macos', '--tvos' or '--visionos'")
    }
    urls = try Shared.urls(arguments)
    guard urls != nil || hasProject else {
      throw UsageError(
        "Missing URL of the packs",
        hint: "use '--download-base-url <url>' or '--url-template <template>'; "
          + ProjectOptions.hint(key: "selfHosting"))
    }
    versions = try Self.versions(arguments, for: paths)
    output = arguments[Self.output]
    replaces = arguments[Self.force]
    folder = arguments[Shared.publishTo]
    memory = UInt64(arguments[MemoryOption.option])
    format = arguments[ReportFormat.option]
    if output == "-", format == .json {
      throw UsageError(
        "With '-o -' standard output is used for the manifest, so '--format json' cannot write its "
          + "report")
    }
  }

  /// Returns the given versions: one for each archive.
  private static func versions(
    _ arguments: ParsedArguments, for paths: [String]
  ) throws(UsageError) -> [Int?] {
    guard arguments.isGiven(versions) else { return Array(repeating: nil, count: paths.count) }
    let given = arguments[versions]
    guard given.count != paths.count else { return given }
    let problem =
      given.count < paths.count
      ? "'\(paths[given.count])' has no version"
      : "there is no pack for version \(given[paths.count])"
    throw UsageError(
      """
      '--asset-pack-versions' requires one version for each pack, in the same order, but \
      \(problem): \(Quantity.count(paths.count, "pack")), \
      \(Quantity.count(given.count, "version"))
      """)
  }

  func run(_ console: Console) throws(PackError) -> ExitStatus {
    Interrupt.install()
    let outcome = "No files were written"
    if let platform, let urls, let output, !paths.isEmpty {
      guard let packs = try PackOperands.resolved(input, console, otherwise: outcome) else {
        return .failed
      }
      return try creation(of: packs, for: platform, at: urls, output).run(console)
    }
    guard let project = try ProjectPublication(input, packs: paths, console, otherwise: outcome)
    else { return .failed }
    let urls = try project.urls(urls)
    var status = ExitStatus.done
    for (platform, path) in try project.manifests(for: platform, output: output) {
      let creation = try creation(of: project.packs, for: platform, at: urls, path)
      if try creation.run(console) != .done { status = .failed }
    }
    return status
  }

  private func creation(
    of packs: [String], for platform: Platform, at urls: PackURLs, _ output: String
  ) throws(PackError) -> ManifestCreation {
    let hasVersions = versions.contains { $0 != nil }
    guard !hasVersions || packs.count == versions.count else {
      throw PackError(
        .invalidValue,
        "a version is for one pack, and the operands are \(packs.count) packs",
        remedy: "specify the packs themselves")
    }
    return ManifestCreation(
      paths: packs, platform: platform, urls: urls,
      versions: hasVersions ? versions : Array(repeating: nil, count: packs.count),
      files: output == "-" ? nil : PublicationFiles(output), replaces: replaces,
      folder: folder.map { PublishedFolder($0, for: urls) }, memory: memory, format: format)
  }
}

/// Creates the manifest of one platform.
private struct ManifestCreation {
  let paths: [String]
  let platform: Platform
  let urls: PackURLs
  let versions: [Int?]
  /// nil is standard output.
  let files: PublicationFiles?
  let replaces: Bool
  let folder: PublishedFolder?
  let memory: UInt64
  let format: ReportFormat

  func run(_ console: Console) throws(PackError) -> ExitStatus {
    do throws(PackError) {
      let (archives, unreadable) = try [PublishedArchive].read(paths, memory: memory, console.work)
      guard unreadable.isEmpty else { return refuse(unreadable, console) }
      guard let files else { return try write(archives, console) }
      Leftovers.remove(beside: files.path, console)
      return try files.alone(console.work, waiting: { console.waiting(for: files.path) }) {
        () throws(PackError) in try publish(archives, files, console)
      }
    } catch {
      PublicationReport.refuse(error, files, to: console, as: format)
      throw error
    }
  }

  private func refuse(_ findings: Ledger, _ console: Console) -> ExitStatus {
    PublicationReport.refuse("No files were written", findings, files, to: console, as: format)
  }

  private func publish(
    _ archives: [PublishedArchive], _ files: PublicationFiles, _ console: Console
  ) throws(PackError) -> ExitStatus {
    if !replaces { try files.refuseExisting() }
    // The new manifest continues the versions of the replaced one, so that one must be readable.
    let before =
      replaces && files.exist ? try files.readManifest(allowingHTTP: true, console.work) : nil
    let record = try files.readRecord(console.work)
    var earlier = before?.findings ?? Ledger()
    if let record { earlier.add(contentsOf: record.findings) }
    guard !earlier.hasErrors else {
      let status = refuse(earlier, console)
      console.summary(
        "The new manifest must continue the versions in this file. Fix the file, or remove it "
          + "if it was never published.")
      return status
    }
    if let recorded = record?.record?.platform, recorded != platform {
      throw PackError(
        .wrongPlatform, "'\(files.path)' is for \(recorded.rawValue), not for \(platform.rawValue)",
        remedy: "each platform has a separate manifest; use another file with -o")
    }
    var publication = self.publication(archives, before?.manifest, record?.record, files.path)
    guard let text = publication.text() else { return refuse(publication.findings, console) }
    earlier.add(contentsOf: publication.findings)
    console.report(earlier, as: .text)
    let count = try folder?.copyArchives(of: publication, replacing: replaces, console.work)
    try files.write(text, publication.record, replacing: replaces, console.work)
    report(publication, count, hadRecord: record != nil, console)
    return .done
  }

  /// Writes the manifest to standard output, without a record.
  private func write(
    _ archives: [PublishedArchive], _ console: Console
  ) throws(PackError) -> ExitStatus {
    var publication = self.publication(archives, nil, nil, "<stdout>")
    guard let text = publication.text() else { return refuse(publication.findings, console) }
    console.report(publication.findings, as: .text)
    let count = try folder?.copyArchives(of: publication, replacing: replaces, console.work)
    console.result(bytes: text)
    report(publication, count, hadRecord: true, console)
    return .done
  }

  private func publication(
    _ archives: [PublishedArchive], _ before: DownloadManifest?, _ record: PublicationRecord?,
    _ name: String
  ) -> Publication {
    DownloadManifest.create(
      from: zip(archives, versions).map { (archive: $0, version: $1) }, for: platform, at: urls,
      replacing: before, record: record, named: name)
  }

  private func report(
    _ publication: Publication, _ copied: Int?, hadRecord: Bool, _ console: Console
  ) {
    if let folder, let copied {
      console.summary("Copied \(Quantity.count(copied, "pack")) to '\(folder.path)'.")
    }
    PublicationReport(
      publication, files, hadRecord: hadRecord, findings: publication.findings
    ).write(to: console, as: format)
  }
}
