import Arguments
import BAPackKit
import SourceDiagnostics

/// `schema`: prints the JSON Schema of manifests, for editors.
struct SchemaCommand: Subcommand {
  static let definition = Command(
    "schema", overview: "Prints the JSON Schema of the manifest, for editors.",
    discussion: [
      """
      Editors that read it complete keys and mark mistakes while you type; 'validate' finds more, \
      and looks at the files, too. A manifest names its schema with '$schema', which 'ba-package \
      template --schema manifest.schema.json' writes.
      """
    ],
    [TextOutput.path, TextOutput.force], dependent: [TextOutput.forceNeedsPath],
    examples: [Term("ba-package schema -o manifest.schema.json", "Keep it beside the manifests.")])

  private let output: TextOutput

  init(_ arguments: ParsedArguments) throws(UsageError) { output = TextOutput(arguments) }

  func run(_ console: Console) throws(PackError) -> ExitStatus {
    try output.write(JSONWriter.bytes(Manifest.jsonSchema), console)
    return .done
  }
}
