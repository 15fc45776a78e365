/// Writes a line with one JSON object for each finding, for programs.
///
/// The table of `ReportedFinding` describes the members.
public struct JSONLinesRenderer: FindingsRenderer {
  /// Creates a renderer.
  public init() {}

  /// Returns the text of all findings; each line, also the last, ends with a line feed.
  public func render(_ ledger: Ledger) -> String {
    var output = ""
    for finding in ledger.reported {
      output += JSONWriter.string(ReportedFinding.table.value(of: finding), .compact)
      output += "\n"
    }
    return output
  }

  /// Returns the objects of all findings, for reports that also contain other objects.
  package static func values(_ ledger: Ledger) -> [JSONValue] {
    ledger.reported.map { ReportedFinding.table.value(of: $0) }
  }
}

extension Ledger {
  /// All findings as programs read them.
  package var reported: [ReportedFinding] {
    pages.flatMap { page in page.findings.map { ReportedFinding($0, in: page.source) } }
  }
}

/// A finding as programs read it.
package struct ReportedFinding: Described {
  private let finding: Finding
  private let source: String
  private let place: Position?
  private let labels: [Label]

  init(_ finding: Finding, in source: SourceText) {
    self.finding = finding
    self.source = source.name
    place = finding.span.map { Position($0, in: source) }
    labels = finding.labels.map { Label(place: Position($0.span, in: source), text: $0.text) }
  }

  package static let table = Table<Self>(written: "a finding") {
    Key("path", written: \.source, .text, "The path of the file.")
    Key("severity", written: \.finding.severity, .word, "The severity.")
    Key("id", written: \.finding.id.name, .text, "The ID of the rule, for 'explain'.")
    Key("message", written: \.finding.message, .text, "The problem.")
    Key(
      "count", written: { $0.finding.occurrences > 1 ? $0.finding.occurrences : nil }, .count,
      "The number of findings that this one represents, if there are several.")
    // A finding about the whole file has no position.
    Key(members: Position.table.record.keys.map(\.asOptional)) { finding, members in
      if let place = finding.place { members += Position.table.members(of: place) }
    }
    Key("labels", written: \.labels, .list(of: .object), "Related positions in the file.")
    Key("notes", written: \.finding.notes, .list(of: .text), "Explanations.")
    Key("fixes", written: \.finding.fixes, .list(of: .object(fix)), "The possible corrections.")
  }

  private static let fix = Table<Fix>(written: "a fix") {
    Key("message", written: \.message, .text, "The description of the correction.")
    Key(
      "grade", written: \.grade, .grade(shownOnly: "shown"),
      "Whether it is automatic: 'safe' keeps the meaning, 'unsafe' is probably correct.")
    Key("edits", written: \.edits, .list(of: .object(edit)), "The changes of the text.")
  }

  private static let edit = Table<Fix.Edit>(written: "an edit") {
    Key("offset", written: \.span.start, .count, "The offset of the replaced text in bytes.")
    Key("length", written: \.span.length, .count, "The length of the replaced text in bytes.")
    Key("text", written: \.replacement, .text, "The new text.")
  }

  /// A position in a text.
  private struct Position: Described {
    let span: SourceSpan
    let start: SourceText.Position
    let end: SourceText.Position

    init(_ span: SourceSpan, in source: SourceText) {
      self.span = span
      start = source.position(of: span.start)
      end = source.position(of: span.end)
    }

    static let table = Table<Self>(written: "a position") {
      Key("line", written: \.start.line, .count, "The first line, from 1.")
      Key("column", written: \.start.column, .count, "The first column in characters, from 1.")
      Key("endLine", written: \.end.line, .count, "The line of the end.")
      Key("endColumn", written: \.end.column, .count, "The column after the last character.")
      Key("offset", written: \.span.start, .count, "The offset in bytes.")
      Key("length", written: \.span.length, .count, "The length in bytes.")
    }
  }

  private struct Label: Described {
    let place: Position
    let text: String

    static let table = Table<Self>(written: "a label") {
      Key(inlined: \.place, of: Position.table)
      Key("text", written: \.text, .text, "The relation to the finding.")
    }
  }
}

extension JSONForm<Fix.Grade> {
  /// Returns the form of a fix's grade: whether a program may apply it.
  ///
  /// - Parameter word: The value for fixes that only the user can apply.
  package static func grade(shownOnly word: String) -> JSONForm {
    JSONForm(
      .word(["safe", "unsafe", word]),
      write: { grade in
        switch grade {
        case .safe: .string("safe")
        case .unsafe: .string("unsafe")
        case .shownOnly: .string(word)
        }
      }, reading: nil)
  }
}
