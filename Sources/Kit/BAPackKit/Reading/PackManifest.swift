import AssetArchive
import SystemIO

extension PackReader {
  /// The maximum size of a manifest in bytes.
  package static let largestManifest = 16 << 20

  /// Returns the ID of the pack at a path; nil if the file is not a pack with a manifest.
  package static func assetPackID(ofFileAt path: String, _ work: Work) -> String? {
    guard var reader = try? PackReader(opening: path) else { return nil }
    while let entry = try? reader.nextEntry(), (try? work.checkCancellation()) != nil {
      if entry.isManifest { return (try? reader.manifest(in: entry))?.assetPackID }
    }
    return nil
  }

  /// Returns the manifest of the pack if `entry`, the current entry, is the manifest; nil
  /// otherwise, or if it is too large.
  package mutating func manifest(
    in entry: PackEntry, for hosting: Hosting? = nil
  ) throws(PackError) -> ManifestDocument? {
    guard entry.isManifest, let bytes = try contents(of: entry, atMost: Self.largestManifest)
    else { return nil }
    return ManifestDocument(inPack: name, bytes, for: hosting)
  }
}

extension ManifestDocument {
  /// Parses the manifest of the pack at `path`.
  init(inPack path: String, _ bytes: [UInt8], for hosting: Hosting?) {
    self.init(
      parsing: bytes, named: "\(path)/\(shownBytes(PackPath.manifest.bytes))", for: hosting)
  }
}

extension Manifest {
  package init(in document: ManifestDocument?, ofPack path: String) throws(PackError) {
    guard let document else {
      throw PackError(
        .malformed(offset: nil), "'\(path)' contains no 'Manifest.json'",
        remedy: .makePack)
    }
    guard let manifest = document.manifest else {
      let first = document.findings.first { $0.severity == .error }
      throw PackError(
        .malformed(offset: nil),
        "the manifest in '\(path)' is not valid: \(first?.message ?? "it is empty")",
        remedy: "correct the manifest and pack again")
    }
    self = manifest
  }
}
