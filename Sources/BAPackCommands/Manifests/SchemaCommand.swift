import Arguments
import BAPackKit
import SourceDiagnostics

/// `schema`: prints the JSON Schema of manifests, for editors.
struct SchemaCommand: Subcommand {
  private static let project = Flag("project", "The schema of project files, 'ba-package.json'.")

  static let definition = Command(
    "schema", overview: "Prints the JSON Schema of manifests, or of project files, for editors.",
    discussion: [
      """
      Editors that read it complete keys and mark mistakes while you type; 'validate' finds more, \
      and looks at the files, too. A manifest names its schema with '$schema', which 'ba-package \
      template --schema manifest.schema.json' writes.
      """
    ],
    [project, TextOutput.path, TextOutput.force], dependent: [TextOutput.forceNeedsPath],
    examples: [
      Term("ba-package schema -o manifest.schema.json", "Keep it beside the manifests."),
      Term("ba-package schema --project -o project.schema.json", "The same for the project file."),
    ])

  private let output: TextOutput
  private let isOfProject: Bool

  init(_ arguments: ParsedArguments) throws(UsageError) {
    output = TextOutput(arguments)
    isOfProject = arguments[Self.project]
  }

  func run(_ console: Console) throws(PackError) -> ExitStatus {
    try output.write(
      JSONWriter.bytes(isOfProject ? ProjectSettings.jsonSchema : Manifest.jsonSchema), console)
    return .done
  }
}
