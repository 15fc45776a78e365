import Arguments

/// Options that all commands support.
enum CommonOptions {
  static let quiet = Flag(
    "quiet", short: "q", "Print only results and errors; with '--strict', also warnings.")
  static let verbose = Flag("verbose", short: "v", "Name each file.")
  static let color = DefaultedOption<ColorChoice>(
    "color", called: "when", default: .auto,
    "Colour messages; NO_COLOR in the environment turns colours off.")

  static let all: [any TypedParameter] = [quiet, verbose, color]
}

/// The format in which a command writes its report.
enum ReportFormat: String, Sendable, CaseIterable {
  case text, json

  static let option = DefaultedOption<ReportFormat>(
    "format", called: "format", default: .text, "How to write the report.")
}
