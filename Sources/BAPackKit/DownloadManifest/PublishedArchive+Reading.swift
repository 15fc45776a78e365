import BlockCodecs
public import SourceDiagnostics
import SystemIO

extension PublishedArchive {
  /// Reads the archive of a pack: its manifest, its sizes and its digest.
  ///
  /// The contents are not decoded; `verify` does that.
  public init(reading path: String) throws(PackError) {
    let inspection = try PackInspection(of: path)
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
    let (sha256, size) = try Self.digest(of: path)
    guard size == inspection.fileSize else {
      throw PackError(
        .changed, "'\(path)' changed while it was read",
        remedy: "wait until it is whole, and try again")
    }
    self.init(
      path: path, manifest: manifest, size: size, installedSize: inspection.contentSize,
      sha256: sha256)
  }

  private static func digest(of path: String) throws(PackError) -> (sha256: String, size: UInt64) {
    let source = try ByteSource(opening: path)
    let step = 1 << 20
    guard var digest = try? Digest(.sha256) else {
      throw PackError(.unsupported, "there is no memory for the digest of '\(path)'")
    }
    do throws(SystemError) {
      var buffer = try ByteBuffer(capacity: step)
      var offset: UInt64 = 0
      repeat {
        buffer.removeAll()
        try source.read(at: offset, count: step, into: &buffer)
        buffer.withBytes { digest.update($0) }
        offset += UInt64(buffer.count)
      } while buffer.count == step
      return (digest.finish().map(hexadecimal).joined(), offset)
    } catch {
      throw PackError(error)
    }
  }

  private static func hexadecimal(_ byte: UInt8) -> String {
    (byte < 16 ? "0" : "") + String(byte, radix: 16)
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
