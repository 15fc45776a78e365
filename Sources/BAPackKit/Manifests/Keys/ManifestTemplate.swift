import SourceDiagnostics

/// A manifest to start from: known values are filled in, the others are placeholders.
package struct ManifestTemplate: Sendable {
  /// The ID; nil makes a placeholder.
  package var assetPackID: String?
  /// The policy; nil makes an essential one.
  package var downloadPolicy: DownloadPolicy?
  /// The selectors; if there are none, one of each kind is shown, as placeholders and comments.
  package var fileSelectors: [FileSelector] = []
  /// The platforms; nil makes all of them.
  package var platforms: [Platform]?
  /// The language of a localized pack.
  package var language: LanguageTag?
  /// The address of the schema for editors; written only on request.
  package var schema: String?
  /// A last sentence for the first comment: what can be done with the file.
  package var advice: String?

  /// Makes a template without any values.
  package init() {}

  /// Whether there are values: then the text has only what the manifest needs.
  package var isFilled: Bool {
    assetPackID != nil || downloadPolicy != nil || !fileSelectors.isEmpty || platforms != nil
      || language != nil
  }

  /// The manifest as strict JSON, without comments.
  package var strictJSON: String { JSONWriter.string(manifest.authoredValue(schema: schema)) }

  /// The manifest with comments that teach its keys.
  package var text: String {
    TemplateWriter.text(
      of: manifest, isTeaching: !isFilled, schema: schema,
      introduction: "What is in an asset pack, and when devices download it.", advice: advice)
  }

  /// What the text means, with placeholders for what is not known.
  private var manifest: Manifest {
    Manifest(
      assetPackID: assetPackID ?? Placeholder.id,
      downloadPolicy: downloadPolicy ?? .essential(Set(InstallationEvent.allCases)),
      fileSelectors: fileSelectors.isEmpty
        ? [.file(Placeholder.file), .directory(Placeholder.folder)] : fileSelectors,
      platforms: platforms ?? Platform.allCases, language: language)
  }
}
