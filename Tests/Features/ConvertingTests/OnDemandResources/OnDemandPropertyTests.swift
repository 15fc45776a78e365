import BAPackKit
import Foundation
import Properties
import TestSupport
import Testing

@testable import Converting

/// The properties of readers and conversions, for randomly damaged texts.
@Suite struct OnDemandPropertyTests {
  private static let seeds: [[UInt8]] = {
    let example = Checkout.file("Examples/Lantern/Lantern.xcodeproj/project.pbxproj")
    let project = (try? Array(Data(contentsOf: example))) ?? []
    let rules = OnDemandRules.all.flatMap { [$0.example.wrong, $0.example.right] }
    let corpora = ["property-lists", "on-demand-projects"].flatMap {
      (try? FuzzCorpus.inputs($0)) ?? []
    }
    return [project] + corpora + rules.map { Array($0.utf8) }
  }()

  private static let pieces = [
    "(", ")", "{", "}", "=", ";", ",", "\"", "'", "\\", "/*", "*/", "//", "<", ">", "<string>",
    "</dict>", "<key>", "&amp;", ": ", "- ", "\n", "\t", "&a", "*a", "|", "#", "[", "]", "..", "é",
    "ASSET_TAGS = (a, b);", "path = \"../x\";", "de.lproj/", "\u{0}", "isa = PBXGroup;",
  ].map { Array($0.utf8) }

  /// Returns a text with random insertions, deletions and duplications.
  private static func damaged(_ text: [UInt8], _ random: inout Seeded) -> [UInt8] {
    var text = text
    for _ in 0...random.next(below: 4) {
      let place = random.next(below: text.count + 1)
      switch random.next(below: 3) {
      case 0: text.insert(contentsOf: pieces[random.next(below: pieces.count)], at: place)
      case 1:
        text.removeSubrange(place..<min(text.count, place + random.next(below: 8)))
      default:
        let end = min(text.count, place + random.next(below: 60))
        text.insert(contentsOf: text[place..<end], at: random.next(below: text.count + 1))
      }
    }
    return text
  }

  @Test func `the examples and the fuzzing corpus have the properties`() throws {
    #expect(try FuzzCorpus.inputs("property-lists").count >= 4)
    #expect(try FuzzCorpus.inputs("on-demand-projects").count >= 2)
    for seed in Self.seeds {
      #expect(OnDemandProperties.violation(inPropertyList: seed) == nil)
      #expect(OnDemandProperties.violation(inProject: seed) == nil)
    }
  }

  @Test(.heavy) func `damaged texts have the properties`() {
    var random = Seeded(seed: 16)
    for round in 0..<20_000 {
      let text = Self.damaged(Self.seeds[round % Self.seeds.count], &random)
      if let fault = OnDemandProperties.violation(inPropertyList: text) {
        Issue.record("\(fault): \(String(decoding: text, as: UTF8.self))")
      }
      guard round.isMultiple(of: 4) else { continue }
      if let fault = OnDemandProperties.violation(inProject: text) {
        Issue.record("\(fault): \(String(decoding: text, as: UTF8.self))")
      }
    }
  }
}
