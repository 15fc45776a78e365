package import SourceDiagnostics

/// One key of a manifest, and all that is known about it.
///
/// Reader, schema, template, what is archived, what authors write, what is shown and what is compared
/// walk the table of them (``ManifestKeys/all``); nothing else names a key.
struct ManifestKey: Sendable {
  /// Its name, what its value looks like, and what people are told about it.
  let json: JSONKey
  /// Whether it goes into packs, or is there for the packager alone.
  let isArchived: Bool
  /// What it says of a manifest; nil for a key that means nothing.
  private let property: (any PartialKeyPath<Manifest> & Sendable)?
  private let reading: @Sendable (JSONNode, inout ManifestReader) -> Bool
  private let writing: @Sendable (Manifest) -> JSONValue?
  private let comparing: @Sendable (Manifest, Manifest) -> Bool
  private let showing: @Sendable (Manifest) -> (title: String, text: String)?

  /// Its name.
  var name: String { json.name }

  /// Reads its value, and says whether there was one; what is wrong with it goes to the findings.
  func read(_ value: JSONNode, into reader: inout ManifestReader) -> Bool {
    reading(value, &reader)
  }

  /// The value that a manifest gives it; nil where that is said by leaving the key out.
  func value(in manifest: Manifest) -> JSONValue? { writing(manifest) }

  /// Whether two manifests give it the same value.
  func isSame(in one: Manifest, and other: Manifest) -> Bool { comparing(one, other) }

  /// A line about it for people: what it is, and what the manifest says.
  func line(in manifest: Manifest) -> (title: String, text: String)? { showing(manifest) }

  /// Whether it is about a property.
  func isAbout(_ property: PartialKeyPath<Manifest>) -> Bool {
    self.property as PartialKeyPath<Manifest>? == property
  }
}

extension ManifestKey {
  /// A key whose value is a property.
  ///
  /// `read` gives no value where it reports an error, and `write` none for what is said by leaving the
  /// key out. What has a title is shown to people, unless `words` has none.
  init<Value: Equatable & Sendable>(
    _ json: JSONKey, _ property: any WritableKeyPath<Manifest, Value> & Sendable,
    isArchived: Bool = true, title: String? = nil,
    words: @escaping @Sendable (Value) -> String? = { _ in nil },
    write: @escaping @Sendable (Value) -> JSONValue?,
    read: @escaping @Sendable (JSONNode, inout ManifestReader) -> Value?
  ) {
    self.init(
      json: json, isArchived: isArchived, property: property,
      reading: { node, reader in
        guard let value = read(node, &reader) else { return false }
        reader.draft[keyPath: property] = value
        return true
      },
      writing: { write($0[keyPath: property]) },
      comparing: { $0[keyPath: property] == $1[keyPath: property] },
      showing: { manifest in
        guard let title, let text = words(manifest[keyPath: property]) else { return nil }
        return (title, text)
      })
  }

  /// A key whose value may be large, and is kept as it was written.
  init(
    written json: JSONKey, _ property: any KeyPath<Manifest, JSONValue?> & Sendable,
    read: @escaping @Sendable (JSONNode, inout ManifestReader) -> Void
  ) {
    self.init(
      json: json, isArchived: true, property: property,
      reading: { node, reader in
        read(node, &reader)
        return true
      },
      writing: { $0[keyPath: property] },
      comparing: { JSONValue.meanSame($0[keyPath: property], $1[keyPath: property]) },
      showing: { _ in nil })
  }

  /// A key that may be there and means nothing.
  init(meaningless json: JSONKey) {
    self.init(
      json: json, isArchived: false, property: nil, reading: { _, _ in true },
      writing: { _ in nil }, comparing: { _, _ in true }, showing: { _ in nil })
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
  package func authoredValue(schema: String? = nil) -> JSONValue {
    let first = schema.map { JSONValue.Member(ManifestKeys.schema.name, .string($0)) }
    return .object((first.map { [$0] } ?? []) + members { _ in true })
  }

  private func members(_ isWanted: (ManifestKey) -> Bool) -> [JSONValue.Member] {
    ManifestKeys.all.filter(isWanted).compactMap { key in
      key.value(in: self).map { JSONValue.Member(key.name, $0) }
    }
  }

  /// The JSON Schema 2020-12 of manifests, for editors.
  ///
  /// It is made from the same table that the reader uses. It leaves out what a schema cannot say:
  /// that a key is there twice, what depends on the hosting, what is only a warning.
  package static var jsonSchema: JSONValue {
    JSONSchema.document(title: "Asset pack manifest", keys: ManifestKeys.shapes)
  }

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
    ManifestKeys.all.first { $0.isAbout(property) }?.name ?? ""
  }
}
