import AssetArchive
import BlockCodecs
import LZFSE
import SystemIO
import TestSupport
import Testing

/// Reading parts of a stream gives the same bytes as reading all of it.
@Suite("Skipping and seeking")
struct SkippingTests {
  /// Blocks with a long decoding time, and stored ones without, in any order.
  static let stream: [UInt8] = {
    var seeded = Seeded(seed: 12)
    var bytes: [UInt8] = []
    for round in 0..<24 {
      let size = 20_000 + seeded.next(below: 60_000)
      bytes += round % 4 == 3 ? seeded.noise(size) : seeded.text(size)
    }
    return bytes
  }()

  @Test(arguments: WriterTests.algorithms, [1, 2, 3, 8])
  func `any walk over a stream gives the bytes of a complete read`(
    algorithm: BlockAlgorithm, threads: Int
  ) throws {
    let stream = Self.stream
    let settings = BlockSettings(algorithm: algorithm, effort: .fast, blockSize: 1 << 15)
    let (bytes, _) = try WriterTests.container(stream, settings, step: 1 << 16)
    var seeded = Seeded(seed: UInt64(threads))
    var reader = try BlockStreamReader(
      ByteSource(bytes, name: "test"), parallelism: .init(threads: threads))
    for step in 0..<400 {
      let position = Int(reader.position)
      let distance = seeded.next(below: step % 3 == 0 ? 200_000 : 3000)
      switch seeded.next() % 8 {
      case 0...2:
        let end = min(position + distance, stream.count)
        #expect(try reader.skip(UInt64(distance)) == UInt64(end - position))
        #expect(reader.position == UInt64(end))
      case 3...6:
        let expected = Array(stream[position..<min(position + distance, stream.count)])
        #expect(try reader.take(distance) == expected, "step \(step), at \(position)")
      default:
        let target = seeded.next(below: stream.count + 1)
        #expect(try reader.seek(to: UInt64(target)))
        #expect(reader.position == UInt64(target))
      }
    }
  }

  @Test(arguments: [1, 2, 8])
  func `a block that is skipped whole may be damaged`(threads: Int) throws {
    let settings = BlockSettings(algorithm: .lzma, effort: .fast, blockSize: 1 << 15)
    var seeded = Seeded(seed: 3)
    let stream = seeded.text(10 << 15)
    var (bytes, _) = try WriterTests.container(stream, settings)
    let source = ByteSource(bytes, name: "test")
    var walk = try BlockWalk(source)
    for index in 0..<6 {
      guard let block = try walk.next(source) else { continue }
      // The magic bytes of an xz stream.
      if index == 2 || index == 5 { bytes[Int(block.payloadOffset)] = 0 }
    }
    var reader = try BlockStreamReader(
      ByteSource(bytes, name: "test"), parallelism: .init(threads: threads))
    #expect(try reader.take(100) == Array(stream.prefix(100)))
    #expect(try reader.skip(3 << 15) == 3 << 15)
    #expect(try reader.take(100) == Array(stream[3 << 15 + 100..<3 << 15 + 200]))
    for _ in 0..<2 {
      let error = #expect(throws: Failure.self) { _ = try reader.skip(2 << 15 + 100) }
      #expect(error.map { "\($0)" }?.contains("byte \(5 << 15) decoded") == true)
    }
    #expect(try reader.seek(to: 6 << 15))
    #expect(try reader.take(7) == Array(stream[6 << 15..<6 << 15 + 7]))
  }
}
