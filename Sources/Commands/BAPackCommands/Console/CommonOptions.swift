import Arguments
import SourceDiagnostics

/// Options that all commands support.
enum CommonOptions {
  static let quiet = Flag(
    "quiet", short: "q", "Print only results and errors.",
    details: "Warnings that make the command fail are also printed.")
  static let verbose = Flag("verbose", short: "v", "Print each file and further details.")
  static let color = DefaultedOption<ColorChoice>(
    "color", called: "when", default: .auto,
    "Use colors in messages.", details: "NO_COLOR in the environment disables colors.")

  static let directory = Option(
    "chdir", short: "C", .folder, called: "folder", "Run in this folder.")

  static let all: [any TypedParameter] = [quiet, verbose, color, directory]
}

/// The format in which a command writes its report.
enum ReportFormat: String, Sendable, CaseIterable {
  case text, json

  static let option = DefaultedOption<ReportFormat>(
    "format", called: "format", in: .output, default: .text, "Set the output format.")
}

extension Console {
  /// Prints a result as JSON: as one line, or in lines if it is large.
  func result<Document: Described>(
    json document: Document, _ layout: JSONWriter.Layout = .compact
  ) {
    result(JSONWriter.string(Document.table.value(of: document), layout))
  }

  /// Prints a result in the format of the option: as JSON, or as a text that `text` prints.
  func result<Document: Described>(
    _ document: @autoclosure () -> Document, as format: ReportFormat,
    _ layout: JSONWriter.Layout = .compact, text: () -> Void
  ) {
    switch format {
    case .text: text()
    case .json: result(json: document(), layout)
    }
  }
}
