import BAPackKit
import SystemIO

/// The old and the new version of a pack.
struct PackPair: Sendable {
  let id: PackID
  var old: InventoryPack?
  var new: InventoryPack?
  /// Whether both archives have the same bytes; nil if unknown.
  var hasSameBytes: Bool?

  /// Whether both releases contain an archive.
  var arePacked: Bool { old?.downloadSize != nil && new?.downloadSize != nil }

  /// Returns whether both archives have the same bytes; reads them if their sizes are equal.
  func comparedBytes(_ work: Work) throws(PackError) -> Bool? {
    guard let old, let new else { return false }
    if let before = old.downloadSize, let now = new.downloadSize, before != now { return false }
    if let before = old.sha256, let now = new.sha256 { return before == now }
    if case .archive(let before) = old.source, case .archive(let now) = new.source {
      if now.copiedFrom == before.path { return true }
      return try KnownOutlines.haveSameBytes(before.path, now.path, work)
    }
    // One digest is known, so only the other archive is read.
    if old.sha256 != nil || new.sha256 != nil, let before = try old.archiveDigest(work),
      let now = try new.archiveDigest(work)
    {
      return before == now
    }
    if let before = old.version, let now = new.version { return before == now }
    return nil
  }
}
