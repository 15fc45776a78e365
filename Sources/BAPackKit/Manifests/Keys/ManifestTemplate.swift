import SourceDiagnostics

/// A manifest to begin with: what is known is filled in, what is not is a placeholder.
public struct ManifestTemplate: Sendable {
  /// The ID; a placeholder without it.
  public var assetPackID: String?
  /// The policy; an essential one without it.
  public var downloadPolicy: DownloadPolicy?
  /// The selectors; one of each kind, as placeholders and comments, without any.
  public var fileSelectors: [FileSelector] = []
  /// The platforms; all of them without it.
  public var platforms: [Platform]?
  /// The language of a localized pack.
  public var language: LanguageTag?
  /// Where editors find the schema; written only on request.
  public var schema: String?
  /// A last sentence for the first comment: what a program can do with the file.
  public var advice: String?

  /// A template in which nothing is filled in.
  public init() {}

  /// Whether anything is filled in: then the text shows only what the manifest needs.
  public var isFilled: Bool {
    assetPackID != nil || downloadPolicy != nil || !fileSelectors.isEmpty || platforms != nil
      || language != nil
  }

  /// The manifest as strict JSON, without comments.
  public var strictJSON: String { JSONWriter.string(value) }

  /// The manifest with comments that teach its keys.
  public var text: String {
    var writer = TemplateWriter()
    if !isFilled {
      writer.comment(
        "What is in an asset pack, and when devices download it. Comments like this one and "
          + "commas behind the last element may stay." + (advice.map { " " + $0 } ?? ""))
    }
    writer.line("{")
    writer.level += 1
    if let schema {
      writer.line("\"$schema\": \(TemplateWriter.onOneLine(.string(schema))),")
      if !isFilled { writer.line("") }
    }
    for (number, key) in keys.enumerated() {
      if number > 0, !isFilled { writer.line("") }
      writer.comment(([key.summary] + (isFilled ? [] : key.details)).joined(separator: " "))
      write(key, to: &writer)
    }
    writer.level -= 1
    writer.line("}")
    return writer.text
  }

  private var keys: [JSONKey] {
    ManifestKeys.root.filter { key in
      switch key.presence {
      case .required: true
      case .optional: isFilled ? key.name == "language" && language != nil : true
      case .ignored: false
      }
    }
  }

  private func write(_ key: JSONKey, to writer: inout TemplateWriter) {
    switch key.name {
    case "downloadPolicy": writePolicy(to: &writer)
    case "fileSelectors": writeSelectors(to: &writer)
    default:
      let value = members.first { $0.key == key.name }?.value
      let text = value.map { TemplateWriter.onOneLine($0) } ?? key.example
      // What nobody needs at first is there to be uncommented.
      writer.line("\(value == nil ? "// " : "")\"\(key.name)\": \(text),")
    }
  }

  private func writePolicy(to writer: inout TemplateWriter) {
    if !isFilled {
      for policy in ManifestKeys.policies {
        writer.comment("\"\(policy.name)\": \(policy.summary)", indent: "  ")
      }
    }
    guard case .object(let policies) = policyValue, let policy = policies.first else { return }
    guard case .object(let events) = policy.value, let list = events.first else {
      writer.line("\"downloadPolicy\": {\"\(policy.key)\": {}},")
      return
    }
    writer.line("\"downloadPolicy\": {")
    writer.level += 1
    writer.line("\"\(policy.key)\": {")
    writer.level += 1
    if !isFilled { writer.comment(ManifestKeys.events.summary) }
    writer.line("\"\(list.key)\": \(TemplateWriter.onOneLine(list.value)),")
    writer.level -= 1
    writer.line("},")
    writer.level -= 1
    writer.line("},")
  }

  private func writeSelectors(to writer: inout TemplateWriter) {
    writer.line("\"fileSelectors\": [")
    writer.level += 1
    if fileSelectors.isEmpty {
      for keys in ManifestKeys.selectors {
        let members = keys.map { "\"\($0.name)\": \($0.example)" }.joined(separator: ", ")
        let isExample = !keys.allSatisfy { $0.example.contains("[Path to") }
        if !isFilled {
          writer.comment(keys.map(\.summary).joined(separator: " "))
        } else if isExample {
          continue
        }
        writer.line("\(isExample ? "// " : ""){\(members)},")
      }
    } else {
      for selector in fileSelectors {
        writer.line("\(TemplateWriter.onOneLine(selector.jsonValue)),")
      }
    }
    writer.level -= 1
    writer.line("],")
  }

  /// What is not a comment.
  private var value: JSONValue { .object(members) }

  private var policyValue: JSONValue {
    (downloadPolicy ?? .essential(Set(InstallationEvent.allCases))).jsonValue
  }

  private var members: [JSONValue.Member] {
    let placeholders: [FileSelector] = [
      .file(Placeholder.file), .directory(Placeholder.folder),
    ]
    let selectors = fileSelectors.isEmpty ? placeholders : fileSelectors
    let platforms = platforms ?? Platform.allCases
    var members: [JSONValue.Member] = schema.map { [.init("$schema", .string($0))] } ?? []
    members += [
      .init("assetPackID", .string(assetPackID ?? Placeholder.id)),
      .init("downloadPolicy", policyValue),
      .init("fileSelectors", .array(selectors.map(\.jsonValue))),
      .init("platforms", .array(platforms.map { .string($0.rawValue) })),
    ]
    if let language { members.append(.init("language", .string(language.description))) }
    return members
  }
}

/// Lines with indentation, and comments that keep to the width of a page.
private struct TemplateWriter {
  private static let width = 96
  var text = ""
  var level = 0

  private var indentation: String { String(repeating: "  ", count: level) }

  mutating func line(_ line: String) { text += line.isEmpty ? "\n" : indentation + line + "\n" }

  /// A comment of several words, with a deeper indentation for what belongs to a list.
  mutating func comment(_ comment: String, indent: String = "") {
    var current = "// \(indent)"
    var isEmpty = true
    for word in comment.split(separator: " ") {
      if !isEmpty, indentation.count + current.count + 1 + word.count > Self.width {
        line(current)
        current = "// \(indent)\(indent)"
        isEmpty = true
      }
      current += isEmpty ? String(word) : " \(word)"
      isEmpty = false
    }
    line(current)
  }

  /// A value with a space behind each colon and comma.
  static func onOneLine(_ value: JSONValue) -> String {
    switch value {
    case .array(let elements): "[\(elements.map(onOneLine).joined(separator: ", "))]"
    case .object(let members):
      "{"
        + members.map { "\(onOneLine(.string($0.key))): \(onOneLine($0.value))" }
        .joined(separator: ", ") + "}"
    default: JSONWriter.string(value, .compact)
    }
  }
}
