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
    overview: "Makes and checks manifests for apps that download by themselves.",
    discussion: [
      """
      An app with a 'BADownloaderExtension' of its own reads a manifest of its own: here a JSON \
      text that names every file with its address, its exact size, its SHA-256, and when it comes. \
      Serve the files first and the manifest last.
      """,
      """
      The text is one object: 'format' (1), 'urlTemplate', and 'assets', those that are essential \
      first and then by identifier, each with 'identifier' (its path), 'url', 'fileSize' in bytes, \
      'sha256', 'version' (from 0, rises whenever the file changes), 'essential', and \
      'installationEventTypes', which is empty for what comes when the app asks.
      """,
    ],
    subcommands: subcommands.map { $0.definition })

  init(_ arguments: ParsedArguments) throws(UsageError) { throw .missingSubcommand }

  func run(_ console: Console) throws(PackError) -> ExitStatus { .usage }
}

/// Options that the commands share.
enum UnmanagedOptions {
  static let files = ArgumentList(
    "file", .file(),
    "A file, known by its name, or a folder, whose files are known by their paths below it.")
  static let manifest = Argument("manifest", .file("json"), "The unmanaged manifest.")
  static let baseURL = Option(
    "base-url", .text, called: "url",
    "Where the files are served: the URL of a file is this, a slash and its path.")
  static let urlTemplate = Option(
    "url-template", .text, called: "template",
    """
    Another form of URL, with {base}, {path}, {file} (the name alone), {version} and {sha256}; \
    behind the base URL unless it begins with {base} or https://.
    """)
  static let essential = RepeatableOption(
    "essential", .text, called: "pattern",
    "Files that the app waits for: a path, or a pattern as in 'fileExclusion'.")
  static let onDemand = RepeatableOption(
    "on-demand", .text, called: "pattern", "Files that come when the app asks.")
  static let exclude = RepeatableOption(
    "exclude", .text, called: "pattern", "Files that are no assets, as in 'fileExclusion'.")
  static let events = OptionList<InstallationEvent>(
    "installation-event-types", .choice, called: "event",
    "The installations with which files come that are not on demand; both when left out.")
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

  /// The form of the addresses; nil if no option specifies it.
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

  /// The text of a manifest and its form; nil, with an error, if it cannot be read again.
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
