import BAPackKit
import SystemIO
import TestSupport
import Testing

@testable import Proposing

/// Tests that the selectors of a proposal select exactly its files, in real folders.
struct SelectionOfProposalTests {
  @Test(arguments: Array(UInt64(1)...6)) func `the manifests select exactly the proposed files`(
    seed: UInt64
  ) async throws {
    for seeded in SeededTrees.all(seed: seed) + [SeededTrees.mixed(seed: seed)] {
      let folder = try TemporaryFolder()
      try seeded.write(to: folder)
      let tree = try AssetTree(reading: FilePath(folder.path), .unstoppable)
      let history = seeded.history(seed: seed, releases: 8)
      for changes in [nil, ChangeTable(history, areTags: true, of: tree)] {
        let proposal = Proposal(of: tree, in: FoundProject(), seeded.options, history: changes)
        try await Self.check(proposal, tree, in: folder.path, seeded.name)
      }
    }
  }

  @Test func `an exclusion matches only files that the rule leaves out`() throws {
    let folder = try TemporaryFolder()
    for name in ["logo.jpg", "README.txt", "hero-draft.png", "credentials.json", "a.psd", "b.lua"] {
      try folder.makeFile("Menu/" + name, name)
    }
    let tree = try AssetTree(reading: FilePath(folder.path), .unstoppable)
    let proposal = Proposal(of: tree, in: FoundProject(), ProposalOptions())
    let exclusions = proposal.packs[0].manifest.fileSelectors.compactMap { selector -> String? in
      if case .exclusion(let pattern) = selector { pattern } else { nil }
    }
    #expect(
      exclusions == ["README.txt", "*.psd", "*.lua", "credentials.json", "hero-draft.png"])
  }

  /// Checks the manifests with the files, and compares the selected files with the proposal.
  private static func check(
    _ proposal: Proposal, _ tree: AssetTree, in folder: String, _ name: String
  ) async throws {
    let inputs = proposal.packs.map { pack in
      Project.Input.text(pack.manifest.authoredJSON(), named: pack.manifest.assetPackID)
    }
    var project = Project(inputs, hosting: .apple)
    project.defaultSourceRoot = FilePath(folder)
    project.primaryLanguage = proposal.primaryLanguage
    let checked = try await project.check()
    #expect(!checked.report.hasErrors, "\(name): \(checked.report.text())")
    for warning in checked.report.findings.pages.flatMap({ Array($0.findings) })
    where warning.severity == .warning {
      #expect(Self.aboutFiles.contains(warning.id.name), "\(name): \(warning.message)")
    }
    for (pack, ready) in zip(proposal.packs, checked.packs ?? []) {
      let selection = ready.selection
      let selected = selection.indices.filter(selection.isFile).map {
        FilePath(selection.sourceBytes(at: $0)).shown
      }
      let proposed = (pack.files.joined() + pack.fills).map {
        FilePath(tree.path(ofFile: $0)).shown
      }
      #expect(Set(selected) == Set(proposed), "\(name): \(pack.manifest.assetPackID)")
      #expect(selected.count == pack.count, "\(name): \(pack.manifest.assetPackID)")
      var singles: [String: Int] = [:]
      for case .file(let path) in pack.manifest.fileSelectors {
        singles[FilePath(path).folder.text, default: 0] += 1
      }
      #expect(singles.values.allSatisfy { $0 <= 5 }, "\(name): \(singles)")
    }
  }

  /// The IDs of warnings that are caused by the files alone.
  private static let aboutFiles: Set<String> = [
    // The project file has the decision about older systems.
    "language.systems",
    "files.empty-file", "files.similar-names", "files.mac-program", "files.working-file",
  ]
}
