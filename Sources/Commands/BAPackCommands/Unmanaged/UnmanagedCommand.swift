import Arguments
import BAPackKit
import SourceDiagnostics
import SystemIO

/// `unmanaged`: creates the files on a server for an app that downloads assets without the system.
struct UnmanagedCommand: Subcommand {
  static let subcommands: [any Subcommand.Type] = [
    UnmanagedCreateCommand.self, UnmanagedUpdateCommand.self, UnmanagedCheckCommand.self,
    UnmanagedInfoPlistCommand.self, UnmanagedSwiftCommand.self,
  ]

  static let definition = Command(
    "unmanaged",
    overview: "Manage manifests of downloader extensions.",
    discussion: [
      """
      For an app with its own 'BADownloaderExtension'. The manifest is a JSON file that lists \
      every file with its URL, size, SHA-256 digest and policy. Upload the files first and the \
      manifest last.
      """,
      """
      'ba-package schema --for \(DocumentName.unmanaged.rawValue)' describes the manifest. \
      Essential files are first, the others are sorted by identifier.
      """,
    ],
    subcommands: subcommands.map { $0.definition })

  init(_ arguments: ParsedArguments) throws(UsageError) { throw .missingSubcommand }

  func run(_ console: Console) throws(PackError) -> ExitStatus { .usage }
}

/// Options that the commands share.
enum UnmanagedOptions {
  static let files = ArgumentList(
    "file", .file(), "Files and folders of assets.",
    details: """
      The identifier of a file is its name, or its path below the given folder.
      """)
  static let manifest = Argument("manifest", .file("json"), "The unmanaged manifest.")
  static let baseURL = Option(
    "base-url", .text, called: "url", in: .address, "Set the URL of the folder with the files.",
    details: "The URL of a file is the base URL, a slash and its path, unless there is a template.")
  static let urlTemplate = Option(
    "url-template", .text, called: "template", in: .address,
    "Set the form of URLs, for example '{base}/{path}'.",
    details: """
      {base} is the base URL and {file} the file name; {path}, {version} and {sha256} belong to \
      the file. A template that does not start with {base} or https:// follows the base URL.
      """)
  static let essential = RepeatableOption(
    "essential", .text, called: "pattern", in: .manifest,
    "Download matching files during installation; repeatable.",
    details: "A path, or a pattern as in 'fileExclusion'. The app opens afterwards.")
  static let onDemand = RepeatableOption(
    "on-demand", .text, called: "pattern", in: .manifest,
    "Download matching files only on request; repeatable.")
  static let exclude = RepeatableOption(
    "exclude", .text, called: "pattern", in: .manifest, "Ignore matching files; repeatable.",
    details: "A pattern as in 'fileExclusion'.")
  static let events = OptionList<InstallationEvent>(
    "installation-event-types", .choice, called: "event", in: .manifest,
    "Download files with these installations (default: all).",
    details: "Files on demand are not affected.")
  static let policies: [any TypedParameter] = [essential, onDemand, events, exclude]

  static func policies(
    _ arguments: ParsedArguments
  ) throws(UsageError) -> UnmanagedPolicies.Checked {
    var policies = UnmanagedPolicies()
    policies.essential = arguments[essential]
    policies.onDemand = arguments[onDemand]
    let chosen = Set(arguments[events])
    if !chosen.isEmpty { policies.events = chosen }
    do throws(PackError) {
      return try policies.checked()
    } catch {
      throw UsageError(error)
    }
  }

  /// Returns the form of the addresses; nil if no option specifies it.
  static func urls(_ arguments: ParsedArguments) throws(UsageError) -> PackURLs? {
    let base = arguments[baseURL]
    let template = arguments[urlTemplate]
    guard base != nil || template != nil else { return nil }
    do throws(PackError) {
      return try PackURLs(
        base: base, template: template, allowingHTTP: arguments[PublicationOptions.allowHTTP],
        placeholders: PackURLs.Placeholder.ofFiles)
    } catch {
      throw UsageError(error)
    }
  }

  /// Reads a manifest; errors in its text are findings.
  static func read(
    _ path: String, allowingHTTP: Bool, _ work: Work
  ) throws(PackError) -> UnmanagedDocument {
    let bytes = try mapFailure(.reading) { () throws(Failure) in
      try FileDescriptor.open(path, for: .waiting(work))
        .readToEnd(atMost: UnmanagedDocument.largest + 1)
    }
    return UnmanagedDocument(parsing: bytes, named: path, allowingHTTP: allowingHTTP)
  }

  /// Reads a manifest and reports its findings; nil after errors, with `refusal` printed.
  static func manifest(
    _ path: String, allowingHTTP: Bool, orElse refusal: String, _ console: Console
  ) throws(PackError) -> UnmanagedManifest? {
    let document = try read(path, allowingHTTP: allowingHTTP, console.work)
    console.report(document.findings, as: .text, of: RuleCatalogue.rules(of: .publishing))
    if document.manifest == nil { _ = console.reportFailure(refusal, document.findings) }
    return document.manifest
  }

  /// Returns the text of a manifest and its form; nil, with an error, if it cannot be read again.
  static func text(
    of manifest: UnmanagedManifest, as form: Form, named name: String, orElse refusal: String,
    _ console: Console
  ) -> [UInt8]? {
    let text = form == .managed ? manifest.managed.json() : manifest.json()
    let findings =
      switch form {
      case .managed:
        DownloadManifestDocument(parsing: text, named: name, allowingHTTP: true).findings
      case .unmanaged: UnmanagedDocument(parsing: text, named: name, allowingHTTP: true).findings
      }
    console.report(findings, as: .text, of: RuleCatalogue.rules(of: .publishing))
    guard findings.hasErrors else { return text }
    _ = console.reportFailure(refusal, findings)
    return nil
  }

  /// The form of a text.
  enum Form: String, Sendable, CaseIterable {
    case unmanaged, managed
  }

  /// Finds and reads files and reports findings; nil after errors.
  static func files(
    _ paths: [String], excluding patterns: [String], leavingOut outputs: [String],
    _ console: Console
  ) throws(PackError) -> UnmanagedFiles? {
    Interrupt.install()
    let files = try UnmanagedFiles(
      reading: paths.map { FilePath($0) }, excluding: patterns, leavingOut: outputs,
      console.work)
    console.report(files.findings, as: .text, of: RuleCatalogue.all)
    guard !files.findings.hasErrors else {
      _ = console.reportFailure("No files were written", files.findings)
      return nil
    }
    return files
  }
}
