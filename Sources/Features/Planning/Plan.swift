package import AssetHistory
package import BAPackKit
package import Reporting
package import SystemIO

/// Proposals for the borders of packs, from what changed in former releases.
///
/// A search sees the first part of the history. A proposal is offered only if it also saves
/// downloads in the rest.
package struct Plan: Sendable {
  /// The limits of a plan.
  package struct Options: Sendable {
    package var mostPacks = 200
    /// The IDs of packs that stay as they are.
    package var pinned: Set<String> = []
    /// The IDs that new packs must not have, in lowercase.
    package var takenIDs: Set<String> = []
    /// The devices that install each update; nil for one device with all packs.
    package var weights: InstallWeights?

    package init() {}
  }

  /// Packs with the same source root, and the history of their files.
  package struct Root: Sendable {
    /// The packs, by their indices.
    package var packs: [Int]
    /// The files below the source root, and the paths of files that no pack selects.
    ///
    /// All source roots have the same releases, at least two.
    package var history: AssetHistory
    /// The files in the source root now; new selectors must select some of them.
    package var present: Set<[UInt8]>

    package init(packs: [Int], history: AssetHistory, present: Set<[UInt8]>) {
      self.packs = packs
      self.history = history
      self.present = present
    }

    /// Replays those packs that have the source root; `source` is the index of a pack of today.
    func replay(
      _ packs: [(manifest: Manifest, source: Int)], measuredBy today: Inventory, _ work: Work
    ) throws(PackError) -> PackReplay {
      let own = packs.filter { self.packs.contains($0.source) }
      return try PackReplay(
        history, own.map { ($0.manifest, $0.manifest.assetPackID) }, measuredBy: today, work)
    }
  }

  /// The figures of today's packs or of a proposal.
  package struct Figures: Sendable, Equatable {
    package var packs: Int
    /// The downloads in all updates.
    package var updates: UInt64
    /// The downloads in the updates that the search did not see.
    package var unseen: UInt64
    /// The download of an installation before the app opens.
    package var firstLaunch: UInt64
  }

  /// A new or changed pack, with the facts that led to it.
  package struct Reason: Sendable, Equatable {
    package var pack: String
    /// The packs whose files it gets.
    package var parents: [String]
    package var selectors: [FileSelector]
    /// The size in the last release.
    package var size: UInt64
    /// The updates in which its files changed, and those in which the rest of the packs changed
    /// from which they come.
    package var changes: Int
    package var changesOfRest: Int
  }

  /// A pack that stays as it is.
  package struct FixedPack: Sendable, Equatable {
    package var pack: String
    package var reason: String
  }

  package struct Proposal: Sendable {
    package var name: String
    package var packs: PlannedPacks
    package var figures: Figures
    package var reasons: [Reason]
    /// The download of the update that introduces the proposal.
    package var transition: UInt64
    /// The number of files in new packs: released apps lack them until the app is updated, which
    /// is a breaking change.
    package var lackingFiles: Int
  }

  package internal(set) var releases: [String]
  package internal(set) var files: Int
  package internal(set) var today: Figures
  /// The packs of former releases as they were published; nil if they are unknown.
  package internal(set) var asReleased: Figures?
  /// The bytes that changed in all updates: a lower bound of the downloads.
  package internal(set) var changed: UInt64
  /// The proposals, in ascending order of savings.
  package internal(set) var proposals: [Proposal] = []
  /// The numbers of updates that the search saw and did not see.
  package internal(set) var seenUpdates: Int
  package internal(set) var unseenUpdates: Int
  /// The packs that stay as they are, with the reason.
  package internal(set) var fixed: [FixedPack] = []
  /// The number of proposals that save nothing in the updates that the search did not see.
  package internal(set) var overfitted = 0
  /// Whether the search was interrupted.
  package internal(set) var isInterrupted = false
  package internal(set) var notes: [String]
}

extension Plan {
  /// Searches for proposals.
  ///
  /// - Parameters:
  ///   - roots: The source roots of the packs; files move only between packs with the same one.
  ///   - manifests: Today's packs.
  ///   - today: The packs as they are, for the sizes of files in archives.
  ///   - released: The packs of former releases, the oldest first.
  ///   - search: The operation of the search: if it is stopped, the best results up to then count.
  ///   - faults: Returns the indices of today's packs whose changes cause findings.
  package init(
    _ roots: [Root], _ manifests: [Manifest], measuredBy today: Inventory, _ options: Options,
    released: [Inventory] = [], search: Work, _ work: Work,
    faults: (PlannedPacks) throws(PackError) -> Set<Int>
  ) throws(PackError) {
    let complete = roots.map { root in
      Root(
        packs: root.packs, history: root.history.adding(Array(root.present)), present: root.present)
    }
    let maker = try ProposalMaker(complete, manifests, measuredBy: today, options, work)
    self = maker.plan
    if released.count > 1 { asReleased = try maker.figures(of: released) }
    let (drafts, overfitted) = try maker.drafts(search, faults: faults)
    self.overfitted = overfitted
    for draft in drafts {
      let hasBetter = proposals.contains {
        $0.lackingFiles == 0 && $0.figures.updates <= draft.figures.updates
      }
      if hasBetter { continue }
      // The last name of equal packs is used.
      proposals.removeAll { $0.figures == draft.figures }
      proposals.append(draft)
    }
    isInterrupted = search.isStopped
  }
}
