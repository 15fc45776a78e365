import Arguments
import BAPackKit
import SourceDiagnostics

/// `schema`: prints the JSON Schema of manifests, for editors.
struct SchemaCommand: Subcommand {
  private static let project = Flag(
    "project", "The schema of project files, 'ba-package.json'; the same as '--for project'.")
  private static let document = Option<DocumentName>(
    "for", .choice, called: "document", "The schema of a document (default: manifest).")

  /// The description of the document.
  enum Format: String, Sendable, CaseIterable {
    case json, markdown

    static let option = DefaultedOption<Format>(
      "format", called: "format", default: .json,
      "Print a JSON Schema, or a table of the members in Markdown.")
  }

  static let definition = Command(
    "schema", overview: "Prints the JSON Schema of manifests and other documents.",
    discussion: [
      """
      Editors that read it complete keys and mark mistakes while you type; 'validate' finds more, \
      and looks at the files, too. A manifest names its schema with '$schema', which 'ba-package \
      template --schema manifest.schema.json' writes.
      """,
      """
      The other documents are results of commands with '--format json' and files that the program \
      keeps. Most have the name of their command. If a command prints one object a line, the \
      schema describes one line. Later versions can add members; a program that reads a document \
      ignores members that it does not use.
      """,
    ],
    [document, project, Format.option, TextOutput.path, TextOutput.force],
    exclusive: [[document, project]], dependent: [TextOutput.forceNeedsPath],
    examples: [
      Term("ba-package schema -o manifest.schema.json", "Keep it beside the manifests."),
      Term("ba-package schema --project -o project.schema.json", "The same for the project file."),
      Term("ba-package schema --for report", "Print the schema of the results of 'report'."),
      Term("ba-package schema --for list --format markdown", "List the members of a document."),
    ])

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
