import SourceDiagnostics

/// A new manifest with some values; the others are placeholders.
package struct ManifestTemplate: Sendable {
  /// The ID; nil for a placeholder.
  package var assetPackID: String?
  /// The policy; nil for an essential one.
  package var downloadPolicy: DownloadPolicy?
  /// The selectors; if empty, the text has one of each kind, as placeholders and comments.
  package var fileSelectors: [FileSelector] = []
  /// The platforms; nil for all.
  package var platforms: [Platform]?
  /// The language of a localized pack.
  package var language: LanguageTag?
  /// The address of the schema for editors; nil to omit it.
  package var schema: String?
  /// The last sentence of the first comment, about the use of the file.
  package var advice: String?

  /// Creates a template without values.
  package init() {}

  /// Whether there are values: then the text contains only the required keys.
  package var isFilled: Bool {
    assetPackID != nil || downloadPolicy != nil || !fileSelectors.isEmpty || platforms != nil
      || language != nil
  }

  /// The manifest as strict JSON, without comments.
  package var strictJSON: String { JSONWriter.string(manifest.authoredValue(schema: schema)) }

  /// The manifest with comments that explain its keys.
  package var text: String {
    TemplateWriter.text(
      of: manifest, isTeaching: !isFilled, schema: schema,
      introduction: "The files of an asset pack and its download policy.", advice: advice)
  }

  /// The manifest with placeholders for missing values.
  private var manifest: Manifest {
    Manifest(
      assetPackID: assetPackID ?? Placeholder.id,
      downloadPolicy: downloadPolicy ?? .essential(Set(InstallationEvent.allCases)),
      fileSelectors: fileSelectors.isEmpty
        ? [.file(Placeholder.file), .directory(Placeholder.folder)] : fileSelectors,
      platforms: platforms ?? Platform.allCases, language: language)
  }
}
