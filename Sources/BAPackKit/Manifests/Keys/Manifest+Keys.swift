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
    if !findings.hasErrors {
      findings.add(ManifestRules.notArchivable(draft.value, draft.locations))
    }
  }

  /// The member that was meant as a key: by its name, or by one that is nearly that.
  private static func misread(_ wanted: String, in root: JSONNode) -> SourceSpan? {
    let names = table.record.names
    return root.members.prefix(JSONObjectReader.mostMisspelt).first { member in
      guard let key = member.key.string, key == wanted || !names.contains(key) else {
        return false
      }
      return Spelling.nearest(to: key, among: names) == wanted
    }.map { $0.key.string == wanted ? $0.value.span : $0.key.span }
  }
}

// MARK: - Uses of the table

extension Manifest {
  /// The strict JSON that goes into an archive as `Manifest.json`: always the same bytes for the
  /// same meaning, without what only the packager needs.
  package func archivedJSON() -> [UInt8] { JSONWriter.bytes(archivedValue, .readable) }

  /// What ``archivedJSON()`` writes.
  package var archivedValue: JSONValue { .object(archivedMembers) }

  private var archivedMembers: [JSONValue.Member] {
    members.filter { $0.key != ManifestKeys.sourceRoot.name }
  }

  /// The strict JSON that an author would write: all that the manifest says, also what only the
  /// packager needs; with `$schema` where editors are to find the schema.
  ///
  /// What is read from it equals this manifest, if the paths in its selectors are written in their
  /// shortest form.
  package func authoredJSON(schema: String? = nil) -> [UInt8] {
    JSONWriter.bytes(authoredValue(schema: schema), .readable)
  }

  /// What ``authoredJSON(schema:)`` writes.
  package func authoredValue(schema: String? = nil) -> JSONValue { authored(schema: schema) }

  /// The JSON Schema 2020-12 of manifests, for editors.
  ///
  /// It is made from the same table that the reader uses. It leaves out what a schema cannot say:
  /// that a key is there twice, what depends on the hosting, what is only a warning.
  package static var jsonSchema: JSONValue {
    table.schema(title: "Asset pack manifest")
  }

  /// The members of a manifest.
  package static var record: JSONRecord { table.record }

  /// The lines about the manifest for people: `Policy`, `on demand`.
  package var lines: [(title: String, text: String)] {
    let platforms =
      platforms.isEmpty ? "all" : platforms.map(\.rawValue).joined(separator: ", ")
    return [("Pack", assetPackID), ("Policy", downloadPolicy.phrase), ("Platforms", platforms)]
      + (language.map { [("Language", $0.description)] } ?? [])
  }

  /// The archived keys that have different values in two manifests.
  func differingKeys(from other: Manifest) -> [String] {
    let (own, others) = (archivedMembers, other.archivedMembers)
    return Self.table.record.names.filter { !JSONValue.meanSame(own[$0], others[$0]) }
  }

  /// The name of the key for a property.
  package static func key(of property: PartialKeyPath<Manifest>) -> String {
    name(of: property)
  }
}

extension ManifestDocument {
  /// The manifest with its fixes applied, and the number of fixes.
  package static func fixed(
    _ bytes: [UInt8], named name: String, for hosting: Hosting? = nil, unsafe: Bool = false
  ) -> (document: ManifestDocument, applied: Int) {
    let (text, applied) = Manifest.fixed(bytes, for: hosting, unsafe: unsafe)
    return (ManifestDocument(parsing: text, named: name, for: hosting), applied)
  }
}
