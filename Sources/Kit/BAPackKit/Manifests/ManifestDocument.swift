import Glibc
package import SourceDiagnostics
package import SystemIO

/// A manifest as a text: the text, its value, and the findings with their places.
package struct ManifestDocument: Sendable {
  package let source: SourceText
  /// The value of the text; nil if `findings` contains an error.
  package private(set) var manifest: Manifest?
  /// The findings in the text.
  package private(set) var findings: Ledger
  /// The levels of findings for this manifest, which are applied to the findings.
  package private(set) var policy = FindingPolicy()
  /// The value, if it could be read, even if the findings have errors.
  private let value: Manifest?
  /// The places of the parts of the manifest.
  package let locations: ManifestLocations

  /// The ID, if it could be read, even if the manifest has errors.
  package let assetPackID: String?
  /// The selectors that could be read, even if the manifest has errors.
  ///
  /// With them, files can be checked although other keys have errors. If there is a `manifest`,
  /// these are its selectors.
  package let fileSelectors: [FileSelector]
  /// The source root, if it could be read, even if the manifest has errors.
  package let sourceRoot: String?
  /// The place of an invalid or misspelled source root.
  var unreadSourceRoot: SourceSpan? { locations.unreadSourceRoot }

  /// Reads a manifest.
  ///
  /// - Parameters:
  ///   - bytes: The text.
  ///   - name: The name of the file in messages.
  ///   - hosting: The host of the pack; nil reports only errors that apply to all hosts.
  package init(parsing bytes: [UInt8], named name: String, for hosting: Hosting? = nil) {
    let text = SourceText(bytes, named: name)
    self.init(text, KeyedReader(text, for: hosting))
  }

  /// The maximum number of bytes to read: one more than the limit, to detect larger texts.
  package static let readingLimit = JSONLimits().size + 1

  /// Reads the manifest in a file.
  ///
  /// - Throws: An error if a system call fails.
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

  /// Creates a document for a manifest that could not be read.
  package init(unreadable error: PackError, named name: String) {
    self.init(nothingIn: name, ManifestRules.unreadable(error))
  }

  /// Creates a document for a folder without manifests.
  package init(folderNamed name: String) {
    self.init(nothingIn: name, ManifestRules.folderWithoutManifest(name))
  }

  private init(nothingIn name: String, _ finding: Finding) {
    let text = SourceText([], named: name)
    self.init(text, KeyedReader(about: text, reporting: finding))
  }

  private init(_ text: SourceText, _ reader: KeyedReader<Manifest>) {
    source = text
    let draft = reader.draft
    // By its name, because the comparison of key paths takes longer than the rest.
    assetPackID =
      draft.locations[ManifestKeys.assetPackID.name] == nil ? nil : draft.value.assetPackID
    fileSelectors = draft.value.fileSelectors
    sourceRoot = draft.value.sourceRoot
    locations = draft.locations
    findings = reader.findings
    value = reader.value
    manifest = reader.findings.hasErrors ? nil : reader.value
  }

  /// Returns the document with a policy for its findings, and for findings about its files.
  package func following(_ policy: FindingPolicy) -> ManifestDocument {
    var document = self
    document.policy = policy
    document.findings.follow(policy, [source.name: policy])
    document.manifest = document.findings.hasErrors ? nil : value
    return document
  }

  /// Whether the manifest has no errors.
  package var isValid: Bool { manifest != nil }
}
