import BAPackKit
import SourceDiagnostics

/// A manifest with everything that is wrong with it: its text, its files, and how it goes together
/// with others.
struct CheckedManifest {
  let document: ManifestDocument
  private(set) var selection: Selection?
  private var fileFindings: [Diagnostic] = []

  init(_ document: ManifestDocument) { self.document = document }

  /// Looks for the files that it selects.
  mutating func check(
    filesIn root: SourceRoot, leavingOut outputs: [String] = []
  ) throws(PackError) {
    let resolution = try Selection.resolve(document, in: root, leavingOut: outputs)
    selection = resolution.selection
    fileFindings = resolution.diagnostics
  }

  /// All findings of manifests that belong together.
  static func findings(of manifests: [CheckedManifest]) -> [Findings] {
    let together = ManifestDocument.findings(together: manifests.map(\.document))
    return zip(manifests, together).map { manifest, more in
      var list = FindingList()
      list.add(contentsOf: manifest.document.diagnostics + manifest.fileFindings + more)
      return Findings(manifest.document.source, list.sorted())
    }
  }
}
