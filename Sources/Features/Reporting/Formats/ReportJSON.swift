package import BAPackKit
package import SourceDiagnostics
import SystemIO

/// The report for programs, and for a later comparison: one JSON object, with a line for each file.
///
/// Names are exact: in a path that is not UTF-8, invalid bytes are shown as `\xFF`, and
/// `pathBase64` contains its bytes. Unknown values are omitted.
package struct ReportJSON {
  private let report: Report

  /// Creates the document of a report.
  package init(of report: Report) { self.report = report }

  /// The document; equal reports have equal bytes.
  package var bytes: [UInt8] { Report.table.lines(of: report) }
}

extension Report: Described {
  package static let table = Table<Report>(written: "a report") {
    ReportedPacks.head.map { $0.written(of: \.reported) }
    Key("totals", written: \.totals, .object, "The sums over all packs.")
    ReportedPacks.packs.written(of: \.reported)
    Key("kinds", lines: \.kinds, of: .object, "The files by kind, the largest kind first.")
    Key(
      "costs", lines: { $0.costs + $0.olderSystemCosts }, of: .object,
      "The downloads of each kind of device.")
    Key(
      "duplicates", lines: { report in report.duplicates.map { (report, $0) } },
      of: .object(duplicate), "The files that exist more than once.")
    Key(
      "largest", lines: { report in report.largest.map { (report, $0) } }, of: .object(place),
      "The files that take the most bytes.")
    Key("notCompressed", lines: \.uncompressed, of: .object, "The files that did not get smaller.")
    Key(
      "languages", lines: \.families, of: .object, "The packs that exist for several languages.")
    Key(
      "findings", lines: \.findings.reported, of: .object, "The findings in the manifests.")
    Key(
      "changes", written: { $0.comparison.map { Verdict($0, breaks: $0.breaks) } }, .object,
      "The comparison with an earlier release.")
    Key(
      "history", lines: { $0.history.isEmpty ? nil : $0.history }, of: .object,
      "The earlier releases.")
    Key("updates", written: \.updates, .object, "The updates between the releases of a history.")
  }

  private var reported: ReportedPacks {
    ReportedPacks(name: inventory.name, packs: inventory.packs)
  }

  private static let place = Table<(Report, FilePlace)>(written: "a file") {
    Key("pack", written: { $0.pack(of: $1).id }, .packID, "The ID of the pack.")
    Key.path("path", written: { $0.path(of: $1) }, "The path of the file in the pack.")
    Key("size", written: { $0.size(of: $1) }, .bytes, "The size of the file in bytes.")
    Key(
      "stored", written: { $0.stored(of: $1) }, .bytes,
      "The bytes of the archive that the file takes.")
  }

  private static let duplicate = Table<(Report, Duplicate)>(written: "a duplicate") {
    Key("sha256", written: \.1.digest, .sha256, "The SHA-256 digest of the file.")
    Key("size", written: \.1.size, .bytes, "The size of the file in bytes.")
    Key("cost", written: \.1.cost, .bytes, "The bytes that all copies but the largest take.")
    Key(
      "copies", written: { report, duplicate in duplicate.copies.map { (report, $0) } },
      .list(of: .object(place)), "The places of the file.")
  }
}

extension Report.Totals: Described {
  package static let table = Table<Self>(written: "totals") {
    Key("packs", written: \.packs, .count, "The number of packs.")
    Key("files", written: \.files, .count, "The number of files.")
    Key("unpacked", written: \.unpacked, .bytes, "The size of all files in bytes.")
    Key("hosted", written: \.hosted, .bytes, "The size of all archives in bytes.")
    Key(
      "firstLaunch", written: \.firstLaunch, .object,
      "The most that a device downloads before the app opens for the first time.")
    Key("device", written: \.device, .object, "The most that a device can have.")
    Key("duplicates", written: \.duplicates, .bytes, "The bytes that copies of files take.")
  }
}

extension PackSize: Described {
  package static let table = Table<Self>(written: "a size") {
    Key("download", written: \.download, .bytes, "The bytes of archives.")
    Key("unpacked", written: \.unpacked, .bytes, "The bytes of the files in them.")
  }
}

extension Report.KindSum: Described {
  package static let table = Table<Self>(written: "a kind of files") {
    Key("kind", written: \.kind, .word, "The kind.")
    Key("files", written: \.files, .count, "The number of files.")
    Key("size", written: \.size, .bytes, "The size of the files in bytes.")
    Key("stored", written: \.stored, .bytes, "The bytes of archives that the files take.")
  }
}

extension DeviceCost: Described {
  package static let table = Table<Self>(written: "the downloads of devices") {
    Key("platforms", written: \.platforms, .list(of: .word), "The platforms of the devices.")
    Key(
      "language", written: \.language, .nullable(.language),
      "The language; null for languages without separate packs.")
    Key(
      "fallback", written: \.fallback, .nullable(.language),
      "The app's primary language or next preference, if a release has no pack for 'language': "
        + "the one with the largest update.")
    Key(
      "localizedPacks", written: \.knowsLocalizedPacks, .flag,
      "Whether the systems support localized packs.")
    Key("beforeLaunch", written: \.beforeLaunch, .object, "The downloads before the app opens.")
    Key("inBackground", written: \.inBackground, .object, "The downloads from the installation on.")
    Key("onRequest", written: \.onRequest, .object, "The packs that download on request.")
    Key("update", written: \.update, .bytes, "The automatic downloads of an update.")
    Key(
      "updateOnDemand", written: \.updateOnRequest, .bytes,
      "The changed packs that download on request.")
  }
}

