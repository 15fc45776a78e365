import BAPackKit
import DeviceSimulator
import SourceDiagnostics
import TestSupport
import Testing

/// Tests that the wrong example of every scenario rule causes its finding, and the right one does
/// not.
@Suite struct ScenarioRuleTests {
  /// Returns the findings of a scenario with the packs 'tutorial', which is essential, and
  /// 'level-cave', which is on demand.
  private func findings(_ text: String) -> Ledger {
    let document = ScenarioDocument(
      parsing: Array(text.utf8), named: "scenario", hasRelease: true)
    let release = Release(
      "release",
      [("tutorial", DownloadPolicy.essential([.firstInstallation])), ("level-cave", .onDemand)]
        .map {
          ReleasedPack(
            OfferedPack(id: PackID($0), policy: $1, size: PackSize(download: 10)), version: 1)
        })
    var state = DeviceState()
    state.publish(0)
    return ScenarioRun(document, from: state, in: ReleaseSource([release]), releases: [release])
      .findings
  }

  /// Rules that no text alone causes, with the tests that check them.
  private static let withoutTrial = [
    "scenario.release": "files; `an unreadable release…` in SimulateTests"
  ]

  private static let rules = ScenarioRules.all.filter { withoutTrial[$0.id.name] == nil }

  @Test(arguments: rules.indices)
  func `the wrong example of a rule causes its finding, and the right one does not`(index: Int) {
    let rule = Self.rules[index]
    let found = findings(rule.example.wrong)
    #expect(found.map(\.id) == [rule.id])
    #expect(found.allSatisfy { $0.severity == rule.severity(for: nil) })
    #expect(findings(rule.example.right).isEmpty)
  }

  @Test func `rules are distinct and explained, with one file for each subject`() throws {
    for rule in ScenarioRules.all {
      #expect(!RuleCatalogue.all.contains { $0.id == rule.id })
      #expect(rule.id.name.wholeMatch(of: /scenario\.[a-z-]+/) != nil)
      #expect(rule.what.hasSuffix(".") && rule.why.hasSuffix("."))
    }
    let written = try WrittenRules(in: "DeviceSimulator")
    #expect(written.misplaced == [])
    #expect(written.names == ScenarioRules.all.map(\.id.name).sorted())
  }
}
