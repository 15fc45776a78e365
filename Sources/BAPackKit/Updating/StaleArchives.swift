import Glibc
package import SystemIO

/// The archives in an output folder that runs made which kept records, and that no manifest makes
/// any more.
///
/// A record beside an archive proves that it is ours, and says where its manifest was. What has no
/// record may belong to anything: it is named, and never removed. What a manifest still makes that
/// is none of the project's is not stale.
package struct StaleArchives: Sendable {
  /// How sure it has to be that an archive is what its record is about.
  package enum Proof: Sendable {
    /// It has the size that was written: enough to speak of it.
    case size
    /// It has the bytes that were written: enough to remove it.
    case bytes
  }

  /// The paths of the archives, as they are in order in the folder.
  package private(set) var archives: [String] = []
  /// The paths of files that have records and are not what these are about.
  package private(set) var others: [String] = []
  /// The paths of archives that are gone, and of which a record is left.
  package private(set) var gone: [String] = []
  /// The paths of packs without records, in order: nothing proves which manifests made them.
  package private(set) var unrecorded: [String] = []

  /// Looks into a folder for what is beside the archives at these paths, which manifests make now.
  ///
  /// With `ofRenamed`, only archives whose manifest is still there and has another ID are found: a
  /// manifest that is not there may be one whose path started at another folder.
  package init(
    in folder: String, besides current: [String], proof: Proof, ofRenamed: Bool = false,
    _ work: Work
  ) throws(PackError) {
    do throws(Failure) {
      try search(
        in: try FileDescriptor.open(folder, for: .directory), besides: current, proof, work)
      if ofRenamed {
        archives.removeAll { ArchiveRecord(of: $0)?.isManifestThere(work) != true }
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
    // One file may have two names: where case does not count, or by a link.
    let files = current.compactMap { try? FileStatus(ofFileAt: $0).identity }
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
        gone.append(path)
      }
    }
  }

  /// Whether a file begins as packs do, and is none of some files.
  private static func isPack(
    _ name: FileName, in folder: borrowing FileDescriptor, besides files: [FileIdentity]
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
  /// Whether the manifest is where it was, and makes an archive of this name.
  fileprivate func hasManifest(for name: FileName, _ work: Work) -> Bool {
    guard !manifest.isEmpty, let document = try? ManifestDocument(reading: manifest, work) else {
      return false
    }
    // What cannot be told is not said to be gone.
    return document.assetPackID.map { Array("\($0).aar".utf8) == name.bytes } ?? true
  }

  /// Whether the manifest is where it was, and has an ID.
  fileprivate func isManifestThere(_ work: Work) -> Bool {
    !manifest.isEmpty && (try? ManifestDocument(reading: manifest, work))?.assetPackID != nil
  }

  /// Whether a file is the archive as it was written.
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
