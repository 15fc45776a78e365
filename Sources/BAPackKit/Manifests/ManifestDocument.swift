import Glibc
package import SourceDiagnostics
package import SystemIO

/// A manifest as a person wrote it: its text, its meaning, and the findings with their places.
package struct ManifestDocument: Sendable {
  /// The text.
  package let source: SourceText
  /// What the text means; nil if `findings` has an error.
  package let manifest: Manifest?
  /// What was found in the text.
  package let findings: Ledger
  /// The places of the parts of the manifest.
  package let locations: ManifestLocations

  /// The ID, if it could be read, even if the manifest has errors.
  package let assetPackID: String?
  /// The selectors that could be read, even if the manifest has errors.
  ///
  /// So files can be checked while other keys are still wrong. If there is a `manifest`, these are
  /// its selectors.
  package let fileSelectors: [FileSelector]
  /// The source root, if there is one that could be read, even if the manifest has errors.
  package let sourceRoot: String?
  /// The place of a value that is meant as the source root but cannot be read as one.
  var unreadSourceRoot: SourceSpan? { locations.unreadSourceRoot }

  /// Reads a manifest.
  ///
  /// Messages use the name. Without a hosting, only what is wrong with any host is an error.
  package init(parsing bytes: [UInt8], named name: String, for hosting: Hosting? = nil) {
    let text = SourceText(bytes, named: name)
    self.init(text, KeyedReader(text, for: hosting))
  }

  /// How many bytes are read: one more than allowed shows that a text is too large.
  package static let readingLimit = JSONLimits().size + 1

  /// Reads the manifest in a file; throws if the machine refuses.
  package init(
    reading path: String, for hosting: Hosting? = nil, _ work: Work
  ) throws(PackError) {
    do throws(Failure) {
      let file = try FileDescriptor.open(path, for: .waiting(work))
      if try file.status().kind == .directory {
        self.init(folderNamed: path)
      } else {
        self.init(
          parsing: try file.readToEnd(atMost: Self.readingLimit), named: path, for: hosting)
      }
    } catch {
      guard error.code == ENOENT else { throw PackError(error) }
      throw PackError(error, remedy: .startFromTemplate)
    }
  }

  /// A document for a manifest that could not be read.
  package init(unreadable error: PackError, named name: String) {
    self.init(nothingIn: name, ManifestRules.unreadable(error))
  }

  /// A document for a folder that was given as a manifest and has none.
  package init(folderNamed name: String) {
    self.init(nothingIn: name, ManifestRules.folderWithoutManifest())
  }

  private init(nothingIn name: String, _ finding: Finding) {
    let text = SourceText([], named: name)
    self.init(text, KeyedReader(about: text, reporting: finding))
  }

  private init(_ text: SourceText, _ reader: KeyedReader<Manifest>) {
    source = text
    let draft = reader.draft
    assetPackID = draft.locations.assetPackID == nil ? nil : draft.value.assetPackID
    fileSelectors = draft.value.fileSelectors
    sourceRoot = draft.value.sourceRoot
    locations = draft.locations
    findings = reader.findings
    manifest = reader.findings.hasErrors ? nil : reader.value
  }

  /// Whether the manifest has no errors.
  package var isValid: Bool { manifest != nil }
}
