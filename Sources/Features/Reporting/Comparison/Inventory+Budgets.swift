package import BAPackKit
import SystemIO

extension Inventory {
  /// Returns the values that budgets limit; `update` is the largest update of any device.
  package func holdings(update: BudgetHoldings.Update? = nil) -> BudgetHoldings {
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
  /// The largest update of a device with all packs installed; nil if an archive is missing or may
  /// have changed.
  package var update: BudgetHoldings.Update? {
    guard !old.isMissing, costs.isKnown, costs.isOldKnown,
      !changes.contains(where: { $0.kind == .unknown })
    else {
      return nil
    }
    guard let row = costs.largestUpdate else { return .init([:]) }
    var sizes: [PackID: UInt64] = [:]
    for id in row.downloads { sizes[id] = new[id]?.downloadSize }
    return .init(
      sizes,
      on: CountedDevice(
        row.platform, row.language, row.fallback, among: old.offered + new.offered))
  }
}

extension BudgetHoldings.Update {
  /// Returns the largest update of some comparisons; nil if one is unknown.
  package static func largest(of comparisons: [Comparison]) -> Self? {
    let updates = comparisons.compactMap(\.update)
    guard updates.count == comparisons.count else { return nil }
    return updates.max { $0.size < $1.size }
  }

  private var size: UInt64 { packs.values.reduce(0) { $0.addingSaturated($1) } }
}
