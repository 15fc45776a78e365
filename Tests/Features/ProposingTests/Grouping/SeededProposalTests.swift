import BAPackKit
import SystemIO
import TestSupport
import Testing

@testable import Proposing

/// Tests that the proposals for seeded folders are those of an expert.
struct SeededProposalTests {
  private static let seeds: [UInt64] = Array(1...40)

  /// The place of each file in a proposal, by its path.
  private struct Outcome {
    var packs: [[UInt8]: [ProposedPack]] = [:]
    var rules: [[UInt8]: String] = [:]

    init(_ proposal: Proposal, _ tree: AssetTree) {
      for pack in proposal.packs {
        for file in pack.files.joined() { packs[tree.path(ofFile: file), default: []].append(pack) }
      }
      for group in proposal.leftOut {
        for file in group.files { rules[tree.path(ofFile: file)] = group.reason.rule.id.name }
      }
    }

    func id(_ path: [UInt8]) -> String? { packs[path]?.first?.manifest.assetPackID }
  }

  private static func proposal(
    of seeded: SeededTree, historySeed: UInt64? = nil
  ) -> (Proposal, AssetTree) {
    let tree = seeded.assetTree()
    let changes = historySeed.map {
      ChangeTable(seeded.history(seed: $0, releases: 6), areTags: true, of: tree)
    }
    return (Proposal(of: tree, in: FoundProject(), seeded.options, history: changes), tree)
  }

  @Test(arguments: seeds) func `every file is in one pack, or is left out with a reason`(
    seed: UInt64
  ) {
    for seeded in SeededTrees.all(seed: seed) + [SeededTrees.mixed(seed: seed)] {
      let (proposal, tree) = Self.proposal(
        of: seeded, historySeed: seed.isMultiple(of: 2) ? seed : nil)
      let outcome = Outcome(proposal, tree)
      for file in tree.files.indices {
        let path = tree.path(ofFile: file)
        let count = (outcome.packs[path]?.count ?? 0) + (outcome.rules[path] == nil ? 0 : 1)
        #expect(count == 1, "\(seeded.name): \(FilePath(path).shown)")
      }
      #expect(proposal.packs.count <= 200)
      for pack in proposal.packs where pack.count > 1 {
        #expect(pack.bytes <= 4_000_000_000, "\(seeded.name): \(pack.manifest.assetPackID)")
      }
      #expect(
        proposal.packs.reduce(0) { $0 + $1.count - $1.fills.count }
          + proposal.leftOut.reduce(0) { $0 + $1.count }
          == tree.files.count)
    }
  }

  @Test(arguments: seeds) func `translations are the packs of languages, with the same paths`(
    seed: UInt64
  ) {
    let trees =
      SeededTrees.languages(seed: seed) + SeededTrees.families(seed: seed)
      + SeededTrees.falseLanguages(seed: seed) + SeededTrees.others(seed: seed)
    for seeded in trees {
      let (proposal, tree) = Self.proposal(of: seeded)
      let outcome = Outcome(proposal, tree)
      var languages: [String: Set<[UInt8]>] = [:]
      for pack in proposal.packs {
        guard let language = pack.manifest.language else { continue }
        let paths = Self.paths(of: pack, in: tree)
        languages[language.description, default: []].formUnion(paths)
      }
      #expect(
        languages.mapValues { Set($0.map { FilePath($0).shown }) }
          == seeded.languages.mapValues { Set($0.map { FilePath($0).shown }) }, "\(seeded.name)")
      if let first = languages.keys.first {
        let primary = proposal.primaryLanguage
        let hasPrimary = languages.keys.contains {
          LanguageTag($0)?.isEquivalent(to: primary ?? LanguageTag(language: "und")) ?? false
        }
        #expect(hasPrimary, "\(seeded.name): \(first)")
      }
      for path in seeded.leftOut["init.second-spelling"] ?? [] {
        #expect(outcome.rules[path] == "init.second-spelling", "\(seeded.name)")
      }
      for path in seeded.outside {
        #expect(
          outcome.packs[path]?.allSatisfy { $0.manifest.language == nil } ?? false,
          "\(seeded.name): \(FilePath(path).shown)")
      }
    }
  }

  /// Returns the paths in a pack of its files, according to its selectors.
  private static func paths(of pack: ProposedPack, in tree: AssetTree) -> Set<[UInt8]> {
    var paths: Set<[UInt8]> = []
    for file in pack.files.joined() {
      let path = String(decoding: tree.path(ofFile: file), as: UTF8.self)
      let destinations = pack.manifest.fileSelectors.compactMap { selector -> String? in
        switch selector {
        case .renamedFile(path, let destination): return destination
        case .renamedDirectory(let source, let destination) where path.hasPrefix(source + "/"):
          let rest = path.dropFirst(source.count + 1)
          return destination == "." ? String(rest) : destination + "/" + rest
        case .file(path): return path
        case .directory(let folder) where path.hasPrefix(folder + "/"): return path
        case .filePattern(let pattern):
          return (try? PathPattern(forFiles: pattern))?.matches(Array(path.utf8)) == true
            ? path : nil
        default: return nil
        }
      }
      #expect(destinations.count == 1, "\(path): \(destinations)")
      if let first = destinations.first { paths.insert(Array(first.utf8)) }
    }
    return paths
  }

  @Test(arguments: seeds) func `similar folders, qualities, platforms and media have packs`(
    seed: UInt64
  ) {
    for seeded in SeededTrees.others(seed: seed) {
      let (proposal, tree) = Self.proposal(of: seeded)
      let outcome = Outcome(proposal, tree)
      var ids: [SeededTree.Place: Set<String>] = [:]
      for file in seeded.files {
        let id = outcome.id(file.path)
        switch file.place {
        case .sibling, .tier, .platform: ids[file.place, default: []].insert(id ?? "none")
        case .media:
          let kinds = outcome.packs[file.path]?.map { $0.reasons[0].rule.id.name }
          #expect(
            kinds == ["init.media"] || kinds == ["init.core"],
            "\(seeded.name): \(FilePath(file.path).shown)")
        case .leftOut(let rule):
          #expect(
            outcome.rules[file.path] == rule || outcome.rules[file.path] == nil && id == nil,
            "\(seeded.name): \(FilePath(file.path).shown)")
        case .common, .localized, .open: break
        }
      }
      // Each is in one pack, and the packs differ.
      for (place, found) in ids { #expect(found.count == 1, "\(seeded.name): \(place) \(found)") }
      let all = ids.values.compactMap(\.first)
      #expect(Set(all).count == all.count, "\(seeded.name): \(ids.count)")
    }
  }

  @Test func `a thousand large levels are at most two hundred packs`() {
    var tree = AssetTree(root: "game")
    let levels = tree.beginFolder(named: "Levels".utf8, in: AssetTree.rootFolder)
    for number in 1...1_000 {
      let level = tree.beginFolder(named: "\(number)".utf8, in: levels)
      tree.addFile(named: "map.bin".utf8, size: 6_000_000, in: level)
      tree.endFolder(level)
    }
    tree.endFolder(levels)
    tree.endFolder(AssetTree.rootFolder)
    let proposal = Proposal(of: tree, in: FoundProject(), ProposalOptions())
    #expect((100...200).contains(proposal.packs.count))
    #expect(proposal.packs.reduce(0) { $0 + $1.count } == 1_000)
    let ids = Set(proposal.packs.map { $0.manifest.assetPackID.lowercased() })
    #expect(ids.count == proposal.packs.count)
  }
}
