import Glibc
public import SourceDiagnostics
import SystemIO

/// A manifest as a person wrote it: its text, its meaning, what is wrong with it, and where.
public struct ManifestDocument: Sendable {
  /// The text.
  public let source: SourceText
  /// What the text means; nil when `findings` holds an error.
  public let manifest: Manifest?
  /// What was found in the text.
  public let findings: Ledger
  /// Where the parts of the manifest stand.
  public let locations: ManifestLocations

  /// The ID, if it could be read, also from a manifest with errors.
  public let assetPackID: String?
  /// The selectors that could be read, also from a manifest with errors.
  ///
  /// So files can be checked while other keys are still wrong. They equal those of `manifest` when
  /// there is one.
  public let fileSelectors: [FileSelector]
  /// The source root, if it is there and could be read, also from a manifest with errors.
  public let sourceRoot: String?
  /// Where something stands that is meant as the source root, and cannot be read as one.
  let unreadSourceRoot: SourceSpan?

  /// Reads a manifest.
  ///
  /// The name is shown in messages; without a hosting, only what is wrong in any case is an error.
  public init(parsing bytes: [UInt8], named name: String, for hosting: Hosting? = nil) {
    let text = SourceText(bytes, named: name)
    if let finding = ManifestRules.notAManifest(bytes) {
      self.init(text, ManifestReader(about: text, reporting: finding))
    } else {
      var reader = ManifestReader(about: text, hosting: hosting)
      _ = reader.read(text)
      self.init(text, reader)
    }
  }

  /// How much of a text is read: one byte too many is enough to see that it is too large.
  package static let readingLimit = JSONLimits().size + 1

  /// Reads the manifest in a file; throws where the machine refuses.
  public init(reading path: String, for hosting: Hosting? = nil) throws(PackError) {
    do throws(Failure) {
      let file = try FileDescriptor.open(path, for: .waiting)
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

  /// Stands for a manifest that could not be read.
  public init(unreadable error: PackError, named name: String) {
    self.init(nothingIn: name, ManifestRules.unreadable(error))
  }

  /// Stands for a folder that was given as a manifest and holds none.
  public init(folderNamed name: String) {
    self.init(nothingIn: name, ManifestRules.folderWithoutManifest())
  }

  private init(nothingIn name: String, _ finding: Finding) {
    let text = SourceText([], named: name)
    self.init(text, ManifestReader(about: text, reporting: finding))
  }

  private init(_ text: SourceText, _ reader: ManifestReader) {
    source = text
    assetPackID = reader.assetPackID
    fileSelectors = reader.draft.fileSelectors
    sourceRoot = reader.draft.sourceRoot
    unreadSourceRoot = reader.unreadSourceRoot
    locations = reader.locations
    findings = reader.findings
    manifest = reader.findings.hasErrors ? nil : reader.manifest
  }

  /// Whether the manifest may be packed.
  public var isValid: Bool { manifest != nil }
}
