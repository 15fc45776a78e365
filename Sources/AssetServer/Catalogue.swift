package import BAPackKit
import SystemIO

/// The packs that are served, and the versions that devices were ever told.
///
/// A version rises when the bytes change and never falls: devices do not take an older one.
package final class Catalogue: @unchecked Sendable {
  private let lock = Lock()
  private var packs: [ServedPack] = []
  /// The packs before the last change, for a manifest that is out of date on purpose.
  private var before: [ServedPack]?
  private var versions: PublicationRecord

  package init(record: PublicationRecord = PublicationRecord()) { versions = record }

  /// All packs, in the order in which they were given.
  package var all: [ServedPack] { lock.with { packs } }

  /// The packs before the last change.
  package var previous: [ServedPack] { lock.with { before ?? packs } }

  /// All versions that were given out.
  package var record: PublicationRecord { lock.with { versions } }

  package subscript(id: PackID) -> ServedPack? { lock.with { packs.first { $0.id == id } } }

  /// What a pack that was taken up became.
  package enum Change: Sendable, Equatable {
    case added(version: Int)
    case raised(from: Int, to: Int)
    case unchanged(version: Int)
    /// The version that is wanted was given to other bytes or to a newer state; or there is none above
    /// the highest, where none is wanted.
    case refused(wanted: Int?, highest: Int)
  }

  /// Takes up a pack, or its new bytes.
  package func take(_ archive: PublishedArchive, _ file: PackFile, version wanted: Int?) -> Change {
    lock.with {
      guard let lowest = versions.nextVersion(of: archive), wanted ?? lowest >= lowest else {
        return .refused(wanted: wanted, highest: versions.latest(of: archive.id)?.version ?? 0)
      }
      let version = wanted ?? lowest
      versions.add(.init(id: archive.id, version: version, sha256: archive.sha256))
      let pack = ServedPack(archive, version: version, file: file)
      guard let index = packs.firstIndex(where: { $0.id == archive.id }) else {
        before = packs
        packs.append(pack)
        return .added(version: version)
      }
      let old = packs[index]
      if old.version == version { return .unchanged(version: version) }
      before = packs
      packs[index] = pack
      return .raised(from: old.version, to: version)
    }
  }

  /// Gives a pack the next version without other bytes; nil if there is no such pack, or no higher
  /// version.
  package func raise(_ id: PackID) -> Int? {
    lock.with {
      guard let index = packs.firstIndex(where: { $0.id == id }), packs[index].version < .max
      else { return nil }
      before = packs
      packs[index].version += 1
      let pack = packs[index]
      versions.add(.init(id: id, version: pack.version, sha256: pack.archive.sha256))
      return pack.version
    }
  }
}
