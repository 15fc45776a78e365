import SourceDiagnostics
import SystemIO

/// Combines an XcodeGen spec with the specs that it includes.
///
/// Only files in the project's folder are opened. Values of an included spec have the place of the
/// entry that includes it.
struct XcodeGenIncludes {
  private let folder: ResourceFolder
  private var findings: Ledger
  private var count = 0
  private var isTooMuch = false

  /// The maximum number of included specs, directly and indirectly.
  static let most = 200

  /// Returns the spec with all included specs.
  ///
  /// Paths are relative to the project's folder.
  static func resolved(
    _ spec: PlacedValue, in folder: ResourceFolder, into findings: inout Ledger
  ) -> PlacedValue {
    var includes = XcodeGenIncludes(folder: folder, findings: findings)
    let whole = includes.resolve(spec, Surroundings())
    findings = includes.findings
    return whole
  }

  private init(folder: ResourceFolder, findings: Ledger) {
    self.folder = folder
    self.findings = findings
  }

  /// The location of a spec, and the entry that includes it.
  private struct Surroundings {
    /// The folder to which the path in the including entry is relative.
    var root = FilePath("")
    /// The folder in that path; empty with `relativePaths: false`.
    var relative = FilePath("")
    /// The folder to which the paths of the spec's sources are relative.
    var base = FilePath("")
    /// The entry of the first spec that leads to this one.
    var span: SourceSpan?
    /// The chain of including specs.
    var open: [FilePath] = []
  }

  private mutating func resolve(_ spec: PlacedValue, _ around: Surroundings) -> PlacedValue {
    let own = Self.rebased(spec, from: around.base).without("include")
    guard let include = spec["include"] else { return own }
    let entries = if case .array(let entries) = include.kind { entries } else { [include] }
    var whole: PlacedValue?
    for entry in entries where entry.kind != .null {
      guard let other = read(entry, around) else { continue }
      whole = whole.map { Self.merged($0, other) } ?? other
    }
    return whole.map { Self.merged($0, own) } ?? own
  }

  /// Reads the spec that an entry includes; returns nil and reports a finding if it is not read.
  private mutating func read(_ entry: PlacedValue, _ around: Surroundings) -> PlacedValue? {
    let span = around.span ?? entry.span
    guard let text = (entry["path"] ?? entry).text else {
      return leaveOut("an entry names no spec", at: span)
    }
    let isEnabled = entry["enable"]?.text ?? "YES"
    guard !Self.off.contains(isEnabled) else { return nil }
    guard !text.contains("${"), !isEnabled.contains("${") else {
      return leaveOut("'\(path: text)' is not included: its entry contains a variable", at: span)
    }
    let isRelative = !Self.off.contains(entry["relativePaths"]?.text ?? "YES")
    // With 'relativePaths: false', the paths of nested includes are relative to the same folder
    // as before.
    let root = isRelative ? around.root.appending(around.relative) : around.root
    let place = root.appending(FilePath(text)).withoutWaysBack
    guard let path = folder.path(of: .project(place)), !FilePath(text).isAbsolute else {
      findings.add(OnDemandRules.spec(includingOutside: text, at: span))
      return nil
    }
    guard !around.open.contains(path) else {
      return leaveOut("'\(path: text)' includes itself", at: span)
    }
    guard count < Self.most else {
      if !isTooMuch {
        isTooMuch = true
        _ = leaveOut("the spec includes more than \(Self.most) specs", at: span)
      }
      return nil
    }
    count += 1
    guard let source = folder.text(path) else {
      return leaveOut("'\(path: text)' does not exist or cannot be read", at: span)
    }
    var found = Ledger()
    let value = XcodeGenSpec.value(of: source, into: &found)
    findings.add(contentsOf: found)
    guard let value else { return nil }
    var next = around
    next.root = root
    next.relative = isRelative ? FilePath(text).folder : FilePath("")
    next.base = around.base.appending(next.relative).withoutWaysBack
    next.span = span
    next.open.append(path)
    return resolve(value.placed(at: span), next)
  }

  /// The values that disable a key.
  private static let off: Set = ["NO", "false", "0"]

  private mutating func leaveOut(_ phrase: Finding.Message, at span: SourceSpan) -> PlacedValue? {
    findings.add(OnDemandRules.spec(phrase, at: span))
    return nil
  }

  // MARK: Values

