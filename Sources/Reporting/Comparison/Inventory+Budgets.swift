package import BAPackKit
import SystemIO

extension Inventory {
  /// What is held against budgets; `update` says what of each pack players download again.
  package func holdings(update: [PackID: UInt64]? = nil) -> BudgetHoldings {
    BudgetHoldings(
      packs.map { pack in
        BudgetHoldings.Pack(
          id: pack.id, policy: pack.policy ?? .onDemand, platforms: pack.platforms,
          language: pack.language, archiveSize: pack.downloadSize,
          files: pack.contents?.budgetFiles)
      }, update: update)
  }
}

extension PackContents {
  /// The files as budgets see them.
  fileprivate var budgetFiles: BudgetHoldings.Files {
    { take in
      for index in 0..<count { take(self[index], size(at: index)) }
    }
  }
}

extension Comparison {
  /// How much of each pack comes with the update, for somebody who has every pack; nil where not
  /// all of them are packed, or one may have changed.
  package var update: [PackID: UInt64]? {
    guard !old.isMissing, costs.isKnown, costs.isOldKnown,
      !changes.contains(where: { $0.kind == .unknown })
    else {
      return nil
    }
    var sizes: [PackID: UInt64] = [:]
    for change in changes {
      guard let pack = change.new, let size = pack.downloadSize else { continue }
      let comesByItself = pack.policy.map { $0.time(on: .subsequentUpdate) != .onRequest } ?? false
      if change.isDownloadedAgain || change.kind == .added && comesByItself {
        sizes[change.id] = size
      }
    }
    return sizes
  }
}
