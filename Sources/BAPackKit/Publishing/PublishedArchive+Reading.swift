package import SourceDiagnostics
package import SystemIO
import TerminalText

extension PublishedArchive {
  /// Reads the archive of a pack: its manifest, its sizes and its digest.
  ///
  /// The contents are not decoded; that is what `verify` does.
  package init(
    reading path: String, memory: UInt64 = PackReader.defaultMemory, _ work: Work
  ) throws(PackError) {
    // Opened once, so that digest, manifest and sizes are those of the same file.
    let source = try ByteSource(opening: path)
    let sha256 = try hexadecimal(fileDigest(of: source, work))
    let inspection = try PackInspection(of: source, memory: memory)
    if let trouble = inspection.trouble { throw trouble }
    self.init(
      path: path, manifest: try Manifest(in: inspection.manifest, ofPack: path),
      size: inspection.fileSize,
      installedSize: inspection.contentSize,
      sha256: sha256)
  }

  /// The SHA-256 of a file, in lower-case hexadecimal digits.
  package static func sha256(ofFileAt path: String, _ work: Work) throws(PackError) -> String {
    hexadecimal(try fileDigest(ofFileAt: path, work))
  }
}

extension PublishedArchive {
  /// What findings about the archive as a whole are about.
  var page: SourceText { SourceText([], named: path) }
}

extension [PublishedArchive] {
  /// Findings about packs that are there twice, and about packs whose IDs look alike.
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

  /// Reads several archives; for each that cannot be read there is a finding with its path.
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
