import Arguments
import BAPackKit
import SourceDiagnostics

/// The budgets on the command line, which override the budgets of the project file with the same
/// names.
enum BudgetOptions {
  private static let budget = RepeatableOption(
    "budget", ValueType<Budget>.budget, called: "name=size", in: .check,
    "Set a size limit, for example 'total=2G'; repeatable.")

  static let all: [any TypedParameter] = [budget]

  private static let budgetOfFiles = RepeatableOption(
    budget.parameter.name, ValueType<Budget>.budgetOfFiles, called: "name=size", in: .check,
    "Limit the size of files, for example 'Sounds/**=500M'; repeatable.")

  /// The budgets of a command that examines files but no archives.
  static let ofFiles: [any TypedParameter] = [budgetOfFiles]

  /// Returns the dependency of the options on another one, for a command that checks budgets only
  /// with that option.
  static func dependent(on other: Flag) -> [(any TypedParameter, any TypedParameter)] {
    [(budget, other)]
  }

  static func add(to settings: inout EffectiveSettings, _ arguments: ParsedArguments) {
    add(arguments[budget], to: &settings)
  }

  static func addOfFiles(to settings: inout EffectiveSettings, _ arguments: ParsedArguments) {
    add(arguments[budgetOfFiles], to: &settings)
  }

  private static func add(_ budgets: [Budget], to settings: inout EffectiveSettings) {
    guard !budgets.isEmpty else { return }
    settings.add(budgets, as: \.budgets, from: .option("--" + budget.parameter.name))
  }
}

extension ValueType where Value == Budget {
  /// A name, `=`, and a size.
  fileprivate static var budget: Self { budget(example: "total=2G") }

  private static func budget(example: String) -> Self {
    Self { word throws(InvalidValue) in
      guard let sign = word.utf8.lastIndex(of: UInt8(ascii: "=")) else {
        throw InvalidValue("expected a name and a size, such as '\(example)'")
      }
      do throws(BudgetFault) {
        return try Budget(
          named: String(decoding: word.utf8[..<sign], as: UTF8.self),
          limit: String(decoding: word.utf8[sign...].dropFirst(), as: UTF8.self))
      } catch {
        let advice = error.advice.map { "; \($0)" } ?? ""
        throw InvalidValue("\(error.message)\(advice)")
      }
    }
  }

  /// A pattern for files, `=`, and a size.
  fileprivate static var budgetOfFiles: Self {
    Self { word throws(InvalidValue) in
      let budget = try budget(example: "Sounds/**=500M").read(word)
      guard budget.subject.isOfFiles else {
        throw InvalidValue(
          "the size of archives is unknown before they are written, so only budgets for files are "
            + "checked here; use 'pack --budget \(word)'")
      }
      return budget
    }
  }
}

extension Console {
  /// Reports exceeded and nearly exhausted budgets; returns whether none is exceeded.
  func report(
    _ uses: [BudgetUse], under policy: FindingPolicy, atEnd: Bool = true
  ) -> Bool {
    var findings = Ledger()
    findings.add(uses)
    findings.follow(policy)
    report(findings, as: .text)
    report(off: findings)
    report(open: uses, atEnd: atEnd)
    return !findings.hasErrors
  }

  /// Reports the budgets that were not checked, with the reasons.
  ///
  /// Before the end of a run this requires `--verbose`, because packing may provide the missing
  /// values.
  func report(open uses: [BudgetUse], atEnd: Bool = true) {
    for use in uses where use.budget.isOwn {
      guard case .unknown(let reason) = use.standing else { continue }
      let phrase = "The budget '\(use.budget.name)' is not checked: \(reason.phrase)"
      // If only some packs are selected, the others are omitted on purpose.
      if atEnd, reason != .others { summary(phrase) } else { detail(phrase) }
    }
  }
}
