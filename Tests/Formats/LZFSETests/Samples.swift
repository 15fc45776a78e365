import TestSupport
import Testing

/// Generated inputs: each is the worst case of a part of the codec.
enum Samples {
  struct Sample: CustomTestStringConvertible, Sendable {
    let name: String
    let make: @Sendable () -> [UInt8]

    var bytes: [UInt8] { make() }
    var testDescription: String { name }
  }

  static let all: [Sample] = [
    Sample(name: "one symbol") { [UInt8](repeating: 7, count: 100_000) },
    Sample(name: "random") { random(50_000, seed: 1) },
    Sample(name: "random, then the same again") {
      let part = random(30_000, seed: 2)
      return part + part
    },
    Sample(name: "all 256 bytes flat") { (0..<40_000).map { UInt8(truncatingIfNeeded: $0 * 167) } },
    Sample(name: "4095 bytes") { text(4095, seed: 3) },
    Sample(name: "4096 bytes") { text(4096, seed: 3) },
    Sample(name: "4097 bytes") { text(4097, seed: 3) },
    Sample(name: "text") { text(100_000, seed: 4) },
    Sample(name: "few symbols, no matches") { random(90_000, seed: 5).map { $0 & 3 } },
    Sample(name: "short matches without literals") { shortMatches(120_000) },
    Sample(name: "the longest distance") {
      let part = random(2000, seed: 6)
      return part + random(262_139 - 2000, seed: 7) + part
    },
    Sample(name: "one byte beyond the longest distance") {
      let part = random(2000, seed: 6)
      return part + random(262_140 - 2000, seed: 7) + part
    },
  ]

  static func random(_ count: Int, seed: UInt64) -> [UInt8] {
    var numbers = Seeded(seed: seed)
    return numbers.noise(count)
  }

  /// Returns words of an artificial vocabulary.
  static func text(_ count: Int, seed: UInt64) -> [UInt8] {
    var numbers = Seeded(seed: seed)
    let words = (0..<300).map { _ in
      (0..<1 + numbers.next(below: 9)).map { _ in UInt8(97 + numbers.next(below: 26)) }
    }
    var bytes: [UInt8] = []
    while bytes.count < count {
      let place = numbers.next(below: words.count)
      bytes += words[numbers.next(below: place + 1)] + [32]
    }
    return [UInt8](bytes.prefix(count))
  }

  /// Returns pieces of noise over some alphabet, of earlier bytes, and of one byte.
  static func mixture(seed: UInt64) -> [UInt8] {
    var numbers = Seeded(seed: seed)
    let size = 1 << numbers.next(below: 16) + numbers.next(below: 100)
    let alphabet = 1 + numbers.next(below: 256)
    var bytes: [UInt8] = []
    while bytes.count < size {
      let count = 1 << numbers.next(below: 10)
      switch numbers.next(below: 4) {
      case 0:
        for _ in 0..<count { bytes.append(UInt8(numbers.next(below: alphabet))) }
      case 1:
        bytes += [UInt8](repeating: UInt8(numbers.next(below: alphabet)), count: count)
      default:
        guard !bytes.isEmpty else { continue }
        let distance = 1 + numbers.next(below: bytes.count)
        for _ in 0..<count { bytes.append(bytes[bytes.count - distance]) }
      }
    }
    return [UInt8](bytes.prefix(size))
  }

  /// Returns pieces of a small dictionary in random order: many triplets, few literals.
  static func shortMatches(_ count: Int) -> [UInt8] {
    var numbers = Seeded(seed: 8)
    let dictionary = random(4000, seed: 9)
    var bytes = dictionary
    while bytes.count < count {
      let start = numbers.next(below: dictionary.count - 8)
      bytes += dictionary[start..<start + 5 + numbers.next(below: 3)]
    }
    return bytes
  }
}
