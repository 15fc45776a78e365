import Glibc
package import SystemIO

/// The packs in an output folder that no current manifest creates.
///
/// A pack whose record has the path of an existing manifest of its ID belongs to that manifest,
/// which can be outside of the project: it is not stale.
package struct StaleArchives: Sendable {
  /// The paths of the stale packs, in order.
  package private(set) var archives: [String] = []
  /// Those whose record shows that they were packed from a manifest that has another ID now.
  package private(set) var renamed: [String] = []
  /// Those without a record that shows their manifest.
  package private(set) var unrecorded: [String] = []
  /// The paths of missing archives with a record.
  package private(set) var missing: [String] = []

  /// Searches a folder for stale packs; `current` are the archives of current manifests.
  package init(in folder: String, besides current: [String], _ work: Work) throws(PackError) {
    do throws(Failure) {
      try search(in: try FileDescriptor.open(folder, for: .directory), besides: current, work)
    } catch {
      if error.code != ENOENT { throw PackError(error) }
    }
  }

  private mutating func search(
    in folder: borrowing FileDescriptor, besides current: [String], _ work: Work
  ) throws(Failure) {
    let names = Set(current.map { OutputPlace($0).name.bytes })
    // One file may have two names: because of a link or a case-insensitive file system.
    let files = Set(current.compactMap { try? FileStatus(ofFileAt: $0).identity })
    let listing = try folder.list()
    let found = listing.items.map { listing.fileName(of: $0) }
    let present = Set(found.map(\.bytes))
    for name in found where !names.contains(name.bytes) {
      let path = folder.location.appending(name).text
      if let output = RecordName.output(of: name) {
        if !names.contains(output.bytes), !present.contains(output.bytes) {
          missing.append(folder.location.appending(output).text)
        }
      } else if name.hasArchiveSuffix, Self.isPack(name, in: folder, besides: files) {
        let record = ArchiveRecord(of: path).flatMap { $0.isAbout(path) ? $0 : nil }
        if record?.hasManifest(for: name, work) ?? false { continue }
        archives.append(path)
        if record == nil { unrecorded.append(path) }
        if record?.manifestExists(work) ?? false { renamed.append(path) }
      }
    }
    archives.sort()
    renamed.sort()
    unrecorded.sort()
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
  package static func describes(_ path: String) -> Bool {
    ArchiveRecord(of: path)?.isAbout(path) ?? false
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

  /// Whether a file has the size of the recorded archive.
  fileprivate func isAbout(_ path: String) -> Bool {
    (try? FileStatus(ofFileAt: path))?.size == output.size
  }
}
