import Foundation

/// A table of Markdown that grows line by line.
struct Report {
  private(set) var text = ""

  mutating func heading(_ title: String) { text += "\n## \(title)\n\n" }

  mutating func line(_ words: String) { text += words + "\n" }

  mutating func table(_ head: [String], _ rows: [[String]]) {
    line("| " + head.joined(separator: " | ") + " |")
    line("|" + head.enumerated().map { $0.offset == 0 ? "---|" : "---:|" }.joined())
    for row in rows { line("| " + row.joined(separator: " | ") + " |") }
  }
}

func number(_ value: Double, _ digits: Int = 2) -> String {
  value.isNaN ? "–" : String(format: "%.\(digits)f", value)
}

/// Returns the fastest and the slowest of several runs.
func spread(_ values: [Double]) -> String {
  guard let least = values.min(), let most = values.max() else { return "–" }
  return "\(number(least))–\(number(most))"
}

/// Returns one row for each contender: medians, and ratios to the peers of the limits.
func rows(
  _ contenders: [Contender], _ results: [String: [Measurement]]
) -> [[String]] {
  contenders.compactMap { contender in
    guard let own = results[contender.name] else { return nil }
    func ratio(_ peer: String, _ figure: KeyPath<Measurement, Double>) -> String {
      guard let other = results[peer], peer != contender.name else { return "–" }
      return number(medianRatio(own, other, figure))
    }
    return [
      contender.name,
      String(own.count),
      number(median(own.map(\.wall))), spread(own.map(\.wall)),
      number(median(own.map(\.processor))),
      number(median(own.map(\.peak)), 0),
      String(own[0].bytesOut),
      ratio("tar", \.wall), ratio("tar-zstd-3", \.wall), ratio("reference-lzfse", \.wall),
      results["reference-lzfse"]?.first.map {
        number(Double(own[0].bytesOut) / Double($0.bytesOut), 4)
      } ?? "–",
    ]
  }
}

let columns = [
  "what", "rounds", "wall s", "from–to", "CPU s", "peak MiB", "bytes out", "wall / tar",
  "wall / tar+zstd",
  "wall / reference", "size / reference",
]

/// Returns one row for each reader: medians, and the speed relative to the reference decoder.
func readingRows(
  _ contenders: [Contender], _ results: [String: [Measurement]]
) -> [[String]] {
  contenders.compactMap { contender in
    guard let own = results[contender.name] else { return nil }
    func times(_ peer: String) -> String {
      guard let other = results[peer], peer != contender.name else { return "–" }
      return number(medianRatio(other, own, \.wall))
    }
    return [
      contender.name, String(own.count), number(median(own.map(\.wall))),
      spread(own.map(\.wall)), number(median(own.map(\.processor))),
      number(median(own.map(\.peak)), 0), times("reference-read"), times("reference-unpack"),
    ]
  }
}

let readingColumns = [
  "what", "rounds", "wall s", "from–to", "CPU s", "peak MiB", "times as fast as reference-read",
  "times as fast as reference-unpack",
]

/// Returns the machine and the date, for comparisons with other tables.
func circumstances(of folder: String) -> String {
  func first(_ command: String) -> String {
    let process = Process()
    let pipe = Pipe()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", command]
    process.standardOutput = pipe
    try? process.run()
    let data = (try? pipe.fileHandleForReading.readToEnd()) ?? Data()
    process.waitUntilExit()
    let lines = String(decoding: data, as: UTF8.self).split(separator: "\n")
    return lines.first.map(String.init) ?? "?"
  }
  let model = first("sed -n 's/^model name[^:]*: //p' /proc/cpuinfo")
  let memory = first("awk '/^MemTotal/ { printf \"%.0f GiB\", $2 / 1048576 }' /proc/meminfo")
  let tools = [
    first("tar --version"), first("zstd --version | tr -d '*'"), first("bsdtar --version"),
    first("pigz --version 2>&1"), first("swift --version 2>/dev/null"),
  ]
  return """
    \(first("date +%Y-%m-%d")). \(model), \(first("nproc")) cores, \(memory); Linux \
    \(first("uname -r")), \(first("stat -f -c %T '\(folder)'")). \(tools.joined(separator: "; ")).
    """
}
