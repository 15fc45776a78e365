import AssetArchive
package import SystemIO

/// Measures blocks as an archive would contain them, without writing an archive.
///
/// A meter belongs to one thread.
package struct BlockMeter: ~Copyable {
  private var slot: EncodingSlot
  private var worker: EncodingWorker

  /// The size of the first bytes of an archive.
  package static let containerSize = UInt64(ContainerHeader.size)

  /// Creates a meter for archives with these settings.
  package init(_ settings: PackSettings) throws(Failure) {
    slot = try EncodingSlot(blockSize: settings.blockSize)
    worker = EncodingWorker(settings.blocks, store: nil)
  }

  /// Returns the size in the archive of the block that `fill` writes, with the header of the block.
  package mutating func size(_ fill: (inout ByteBuffer) -> Void) throws(Failure) -> UInt64 {
    slot.raw.removeAll()
    fill(&slot.raw)
    guard slot.raw.count > 0 else { return 0 }
    slot.encode(with: &worker)
    if case .failed(let failure) = slot.outcome { throw failure }
    return UInt64(BlockHeader.size) + slot.header.storedSize
  }
}

extension PackPlan {
  /// Returns the bytes before the contents of a file, or those of a folder, in archives with fixed
  /// metadata; none if no archive can contain the path.
  ///
  /// - Parameters:
  ///   - path: The path that the app uses.
  ///   - size: The size of the file; nil for a folder.
  package static func headerBytes(ofEntryAt path: [UInt8], size: UInt64?) -> [UInt8] {
    guard let path = try? PackPath((PackPath.contents.bytes + [slash] + path)[...]) else {
      return []
    }
    let header = header(
      size == nil ? .directory : .file, path,
      attributes(mode: size == nil ? 0o755 : 0o644, .reference), size: size)
    var bytes: [UInt8] = []
    return (try? header.encode(into: &bytes)) == nil ? [] : bytes
  }
}
