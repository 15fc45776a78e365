/// What App Store Connect accepts from one app.
///
/// Apple publishes these numbers and changes them, so they are data with a date.
public struct DeliveryLimits: Sendable {
  /// The day on which the numbers were read, as ISO 8601 writes it.
  public let date: String
  /// How many packs an app may have.
  public let packs: Int
  /// How many packs an app could have before; some of Apple's documents still say so.
  public let packsBefore: Int
  /// The most bytes that all packs of an app may have together, compressed.
  public let hostedBytes: Int
  /// The percentage of `hostedBytes` from which on Apple sends a warning.
  public let hostedWarningPercent: Int

  /// The numbers as they are known today.
  public static let current = DeliveryLimits(
    date: "2026-11-01", packs: 200, packsBefore: 100, hostedBytes: 200_000_000_000,
    hostedWarningPercent: 80)
}
