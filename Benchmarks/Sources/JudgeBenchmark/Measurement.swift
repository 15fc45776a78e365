@testable import BlockCodecs
import LZFSE

/// The results for the blocks of a corpus, with the judge and without.
struct Measurement: ~Copyable {
  private let encoder: any BlockEncoder
  private var judge: BlockJudge
  private let room = UnsafeMutableRawBufferPointer.allocate(
    byteCount: Corpus.blockSize, alignment: 16)

  private var blocks = Tally()
  private var dismissed = Tally()
  /// Blocks that were judged compressible, and are stored.
  private var unsuccessful = Tally()

  /// The totals of blocks.
  private struct Tally {
    var count = 0
    var rawBytes = 0
    var encodedBytes = 0
    var judging = Duration.zero
    var encoding = Duration.zero

    mutating func add(_ block: Tally) {
      count += 1
      rawBytes += block.rawBytes
      encodedBytes += block.encodedBytes
      judging += block.judging
      encoding += block.encoding
    }

    func speed(_ time: Duration) -> String {
      time == .zero ? "-" : "\(rounded(Double(rawBytes) / (time / .nanoseconds(1)))) GB/s"
    }
  }

  init(_ algorithm: BlockAlgorithm, _ effort: Effort) throws {
    encoder = try algorithm.makeEncoder(effort: effort, blockSize: Corpus.blockSize)
    judge = BlockJudge(for: algorithm)
  }

  deinit { room.deallocate() }

  mutating func count(_ block: [UInt8]) throws {
    let clock = ContinuousClock()
    let input = block.span.bytes
    var isWorth = true
    let judging = clock.measure { isWorth = judge.isWorthEncoding(input) }
    var size = block.count
    let encoding = try clock.measure {
      // A block that does not become smaller is stored.
      let free = UnsafeMutableRawBufferPointer(rebasing: room[..<max(0, block.count - 1)])
      var output = OutputRawSpan(buffer: free, initializedCount: 0)
      if try encoder.encode(input, into: &output) { size = output.finalize(for: free) }
    }
    let block = Tally(
      count: 1, rawBytes: block.count, encodedBytes: size, judging: judging, encoding: encoding)
    blocks.add(block)
    if !isWorth { dismissed.add(block) }
    if isWorth && size == block.rawBytes { unsuccessful.add(block) }
  }

  var report: String {
    let missed = dismissed.rawBytes - dismissed.encodedBytes
    let spent = blocks.encoding - dismissed.encoding + blocks.judging
    return """
        blocks of 1 MiB            \(blocks.count), \(dismissed.count) judged incompressible
        bytes, all encoded         \(blocks.encodedBytes)
        bytes, as judged           \(blocks.encodedBytes + missed)
        missed                     \(missed), \(percent(missed, of: blocks.encodedBytes))
        encoded, then stored       \(unsuccessful.count), \
        \(share(unsuccessful.encoding, of: spent)) of the time
        time, all encoded          \(seconds(blocks.encoding))
        time, judging included     \(seconds(spent))
        judging, all blocks        \(seconds(blocks.judging))
        judging, dismissed         \(dismissed.speed(dismissed.judging))
        encoding, dismissed        \(dismissed.speed(dismissed.encoding))

      """
  }
}

private func rounded(_ number: Double) -> Double { (number * 1_000).rounded() / 1_000 }

private func percent(_ part: Int, of whole: Int) -> String {
  "\(rounded(100 * Double(part) / Double(max(1, whole)))) %"
}

private func share(_ part: Duration, of whole: Duration) -> String {
  "\((1_000 * (part / max(whole, .nanoseconds(1)))).rounded() / 10) %"
}

private func seconds(_ time: Duration) -> String { "\(rounded(time / .seconds(1))) s" }
