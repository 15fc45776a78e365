package import AssetHistory
package import BAPackKit
package import Reporting
package import SystemIO

/// Proposals for the borders of packs, from what changed in former releases.
///
/// A search sees the first part of the history. A proposal is offered only if it also saves
/// downloads in the rest.
package struct Plan: Sendable {
  /// What a plan may change.
  package struct Options: Sendable {
    package var mostPacks = 200
    /// The IDs of packs that stay as they are.
    package var pinned: Set<String> = []
    /// The devices that install each update; nil for one device with all packs.
    package var weights: InstallWeights?

    package init() {}
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

  package struct Proposal: Sendable {
    package var name: String
    package var packs: PlannedPacks
    package var figures: Figures
    package var reasons: [Reason]
    /// The download of the update that introduces the proposal.
    package var transition: UInt64
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
  package internal(set) var fixed: [(pack: String, reason: String)] = []
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
  ///   - history: The files below the source root of all packs, in at least two releases.
  ///   - manifests: Today's packs.
  ///   - today: The packs as they are, for the sizes of files in archives.
  ///   - released: The packs of former releases, the oldest first.
  ///   - search: The operation of the search: if it is stopped, the best results so far count.
  package init(
    _ history: AssetHistory, _ manifests: [Manifest], measuredBy today: Inventory,
    _ options: Options, released: [Inventory] = [], search: Work, _ work: Work
  ) throws(PackError) {
    let maker = try ProposalMaker(history, manifests, measuredBy: today, options, work)
    self = maker.plan
    if released.count > 1 { asReleased = try maker.figures(of: released) }
    for draft in try maker.drafts(search) {
      guard draft.figures.updates < self.today.updates else { continue }
      if unseenUpdates > 0, draft.figures.unseen >= self.today.unseen {
        overfitted += 1
        continue
      }
      if proposals.contains(where: { $0.figures.updates <= draft.figures.updates }) { continue }
      proposals.append(draft)
    }
    isInterrupted = search.isStopped
  }
}
