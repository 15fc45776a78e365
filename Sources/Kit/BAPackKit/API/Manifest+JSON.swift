import SourceDiagnostics

extension Manifest {
  /// Creates a manifest from its text in JSON or JSON5.
  ///
  /// ``Project/check(progress:)`` of a ``Project/Input/text(_:named:)`` reports all errors, with
  /// their positions and fixes.
  ///
  /// - Throws: ``PackError/Kind/malformed(offset:)`` with the first error in the text.
  public init(json: String) throws(PackError) {
    let document = ManifestDocument(parsing: Array(json.utf8), named: "manifest")
    guard let manifest = document.manifest else {
      let first = document.findings.first { $0.severity == .error }
      throw PackError(
        .malformed(offset: first?.span.map { UInt64($0.start) }),
        "the manifest is not valid: \(first?.message ?? "it is empty")")
    }
    self = manifest
  }

  /// The text of the manifest as strict JSON; equal manifests give equal texts.
  public var json: String { String(decoding: authoredJSON(), as: UTF8.self) }
}

extension Project.Input {
  /// A manifest in memory, which is checked like its text.
  ///
  /// - Parameters:
  ///   - manifest: The manifest.
  ///   - name: The name for messages (default: the ID of the pack).
  public static func manifest(_ manifest: Manifest, named name: String? = nil) -> Project.Input {
    .text(manifest.authoredJSON(), named: name ?? manifest.assetPackID)
  }
}
