import AssetArchive
import BlockCodecs
import Glibc
import Synchronization
import SystemIO

/// A folder that keeps encoded blocks, so that packing the same content again need not encode it.
///
/// A pack has the same bytes with a cache and without. Any number of packers may share a folder at
/// the same time. A cache never makes packing fail: what it cannot read it does not have, what it
/// cannot write it forgets, and ``trouble`` tells.
///
/// The folder stays below its limit, but for what packers have added since it was last swept: an
/// eighth of the limit each, at most. What was used least recently goes first. A run of packs that
/// needs more than the limit does not push out at its end what it used at its beginning (so that the
/// next run would find nothing): it stops adding.
public final class BlockCache: Sendable {
  /// Where it is.
  public let path: String
  /// How much of the disk it may take, in bytes.
  public let limit: UInt64

  private let folder: BlockCacheFolder
  /// The space of all entries that were found or added.
  private let used = Atomic<UInt64>(0)
  /// The space of those added since the last sweep.
  private let unswept = Atomic<UInt64>(0)
  private let firstTrouble = AtomicLazyReference<Trouble>()
  private let takesMore = Atomic<Bool>(true)

  /// Opens the cache in a folder, which is made if need be; one that holds anything else is refused.
  public init(_ path: String, limit: UInt64) throws(PackError) {
    let opened: BlockCacheFolder?
    do throws(SystemError) {
      opened = try BlockCacheFolder.open(path)
    } catch {
      guard error.code == ENOTDIR else { throw PackError(error) }
      opened = nil
    }
    guard let folder = opened else {
      throw PackError(
        .unsupported, "'\(shownBytes(path.utf8))' is no block cache and no empty folder",
        remedy: "name another folder with --cache: in this one, nothing shall be removed")
    }
    self.path = path
    self.limit = limit
    self.folder = folder
  }

  /// The first thing that was refused, if anything was.
  public var trouble: PackError? { firstTrouble.load()?.error }

  /// Removes what was used least recently until the folder is within its limit.
  public func sweep() {
    unswept.store(0, ordering: .relaxed)
    do throws(SystemError) {
      try folder.sweep(to: limit)
    } catch {
      note(error)
    }
  }

  /// Throws when the cache is among the files that `plan` selects: the pack would hold it.
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
        .unsupported, "the cache '\(shownBytes(path.utf8))' is among the files to pack",
        remedy: "move it out of the source root, or drop it with a 'fileExclusion'")
    }
  }

  /// The blocks of one way of encoding them; nil where nothing is encoded.
  func store(for settings: BlockSettings) throws(CodecError) -> (any BlockStore)? {
    guard settings.algorithm != .stored else { return nil }
    return Store(
      cache: self,
      fingerprint: try BlockEncoder.fingerprint(
        of: settings.algorithm, effort: settings.effort, blockSize: settings.blockSize))
  }

  private final class Trouble: Sendable {
    let error: PackError

    init(_ error: SystemError) { self.error = PackError(error) }
  }

  private func note(_ error: SystemError) { _ = firstTrouble.storeIfNil(Trouble(error)) }
}

// MARK: - Finding and keeping

extension BlockCache {
  private struct Store: BlockStore {
    let cache: BlockCache
    let fingerprint: [UInt8]

    func key(of block: RawSpan) throws(CodecError) -> BlockKey {
      var digest = try Digest(.sha256)
      fingerprint.withRawSpan { digest.update($0) }
      digest.update(block)
      return BlockKey(digest.finish())
    }

    func find(_ key: BlockKey, into encoded: inout ByteBuffer) -> BlockForm? {
      cache.find(key, into: &encoded)
    }

    func keep(_ key: BlockKey, _ form: BlockForm, _ encoded: borrowing ByteBuffer) {
      switch form {
      case .stored: cache.keep(key, RawSpan())
      case .encoded: encoded.withBytes { cache.keep(key, $0) }
      }
    }
  }

  private func find(_ key: BlockKey, into encoded: inout ByteBuffer) -> BlockForm? {
    do throws(SystemError) {
      guard try folder.read(key, into: &encoded) else { return nil }
      used.add(space(encoded.count), ordering: .relaxed)
      return encoded.count == 0 ? .stored : .encoded
    } catch {
      note(error)
      return nil
    }
  }

  private func keep(_ key: BlockKey, _ payload: RawSpan) {
    guard takesMore.load(ordering: .relaxed) else { return }
    let space = space(payload.byteCount)
    guard used.add(space, ordering: .relaxed).newValue <= limit else {
      used.subtract(space, ordering: .relaxed)
      return
    }
    do throws(SystemError) {
      try folder.checkRoom(for: space)
      try folder.write(key, payload)
      if unswept.add(space, ordering: .relaxed).newValue > limit / 8 { sweep() }
    } catch {
      note(error)
      takesMore.store(false, ordering: .relaxed)
    }
  }

  private func space(_ payload: Int) -> UInt64 {
    BlockCacheFolder.space(ofSize: UInt64(BlockCacheFolder.headSize + payload))
  }
}

extension BlockCacheFolder {
  /// Throws when an entry would take what the disk has left: outputs come before the cache.
  fileprivate func checkRoom(for space: UInt64) throws(SystemError) {
    let disk = try folder.space()
    let reserve = min(disk.total / 20, 1 << 30)
    guard disk.free >= reserve + space else {
      throw SystemError(SystemCall.write.rawValue, folder.path, code: ENOSPC)
    }
  }
}
