import BAPackKit
import SourceDiagnostics

/// A manifest with everything that is wrong with it: its text, its files, and how it goes together
/// with others.
struct CheckedManifest {
  let document: ManifestDocument
  private(set) var pack: SelectedPack?
  /// What kept the files from being looked at.
  private var troubles: [Diagnostic] = []

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

  /// Says why the files could not be looked at.
  mutating func add(_ error: PackError) { troubles.append(UnreadableManifest.finding(error)) }

  /// All findings of manifests that belong together.
  static func findings(of manifests: [CheckedManifest], _ input: ManifestInput) -> [Findings] {
    let together = ManifestDocument.findings(
      together: manifests.map(\.document), primaryLanguage: input.primaryLanguage)
    var packs = manifests.compactMap(\.pack)
    SelectedPack.check(together: &packs, hosting: input.hosting)
    var next = packs.makeIterator()
    return zip(manifests, together).map { manifest, more in
      let files = manifest.pack == nil ? [] : next.next()?.diagnostics ?? []
      return Findings(
        manifest.document.source,
        FindingList.merged(manifest.document.diagnostics, more, files, manifest.troubles))
    }
  }
}
