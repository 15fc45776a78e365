package import SystemIO

/// Archives that were read, by their digests, or by their names if these are unknown.
///
/// Most packs of a release are those of the release before: they are decoded only once.
package struct KnownOutlines: Sendable {
  private var sizes: Set<UInt64> = []
  private var outlines: [[UInt8]: PackOutline] = [:]
  /// The archives by their file names, which are usually the same in all releases.
  private var named: [FileName: PackOutline] = [:]

  package init() {}

  /// Adds an archive.
  package mutating func add(_ outline: PackOutline) {
    named[Self.name(of: outline.path)] = outline
    guard let sha256 = outline.sha256 else { return }
    sizes.insert(outline.size)
    outlines[sha256] = outline
  }

  func hasArchive(ofSize size: UInt64) -> Bool { sizes.contains(size) }

  subscript(sha256: [UInt8]) -> PackOutline? { outlines[sha256] }

  /// Returns the archive with the file name, the bytes and at least the details of another one.
  func archive(
    withBytesOf path: String, ofSize size: UInt64, _ detail: PackOutline.Detail, _ work: Work
  ) throws(PackError) -> PackOutline? {
    guard let outline = named[Self.name(of: path)], outline.size == size,
      outline.detail.isSuperset(of: detail)
    else { return nil }
    return try Self.haveSameBytes(outline.path, path, work) ? outline : nil
  }

  private static func name(of path: String) -> FileName { FilePath(path.utf8).name }

  /// Returns whether two files have the same bytes.
  package static func haveSameBytes(
    _ first: String, _ second: String, _ work: Work
  ) throws(PackError) -> Bool {
    try mapFailure(.reading) { () throws(Failure) in
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
}
