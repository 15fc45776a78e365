import BlockCodecs
import LZFSE
package import SystemIO

/// A block between the files and the archive.
package struct EncodingSlot: ~Copyable, Sendable {
  package var raw = ByteBuffer()
  var encoded = ByteBuffer()
  package private(set) var outcome = Outcome.done(.stored)
  /// Whether the store had the block; nil if no store was searched.
  var wasFound: Bool?
  /// The number of the stream that the block belongs to.
  var stream = 0

  package enum Outcome {
    case done(BlockEncoding)
    case failed(Failure)
  }

  /// Creates a slot without memory.
  init() {}

  package init(blockSize: Int) throws(Failure) {
    try raw.reserve(blockSize)
    // An encoded block is kept only if it is shorter than the block.
    try encoded.reserve(max(1, blockSize - 1))
  }

  /// Encodes the block; the result depends only on its bytes and the settings.
  package mutating func encode(with worker: inout EncodingWorker) {
    encoded.removeAll()
    wasFound = nil
    do throws(Failure) {
      outcome = .done(try worker.form(of: raw, into: &encoded, &wasFound))
    } catch {
      outcome = .failed(error)
    }
  }
}

extension EncodingSlot {
  private var isStored: Bool { if case .done(.stored) = outcome { true } else { false } }

  package var header: BlockHeader {
    BlockHeader(
      rawSize: UInt64(raw.count), storedSize: UInt64(isStored ? raw.count : encoded.count))
  }

  /// Calls a function with the bytes after the header.
  func withPayload<Thrown: Error>(_ body: (RawSpan) throws(Thrown) -> Void) throws(Thrown) {
    if isStored { try raw.withBytes(body) } else { try encoded.withBytes(body) }
  }
}

/// The state that a thread keeps between blocks: its encoder, created for its first block.
package struct EncodingWorker: ~Copyable {
  let settings: BlockSettings
  let store: (any BlockStore)?
  private var encoder: (any BlockEncoder)?
  private var judge: BlockJudge
  /// The result of a block of this number of zeros: the holes of a file are thousands of such
  /// blocks.
  private var zeros: (count: Int, form: BlockEncoding, encoded: [UInt8])?

  package init(_ settings: BlockSettings, store: (any BlockStore)?) {
    self.settings = settings
    self.store = store
    judge = BlockJudge(for: settings.algorithm)
  }

  /// Chooses the encoding of a block and encodes it, unless the store already has it.
  ///
  /// The store is not searched for a block that is judged not worth encoding, because judging takes
  /// less time than hashing; nor for zeros, which are encoded once.
  mutating func form(
    of raw: borrowing ByteBuffer, into encoded: inout ByteBuffer, _ wasFound: inout Bool?
  ) throws(Failure) -> BlockEncoding {
    guard settings.algorithm != .stored, raw.count > 1 else { return .stored }
    if raw.withBytes({ $0.isZero }) { return try formOfZeros(raw, into: &encoded) }
    guard isWorthEncoding(raw) else { return .stored }
    guard let store else { return try encode(raw, into: &encoded) }
    let key = try raw.withBytes { block throws(Failure) in try store.key(of: block) }
    if let form = raw.withBytes({ store.find(key, of: $0, into: &encoded) }) {
      wasFound = true
      return form
    }
    wasFound = false
    encoded.removeAll()
    let start = ContinuousClock.now
    let form = try encode(raw, into: &encoded)
    store.keep(key, form, encoded, after: .now - start)
    return form
  }

  /// Encodes a block of zeros once and keeps the result.
  private mutating func formOfZeros(
    _ raw: borrowing ByteBuffer, into encoded: inout ByteBuffer
  ) throws(Failure) -> BlockEncoding {
    if let zeros, zeros.count == raw.count {
      zeros.encoded.withRawSpan { _ = encoded.append($0) }
      return zeros.form
    }
    let form = isWorthEncoding(raw) ? try encode(raw, into: &encoded) : .stored
    var bytes: [UInt8] = []
    encoded.withBytes { bytes.append(copying: $0) }
    zeros = (raw.count, form, bytes)
    return form
  }

  private mutating func isWorthEncoding(_ raw: borrowing ByteBuffer) -> Bool {
    // The effort `best` encodes every block, because the judge can miss a small saving.
    settings.effort == .best || raw.withBytes { judge.isWorthEncoding($0) }
  }

  private mutating func encode(
    _ raw: borrowing ByteBuffer, into encoded: inout ByteBuffer
  ) throws(Failure) -> BlockEncoding {
    if encoder == nil {
      encoder = try settings.algorithm.makeEncoder(
        effort: settings.effort, blockSize: settings.blockSize)
    }
    guard let encoder else { return .stored }
    let fits = try raw.withBytes { input throws(Failure) in
      try encoded.append(upTo: input.byteCount - 1) { output throws(Failure) in
        try encoder.encode(input, into: &output)
      }
    }
    return fits ? .encoded : .stored
  }
}
