import BAPackKit
import SystemIO

/// The old and the new version of a pack.
struct PackPair: Sendable {
  let id: PackID
  var old: InventoryPack?
  var new: InventoryPack?
  /// Whether both archives have the same bytes; nil if unknown.
  var hasSameBytes: Bool?

  init(id: PackID, old: InventoryPack?, new: InventoryPack?) {
    self.id = id
    self.old = old
    self.new = new
  }

  /// Whether both releases contain an archive.
  var arePacked: Bool { old?.downloadSize != nil && new?.downloadSize != nil }

  /// Returns whether both archives have the same bytes; reads them if their sizes are equal.
  func comparedBytes(_ work: Work) throws(PackError) -> Bool? {
    guard let old, let new else { return false }
    if let before = old.downloadSize, let now = new.downloadSize, before != now { return false }
    if let before = old.sha256, let now = new.sha256 { return before == now }
    if case .archive(let before) = old.source, case .archive(let now) = new.source {
      return try mapFailure(.reading) { () throws(Failure) in
        try Self.haveSameBytes(before.path, now.path, work)
      }
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

  private static func haveSameBytes(
    _ first: String, _ second: String, _ work: Work
  ) throws(Failure) -> Bool {
    let left = try FileDescriptor.open(first, for: .reading)
    let right = try FileDescriptor.open(second, for: .reading)
    let status = (try left.status(), try right.status())
    if status.0.identity == status.1.identity { return true }
    guard status.0.size == status.1.size else { return false }
    let one = try ByteSource(left)
    let other = try ByteSource(right)
    let step = 1 << 20
    var a = try ByteBuffer(capacity: step)
    var b = try ByteBuffer(capacity: step)
    var offset: UInt64 = 0
    while offset < one.size {
      try work.check()
      a.removeAll()
      b.removeAll()
      try one.read(at: offset, count: step, into: &a)
      try other.read(at: offset, count: step, into: &b)
      let isSame = a.withBytes { left in b.withBytes { left.firstDifference(from: $0) == nil } }
      guard isSame, a.count > 0 else { return false }
      offset += UInt64(a.count)
    }
    return true
  }
}
