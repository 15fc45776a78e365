import BAPackKit
import SourceDiagnostics

extension PublishedArchive {
  /// Returns an archive with an artificial digest that depends on `content`.
  static func sample(
    _ id: String, content: Character = "a", size: UInt64 = 596, installedSize: UInt64 = 2000,
    policy: DownloadPolicy = .onDemand, platforms: [Platform] = [], language: LanguageTag? = nil,
    userInfo: JSONValue? = nil, path: String? = nil
  ) -> PublishedArchive {
    PublishedArchive(
      path: path ?? "Output/\(id).aar",
      manifest: Manifest(
        assetPackID: id, downloadPolicy: policy, fileSelectors: [.directory("Assets")],
        platforms: platforms, language: language, userInfo: userInfo),
      size: size, installedSize: installedSize, sha256: digest(content))
  }
}

/// Returns 64 times a hexadecimal digit.
func digest(_ digit: Character) -> String { String(repeating: digit, count: 64) }

extension DownloadPolicy {
  static let essential = DownloadPolicy.essential([.firstInstallation, .subsequentUpdate])
  static let prefetch = DownloadPolicy.prefetch([.firstInstallation])
}

extension Ledger {
  /// All findings as in a terminal, without notes and fixes.
  var lines: [String] {
    LineRenderer().render(self).split(separator: "\n").map(String.init).filter { $0.hasSuffix("]") }
  }

  /// The names of the rules.
  var ids: [String] { map(\.id.name) }
}

extension DownloadManifest {
  /// The manifest as a parsed text.
  var document: DownloadManifestDocument {
    DownloadManifestDocument(parsing: json(), named: "manifest.json")
  }
}
