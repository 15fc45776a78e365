package import SourceDiagnostics
import SystemIO
import TerminalText

/// An element of a build setting's value, with its place in the project.
package struct SettingElement: Equatable {
  package var text: String
  package var span: SourceSpan

  package init(text: String, span: SourceSpan) {
    self.text = text
    self.span = span
  }
}

/// The name of a build setting, and the conditions under which its value applies.
package struct SettingKey: Equatable {
  package struct Condition: Equatable {
    package var parameter: String
    package var pattern: String
  }

  package var name: String
  package var conditions: [Condition] = []

  /// Parses `KEY[sdk=iphoneos*][config=Release]`; nil for other texts.
  package init?(_ text: some StringProtocol) {
    var rest = text[...]
    name = String(rest.prefix { $0 != "[" }).trimmingBlanks
    rest = rest.drop { $0 != "[" }
    guard Self.isName(name) else { return nil }
    while rest.first == "[" {
      let condition = rest.dropFirst().prefix { $0 != "]" }
      let parts = condition.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, condition.endIndex < rest.endIndex else { return nil }
      conditions.append(
        Condition(parameter: String(parts[0]).trimmingBlanks, pattern: String(parts[1])))
      rest = rest[condition.endIndex...].dropFirst().drop { $0 == " " || $0 == "\t" }
    }
    guard rest.isEmpty else { return nil }
  }

  /// Returns the name in a text that is one reference to a setting: `$(KEY)` or `${KEY}`.
  static func reference(_ text: String) -> String? {
    for (open, close) in [("$(", ")"), ("${", "}")] where text.hasPrefix(open) {
      let name = text.dropFirst(2).dropLast()
      if text.hasSuffix(close), isName(name) { return String(name) }
    }
    return nil
  }

  /// Whether a text is a valid name of a setting.
  package static func isName(_ text: some StringProtocol) -> Bool {
    text.utf8.first?.isDigit == false
      && text.utf8.allSatisfy { $0.isLetterOrDigit || $0 == UInt8(ascii: "_") }
  }
}

/// A value of a build setting in a project or in a settings file.
package struct SettingAssignment {
  package var key: SettingKey
  /// The value; a list has several texts.
  package var texts: [String]
  /// The place in the project of the value or of the file's name.
  package var span: SourceSpan
  /// The place in a settings file.
  package var place: (source: SourceText, span: SourceSpan)?
}

/// The reason why a build setting cannot be evaluated.
package struct SettingFault: Error {
  package var assignment: SettingAssignment
  package var reason: Finding.Message
}

extension XcodeProject {
  /// The settings of a target and of its project, with the files of both.
  package struct Settings {
    /// The name of the configuration: `Release`.
    package var name: String
    /// The layers with values, from the target's settings to the outermost.
    package var layers: [Layer]
    /// The values that Xcode sets before it reads any settings.
    package var known: [String: String] = [:]
    /// The SDK for which conditions are evaluated.
    package var sdk = "iphoneos"

    package enum Layer {
      case project(PlacedValue)
      case file(SettingsFile)
    }

    /// The settings files that could not be read.
    package var unread: [SettingsFile] {
      layers.flatMap { layer -> [SettingsFile] in
        switch layer {
        case .project: []
        case .file(let file): file.elements == nil ? [file] : file.unreadIncludes
        }
      }
    }

    /// The lines of settings files that cannot be parsed.
    package var malformed: [SettingsFile.MalformedLine] {
      layers.flatMap { layer -> [SettingsFile.MalformedLine] in
        switch layer {
        case .project: []
        case .file(let file): file.malformed
        }
      }
    }

    /// The value of a setting; empty for one that cannot be evaluated.
    package subscript(_ key: String) -> [SettingElement] { (try? elements(of: key)) ?? [] }

    /// Whether any layer contains a value for a setting, with or without conditions.
    package func assigns(_ key: String) -> Bool { !assignments(of: key).isEmpty }

    /// Returns the value of a setting, with inherited values.
    package func elements(of key: String) throws(SettingFault) -> [SettingElement] {
      var evaluation = SettingEvaluation(self)
      return try evaluation.elements(of: key)
    }

    /// Returns the values of all settings from the strongest to the weakest, with or without
    /// conditions.
    package func assignments() -> [String: [SettingAssignment]] {
      var found: [String: [SettingAssignment]] = [:]
      for layer in layers {
        switch layer {
        case .project(let settings):
          var own: [(text: String, value: SettingAssignment)] = []
          for member in settings.members {
            guard let key = SettingKey(member.key) else { continue }
            let texts = member.value.texts.map(\.text)
            own.append(
              (member.key, SettingAssignment(key: key, texts: texts, span: member.value.span)))
          }
          // A value with a condition precedes one without, in any order; of equal keys, the last
          // applies.
          let order = own.indices.sorted { (own[$0].text, $0) > (own[$1].text, $1) }
          for index in order {
            found[own[index].value.key.name, default: []].append(own[index].value)
          }
        case .file(let file):
          for (name, values) in file.elements ?? [:] {
            found[name, default: []] += values.reversed()
          }
        }
      }
      return found
    }

    /// Returns the values of a setting from the strongest to the weakest, with or without
    /// conditions.
    package func assignments(of name: String) -> [SettingAssignment] { assignments()[name] ?? [] }
  }

