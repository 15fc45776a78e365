import Arguments
import BAPackKit

/// The options for the members of a new manifest, except its files.
enum ManifestChoices {
  static let id = Option(
    "asset-pack-id", .text, called: "id", in: .manifest,
    "Set the asset pack ID; the app requests packs by ID.")
  static let essential = Flag(
    "essential", in: .manifest, "Download during installation; the app opens afterwards.")
  static let prefetch = Flag(
    "prefetch", in: .manifest, "Start the download during installation.",
    details: "The download continues in the background when the app is open.")
  static let onDemand = Flag(
    "on-demand", in: .manifest, "Download only when the app requests the pack.")
  static let events = OptionList<InstallationEvent>(
    "installation-event-types", .choice, called: "event", in: .manifest,
    "Apply the policy to these installations (default: all).",
    details: "Requires '--essential' or '--prefetch'.")
  static let platforms = OptionList<Platform>(
    "platforms", .choice, called: "platform", in: .manifest,
    "Offer the pack on these platforms (default: all).")
  static let language = Option(
    "language", short: "l", .language, called: "tag", in: .manifest,
    "Set the language of a localized pack, such as zh-Hant.")

  /// All of them, in the order of the help.
  static let all: [any TypedParameter] = [
    id, essential, prefetch, onDemand, events, platforms, language,
  ]
  /// The policies; only one may be given.
  static let policies: [any TypedParameter] = [essential, prefetch, onDemand]

  /// Returns the chosen policy; nil if there is none.
  static func policy(_ arguments: ParsedArguments) throws(UsageError) -> DownloadPolicy? {
    let given = Set(arguments[events])
    let events = given.isEmpty ? Set(InstallationEvent.allCases) : given
    if arguments[essential] { return .essential(events) }
    if arguments[prefetch] { return .prefetch(events) }
    if !given.isEmpty {
      throw UsageError(
        "'--installation-event-types' requires '--essential' or '--prefetch'")
    }
    return arguments[onDemand] ? .onDemand : nil
  }
}

extension ValueType where Value == LanguageTag {
  fileprivate static var language: Self {
    Self { word throws(InvalidValue) in
      guard let tag = LanguageTag(word) else {
        throw InvalidValue(
          "expected a language with an optional script and region, such as 'zh-Hant-TW'")
      }
      return tag
    }
  }
}
