import Arguments
import BAPackKit
import SourceDiagnostics
import SystemIO

/// `unmanaged update`: updates a manifest with changed files.
struct UnmanagedUpdateCommand: Subcommand {
  private typealias Shared = UnmanagedOptions
  private static let prune = Flag(
    "prune", in: .output, "Remove entries without a file (default: keep them).")
  private static let managed = Option(
    "managed-output", .file("json"), called: "path", in: .output,
    "Also write a download manifest to this file.")

  static let definition = Command(
    "update", overview: "Update an unmanaged manifest from its files.",
    discussion: [
      """
      Unchanged files keep their entries. A changed file gets its new size and digest, the next \
      version, and a URL of the recorded or the given template; the URL changes if the template \
      has {version} or {sha256}. Policies are kept unless a pattern matches. The manifest is \
      never replaced partially.
      """
    ],
    [Shared.manifest, Shared.files, Shared.baseURL, Shared.urlTemplate]
      + [PublicationOptions.allowHTTP] + Shared.policies + [prune, managed],
    examples: [
      Term("ba-package unmanaged update manifest.json Assets", "Update changed files."),
      Term(
        "ba-package unmanaged update manifest.json Assets --prune",
        "Also remove entries of deleted files."),
    ])

  private let path: String
  private let paths: [String]
  private let urls: PackURLs?
  private let policies: UnmanagedPolicies.Checked
  private let excluded: [String]
  private let removesAbsent: Bool
  private let managed: String?
  private let allowsHTTP: Bool

  init(_ arguments: ParsedArguments) throws(UsageError) {
    path = try arguments.required(Shared.manifest)
    paths = arguments[Shared.files]
    urls = try Shared.urls(arguments)
    policies = try Shared.policies(arguments)
    excluded = arguments[Shared.exclude]
    removesAbsent = arguments[Self.prune]
    managed = arguments[Self.managed]
    allowsHTTP = arguments[PublicationOptions.allowHTTP]
  }

  func run(_ console: Console) throws(PackError) -> ExitStatus {
    let refusal = "No files were changed"
    guard
      var manifest = try Shared.manifest(path, allowingHTTP: true, orElse: refusal, console)
    else { return .failed }
    guard
      let files = try Shared.files(
        paths, excluding: excluded, leavingOut: [path] + (managed.map { [$0] } ?? []), console)
    else { return .failed }
    let template = if let urls { urls } else { try recorded(manifest) }
    let changes = manifest.update(
      with: files.files, at: template, removingAbsent: removesAbsent, policies)
    let own = Shared.text(of: manifest, as: .unmanaged, named: path, orElse: refusal, console)
    guard let own else { return .failed }
    if let managed {
      let text = Shared.text(of: manifest, as: .managed, named: managed, orElse: refusal, console)
      guard let text else { return .failed }
      try replace(managed, by: text)
    }
    try replace(path, by: own)
    report(changes, console)
    return .done
  }

  private func recorded(_ manifest: UnmanagedManifest) throws(PackError) -> PackURLs {
    guard let template = manifest.urlTemplate else {
      throw PackError(
        .missing, "'\(path)' has no URL of the files",
        remedy: "specify it with --base-url or --url-template")
    }
    return try PackURLs(
      base: nil, template: template, allowingHTTP: true,
      placeholders: PackURLs.Placeholder.ofFiles)
  }

  /// Replaces a file atomically; a file with the same text is unchanged.
  private func replace(_ path: String, by text: [UInt8]) throws(PackError) {
    try mapFailure(.publishing) { () throws(Failure) in
      if (try? FileStatus(ofFileAt: path)) == nil {
        let file = try AtomicFile(path)
        try file.write(text)
        try file.publish()
      } else {
        let file = try FileRewrite(path)
        if try file.contents(atMost: text.count + 1) != text { try file.replace(by: text) }
      }
    }
  }

  private func report(_ changes: UnmanagedManifest.Changes, _ console: Console) {
    func report(_ what: String, _ files: [PackID]) {
      for file in files { console.detail("\(what) '\(file)'") }
    }
    report("added", changes.added)
    report("changed", changes.changed)
    report("removed", changes.removed)
    report("kept (file not given)", changes.absent)
    report("changed the download policy of", changes.rescheduled)
    if let first = changes.atSameAddress.first {
      let others = changes.atSameAddress.count - 1
      let subject = "'\(first)' changed but keeps its URL"
      let subjects = "'\(first)' and \(others) more changed but keep their URLs"
      console.warning(
        (others == 0 ? subject : subjects)
          + ": devices with the old manifest download the new bytes and reject them. Use a "
          + "template with {sha256} or {version}")
    }
    console.summary(
      "\(path): \(changes.added.count) added, \(changes.changed.count) changed, "
        + "\(changes.removed.count) removed, \(changes.absent.count) kept (file not given)"
        + (changes.rescheduled.isEmpty
          ? "." : "; \(changes.rescheduled.count) with a changed download policy."))
  }
}
