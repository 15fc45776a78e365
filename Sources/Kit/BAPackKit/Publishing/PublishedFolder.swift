import BlockCodecs
import Glibc
package import SystemIO
import TerminalText

/// A folder to be served unchanged: the path of each archive is the path of its address.
///
/// The folder corresponds to the base of the addresses; without a base, to the root of the host.
package struct PublishedFolder: Sendable {
  package let path: String
  private let base: [String]

  /// Creates a folder for packs with these addresses.
  package init(_ path: String, for urls: PackURLs?) {
    self.path = path
    base = urls?.baseFolders ?? []
  }

  /// Copies the archives of a publication to their places, and returns the number of new files.
  ///
  /// - Throws: ``PackError`` if a file with other bytes exists and `replacing` is false, or if an
  ///   archive has changed since it was read.
  package func copyArchives(of publication: Publication, replacing: Bool, _ work: Work)
    throws(PackError)
    -> Int
  {
    guard let manifest = publication.manifest else { return 0 }
    var count = 0
    for pack in manifest.packs {
      guard let archive = publication.archives[pack.id] else { continue }
      if try copy(archive, to: place(of: pack), replacing: replacing, work) { count += 1 }
    }
    return count
  }

  private func place(of pack: PublishedPack) throws(PackError) -> String {
    let address = pack.address
    var names = address?.path ?? []
    if names.starts(with: base) { names.removeFirst(base.count) }
    let areNames = names.allSatisfy { name in
      name != "." && name != ".." && !name.utf8.contains { $0 == 0 || $0 == slash }
    }
    guard let address, !address.hasQueryOrFragment, !names.isEmpty, areNames else {
      throw PackError(
        .conflict,
        "the address of '\(pack.id)', '\(publicAddress(pack.url))', is not the address of a file",
        remedies: [.leaveOutPublishedFolder, "use a URL template without a query"])
    }
    return ([path] + names).joined(separator: "/")
  }

  /// Copies a file, and returns whether that was necessary.
  private func copy(
    _ archive: PublishedArchive, to place: String, replacing: Bool, _ work: Work
  ) throws(PackError) -> Bool {
    if let there = try? FileStatus(ofFileAt: place), there.kind == .file {
      if there.size == archive.size,
        try PublishedArchive.sha256(ofFileAt: place, work) == archive.sha256
      {
        return false
      }
      guard replacing else {
        throw PackError(
          .exists, "'\(place)' already exists with other bytes",
          remedies: ["use another version or address for the pack", .replaceExisting])
      }
    }
    do throws(Failure) {
      _ = try FileDescriptor.openFolder(making: OutputPlace(place).folder)
      let file = try AtomicFile(place, replacing: replacing)
      var digest = try Digest(.sha256)
      let source = try ByteSource(try FileDescriptor.open(archive.path, for: .reading))
      try digest.update(with: source, work) { piece throws(Failure) in
        try file.descriptor.write(piece)
      }
      guard hexadecimal(digest.finish()) == archive.sha256 else {
        throw Failure(.copy, archive.path, code: ESTALE)
      }
      try file.publish()
    } catch {
      guard error.kind != .interrupted else {
        throw PackError(.interrupted, "interrupted; the manifest was not written")
      }
      throw PackError(error, while: .publishing)
    }
    return true
  }
}
