import Arguments
import BAPackKit
import SourceDiagnostics

/// `validate`: everything that is wrong with manifests, before anything is uploaded.
struct ValidateCommand: Subcommand {
  private static let sourceRoot = Option(
    "source-root", .file(), called: "path",
    "Where selectors start from, instead of the manifest's 'sourceRoot'; a folder or an archive.")
  private static let noFiles = Flag(
    "no-files", "Check the text alone, and do not look for the files it selects.")
  private static let strict = Flag("strict", "Let warnings fail, too.")
  private static let fix = Flag(
    "fix", "Apply the safe fixes to the manifests, keeping comments and layout.")

  static let definition = Command(
    "validate", overview: "Reports every problem of manifests, with position, reason and fix.",
    [
      ManifestInput.paths, sourceRoot, noFiles, ManifestInput.hosting, strict, fix,
      FindingsFormat.option,
    ],
    exclusive: [[sourceRoot, noFiles]],
    examples: [
      Term("ba-package validate Packs/*.json", "Check the packs of an app together."),
      Term(
        "ba-package validate Manifest.json --hosting apple --strict --format github",
        "Annotate a pull request."),
    ])

  private let paths: [String]
  private let sourceRoot: String?
  private let input: ManifestInput
  private let checksFiles: Bool
  private let isStrict: Bool
  private let fixes: Bool
  private let format: FindingsFormat

  init(_ arguments: ParsedArguments) throws(UsageError) {
    paths = arguments[ManifestInput.paths]
    sourceRoot = arguments[Self.sourceRoot]
    input = ManifestInput(hosting: arguments[ManifestInput.hosting])
    checksFiles = !arguments[Self.noFiles]
    isStrict = arguments[Self.strict]
    fixes = arguments[Self.fix]
    format = arguments[FindingsFormat.option]
  }

  func run(_ console: Console) throws(PackError) -> ExitStatus {
    var findings: [Findings] = []
    for path in paths {
      let document = try input.read(path, console)
      findings.append(Findings(document.source, document.diagnostics))
    }
    console.report(findings, as: format)
    let failed = findings.count(.error) > 0 || isStrict && findings.count(.warning) > 0
    let manifests = Quantity.count(paths.count, "manifest")
    console.summary("\(manifests): \(findings.tally)")
    return failed ? .failed : .done
  }
}
