import Arguments
import BAPackKit
import SourceDiagnostics
import TerminalText

/// `validate`: reports all problems of manifests before an upload.
struct ValidateCommand: Subcommand {
  private static let noFiles = Flag(
    "no-files", in: .input, "Check the manifests only, not their files.")
  private static let strict = Flag("strict", in: .check, "Fail on warnings.")
  private static let known = Option(
    "known-findings", .file("json"), called: "path", in: .check,
    "Do not report the findings in this record.",
    details: """
      A finding is known by its ID, file and message, also after changes of other lines. Of \
      several files in one finding, each is known separately. Only new findings determine the exit \
      status.
      """)
  private static let recorded = Option(
    "record-findings", .file("json"), called: "path", in: .output,
    "Record the findings as known.",
    details: """
      Replaces the record. The recorded findings do not cause exit status 1. The check must be \
      complete: all manifests of the project with their files. Errors are recorded only if the \
      project sets their severity or can lower them; other errors must be fixed first.
      """)
  private static let fix = Flag(
    "fix", in: .output, "Apply safe fixes and keep comments and layout.",
    details: "A manifest from standard input is written to standard output.")

  private static let unsafely = Flag(
    "unsafe", in: .output, "Also apply probable fixes (with '--fix' or '--diff').",
    details: "Check the result, because these fixes can change the meaning.")
  private static let diff = Flag(
    "diff", in: .output, "Print the changes of '--fix', write nothing.",
    details: "The format is that of 'diff -u'.")

  static let definition = Command(
    "validate", overview: "Check manifests and report errors with fixes.",
    discussion: [
      """
      Without manifests, the project file and its manifests are checked.
      """,
      """
      Budgets for files are checked. Budgets for archives are checked by 'pack', because the sizes \
      of archives are known only after packing.
      """,
      FindingsFormat.meaningOfJSON,
    ],
    [ManifestOptions.paths] + ManifestOptions.sources + [noFiles] + ProjectOptions.all
      + [ManifestOptions.hosting, ManifestOptions.primaryLanguage, strict] + FindingOptions.all
      + [known, recorded] + BudgetOptions.ofFiles + [
        fix, unsafely, diff, FindingsFormat.option, JUnitReport.option,
      ],
    exclusive: [
      [ManifestOptions.sourceRoot, noFiles], [ManifestOptions.filesFrom, noFiles],
      [recorded, fix], [recorded, diff], [recorded, noFiles],
      ManifestOptions.exclusiveSources, ProjectOptions.exclusive,
    ],
    dependent: ManifestOptions.dependentSources,
    examples: [
      Term("ba-package validate", "Check the project file and its manifests."),
      Term("ba-package validate Manifest.json --fix", "Apply safe fixes."),
      Term("ba-package validate Packs/*.json", "Check the packs of an app together."),
      Term(
        "ba-package validate Manifest.json --hosting apple --strict --format github",
        "Annotate a pull request."),
      Term(
        "ba-package validate --known-findings known.json",
        "Report only findings that are not recorded."),
    ],
    topics: ["selectors", "budgets", "project-file"])

  let input: ManifestOptions
  let checksFiles: Bool
  let isStrict: Bool
  let knownFile: String?
  let recordFile: String?
  let junit: String?
  let fixes: Bool
  let fixesUnsafely: Bool
  let showsDifference: Bool
  let format: FindingsFormat

  init(_ arguments: ParsedArguments) throws(UsageError) {
    let paths = arguments[ManifestOptions.paths]
    var input = ManifestOptions(arguments, operands: paths)
    BudgetOptions.addOfFiles(to: &input.project.settings, arguments)
    FindingOptions.add(to: &input.project.settings, arguments)
    self.input = input
    checksFiles = !arguments[Self.noFiles]
    isStrict = arguments[Self.strict]
    knownFile = arguments[Self.known]
    recordFile = arguments[Self.recorded]
    junit = arguments[JUnitReport.option]
    showsDifference = arguments[Self.diff]
    fixes = arguments[Self.fix] && !showsDifference
    fixesUnsafely = arguments[Self.unsafely]
    format = arguments[FindingsFormat.option]
    if fixesUnsafely, !fixes, !showsDifference {
      throw UsageError("'--unsafe' has no effect without '--fix' or '--diff'")
    }
    if showsDifference, format != .text {
      throw UsageError(
        "With '--diff' standard output is used for the diff, so '--format \(format.rawValue)' "
          + "cannot write its report")
    }
    if fixes, paths.contains("-"), format != .text {
      throw UsageError(
        "With '--fix' standard output is used for the manifest from '-', so '--format "
          + "\(format.rawValue)' cannot write its report")
    }
  }

  func run(_ console: Console) throws(PackError) -> ExitStatus {
    var fixes = fixes ? ManifestFixes(isUnsafe: fixesUnsafely, console) : nil
    if input.operands.isEmpty, let place = input.project.place { try fixes?.apply(to: place) }
    let opened = try input.opened(console, lookingForBaseline: input.operands.isEmpty)
    return try ValidateRun(settings: self, input: opened, console: console).run(after: fixes)
  }
}
