/// A BCP 47 language tag as asset packs use it: language, optional script, optional region.
public struct LanguageTag: Sendable, Hashable {
  /// Two or three lower-case letters: `zh`.
  public var language: String
  /// Four letters, the first one upper case: `Hant`.
  public var script: String?
  /// Two upper-case letters or three digits: `TW`, `419`.
  public var region: String?

  /// Makes a tag from its subtags.
  public init(language: String, script: String? = nil, region: String? = nil) {
    self.language = language
    self.script = script
    self.region = region
  }

  /// Reads a tag; nil if it is malformed, or has more than language, script and region.
  ///
  /// Case does not matter and is corrected: `ZH-hant` is `zh-Hant`.
  public init?(_ text: String) {
    guard case .success(let written) = WrittenLanguageTag.parse(text), !written.hasUnderscore else {
      return nil
    }
    self = written.tag
  }
}

extension LanguageTag: CustomStringConvertible {
  /// The tag as it is written: `zh-Hant-TW`.
  public var description: String {
    [language, script, region].compactMap(\.self).joined(separator: "-")
  }
}
