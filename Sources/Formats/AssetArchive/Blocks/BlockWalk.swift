import BlockCodecs
package import SystemIO

/// A block of a container, as its header describes it.
package struct BlockPlace: Sendable, Hashable {
  /// The offset of its header in the file.
  package var fileOffset: UInt64
  /// The offset of its bytes in the decoded stream.
  package var streamOffset: UInt64
  package var header: BlockHeader

  /// The offset of its payload in the file; an archive without a container has no headers, only
  /// payload.
  package var payloadOffset: UInt64

  /// Its position, for messages.
  var place: Failure.Place { Failure.Place(fileOffset: fileOffset, streamOffset: streamOffset) }

  /// The offset of the next block in the file.
  package var end: UInt64 { payloadOffset + header.storedSize }
}

/// Reads the block headers in order, without decoding the blocks.
///
/// Every size is checked before it is used: a block must fit the container's block size, and its
/// payload must be inside the file.
package struct BlockWalk: Sendable {
  /// The header of the container; nil for an archive without a container.
  package let container: ContainerHeader?
  /// The next block's place in the file and in the decoded stream.
  package private(set) var fileOffset: UInt64
  package private(set) var streamOffset: UInt64 = 0
  /// The file offset of a short block with others after it, which only sequential readers accept.
  package private(set) var shortInnerBlock: UInt64?
  private var lastShortBlock: UInt64?

  /// Without a container an archive is read in pieces of this size.
  static let pieceSize = 1 << 20

  /// Reads the container's header; a file without one is treated as a bare archive.
  package init(_ source: borrowing ByteSource) throws(Failure) {
    let start = try source.read(at: 0, count: ContainerHeader.size)
    guard start.prefix(3).elementsEqual(ContainerHeader.magic) else {
      guard start.count < 4 || Self.startsArchive(start) else {
        throw source.malformed("not an Apple Archive", at: .init(fileOffset: 0))
      }
      container = nil
      fileOffset = 0
      return
    }
    guard start.count == ContainerHeader.size else {
      throw source.malformed(
        "the container's header is truncated", at: .init(fileOffset: UInt64(start.count)))
    }
    guard let algorithm = BlockAlgorithm(rawValue: start[3]) else {
      throw source.malformed(
        "unknown compression '\(Unicode.Scalar(start[3]))'", at: .init(fileOffset: 3))
    }
    let blockSize = UInt64(bigEndianBytes: start[4..<12])
    guard (1...ContainerHeader.largestBlockSize).contains(blockSize) else {
      throw source.malformed(
        "invalid block size \(blockSize)", at: .init(fileOffset: 4))
    }
    container = ContainerHeader(algorithm, blockSize: blockSize)
    fileOffset = UInt64(ContainerHeader.size)
  }

  /// Returns the next block; nil at the end of the file.
  package mutating func next(_ source: borrowing ByteSource) throws(Failure) -> BlockPlace? {
    guard fileOffset < source.size else { return nil }
    guard let container else { return nextPiece(source.size) }
    let here = Failure.Place(fileOffset: fileOffset, streamOffset: streamOffset)
    let bytes = try source.read(at: fileOffset, count: BlockHeader.size)
    guard bytes.count == BlockHeader.size else {
      throw source.malformed(
        "the file ends inside a block's header", at: here)
    }
    let header = BlockHeader(decoding: bytes)
    guard header.rawSize > 0, header.rawSize <= container.blockSize else {
      throw source.malformed(
        "a block of \(header.rawSize) bytes in a container of \(container.blockSize)-byte blocks",
        at: here)
    }
    guard header.storedSize > 0, header.storedSize <= container.blockSize else {
      throw source.malformed(
        "a block stored in \(header.storedSize) bytes in a container of "
          + "\(container.blockSize)-byte blocks", at: here)
    }
    guard header.storedSize <= source.size - fileOffset - UInt64(BlockHeader.size) else {
      throw source.malformed(
        "the file ends inside a block", at: here)
    }
    if let lastShortBlock, shortInnerBlock == nil { shortInnerBlock = lastShortBlock }
    if header.rawSize < container.blockSize { lastShortBlock = fileOffset }
    return advance(header, headerSize: UInt64(BlockHeader.size))
  }

  private mutating func nextPiece(_ size: UInt64) -> BlockPlace {
    let count = min(UInt64(Self.pieceSize), size - fileOffset)
    return advance(BlockHeader(rawSize: count, storedSize: count), headerSize: 0)
  }

  private mutating func advance(_ header: BlockHeader, headerSize: UInt64) -> BlockPlace {
    let place = BlockPlace(
      fileOffset: fileOffset, streamOffset: streamOffset, header: header,
      payloadOffset: fileOffset + headerSize)
    fileOffset = place.end
    streamOffset += header.rawSize
    return place
  }

  /// Returns to the first block.
  mutating func restart() {
    fileOffset = container == nil ? 0 : UInt64(ContainerHeader.size)
    streamOffset = 0
    lastShortBlock = nil
  }

  private static func startsArchive(_ bytes: [UInt8]) -> Bool {
    let magic = bytes.prefix(4)
    return magic.elementsEqual(EntryHeader.magic) || magic.elementsEqual(EntryHeader.oldMagic)
  }
}
