import BlockCodecs
import SystemIO

/// One block on its way from the files to the archive.
struct EncodingSlot: ~Copyable, Sendable {
  var raw: ByteBuffer
  var encoded: ByteBuffer
  var outcome = Outcome.stored

  enum Outcome {
    /// The block goes out as it came: nothing was gained.
    case stored
    case encoded
    case failed(CodecError)
  }

  init(blockSize: Int) throws(SystemError) {
    let raw = try ByteBuffer(capacity: blockSize)
    // What is not shorter than the block is not wanted.
    encoded = try ByteBuffer(capacity: max(1, blockSize - 1))
    self.raw = raw
  }

  /// Encodes the block; what it becomes depends on its bytes and the settings alone.
  mutating func encode(with worker: inout EncodingWorker) {
    encoded.removeAll()
    do throws(CodecError) {
      outcome = try worker.encode(raw, into: &encoded) ? .encoded : .stored
    } catch {
      outcome = .failed(error)
    }
  }
}

extension EncodingSlot {
  private var isStored: Bool { if case .stored = outcome { true } else { false } }

  /// The header that the block gets.
  var header: BlockHeader {
    BlockHeader(
      rawSize: UInt64(raw.count), storedSize: UInt64(isStored ? raw.count : encoded.count))
  }

  /// Lends what follows the header.
  func withPayload<Failure: Error>(_ body: (RawSpan) throws(Failure) -> Void) throws(Failure) {
    if isStored { try raw.withBytes(body) } else { try encoded.withBytes(body) }
  }
}

/// What a thread keeps between blocks: its encoder, made when the first block comes.
struct EncodingWorker: ~Copyable {
  let settings: BlockSettings
  private var encoder: BlockEncoder?

  init(_ settings: BlockSettings) { self.settings = settings }

  mutating func encode(
    _ raw: borrowing ByteBuffer, into encoded: inout ByteBuffer
  ) throws(CodecError) -> Bool {
    guard settings.algorithm != .stored, raw.count > 1 else { return false }
    if encoder == nil {
      encoder = try BlockEncoder(
        settings.algorithm, effort: settings.effort, blockSize: settings.blockSize)
    }
    return try raw.withBytes { input throws(CodecError) in
      try encoded.append(upTo: input.byteCount - 1) { output throws(CodecError) in
        try encoder?.encode(input, into: &output) ?? false
      }
    }
  }
}