  /// Returns a spec whose source paths are relative to the project's folder.
  private static func rebased(_ spec: PlacedValue, from base: FilePath) -> PlacedValue {
    guard !base.components.isEmpty else { return spec }
    func path(_ value: PlacedValue) -> PlacedValue {
      guard let text = value.text, !text.contains("${"), !FilePath(text).isAbsolute else {
        return value
      }
      return PlacedValue(.string(base.appending(FilePath(text)).text), at: value.span)
    }
    func source(_ value: PlacedValue) -> PlacedValue {
      value.text != nil ? path(value) : value.changing("path", path)
    }
    func sources(_ value: PlacedValue) -> PlacedValue {
      guard case .array(let elements) = value.kind else { return source(value) }
      return PlacedValue(.array(elements.map(source)), at: value.span)
    }
    func each(
      _ value: PlacedValue, _ change: (PlacedValue) -> PlacedValue
    ) -> PlacedValue {
      guard case .dictionary(let members) = value.kind else { return value }
      return PlacedValue(
        .dictionary(
          members.map { .init(key: $0.key, keySpan: $0.keySpan, value: change($0.value)) }),
        at: value.span)
    }
    func settingsFiles(_ value: PlacedValue) -> PlacedValue { each(value, path) }
    func targets(_ value: PlacedValue) -> PlacedValue {
      each(value) { target in
        ["sources", "sources:REPLACE"].reduce(target) { $0.changing($1, sources) }
          .changing("configFiles", settingsFiles)
      }
    }
    return spec.changing("targets", targets).changing("targetTemplates", targets)
      .changing("configFiles", settingsFiles)
  }

  /// Returns two specs merged: lists are concatenated, and other values are those of the second
  /// spec.
  static func merged(_ first: PlacedValue, _ second: PlacedValue) -> PlacedValue {
    switch (first.kind, second.kind) {
    case (.dictionary(var members), .dictionary(let others)):
      for other in others {
        let isReplacing = other.key.hasSuffix(":REPLACE")
        let key = isReplacing ? String(other.key.dropLast(":REPLACE".count)) : other.key
        guard let index = members.lastIndex(where: { $0.key == key }) else {
          members.append(.init(key: key, keySpan: other.keySpan, value: other.value))
          continue
        }
        members[index].value =
          isReplacing ? other.value : merged(members[index].value, other.value)
      }
      return PlacedValue(.dictionary(members), at: second.span)
    case (.array(let elements), .array(let others)):
      return PlacedValue(.array(elements + others), at: second.span)
    default: return second
    }
  }
}

extension PlacedValue {
  /// Returns the value without a key.
  fileprivate func without(_ key: String) -> PlacedValue {
    guard case .dictionary(let members) = kind else { return self }
    return PlacedValue(.dictionary(members.filter { $0.key != key }), at: span)
  }

  /// Returns the value with the value of one key changed.
  fileprivate func changing(
    _ key: String, _ change: (PlacedValue) -> PlacedValue
  ) -> PlacedValue {
    guard case .dictionary(var members) = kind else { return self }
    for index in members.indices where members[index].key == key {
      members[index].value = change(members[index].value)
    }
    return PlacedValue(.dictionary(members), at: span)
  }

  /// Returns the value with variables such as `${name}` replaced.
  func replacing(_ values: [String: String]) -> PlacedValue {
    switch kind {
    case .string(let text) where text.contains("${"):
      PlacedValue(
        .string(values.reduce(text) { $0.replacing("${\($1.key)}", with: $1.value) }), at: span)
    case .array(let elements): PlacedValue(.array(elements.map { $0.replacing(values) }), at: span)
    case .dictionary(let members):
      PlacedValue(
        .dictionary(
          members.map {
            .init(key: $0.key, keySpan: $0.keySpan, value: $0.value.replacing(values))
          }), at: span)
    default: self
    }
  }

  /// Returns the value with all places set to one place.
  fileprivate func placed(at span: SourceSpan) -> PlacedValue {
    switch kind {
    case .array(let elements):
      PlacedValue(.array(elements.map { $0.placed(at: span) }), at: span)
    case .dictionary(let members):
      PlacedValue(
        .dictionary(
          members.map { .init(key: $0.key, keySpan: span, value: $0.value.placed(at: span)) }),
        at: span)
    default: PlacedValue(kind, at: span)
    }
  }
}
