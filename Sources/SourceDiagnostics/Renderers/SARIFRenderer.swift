/// A SARIF 2.1.0 log, which code scanning services read.
public struct SARIFRenderer {
  /// What a log says about a rule.
  public struct RuleText: Sendable {
    /// The stable name.
    public var id: Diagnostic.ID
    /// What is found, in one sentence.
    public var summary: String
    /// The whole explanation.
    public var help: String

    /// Describes a rule.
    public init(id: Diagnostic.ID, summary: String, help: String) {
      self.id = id
      self.summary = summary
      self.help = help
    }
  }

  private let tool: String
  private let version: String
  private let rules: [RuleText]
  private let numbers: [Diagnostic.ID: Int]

  /// Speaks for a tool, its version and its rules.
  public init(tool: String, version: String, rules: [RuleText]) {
    self.tool = tool
    self.version = version
    self.rules = rules
    numbers = Dictionary(
      rules.enumerated().map { ($0.element.id, $0.offset) }, uniquingKeysWith: { first, _ in first }
    )
  }

  /// The whole log.
  public func render(_ findings: [Findings]) -> String {
    let driver = JSONValue.object([
      .init("name", .string(tool)), .init("version", .string(version)),
      .init("rules", .array(rules.map(description))),
    ])
    let results = findings.flatMap { group in
      group.diagnostics.map { result($0, in: group.source) }
    }
    let run = JSONValue.object([
      .init("tool", .object([.init("driver", driver)])),
      .init("columnKind", .string("unicodeCodePoints")),
      .init("results", .array(results)),
    ])
    return JSONWriter.string(
      .object([
        .init("$schema", .string("https://json.schemastore.org/sarif-2.1.0.json")),
        .init("version", .string("2.1.0")),
        .init("runs", .array([run])),
      ]))
  }

  private func description(_ rule: RuleText) -> JSONValue {
    .object([
      .init("id", .string(rule.id.name)),
      .init("shortDescription", Self.message(rule.summary)),
      .init("help", Self.message(rule.help)),
    ])
  }

  private func result(_ diagnostic: Diagnostic, in source: SourceText) -> JSONValue {
    let text = ([diagnostic.message] + diagnostic.notes).joined(separator: "\n")
    var members: [JSONValue.Member] = [.init("ruleId", .string(diagnostic.id.name))]
    if let number = numbers[diagnostic.id] { members.append(.init("ruleIndex", .integer(number))) }
    members += [
      .init("level", .string(diagnostic.severity.rawValue)),
      .init("message", Self.message(text)),
      .init("locations", .array([Self.location(diagnostic.span, in: source)])),
    ]
    if !diagnostic.labels.isEmpty {
      let related = diagnostic.labels.map { Self.location($0.span, in: source, text: $0.text) }
      members.append(.init("relatedLocations", .array(related)))
    }
    let fixes = diagnostic.fixes.filter { !$0.edits.isEmpty }
    if !fixes.isEmpty {
      members.append(.init("fixes", .array(fixes.map { Self.fix($0, in: source) })))
    }
    return .object(members)
  }

  private static func message(_ text: String) -> JSONValue {
    .object([.init("text", .string(text))])
  }

  private static func location(
    _ span: SourceSpan?, in source: SourceText, text: String? = nil
  ) -> JSONValue {
    var place: [JSONValue.Member] = [.init("artifactLocation", artifact(source))]
    if let span { place.append(.init("region", region(span, in: source))) }
    var members: [JSONValue.Member] = [.init("physicalLocation", .object(place))]
    if let text { members.append(.init("message", message(text))) }
    return .object(members)
  }

  private static func artifact(_ source: SourceText) -> JSONValue {
    .object([.init("uri", .string(reference(to: source.name)))])
  }

  private static func region(_ span: SourceSpan, in source: SourceText) -> JSONValue {
    let start = source.position(of: span.start)
    let end = source.position(of: span.end)
    return .object([
      .init("startLine", .integer(start.line)), .init("startColumn", .integer(start.column)),
      .init("endLine", .integer(end.line)), .init("endColumn", .integer(end.column)),
      .init("byteOffset", .integer(span.start)), .init("byteLength", .integer(span.length)),
    ])
  }

  private static func fix(_ fix: Fix, in source: SourceText) -> JSONValue {
    let replacements = fix.edits.map { edit in
      JSONValue.object([
        .init("deletedRegion", region(edit.span, in: source)),
        .init("insertedContent", message(edit.replacement)),
      ])
    }
    let change = JSONValue.object([
      .init("artifactLocation", artifact(source)), .init("replacements", .array(replacements)),
    ])
    return .object([
      .init("description", message(fix.message)), .init("artifactChanges", .array([change])),
    ])
  }

  /// A path as a URI reference: what may not stand there is written in hexadecimal.
  private static func reference(to path: String) -> String {
    var result = path.hasPrefix("/") ? "file://" : ""
    for byte in path.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
        UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: "/"):
        result.unicodeScalars.append(UnicodeScalar(byte))
      default:
        let digits = String(byte, radix: 16, uppercase: true)
        result += digits.utf8.count == 1 ? "%0\(digits)" : "%\(digits)"
      }
    }
    return result
  }
}
