/// What App Store Connect accepts from one app.
///
/// Apple publishes these numbers and changes them, so they are data with a date.
package struct DeliveryLimits: Sendable {
  /// The day on which the numbers were read, as ISO 8601 writes it.
  package let date: String
  /// How many packs an app may have.
  package let packs: Int
  /// How many packs an app could have before; some of Apple's documents still say so.
  package let packsBefore: Int
  /// The most bytes that all packs of an app may have together, compressed.
  package let hostedBytes: Int
  /// The percentage of `hostedBytes` from which on Apple sends a warning.
  package let hostedWarningPercent: Int

  /// The numbers as they are known today.
  package static let current = DeliveryLimits(
    date: "2026-11-01", packs: 200, packsBefore: 100, hostedBytes: 200_000_000_000,
    hostedWarningPercent: 80)
}

/// The space that App Store Connect gives the packs of one app, as they take it.
struct HostedSpace {
  /// How many bytes there are.
  let limit: UInt64
  private var packs = PackSize()

  /// How many bytes the packs take.
  var taken: UInt64 { packs.download }

  init(_ limits: DeliveryLimits) { limit = UInt64(limits.hostedBytes) }

  /// Takes the space of a pack, and says whether that was the one with which the limit was passed.
  mutating func take(_ size: PackSize) -> Bool {
    let before = taken
    packs = packs + size
    return before <= limit && taken > limit
  }
}
