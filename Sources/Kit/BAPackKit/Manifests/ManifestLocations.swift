package import SourceDiagnostics

/// The places of the parts of a manifest in its text; nil for parts that are missing.
///
/// The place of a value has the name of the property: `locations.sourceRoot`.
@dynamicMemberLookup
package struct ManifestLocations: KeyLocations {
  private var spans: [String: SourceSpan] = [:]
  /// The selectors, in the order of `ManifestDocument.fileSelectors`.
  package var selectors: [SelectorLocation] = []
  /// The place of an invalid or misspelled source root.
  var unreadSourceRoot: SourceSpan?

  /// Creates locations that are all nil.
  package init() {}

  /// The place of the value of a property.
  package subscript<Value>(dynamicMember property: KeyPath<Manifest, Value>) -> SourceSpan? {
    spans[Manifest.name(of: property)]
  }

  /// The place of the value of a key.
  subscript(key: String) -> SourceSpan? {
    get { spans[key] }
    set { spans[key] = newValue }
  }
}

/// The place of a selector.
package struct SelectorLocation: Sendable, Equatable {
  /// The whole object, including its braces.
  package var whole: SourceSpan
  /// The path or pattern that selects files.
  package var source: SourceSpan
  /// The path in the pack; nil if the selector has no destination.
  package var destination: SourceSpan?
}