  /// Returns the configurations of a target; the first is the one with which apps are published.
  package func settings(of target: Object, named project: String, in folder: ResourceFolder)
    -> [Settings]
  {
    let ofProject = object(root["buildConfigurationList"])
    // A target without configurations uses those of the project.
    let list = object(target["buildConfigurationList"]) ?? ofProject
    let targetName = target["name"]?.text ?? ""
    let all = objects(list?["buildConfigurations"]).map { configuration in
      let name = configuration["name"]?.text ?? ""
      let outer = objects(ofProject?["buildConfigurations"]).first {
        $0["name"]?.text == name && $0.id != configuration.id
      }
      var layers: [Settings.Layer] = []
      for object in [configuration, outer].compactMap(\.self) {
        if let own = object["buildSettings"] { layers.append(.project(own)) }
        if let file = file(of: object, in: folder) { layers.append(.file(file)) }
      }
      return Settings(
        name: name, layers: layers,
        known: [
          "TARGET_NAME": targetName, "TARGETNAME": targetName, "PRODUCT_NAME": targetName,
          "PROJECT_NAME": project, "PROJECT": project, "CONFIGURATION": name,
        ])
    }
    let published = list?["defaultConfigurationName"]?.text ?? "Release"
    return all.filter { $0.name == "Release" }
      + all.filter { $0.name != "Release" && $0.name == published }
      + all.filter { $0.name != "Release" && $0.name != published }
  }

  /// Returns the file that a configuration is based on; nil for none.
  private func file(of configuration: Object, in folder: ResourceFolder) -> SettingsFile? {
    if let reference = configuration["baseConfigurationReference"] {
      let object = object(reference)
      return SettingsFile(
        at: object.flatMap { place(of: $0) }, named: object?["path"]?.text ?? "",
        span: reference.span, in: folder)
    }
    // A file in a synchronized folder is not an object.
    guard let path = configuration["baseConfigurationReferenceRelativePath"], let text = path.text
    else { return nil }
    let around = object(configuration["baseConfigurationReferenceAnchor"])
    return SettingsFile(
      at: around.flatMap { place(of: $0) }?.appending(FilePath(text)), named: text,
      span: path.span, in: folder)
  }
}

/// Splits a value into elements: blanks separate them, and quotes keep blanks.
package struct SettingElements {
  private var elements: [String] = []
  private var word = ""
  private var isOpen = false
  private var quote: Character?
  private var isEscaped = false

  /// Whether the next character is inside quotes.
  package var isQuoted: Bool { quote != nil }
  /// Whether the previous character is a backslash.
  package var escapesNext: Bool { isEscaped }

  package mutating func add(_ character: Character) {
    if isEscaped {
      word.append(character)
      isEscaped = false
    } else if character == "\\" {
      isEscaped = true
      isOpen = true
    } else if let open = quote {
      if character == open { quote = nil } else { word.append(character) }
    } else if character == "\"" || character == "'" {
      quote = character
      isOpen = true
    } else if character.isWhitespace {
      endWord()
    } else {
      word.append(character)
    }
  }

  /// Adds the elements of another setting: the first one continues the current element.
  package mutating func add(_ others: [String]) {
    if isQuoted {
      word += others.joined(separator: " ")
      return
    }
    for (index, other) in others.enumerated() {
      if index > 0 { endWord() }
      word += other
      isOpen = true
    }
  }

  private mutating func endWord() {
    if isOpen || !word.isEmpty { elements.append(word) }
    word = ""
    isOpen = false
  }

  package mutating func finished() -> [String] {
    endWord()
    return elements
  }
}

extension String {
  /// The text without blanks at its ends.
  fileprivate var trimmingBlanks: String {
    var text = self[...]
    while text.first?.isWhitespace == true { text.removeFirst() }
    while text.last?.isWhitespace == true { text.removeLast() }
    return String(text)
  }
}
