package import BAPackKit

/// The choices of the user for a proposal.
package struct ProposalOptions: Sendable {
  /// The maximum download before the first launch in bytes, which core is chosen for.
  package var essentialLimit: UInt64 = 50_000_000
  /// The app's primary language; nil uses the project's settings.
  package var primaryLanguage: LanguageTag?
  /// The oldest major version of the systems that the app supports; nil uses the project's
  /// settings.
  package var oldestSystem: Int?
  /// The platforms of all packs; empty for all platforms.
  package var platforms: [Platform] = []
  /// The host of the packs.
  package var hosting: Hosting? = .apple
  /// Patterns of files that the packs do not contain, as in a `fileExclusion`.
  package var exclusions: [String] = []
  /// Patterns of files that the packs contain although the rules about names leave them out.
  package var inclusions: [String] = []
  /// Whether packs of languages are localized; otherwise the app chooses them.
  package var localizes = true
  /// Paths below the source root that the project itself writes, such as `Packs`.
  package var ownPaths: [String] = []
  /// The folders below the source root that contain outputs, such as `build`.
  package var outputPaths: [String] = []

  package init() {}
}
