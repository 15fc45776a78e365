import BAPackKit
import Foundation
import Reporting
import SourceDiagnostics
import Testing

/// The examples of the rules about changes: the wrong one is a break of its kind, the right one is
/// none.
@Suite struct ChangeExampleTests {
  private static let policies = [
    "essential":
      #"{"essential": {"installationEventTypes": ["firstInstallation", "subsequentUpdate"]}}"#,
    "prefetch":
      #"{"prefetch": {"installationEventTypes": ["firstInstallation", "subsequentUpdate"]}}"#,
    "onDemand": #"{"onDemand": {}}"#,
  ]

  /// Returns the packs of a release that one side of an example describes.
  private static func packs(_ side: String, of breakage: Breakage) throws -> [String: PackModel] {
    let contents = Array("contents".utf8)
    var pack = PackModel()
    switch breakage {
    case .pathRemoved, .pathCase:
      if side != "(none)" { pack.files[side] = contents }
    case .packRemoved: return side == "(none)" ? [:] : [side: pack]
    case .platformDropped:
      pack.platforms = try JSONDecoder().decode([String].self, from: Data(side.utf8))
    case .languageDropped:
      if side != "no language" {
        pack.language = try JSONDecoder().decode(String.self, from: Data(side.utf8))
      }
    case .policyWeakened: pack.policy = try #require(policies[side])
    case .pathAmbiguous:
      // 'PATH in PACK and PACK', or 'PACK/PATH, PACK/PATH' with the ID in the path.
      let words = side.replacing(",", with: "").split(separator: " ").map { String($0) }
      let paths =
        words.count == 5
        ? [words[2]: words[0], words[4]: words[0]]
        : Dictionary(
          uniqueKeysWithValues: words.map { (String($0.prefix { $0 != "/" }), $0) })
      return paths.reduce(into: [:]) { packs, pack in
        packs[pack.key] = PackModel(files: [pack.value: Array(pack.key.utf8)])
      }
    }
    return ["cave": pack]
  }

  /// Returns the breaks of an example.
  private static func breaks(_ example: String, of breakage: Breakage) throws -> Set<Breakage> {
    let sides = example.components(separatedBy: " -> ")
    // A release without packs is an error.
    let other = ["other": PackModel()]
    let new = try packs(sides[sides.count - 1], of: breakage).merging(other) { $1 }
    var old = try packs(sides[0], of: breakage).merging(other) { $1 }
    // Only one of the packs had the path before.
    if breakage == .pathAmbiguous { old["forest"] = PackModel() }
    return try Set(Releases().comparison(old, new).breaks.map(\.breakage))
  }

  @Test(arguments: Breakage.allCases)
  func `the wrong example of a change is a break of its kind, the right one is none`(
    _ breakage: Breakage
  ) throws {
    let example = breakage.rule.example
    #expect(try Self.breaks(example.wrong, of: breakage) == [breakage])
    #expect(try Self.breaks(example.right, of: breakage) == [])
  }

  // MARK: Accepted breaks

  /// Returns the findings of a list with one entry for the release without 'Voices/a.wav'.
  private static func findings(_ entry: String) throws -> Ledger {
    let list = AcceptedBreaks(parsing: Array(#"{"accepted": [\#(entry)]}"#.utf8), named: "list")
    var findings = list.findings
    let pack = PackModel(files: ["a": [1]])
    let breaks = try Releases().comparison(["cave": pack], ["cave": PackModel()]).breaks
    #expect(breaks.map(\.breakage) == [.pathRemoved])
    if !findings.hasErrors { _ = list.divide(breaks, today: "2026-06-30", &findings) }
    return findings
  }

  /// Returns an entry around an example: an entry, a member of one, or no entry.
  private static func entry(_ example: String) -> String {
    if example.hasPrefix("{") { return example }
    guard example.hasPrefix("\"") else { return "" }
    return #"{"breaks": "path-removed", "pack": "cave", "reason": "unused", \#(example)}"#
  }

  @Test(arguments: ["accept.value", "accept.until", "accept.unused"])
  func `the wrong example of an accepted break has its finding, the right one has none`(
    _ name: String
  ) throws {
    let rule = try #require(ChangeRules.all.first { $0.id.name == name })
    #expect(try Self.findings(Self.entry(rule.example.wrong)).map(\.id) == [rule.id])
    #expect(try Self.findings(Self.entry(rule.example.right)).isEmpty)
  }

  @Test func `each rule about changes has a tested example`() {
    let names = ChangeRules.all.map(\.id.name)
    #expect(
      Set(names)
        == Set(Breakage.allCases.map(\.rule.id.name)).union([
          "accept.value", "accept.until", "accept.unused",
        ]))
  }
}
