import SourceDiagnostics
import SystemIO

extension ProjectKeys {
  static let findings: ProjectKey = ProjectKey(
    "findings", \.value.findings,
    JSONForm(
      .either([
        .values(of: .word(levels)),
        .array(of: .object([findingID, findingPaths, findingManifests, findingLevel, reason])),
      ]),
      write: write, reading: read),
    "The severities of findings by ID, or a list of exceptions.",
    details: [
      "The severities are 'off', 'note', 'warning' and 'error'. An ID can be a pattern such as "
        + "'packs.*', and an ID without wildcards has priority.",
      "In a list, an entry can apply to 'paths' in packs and to 'manifests' (paths relative to the "
        + "folder of this file), has a 'reason', and later entries have priority.",
      "Only some errors can be lowered. 'verify' ignores the severities.",
    ],
    example: #"{"files.working-file": "error", "language.systems": "off"}"#)

  private static let levels = FindingLevel.allCases.map(\.rawValue)

  private static let findingID = JSONKey(
    "id", .string(pattern: "^.+$"), "The ID of the findings, or a pattern such as 'packs.*'.")
  private static let findingPaths = JSONKey(
    "paths", .array(of: .string(pattern: "^.+$"), atLeast: 1), is: .optional,
    "Patterns for the paths in packs that the findings are about.")
  private static let findingManifests = JSONKey(
    "manifests", .array(of: .string(pattern: ProjectRules.relative), atLeast: 1), is: .optional,
    "Patterns for the manifests that the findings are about.")
  private static let findingLevel = JSONKey("level", .word(levels), "The severity.")
  private static let reason = JSONKey(
    "reason", .string(pattern: #"\S"#), "The reason for the exception.")

  private static let entryKeys = [
    findingID, findingPaths, findingManifests, findingLevel, reason,
  ]

  private static let write: @Sendable ([FindingSetting]) -> JSONValue = { settings in
    guard settings.contains(where: { $0.reason != nil }) else {
      return .object(settings.map { .init($0.id, .string($0.level.rawValue)) })
    }
    return .array(settings.map { .object(FindingSetting.table.members(of: $0)) })
  }

  private static let read: @Sendable (JSONNode, inout Ledger) -> [FindingSetting]? = {
    node, findings in
    guard node.kind == .object else {
      return node.elements.compactMap { exception($0, &findings) }
    }
    let settings = node.members.compactMap { member -> FindingSetting? in
      guard let id = member.key.string, !member.key.isDamaged else { return nil }
      guard member.value.kind == .string else {
        if member.value.kind != .invalid {
          findings.add(.wrongType(member.value, "the severity of '\(id)' must be a string"))
        }
        return nil
      }
      return setting(member.key, id, member.value, &findings)
    }
    // The order of keys has no meaning: the longest pattern has priority.
    return settings.sorted { $0.id.count < $1.id.count }
  }

  /// Reads an ID and its level.
  private static func setting(
    _ key: JSONNode, _ id: String, _ value: JSONNode, _ findings: inout Ledger
  ) -> FindingSetting? {
    let word = value.string ?? ""
    guard let level = FindingLevel(rawValue: word) else {
      findings.add(ProjectRules.unknownLevel(value, word, known: levels))
      return nil
    }
    var setting = FindingSetting(id, level)
    setting.place = SourcePlace(key.document.source, key.span)
    guard let fault = CheckedRules.fault(in: setting) else { return setting }
    findings.add(ProjectRules.finding(fault, at: key))
    return nil
  }

  /// Reads an entry of the list.
  private static func exception(_ node: JSONNode, _ findings: inout Ledger) -> FindingSetting? {
    guard node.kind == .object else {
      if node.kind != .invalid {
        findings.add(.wrongType(node, "an entry of 'findings' must be an object"))
      }
      return nil
    }
    let object = JSONObjectReader(
      node, keys: entryKeys, owner: "an entry of 'findings'", into: &findings)
    guard let key = object[findingID.name], let id = key.string,
      let level = object[findingLevel.name], let why = object[reason.name]
    else { return nil }
    var setting = setting(key, id, level, &findings)
    setting?.reason = why.string
    if why.string?.allSatisfy(\.isWhitespace) ?? false {
      findings.add(ProjectRules.finding("the reason is empty", at: why))
    }
    setting?.paths = patterns(object[findingPaths.name], &findings)
    setting?.manifests = patterns(object[findingManifests.name], &findings)
    return setting
  }

  private static func patterns(_ node: JSONNode?, _ findings: inout Ledger) -> [String] {
    guard let node else { return [] }
    if node.count == 0, !node.isDamaged {
      findings.add(ProjectRules.finding("the list is empty", at: node))
    }
    return node.elements.compactMap { element in
      guard let text = element.string else {
        if element.kind != .invalid {
          findings.add(.wrongType(element, "a pattern must be a string"))
        }
        return nil
      }
      if let finding = ProjectRules.path(text, at: element.span) {
        findings.add(finding)
        return nil
      }
      do throws(PatternFault) {
        _ = try PathPattern(forPaths: text)
        return text
      } catch {
        findings.add(PatternRules.malformed(text, error, at: element.span))
        return nil
      }
    }
  }
}

extension FindingSetting {
  /// The setting as JSON.
  package static let table = Table<FindingSetting>(written: "a severity of findings") {
    Key("id", written: \.id, .text, "The ID of the findings, or a pattern.")
    Key(
      "paths", written: { $0.paths.isEmpty ? nil : $0.paths }, .list(of: .text),
      "The patterns for paths in packs.")
    Key(
      "manifests", written: { $0.manifests.isEmpty ? nil : $0.manifests }, .list(of: .text),
      "The patterns for manifests.")
    Key("level", written: \.level, .word, "The severity of the findings.")
    Key("reason", written: \.reason, .text, "The reason for the exception.")
  }
}
