package import AssetArchive
import BlockCodecs
package import SystemIO

/// Blocks that other hosts encoded, provided by a server.
///
/// The server is not trusted: its blocks are decoded and compared with the original block. A
/// failure costs a little time and never makes packing fail, so no function throws.
package protocol SharedBlocks: Sendable {
  /// Writes the encoded form of a block of `size` bytes to `encoded`, which is empty.
  ///
  /// Returns nil if the server does not have the block or does not respond in time, or if the
  /// operation is stopped. A form is used only if `isRight` accepts it.
  func find(
    _ key: BlockKey, ofSize size: Int, into encoded: inout ByteBuffer, _ work: Work,
    _ isRight: (BlockEncoding, RawSpan) -> Bool
  ) -> BlockEncoding?

  /// Offers the encoded form of a block to the server, with its encoding time; the stored form has
  /// no bytes.
  func offer(_ key: BlockKey, _ form: BlockEncoding, _ encoded: RawSpan, after time: Duration)
}

/// The block store of a pack: a folder first, then a server.
///
/// Blocks from the server are also added to the folder.
struct CachedBlocks: BlockStore {
  private let folder: BlockCache?
  private let server: (any SharedBlocks)?
  private let fingerprint: [UInt8]
  private let proof: BlockProof
  private let work: Work

  /// Creates a store; nil if there is neither a folder nor a server, or if blocks are not encoded.
  init?(
    _ settings: BlockSettings, folder: BlockCache?, server: (any SharedBlocks)?, _ work: Work
  ) throws(Failure) {
    guard folder != nil || server != nil, settings.algorithm != .stored else { return nil }
    self.folder = folder
    self.server = server
    self.work = work
    fingerprint = try settings.algorithm.encoderFingerprint(
      effort: settings.effort, blockSize: settings.blockSize)
    proof = BlockProof(settings)
  }

  func key(of block: RawSpan) throws(Failure) -> BlockKey {
    var digest = try Digest(.sha256)
    fingerprint.withRawSpan { digest.update($0) }
    digest.update(block)
    return BlockKey(digest.finish())
  }

  func find(_ key: BlockKey, of block: RawSpan, into encoded: inout ByteBuffer) -> BlockEncoding? {
    if let form = folder?.find(key, into: &encoded) { return form }
    encoded.removeAll()
    let size = block.byteCount
    let found = server?.find(key, ofSize: size, into: &encoded, work) {
      proof.holds($0, $1, of: block)
    }
    guard let form = found else { return nil }
    keepInFolder(key, form, encoded)
    return form
  }

  func keep(
    _ key: BlockKey, _ form: BlockEncoding, _ encoded: borrowing ByteBuffer, after time: Duration
  ) {
    keepInFolder(key, form, encoded)
    guard let server else { return }
    switch form {
    case .stored: server.offer(key, form, RawSpan(), after: time)
    case .encoded: encoded.withBytes { server.offer(key, form, $0, after: time) }
    }
  }

  private func keepInFolder(
    _ key: BlockKey, _ form: BlockEncoding, _ encoded: borrowing ByteBuffer
  ) {
    switch form {
    case .stored: folder?.keep(key, RawSpan(), work)
    case .encoded: encoded.withBytes { folder?.keep(key, $0, work) }
    }
  }
}

/// The verification that an encoded form decodes to a block.
///
/// Each thread uses a separate decoder and separate memory.
private struct BlockProof {
  private let provers: Pool<Prover>

  init(_ settings: BlockSettings) {
    provers = Pool { () throws(Failure) in try Prover(settings) }
  }

  private final class Prover {
    let decoder: any BlockDecoder
    var decoded: ByteBuffer

    init(_ settings: BlockSettings) throws(Failure) {
      decoder = try settings.algorithm.makeDecoder()
      decoded = try ByteBuffer(capacity: settings.blockSize)
    }

    func gives(_ encoded: RawSpan, _ block: RawSpan) -> Bool {
      decoded.removeAll()
      do throws(Failure) {
        try decoded.append(upTo: block.byteCount) { output throws(Failure) in
          try decoder.decode(encoded, into: &output)
        }
      } catch {
        return false
      }
      return decoded.withBytes {
        $0.byteCount == block.byteCount && $0.firstDifference(from: block) == nil
      }
    }
  }

  /// Whether every reader gets the block from this form: it is decoded and compared.
  func holds(_ form: BlockEncoding, _ encoded: RawSpan, of block: RawSpan) -> Bool {
    switch form {
    case .stored: return true
    case .encoded:
      // An archive distinguishes the two forms by their sizes.
      guard encoded.byteCount > 0, encoded.byteCount < block.byteCount else { return false }
      let isRight = try? provers.with { (prover) throws(Failure) in prover.gives(encoded, block) }
      return isRight ?? false
    }
  }
}
