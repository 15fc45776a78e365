public import SourceDiagnostics

extension Manifest {
  /// The JSON Schema 2020-12 of manifests, for editors.
  ///
  /// It is made from the table that the reader reads by. What a schema cannot say (the same key
  /// twice, what depends on the hosting, what is only a warning) it leaves out.
  public static var jsonSchema: JSONValue {
    JSONSchema.document(title: "Asset pack manifest", keys: ManifestKeys.root)
  }
}
