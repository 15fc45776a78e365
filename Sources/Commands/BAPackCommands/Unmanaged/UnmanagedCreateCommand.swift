import Arguments
import BAPackKit
import SourceDiagnostics
import SystemIO
import TerminalText

/// `unmanaged create`: creates a manifest for files.
struct UnmanagedCreateCommand: Subcommand {
  private typealias Shared = UnmanagedOptions
  private typealias Form = UnmanagedOptions.Form
  private static let form = DefaultedOption<Form>(
    "format", called: "format", in: .output, default: .unmanaged, "Set the format of the manifest.",
    details: """
      'managed' is a download manifest, which Apple's 'BAAssetPackManifest' also reads in \
      a downloader extension. It has no digests, and '-' instead of '/' in IDs.
      """)

  static let definition = Command(
    "create", overview: "Create an unmanaged manifest of files and folders.",
    discussion: [
      """
      Equal files give equal bytes; their order does not matter. Files that are neither essential \
      nor on demand are downloaded in the background, with every installation or with those of \
      '--installation-event-types'.
      """
    ],
    [Shared.files, Shared.baseURL, Shared.urlTemplate, PublicationOptions.allowHTTP]
      + Shared.policies + [TextOutput.path, TextOutput.force, form],
    dependent: [TextOutput.forceNeedsPath],
    examples: [
      Term(
        """
        ba-package unmanaged create Assets --base-url https://downloads.example.com/assets \
        --essential Levels/tutorial.json -o manifest.json
        """, "Create the manifest of a folder."),
      Term(
        """
        ba-package unmanaged create Assets --url-template \
        https://cdn.example.com/{sha256}/{path} -o manifest.json
        """, "Use URLs that change with the contents."),
    ])

  private let paths: [String]
  private let urls: PackURLs
  private let policies: UnmanagedPolicies.Checked
  private let excluded: [String]
  private let form: Form
  private let output: TextOutput

  init(_ arguments: ParsedArguments) throws(UsageError) {
    paths = arguments[Shared.files]
    guard let urls = try Shared.urls(arguments) else {
      throw UsageError(
        "Missing URL of the files",
        hint: "use '--base-url <url>' or '--url-template <template>'")
    }
    self.urls = urls
    policies = try Shared.policies(arguments)
    excluded = arguments[Shared.exclude]
    form = arguments[Self.form]
    output = TextOutput(arguments)
  }

  func run(_ console: Console) throws(PackError) -> ExitStatus {
    guard
      let files = try Shared.files(
        paths, excluding: excluded, leavingOut: output.path.map { [$0] } ?? [], console)
    else { return .failed }
    if let pattern = policies.unmatched(in: files.files).first {
      throw PackError(
        .missing, "no file matches the pattern '\(pattern)'",
        remedy: "specify paths relative to the given folder")
    }
    let manifest = UnmanagedManifest(of: files.files, at: urls, policies)
    let text = Shared.text(
      of: manifest, as: form, named: output.path ?? "<stdout>", orElse: "No files were written",
      console)
    guard let text else { return .failed }
    try output.write(text, console)
    console.summary(
      "\(Quantity.count(manifest.assets.count, "file")), "
        + "\(manifest.plan.offered.size.download) bytes.")
    return .done
  }
}
