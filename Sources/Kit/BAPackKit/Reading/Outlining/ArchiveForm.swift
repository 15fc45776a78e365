import SystemIO

/// The format parameters of an archive: two packs with equal files may differ in them.
package struct ArchiveForm: Sendable, Equatable {
  /// The container of the entries; nil for an archive without a container.
  package let container: PackContainer?
  private var modes = fingerprint(of: [])
  private var owners = fingerprint(of: [])
  private var times = fingerprint(of: [])
  private var folders = fingerprint(of: [])

  init(container: PackContainer?) { self.container = container }

  /// Adds the values of a header.
  mutating func add(_ entry: PackEntry) {
    modes = fingerprint(modes, followedBy: entry.permissions.bytes)
    owners = fingerprint(owners, followedBy: entry.userID.bytes + entry.groupID.bytes)
    for time in [entry.modified, entry.created] {
      times = fingerprint(times, followedBy: (time?.seconds).bytes + (time?.nanoseconds).bytes)
    }
    if entry.kind == .directory {
      folders = fingerprint(folders, followedBy: Array(entry.bytesInArchive) + [0])
    }
  }

  /// Returns short descriptions of the differences from another archive.
  package func differences(from other: ArchiveForm) -> [String] {
    var parts: [String] = []
    let (old, new) = (other.container, container)
    if old?.compression != new?.compression {
      parts.append("compression \(old?.compression ?? "none") -> \(new?.compression ?? "none")")
    }
    if let old = old?.blockSize, let new = new?.blockSize, old != new {
      parts.append("block size \(old) -> \(new)")
    }
    if modes != other.modes { parts.append("modes") }
    if owners != other.owners { parts.append("owners") }
    if times != other.times { parts.append("times") }
    if folders != other.folders { parts.append("folders") }
    return parts
  }
}

extension Optional where Wrapped: FixedWidthInteger {
  /// The bytes of a number, with one byte for whether it is nil.
  fileprivate var bytes: [UInt8] {
    guard let number = self else { return [0] }
    return [1] + (0..<Wrapped.bitWidth / 8).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
  }
}
