/// Writes one JSON object on a line for each finding, for programs.
///
/// Keys: `path`, `severity`, `id`, `message`; if the finding has a place, `line`, `column`,
/// `endLine`, `endColumn` (from 1, in Unicode scalars, the end is after the last one), `offset` and
/// `length` (in bytes); then `labels`, `notes` and `fixes`; and `count` if a finding stands for
/// several that were too many to list. A fix has `message`, `grade` (`safe`, `unsafe` or `shown`)
/// and `edits`, each with `offset`, `length` and `text`.
public struct JSONLinesRenderer: FindingsRenderer {
  /// Makes a renderer.
  public init() {}

  /// The text of all findings, each line with its end.
  public func render(_ ledger: Ledger) -> String {
    var output = ""
    for page in ledger.pages {
      for finding in page.findings {
        output += JSONWriter.string(Self.object(finding, in: page.source), .compact)
        output += "\n"
      }
    }
    return output
  }

  /// The objects of all findings, for reports that contain other things as well.
  package static func values(_ ledger: Ledger) -> [JSONValue] {
    ledger.pages.flatMap { page in page.findings.map { object($0, in: page.source) } }
  }

  private static func object(_ finding: Finding, in source: SourceText) -> JSONValue {
    var members: [JSONValue.Member] = [
      .init("path", .string(source.name)),
      .init("severity", .string(finding.severity.rawValue)),
      .init("id", .string(finding.id.name)),
      .init("message", .string(finding.message)),
    ]
    if finding.occurrences > 1 {
      members.append(.init("count", .integer(finding.occurrences)))
    }
    if let span = finding.span { members += place(span, in: source) }
    let labels = finding.labels.map { label in
      JSONValue.object(place(label.span, in: source) + [.init("text", .string(label.text))])
    }
    members.append(.init("labels", .array(labels)))
    members.append(.init("notes", .array(finding.notes.map { .string($0) })))
    members.append(.init("fixes", .array(finding.fixes.map(object))))
    return .object(members)
  }

  private static func place(_ span: SourceSpan, in source: SourceText) -> [JSONValue.Member] {
    let start = source.position(of: span.start)
    let end = source.position(of: span.end)
    return [
      .init("line", .integer(start.line)), .init("column", .integer(start.column)),
      .init("endLine", .integer(end.line)), .init("endColumn", .integer(end.column)),
      .init("offset", .integer(span.start)), .init("length", .integer(span.length)),
    ]
  }

  private static func object(_ fix: Fix) -> JSONValue {
    let grade =
      switch fix.grade {
      case .safe: "safe"
      case .unsafe: "unsafe"
      case .shownOnly: "shown"
      }
    let edits = fix.edits.map { edit in
      JSONValue.object([
        .init("offset", .integer(edit.span.start)), .init("length", .integer(edit.span.length)),
        .init("text", .string(edit.replacement)),
      ])
    }
    return .object([
      .init("message", .string(fix.message)), .init("grade", .string(grade)),
      .init("edits", .array(edits)),
    ])
  }
}
