import BAPackKit
import Testing

@testable import Planning

struct InstallWeightsTests {
  @Test func `large numbers of installations do not overflow, and their ratios count`() throws {
    let history = PlanTests.history(PlanTests.textAndArt) { 4000 * PlanTests.size($0) }
    func plan(_ factor: UInt64) throws -> Plan {
      var options = Plan.Options()
      options.weights = try InstallWeights(
        csv: "release,installs\nv3,\(2 * factor)\n,\(5 * factor)\n")
      return try PlanTests.plan(
        history, [PlanTests.manifest("art", [.directory("Art")])], options)
    }
    func manifests(_ plan: Plan) -> [[Manifest]] {
      plan.proposals.map { $0.packs.packs.map(\.manifest) }
    }
    let (small, large) = (try plan(1), try plan(2_000_000_000))
    #expect(!small.proposals.isEmpty)
    #expect(manifests(small) == manifests(large))
    #expect(large.today.updates == .max)
  }

  @Test func `tables of installations are read, with the line of a mistake`() throws {
    let weights = try InstallWeights(
      csv: "release,platform,language,installs\nv1,iOS,de,10\n,,,5\n")
    #expect(weights.rows.count == 2)
    #expect(weights.rows[0].platform == .iOS)
    #expect(weights.rows[1] == .init(installs: 5))
    for (text, line) in [
      ("", 1), ("installs,other\n", 1), ("release\n", 1), ("installs\nx\n", 2),
      ("release,installs\nv1\n", 2), ("platform,installs\nAndroid,1\n", 2),
      ("installs\n1\n-1\n", 3),
    ] {
      let fault = #expect(throws: InstallWeights.Malformed.self) {
        _ = try InstallWeights(csv: text)
      }
      #expect(fault?.line == line, "\(text)")
    }
  }
}
