/// Writes a Code Quality report of GitLab, which shows the findings in merge requests.
package struct GitLabRenderer: FindingsRenderer {
  private let place: (String) -> String
  private let fingerprint: (String) -> String

  /// Creates a renderer.
  ///
  /// GitLab finds a file by its path relative to the root of the repository. `place` returns this
  /// path for the name of a text. `fingerprint` returns a hash of a text. GitLab compares the
  /// fingerprints of two reports, so they do not depend on the lines of findings.
  package init(
    place: @escaping (String) -> String, fingerprint: @escaping (String) -> String
  ) {
    self.place = place
    self.fingerprint = fingerprint
  }

  /// Returns the whole report.
  package func render(_ ledger: Ledger) -> String {
    var numbers: [FindingIdentity: Int] = [:]
    var issues: [JSONValue] = []
    for page in ledger.pages {
      let path = page.source.name.isEmpty ? "." : place(page.source.name)
      for finding in page.findings {
        let identity = FindingIdentity(finding, at: path)
        let number = numbers[identity, default: 0]
        numbers[identity] = number + 1
        issues.append(issue(finding, identity, number, in: page.source))
      }
    }
    return JSONWriter.string(.array(issues))
  }

  private func issue(
    _ finding: Finding, _ identity: FindingIdentity, _ number: Int, in source: SourceText
  ) -> JSONValue {
    let severity =
      switch finding.severity {
      case .error: "major"
      case .warning: "minor"
      case .note: "info"
      }
    // NUL is in none of these texts.
    let parts = [identity.id, identity.path, identity.message, "\(number)"]
    return .object([
      .init("description", .string(finding.message)),
      .init("check_name", .string(finding.id.name)),
      .init("fingerprint", .string(fingerprint(parts.joined(separator: "\0")))),
      .init("severity", .string(severity)),
      .init(
        "location",
        .object([
          .init("path", .string(identity.path)),
          .init(
            "lines",
            .object([
              .init(
                "begin",
                .integer(finding.span.map { source.position(of: $0.start).line } ?? 1))
            ])),
        ])),
    ])
  }
}
