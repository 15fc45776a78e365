import BAPackKit
import SourceDiagnostics
import SystemIO

/// Inspects an uploaded file, as the service does when it processes one.
///
/// Numeric codes are those that developers have reported. If the code of the service is unknown,
/// the mock uses a code that starts with `MOCK`.
struct ContentCheck: Sendable {
  let kind: MockFile.Kind
  /// The identifier of the pack's record.
  let identifier: String
  /// The platforms of the app's record.
  let appPlatforms: [String]

  /// Reads all bytes of a file.
  func inspect(_ source: consuming ByteSource) -> Judgement {
    var judgement = Judgement()
    switch kind {
    case .manifest: inspectManifest(source, &judgement)
    case .asset: inspectArchive(source, &judgement)
    }
    return judgement
  }

  private func inspectManifest(
    _ source: borrowing ByteSource, _ judgement: inout Judgement
  ) {
    let limit = PackReader.largestManifest
    guard source.size <= UInt64(limit),
      let bytes = try? source.read(at: 0, count: Int(source.size))
    else {
      judgement.isBroken = true
      judgement.error("MOCK-MANIFEST", "The manifest is too large.")
      return
    }
    inspect(ManifestDocument(parsing: bytes, named: "Manifest.json", for: .apple), nil, &judgement)
  }

  private func inspectArchive(
    _ source: consuming ByteSource, _ judgement: inout Judgement
  ) {
    var manifest: ManifestDocument?
    var paths: Set<AssetPath> = []
    do throws(PackError) {
      var reader = try PackReader(source)
      while let entry = try reader.nextEntry() {
        if entry.isManifest {
          manifest = try reader.manifest(in: entry, for: .apple)
        } else if let path = entry.pathInContents {
          paths.insert(path)
        }
      }
    } catch {
      judgement.isBroken = true
      judgement.error("MOCK-ARCHIVE", "The archive cannot be read: \(error.message)")
      return
    }
    guard let manifest else {
      judgement.isBroken = true
      judgement.error("MOCK-MANIFEST", "The archive has no Manifest.json.")
      return
    }
    inspect(manifest, paths, &judgement)
  }

  private func inspect(
    _ document: ManifestDocument, _ paths: Set<AssetPath>?, _ judgement: inout Judgement
  ) {
    if let root = JSONDocument(parsing: document.source).root,
      DownloadPolicy.isOnDemandWithNull(root)
    {
      judgement.error("91140", "The on-demand policy must be an empty object.")
    }
    for finding in document.findings where finding.severity == .error {
      judgement.error("MOCK-\(finding.id.name)", finding.message)
    }
    if let id = document.assetPackID, id != identifier {
      judgement.error(
        "MOCK-ID",
        "The asset pack ID is '\(id)' in the manifest and '\(identifier)' in the record.")
    }
    guard let manifest = document.manifest else { return }
    inspectPlatforms(manifest, &judgement)
    judgement.locale = manifest.language?.description
    guard let paths else { return }
    for path in manifest.fileSelectors.compactMap(\.pathOfFile)
    where !paths.contains(AssetPath(unchecked: path.utf8)) {
      judgement.error("MOCK-FILE", "The archive has no '\(path)', which the manifest selects.")
    }
  }

  private func inspectPlatforms(_ manifest: Manifest, _ judgement: inout Judgement) {
    let named = manifest.platforms.map { platform in
      switch platform {
      case .iOS: "IOS"
      case .macOS: "MAC_OS"
      case .tvOS: "TV_OS"
      case .visionOS: "VISION_OS"
      }
    }
    // No platform means all platforms.
    let platforms = Platforms.all.filter {
      named.isEmpty ? appPlatforms.contains($0) : named.contains($0)
    }
    for platform in platforms where !appPlatforms.contains(platform) {
      judgement.warning(
        "91139",
        "The manifest contains the platform \(platform), which the app does not support.")
    }
    judgement.platforms = platforms
  }
}

extension Judgement {
  mutating func error(_ code: String, _ description: String) {
    details.errors.append(.init(code: code, description: description))
  }

  mutating func warning(_ code: String, _ description: String) {
    details.warnings.append(.init(code: code, description: description))
  }
}
