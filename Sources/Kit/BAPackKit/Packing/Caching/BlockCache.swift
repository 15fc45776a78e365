import AssetArchive
import Glibc
import Synchronization
package import SystemIO

/// A folder with encoded blocks, so that the same content is not encoded again.
///
/// A pack has the same bytes with a cache and without one. Any number of packers can use a folder
/// at the same time. A cache never makes packing fail: an entry that cannot be read counts as
/// missing, and an entry that cannot be written is dropped. ``firstError`` is the reason.
///
/// The size of the entries is within the limit for any number of packers, because space is reserved
/// before it is used. The least recently used entries are removed first, but none that this run has
/// used. If a run needs more than the limit, it therefore stops adding entries. If it removed its
/// first entries instead, the next run would find none of the blocks that it needs first.
package final class BlockCache: Sendable {
  /// The path of the folder.
  package let path: String
  /// The maximum disk space of the entries, in bytes.
  package let limit: UInt64

  private let folder: BlockCacheFolder
  /// The time in seconds at which the cache was opened; entries used since then are not removed to
  /// free space.
  private let start = Int64(time(nil))
  /// The space that is reserved in the ledger and not yet used.
  private let booked = Atomic<UInt64>(0)
  private let storedError = AtomicLazyReference<StoredError>()
  private let takesMore = Atomic<Bool>(true)
  /// Whether the space was insufficient for the blocks of this run.
  private let isTooSmall = Atomic<Bool>(false)
  private let need = Guarded(Need())

  /// Opens the cache in a folder, which is created if it is missing.
  ///
  /// - Throws: ``PackError`` if the folder has other contents.
  package init(_ path: String, limit: UInt64) throws(PackError) {
    let opened: BlockCacheFolder?
    do throws(Failure) {
      opened = try BlockCacheFolder.open(path)
    } catch {
      guard error.code == ENOTDIR else { throw PackError(error) }
      opened = nil
    }
    guard let folder = opened else { throw Self.foreign(path) }
    self.path = path
    self.limit = limit
    self.folder = folder
  }

  static func foreign(_ path: String) -> PackError {
    PackError(
      .exists, "'\(FilePath(path).shown)' is neither a block cache nor an empty folder",
      remedy: .specifyAnotherCache)
  }

  /// The first error of the cache, if one occurred.
  package var firstError: PackError? { storedError.load()?.error }

  /// The limit that all blocks of this run would need, in bytes; nil if the limit is sufficient.
  package var neededLimit: UInt64? {
    guard isTooSmall.load(ordering: .relaxed) else { return nil }
    return max(need.with { $0.space }, limit.addingSaturated(1))
  }

  /// The space of all blocks of a run, each counted once.
  private struct Need {
    private var keys: Set<UInt64> = []
    private(set) var space: UInt64 = 0

    mutating func add(_ key: BlockKey, _ added: UInt64) {
      // Eight bytes of a digest distinguish a million blocks.
      let short = key.bytes.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      if keys.insert(short).inserted { space.addSaturated(added) }
    }
  }

  /// Removes the least recently used entries until the folder is within its limit.
  package func sweep(_ work: Work) {
    let unused = booked.exchange(0, ordering: .relaxed)
    do throws(Failure) {
      try folder.sweep(to: limit, givingBack: unused, work)
    } catch {
      note(error)
    }
  }

  /// Throws if the cache is in the source root and `plan` selects its files.
  func checkOutside(_ plan: PackPlan) throws(PackError) {
    let name = BlockCacheFolder.marker.bytes
    for index in plan.selection.indices where plan.selection.isFile(at: index) {
      let source = plan.selection.sourceBytes(at: index)
      guard source.suffix(name.count).elementsEqual(name) else { continue }
      let file = plan.source.path + "/" + String(decoding: source, as: UTF8.self)
      guard let found = try? FileStatus(ofFileAt: file).identity,
        let own = try? folder.folder.status(of: BlockCacheFolder.marker).identity, found == own
      else { continue }
      throw PackError(
        .conflict, "the cache '\(FilePath(path).shown)' is among the files to pack",
        remedy: "move it out of the source root, or exclude it with a 'fileExclusion'")
    }
  }

  private final class StoredError: Sendable {
    let error: PackError

    init(_ error: Failure) { self.error = PackError(error) }
  }

  private func note(_ error: Failure) { _ = storedError.storeIfNil(StoredError(error)) }
}

// MARK: - Finding and keeping

extension BlockCache {
  /// Writes the encoded form of a block to `encoded`, which is empty; returns nil if the cache does
  /// not contain the block.
  func find(_ key: BlockKey, into encoded: inout ByteBuffer) -> BlockEncoding? {
    do throws(Failure) {
      guard try folder.read(key, into: &encoded) else { return nil }
      let space = space(encoded.count)
      need.with { $0.add(key, space) }
      return encoded.count == 0 ? .stored : .encoded
    } catch {
      note(error)
      return nil
    }
  }

  /// Adds the encoded form of a block; the stored form has no payload.
  func keep(_ key: BlockKey, _ payload: RawSpan, _ work: Work) {
    let space = space(payload.byteCount)
    need.with { $0.add(key, space) }
    guard takesMore.load(ordering: .relaxed) else { return }
    do throws(Failure) {
      try folder.checkRoom(for: space)
      guard try book(space, work) else {
        isTooSmall.store(true, ordering: .relaxed)
        return takesMore.store(false, ordering: .relaxed)
      }
    } catch {
      return stop(error)
    }
    do throws(Failure) {
      try folder.write(key, payload)
    } catch {
      booked.add(space, ordering: .relaxed)
      stop(error)
    }
  }

  private func stop(_ error: Failure) {
    note(error)
    takesMore.store(false, ordering: .relaxed)
  }

  /// Subtracts `space` from the reserved space, or reserves more; returns false if the space is
  /// insufficient.
  private func book(_ space: UInt64, _ work: Work) throws(Failure) -> Bool {
    var left = booked.load(ordering: .relaxed)
    while left >= space {
      let (isTaken, now) = booked.weakCompareExchange(
        expected: left, desired: left - space, ordering: .relaxed)
      if isTaken { return true }
      left = now
    }
    // Reserve a large amount, so that the ledger is rarely read, but leave space for other packers.
    let wanted = max(space, min(limit / 64, 64 << 20))
    let granted = try folder.book(space, upTo: wanted, within: limit, since: start, work)
    guard granted > 0 else { return false }
    booked.add(granted - space, ordering: .relaxed)
    return true
  }

  private func space(_ payload: Int) -> UInt64 {
    BlockCacheFolder.space(ofSize: UInt64(BlockCacheFolder.headSize + payload))
  }
}

extension BlockCacheFolder {
  /// Throws if an entry would fill the disk: outputs are more important than the cache.
  fileprivate func checkRoom(for space: UInt64) throws(Failure) {
    let disk = try folder.space()
    let reserve = min(disk.total / 20, 1 << 30)
    guard disk.free >= reserve + space else {
      throw Failure(.write, folder.path, code: ENOSPC)
    }
  }
}
