import BAPackKit
import Converting
import DeviceSimulator
import Reporting
import SourceDiagnostics

extension Rule {
  /// The severity of a finding for each host, and whether `validate --fix` can correct it.
  var weightInWords: [String] {
    let first =
      switch weight {
      case .always(let severity): severity.rawValue.capitalised
      case .usually(let severity, _, _): severity.rawValue.capitalised
      case .byHost:
        "By host: "
          + Self.hosts.map { hosting, name in
            "\(severity(for: hosting)?.rawValue ?? "nothing") (\(name))"
          }.joined(separator: ", ")
      }
    let other =
      exception.map {
        "; \($0.severity == .error ? "an" : "a") \($0.severity.rawValue) when \($0.when)"
      } ?? ""
    return [first + other + ".", mendingInWords + "."]
  }

  private static let hosts: [(Hosting?, String)] = [
    (nil, "no host named"), (.apple, "'--hosting apple'"), (.selfHosted, "'--hosting self'"),
  ]

  private var mendingInWords: String {
    switch mending {
    case .safe: "'ba-package validate --fix' mends it where only one thing can be meant"
    case .unsafe: "'ba-package validate --fix --unsafe' does what is probably meant"
    case .shownOnly: "Nothing but a person can mend it"
    }
  }

  /// The whole text about the rule, which `explain` prints.
  var explanation: String {
    var text =
      "\(id.name)\n\n\(what)\n\n\(whyInWords)\n\n\(weightInWords.joined(separator: "\n"))\n\nWrong"
    if let hosting = example.hosting { text += " with '--hosting \(hosting.rawValue)'" }
    text += ":\n\n\(indented(example.wrong))\n\nRight:\n\n\(indented(example.right))\n"
    return text
  }

  /// Why it matters, and what can be done with this program's options.
  var whyInWords: String {
    if remedies.isEmpty { return why }
    return why + " What helps: " + remedies.map(\.words).joined(separator: ", or ") + "."
  }

  private func indented(_ text: String) -> String {
    text.split(separator: "\n").map { "    \($0)" }.joined(separator: "\n")
  }

  /// The same for programs.
  var json: JSONValue {
    func severity(_ hosting: Hosting?) -> JSONValue {
      self.severity(for: hosting).map { .string($0.rawValue) } ?? .null
    }
    var example: [JSONValue.Member] = [
      .init("wrong", .string(self.example.wrong)), .init("right", .string(self.example.right)),
    ]
    if let hosting = self.example.hosting {
      example.append(.init("hosting", .string(hosting.rawValue)))
    }
    var severities: [JSONValue.Member] = [
      .init("noHost", severity(nil)), .init("apple", severity(.apple)),
      .init("self", severity(.selfHosted)),
    ]
    if let exception {
      severities += [
        .init("exception", .string(exception.severity.rawValue)),
        .init("when", .string(exception.when)),
      ]
    }
    return .object([
      .init("id", .string(id.name)), .init("summary", .string(what)),
      .init("reason", .string(whyInWords)),
      .init("severity", .object(severities)), .init("fix", .string(mending.word)),
      .init("example", .object(example)),
      .init("address", .string(address)),
    ])
  }

  /// Its address in the reference: the anchor is its ID without the dots.
  fileprivate var address: String {
    "https://github.com/OWNER/ba-package/blob/main/FINDINGS.md#\(id.name.filter { $0 != "." })"
  }
}

extension String {
  fileprivate var capitalised: String { prefix(1).uppercased() + dropFirst() }
}

extension Fix.Grade {
  /// The word for it in reports for programs.
  fileprivate var word: String {
    switch self {
    case .safe: "safe"
    case .unsafe: "unsafe"
    case .shownOnly: "none"
    }
  }
}

/// The rules of all that the program does, from the rooms that they stand in.
enum Rulebook {
  /// Every rule, in the order of the reference.
  static let all: [Rule] =
    RuleCatalogue.all + ScenarioRules.all + ConvertingRules.all
    + ChangeRules.all

  /// The rule with an ID.
  static func rule(_ id: Finding.ID) -> Rule? { all.first { $0.id == id } }

  /// The ID that an unknown name was probably meant to be.
  static func nearest(to name: String) -> String? {
    Spelling.nearest(to: name, among: all.map(\.id.name))
  }

  /// A renderer of SARIF logs that knows some of them.
  static func sarif(
    version: String, of rules: [Rule], for hosting: Hosting? = nil, isWhole: Bool,
    place: @escaping (String) -> String
  ) -> SARIFRenderer {
    SARIFRenderer(
      tool: "ba-package", version: version,
      rules: rules.map { rule in
        .init(
          id: rule.id, level: rule.severity(for: hosting) ?? rule.greatestSeverity,
          summary: rule.what, reason: rule.whyInWords, help: rule.explanation, address: rule.address
        )
      }, isWhole: isWhole, place: place)
  }

  /// The reference of all findings, as Markdown.
  static var reference: String {
    var text = """
      # Findings

      Everything that `ba-package` can find wrong, as `ba-package explain` tells it.

      """
    for rule in all {
      let weight = rule.weightInWords.joined(separator: " ").replacing("'", with: "`")
      text += "\n## \(rule.id.name)\n\n\(weight)\n\n\(rule.what)\n\n\(rule.whyInWords)\n"
      let hosting = rule.example.hosting.map { " with `--hosting \($0.rawValue)`" } ?? ""
      text += "\nWrong\(hosting):\n\n```json5\n\(rule.example.wrong)\n```\n"
      text += "\nRight:\n\n```json5\n\(rule.example.right)\n```\n"
    }
    return text
  }
}
