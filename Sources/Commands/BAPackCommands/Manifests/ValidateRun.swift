import Arguments
import BAPackKit
import SourceDiagnostics
import SystemIO
import TerminalText

/// One run of `validate`, after the project file is read.
struct ValidateRun {
  let settings: ValidateCommand
  let input: ManifestInput
  let console: Console

  /// Checks the manifests and reports the findings.
  ///
  /// `fixes` are those of the project file, if fixes are applied.
  func run(after fixes: ManifestFixes?) throws(PackError) -> ExitStatus {
    let known = try settings.knownFile.map { path throws(PackError) in
      try KnownFindings.read(at: path)
    }
    var fixes = fixes
    var isWhole = true
    var project = try input.project(input.paths, console)
    input.addBudgets(to: &project)
    var documents: [ManifestDocument] = []
    let inputs = project.inputs(saying: console)
    // Once for each folder, because removing them lists the folder.
    if fixes != nil { Leftovers.remove(from: inputs.compactMap(\.folder), console) }
    for input in inputs {
      console.detail(input.name)
      do throws(PackError) {
        documents.append(try read(input, of: project, &fixes))
      } catch {
        if error.kind == .interrupted { throw error }
        isWhole = false
        if self.input.isReported(error) { continue }
        documents.append(ManifestDocument(unreadable: error, named: input.name))
      }
    }
    // If the files cannot be examined, the texts are checked nevertheless.
    let checked = try project.check(documents, lookingAtFiles: settings.checksFiles, console.work)
    let sawFiles = checked.failures.isEmpty
    isWhole = isWhole && sawFiles
    var findings = input.run.findings
    findings.add(contentsOf: checked.report.findings)
    if input.operands.isEmpty, settings.checksFiles, isWhole {
      CheckedRules.addUnused(input.run.policy, for: input.hosting, into: &findings)
    }
    console.report(open: checked.openBudgets, atEnd: false)
    let knownHint = try passOver(known, &findings, isWhole: isWhole)
    let failed =
      !isWhole || findings.hasErrors || settings.isStrict && findings.count(.warning) > 0
    if let junit = settings.junit {
      try JUnitReport(
        of: findings, failingFrom: settings.isStrict ? .warning : .error,
        place: Checkout(console.environment).path
      ).write(to: junit)
    }
    let corrected = findings.safeFixCount
    let fixHint =
      fixes.map { fixes in
        findings.decisions.map { "; \(fixes.applied) fixed, \($0)" } ?? ""
      } ?? (corrected > 0 ? "; '--fix' fixes \(corrected)" : "")
    let file = documents.isEmpty ? input.run.document?.place.path : nil
    let subject =
      file.map { "'\($0)'" }
      ?? (input.run.document.map { "'\($0.place.path)' and " } ?? "")
      + Quantity.count(documents.count, "manifest") + (sawFiles ? "" : ", not fully checked")
    console.conclude(
      findings, about: subject, failed: failed,
      hint: (file == nil ? "" : "; no manifest was checked") + knownHint + fixHint
        + (input.run.findings.hasErrors && !input.operands.isEmpty ? ProjectRun.wayAround : ""),
      as: settings.format, for: input.hosting, under: input.run.policy, isWhole: isWhole,
      isStrict: settings.isStrict)
    return failed ? .failed : .done
  }

  /// Removes the known findings and records new ones; returns a hint for the last line.
  private func passOver(
    _ known: KnownFindings?, _ findings: inout Ledger, isWhole: Bool
  ) throws(PackError) -> String {
    if let recordFile = settings.recordFile {
      let record = KnownFindings(of: findings, at: recordFile)
      if let reason = try reasonAgainst(record, replacing: recordFile, findings, isWhole) {
        console.report(findings, as: .text)
        throw PackError(
          .conflict, "no findings were recorded, because \(reason.text)", remedy: reason.remedy)
      }
      try record.write(to: recordFile, console.work)
      _ = record.remove(from: &findings, at: recordFile, isWhole: true)
      console.summary(
        "Recorded \(Quantity.count(record.count, "finding")) in '\(recordFile)'.")
    }
    guard let known, let knownFile = settings.knownFile else { return "" }
    let (passed, fixed) = known.remove(
      from: &findings, at: knownFile,
      isWhole: isWhole && settings.checksFiles && input.operands.isEmpty)
    if settings.recordFile == nil, settings.checksFiles, fixed > 0 {
      console.summary(
        "\(Quantity.count(fixed, "known finding")) no longer \(fixed == 1 ? "occurs" : "occur"); "
          + "'--record-findings' updates the record")
    }
    return passed == 0 ? "" : ", \(Quantity.count(passed, "known finding"))"
  }

  /// Returns why the check is not complete, so that a record would lack findings; nil if it is
  /// complete.
  private func reasonAgainst(
    _ record: KnownFindings, replacing path: String, _ findings: Ledger, _ isWhole: Bool
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
    _ input: Project.Input, of project: Project, _ fixes: inout ManifestFixes?
  ) throws(PackError) -> ManifestDocument {
    if let document = try fixes?.apply(to: input, for: self.input.hosting) { return document }
    let document = try project.document(of: input, console.work)
    if settings.showsDifference {
      let text = document.source
      let corrected = ManifestDocument.fixed(
        text.bytes, named: text.name, for: self.input.hosting, unsafe: settings.fixesUnsafely
      ).0.source.bytes
      console.result(bytes: UnifiedDiff.render(text.bytes, corrected, named: text.name))
    }
    return document
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