extension UncompressedFiles: Described {
  package static let table = Table<Self>(written: "files without compression") {
    Key("suffix", written: \.suffix, .text, "The suffix of their names.")
    Key("files", written: \.files, .count, "The number of files.")
    Key("size", written: \.size, .bytes, "The size of the files in bytes.")
    Key("stored", written: \.stored, .bytes, "The bytes of archives that the files take.")
    Key("uncompressed", written: \.uncompressed, .bytes, "The bytes in blocks without compression.")
    Key("reason", written: \.reason, .text, "The reason, if it is known.")
  }
}

extension LanguageFamily: Described {
  package static let table = Table<Self>(written: "packs for several languages") {
    Key("packs", written: \.name, .text, "The IDs of the packs, with '*' for the language.")
    Key("files", written: \.files, .count, "The number of different files.")
    Key(
      "languages", written: { Array(zip($0.languages, $0.counts)) }, .list(of: .object(language)),
      "The languages.")
    Key(
      "gaps", written: { family in family.gaps.map { (family, $0) } }, .list(of: .object(gap)),
      "The files that some languages lack.")
  }

  private static let language = Table<(LanguageTag, Int)>(written: "a language") {
    Key("language", written: \.0, .language, "The language.")
    Key("files", written: \.1, .count, "The number of its files.")
  }

  private static let gap = Table<(LanguageFamily, Gap)>(written: "a gap") {
    Key.path("path", written: \.1.path, "The path, with '*' for the language.")
    Key(
      "lacking", written: { family, gap in gap.lacking.map { family.languages[$0] } },
      .list(of: .language), "The languages that lack the file.")
  }
}

extension HistoryPoint: Described {
  package static let table = Table<Self>(written: "a release") {
    Key("name", written: \.name, .text, "The name of the release.")
    Key("hosted", written: \.hosted, .bytes, "The size of all archives in bytes.")
    Key(
      "firstLaunch", written: \.firstLaunch, .bytes,
      "The most that a device downloads before the app opens for the first time.")
    Key("update", written: \.update, .bytes, "The most that a device downloads for the update.")
  }
}

extension UpdateHistory: Described {
  package static let table = Table<Self>(written: "updates") {
    Key(
      "sizes", written: \.sizes, .word,
      "The origin of the sizes of packs: archives, estimates from today's archives, or estimates "
        + "from the kinds of files.")
    Key("notes", written: \.notes, .list(of: .text), "What the history omits.")
    Key(
      "devices", written: \.devices, .list(of: .object),
      "The sums for each kind of device with all packs installed, the largest first.")
    Key(
      "packs", written: \.packs, .list(of: .object),
      "The sums for each pack, the largest first.")
    Key("releases", written: \.updates, .list(of: .object), "The updates, the oldest first.")
  }
}

extension UpdateHistory.Bytes: Described {
  package static let table = Table<Self>(written: "the bytes of updates") {
    Key("downloaded", written: \.downloaded, .bytes, "The bytes of packs that were downloaded.")
    Key("changed", written: \.changed, .bytes, "The bytes of changed files among them.")
  }
}

extension UpdateHistory.DeviceSum: Described {
  package static let table = Table<Self>(written: "the updates of devices") {
    Key("platforms", written: \.platforms, .list(of: .word), "The platforms of the devices.")
    Key(
      "language", written: \.language, .nullable(.language),
      "The language; null for languages without separate packs.")
    Key(inlined: \.bytes, of: UpdateHistory.Bytes.table)
  }
}

extension UpdateHistory.PackSum: Described {
  package static let table = Table<Self>(written: "the updates of a pack") {
    Key("pack", written: \.id, .packID, "The ID of the pack.")
    Key("releases", written: \.releases, .count, "The number of releases with the pack.")
    Key("changes", written: \.changes, .count, "The number of updates that changed it.")
    Key("size", written: \.size, .bytes, "Its size in the last of these releases.")
    Key(inlined: \.bytes, of: UpdateHistory.Bytes.table)
  }
}

extension UpdateHistory.Update: Described {
  package static let table = Table<Self>(written: "an update") {
    Key("old", written: \.old, .text, "The name of the old release.")
    Key("new", written: \.new, .text, "The name of the new release.")
    Key("packs", written: \.packs, .list(of: .object(pack)), "The packs that devices download.")
  }

  private static let pack = Table<UpdateHistory.PackUpdate>(written: "a pack in an update") {
    Key("pack", written: \.id, .packID, "The ID of the pack.")
    Key(inlined: \.bytes, of: UpdateHistory.Bytes.table)
  }
}
