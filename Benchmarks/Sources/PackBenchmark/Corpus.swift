import Foundation

/// A folder of files that all programs pack.
struct Corpus {
  var name: String
  var folder: String

  /// The bytes of all its files.
  var size: Int {
    get throws {
      let root = URL(filePath: folder, directoryHint: .isDirectory)
      let files = FileManager.default.enumerator(
        at: root, includingPropertiesForKeys: [.fileSizeKey])
      var total = 0
      for case let file as URL in files ?? FileManager.DirectoryEnumerator() {
        total += try file.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0
      }
      return total
    }
  }
}

/// The generated corpora: the same bytes on every machine.
enum GeneratedCorpus: String, CaseIterable {
  case smallFiles = "small-files"
  case noise
  case text

  /// Generates the corpus below `cache`, unless it exists.
  func prepared(below cache: String) throws -> Corpus {
    let corpus = Corpus(name: rawValue, folder: "\(cache)/\(rawValue)")
    let finished = "\(cache)/\(rawValue).finished"
    if FileManager.default.fileExists(atPath: finished) { return corpus }
    try? FileManager.default.removeItem(atPath: corpus.folder)
    try FileManager.default.createDirectory(
      atPath: corpus.folder, withIntermediateDirectories: true)
    var dice = SplitMix(state: 2026)
    switch self {
    case .smallFiles: try makeSmallFiles(in: corpus.folder, &dice)
    case .noise: try makeLargeFile("\(corpus.folder)/noise.bin") { dice.bytes(1 << 20) }
    case .text: try makeLargeFile("\(corpus.folder)/text.txt") { dice.text(1 << 20) }
    }
    try Data().write(to: URL(filePath: finished))
    return corpus
  }

  /// Creates 100,000 files of 1 to 4 KiB in 1,000 folders.
  private func makeSmallFiles(in folder: String, _ dice: inout SplitMix) throws {
    for group in 0..<1_000 {
      let path = "\(folder)/group-\(group)"
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
      for number in 0..<100 {
        let size = 1_024 + Int(dice.next() % 3_073)
        try dice.text(size).write(to: URL(filePath: "\(path)/\(number).json"))
      }
    }
  }

  /// Creates a file of 1 GiB, a MiB at a time.
  private func makeLargeFile(_ path: String, _ part: () -> Data) throws {
    try Data().write(to: URL(filePath: path))
    let file = try FileHandle(forWritingTo: URL(filePath: path))
    for _ in 0..<1_024 { try file.write(contentsOf: part()) }
    try file.close()
  }
}

/// A small generator of numbers that are the same on every machine.
struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  mutating func bytes(_ count: Int) -> Data {
    var data = Data(capacity: count)
    while data.count < count {
      withUnsafeBytes(of: next().littleEndian) { data.append(contentsOf: $0) }
    }
    return data
  }

  /// Returns lines of words with the frequencies of real text.
  mutating func text(_ count: Int) -> Data {
    var data = Data(capacity: count + 16)
    while data.count < count {
      let rank = Int(next() % 4_096) & Int(next() % 4_096)
      data.append(contentsOf: Self.word(rank).utf8)
      data.append(next() % 9 == 0 ? 0x0A : 0x20)
    }
    return data.prefix(count)
  }

  private static func word(_ rank: Int) -> String {
    var word = ""
    var rest = rank &* 2_654_435_761 & 0xFF_FFFF
    repeat {
      word += ["ba", "lor", "ne", "ti", "sum", "ka", "vel", "o"][rest & 7]
      rest >>= 6
    } while rest > 0
    return word
  }
}
