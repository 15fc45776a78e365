import Arguments
import BAPackKit
import SourceDiagnostics

/// `schema`: prints the JSON Schema of manifests, for editors.
struct SchemaCommand: Subcommand {
  private static let project = Flag(
    "project", "Print the schema of project files, as '--for project'.")
  private static let document = Option<DocumentName>(
    "for", .choice, called: "document", "Select the document (default: manifest).",
    details: "'ba-package help json' lists the documents.")

  /// The description of the document.
  enum Format: String, Sendable, CaseIterable {
    case json, markdown

    static let option = DefaultedOption<Format>(
      "format", called: "format", in: .output, default: .json,
      "Print a JSON Schema or a Markdown table.")
  }

  static let definition = Command(
    "schema", overview: "Print the JSON Schema of a document.",
    discussion: [
      """
      Editors that use the schema complete keys and mark errors. 'validate' finds more errors and \
      also checks the files. A manifest names its schema in '$schema', which 'ba-package template \
      --schema manifest.schema.json' writes.
      """,
      """
      The other documents are results of commands with '--format json', and files of the program. \
      Most have the name of their command. If a command prints one object a line, the schema \
      describes one line. Later versions can add members; a program that reads a document ignores \
      members that it does not use.
      """,
    ],
    [document, project, Format.option, TextOutput.path, TextOutput.force],
    exclusive: [[document, project]], dependent: [TextOutput.forceNeedsPath],
    examples: [
      Term("ba-package schema -o manifest.schema.json", "Write the schema of manifests."),
      Term("ba-package schema --for report", "Print the schema of the result of 'report'."),
      Term("ba-package schema --project -o project.schema.json", "Write the schema of projects."),
      Term("ba-package schema --for list --format markdown", "Print the members as a table."),
    ],
    topics: ["json"])

  private let output: TextOutput
  private let document: DocumentName
  private let format: Format

  init(_ arguments: ParsedArguments) throws(UsageError) {
    output = TextOutput(arguments)
    document = arguments[Self.project] ? .project : arguments[Self.document] ?? .manifest
    format = arguments[Format.option]
  }

  func run(_ console: Console) throws(PackError) -> ExitStatus {
    let text =
      switch format {
      case .json: JSONWriter.bytes(document.schema)
      case .markdown: Array(document.reference.utf8)
      }
    try output.write(text, console)
    return .done
  }
}
