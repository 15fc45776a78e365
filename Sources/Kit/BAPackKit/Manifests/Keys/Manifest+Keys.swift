package import SourceDiagnostics

extension Manifest: Keyed {
  typealias Locations = ManifestLocations

  static let table = Table<Draft<Manifest>>(text: "a manifest") { ManifestKeys.all }

  static var blank: Manifest {
    Manifest(assetPackID: "", downloadPolicy: .onDemand, fileSelectors: [], platforms: [])
  }

  static func refusal(of bytes: [UInt8]) -> Finding? { ManifestRules.notAManifest(bytes) }

  static func conclude(
    _ root: JSONNode, _ draft: inout Draft<Manifest>, _ findings: inout Ledger
  ) {
    if draft.value.sourceRoot == nil {
      draft.locations.unreadSourceRoot = misread(ManifestKeys.sourceRoot.name, in: root)
    }
    if !findings.hasErrors, root.document.source.bytes.count > ManifestRules.alwaysArchivableSize {
      findings.add(ManifestRules.notArchivable(draft.value, draft.locations))
    }
  }

  private static let names = table.record.names

  /// Returns the place of an invalid or misspelled key.
  private static func misread(_ name: String, in root: JSONNode) -> SourceSpan? {
    root.members.prefix(JSONObjectReader.mostMisspelt).first { member in
      guard let key = member.key.string, key == name || !names.contains(key) else {
        return false
      }
      return Spelling.nearest(to: key, among: names) == name
    }.map { $0.key.string == name ? $0.value.span : $0.key.span }
  }
}

// MARK: - Uses of the table

extension Manifest {
  /// Returns the strict JSON for `Manifest.json` in an archive, without the keys that only the
  /// packager uses.
  ///
  /// Manifests with the same value give the same bytes.
  package func archivedJSON() -> [UInt8] { JSONWriter.bytes(archivedValue, .readable) }

  /// The value that ``archivedJSON()`` writes.
  package var archivedValue: JSONValue { .object(archivedMembers) }

  private var archivedMembers: [JSONValue.Member] {
    members.filter { $0.key != ManifestKeys.sourceRoot.name }
  }

  /// Returns the complete manifest as strict JSON, including the keys that only the packager uses.
  ///
  /// Reading the result gives an equal manifest if the paths in the selectors are normalized.
  ///
  /// - Parameter schema: The value of `$schema`, for editors.
  package func authoredJSON(schema: String? = nil) -> [UInt8] {
    JSONWriter.bytes(authoredValue(schema: schema), .readable)
  }

  /// Returns the complete manifest as JSON5 with these comments.
  package func text(_ comments: TextComments) -> String { TemplateWriter.text(of: self, comments) }

  /// Returns the value that ``authoredJSON(schema:)`` writes.
  package func authoredValue(schema: String? = nil) -> JSONValue { authored(schema: schema) }

  /// The JSON Schema 2020-12 of manifests, for editors.
  ///
  /// It is generated from the table of the reader. It does not contain checks that a schema cannot
  /// express: duplicate keys, checks that depend on the host, and warnings.
  package static var jsonSchema: JSONValue {
    table.schema(title: "Asset pack manifest")
  }

  /// The keys of a manifest.
  package static var jsonShape: JSONRecord { table.record }

  /// The properties of the manifest as titles and texts: `Policy`, `on demand`.
  package var lines: [(title: String, text: String)] {
    let platforms =
      platforms.isEmpty ? "all" : platforms.map(\.rawValue).joined(separator: ", ")
    return [("Pack", assetPackID), ("Policy", downloadPolicy.phrase), ("Platforms", platforms)]
      + (language.map { [("Language", $0.description)] } ?? [])
  }

  /// Returns the archived keys that have different values in two manifests.
  func differingKeys(from other: Manifest) -> [String] {
    let (own, others) = (archivedMembers, other.archivedMembers)
    return Self.table.record.names.filter { !JSONValue.meanSame(own[$0], others[$0]) }
  }

  /// Returns the name of the key for a property.
  package static func key(of property: PartialKeyPath<Manifest>) -> String {
    name(of: property)
  }
}

extension ManifestDocument {
  /// Returns the manifest with its fixes applied, and the number of fixes.
  package static func fixed(
    _ bytes: [UInt8], named name: String, for hosting: Hosting? = nil, unsafe: Bool = false
  ) -> (document: ManifestDocument, applied: Int) {
    let (text, applied) = Manifest.fixed(bytes, for: hosting, unsafe: unsafe)
    return (ManifestDocument(parsing: text, named: name, for: hosting), applied)
  }
}
