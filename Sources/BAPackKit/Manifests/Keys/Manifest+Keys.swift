package import SourceDiagnostics

/// Reads the text of a manifest.
typealias ManifestReader = KeyedReader<Manifest>

/// A key of a manifest.
typealias ManifestKey = TextKey<Manifest>

extension Manifest: Keyed {
  typealias Locations = ManifestLocations

  static var keys: [TextKey<Manifest>] { ManifestKeys.all }
  static var noun: String { "a manifest" }
  static var blank: Manifest {
    Manifest(assetPackID: "", downloadPolicy: .onDemand, fileSelectors: [], platforms: [])
  }

  static func refusal(of bytes: [UInt8]) -> Finding? { ManifestRules.notAManifest(bytes) }

  static func conclude(_ root: JSONNode, in reader: inout ManifestReader) {
    if reader.draft.sourceRoot == nil {
      reader.locations.unreadSourceRoot = misread(ManifestKeys.sourceRoot, in: root)
    }
    if !reader.findings.hasErrors, let manifest = reader.value {
      reader.findings.add(ManifestRules.notArchivable(manifest, reader.locations))
    }
  }

  /// The member that was meant as a key: by its name, or by one that is nearly that.
  private static func misread(_ wanted: ManifestKey, in root: JSONNode) -> SourceSpan? {
    let names = shapes.map(\.name)
    return root.members.prefix(JSONObjectReader.mostMisspelt).first { member in
      guard let key = member.key.string, key == wanted.name || !names.contains(key) else {
        return false
      }
      return Spelling.nearest(to: key, among: names) == wanted.name
    }.map { $0.key.string == wanted.name ? $0.value.span : $0.key.span }
  }
}

// MARK: - What walks the table

extension Manifest {
  /// The strict JSON that goes into an archive as `Manifest.json`: always the same bytes for the
  /// same meaning, without what only the packager needs.
  package func archivedJSON() -> [UInt8] { JSONWriter.bytes(archivedValue, .readable) }

  /// What ``archivedJSON()`` writes.
  package var archivedValue: JSONValue { .object(members { $0.isArchived }) }

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
    JSONSchema.document(title: "Asset pack manifest", keys: shapes)
  }

  /// The members of a manifest.
  package static var record: JSONRecord { JSONRecord(keys: shapes, isOpen: false) }

  /// What the manifest says, a line for each key that people want to see: `Policy`, `on demand`.
  package var lines: [(title: String, text: String)] {
    ManifestKeys.all.compactMap { $0.line(in: self) }
  }

  /// The archived keys that two manifests give different values.
  func differingKeys(from other: Manifest) -> [String] {
    ManifestKeys.all.filter { $0.isArchived && !$0.isSame(in: self, and: other) }.map(\.name)
  }

  /// The key that a property stands under.
  package static func key(of property: PartialKeyPath<Manifest>) -> String {
    name(of: property) ?? ""
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
