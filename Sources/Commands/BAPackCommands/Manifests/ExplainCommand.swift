import Arguments
import BAPackKit
import SourceDiagnostics
import TerminalText

/// `explain`: prints the long explanation of a finding, or a list of all findings.
struct ExplainCommand: Subcommand {
  private static let name = Argument(
    "id",
    ValueType<String>(completion: .words(Rulebook.all.map(\.id.name))) {
      name throws(InvalidValue) in name
    },
    isRequired: false, "The ID of a finding, for example files.missing (default: list all).")

  static let definition = Command(
    "explain", overview: "Explain a finding.",
    discussion: [
      """
      Prints the problem, the reason why it matters, the severity for each hosting, whether there \
      is an automatic fix, and an example. If the project file sets severities for the finding, \
      they are also printed.
      """,
      DocumentName.explain.described("With '--format json', prints one object a line"),
    ],
    [name] + ProjectOptions.all + [ReportFormat.option],
    exclusive: [ProjectOptions.exclusive],
    examples: [
      Term("ba-package explain selector.half-pair", "Explain one finding."),
      Term("ba-package explain --format json", "Print all findings for a script."),
    ])

  private let rule: Rule?
  private let project: ProjectOptions
  private let format: ReportFormat

  init(_ arguments: ParsedArguments) throws(UsageError) {
    format = arguments[ReportFormat.option]
    project = ProjectOptions(arguments)
    guard let name = arguments[Self.name] else {
      rule = nil
      return
    }
    rule = Rulebook.rule(Finding.ID(stringLiteral: name))
    if rule == nil {
      let near = Rulebook.nearest(to: name).map { ". Did you mean '\($0)'?" }
      throw UsageError(
        "Unknown finding '\(name)'\(near ?? "")",
        hint: near == nil ? "'ba-package explain' without an ID lists all findings" : nil)
    }
  }

  func run(_ console: Console) throws(PackError) -> ExitStatus {
    // Without a readable project file, the explanation is still correct.
    let project =
      self.project.place?.isNamed ?? false
      ? try self.project.opened(console)
      : (try? self.project.opened(console)) ?? ProjectRun(self.project)
    if format == .json {
      for rule in rule.map({ [$0] }) ?? Rulebook.all {
        let explained = ExplainedRule(rule: rule, levels: levels(of: rule, in: project))
        console.result(json: explained)
      }
    } else if let rule {
      // Indented lines are examples, which are not wrapped.
      for line in rule.explanation.split(separator: "\n", omittingEmptySubsequences: false)
        .dropLast()
      {
        let lines = line.hasPrefix(" ") ? [] : wrap(String(line), to: console.output.columns)
        console.result(lines.isEmpty ? String(line) : lines.joined(separator: "\n"))
      }
      for level in levels(of: rule, in: project) {
        console.result("")
        for line in wrap(level.sentence, to: console.output.columns) { console.result(line) }
      }
    } else {
      var table = TextTable()
      for rule in Rulebook.all { table.add(rule.id.name, rule.what) }
      for line in table.lines { console.result(line) }
    }
    return .done
  }

  /// Returns the levels that the project sets for the findings of a rule, in ascending order of
  /// priority.
  private func levels(of rule: Rule, in project: ProjectRun) -> [FindingSetting] {
    guard CheckedRules.all.contains(where: { $0.id == rule.id }) else { return [] }
    return project.policy.settings.filter {
      $0.names(rule.id) && !rule.refuses($0.level, for: project.settings[\.hosting]?.value)
    }
  }
}

/// A rule, and the levels of its findings in the project.
struct ExplainedRule: Described {
  fileprivate let rule: Rule
  fileprivate let levels: [FindingSetting]

  static let table = Table<Self>(written: "an explained rule") {
    Key(inlined: \.rule, of: Rule.table)
    Key(
      "levels", written: { $0.levels.isEmpty ? nil : $0.levels },
      .list(of: .object(FindingSetting.table)),
      "The severities that the project sets for the finding. The last one that matches applies.")
  }
}

extension FindingSetting {
  /// The level and its place, as a sentence.
  fileprivate var sentence: String {
    var text = "In this project: \(level.rawValue)"
    if !paths.isEmpty { text += " for " + Finding.choices(paths) }
    if !manifests.isEmpty { text += " in " + Finding.choices(manifests) }
    if let place {
      let position = place.source.position(of: place.span.start)
      text += " (\(place.source.name):\(position.line):\(position.column))"
    }
    return shown(reason.map { "\(text): \($0)" } ?? text + ".")
  }
}
