import Arguments
import BAPackKit
import SourceDiagnostics

/// How large packs may become, as options say; they win over the project file's budgets of the same
/// names.
enum BudgetOptions {
  private static let budget = RepeatableOption(
    "budget", ValueType<Budget>.budget, called: "name=size",
    """
    Fail when this takes more: 'essential', 'total', 'hosted' or 'update', such as \
    'essential=200M', a pattern for IDs of packs ('voices-*=80M'), or one with a '/' for files \
    ('**/*.wav=30M').
    """)

  static let all: [any TypedParameter] = [budget]

  /// For a command that holds packs against budgets only when it is asked for something else.
  static func dependent(on other: Flag) -> [(any TypedParameter, any TypedParameter)] {
    [(budget, other)]
  }

  /// What the names mean, for the help of each command that takes them.
  static let meaning = """
    Budgets, from '--budget' and from the project file, are sums in bytes, with powers of 1000. \
    'essential' is the most that any device downloads before the app opens, 'total' the most that \
    any one device may have, 'hosted' all archives together, and 'update' what a player downloads \
    again, which is known only in comparison with former packs. A pattern for packs counts their \
    archives, one for files their unpacked sizes. More than a budget is an error, which names what \
    takes the most; from 90 % of it on there is a warning. What Apple takes is a budget that is \
    always there, unless '--hosting self' is given.
    """

  /// Adds what the options say to what is in force.
  static func add(to settings: inout EffectiveSettings, _ arguments: ParsedArguments) {
    let budgets = arguments[budget]
    guard !budgets.isEmpty else { return }
    settings.add(budgets, as: \.budgets, from: .option("--" + budget.parameter.name))
  }
}

extension ValueType where Value == Budget {
  /// A name, `=`, and a size.
  fileprivate static var budget: Self {
    Self { word throws(InvalidValue) in
      guard let sign = word.utf8.lastIndex(of: UInt8(ascii: "=")) else {
        throw InvalidValue("a name and a size are needed, such as 'total=2G'")
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
}

extension Console {
  /// Reports what is wrong with how much of budgets is used; returns whether none is exceeded.
  func report(_ uses: [BudgetUse], atEnd: Bool = true) -> Bool {
    var findings = Ledger()
    findings.add(uses)
    report(findings, as: .text)
    report(open: uses, atEnd: atEnd)
    return !findings.hasErrors
  }

  /// Names the budgets that were not checked, with the reasons; before the end of a run only with
  /// `--verbose`, because packing may provide the missing values.
  func report(open uses: [BudgetUse], atEnd: Bool = true) {
    for use in uses where use.budget.isOwn {
      guard case .unknown(let reason) = use.standing else { continue }
      let phrase = "The budget '\(use.budget.name)' is not checked: \(reason.phrase)"
      // A user who packs some of the packs leaves the others out on purpose.
      if atEnd, reason != .others { summary(phrase) } else { detail(phrase) }
    }
  }
}
