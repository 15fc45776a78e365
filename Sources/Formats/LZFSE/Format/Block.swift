/// The location of one block in its stream; all bounds have been checked.
struct Block {
  enum Kind {
    case stored
    case vn
    case entropy(EntropyHeader)
  }

  let kind: Kind
  let start: Int
  let rawByteCount: Int
  /// The offset of the bytes after the header.
  let payload: Int
  let end: Int

  @unsafe
  init(_ source: UnsafeRawBufferPointer, at start: Int, magic: UInt32) throws(LZFSEError) {
    let available = source.count - start
    func word(_ offset: Int) -> Int {
      unsafe Int(source.loadUnaligned(fromByteOffset: start + offset, as: UInt32.self))
    }
    func need(_ count: Int) throws(LZFSEError) {
      guard available >= count else { throw .inputEndsEarly }
    }
    self.start = start
    let size: Int
    switch magic {
    case Magic.stored:
      try need(8)
      kind = .stored
      rawByteCount = word(4)
      payload = start + 8
      size = 8 + rawByteCount
    case Magic.vn:
      try need(12)
      kind = .vn
      rawByteCount = word(4)
      payload = start + 12
      size = 12 + word(8)
    case Magic.packed, Magic.plain:
      let isPlain = magic == Magic.plain
      try need(isPlain ? Format.plainHeaderSize : Format.blockHeaderSize)
      let bytes = unsafe UnsafeRawBufferPointer(rebasing: source[start...])
      let header = unsafe isPlain ? EntropyHeader(plain: bytes) : EntropyHeader(packed: bytes)
      guard header.isValid else { throw .malformed(.header, blockOffset: start) }
      kind = .entropy(header)
      rawByteCount = header.rawByteCount
      payload = start + header.byteCount
      size = header.byteCount + header.literalPayload + header.tripletPayload
    default:
      throw .malformed(.unknownBlock, blockOffset: start)
    }
    try need(size)
    end = start + size
  }
}
