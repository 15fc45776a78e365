package import BAPackKit

/// All rules about what is converted, for `explain`, the reference and SARIF.
package enum ConvertingRules {
  /// Every rule, in the order of the reference.
  package static let all: [Rule] =
    ConversionRules.all + SteamRules.all + SteamFileRules.all + OnDemandRules.all
}
