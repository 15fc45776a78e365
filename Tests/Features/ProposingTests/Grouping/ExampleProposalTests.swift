import BAPackKit
import Foundation
import SystemIO
import TestSupport
import Testing

@testable import Proposing

/// Tests that the proposal for the raw assets of the example game has the packs of its developers.
struct ExampleProposalTests {
  private static let example = "Examples/Lantern"
  private static let raw = FilePath(folder("Raw"))

  private static func folder(_ name: String) -> String {
    Checkout.file(example + "/" + name).path(percentEncoded: false)
  }

  /// A pack as devices see it.
  private struct Pack: Equatable {
    var language: LanguageTag?
    /// The paths of the files in the pack.
    var paths: Set<String>
  }

  /// Returns the packs of manifests by their IDs, without the common start of the IDs.
  private static func packs(
    _ inputs: [Project.Input], in root: FilePath? = nil
  ) async throws -> [String: Pack] {
    var project = Project(inputs, hosting: .apple)
    if let root { project.defaultSourceRoot = root }
    let checked = try await project.check()
    #expect(!checked.report.hasErrors, "\(checked.report.text())")
    var packs: [String: Pack] = [:]
    for pack in try #require(checked.packs) {
      let id = pack.manifest.assetPackID
      packs[id.hasPrefix("lantern-") ? String(id.dropFirst(8)) : id] = Pack(
        language: pack.manifest.language,
        paths: Set(pack.selection.filter { $0.kind == .file }.map(\.destination.text)))
    }
    return packs
  }

  private static func proposal(limit: UInt64) throws -> (Proposal, AssetTree) {
    let tree = try AssetTree(reading: raw, .unstoppable)
    var options = ProposalOptions()
    options.essentialLimit = limit
    return (Proposal(of: tree, in: FoundProject(), options), tree)
  }

  @Test func `the packs of the example game are proposed for its raw assets`() async throws {
    let (proposal, _) = try Self.proposal(limit: 4000)
    var proposed = try await Self.packs(
      proposal.packs.map {
        .text($0.manifest.authoredJSON(), named: $0.manifest.assetPackID)
      }, in: Self.raw)
    let manifests = try FileManager.default.contentsOfDirectory(atPath: Self.folder("Packs"))
      .filter { $0.hasSuffix(".json") }
    var packs = try await Self.packs(
      manifests.map { .path(FilePath(Self.folder("Packs/" + $0))) })

    for id in ["level-cave", "level-forest", "voices-en", "voices-es-us", "voices-zh-hant"] {
      let (proposal, original) = (proposed.removeValue(forKey: id), packs.removeValue(forKey: id))
      #expect(proposal != nil && proposal == original, "\(id)")
    }
    // The developers moved the credits by hand, and host the pack of the season themselves.
    let (core, tutorial) = (
      proposed.removeValue(forKey: "core"), packs.removeValue(forKey: "tutorial")
    )
    #expect(core?.language == nil && tutorial?.language == nil)
    #expect(core?.paths == tutorial?.paths)
    let season = proposed.removeValue(forKey: "seasons")
    #expect(season?.paths == ["Seasons/winter/bells.wav", "Seasons/winter/hero.png"])
    let island = packs.removeValue(forKey: "island")
    let others = proposed.values.reduce(into: Set()) { $0.formUnion($1.paths) }
    #expect(proposed.keys.sorted() == ["music", "sounds", "textures"])
    #expect(
      others.subtracting(["Sounds/Music/credits.txt"]).union(["Credits/music.txt"])
        == island?.paths)
    #expect(packs.isEmpty)
  }

  @Test func `only levels are on demand, and only the draft is left out`() throws {
    let (proposal, tree) = try Self.proposal(limit: 4000)
    for pack in proposal.packs {
      let isOnDemand = pack.manifest.assetPackID.hasPrefix("level-")
      #expect((pack.manifest.downloadPolicy == .onDemand) == isOnDemand)
    }
    let leftOut = proposal.leftOut.flatMap(\.files).map { FilePath(tree.path(ofFile: $0)).text }
    #expect(leftOut == ["Textures/hero-draft.png"])
  }

  @Test func `the raw assets are equal to the packed ones`() throws {
    let assets = try AssetTree(reading: FilePath(Self.folder("Assets")), .unstoppable)
    let raw = try AssetTree(reading: Self.raw, .unstoppable)
    #expect(raw.files.count == assets.files.count)
    for file in raw.files.indices {
      let path = FilePath(raw.path(ofFile: file)).text
      #expect(
        try Data(contentsOf: Checkout.file(Self.example + "/Raw/" + path))
          == Data(contentsOf: Checkout.file(Self.example + "/Assets/" + path)))
    }
  }
}
