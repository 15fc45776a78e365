import BAPackKit
import SystemIO

/// The state of each file of a tree in a project: a pack has it, or it is new, or it is left out.
struct NewFiles: Sendable {
  enum State: UInt8, Sendable {
    /// A manifest selects the file.
    case packed
    /// No manifest selects it, and the proposal has a pack for it.
    case new
    /// A rule or an exclusion of a manifest leaves it out.
    case leftOut
  }

  /// The states, by the index of the file in the tree.
  private(set) var states: [State]
  /// The new files of each proposed pack.
  private(set) var ofPacks: [[Int]] = []

  init(
    in tree: AssetTree, _ proposal: Proposal, besides existing: [ExistingPack], _ work: Work
  ) throws(PackError) {
    states = [State](repeating: .leftOut, count: tree.files.count)
    for pack in proposal.packs {
      for file in pack.files.joined() where tree.files[file].kind == .file { states[file] = .new }
    }
    // The selectors of manifests with one source root are compared together.
    var offsets: [ExistingPack.Offset] = []
    for pack in existing where !offsets.contains(pack.offset) { offsets.append(pack.offset) }
    for offset in offsets where offset != .apart {
      var reach = SourceReach(
        existing.filter { $0.offset == offset }.flatMap(\.manifest.fileSelectors))
      for file in tree.files.indices where tree.files[file].kind == .file {
        if file % 4096 == 0 { try work.checkCancellation() }
        guard let path = ExistingPack.path(of: tree.path(ofFile: file), offset) else { continue }
        switch reach.effect(on: path) {
        case .selected: states[file] = .packed
        case .excluded: if states[file] == .new { states[file] = .leftOut }
        case .none: break
        }
      }
    }
    ofPacks = proposal.packs.map { pack in
      pack.files.joined().filter { [states] in states[$0] == .new }
    }
  }
}
