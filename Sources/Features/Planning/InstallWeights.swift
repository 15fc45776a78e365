package import BAPackKit

/// The numbers of devices that install each update: a weight for each release, platform and
/// language.
package struct InstallWeights: Sendable, Equatable {
  /// A row of the table; a nil value applies to all.
  package struct Row: Sendable, Equatable {
    package var release: String?
    package var platform: Platform?
    package var language: LanguageTag?
    package var installs: UInt64
  }

  package var rows: [Row]

  /// A line of a table that cannot be read.
  package struct Malformed: Error, Equatable {
    package var line: Int
    package var reason: String
  }

  /// Reads a CSV text with a header that names the columns: `installs`, and any of `release`,
  /// `platform` and `language`.
  package init(csv text: String) throws(Malformed) {
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    var columns: [String] = []
    rows = []
    for (index, line) in lines.enumerated() {
      let number = index + 1
      let fields = line.split(separator: ",", omittingEmptySubsequences: false).map {
        String($0.filter { $0 != "\"" && !$0.isWhitespace })
      }
      if fields == [""] || line.hasPrefix("#") { continue }
      if columns.isEmpty {
        columns = fields.map { $0.lowercased() }
        try Self.check(columns, number)
        continue
      }
      guard fields.count == columns.count else {
        throw Malformed(line: number, reason: "it has \(fields.count) fields, not \(columns.count)")
      }
      rows.append(try Self.row(Array(zip(columns, fields)), number))
    }
    if columns.isEmpty { throw Malformed(line: 1, reason: "the header is missing") }
  }

  private static func check(_ columns: [String], _ number: Int) throws(Malformed) {
    let known = ["release", "platform", "language", "installs"]
    if let other = columns.first(where: { !known.contains($0) }) {
      throw Malformed(
        line: number,
        reason: "'\(other)' is no column: use \(known.joined(separator: ", "))")
    }
    if !columns.contains("installs") {
      throw Malformed(line: number, reason: "the column 'installs' is missing")
    }
  }

  private static func row(
    _ fields: [(column: String, value: String)], _ number: Int
  ) throws(Malformed) -> Row {
    var row = Row(installs: 0)
    for (column, value) in fields where !value.isEmpty || column == "installs" {
      switch column {
      case "release": row.release = value
      case "platform":
        row.platform = Platform.allCases.first { $0.rawValue.lowercased() == value.lowercased() }
        if row.platform == nil {
          throw Malformed(line: number, reason: "'\(value)' is no platform")
        }
      case "language":
        row.language = LanguageTag(value)
        if row.language == nil {
          throw Malformed(line: number, reason: "'\(value)' is no language")
        }
      default:
        guard let installs = UInt64(value), installs <= 10_000_000_000 else {
          throw Malformed(line: number, reason: "'\(value)' is no number of installations")
        }
        row.installs = installs
      }
    }
    return row
  }

  /// The devices that install the update to a release and download a pack for these platforms and
  /// this language.
  func devices(
    of release: String, _ platforms: [Platform], _ language: LanguageTag?
  ) -> UInt64 {
    rows.reduce(0) { sum, row in
      let isOffered =
        row.platform.map { platforms.isEmpty || platforms.contains($0) } ?? true
      let isUnderstood =
        language == nil || row.language == nil || row.language.isEquivalent(to: language)
      return (row.release ?? release) == release && isOffered && isUnderstood
        ? sum.addingReportingOverflow(row.installs).partialValue : sum
    }
  }

  /// Returns numbers of devices as small numbers with about the same ratios, so that products with
  /// sizes do not overflow.
  static func ratios(of devices: [[UInt64]]) -> [[UInt64]] {
    let divisor = max(1, (devices.joined().max() ?? 0) / 10_000)
    return devices.map { row in row.map { $0 / divisor + ($0 % divisor > 0 ? 1 : 0) } }
  }
}
