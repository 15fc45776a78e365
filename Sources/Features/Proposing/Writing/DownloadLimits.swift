import BAPackKit

/// The limits of downloads: today's sizes and a quarter more, as readable numbers.
struct DownloadLimits: Sendable {
  /// The downloads before the first launch of the device that needs the most; nil if it downloads
  /// nothing then.
  let essential: String?
  /// The packs of the device that is offered the most.
  let total: String
  /// All archives.
  let hosted: String

  init(of proposal: Proposal) {
    let costs = proposal.deviceCosts
    let essential = costs.map(\.beforeLaunch).max() ?? 0
    self.essential = essential > 0 ? Self.raised(essential) : nil
    total = Self.raised(costs.map(\.total).max() ?? 0)
    hosted = Self.raised(proposal.packs.map(\.offered.size).sum.download)
  }

  /// Returns five quarters of a size, rounded up to two digits: `52M`, `1.3G`, `130K`.
  static func raised(_ size: UInt64) -> String {
    let size = size.addingReportingOverflow(size / 4 + 1).partialValue
    let units: [(letter: String, size: UInt64)] = [
      ("T", 1_000_000_000_000), ("G", 1_000_000_000), ("M", 1_000_000), ("K", 1000),
    ]
    let unit = units.first { size >= $0.size } ?? units[3]
    // The number of tenths of the unit, rounded up to two digits.
    var tenths = size / (unit.size / 10) + (size % (unit.size / 10) > 0 ? 1 : 0)
    var digit = UInt64(1)
    while tenths / digit >= 100 { digit *= 10 }
    tenths = (tenths + digit - 1) / digit * digit
    return "\(tenths / 10)" + (tenths % 10 > 0 ? ".\(tenths % 10)" : "") + unit.letter
  }
}
