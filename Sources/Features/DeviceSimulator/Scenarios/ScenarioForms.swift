import BAPackKit

/// The steps and expectations of scenarios, each with its name, its form and its meaning.
extension ScenarioReader {
  /// A step with its form and its meaning.
  typealias StepForm = (name: String, kind: StepKind, form: String, meaning: String)
  /// An expectation with its form and its meaning.
  typealias ExpectationForm = (name: String, kind: ExpectationKind, form: String, meaning: String)

  /// The words after the name of a step, and the step that they make.
  enum StepKind: Sendable {
    /// A step without further words.
    case alone(Step)
    /// A step with the IDs of packs.
    case packs(@Sendable ([PackID]) -> Step)
    case request
    case device
    case release
    case submit
    /// A step with `on` or `off`; the flag is the meaning of `on`.
    case setting(AutomaticDownloads, whenOn: Bool)
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
    /// The ID of a pack, or a path.
    case absent
    /// A comparison and a size.
    case size(Expectation.Subject)
  }

  /// The steps.
  static let forms: [StepForm] = [
    (
      "device", .device, "device iOS 27, languages es-MX en, primary en, free 4G, bandwidth 50mbit",
      """
      Set the properties of the device. Others are `channel store|external|internal`, \
      `essential-failure blocks-launch|opens-without` and `otherwise RULE…`.
      """
    ),
    (
      "release", .release, "release FOLDER [channel store|external|internal]",
      "Publish the packs of a folder, a download manifest or a URL, in one channel or in all."
    ),
    (
      "submit", .submit, "submit store|external [ID…]",
      "Publish packs of internal testing in another channel, after their review."
    ),
    ("install", .alone(.install), "install", "Install the app and its essential packs."),
    ("update-app", .alone(.updateApp), "update-app", "Update the app and its packs."),
    ("uninstall", .alone(.uninstall), "uninstall", "Remove the app and its packs."),
    ("launch", .alone(.launch), "launch", "Open the app."),
    (
      "request", .request, "request ID… [latest]",
      "Request packs, as the app does; 'latest' requires the newest versions."
    ),
    (
      "cancel", .packs(Step.cancel), "cancel ID…",
      "Cancel the next download of each pack, as the app does."
    ),
    (
      "check-for-updates", .alone(.checkForUpdates), "check-for-updates",
      "Check for updates of packs, as the app does."
    ),
    ("read", .read, "read PATH [in ID] [for LANGUAGE]", "Read a file, as the app does."),
    (
      "device-language", .deviceLanguage, "device-language LANGUAGE…",
      "Set the preferred languages of the device."
    ),
    (
      "set-language", .setLanguage, "set-language LANGUAGE|default",
      "Set the language in the app, or return to the language of the device."
    ),
    (
      "reconcile", .alone(.reconcile), "reconcile",
      "Download the packs of the current language, as the system does."
    ),
    ("refuse", .packs(Step.refuse), "refuse ID…", "Reject downloads in the app's extension."),
    ("remove", .packs(Step.remove), "remove ID…", "Remove packs, as the app does."),
    ("wait", .wait, "wait 8 days", "Advance the clock."),
    ("online", .alone(.online), "online", "Connect the network."),
    ("offline", .alone(.offline), "offline", "Disconnect the network."),
    (
      "low-power", .setting(.normalPower, whenOn: false), "low-power [on|off]",
      "Set Low Power Mode, in which the system downloads nothing in the background."
    ),
    (
      "background-refresh", .setting(.backgroundRefresh, whenOn: true),
      "background-refresh [on|off]", "Set Background App Refresh."
    ),
    (
      "in-app-content", .setting(.inAppContent, whenOn: true), "in-app-content [on|off]",
      "Set In-App Content in the settings of the App Store."
    ),
    (
      "fault", .fault, "fault level-*: cut 60%",
      "Cause a fault of downloads, such as an interrupted connection."
    ),
    ("status", .alone(.status), "status", "Print the packs on the device."),
  ]

  /// The expectations.
  static let expectations: [ExpectationForm] = [
    (
      "app", .app, "expect app [not] installed|updated",
      "The last installation or update of the app succeeded."
    ),
    packs(
      "downloaded", Expectation.Subject.downloaded, hasCost: true, "The packs are on the device."),
    packs(
      "updated", Expectation.Subject.updated, hasCost: true,
      "The previous step replaced the packs with newer versions."),
    packs("removed", Expectation.Subject.removed, "The previous step removed the packs."),
    packs(
      "obsolete", Expectation.Subject.obsolete,
      "The packs are on the device but not in the manifest."),
    packs(
      "failed", Expectation.Subject.failed,
      "The download of the packs failed in the previous step."),
    search("readable", Expectation.Subject.readable, "The app can read the file."),
    search("missing", Expectation.Subject.missing, "No pack on the device has the file."),
    (
      "absent", .absent, "expect [not] absent ID|PATH",
      "The pack is not on the device, or no pack on the device has the file."
    ),
    search("ambiguous", Expectation.Subject.ambiguous, "Several packs have the file."),
    (
      "language", .language, "expect [not] language LANGUAGE|none",
      "The packs of this language are used."
    ),
    size("essential", .essential, "The size of the downloads before the app could open."),
    size("prefetch", .prefetch, "The size of the background downloads of an installation."),
    size("cost", .cost, "The size of the downloads of the previous step."),
    size("disk", .disk, "The size of all packs on the device."),
  ]

  private static func packs(
    _ name: String, _ subject: @escaping @Sendable ([PackID]) -> Expectation.Subject,
    hasCost: Bool = false, _ meaning: String
  ) -> ExpectationForm {
    let form = "expect [not] \(name) ID…" + (hasCost ? " [costing <= SIZE]" : "")
    return (name, .packs(subject, hasCost: hasCost), form, meaning)
  }

  private static func search(
    _ name: String, _ subject: @escaping @Sendable (Expectation.Search) -> Expectation.Subject,
    _ meaning: String
  ) -> ExpectationForm {
    (name, .search(subject), "expect [not] \(name) PATH [in ID] [for LANGUAGE]", meaning)
  }

  private static func size(
    _ name: String, _ subject: Expectation.Subject, _ meaning: String
  ) -> ExpectationForm {
    (name, .size(subject), "expect [not] \(name) <= SIZE", meaning)
  }

  /// The properties of a device.
  enum DeviceKey: String, CaseIterable {
    case languages, bandwidth, free, primary, channel, otherwise
    case essentialFailure = "essential-failure"
  }

  /// The places of a search.
  enum SearchKey: String { case pack = "in", language = "for" }

  /// The states of an app.
  enum AppState: String, CaseIterable { case installed, updated }

  /// The other words with a meaning.
  enum Keyword: String { case expect, not, costing, latest, `default`, none, channel, on, off }
}

extension ScenarioWord {
  func isKeyword(_ keyword: ScenarioReader.Keyword) -> Bool { text == keyword.rawValue }
}

extension ScenarioWord? {
  func isKeyword(_ keyword: ScenarioReader.Keyword) -> Bool {
    self?.isKeyword(keyword) ?? false
  }
}
