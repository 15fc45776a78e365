import BAPackKit
import SourceDiagnostics

/// A manifest with everything that is wrong with it: its text, its files, and how it goes together
/// with others.
struct CheckedManifest {
  let document: ManifestDocument
  private(set) var pack: SelectedPack?

  init(_ document: ManifestDocument) { self.document = document }

  /// Looks for the files that it selects, and at them where a rule asks for it.
  ///
  /// The files in `outputs` are about to be written and never selected.
  mutating func checkFiles(
    _ input: ManifestInput, leavingOut outputs: [String] = []
  ) throws(PackError) {
    pack = try SelectedPack(
      document, sourceRoot: input.sourceRoot, hosting: input.hosting, leavingOut: outputs)
  }

  /// All findings of manifests that belong together.
  static func findings(of manifests: [CheckedManifest], hosting: Hosting?) -> [Findings] {
    let together = ManifestDocument.findings(together: manifests.map(\.document))
    var packs = manifests.compactMap(\.pack)
    SelectedPack.check(together: &packs, hosting: hosting)
    var next = packs.makeIterator()
    return zip(manifests, together).map { manifest, more in
      var list = FindingList()
      list.add(contentsOf: manifest.document.diagnostics + more)
      if manifest.pack != nil { list.add(contentsOf: next.next()?.diagnostics ?? []) }
      return Findings(manifest.document.source, list.sorted())
    }
  }
}
