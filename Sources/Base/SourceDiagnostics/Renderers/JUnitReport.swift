import TerminalText

/// A JUnit report, which CI systems show as the results of tests.
///
/// Names are exact. In messages and details, names are escaped as on a terminal.
package struct JUnitReport: Sendable {
  /// A group of cases.
  package struct Suite: Sendable {
    package var name: String
    package var cases: [Case]
    /// A text that is not the result of a case.
    package var output: String?

    package init(_ name: String, _ cases: [Case], output: String? = nil) {
      self.name = name
      self.cases = cases
      self.output = output
    }
  }

  /// A case and its result.
  package struct Case: Sendable {
    package var name: String
    package var result: Result

    package init(_ name: String, _ result: Result = .passed) {
      self.name = name
      self.result = result
    }
  }

  /// The result of a case.
  package enum Result: Sendable {
    case passed
    /// The expectation of the case is not met.
    case failure(String, details: String? = nil)
    /// The case could not be examined.
    case error(String, details: String? = nil)
  }

  package var suites: [Suite]

  package init(_ suites: [Suite]) { self.suites = suites }

  package var text: String {
    let lines =
      [#"<?xml version="1.0" encoding="UTF-8"?>"#, "<testsuites>"] + suites.flatMap(\.lines)
      + ["</testsuites>", ""]
    return lines.joined(separator: "\n")
  }
}

extension JUnitReport {
  /// Creates a report with a suite for each text.
  ///
  /// A suite has a case for each finding of at least this severity, which is a failure. Without
  /// such findings, it has one case, which passes. Other findings are its output.
  package init(
    of findings: Ledger, failingFrom least: Finding.Severity, place: (String) -> String
  ) {
    suites = findings.pages.map { page in
      let name = page.source.name.isEmpty ? "ba-package" : place(page.source.name)
      var cases: [Case] = []
      var output = ""
      for finding in page.findings {
        var details = ""
        LineRenderer().render(finding, in: page.source, to: &details)
        if finding.severity < least {
          output += details
          continue
        }
        let line = finding.span.map { page.source.position(of: $0.start).line }
        cases.append(
          Case(
            (line.map { "line \($0): " } ?? "") + finding.id.name,
            .failure(finding.message, details: details)))
      }
      return Suite(
        name, cases.isEmpty ? [Case("no findings")] : cases, output: output.isEmpty ? nil : output)
    }
  }
}

extension JUnitReport.Suite {
  fileprivate var lines: [String] {
    let failures = cases.count { if case .failure = $0.result { true } else { false } }
    let errors = cases.count { if case .error = $0.result { true } else { false } }
    var lines = [
      "  <testsuite name=\"\(inXMLAttribute(name))\" tests=\"\(cases.count)\" "
        + "failures=\"\(failures)\" errors=\"\(errors)\">"
    ]
    for item in cases {
      let head =
        "    <testcase classname=\"\(inXMLAttribute(name))\" "
        + "name=\"\(inXMLAttribute(item.name))\""
      switch item.result {
      case .passed: lines.append(head + "/>")
      case .failure(let message, let details):
        lines += [head + ">", Self.line("failure", message, details), "    </testcase>"]
      case .error(let message, let details):
        lines += [head + ">", Self.line("error", message, details), "    </testcase>"]
      }
    }
    if let output { lines.append("    <system-out>\(inXML(output))</system-out>") }
    return lines + ["  </testsuite>"]
  }

  private static func line(_ tag: String, _ message: String, _ details: String?) -> String {
    let head = "      <\(tag) message=\"\(inXMLAttribute(message))\""
    return details.map { "\(head)>\(inXML($0))</\(tag)>" } ?? head + "/>"
  }
}
