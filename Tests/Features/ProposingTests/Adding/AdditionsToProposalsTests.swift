import BAPackKit
import SystemIO
import TestSupport
import Testing

@testable import Proposing

struct AdditionsToProposalsTests {
  private static let trees: [SeededTree] = (1...3).flatMap { seed in
    SeededTrees.all(seed: seed) + [SeededTrees.mixed(seed: seed)]
  }

  @Test(arguments: trees.sampled(every: 12), [nil, 7] as [UInt64?])
  func `a proposed project is complete, and a part of it is completed`(
    _ seeded: SeededTree, historySeed: UInt64?
  ) throws {
    // Only the names are used; the folder itself exists.
    let folder = try TemporaryFolder()
    try folder.makeFolder("Assets")
    try folder.makeFolder("Packs")
    let tree = seeded.assetTree(root: folder.filePath("Assets"))
    let changes = historySeed.map {
      ChangeTable(seeded.history(seed: $0, releases: 8), areTags: true, of: tree)
    }
    let proposal = Proposal(
      of: tree, in: FoundProject(assets: "Assets"), seeded.options, history: changes)
    let layout = ProjectLayout(projectFolder: FilePath(folder.path), sourceRoot: "Assets")
    let manifests = ProposedFiles(proposal, of: tree, in: layout).manifests
    var settings = ProjectSettings()
    settings.packs = ["Packs/*.json"]
    func documents(_ texts: [ProposedFiles.Text]) -> [ManifestDocument] {
      texts.map {
        ManifestDocument(parsing: $0.bytes, named: folder.filePath($0.path.text).text)
      }
    }
    func additions(to texts: [ProposedFiles.Text]) throws -> Additions {
      try Additions(
        to: documents(texts), of: settings, in: layout, finding: tree, proposal, .unstoppable)
    }
    #expect(try additions(to: manifests).isEmpty)
    for part in 0..<3 {
      // Without every third manifest, and without every third selector.
      var left = manifests.enumerated().filter { $0.offset % 3 != part }.map(\.element)
      for index in left.indices {
        var manifest = try #require(documents([left[index]])[0].manifest)
        let selectors = manifest.fileSelectors.enumerated().filter { $0.offset % 3 != part }
        if selectors.isEmpty { continue }
        manifest.fileSelectors = selectors.map(\.element)
        left[index].bytes = manifest.authoredJSON()
      }
      let found = try additions(to: left)
      #expect(found.isEmpty == (found.edits.isEmpty && found.newManifests.isEmpty))
      #expect(found.unselected == [])
      for edit in found.edits {
        let place = left.firstIndex { folder.filePath($0.path.text) == edit.path }
        left[try #require(place)].bytes = edit.after
      }
      left += found.newManifests
      #expect(documents(left).allSatisfy { $0.isValid })
      #expect(Set(left.map(\.path)).count == left.count)
      let rest = try additions(to: left)
      #expect(rest.isEmpty, "\(rest.edits.map(\.paths)) \(rest.newManifests.map(\.path))")
    }
  }
}
