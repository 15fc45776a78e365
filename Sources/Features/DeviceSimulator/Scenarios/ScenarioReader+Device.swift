import BAPackKit
import SourceDiagnostics
import SystemIO

/// The properties of a device.
extension ScenarioReader {
  mutating func device(
    _ words: ArraySlice<ScenarioWord>, _ line: ScenarioLine
  ) throws(ScenarioMistake) -> DeviceProfile {
    guard !words.isEmpty else { throw mistake("expected a platform after 'device'", at: line.span) }
    var rest = words
    func value(_ key: ScenarioWord) throws(ScenarioMistake) -> ScenarioWord {
      guard let word = rest.popFirst() else {
        throw mistake("expected a value after '\(key.text)'", at: key.span)
      }
      return word
    }
    while let word = rest.popFirst() {
      switch DeviceKey(rawValue: word.text) {
      case .languages:
        let tags = rest.prefix {
          LanguageTag(locale: $0.text) != nil && DeviceKey(rawValue: $0.text) == nil
        }
        guard !tags.isEmpty else { throw mistake("expected a language", at: word.span) }
        profile.languages = try languages(tags, line)
        rest = rest.dropFirst(tags.count)
      case .primary: profile.primaryLanguage = try language(try value(word))
      case .free: profile.free = try size(try value(word))
      case .bandwidth:
        let rate = try value(word)
        guard let bytes = BitRate.bytesPerSecond(written: rate.text) else {
          throw mistake(
            "'\(rate.text)' is not a bandwidth; expected a value such as 50mbit or 500kbit",
            at: rate.span)
        }
        profile.bytesPerSecond = bytes
      case .channel: profile.channel = try channel(try value(word))
      case .essentialFailure:
        let given = try value(word)
        guard let failure = EssentialFailure(rawValue: given.text) else {
          throw mistake(
            "'\(given.text)' is not a consequence", given,
            of: EssentialFailure.allCases.map(\.rawValue))
        }
        profile.essentialFailure = failure
      case .otherwise:
        profile.otherwise = []
        repeat {
          profile.otherwise.insert(try rule(try value(word)))
        } while rest.first.map { word in
          SemanticRule.switchable.contains { $0.id == word.text }
        } ?? false
      case nil: try platformOrSystem(word)
      }
    }
    return profile
  }

  private mutating func platformOrSystem(_ word: ScenarioWord) throws(ScenarioMistake) {
    if let platform = Platform.allCases.first(where: { $0.rawValue == word.text }) {
      profile.platform = platform
    } else if let system = DeviceSystem(word.text) {
      profile.system = system
    } else if word.text.first?.isNumber ?? false {
      let systems = DeviceSystem.supported.map { "\($0)" }.joined(separator: " or ")
      throw mistake(
        "'\(word.text)' is not a supported system version; expected \(systems)", at: word.span)
    } else {
      throw mistake(
        "'\(word.text)' is not a property of a device", word,
        of: Platform.allCases.map(\.rawValue) + DeviceKey.allCases.map(\.rawValue))
    }
  }

  /// Returns the undocumented rule with an ID, if the simulator can play its other behavior.
  private func rule(_ word: ScenarioWord) throws(ScenarioMistake) -> SemanticRule {
    guard let rule = SemanticRule.switchable.first(where: { $0.id == word.text }) else {
      throw mistake(
        "'\(word.text)' is not a rule with another behavior", word,
        of: SemanticRule.switchable.map(\.id))
    }
    return rule
  }
}
