import Foundation

/// pack-benchmark PROGRAM CACHE ROUNDS [CORPUS…]: packs each corpus with everybody, in turn.
///
/// CORPUS is the name of a folder in the cache or a path; without any: all that are there, and the
/// generated ones.

let arguments = CommandLine.arguments
guard arguments.count >= 4, let rounds = Int(arguments[3]), rounds > 0 else {
  say("usage: pack-benchmark PROGRAM CACHE ROUNDS [CORPUS...]")
  exit(64)
}
let cache = arguments[2]
let python = "\(cache)/venv/bin/python"
let referenceScript = URL(filePath: #filePath).deletingLastPathComponent()
  .appending(path: "../../reference-lzfse.py").standardizedFileURL.path(percentEncoded: false)
let hasReference = FileManager.default.isExecutableFile(atPath: python)
let field = Field(
  program: arguments[1], scratch: "\(cache)/scratch",
  reference: hasReference ? "\(python) '\(referenceScript)'" : nil)
try field.prepare()

func corpora() throws -> [Corpus] {
  let named = arguments.dropFirst(4)
  let generated = GeneratedCorpus.allCases
  if !named.isEmpty {
    return try named.map { name in
      if let made = GeneratedCorpus(rawValue: name) { return try made.prepared(below: cache) }
      return Corpus(
        name: URL(filePath: name).lastPathComponent,
        folder: name.contains("/") ? name : "\(cache)/corpora/\(name)")
    }
  }
  let fetched = (try? FileManager.default.contentsOfDirectory(atPath: "\(cache)/corpora")) ?? []
  return try fetched.sorted().map { Corpus(name: $0, folder: "\(cache)/corpora/\($0)") }
    + generated.map { try $0.prepared(below: cache) }
}

var report = Report()
for corpus in try corpora() {
  warm(corpus)
  report.heading("\(corpus.name): \(try corpus.size) bytes of files")
  let contenders =
    [
      field.ours("default", corpus.folder),
      field.ours("fast", corpus.folder, "--level fast"),
      field.ours("default-1-thread", corpus.folder, "--threads 1"),
    ] + field.peers(corpus.folder)
  report.table(columns, rows(contenders, measureInTurn(contenders, rounds: rounds)))

  // What takes a minute or more runs once.
  let cached = "--level best --cache '\(field.scratch)/block-cache'"
  try? FileManager.default.removeItem(atPath: "\(field.scratch)/block-cache")
  let slow =
    [
      field.ours("best", corpus.folder, "--level best"),
      field.ours("best-filling-cache", corpus.folder, cached),
      field.ours("best-from-cache", corpus.folder, cached),
    ] + field.slowPeers(corpus.folder)
  report.line("")
  report.table(columns, rows(slow, measureInTurn(slow, rounds: 1)))
  say("\(corpus.name) done")
}
FileHandle.standardOutput.write(Data(report.text.utf8))
