public import SourceDiagnostics

/// Where the parts of a manifest stand in its text; nil for what is not there.
public struct ManifestLocations: Sendable {
  /// The value of `assetPackID`.
  public var assetPackID: SourceSpan?
  /// The value of `downloadPolicy`.
  public var downloadPolicy: SourceSpan?
  /// The value of `fileSelectors`.
  public var fileSelectors: SourceSpan?
  /// The value of `platforms`.
  public var platforms: SourceSpan?
  /// The value of `sourceRoot`.
  public var sourceRoot: SourceSpan?
  /// The value of `language`.
  public var language: SourceSpan?
  /// The value of `userInfo`.
  public var userInfo: SourceSpan?
  /// The selectors, in the order of `ManifestDocument.fileSelectors`.
  public var selectors: [SelectorLocation] = []

  /// Makes locations that are all nil.
  public init() {}
}

/// Where a selector stands.
public struct SelectorLocation: Sendable, Equatable {
  /// The whole object, with its braces.
  public var whole: SourceSpan
  /// The value that names files: of `file`, `directory`, `filePattern`, `fileSource`,
  /// `directorySource` or `fileExclusion`.
  public var source: SourceSpan
  /// The value of `fileDestination` or `directoryDestination`.
  public var destination: SourceSpan?

  /// Makes a location.
  public init(whole: SourceSpan, source: SourceSpan, destination: SourceSpan? = nil) {
    self.whole = whole
    self.source = source
    self.destination = destination
  }
}
