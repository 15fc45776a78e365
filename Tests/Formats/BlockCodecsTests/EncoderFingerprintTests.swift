import BlockCodecs
import Foundation
import LZFSE
import TestSupport
import Testing

@Suite("What stands for an encoder")
struct EncoderFingerprintTests {
  private static let writable = BlockAlgorithm.writable

  @Test
  func `each codec, version, effort and block size has its own constant fingerprint`() throws {
    var seen: Set<[UInt8]> = []
    var count = 0
    for algorithm in Self.writable {
      for effort in Effort.allCases {
        for blockSize in [1 << 15, 1 << 20] {
          for version in [nil, algorithm.encoderVersion(effort) + 1] {
            let fingerprint = try algorithm.encoderFingerprint(
              effort: effort, blockSize: blockSize, version: version)
            #expect(fingerprint.count == 32)
            seen.insert(fingerprint)
            count += 1
          }
        }
      }
    }
    #expect(seen.count == count)
    #expect(
      try seen.contains(
        BlockAlgorithm.lzfse.encoderFingerprint(effort: .default, blockSize: 1 << 20)))
  }

  /// A line of `Corpus/encoders/record.txt`: the output of a version of an encoder for the samples.
  private struct Line {
    /// The codec and the effort, such as `lzfse-best`; only the codec if the version was one of
    /// three efforts: fast, default and best.
    var encoder: String
    var version: Int
    var library: String
    var digest: String

    init?(_ text: Substring) {
      let words = text.split(separator: " ")
      guard words.count == 5, let version = Int(words[1]) else { return nil }
      encoder = String(words[0])
      self.version = version
      library = words[2] == "-" ? "" : "\(words[2]) \(words[3])"
      digest = String(words[4])
    }
  }

  private static func record() throws -> [Line] {
    let path = Checkout.file("Tests/Corpus/encoders/record.txt")
    return try String(contentsOf: path, encoding: .utf8).split(separator: "\n")
      .filter { !$0.hasPrefix("#") }.map { try #require(Line($0)) }
  }

  /// Bytes on which encoders differ: text, records, noise, few symbols, and pieces of earlier bytes
  /// at every distance.
  static let samples: [[UInt8]] = {
    var seeded = Seeded(seed: 5)
    var far = seeded.noise(3000)
    while far.count < 150_000 {
      let start = seeded.next(below: far.count - 400)
      far += Array(far[start..<start + 3 + seeded.next(below: 1 << seeded.next(below: 9))])
      far.append(UInt8(seeded.next(below: 256)))
    }
    let few = (0..<60_000).map { _ in UInt8(seeded.next(below: 5) * 17) }
    let runs = (0..<300).flatMap {
      [UInt8](repeating: UInt8($0 & 3), count: 1 + seeded.next(below: 900))
    }
    return [
      seeded.text(120_000), seeded.vertices(90_000), seeded.noise(50_000) + seeded.text(60_000),
      far, few, runs, [UInt8](repeating: 0, count: 70_000), seeded.text(3000), [1, 2, 3],
    ]
  }()

  /// Blocks that `default` makes 1 to 1.25 % and 2 to 2.5 % smaller.
  ///
  /// They are for `better` and `best` of LZFSE, which encode the first one like `default` since
  /// their versions 3 and 5, and the second one since their versions 4 and 6.
  static let nearlyIncompressible: [[UInt8]] = [UInt8(232), 221].map { values in
    var seeded = Seeded(seed: 6)
    return seeded.noise(100_000).map { $0 % values }
  }

  /// A repeat after much noise, which `better` and `best` of LZFSE find since versions 5 and 9.
  static let lateRepeat: [UInt8] = {
    var seeded = Seeded(seed: 7)
    let repeated = seeded.noise(40_001)
    return seeded.noise(20_000) + repeated + repeated
  }()

  /// Records that begin with the same bytes and end differently.
  ///
  /// `better` and `best` of LZFSE use the longest one since versions 6 and 10.
  static let records: [UInt8] = {
    var seeded = Seeded(seed: 8)
    let record = seeded.noise(2000)
    return (0..<100).flatMap { _ in
      seeded.noise(1 + seeded.next(below: 40)) + record[..<(4 + seeded.next(below: 1996))]
    }
  }()

  private static func samples(_ algorithm: BlockAlgorithm, _ effort: Effort) -> [[UInt8]] {
    let isOptimal = effort == .better || effort == .best
    return algorithm == .lzfse && isOptimal
      ? samples + nearlyIncompressible + [lateRepeat, records] : samples
  }

  private static func name(_ algorithm: BlockAlgorithm, _ effort: Effort) -> String {
    switch effort {
    case .fast: "\(algorithm)-fast"
    case .default: "\(algorithm)-default"
    case .better: "\(algorithm)-better"
    case .best: "\(algorithm)-best"
    }
  }

  private static func digest(_ algorithm: BlockAlgorithm, _ effort: Effort) throws -> String {
    var digest = try Digest(.sha256)
    for blockSize in [1 << 14, 1 << 20] {
      let encoder = try algorithm.makeEncoder(effort: effort, blockSize: blockSize)
      for sample in samples(algorithm, effort) {
        for start in stride(from: 0, to: sample.count, by: blockSize) {
          let block = Array(sample[start..<min(start + blockSize, sample.count)])
          let made = try encode(block, with: encoder, room: max(1, block.count - 1)) ?? []
          digest.update(unsafe Array("\(block.count) \(made.count)\n".utf8).span.bytes)
          digest.update(unsafe made.span.bytes)
        }
      }
    }
    return digest.finish().map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
  }

  @Test(arguments: zip(nearlyIncompressible, [100..<125, 200..<250]))
  func `better and best encode a sample that default makes a little smaller like default`(
    block: [UInt8], saving: Range<Int>
  ) throws {
    let encoder = try BlockAlgorithm.lzfse.makeEncoder(effort: .default, blockSize: 1 << 20)
    let encoded = try #require(try encode(block, with: encoder, room: block.count - 1))
    #expect(saving.contains((block.count - encoded.count) * 10_000 / block.count))
    for effort in [Effort.better, .best] {
      let encoder = try BlockAlgorithm.lzfse.makeEncoder(effort: effort, blockSize: 1 << 20)
      #expect(try encode(block, with: encoder, room: block.count - 1) == encoded)
    }
  }

  @Test(.heavy, arguments: writable, Effort.allCases)
  func `every change of an encoder's output increases its version`(
    algorithm: BlockAlgorithm, effort: Effort
  ) throws {
    let encoder = Self.name(algorithm, effort)
    let all = try Self.record().filter { $0.encoder == encoder }
    let lines = all.filter { $0.library == algorithm.encoderLibrary }
    // Another version of a library is its own part of the key; this project's encoder has none.
    if lines.isEmpty, !all.isEmpty, !algorithm.encoderLibrary.isEmpty { return }
    let digest = try Self.digest(algorithm, effort)
    let version = algorithm.encoderVersion(effort)
    let line = lines.last { $0.version == version }
    #expect(
      line?.digest == digest,
      "raise 'encoderVersion' and record \(encoder) \(version) \(digest)")
  }

  @Test(.heavy, arguments: [BlockAlgorithm.lzfse, .zlib, .lzma])
  func `best is never larger than a lower effort`(algorithm: BlockAlgorithm) throws {
    for (number, block) in Self.samples.enumerated() {
      let sizes = try Effort.allCases.map { effort in
        let encoder = try algorithm.makeEncoder(effort: effort, blockSize: 1 << 20)
        return try encode(block, with: encoder, room: block.count - 1)?.count ?? block.count
      }
      #expect(sizes.last == sizes.min(), "sample \(number)")
    }
  }

  @Test
  func `the record only grows: each version once, in ascending order, each with different bytes`()
    throws
  {
    let lines = try Self.record()
    for group in Dictionary(grouping: lines, by: { "\($0.encoder) \($0.library)" }).values {
      #expect(group.map(\.version) == group.map(\.version).sorted())
      #expect(Set(group.map(\.version)).count == group.count)
      #expect(Set(group.map(\.digest)).count == group.count)
    }
    for algorithm in Self.writable {
      for effort in Effort.allCases {
        let encoder = Self.name(algorithm, effort)
        let versions = lines.filter { $0.encoder == encoder }.map(\.version)
        #expect(versions.max() == algorithm.encoderVersion(effort), "\(encoder)")
      }
    }
  }
}
