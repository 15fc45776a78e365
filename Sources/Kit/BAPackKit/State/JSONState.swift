package import SourceDiagnostics
package import SystemIO

/// A JSON document with a member `format`.
///
/// The format number is checked first: a newer format is reported even if the rest of the file is
/// damaged. The number may be a JSON number, a string, or the last word of a string.
package protocol JSONStateDocument: StateDocument {
  /// The format that this version writes, and the newest format that it reads.
  static var format: Int { get }
  /// The value of the member `format` in files that this version writes.
  static var writtenFormat: JSONValue { get }
  static var layout: JSONWriter.Layout { get }

  /// Reads the members of a document in a supported format.
  init(_ root: JSONNode, format: Int) throws(StateFault)

  /// The members after `format`.
  var members: [JSONValue.Member] { get }
}

extension JSONStateDocument {
  package static var writtenFormat: JSONValue { .integer(format) }
  package static var layout: JSONWriter.Layout { .indented }

  package static func read(
    _ bytes: [UInt8], named name: String
  ) throws(StateFault) -> StateReading<Self> {
    var limits = JSONLimits()
    limits.size = largest
    let json = JSONDocument(parsing: SourceText(bytes, named: name), limits: limits)
    let written = json.root?[formatKey.name].flatMap(StateFormat.number)
    if let written, written > format { throw .newer(format: written) }
    if let fault = StateFault(json.findings) { throw fault }
    guard let root = json.root, root.kind == .object else { throw .damaged("it is not an object") }
    guard let written, written >= 1 else {
      throw .damaged("'\(formatKey.name)' is missing, or is not a format number")
    }
    return StateReading(try Self(root, format: written), isCurrent: written == format)
  }

  package func encoded() throws(Failure) -> [UInt8] {
    let format = JSONValue.Member(Self.formatKey.name, Self.writtenFormat)
    return JSONWriter.bytes(.object([format] + members), Self.layout)
  }

  /// The member for the format, before the others.
  fileprivate static var formatKey: JSONKey {
    let shape: JSONShape =
      if case .string(let text) = writtenFormat { .word([text]) } else {
        .integer(in: format...format)
      }
    return JSONKey("format", shape, "The format of the file.")
  }
}

extension JSONStateDocument where Self: Described {
  package init(_ root: JSONNode, format: Int) throws(StateFault) {
    var findings = Ledger(about: root.document.source)
    let document = Self.table.read(root, into: &findings)
    if let fault = StateFault(findings) { throw fault }
    guard let document else { throw .damaged("it is not \(Self.table.noun)") }
    self = document
  }

  package var members: [JSONValue.Member] { Self.table.members(of: self) }

  /// The members of the file, with `format`.
  package static var jsonShape: JSONRecord {
    var record = table.record
    record.keys.insert(formatKey, at: 0)
    return record
  }
}

/// The member `format` of a document.
private enum StateFormat {
  static func number(_ node: JSONNode) -> Int? {
    let text = node.number ?? node.string?.split(separator: " ").last.map { String($0) }
    return text.flatMap { Int($0) }
  }
}

extension StateFault {
  /// The first error in a text; nil if there is none.
  package init?(_ findings: Ledger) {
    for page in findings.pages {
      guard let first = page.findings.first(where: { $0.severity == .error }) else { continue }
      let place = first.span.map { "line \(page.source.position(of: $0.start).line): " } ?? ""
      self = .damaged(place + first.message)
      return
    }
    return nil
  }
}
