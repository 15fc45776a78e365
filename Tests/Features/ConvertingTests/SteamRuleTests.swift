import BAPackKit
import Foundation
import SourceDiagnostics
import SystemIO
import TestSupport
import Testing

@testable import Converting

/// Tests that the wrong example of every rule for conversions causes its finding, and the right one
/// does not.
@Suite struct SteamRuleTests {
  /// Rules that no script causes, with the tests that check them.
  private static let withoutTrial = [
    "convert.made-id": "an option; `by default, a pack is on demand…` in SteamScriptTests",
    "convert.assumed-policy": "an option; the same test",
    "convert.assumed-platforms": "an option; the same test",
    "convert.no-effect": "an option; `options that no input supports…` in SteamScriptTests",
    "steam.unread": "links; `a file that cannot be packed…` in SteamMappingTests",
    "convert.difference": "`differences in both directions…` in SteamScriptTests",
    "odr.no-target": "an option; `a target is selected…` in OnDemandProjectTests",
    "odr.several-projects": "folders; `a folder with several projects…` in OnDemandProjectTests",
    "odr.unsearched": "an option; `a source that is too large…` in SourceScanTests",
    "odr.language": "an option; `a folder with an unknown language…` in OnDemandProjectTests",
  ]

  private static let insides = [
    "FileMapping", "FileExclusion", "FileExclusions", "Desc", "DepotID", "InstallScript",
    "FileProperties", "ContentRoot",
  ]

  /// Returns a whole script around an excerpt.
  private static func script(_ example: String) -> String {
    guard insides.contains(where: { example.hasPrefix("\"\($0)\"") }) else { return example }
    let needsMapping = !example.contains("FileMapping")
    return "\"DepotBuild\" { \(example)\(needsMapping ? " " + mapping : "") }"
  }

  /// The files for an example, by the ID of its rule; ``usualFiles`` for all other rules.
  private static let files: [String: [String: String]] = [
    "steam.outside": ["levels/a.dat": "x"],
    "steam.content-root": ["levels/a.dat": "x"],
    "steam.renaming": ["levels/a.dat": "x"],
    "steam.listed": ["levels/a.dat": "x"],
    "steam.exclusion": ["level.dat": "x", "game.pdb": "x"],
    "steam.overridden": ["level.dat": "x", "de/level.dat": "x"],
    "steam.collision": ["level.dat": "x", "de/a.dat": "x"],
    "steam.case-collision": ["level.dat": "x", "cave.dat": "x"],
    "odr.too-large": [
      "map.json": "x", "Deep/" + String(repeating: "d/", count: 50) + "map.json": "",
    ],
    "odr.asset-catalog": [
      "map.json": "x", "Art.xcassets/hero.imageset/hero.png": "x",
      "Art.xcassets/hero.imageset/Contents.json":
        #"{"properties": {"on-demand-resource-tags": ["level1"]}}"#,
    ],
    "odr.compiled": ["map.json": "x", "menu.xib": "x"],
    "odr.phase": ["map.json": "x", "menu.json": "x"],
    "odr.not-member": ["Art/map.json": "x", "Art/menu.json": "x"],
    "odr.same-path": ["map.json": "x", "One/map.json": "x", "Two/map.json": "x"],
    "odr.prefetch-order": ["map.json": "x", "boss.json": "x"],
    "odr.language": ["Klingonese.lproj/map.json": "x", "de.lproj/map.json": "x"],
    "odr.built": [
      "OnDemandResources/a.assetpack/map.json": "x",
      "OnDemandResources/a.assetpack/Info.plist": """
      <?xml version="1.0" encoding="UTF-8"?>
      <plist version="1.0"><dict>
        <key>CFBundleIdentifier</key><string>a</string>
        <key>Tags</key><array><string>level1</string></array>
      </dict></plist>
      """,
    ],
  ]

  private static let usualFiles = ["level.dat": "x", "map.json": "x"]

  /// The bytes of examples that cannot be shown as text, by the ID of the rule.
  private static let bytes: [String: (wrong: [UInt8], right: [UInt8])] = {
    let script = Array(#""DepotBuild" { \#(mapping) }"#.utf8)
    return [
      "steam.encoding": (
        Array("// caf".utf8) + [0xE9, 0x0A] + script, Array("// café\n".utf8) + script
      )
    ]
  }()

  private static let mapping =
    #""FileMapping" { "LocalPath" "*" "DepotPath" "." "Recursive" "1" }"#

  private static let rules = ConvertingRules.all.filter { withoutTrial[$0.id.name] == nil }

  private func findings(_ text: [UInt8], _ rule: Rule, _ files: [String: String]) throws -> Ledger {
    let folder = try TemporaryFolder()
    for (path, contents) in files { try folder.makeFile(path, contents) }
    try folder.makeFile("script.vdf", text)
    var options = ConversionOptions(.unstoppable)
    if !text.starts(with: "\"AppBuild".utf8) { options.assetPackID = "Pack" }
    options.downloadPolicy = .onDemand
    var conversion = try Conversion(of: FilePath(folder.path("script.vdf")), options)
    conversion.checkTogether(ConversionOptions(.unstoppable))
    return conversion.findings
  }

  @Test(arguments: rules.indices)
  func `the wrong example of a rule causes its finding, and the right one does not`(
    index: Int
  ) throws {
    let rule = Self.rules[index]
    let example = rule.example
    let (wrong, right) =
      Self.bytes[rule.id.name]
      ?? (Array(Self.script(example.wrong).utf8), Array(Self.script(example.right).utf8))
    let files = Self.files[rule.id.name] ?? Self.usualFiles
    let found = try findings(wrong, rule, files)
    let own = found.filter { $0.id == rule.id }
    #expect(!own.isEmpty, "\(rule.id.name): \(found.map(\.message))")
    let weights = [rule.severity(for: nil), rule.exception?.severity]
    for finding in own { #expect(weights.contains(finding.severity)) }
    let corrected = try findings(right, rule, files)
    let rest = corrected.filter { $0.id == rule.id }
    #expect(rest.isEmpty, "\(rule.id.name): \(corrected.map(\.message))")
    #expect(!corrected.hasErrors, "\(rule.id.name): \(corrected.map(\.message))")
  }

  @Test func `rules are distinct and explained, with one file for each subject`() throws {
    var names: Set<String> = []
    for rule in ConvertingRules.all + RuleCatalogue.all {
      #expect(names.insert(rule.id.name).inserted)
      #expect(rule.id.name.wholeMatch(of: /[a-z-]+\.[a-z-]+/) != nil)
      #expect(rule.what.hasSuffix("."))
    }
    for rule in ConvertingRules.all {
      #expect(rule.fixGrade == .shownOnly)
      #expect(rule.why.hasSuffix("."))
    }
    let written = try WrittenRules(in: "Converting")
    #expect(written.misplaced == [])
    #expect(written.names == ConvertingRules.all.map(\.id.name).sorted())
  }
}
