import BAPackKit
package import SourceDiagnostics

/// A run of a scenario: the events of each step, and the result of each expectation.
package struct ScenarioRun: Sendable {
  /// A line that was run.
  package struct RunLine: Sendable {
    /// The line in the scenario.
    package let line: ScenarioDocument.Line
    /// The events; empty for an expectation.
    package let events: [Event]
    /// Whether an expectation is met; nil for a step.
    package let isMet: Bool?
    /// The actual result, if an expectation is not met.
    package let instead: String?
    /// The reason why the step failed; nil if it succeeded or the scenario expects the failure.
    package let failure: String?
  }

  /// The scenario.
  package let scenario: ScenarioDocument
  /// The lines in their order.
  package private(set) var moments: [RunLine] = []
  /// The device at the end.
  package private(set) var state: DeviceState
  /// The errors in the scenario, and its failed expectations.
  package private(set) var findings: Ledger
  private let source: ReleaseSource
  private var history = ScenarioHistory()
  private var audit: ScenarioAudit

  /// Runs a scenario.
  ///
  /// `releases` are the releases that the scenario names; their pack IDs are used. `unread`
  /// contains the numbers of the releases that are on servers, or that cannot be read.
  package init(
    _ scenario: ScenarioDocument, from state: DeviceState, in source: ReleaseSource,
    releases: [Release], unread: Set<Int> = []
  ) {
    self.scenario = scenario
    self.state = state
    self.source = source
    findings = scenario.findings
    findings.turn(to: scenario.source)
    audit = ScenarioAudit(scenario, from: state, releases: releases, unread: unread)
    // A scenario with errors is not run, because later results would be meaningless.
    guard !findings.hasErrors else { return }
    for (index, line) in scenario.lines.enumerated() {
      switch line.action {
      case .step(let step): play(step, at: index, line)
      case .expect(let expectation): check(expectation, at: line)
      }
    }
    audit.finish(self.state, in: source, &findings)
  }

  private mutating func play(_ step: Step, at index: Int, _ line: ScenarioDocument.Line) {
    let before = state
    let (after, events) = before.after(step, in: source)
    state = after
    let failure = failure(of: step, events)
    history.add(step, events, failed: failure != nil)
    let isExpected = failure != nil && scenario.expectsNoApp(after: index)
    if let failure, !isExpected {
      findings.add(ScenarioRules.installation(.init(whole: failure), at: line.span))
    }
    for case .ignored(let reason) in events.map(\.kind) where failure == nil {
      findings.add(ScenarioRules.noEffect(.init(whole: reason), at: line.span))
    }
    audit.note(index, before, after, events, failed: failure != nil)
    moments.append(
      RunLine(
        line: line, events: events, isMet: nil, instead: nil, failure: isExpected ? nil : failure))
  }

  private mutating func check(_ expectation: Expectation, at line: ScenarioDocument.Line) {
    let outcome = ExpectationCheck(state, history, in: source).outcome(of: expectation)
    if let instead = outcome.instead {
      findings.add(
        ScenarioRules.expectation(
          "'\(scenario.source.text(of: line.span))' failed", .init(whole: instead),
          at: line.span,
          notes: outcome.rules.map { rule in
            .init(whole: "\(rule.isDocumented ? "" : "? ")\(rule.statement)")
          }))
    }
    moments.append(
      RunLine(
        line: line, events: [], isMet: outcome.instead == nil, instead: outcome.instead,
        failure: nil))
  }

  /// Returns the reason why a step did not install or update the app.
  ///
  /// The result is nil if the step succeeded or has another purpose.
  private func failure(of step: Step, _ events: [Event]) -> String? {
    let what: String
    switch step {
    case .install: what = "the app is not installed: "
    case .updateApp: what = "the app is not updated: "
    case .device, .release, .submit, .uninstall, .launch, .request, .cancel, .checkForUpdates,
      .read, .deviceLanguage, .setLanguage, .reconcile, .refuse, .remove, .wait, .online, .offline,
      .allow, .fault, .status:
      return nil
    }
    var reason = ""
    for event in events {
      switch event.kind {
      case .manifestFailed(let why): reason = "no manifest: \(why)"
      case .failed(let id, let why): reason = "'\(id.text)': \(why.phrase)"
      case .appFailed(let why): return what + (reason.isEmpty ? why : reason)
      case .ignored where step == .updateApp: return what + "it is not installed"
      case .manifest, .language, .downloaded, .present, .olderOnServer, .removed, .obsolete,
        .waiting, .appReady, .launched, .found, .status, .polled, .pollingEnded, .localLanguages,
        .disk, .ignored, .noted:
        break
      }
    }
    return nil
  }
}
