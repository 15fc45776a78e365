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
  /// The manifest that selects each file; -1 if there is none.
  private(set) var owners: [Int32]
  /// The proposed pack of each file; -1 if there is none.
  private(set) var proposed: [Int32]
  /// The new files of each proposed pack.
  private(set) var ofPacks: [[Int]] = []
  /// The files that an exclusion of a manifest leaves out, by the index of the manifest.
  private(set) var excluded: [Excluded] = []

  /// New files that match an exclusion.
  struct Excluded: Sendable {
    var manifest: Int
    var exclusion: ExistingExclusion
    var files: [Int]
  }

  init(
    in tree: AssetTree, _ proposal: Proposal, besides existing: [ExistingPack],
    _ folders: FolderPaths, _ work: Work
  ) throws(PackError) {
    states = [State](repeating: .leftOut, count: tree.files.count)
    owners = [Int32](repeating: -1, count: tree.files.count)
    proposed = owners
    for (index, pack) in proposal.packs.enumerated() {
      for file in pack.files.joined() where tree.files[file].kind == .file {
        states[file] = .new
        proposed[file] = Int32(index)
      }
    }
    for (index, pack) in existing.enumerated() {
      for entry in pack.contents.entries where tree.files[entry].kind == .file {
        states[entry] = .packed
        if owners[entry] < 0 { owners[entry] = Int32(index) }
      }
    }
    try findExcluded(in: tree, existing, folders, work)
    ofPacks = proposal.packs.map { pack in
      pack.files.joined().filter { [states] in states[$0] == .new }
    }
  }

  /// Finds the new files that match an exclusion of a manifest.
  private mutating func findExcluded(
    in tree: AssetTree, _ existing: [ExistingPack], _ folders: FolderPaths, _ work: Work
  ) throws(PackError) {
    guard states.contains(.new) else { return }
    var all: [Excluded] = []
    for (index, pack) in existing.enumerated() {
      for exclusion in pack.exclusions {
        if let place = exclusion.place.flatMap(pack.offset.treePath),
          isPart(place, ofPackBesides: index, in: tree, folders)
        {
          continue
        }
        all.append(Excluded(manifest: index, exclusion: exclusion, files: []))
      }
    }
    guard !all.isEmpty else { return }
    for file in tree.files.indices where states[file] == .new {
      if file % 1024 == 0 { try work.checkCancellation() }
      let path = tree.path(ofFile: file)
      let match = all.firstIndex { excluded in
        existing[excluded.manifest].offset.path(of: path).map {
          excluded.exclusion.pattern.matchesPathOrFolder($0)
        } ?? false
      }
      guard let match else { continue }
      states[file] = .leftOut
      all[match].files.append(file)
    }
    excluded = all.filter { !$0.files.isEmpty }
  }

  /// Returns whether another manifest has files in an excluded folder: it is excluded because it
  /// belongs to that pack.
  private func isPart(
    _ folder: [UInt8], ofPackBesides manifest: Int, in tree: AssetTree, _ folders: FolderPaths
  ) -> Bool {
    guard let folder = folders[folder] else { return false }
    return tree.allFiles(of: folder).contains { owners[$0] >= 0 && owners[$0] != manifest }
  }
}
