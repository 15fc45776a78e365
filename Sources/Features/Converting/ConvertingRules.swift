package import BAPackKit

/// All rules of conversions, for `explain`, the reference and SARIF.
package enum ConvertingRules {
  /// The rules in the order of the reference.
  package static let all: [Rule] =
    ConversionRules.all + SteamRules.all + SteamFileRules.all + OnDemandRules.all
}
