import BAPackKit
import KitProperties
import SourceDiagnostics
import Testing

/// The example of every rule: the wrong text has exactly its finding, the right text has none.
///
/// This suite tests the rules about the text of a manifest; the others are in ``RuleTrialTests``.
@Suite struct RuleExampleTests {
  private static let rules = RuleCatalogue.all.filter {
    Trial.byRule[$0.id.name] == nil && RuleTrialTests.withoutTrial[$0.id.name] == nil
  }

  private static let members: [(key: String, text: String)] = [
    ("assetPackID", #""assetPackID": "Tutorial""#),
    ("downloadPolicy", #""downloadPolicy": {"onDemand": {}}"#),
    ("fileSelectors", #""fileSelectors": [{"directory": "Textures"}]"#),
    ("platforms", #""platforms": ["iOS"]"#),
  ]

  /// Returns a complete manifest with an example that is a member.
  static func manifest(around example: String) -> [UInt8] {
    guard example.hasPrefix("\"") else { return Array(example.utf8) }
    let others = members.filter { !example.contains("\"\($0.key)\"") }.map(\.text)
    return Array("{\((others + [example]).joined(separator: ", "))}".utf8)
  }

  private func ids(_ example: String, _ rule: Rule) -> [String] {
    ManifestDocument(
      parsing: Self.manifest(around: example), named: "m", for: rule.example.hosting
    ).findings.map(\.id.name)
  }

  @Test(arguments: rules.indices) func `every example shows its rule`(index: Int) {
    let rule = Self.rules[index]
    let found = ids(rule.example.wrong, rule)
    #expect(found == [rule.id.name])
    #expect(ids(rule.example.right, rule) == [])
  }

  @Test(arguments: rules.indices) func `every fix of an example removes its finding`(index: Int) {
    let rule = Self.rules[index]
    for example in [rule.example.wrong] + (Self.more[rule.id.name] ?? []) {
      let document = ManifestDocument(
        parsing: Self.manifest(around: example), named: "m", for: rule.example.hosting)
      #expect(document.findings.contains { $0.id == rule.id })
      let fault = ManifestProperties.violation(inFixesOf: document, for: rule.example.hosting)
      #expect(fault == nil, "\(example)")
    }
  }

  @Test(arguments: rules.indices) func `every rule has the grade of its best fix`(index: Int) {
    let rule = Self.rules[index]
    let grades = ([rule.example.wrong] + (Self.more[rule.id.name] ?? [])).flatMap { example in
      ManifestDocument(
        parsing: Self.manifest(around: example), named: "m", for: rule.example.hosting
      ).findings.filter { $0.id == rule.id }.flatMap(\.fixes).filter { !$0.edits.isEmpty }
        .map(\.grade)
    }
    let best: Fix.Grade =
      grades.contains(.safe) ? .safe : grades.contains(.unsafe) ? .unsafe : .shownOnly
    #expect(rule.fixGrade == best, "\(rule.id.name)")
  }

  @Test func `rules about other inputs than manifests have no automatic fix`() {
    // ProjectDocumentTests tests the fixes of project files.
    let others = RuleCatalogue.all.filter { rule in
      !Self.rules.contains { $0.id == rule.id } && !rule.id.name.hasPrefix("project.")
    }
    #expect(others.count > 40)
    for rule in others { #expect(rule.fixGrade == .shownOnly, "\(rule.id.name)") }
  }

  /// More examples, for rules with several fixes.
  private static let more: [String: [String]] = [
    "files.pattern": [
      #""fileSelectors": [{"filePattern": "a[b"}]"#, #""fileSelectors": [{"filePattern": "[ "}]"#,
    ],
    "policy.unknown-event": [
      #""downloadPolicy": {"prefetch": {"installationEventTypes": ["FirstInstallation"]}}"#
    ],
    // The leading space prevents that it is used as a member.
    "json.trailing-text": [#" "platforms": []}"#],
    "language.subtag": [
      #""language": "en-USA""#, #""language": "zh-Hant-TWN""#, #""language": "zh-yue""#,
      #""language": "usa-USA""#,
    ],
    "selector.backslash": [
      #""fileSelectors": [{"file": "..\\x"}]"#, #""fileSelectors": [{"file": "\\x"}]"#,
      #""fileSelectors": [{"file": "x\\"}]"#, #""fileSelectors": [{"file": "C:x\\y"}]"#,
    ],
    "selector.glob-signs": [
      #""fileSelectors": [{"file": "*.png"}]"#, #""fileSelectors": [{"file": "a[].png"}]"#,
      #""fileSelectors": [{"file": "[z-a]*"}]"#,
    ],
    "selector.unknown-kind": [
      #""fileSelectors": [{"pattern": "*.png"}]"#, #""fileSelectors": [{"File": "a"}]"#,
    ],
    "json.unknown-key": [
      #""plattforms": ["iOS"]"#, #""fileSelectors": [{"file": "a", "fle": "b"}]"#,
      #""fileSelectors": [{"fileSource": "a", "fileDestinaton": "b"}]"#,
    ],
    "platform.unknown": [
      #""platforms": ["ios"]"#,
      #""platforms": ["iOS", "ios"]"#, #""platforms": ["ipad", "iPadOS", "mac"]"#,
    ],
    "json.syntax": [
      #""platforms": [iOS]"#, #""platforms": [iOS", "macOS"]"#, #""platforms": ["iOS" "macOS"]"#,
      #""platforms": ["iOS",, "macOS"]"#, #""userInfo": {"a": True}"#, #""userInfo" {"a": 1}"#,
      #""userInfo": {"a": 1 234}"#, #""userInfo": {"a": [1 234]}"#,
    ],
  ]

  @Test func `rules have unique IDs and explanations`() {
    var names: Set<String> = []
    for rule in RuleCatalogue.all {
      #expect(names.insert(rule.id.name).inserted)
      #expect(rule.id.name.wholeMatch(of: /[a-z-]+\.[a-z-]+/) != nil)
      #expect(rule.what.hasSuffix("."))
      #expect(rule.why.last.map { ".?)".contains($0) } ?? false)
      #expect(RuleCatalogue.rule(rule.id)?.what == rule.what)
    }
  }
}

extension RuleCatalogue {
  /// The rule with an ID.
  static func rule(_ id: Finding.ID) -> Rule? { all.first { $0.id == id } }
}
