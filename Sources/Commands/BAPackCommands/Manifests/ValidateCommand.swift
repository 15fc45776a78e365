import Arguments
import BAPackKit
import Glibc
import SourceDiagnostics
import SystemIO
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
    [ManifestInput.paths] + ManifestInput.sources + [noFiles] + ProjectOptions.all
      + [ManifestInput.hosting, ManifestInput.primaryLanguage, strict] + FindingOptions.all
      + [known, recorded] + BudgetOptions.ofFiles + [
        fix, unsafely, diff, FindingsFormat.option, JUnitReport.option,
      ],
    exclusive: [
      [ManifestInput.sourceRoot, noFiles], [ManifestInput.filesFrom, noFiles],
      [recorded, fix], [recorded, diff], [recorded, noFiles],
      ManifestInput.exclusiveSources, ProjectOptions.exclusive,
    ],
    dependent: ManifestInput.dependentSources,
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

  private var input: ManifestInput
  private let checksFiles: Bool
  private let isStrict: Bool
  private let knownFile: String?
  private let recordFile: String?
  private let junit: String?
  private let fixes: Bool
  private let fixesUnsafely: Bool
  private let showsDifference: Bool
  private let format: FindingsFormat

  init(_ arguments: ParsedArguments) throws(UsageError) {
    let paths = arguments[ManifestInput.paths]
    input = ManifestInput(arguments, operands: paths)
    BudgetOptions.addOfFiles(to: &input.run.settings, arguments)
    FindingOptions.add(to: &input.run.settings, arguments)
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
    var command = self
    let applied = fixes ? try fixProject(console) : 0
    command.input = try input.opened(console, lookingForBaseline: input.operands.isEmpty)
    return try command.check(console, applied: applied)
  }

  /// Checks the manifests and reports the findings.
  ///
  /// `applied` is the number of fixes that were applied to the project file.
  private func check(_ console: Console, applied: Int) throws(PackError) -> ExitStatus {
    let known = try knownFile.map { path throws(PackError) in try KnownFindings.read(at: path) }
    var applied = applied
    var isWhole = true
    var project = try input.project(input.paths, console)
    input.addBudgets(to: &project)
    var documents: [ManifestDocument] = []
    let inputs = project.inputs(saying: console)
    // Once for each folder, because removing them lists the folder.
    if fixes { Leftovers.remove(from: inputs.compactMap(\.folder), console) }
    for input in inputs {
      console.detail(input.name)
      do throws(PackError) {
        documents.append(try read(input, of: project, counting: &applied, console))
      } catch {
        if error.kind == .interrupted { throw error }
        isWhole = false
        if self.input.isReported(error) { continue }
        documents.append(ManifestDocument(unreadable: error, named: input.name))
      }
    }
    // If the files cannot be examined, the texts are checked nevertheless.
    let checked = try project.check(documents, lookingAtFiles: checksFiles, console.work)
    let sawFiles = checked.failures.isEmpty
    isWhole = isWhole && sawFiles
    var findings = input.run.findings
    findings.add(contentsOf: checked.report.findings)
    if input.operands.isEmpty, checksFiles, isWhole {
      CheckedRules.addUnused(input.run.policy, for: input.hosting, into: &findings)
    }
    console.report(open: checked.openBudgets, atEnd: false)
    let knownHint = try passOver(known, &findings, isWhole: isWhole, console)
    let failed =
      !isWhole || findings.hasErrors || isStrict && findings.count(.warning) > 0
    if let junit {
      try JUnitReport(
        of: findings, failingFrom: isStrict ? .warning : .error,
        place: Checkout(console.environment).path
      ).write(to: junit)
    }
    let corrected = findings.safeFixCount
    let fixHint =
      fixes
      ? findings.decisions.map { "; \(applied) fixed, \($0)" } ?? ""
      : corrected > 0 ? "; '--fix' fixes \(corrected)" : ""
    let subject =
      (input.run.document.map { "'\($0.place.path)' and " } ?? "")
      + Quantity.count(documents.count, "manifest") + (sawFiles ? "" : ", not fully checked")
    console.conclude(
      findings, about: subject, failed: failed,
      hint: knownHint + fixHint
        + (input.run.findings.hasErrors && !input.operands.isEmpty ? ProjectRun.wayAround : ""),
      as: format, for: input.hosting, under: input.run.policy, isWhole: isWhole,
      isStrict: isStrict)
    return failed ? .failed : .done
  }

  /// Removes the known findings and records new ones; returns a hint for the last line.
  private func passOver(
    _ known: KnownFindings?, _ findings: inout Ledger, isWhole: Bool, _ console: Console
  ) throws(PackError) -> String {
    if let recordFile {
      let record = KnownFindings(of: findings, at: recordFile)
      if let reason = try reasonAgainst(record, replacing: recordFile, findings, isWhole, console) {
        console.report(findings, as: .text)
        throw PackError(
          .conflict, "no findings were recorded, because \(reason.text)", remedy: reason.remedy)
      }
      try record.write(to: recordFile, console.work)
      _ = record.remove(from: &findings, at: recordFile, isWhole: true)
      console.summary(
        "Recorded \(Quantity.count(record.count, "finding")) in '\(recordFile)'.")
    }
    guard let known, let knownFile else { return "" }
    let (passed, fixed) = known.remove(
      from: &findings, at: knownFile, isWhole: isWhole && checksFiles && input.operands.isEmpty)
    if recordFile == nil, checksFiles, fixed > 0 {
      console.summary(
        "\(Quantity.count(fixed, "known finding")) no longer \(fixed == 1 ? "occurs" : "occur"); "
          + "'--record-findings' updates the record")
    }
    return passed == 0 ? "" : ", \(Quantity.count(passed, "known finding"))"
  }

  /// Returns why the check is not complete, so that a record would lack findings; nil if it is
  /// complete.
  private func reasonAgainst(
    _ record: KnownFindings, replacing path: String, _ findings: Ledger, _ isWhole: Bool,
    _ console: Console
  ) throws(PackError) -> (text: String, remedy: Remedy)? {
    let project = try input.project(input.paths, console)
    if input.isPart(project) {
      return (
        "only some of the project's manifests were checked",
        .advice("check all of them: 'ba-package validate --record-findings \(path)'")
      )
    }
    guard isWhole else {
      return ("some files could not be checked", .advice("correct the paths or permissions first"))
    }
    if findings.contains(where: \.mustStayError) {
      return (
        "manifests or the project file have errors, and are not checked completely",
        .advice("fix the errors first")
      )
    }
    let lost = try KnownFindings.readExisting(at: path)?.files(missingIn: findings, at: path) ?? []
    guard let first = lost.first else { return nil }
    return (
      "the record has findings of '\(first)', which was not checked",
      .advice("check all manifests of the record, or delete the record")
    )
  }

  private func read(
    _ input: Project.Input, of project: Project, counting applied: inout Int, _ console: Console
  ) throws(PackError) -> ManifestDocument {
    if fixes { return try fix(input, counting: &applied, console) }
    let document = try project.document(of: input, console.work)
    if showsDifference {
      let text = document.source
      let corrected = fixed(text.bytes, text.name).0.source.bytes
      console.result(bytes: UnifiedDiff.render(text.bytes, corrected, named: text.name))
    }
    return document
  }

  /// Applies the fixes of the project file, writes it back, and returns their number.
  private func fixProject(_ console: Console) throws(PackError) -> Int {
    guard let place = input.run.place, input.operands.isEmpty else { return 0 }
    // The owner and the permissions are checked first.
    _ = try ProjectDocument(reading: place, as: console.projectOwner, console.work)
    Leftovers.remove(beside: place.path, console)
    do throws(Failure) {
      let file = try FileRewrite(place.path)
      let (text, applied) = ProjectDocument.fixed(
        try file.contents(atMost: ManifestDocument.readingLimit), unsafe: fixesUnsafely)
      if applied > 0 { try file.replace(by: text) }
      report(applied, place.path, console)
      return applied
    } catch {
      throw PackError(error, while: .rewriting)
    }
  }

  /// Applies the fixes of a manifest and writes it back.
  private func fix(
    _ input: Project.Input, counting total: inout Int, _ console: Console
  ) throws(PackError) -> ManifestDocument {
    let path: String
    switch input {
    case .path(let given): path = given.text
    case .text(let bytes, let name):
      let (document, applied) = fixed(bytes, name)
      // Only the beginning of a text that is too large was read; writing it would truncate the
      // file.
      if bytes.count < ManifestDocument.readingLimit {
        console.result(bytes: document.source.bytes)
      }
      report(applied, name, console)
      total += applied
      return document
    }
    do throws(Failure) {
      let file = try FileRewrite(path)
      let bytes = try file.contents(atMost: ManifestDocument.readingLimit)
      let (document, applied) = fixed(bytes, path)
      if applied > 0 { try file.replace(by: document.source.bytes) }
      report(applied, path, console)
      total += applied
      return document
    } catch {
      switch error.code {
      case EISDIR: return ManifestDocument(folderNamed: path)
      case ENOENT: throw PackError(error, remedy: .startFromTemplate)
      case FileRewrite.notRegular:
        throw PackError(
          error, remedy: "use '--fix -' to fix standard input and print the result")
      default: throw PackError(error, while: .rewriting)
      }
    }
  }

  private func fixed(_ bytes: [UInt8], _ name: String) -> (ManifestDocument, applied: Int) {
    ManifestDocument.fixed(bytes, named: name, for: input.hosting, unsafe: fixesUnsafely)
  }

  private func report(_ applied: Int, _ name: String, _ console: Console) {
    guard applied > 0 else { return }
    console.summary("Fixed \(Quantity.count(applied, "problem")) in '\(name)'.")
  }
}

extension Project.Input {
  /// The folder of the manifest; nil for a text.
  fileprivate var folder: String? {
    switch self {
    case .path(let path): OutputPlace(path.text).folder
    case .text: nil
    }
  }
}
