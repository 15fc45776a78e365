import Foundation

/// pack-benchmark PROGRAM CACHE ROUNDS SECTIONS [CORPUS…]: packs each corpus with all programs
/// alternately.
///
/// CORPUS is the name of a folder in the cache or a path. The default is all existing ones, and the
/// generated ones. SECTIONS are some of pack, read, change and slow, separated by commas.

let arguments = CommandLine.arguments
guard arguments.count >= 5, let rounds = Int(arguments[3]), rounds > 0 else {
  say("usage: pack-benchmark PROGRAM CACHE ROUNDS SECTIONS [CORPUS...]")
  exit(64)
}
let cache = arguments[2]
let sections = Set(arguments[4].split(separator: ",").map(String.init))
let python = "\(cache)/venv/bin/python"
func script(_ name: String) -> String {
  URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../\(name)")
    .standardizedFileURL.path(percentEncoded: false)
}
let hasReference = FileManager.default.isExecutableFile(atPath: python)
let field = Field(
  program: arguments[1], scratch: "\(cache)/scratch",
  reference: hasReference ? "\(python) '\(script("reference-lzfse.py"))'" : nil,
  evicting: script("evict-files.py"))
try field.prepare()

func corpora() throws -> [Corpus] {
  let named = arguments.dropFirst(5)
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

/// Measures packing with this program and with the peers that take seconds.
func measurePacking(_ corpus: Corpus, _ report: inout Report) {
  let contenders =
    [
      field.ours("default", corpus.folder),
      field.ours("fast", corpus.folder, "--level fast"),
      field.ours("default-1-thread", corpus.folder, "--threads 1"),
    ] + field.peers(corpus.folder)
  let results = measureInTurn(contenders, rounds: rounds)
  report.table(columns, rows(contenders, results))
  if let one = results["default-1-thread"], let all = results["default"] {
    let times = number(medianRatio(one, all, \.wall))
    report.line("\nAll threads against one: \(times) times as fast.\n")
  }
}

func measureReading(_ corpus: Corpus, _ report: inout Report) throws {
  let readers = try field.readers(corpus)
  report.table(readingColumns, readingRows(readers, measureInTurn(readers, rounds: rounds)))
  report.line("")
}

func measureChange(_ corpus: Corpus, _ report: inout Report) throws {
  let contenders = try field.afterChange(in: corpus)
  let results = measureInTurn(contenders, rounds: rounds)
  guard let cached = results["best-from-cache"], let fast = results["fast"] else { return }
  report.line(
    """
    After 1 MB has changed, `--level best` with its cache: \(number(median(cached.map(\.wall)))) \
    s, \
    \(number(medianRatio(cached, fast, \.wall))) times `--level fast`.

    """)
}

/// Programs that take a minute or more run once.
func measureSlow(_ corpus: Corpus, _ report: inout Report) {
  let cached = "--level best --cache '\(field.scratch)/block-cache'"
  try? FileManager.default.removeItem(atPath: "\(field.scratch)/block-cache")
  let slow =
    [
      field.ours("better", corpus.folder, "--level better"),
      field.ours("best", corpus.folder, "--level best"),
      field.ours("best-filling-cache", corpus.folder, cached),
      field.ours("best-from-cache", corpus.folder, cached),
    ] + field.slowPeers(corpus.folder)
  report.table(columns, rows(slow, measureInTurn(slow, rounds: 1)))
  report.line("")
}

var report = Report()
report.line(circumstances(of: field.scratch))
for corpus in try corpora() {
  warm(corpus)
  report.heading("\(corpus.name): \(try corpus.size) bytes of files")
  if sections.contains("pack") { measurePacking(corpus, &report) }
  if sections.contains("read") { try measureReading(corpus, &report) }
  // Slow programs run with real games only.
  if GeneratedCorpus(rawValue: corpus.name) == nil {
    if sections.contains("change") { try measureChange(corpus, &report) }
    if sections.contains("slow") { measureSlow(corpus, &report) }
  }
  say("\(corpus.name) done")
}
try? FileManager.default.removeItem(atPath: field.scratch)
FileHandle.standardOutput.write(Data(report.text.utf8))
