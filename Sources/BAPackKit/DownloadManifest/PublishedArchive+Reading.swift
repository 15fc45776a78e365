public import SourceDiagnostics
import SystemIO

extension PublishedArchive {
  /// Reads the archive of a pack: its manifest, its sizes and its digest.
  ///
  /// The contents are not decoded; `verify` does that.
  public init(reading path: String) throws(PackError) {
    // Opened once: digest, manifest and sizes are those of one file.
    let source = try ByteSource(opening: path)
    let sha256 = try hexadecimal(fileDigest(of: source))
    let inspection = try PackInspection(of: source, memory: PackReader.defaultMemory)
    if let trouble = inspection.trouble { throw trouble }
    guard let document = inspection.manifest else {
      throw PackError(
        .malformed(offset: nil), "'\(path)' has no 'Manifest.json'",
        remedy: "give the archive of an asset pack, as 'ba-package pack' makes it")
    }
    guard let manifest = document.manifest else {
      let first = document.diagnostics.first { $0.severity == .error }
      throw PackError(
        .malformed(offset: nil),
        "the manifest in '\(path)' is not valid: \(first?.message ?? "it says nothing")",
        remedy: "correct the pack's manifest and pack it again")
    }
    self.init(
      path: path, manifest: manifest, size: inspection.fileSize,
      installedSize: inspection.contentSize,
      sha256: sha256)
  }
}

extension [PublishedArchive] {
  /// Packs that are there twice.
  public var findingsAboutIDs: [Findings] {
    var findings = ArchiveFindings()
    for (index, archive) in enumerated() {
      findings.add(DownloadDuplicateID.check(index, of: self), about: archive.path)
    }
    return findings.all
  }

  /// Reads several archives; each that cannot be read is a finding about its path.
  public static func read(
    _ paths: [String]
  ) throws(PackError) -> (archives: Self, unreadable: [Findings]) {
    var archives: Self = []
    var findings: [Findings] = []
    for path in paths {
      do throws(PackError) {
        archives.append(try PublishedArchive(reading: path))
      } catch {
        guard error.kind != .interrupted else { throw error }
        findings.append(
          Findings(SourceText([], named: path), [DownloadArchiveUnreadable.finding(error)]))
      }
    }
    return (archives, findings)
  }
}
