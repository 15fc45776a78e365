import TerminalText

/// Writes a SARIF 2.1.0 log, which code scanning services read.
public struct SARIFRenderer: FindingsRenderer {
  /// The texts of a rule in a log.
  public struct RuleText: Sendable {
    /// The stable name.
    public var id: Finding.ID
    /// The severity of its findings, unless a finding has another one.
    public var level: Finding.Severity
    /// The problem, in one sentence.
    public var summary: String
    /// The reason why it matters.
    public var reason: String
    /// The whole explanation.
    public var help: String
    /// The address of its explanation, if there is one.
    public var address: String?
    /// The level that the user sets for its findings; nil for the usual one.
    public var override: Override?

    /// A level that the user sets.
    public enum Override: Sendable {
      /// The findings are not reported.
      case off
      /// The findings have this severity.
      case level(Finding.Severity)
    }

    /// Creates the texts of a rule.
    public init(
      id: Finding.ID, level: Finding.Severity, summary: String, reason: String, help: String,
      address: String?, override: Override? = nil
    ) {
      self.id = id
      self.level = level
      self.summary = summary
      self.reason = reason
      self.help = help
      self.address = address
      self.override = override
    }
  }

  private let tool: String
  private let version: String
  private let rules: [RuleText]
  private let numbers: [Finding.ID: Int]
  private let isWhole: Bool
  private let place: (String) -> String

  /// Creates a renderer for a tool, its version and its rules.
  ///
  /// `isWhole` is true if all of the input could be checked. `place` returns the path that a
  /// service uses for a text.
  public init(
    tool: String, version: String, rules: [RuleText], isWhole: Bool = true,
    place: @escaping (String) -> String = { $0 }
  ) {
    self.isWhole = isWhole
    self.place = place
    self.tool = tool
    self.version = version
    self.rules = rules
    numbers = Dictionary(
      rules.enumerated().map { ($0.element.id, $0.offset) }, uniquingKeysWith: { first, _ in first }
    )
  }

  /// Returns the whole log.
  public func render(_ ledger: Ledger) -> String {
    let driver = JSONValue.object([
      .init("name", .string(tool)), .init("version", .string(version)),
      .init("rules", .array(rules.map(description))),
    ])
    let results = ledger.pages.flatMap { page in
      let uri = Self.reference(to: place(page.source.name))
      return page.findings.map { result($0, in: page.source, at: uri) }
    }
    let run = JSONValue.object([
      .init("tool", .object([.init("driver", driver)])),
      .init("invocations", .array([invocation])),
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

  private var invocation: JSONValue {
    let overrides = rules.enumerated().compactMap { number, rule -> JSONValue? in
      let configuration: JSONValue.Member
      switch rule.override {
      case nil: return nil
      case .off: configuration = .init("enabled", .bool(false))
      case .level(let severity): configuration = .init("level", .string(severity.rawValue))
      }
      return .object([
        .init(
          "descriptor",
          .object([.init("id", .string(rule.id.name)), .init("index", .integer(number))])),
        .init("configuration", .object([configuration])),
      ])
    }
    var members: [JSONValue.Member] = [.init("executionSuccessful", .bool(isWhole))]
    if !overrides.isEmpty {
      members.append(.init("ruleConfigurationOverrides", .array(overrides)))
    }
    return .object(members)
  }

  private func description(_ rule: RuleText) -> JSONValue {
    .object(
      [
        .init("id", .string(rule.id.name)),
        .init("shortDescription", Self.message(rule.summary)),
        .init("fullDescription", Self.message("\(rule.summary) \(rule.reason)")),
        .init("help", Self.message(rule.help)),
      ] + (rule.address.map { [.init("helpUri", .string($0))] } ?? []) + [
        .init("defaultConfiguration", .object([.init("level", .string(rule.level.rawValue))]))
      ])
  }

  private func result(
    _ finding: Finding, in source: SourceText, at uri: String
  ) -> JSONValue {
    let text = ([finding.message] + finding.notes).joined(separator: "\n")
    var members: [JSONValue.Member] = [.init("ruleId", .string(finding.id.name))]
    if let number = numbers[finding.id] { members.append(.init("ruleIndex", .integer(number))) }
    members += [
      .init("level", .string(finding.severity.rawValue)),
      .init("message", Self.message(text)),
      .init(
        "locations",
        .array(source.name.isEmpty ? [] : [Self.location(finding.span, in: source, at: uri)])),
    ]
    if finding.occurrences > 1 {
      members.append(.init("occurrenceCount", .integer(finding.occurrences)))
    }
    if !finding.labels.isEmpty {
      let related = finding.labels.map {
        Self.location($0.span, in: source, at: uri, text: $0.text)
      }
      members.append(.init("relatedLocations", .array(related)))
    }
    let fixes = finding.fixes.filter { !$0.edits.isEmpty }
    if !fixes.isEmpty {
      members.append(.init("fixes", .array(fixes.map { Self.fix($0, in: source, at: uri) })))
    }
    return .object(members)
  }

  private static func message(_ text: String) -> JSONValue {
    .object([.init("text", .string(text))])
  }

  private static func location(
    _ span: SourceSpan?, in source: SourceText, at uri: String, text: String? = nil
  ) -> JSONValue {
    var place: [JSONValue.Member] = [.init("artifactLocation", artifact(uri))]
    if let span { place.append(.init("region", region(span, in: source))) }
    var members: [JSONValue.Member] = [.init("physicalLocation", .object(place))]
    if let text { members.append(.init("message", message(text))) }
    return .object(members)
  }

  private static func artifact(_ uri: String) -> JSONValue {
    .object([.init("uri", .string(uri))])
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

  private static func fix(_ fix: Fix, in source: SourceText, at uri: String) -> JSONValue {
    let replacements = fix.edits.map { edit in
      JSONValue.object([
        .init("deletedRegion", region(edit.span, in: source)),
        .init("insertedContent", message(edit.replacement)),
      ])
    }
    let change = JSONValue.object([
      .init("artifactLocation", artifact(uri)), .init("replacements", .array(replacements)),
    ])
    return .object([
      .init("description", message(fix.message)), .init("artifactChanges", .array([change])),
    ])
  }

  /// Returns a path as a URI reference; characters that a URI cannot contain are percent-encoded.
  private static func reference(to path: String) -> String {
    (path.hasPrefix("/") ? "file://" : "") + percentEncoded(path.utf8, keeping: "/")
  }
}
