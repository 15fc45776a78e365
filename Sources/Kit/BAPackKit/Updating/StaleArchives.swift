import Glibc
package import SystemIO

/// The recorded archives in an output folder that do not belong to a current manifest.
///
/// A record next to an archive proves that ba-package made it, and contains the path of its
/// manifest. Archives without a record are listed separately and never removed. An archive of an
/// existing manifest outside the project is not stale.
package struct StaleArchives: Sendable {
  /// The required proof that a file is the recorded archive.
  package enum Proof: Sendable {
    /// The file has the recorded size, which is sufficient for reporting it.
    case size
    /// The file has the recorded bytes, which is required for removing it.
    case bytes
  }

  /// The paths of the stale archives, in order.
  package private(set) var archives: [String] = []
  /// The paths of files that differ from the archives in their records.
  package private(set) var others: [String] = []
  /// The paths of missing archives with a record.
  package private(set) var missing: [String] = []
  /// The paths of packs without records, in order; their manifests are unknown.
  package private(set) var unrecorded: [String] = []

  /// Searches a folder for stale archives; `current` are the archives of current manifests.
  ///
  /// With `ofRenamed`, the result contains only archives whose manifest exists and has another ID.
  /// A missing manifest may have a path relative to another folder.
  package init(
    in folder: String, besides current: [String], proof: Proof, ofRenamed: Bool = false,
    _ work: Work
  ) throws(PackError) {
    do throws(Failure) {
      try search(
        in: try FileDescriptor.open(folder, for: .directory), besides: current, proof, work)
      if ofRenamed {
        archives.removeAll { ArchiveRecord(of: $0)?.manifestExists(work) != true }
      }
    } catch {
      if error.code != ENOENT { throw PackError(error) }
    }
  }

  private mutating func search(
    in folder: borrowing FileDescriptor, besides current: [String], _ proof: Proof,
    _ work: Work
  ) throws(Failure) {
    let names = Set(current.map { OutputPlace($0).name.bytes })
    // One file may have two names: because of a link or a case-insensitive file system.
    let files = Set(current.compactMap { try? FileStatus(ofFileAt: $0).identity })
    let listing = try folder.list()
    let found = listing.items.map { listing.fileName(of: $0) }
    let recorded = Set(found.compactMap { RecordName.output(of: $0)?.bytes })
    for name in found
    where name.hasArchiveSuffix && !names.contains(name.bytes) && !recorded.contains(name.bytes) {
      if Self.isPack(name, in: folder, besides: files) {
        unrecorded.append(folder.location.appending(name).text)
      }
    }
    unrecorded.sort()
    for item in found {
      guard let name = RecordName.output(of: item), !names.contains(name.bytes) else { continue }
      let path = folder.location.appending(name).text
      do throws(Failure) {
        let status = try folder.status(of: name)
        if files.contains(status.identity) { continue }
        guard status.kind == .file, let record = ArchiveRecord(of: path) else {
          others.append(path)
          continue
        }
        if record.hasManifest(for: name, work) { continue }
        if record.isAbout(path, proof, work) { archives.append(path) } else { others.append(path) }
      } catch {
        guard error.code == ENOENT else { throw error }
        missing.append(path)
      }
    }
  }

  /// Whether a file begins like a pack, and is not one of the given files.
  private static func isPack(
    _ name: FileName, in folder: borrowing FileDescriptor, besides files: Set<FileIdentity>
  ) -> Bool {
    guard let status = try? folder.status(of: name), status.kind == .file,
      !files.contains(status.identity),
      let start = try? folder.open(name, for: .reading).readToEnd(atMost: 8)
    else { return false }
    return PackReader.isPack(start)
  }
}

extension FileName {
  /// Whether the name is that of an archive that is not hidden.
  fileprivate var hasArchiveSuffix: Bool {
    bytes.first != UInt8(ascii: ".") && bytes.suffix(4).elementsEqual(".aar".utf8)
  }
}

extension ArchiveRecord {
  /// Whether a record next to a file shows that ba-package wrote it, by the size.
  package static func describes(_ path: String, _ work: Work) -> Bool {
    ArchiveRecord(of: path)?.isAbout(path, .size, work) ?? false
  }

  /// Whether the manifest still exists and its archive has this name.
  fileprivate func hasManifest(for name: FileName, _ work: Work) -> Bool {
    guard !manifest.isEmpty, let document = try? ManifestDocument(reading: manifest, work) else {
      return false
    }
    // If the manifest is unreadable, it is treated as existing.
    return document.assetPackID.map { Array("\($0).aar".utf8) == name.bytes } ?? true
  }

  /// Whether the manifest still exists and has an ID.
  fileprivate func manifestExists(_ work: Work) -> Bool {
    !manifest.isEmpty && (try? ManifestDocument(reading: manifest, work))?.assetPackID != nil
  }

  /// Whether a file is the recorded archive.
  fileprivate func isAbout(
    _ path: String, _ proof: StaleArchives.Proof, _ work: Work
  ) -> Bool {
    guard let status = try? FileStatus(ofFileAt: path), status.size == output.size else {
      return false
    }
    return proof == .size || FileWitness(status) == output
      || (try? fileDigest(ofFileAt: path, work)) == sha256
  }
}
