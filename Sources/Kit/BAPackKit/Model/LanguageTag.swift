/// A BCP 47 language tag with a language, an optional script and an optional region.
public struct LanguageTag: Sendable, Hashable {
  /// Two or three lower-case letters: `zh`.
  public var language: String
  /// Four letters, the first one upper case: `Hant`.
  public var script: String?
  /// Two upper-case letters or three digits: `TW`, `419`.
  public var region: String?

  /// Creates a tag from its subtags.
  public init(language: String, script: String? = nil, region: String? = nil) {
    self.language = language
    self.script = script
    self.region = region
  }

  /// Creates a tag from a text; nil if it is malformed or contains other subtags.
  ///
  /// The case is corrected: `ZH-hant` is `zh-Hant`.
  public init?(_ text: String) {
    guard case .success(let written) = WrittenLanguageTag.parse(text), !written.hasUnderscore else {
      return nil
    }
    self = written.tag
  }
}

extension LanguageTag: CustomStringConvertible {
  /// The text of the tag: `zh-Hant-TW`.
  public var description: String {
    [language, script, region].compactMap(\.self).joined(separator: "-")
  }
}
