package import BAPackKit
import SystemIO

extension Inventory {
  /// Returns the values that budgets limit; `update` contains the bytes of each pack that devices
  /// download again.
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
  /// The files in the form that budgets use.
  fileprivate var budgetFiles: BudgetHoldings.Files {
    { take in
      for index in 0..<count { take(self[index], size(at: index)) }
    }
  }
}

extension Comparison {
  /// The bytes of each pack that the update downloads to a device with all packs installed; nil if
  /// an archive is missing or may have changed.
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
