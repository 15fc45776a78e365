package import SourceDiagnostics
package import Testing

/// Checks the table of a document with a sample: each property survives writing and reading.
///
/// Each stored property of the sample must differ from the value of an empty object. So a key that
/// is missing from the table, or that writes another property, is found. Properties in `unwritten`
/// are not in the document.
package func expectRoundTrip<Subject: Described>(
  _ sample: Subject, unwritten: Set<String> = [],
  at location: SourceLocation = #_sourceLocation
) throws {
  let table = Subject.table
  let makeBlank = try #require(table.blank, "is only written", sourceLocation: location)
  let blank = makeBlank()
  let bytes = table.bytes(of: sample)
  let text = SourceText(bytes, named: "sample")
  var findings = Ledger(about: text)
  let root = try #require(JSONDocument(parsing: text).root, sourceLocation: location)
  let read = try #require(
    table.read(root, into: &findings), "\(findings.all)", sourceLocation: location)
  #expect(findings.isEmpty, "\(findings.all)", sourceLocation: location)
  #expect(table.bytes(of: read) == bytes, sourceLocation: location)
  for ((before, after), start) in zip(
    zip(Mirror(reflecting: sample).children, Mirror(reflecting: read).children),
    Mirror(reflecting: blank).children)
  {
    let name = before.label ?? ""
    if unwritten.contains(name) { continue }
    #expect(
      "\(before.value)" != "\(start.value)", "the sample does not set '\(name)'",
      sourceLocation: location)
    #expect(
      // Sets and dictionaries have no order.
      "\(before.value)".utf8.sorted() == "\(after.value)".utf8.sorted(), "'\(name)' is not read",
      sourceLocation: location)
  }
}
