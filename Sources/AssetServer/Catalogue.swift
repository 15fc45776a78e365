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
  private let versions: VersionRecord
  private var listeners: [@Sendable () -> Void] = []

  package init(_ versions: VersionRecord = VersionRecord()) { self.versions = versions }

  /// All packs, in the order in which they were given.
  package var all: [ServedPack] { lock.with { packs } }

  /// The packs before the last change.
  package var previous: [ServedPack] { lock.with { before ?? packs } }

  /// All versions that were given out.
  package var record: PublicationRecord { versions.all }

  /// Has somebody told, on the thread that changes them, when packs or versions may have changed.
  package func tellOfChanges(_ listener: @escaping @Sendable () -> Void) {
    lock.with { listeners.append(listener) }
  }

  private func changing<Success>(_ body: () -> Success) -> Success {
    // Without the lock: who is told may look.
    defer { for listener in lock.with({ listeners }) { listener() } }
    return lock.with(body)
  }

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
    changing {
      let index = packs.firstIndex { $0.id == archive.id }
      let old = index.map { packs[$0] }
      // What was raised by hand stays so as long as the bytes are the same.
      if wanted == nil, let old, old.archive.sha256 == archive.sha256 {
        packs[index ?? 0] = ServedPack(archive, version: old.version, file: file)
        return .unchanged(version: old.version)
      }
      let given = versions.change { record -> Result<Int, Refusal> in
        let highest = record.latest(of: archive.id)?.version
        guard let lowest = record.nextVersion(of: archive), wanted ?? lowest >= lowest else {
          return .failure(Refusal(highest: highest ?? 0))
        }
        record.add(.init(id: archive.id, version: wanted ?? lowest, sha256: archive.sha256))
        return .success(wanted ?? lowest)
      }
      switch given {
      case .failure(let refusal): return .refused(wanted: wanted, highest: refusal.highest)
      case .success(let version):
        let pack = ServedPack(archive, version: version, file: file)
        if let old, old.version == version {
          packs[index ?? 0] = pack
          return .unchanged(version: version)
        }
        before = packs
        guard let index, let old else {
          packs.append(pack)
          return .added(version: version)
        }
        packs[index] = pack
        return .raised(from: old.version, to: version)
      }
    }
  }

  private struct Refusal: Error {
    let highest: Int
  }

  /// Gives a pack the next version without other bytes; nil if there is no such pack, or no higher
  /// version.
  package func raise(_ id: PackID) -> Int? {
    changing {
      guard let index = packs.firstIndex(where: { $0.id == id }) else { return nil }
      let pack = packs[index]
      let given = versions.change { record -> Int? in
        let highest = max(pack.version, record.latest(of: id)?.version ?? 0)
        guard highest < .max else { return nil }
        record.add(.init(id: id, version: highest + 1, sha256: pack.archive.sha256))
        return highest + 1
      }
      guard let given else { return nil }
      before = packs
      packs[index].version = given
      return given
    }
  }

  /// Offers a pack no longer: devices that have it hear that it is obsolete.
  package func remove(_ id: PackID) {
    changing {
      guard let index = packs.firstIndex(where: { $0.id == id }) else { return }
      before = packs
      packs.remove(at: index)
    }
  }
}
