package import BAPackKit
import SystemIO

/// The packs that are served, and all versions that were published to devices.
///
/// The version of a pack increases when its bytes change. It never decreases, because devices do
/// not install an older version. Reading the packs never waits for a change: a change first waits
/// for the version file, and then stores its result.
package final class Catalogue: Sendable {
  private struct Contents {
    var packs: [ServedPack] = []
    /// The index of each pack in the list.
    var places: [PackID: Int] = [:]
    /// The packs before the last change; nil before the first change.
    var before: Before?

    init() {}

    mutating func set(_ packs: [ServedPack]) {
      self.packs = packs
      places = Catalogue.places(of: packs)
    }
  }

  /// The packs before a change.
  private enum Before {
    case packs([ServedPack])
    /// The packs at the start of the run, and the record of their versions before the run.
    ///
    /// Their former versions are calculated when a client needs them, because thousands of packs
    /// would delay the start.
    case run([ServedPack], PublicationRecord)

    var packs: [ServedPack] {
      switch self {
      case .packs(let packs): packs
      case .run(let packs, let record): Catalogue.state(of: packs, before: record)
      }
    }
  }

  private let contents = Guarded(Contents())
  private let listeners = Guarded<[@Sendable () -> Void]>([])
  private let outageListeners = Guarded<[@Sendable () -> Void]>([])
  private let changes = InTurn(())
  private let versions: VersionRecord

  package init(_ versions: VersionRecord = VersionRecord()) { self.versions = versions }

  /// All packs, in the order in which they were added.
  package var all: [ServedPack] { contents.with { $0.packs } }

  /// The packs before the last change.
  ///
  /// After the first change of a run, these are the packs with the versions that the record had
  /// before the run. A stale manifest is therefore complete after a restart, too.
  package var previous: [ServedPack] {
    let (before, packs) = contents.with { ($0.before, $0.packs) }
    return before?.packs ?? packs
  }

  /// All versions that were assigned.
  package var record: PublicationRecord { versions.all }

  /// Adds a function to call after packs or versions may have changed.
  ///
  /// The function is called on the thread that makes the change.
  package func observeChanges(_ listener: @escaping @Sendable () -> Void) {
    listeners.with { $0.append(listener) }
  }

  /// Adds a function to call when a client requests a pack that cannot be delivered, or a manifest
  /// that omits it.
  ///
  /// The function is called on the thread of the request.
  package func observeOutages(_ listener: @escaping @Sendable () -> Void) {
    outageListeners.with { $0.append(listener) }
  }

  private static func places(of packs: [ServedPack]) -> [PackID: Int] {
    Dictionary(packs.indices.map { (packs[$0].id, $0) }, uniquingKeysWith: { first, _ in first })
  }

  private func changing<Success: Sendable>(_ body: () -> Success) -> Success {
    defer { Self.call(listeners) }
    return changes.with { _ in body() }
  }

  private static func call(_ listeners: Guarded<[@Sendable () -> Void]>) {
    for listener in listeners.with({ $0 }) { listener() }
  }

  package subscript(id: PackID) -> ServedPack? {
    contents.with { contents in contents.places[id].map { contents.packs[$0] } }
  }

  // MARK: Changes

  /// A pack to serve, or new bytes for a served pack.
  package struct Offer: Sendable {
    let archive: PublishedArchive
    let file: PackFile
    /// The required version; nil for the next one.
    let version: Int?
    /// The pack that the file contained before; it is removed if this offer is accepted.
    let old: PackID?

    package init(
      _ archive: PublishedArchive, _ file: PackFile, version: Int? = nil,
      replacing old: PackID? = nil
    ) {
      self.archive = archive
      self.file = file
      self.version = version
      self.old = old
    }
  }

  /// The result of an offer.
  package enum Change: Sendable, Equatable {
    case added(version: Int)
    case raised(from: Int, to: Int)
    case unchanged(version: Int)
    /// The offer has no valid version.
    ///
    /// The required version belongs to other bytes, or a higher version was already assigned.
    /// Without a required version, no version above the highest exists.
    case refused(requested: Int?, highest: Int)
  }

  /// Adds a pack, or new bytes of a served pack.
  package func add(_ archive: PublishedArchive, _ file: PackFile, version: Int?) -> Change {
    replace(removing: [], by: [Offer(archive, file, version: version)]).first
      ?? .refused(requested: version, highest: .max)
  }

  /// Removes packs and adds or updates others, in one change; returns a result for each offer.
  ///
  /// Each offer must be for a different pack. On a device, a removed pack becomes obsolete.
  package func replace(removing removed: [PackID], by offers: [Offer]) -> [Change] {
    changing {
      let old = all
      let places = Self.places(of: old)
      let served = offers.map { offer in places[offer.archive.id].map { old[$0] } }
      var known = PublicationRecord()
      let given = versions(for: offers, served, &known)
      var packs = old
      var gone = Set(removed)
      var changes: [Change] = []
      for (index, offer) in offers.enumerated() {
        switch given[index] {
        case .failure(let refusal):
          changes.append(.refused(requested: offer.version, highest: refusal.highest))
        case .success(let version):
          let pack = ServedPack(offer.archive, version: version, file: offer.file)
          if let old = offer.old, old != pack.id { gone.insert(old) }
          if let place = places[pack.id] {
            let before = packs[place].version
            packs[place] = pack
            changes.append(
              before == version
                ? .unchanged(version: version) : .raised(from: before, to: version))
          } else {
            packs.append(pack)
            changes.append(.added(version: version))
          }
        }
      }
      gone.subtract(offers.map(\.archive.id))
      packs.removeAll { gone.contains($0.id) }
      store(packs, instead: old, known)
      return changes
    }
  }

  private struct VersionConflict: Error {
    let highest: Int
  }

  /// Assigns a version to each offer; stores the versions that were assigned before in `known`.
  private func versions(
    for offers: [Offer], _ served: [ServedPack?], _ known: inout PublicationRecord
  ) -> [Result<Int, VersionConflict>] {
    // A version that the user raised is kept while the bytes are unchanged.
    let kept = offers.indices.map { index -> Int? in
      guard offers[index].version == nil, let old = served[index] else { return nil }
      return old.archive.sha256 == offers[index].archive.sha256 ? old.version : nil
    }
    guard kept.contains(nil) else { return kept.compactMap { $0.map { .success($0) } } }
    let (given, before) = versions.change { record in
      let before = record
      let given = offers.indices.map { index -> Result<Int, VersionConflict> in
        if let version = kept[index] { return .success(version) }
        let (archive, requested) = (offers[index].archive, offers[index].version)
        guard let lowest = record.nextVersion(of: archive), requested ?? lowest >= lowest else {
          let highest = record.latest(of: archive.id)?.version
          return .failure(VersionConflict(highest: highest ?? 0))
        }
        let version = requested ?? lowest
        record.add(
          .init(id: archive.id, version: version, sha256: archive.sha256, size: archive.size))
        return .success(version)
      }
      return (given, before)
    }
    known = before
    return given
  }

  private func store(
    _ packs: [ServedPack], instead old: [ServedPack], _ known: PublicationRecord
  ) {
    let isSame = packs.elementsEqual(old) { $0.id == $1.id && $0.version == $1.version }
    // The old contents leave the closure: they may be the last owners of open files.
    _ = contents.with { contents in
      let replaced = contents
      if contents.before == nil, old.isEmpty, !packs.isEmpty {
        contents.before = .run(packs, known)
      } else if !isSame {
        contents.before = .packs(old)
      }
      contents.set(packs)
      return replaced
    }
  }

  /// Returns the packs with the versions and sizes from before this run, as the record contains
  /// them.
  ///
  /// If this run assigned new versions, the result has the previous versions and omits new packs.
  /// Otherwise each pack has the version before its latest version, if there is one.
  private static func state(
    of packs: [ServedPack], before known: PublicationRecord
  ) -> [ServedPack] {
    let latest = packs.map { known.latest(of: $0.id) }
    let hasChanged = zip(packs, latest).contains { $0.version != $1?.version }
    guard hasChanged else {
      return packs.map { pack in
        known.entry(of: pack.id, below: pack.version).map { pack.published(by: $0) } ?? pack
      }
    }
    let earlier = zip(packs, latest).compactMap { pack, entry in
      entry.map { pack.published(by: $0) }
    }
    return earlier.isEmpty ? packs : earlier
  }

  /// Increments the version of a pack without new bytes; returns nil if the pack does not exist or
  /// has the highest possible version.
  package func raise(_ id: PackID) -> Int? {
    changing {
      var packs = all
      guard let place = packs.firstIndex(where: { $0.id == id }) else { return nil }
      let (old, pack) = (packs, packs[place])
      let given = versions.change { record -> Int? in
        let highest = max(pack.version, record.latest(of: id)?.version ?? 0)
        guard highest < .max else { return nil }
        let archive = pack.archive
        record.add(
          .init(id: id, version: highest + 1, sha256: archive.sha256, size: archive.size))
        return highest + 1
      }
      guard let given else { return nil }
      packs[place] = pack.with(version: given)
      store(packs, instead: old, PublicationRecord())
      return given
    }
  }

  // MARK: Packs that cannot be delivered

  /// Returns the reason why a pack cannot be delivered now; nil if it can be delivered.
  package func outage(of pack: ServedPack) -> String? {
    if let outage = pack.outage { return outage }
    return pack.isUnchanged
      ? nil : "'\(pack.archive.path)' changed and is being verified again"
  }

  /// Records the request of a client for a pack; returns the reason if it cannot be delivered.
  ///
  /// If there is a reason, the functions of ``observeOutages(_:)`` are called.
  package func noteRequest(of pack: ServedPack) -> String? {
    guard let outage = outage(of: pack) else { return nil }
    if pack.outage == nil { withdraw(pack.id, because: outage) }
    Self.call(outageListeners)
    return outage
  }

  /// Records why a pack cannot be delivered.
  ///
  /// Returns false if the pack can be delivered because its open file is unchanged.
  @discardableResult
  func withdraw(_ id: PackID, because reason: String) -> Bool {
    guard let pack = self[id], pack.outage != nil || !pack.isUnchanged else { return false }
    contents.with { contents in
      guard let place = contents.places[id], contents.packs[place].file === pack.file else {
        return
      }
      contents.packs[place].outage = reason
    }
    Self.call(listeners)
    return true
  }
}
