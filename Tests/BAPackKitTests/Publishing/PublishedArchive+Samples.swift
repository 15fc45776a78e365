import BAPackKit
import SourceDiagnostics

extension PublishedArchive {
  /// An archive whose digest is that of nothing in particular, but differs with `content`.
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

/// 64 times one hexadecimal digit.
func digest(_ digit: Character) -> String { String(repeating: digit, count: 64) }

extension DownloadPolicy {
  static let essential = DownloadPolicy.essential([.firstInstallation, .subsequentUpdate])
  static let prefetch = DownloadPolicy.prefetch([.firstInstallation])
}

extension Ledger {
  /// Every finding as a terminal's reader would see it, without the lines of reasons and fixes.
  var lines: [String] {
    LineRenderer().render(self).split(separator: "\n").map(String.init).filter { $0.hasSuffix("]") }
  }

  /// The names of the rules that spoke.
  var ids: [String] { map(\.id.name) }
}

extension DownloadManifest {
  /// The manifest as a text that was read back.
  var document: DownloadManifestDocument {
    DownloadManifestDocument(parsing: json(), named: "manifest.json")
  }
}
