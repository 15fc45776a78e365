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
