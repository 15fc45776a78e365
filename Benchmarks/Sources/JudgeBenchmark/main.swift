import Foundation
@testable import BlockCodecs
import LZFSE

/// judge-benchmark CODEC EVERY FOLDER…: the time that judging blocks saves, and the misjudged
/// blocks.
///
/// Encodes one in EVERY blocks of each folder's files, and compares the result with the judgment.
/// CODEC is lzfse, zlib, lzma or lz4; EFFORT=fast in the environment selects that level.

let arguments = CommandLine.arguments
guard arguments.count >= 4, let every = Int(arguments[2]), every > 0,
  let algorithm = BlockAlgorithm.allCases.first(where: { $0.description == arguments[1] })
else {
  FileHandle.standardError.write(Data("usage: judge-benchmark CODEC EVERY FOLDER...\n".utf8))
  exit(64)
}
let effort: Effort =
  ProcessInfo.processInfo.environment["EFFORT"] == "fast" ? .fast : .default

for folder in arguments.dropFirst(3) {
  var measurement = try Measurement(algorithm, effort)
  try Corpus(folder: folder).forEachBlock { number, block in
    if number % every == 0 { try measurement.count(block) }
  }
  print("\(URL(filePath: folder).lastPathComponent), \(algorithm) \(effort)")
  print(measurement.report)
}
