import BAPackKit
import TestSupport
import Testing

@Suite struct LanguageFamiliesTests {
  private struct Pack {
    var language: LanguageTag
    var paths: Set<String>
  }

  private static func groups(_ packs: [Pack]) -> [[Int]] {
    let members = packs.indices.map {
      LanguageFamilies.Member(number: $0, language: packs[$0].language)
    }
    return LanguageFamilies(of: members) { number, visit in
      for path in packs[number].paths.sorted() { visit(AssetPath(unchecked: path.utf8)) }
    }.groups
  }

  /// Returns the groups by comparing all pairs; the paths contain no languages.
  private static func model(_ packs: [Pack]) -> [[Int]] {
    var groups = Array(packs.indices)
    for one in packs.indices {
      for other in packs.indices where one < other {
        let (first, second) = (packs[one], packs[other])
        let shared = first.paths.intersection(second.paths).count
        guard shared > 0, shared * 2 >= min(first.paths.count, second.paths.count),
          !first.language.isEquivalent(to: second.language)
        else { continue }
        let (kept, joined) = (groups[one], groups[other])
        for place in groups.indices where groups[place] == joined { groups[place] = kept }
      }
    }
    return Dictionary(grouping: packs.indices) { groups[$0] }.values.sorted { $0[0] < $1[0] }
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `groups are those of all pairs of packs`(seed: UInt64) throws {
    var random = Seeded(seed: seed)
    let tags = ["de", "en", "en-US", "en-GB", "fr", "zh-TW", "zh-Hant"].compactMap {
      LanguageTag($0)
    }
    for _ in 0..<100 {
      let packs = (0..<1 + random.next(below: 10)).map { _ in
        Pack(
          language: tags[random.next(below: tags.count)],
          paths: Set((0..<random.next(below: 5)).map { _ in "x\(random.next(below: 7))" }))
      }
      #expect(Self.groups(packs) == Self.model(packs), "\(packs)")
    }
  }

  @Test(.heavy)
  func `many languages with the same files are one group`() throws {
    let letters = "abcdefghijklmnopqrstuvwxyz"
    var packs: [Pack] = []
    for first in letters {
      for second in letters {
        for region in 100..<112 {
          guard let language = LanguageTag("\(first)\(second)-\(region)") else { continue }
          packs.append(Pack(language: language, paths: ["a", "b", "c"]))
        }
      }
    }
    #expect(packs.count > 2_000)
    #expect(Self.groups(packs) == [Array(packs.indices)])
  }
}
