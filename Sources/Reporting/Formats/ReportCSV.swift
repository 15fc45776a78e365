import BAPackKit
import SystemIO
import TerminalText

/// The files of a report for a spreadsheet: a row for each, as RFC 4180 writes it.
///
/// A spreadsheet takes what begins with `=`, `+`, `-`, `@` for a formula and runs it, so such a
/// name gets an apostrophe before it. Names are shown as people read them.
package struct ReportCSV {
  private let report: Report

  /// Prepares a report.
  package init(of report: Report) { self.report = report }

  /// The text; equal reports have equal bytes.
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
      let start = [
        shown(pack.id.text), pack.policy?.name ?? "",
        pack.platforms.map(\.rawValue).joined(separator: " "), pack.language?.description ?? "",
      ].map(Self.cell).joined(separator: ",")
      for file in 0..<contents.count {
        let share = contents.share(at: file)
        let digest = contents.digest(at: file).map { hexadecimal($0) }
        let place = Report.FilePlace(pack: number, file: file)
        let cells = [
          Self.cell(contents[file].shown), AssetKind(ofFileAt: contents[file]).rawValue,
          pack.knowsSizes ? "\(contents.size(at: file))" : "", share.map { "\($0.stored)" } ?? "",
          share.map { "\($0.uncompressed)" } ?? "", share.map { "\($0.shared)" } ?? "",
          digest ?? "", "\(copies[place] ?? 0)",
        ]
        text += Array((start + "," + cells.joined(separator: ",") + "\r\n").utf8)
      }
    }
    return text
  }

  /// A text as a cell that no spreadsheet runs.
  static func cell(_ text: String) -> String {
    // Some spreadsheets skip spaces before they look for a formula, and know wide forms of its
    // signs.
    let first = text.unicodeScalars.first { $0 != " " && $0 != "\u{3000}" }
    let isFormula = first.map {
      "=+-@\t\r\u{FF1D}\u{FF0B}\u{FF0D}\u{FF20}".unicodeScalars.contains($0)
    }
    let safe = isFormula ?? false ? "'" + text : text
    let isPlain = safe.utf8.allSatisfy { byte in
      byte != UInt8(ascii: "\"") && byte != UInt8(ascii: ",") && byte != UInt8(ascii: ";")
        && byte >= 0x20
    }
    return isPlain ? safe : "\"" + safe.replacingBytes(of: "\"", with: "\"\"") + "\""
  }
}
