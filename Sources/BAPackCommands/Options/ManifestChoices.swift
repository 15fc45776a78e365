import Arguments
import BAPackKit

/// Options that say what a new manifest says beside its files.
enum ManifestChoices {
  static let id = Option(
    "asset-pack-id", .text, called: "id", "The name under which the app asks for the pack.")
  static let essential = Flag(
    "essential", "Download while the app installs; the app opens when the pack is there.")
  static let prefetch = Flag(
    "prefetch", "Begin to download while the app installs, and go on behind it.")
  static let onDemand = Flag("on-demand", "Download when the app asks.")
  static let events = OptionList<InstallationEvent>(
    "installation-event-types", .choice, called: "event",
    "The installations that '--essential' or '--prefetch' applies to; both when left out.")
  static let platforms = OptionList<Platform>(
    "platforms", .choice, called: "platform",
    "Where the pack is offered; everywhere when left out.")
  static let language = Option(
    "language", short: "l", .language, called: "tag",
    "The language of a localized pack, such as 'zh-Hant'.")

  /// All of them, in the order of the help.
  static let all: [any TypedParameter] = [
    id, essential, prefetch, onDemand, events, platforms, language,
  ]
  /// Of which only one may be given.
  static let policies: [any TypedParameter] = [essential, prefetch, onDemand]

  /// The policy that was chosen; nil if none was.
  static func policy(_ arguments: ParsedArguments) throws(UsageError) -> DownloadPolicy? {
    let given = Set(arguments[events])
    let events = given.isEmpty ? Set(InstallationEvent.allCases) : given
    if arguments[essential] { return .essential(events) }
    if arguments[prefetch] { return .prefetch(events) }
    if !given.isEmpty {
      throw UsageError(
        "'--installation-event-types' goes with '--essential' or '--prefetch' only")
    }
    return arguments[onDemand] ? .onDemand : nil
  }
}

extension ValueType where Value == LanguageTag {
  fileprivate static var language: Self {
    Self { word throws(InvalidValue) in
      guard let tag = LanguageTag(word) else {
        throw InvalidValue(
          "a language with an optional script and region is needed, such as 'zh-Hant-TW'")
      }
      return tag
    }
  }
}
