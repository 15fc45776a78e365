/// The limits of App Store Connect for one app.
///
/// Apple changes these limits, so they have a date.
package struct DeliveryLimits: Sendable {
  /// The date of the limits, in ISO 8601.
  package let date: String
  /// The maximum number of packs.
  package let packs: Int
  /// The former maximum number of packs, which some of Apple's documents still contain.
  package let packsBefore: Int
  /// The maximum total size of the archives, in bytes.
  package let hostedBytes: Int
  /// The percentage of `hostedBytes` at which Apple sends a warning.
  package let hostedWarningPercent: Int

  package static let current = DeliveryLimits(
    date: "2026-11-01", packs: 200, packsBefore: 100, hostedBytes: 200_000_000_000,
    hostedWarningPercent: 80)
}
