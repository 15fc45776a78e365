import BAPackKit

/// The steps and expectations of scenarios, each with its name and its form.
extension ScenarioReader {
  /// The words after the name of a step, and the step that they make.
  enum StepKind: Sendable {
    /// A step without further words.
    case alone(Step)
    /// A step with the IDs of packs.
    case packs(@Sendable ([PackID]) -> Step)
    case request
    case device
    case release
    case read
    case deviceLanguage
    case setLanguage
    case wait
    case fault
  }

  /// The words after the name of an expectation, and the subject that they make.
  enum ExpectationKind: Sendable {
    case app
    /// The IDs of packs; some subjects can have a cost.
    case packs(@Sendable ([PackID]) -> Expectation.Subject, hasCost: Bool)
    /// A path, and the place of the search.
    case search(@Sendable (Expectation.Search) -> Expectation.Subject)
    case language
    /// A comparison and a size.
    case size(Expectation.Subject)
  }

  /// The steps, each with its form.
  static let forms: [(name: String, kind: StepKind, form: String)] = [
    (
      "device", .device, "device iOS 27, languages es-MX en, primary en, free 4G, bandwidth 50mbit"
    ),
    ("release", .release, "release FOLDER"), ("install", .alone(.install), "install"),
    ("update-app", .alone(.updateApp), "update-app"), ("launch", .alone(.launch), "launch"),
    ("request", .request, "request ID… [latest]"),
    ("check-for-updates", .alone(.checkForUpdates), "check-for-updates"),
    ("read", .read, "read PATH [in ID] [for LANGUAGE]"),
    ("device-language", .deviceLanguage, "device-language LANGUAGE…"),
    ("set-language", .setLanguage, "set-language LANGUAGE|default"),
    ("reconcile", .alone(.reconcile), "reconcile"), ("refuse", .packs(Step.refuse), "refuse ID…"),
    ("remove", .packs(Step.remove), "remove ID…"), ("wait", .wait, "wait 8 days"),
    ("online", .alone(.online), "online"), ("offline", .alone(.offline), "offline"),
    ("fault", .fault, "fault level-*: cut 60%"), ("status", .alone(.status), "status"),
  ]

  /// The expectations, each with its form.
  static let expectations: [(name: String, kind: ExpectationKind, form: String)] = [
    ("app", .app, "expect app [not] installed|updated"),
    packs("downloaded", Expectation.Subject.downloaded, hasCost: true),
    packs("updated", Expectation.Subject.updated, hasCost: true),
    packs("removed", Expectation.Subject.removed), packs("obsolete", Expectation.Subject.obsolete),
    packs("failed", Expectation.Subject.failed),
    search("readable", Expectation.Subject.readable),
    search("missing", Expectation.Subject.missing),
    search("ambiguous", Expectation.Subject.ambiguous),
    ("language", .language, "expect [not] language LANGUAGE|none"),
    size("essential", .essential), size("prefetch", .prefetch), size("cost", .cost),
    size("disk", .disk),
  ]

  private static func packs(
    _ name: String, _ subject: @escaping @Sendable ([PackID]) -> Expectation.Subject,
    hasCost: Bool = false
  ) -> (name: String, kind: ExpectationKind, form: String) {
    let form = "expect [not] \(name) ID…" + (hasCost ? " [costing <= SIZE]" : "")
    return (name, .packs(subject, hasCost: hasCost), form)
  }

  private static func search(
    _ name: String, _ subject: @escaping @Sendable (Expectation.Search) -> Expectation.Subject
  ) -> (name: String, kind: ExpectationKind, form: String) {
    (name, .search(subject), "expect [not] \(name) PATH [in ID] [for LANGUAGE]")
  }

  private static func size(
    _ name: String, _ subject: Expectation.Subject
  ) -> (name: String, kind: ExpectationKind, form: String) {
    (name, .size(subject), "expect [not] \(name) <= SIZE")
  }

  /// The properties of a device.
  enum DeviceKey: String, CaseIterable { case languages, bandwidth, free, primary }

  /// The places of a search.
  enum SearchKey: String { case pack = "in", language = "for" }

  /// The states of an app.
  enum AppState: String, CaseIterable { case installed, updated }

  /// The other words with a meaning.
  enum Keyword: String { case expect, not, costing, latest, `default`, none }
}

extension ScenarioWord {
  func isKeyword(_ keyword: ScenarioReader.Keyword) -> Bool { text == keyword.rawValue }
}

extension ScenarioWord? {
  func isKeyword(_ keyword: ScenarioReader.Keyword) -> Bool {
    self?.isKeyword(keyword) ?? false
  }
}
