import DeviceSimulator
import SourceDiagnostics

/// The properties of any bytes that are read as a scenario.
package enum ScenarioProperties {
  /// Returns the violated property: the bytes are read, every place is inside the text, and a
  /// scenario without errors can be run.
  package static func violation(in bytes: [UInt8]) -> String? {
    let document = ScenarioDocument(parsing: bytes, named: "t", hasRelease: true)
    for finding in document.findings {
      guard let span = finding.span, span.start <= span.end, span.end <= bytes.count else {
        return "places are inside the text"
      }
      if finding.message.utf8.contains(where: { $0 < 0x20 }) { return "messages are one line" }
    }
    for line in document.lines where line.span.end > bytes.count {
      return "lines are inside the text"
    }
    var state = DeviceState()
    state.publish(0)
    let releases = document.releases.map { Release($0.paths.joined(), []) }
    let run = ScenarioRun(document, from: state, in: ReleaseSource(releases), releases: releases)
    let isWhole = !document.findings.hasErrors
    if run.moments.count != (isWhole ? document.lines.count : 0) {
      return "all lines are run, or none"
    }
    if ScenarioRun.table.bytes(of: run).isEmpty || ScenarioRun.junit(of: [run]).text.isEmpty {
      return "it can be reported"
    }
    return nil
  }
}
