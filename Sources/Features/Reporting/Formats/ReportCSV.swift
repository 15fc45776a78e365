import BAPackKit
import SystemIO
import TerminalText

/// The files of a report as CSV (RFC 4180), with one row for each file.
///
/// A spreadsheet runs a cell that begins with `=`, `+`, `-` or `@` as a formula, so such a name is
/// prefixed with an apostrophe. Otherwise, names have their exact bytes.
package struct ReportCSV {
  private let report: Report

  /// Creates the document of a report.
  package init(of report: Report) { self.report = report }

  /// The document; equal reports have equal bytes.
  package var bytes: [UInt8] {
    var text = Array(
      "pack,policy,platforms,language,path,type,size,stored,uncompressed,shared,sha256,copies\r\n"
        .utf8)
    var copies: [Report.FilePlace: Int] = [:]
    for duplicate in report.duplicates {
      for place in duplicate.copies { copies[place] = duplicate.copies.count - 1 }
    }
    for (number, pack) in report.inventory.packs.enumerated() {
      guard let contents = pack.contents else { continue }
      let start =
        [
          pack.id.text, pack.policy?.name ?? "",
          pack.platforms.map(\.rawValue).joined(separator: " "), pack.language?.description ?? "",
        ].map(Self.cell).joined(separator: ",") + ","
      for file in 0..<contents.count {
        let share = contents.share(at: file)
        let digest = contents.digest(at: file).map { hexadecimal($0) }
        let place = Report.FilePlace(pack: number, file: file)
        let cells = [
          "", AssetKind(ofFileAt: contents[file]).rawValue,
          pack.hasSizes ? "\(contents.size(at: file))" : "", share.map { "\($0.stored)" } ?? "",
          share.map { "\($0.uncompressed)" } ?? "", share.map { "\($0.shared)" } ?? "",
          digest ?? "", "\(copies[place] ?? 0)",
        ]
        text += Array(start.utf8) + Self.cell(bytes: contents[file].bytes)
        text += Array((cells.joined(separator: ",") + "\r\n").utf8)
      }
    }
    return text
  }

  /// Returns a text as a cell that no spreadsheet runs.
  static func cell(_ text: String) -> String {
    String(decoding: cell(bytes: Array(text.utf8)[...]), as: UTF8.self)
  }

  /// Returns bytes as a cell that no spreadsheet runs.
  private static func cell(bytes: ArraySlice<UInt8>) -> [UInt8] {
    // Some spreadsheets skip spaces before a formula, and accept fullwidth forms of its characters.
    let start = String(decoding: bytes, as: UTF8.self).unicodeScalars.first {
      $0 != " " && $0 != "\u{3000}"
    }
    let isFormula = start.map {
      "=+-@\t\r\u{FF1D}\u{FF0B}\u{FF0D}\u{FF20}".unicodeScalars.contains($0)
    }
    let quote = UInt8(ascii: "\"")
    let safe = (isFormula ?? false ? [UInt8(ascii: "'")] : []) + bytes
    let isPlain = safe.allSatisfy { byte in
      byte != quote && byte != UInt8(ascii: ",") && byte != UInt8(ascii: ";") && byte >= 0x20
    }
    return isPlain
      ? safe : [quote] + safe.flatMap { $0 == quote ? [quote, quote] : [$0] } + [quote]
  }
}
