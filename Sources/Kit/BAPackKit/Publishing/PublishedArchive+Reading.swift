package import SourceDiagnostics
package import SystemIO
import TerminalText

extension PublishedArchive {
  /// Reads the archive of a pack: its manifest, its sizes and its digest.
  ///
  /// The contents are not decoded; use `verify` for that.
  package init(
    reading path: String, memory: UInt64 = PackReader.defaultMemory, _ work: Work
  ) throws(PackError) {
    // The file is opened once, so that digest, manifest and sizes belong to the same file.
    let source = try ByteSource(opening: path)
    let sha256 = try hexadecimal(fileDigest(of: source, work))
    let inspection = try PackInspection(of: source, memory: memory)
    if let error = inspection.error { throw error }
    self.init(
      path: path, manifest: try Manifest(in: inspection.manifest, ofPack: path),
      size: inspection.fileSize,
      installedSize: inspection.contentSize,
      sha256: sha256)
  }

  /// Returns the SHA-256 of a file, in lowercase hexadecimal digits.
  package static func sha256(ofFileAt path: String, _ work: Work) throws(PackError) -> String {
    hexadecimal(try fileDigest(ofFileAt: path, work))
  }
}

extension PublishedArchive {
  /// The page for findings about the archive as a whole.
  var page: SourceText { SourceText([], named: path) }
}

extension [PublishedArchive] {
  /// The findings about duplicate packs, and about packs with similar IDs.
  package var findingsAboutIDs: Ledger {
    var findings = Ledger()
    var seen: [String: PublishedArchive] = [:]
    for archive in self {
      guard let other = seen.updateValue(archive, forKey: archive.id.appearance) else { continue }
      findings.add(
        archive.id == other.id
          ? DownloadPackRules.duplicateID(given: archive, first: other)
          : DownloadPackRules.similarIDs(archive.id, other.id, at: nil),
        about: archive.page)
    }
    return findings
  }

  /// Reads several archives.
  ///
  /// A finding with the path is added for each unreadable archive.
  package static func read(
    _ paths: [String], memory: UInt64 = PackReader.defaultMemory, _ work: Work
  ) throws(PackError) -> (archives: Self, unreadable: Ledger) {
    var archives: Self = []
    var findings = Ledger()
    for path in paths {
      do throws(PackError) {
        archives.append(try PublishedArchive(reading: path, memory: memory, work))
      } catch {
        guard error.kind != .interrupted else { throw error }
        findings.add(DownloadArchiveRules.unreadable(error), about: SourceText([], named: path))
      }
    }
    return (archives, findings)
  }
}
