package import SourceDiagnostics

/// The places of the parts of a manifest in its text; nil for parts that are missing.
///
/// The value of each key is found by the name of its property: `locations.sourceRoot`.
@dynamicMemberLookup
package struct ManifestLocations: KeyLocations {
  private var spans: [String: SourceSpan] = [:]
  /// The selectors, in the order of `ManifestDocument.fileSelectors`.
  package var selectors: [SelectorLocation] = []
  /// The place of a value that is meant as the source root but cannot be read as one.
  var unreadSourceRoot: SourceSpan?

  /// Makes locations that are all nil.
  package init() {}

  /// Where the value of a property stands.
  package subscript<Value>(dynamicMember property: KeyPath<Manifest, Value>) -> SourceSpan? {
    spans[Manifest.name(of: property)]
  }

  /// Where the value of a key stands.
  subscript(key: String) -> SourceSpan? {
    get { spans[key] }
    set { spans[key] = newValue }
  }
}

/// The place of a selector.
package struct SelectorLocation: Sendable, Equatable {
  /// The whole object, with its braces.
  package var whole: SourceSpan
  /// The value that names files.
  package var source: SourceSpan
  /// The value that names a path in the pack, where that is another one.
  package var destination: SourceSpan?

  /// Makes a location.
  package init(whole: SourceSpan, source: SourceSpan, destination: SourceSpan? = nil) {
    self.whole = whole
    self.source = source
    self.destination = destination
  }
}
