/// An encoder of LZFSE streams; its memory is allocated once and is used for any number of streams.
///
/// The result depends only on the input and the effort, never on earlier input.
public struct Encoder: ~Copyable, Sendable {
  let effort: Effort
  var block = PendingBlock()
  let writer = BlockWriter()
  let hashSlots: Storage<HashEntry>
  var longMatchStarts = LongMatchStarts()
  let small = VNParser()
  /// The states of `better` and `best`; an encoder with a lower effort has none.
  let ladder: OptimalState?
  let tree: OptimalState?

  /// Creates an encoder.
  public init(effort: Effort = .default) {
    self.effort = effort
    let slotCount =
      switch effort {
      case .fast: 1 << Int(HashBits.sixBytes)
      case .default, .better, .best:
        1 << Int(HashBits.eightBytes) + 1 << Int(HashBits.fourBytes)
      }
    hashSlots = Storage(count: slotCount, filledWith: .none)
    ladder =
      switch effort {
      case .fast, .default: nil
      case .better, .best: .better()
      }
    tree =
      switch effort {
      case .fast, .default, .better: nil
      case .best: .best()
      }
  }

  /// Returns the size of the longest stream for this number of bytes.
  public static func maximumEncodedByteCount(of count: Int) -> Int {
    StoredBlock.streamSize(count)
  }

  /// Encodes all of `input` as one stream and appends it to `output`.
  ///
  /// - Throws: `LZFSEError.outputTooSmall` if the stream does not fit; the contents of `output` are
  ///   then unchanged. It always fits if the free capacity is `maximumEncodedByteCount(of:)`.
  public mutating func encode(
    _ input: RawSpan, into output: inout OutputRawSpan
  ) throws(LZFSEError) {
    try unsafe input.withUnsafeBytes { source throws(LZFSEError) in
      try unsafe output.withUnsafeMutableBytes { target, count throws(LZFSEError) in
        let free = unsafe UnsafeMutableRawBufferPointer(rebasing: target[count...])
        count += try unsafe encode(source, into: free)
      }
    }
  }

  /// Writes the stream to `target` and returns its size.
  @unsafe
  private mutating func encode(
    _ source: UnsafeRawBufferPointer, into target: UnsafeMutableRawBufferPointer
  ) throws(LZFSEError) -> Int {
    guard let start = target.baseAddress else { throw .outputTooSmall }
    let storedSize = StoredBlock.streamSize(source.count)
    // A stream that is not shorter than the stored form is not used.
    let room = min(target.count, storedSize - 1)
    var output = unsafe OutputCursor(next: start, end: start + room)
    if unsafe compress(source, to: &output), unsafe output.append(Magic.end) {
      return unsafe output.next - start
    }
    guard storedSize <= target.count else { throw .outputTooSmall }
    unsafe output = OutputCursor(next: start, end: start + target.count)
    var rest = unsafe source[...]
    repeat {
      let piece = unsafe UnsafeRawBufferPointer(rebasing: rest.prefix(Int(UInt32.max)))
      unsafe rest = rest.dropFirst(piece.count)
      var isWritten = unsafe output.append(Magic.stored)
      isWritten = unsafe output.append(UInt32(truncatingIfNeeded: piece.count)) && isWritten
      if let bytes = piece.baseAddress {
        isWritten = unsafe output.append(bytes, count: piece.count) && isWritten
      }
      guard isWritten else { throw .outputTooSmall }
    } while unsafe !rest.isEmpty
    guard unsafe output.append(Magic.end) else { throw .outputTooSmall }
    return unsafe output.next - start
  }

  /// Writes all blocks but the end mark; false when they do not fit.
  @unsafe
  private mutating func compress(
    _ source: UnsafeRawBufferPointer, to output: inout OutputCursor
  ) -> Bool {
    guard let bytes = source.baseAddress, source.count >= 8 else { return false }
    if source.count < VNEncoder.limit {
      let scratch = unsafe UnsafeMutableRawPointer(writer.scratch.base)
      let size = unsafe VNEncoder.encode(
        bytes, count: source.count, small, to: scratch, room: writer.scratch.count)
      return unsafe output.append(scratch, count: size)
    }
    return unsafe parseShortest(bytes, count: source.count, to: &output)
  }
}
