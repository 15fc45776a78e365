import BAPackKit
import BlockSharing
import SourceDiagnostics
import SystemIO
import TerminalText

/// The output of `pack`.
struct PackReport {
  private let console: Console
  private let format: ReportFormat

  init(_ console: Console, format: ReportFormat) {
    self.console = console
    self.format = format
  }

  /// Reports an archive that was written: a summary on standard error, and the digest or a JSON
  /// object on standard output.
  func summary(_ summary: PackSummary) {
    let digest = summary.sha256.map(hexadecimal)
    switch format {
    case .text:
      if let digest { console.result(checksumLine(digest, summary.path.text)) }
    case .json:
      var result = PackResult(summary.path.text, summary.assetPackID)
      result.files = summary.fileCount
      result.contentBytes = summary.contentBytes
      result.archiveBytes = summary.archiveBytes
      result.blocks = summary.blockCount
      result.storedBlocks = summary.storedBlockCount
      result.seconds = summary.seconds
      result.cacheHits = summary.cacheUse?.hits
      result.cacheMisses = summary.cacheUse?.misses
      result.sha256 = summary.sha256
      write(result)
    }
    console.summary(
      "\(summary.path.text): \(Quantity.count(summary.fileCount, "file")), "
        + "\(Quantity.bytes(summary.contentBytes)) in, \(Quantity.bytes(summary.archiveBytes)) out"
        + "\(share(summary.archiveBytes, of: summary.contentBytes)), \(reuse(summary))"
        + Quantity.seconds(summary.seconds))
  }

  /// Reports the totals of all archives.
  func total(_ summaries: [PackSummary], _ time: Duration) {
    let content = summaries.lazy.map(\.contentBytes).reduce(UInt64(0)) { $0.addingSaturated($1) }
    let archives = summaries.lazy.map(\.archiveBytes).reduce(UInt64(0)) { $0.addingSaturated($1) }
    console.summary(
      "\(Quantity.count(summaries.count, "pack")): "
        + "\(Quantity.count(summaries.reduce(0) { $0 + $1.fileCount }, "file")), "
        + "\(Quantity.bytes(content)) in, \(Quantity.bytes(archives)) out"
        + "\(share(archives, of: content)), \(Quantity.seconds(time / .seconds(1)))")
  }

  /// Adds a table of the archives that were written to the summary of a CI step.
  func addStepSummary(_ summaries: [PackSummary], unchanged: Int) {
    guard !summaries.isEmpty else { return }
    let sizes = summaries.map(\.archiveBytes).saturatedSum
    StepSummary.add(
      "Asset packs", ["Pack", "Files", "Size", "Archive"],
      summaries.map { summary in
        [
          summary.assetPackID, Quantity.grouped(summary.fileCount),
          Quantity.bytes(summary.contentBytes), Quantity.bytes(summary.archiveBytes),
        ]
      },
      "\(Quantity.count(summaries.count, "pack")), \(Quantity.bytes(sizes))"
        + (unchanged > 0 ? "; \(unchanged) unchanged" : ""), console)
  }

  /// Reports the use of the caches, for programs; others get it with each archive.
  func cache(_ caches: OpenCaches, _ shared: SharedCache.Report?, of made: [PackSummary]) {
    guard format == .json, caches.folder != nil || caches.server != nil else { return }
    let result = PackCacheResult(
      hits: made.reduce(0) { $0 + ($1.cacheUse?.hits ?? 0) },
      misses: made.reduce(0) { $0 + ($1.cacheUse?.misses ?? 0) }, caches: caches, shared: shared)
    console.result(json: result)
  }

  /// Reports an unchanged archive.
  func unchanged(_ updateCheck: UpdateCheck, printingDigest: Bool) {
    guard let record = updateCheck.record else { return }
    let digest = printingDigest ? hexadecimal(record.sha256) : nil
    switch format {
    case .text:
      if let digest { console.result(checksumLine(digest, updateCheck.archive)) }
    case .json:
      var result = PackResult(updateCheck.archive, updateCheck.assetPackID)
      result.files = record.fileCount
      result.contentBytes = record.contentBytes
      result.archiveBytes = record.output.size
      result.blocks = record.blockCount
      result.storedBlocks = record.storedBlockCount
      result.isUnchanged = true
      result.sha256 = printingDigest ? record.sha256 : nil
      write(result)
    }
    console.detail("\(updateCheck.archive): unchanged")
  }

  /// Reports the archives to write and the reasons; returns whether there are none.
  func check(_ updateChecks: [UpdateCheck]) -> Bool {
    for updateCheck in updateChecks {
      if format == .json {
        var result = PackResult(updateCheck.archive, updateCheck.assetPackID)
        result.isUnchanged = updateCheck.isUnchanged
        result.reason = updateCheck.reason?.description
        write(result)
      }
      if let reason = updateCheck.reason {
        console.finding(
          text: shown("\(updateCheck.archive): would be written because \(reason)") + "\n")
      } else {
        console.detail("\(updateCheck.archive): unchanged")
      }
    }
    console.summary(counts(updateChecks, "to pack"))
    return updateChecks.allSatisfy(\.isUnchanged)
  }

  /// Lists packs in a folder whose manifests have other IDs now.
  func renamed(_ names: [String], in folder: String) {
    let isOne = names.count == 1
    console.summary(
      "In '\(folder)' \(Quantity.count(names.count, "pack")) \(isOne ? "has" : "have") no manifest "
        + "(\(StaleArchives.list(names))): remove \(isOne ? "it" : "them") so that "
        + "\(isOne ? "it is" : "they are") not published with the others")
  }

  /// Lists packs in a folder that none of the given manifests creates, and whose manifest no record
  /// proves.
  func unrecorded(_ names: [String], in folder: String) {
    let isOne = names.count == 1
    let list = StaleArchives.list(names)
    console.summary(
      "In '\(folder)' \(Quantity.count(names.count, "pack")) \(isOne ? "is" : "are") not written "
        + "by these manifests (\(list)): if \(isOne ? "its manifest was" : "their manifests were") "
        + "removed or renamed, remove \(isOne ? "the pack" : "the packs") so that "
        + "\(isOne ? "it is" : "they are") not published with the others")
  }

  /// Returns the last line of an update.
  func counts(_ updateChecks: [UpdateCheck], _ word: String, failures: Int = 0) -> String {
    let unchanged = updateChecks.count(where: \.isUnchanged)
    return "\(updateChecks.count - unchanged - failures) \(word), \(unchanged) unchanged"
      + (failures > 0 ? ", \(failures) failed" : "")
  }

  /// Returns a line in the form of `sha256sum`.
  ///
  /// If the name has a line end or a backslash, it is escaped, and the line begins with a
  /// backslash.
  private func checksumLine(_ digest: String, _ path: String) -> String {
    let escapes: [UnicodeScalar: String] = ["\\": "\\\\", "\n": "\\n", "\r": "\\r"]
    guard path.unicodeScalars.contains(where: { escapes[$0] != nil }) else {
      return "\(digest)  \(path)"
    }
    let escaped = path.unicodeScalars.map { escapes[$0] ?? String($0) }.joined()
    return "\\\(digest)  \(escaped)"
  }

  /// Prints a plan: a line about the pack, and one for each entry.
  func plan(_ plan: PackPlan, at path: String) {
    switch format {
    case .json:
      var result = PackResult(path, plan.manifest.assetPackID)
      result.files = plan.selection.fileCount
      result.contentBytes = plan.selection.totalSize
      result.entries = Array(plan.selection)
      write(result)
    case .text:
      console.result(
        "\(shown(path)): \(Quantity.count(plan.selection.fileCount, "file")), "
          + Quantity.bytes(plan.selection.totalSize))
      for entry in plan.selection {
        guard entry.kind == .file else {
          console.result("  \(entry.destination.text)/")
          continue
        }
        let source = entry.source.flatMap { $0 == entry.destination ? nil : " <- \($0.text)" } ?? ""
        console.result("  \(entry.destination.text)\(source)  (\(Quantity.bytes(entry.size)))")
      }
    }
  }

  private func write(_ result: PackResult) {
    console.result(json: result)
  }

  private func reuse(_ summary: PackSummary) -> String {
    guard let use = summary.cacheUse else { return "" }
    return "\(use.hits) of \(Quantity.count(use.hits + use.misses, "block")) from the cache, "
  }

  /// Returns a percentage; none for an archive that is larger than its few files.
  private func share(_ part: UInt64, of whole: UInt64) -> String {
    guard whole > 0, part <= whole else { return "" }
    let tenths = Int((Double(part) / Double(whole) * 1000).rounded())
    return " (\(tenths / 10).\(tenths % 10) %)"
  }
}

/// A line of the result for programs: an archive that was or would be written, or is unchanged.
struct PackResult: Described {
  let path: String
  let id: String
  var files: Int?
  var contentBytes: UInt64?
  var archiveBytes: UInt64?
  var blocks: Int?
  var storedBlocks: Int?
  var seconds: Double?
  var cacheHits: Int?
  var cacheMisses: Int?
  var isUnchanged: Bool?
  var reason: String?
  var sha256: [UInt8]?
  var entries: [Selection.Entry]?

  init(_ path: String, _ id: String) {
    self.path = path
    self.id = id
  }

  static let table = Table<Self>(written: "an archive") {
    Key("path", written: \.path, .text, "The path of the archive.")
    Key(Manifest.key(of: \.assetPackID), written: \.id, .text, "The ID of the pack.")
    Key("files", written: \.files, .count, "The number of files.")
    Key("contentBytes", written: \.contentBytes, .bytes, "The size of the files in bytes.")
    Key("archiveBytes", written: \.archiveBytes, .bytes, "The size of the archive in bytes.")
    Key("blocks", written: \.blocks, .count, "The number of blocks.")
    Key(
      "storedBlocks", written: \.storedBlocks, .count, "The number of blocks without compression.")
    Key("seconds", written: \.seconds, .number(digits: thousandths), "The duration in seconds.")
    Key("cacheHits", written: \.cacheHits, .count, "The number of blocks from the cache.")
    Key(
      "cacheMisses", written: \.cacheMisses, .count,
      "The number of blocks that were not in the cache.")
    Key(
      "unchanged", written: \.isUnchanged, .flag,
      "Whether the archive is up to date, with '--update'.")
    Key("reason", written: \.reason, .text, "The reason why the archive is not up to date.")
    Key("sha256", written: \.sha256, .sha256, "The SHA-256 digest of the archive.")
    Key("entries", written: \.entries, .list(of: .object(entry)), "The planned entries.")
  }

  private static let entry = Table<Selection.Entry>(written: "an entry") {
    Key("path", written: { $0.destination.text }, .text, "The path in the pack.")
    Key(
      "type", written: { $0.kind == .file ? "file" : "directory" }, .text,
      "The type: 'file' or 'directory'.")
    Key("source", written: { $0.source?.text }, .text, "The path below the source root.")
    Key("size", written: { $0.kind == .file ? $0.size : nil }, .bytes, "The size in bytes.")
    Key("selector", written: \.selector, .count, "The index of the selector.")
  }

  @Sendable private static func thousandths(_ seconds: Double) -> String {
    let count = Int((seconds * 1000).rounded())
    let digits = String(count % 1000)
    return "\(count / 1000)." + String(repeating: "0", count: 3 - digits.count) + digits
  }
}

/// The last line of the result for programs: the use of the caches.
struct PackCacheResult: Described {
  let hits: Int
  let misses: Int
  let caches: OpenCaches
  let shared: SharedCache.Report?

  static let table = Table<Self>(written: "the use of caches") {
    Key("cache", written: \.self, .object(use), "The use of the caches of compressed blocks.")
  }

  private static let use = Table<Self>(written: "a use of caches") {
    Key("hits", written: \.hits, .count, "The number of blocks from a cache.")
    Key("misses", written: \.misses, .count, "The number of blocks that were not in a cache.")
    Key("folder", written: \.caches.folder, .object(folder), "The folder, if one is used.")
    Key(
      "server", written: { $0.shared == nil ? nil : $0 }, .object(server),
      "The shared server, if one is used.")
  }

  private static let folder = Table<BlockCache>(written: "a cache folder") {
    Key("path", written: \.path, .text, "The path of the folder.")
    Key("limit", written: \.limit, .bytes, "The size limit in bytes.")
    Key(
      "neededLimit", written: \.neededLimit, .bytes,
      "The limit that all blocks of this run need, if the limit was too small.")
    Key("error", written: \.firstError?.message, .text, "The first failure, if there was one.")
  }

  private static let server = Table<Self>(written: "a shared cache") {
    Key("url", written: { $0.caches.server?.address.description }, .text, "The address.")
    Key("found", written: \.shared?.found, .count, "The number of blocks from the server.")
    Key("missed", written: \.shared?.missed, .count, "The number of blocks that it did not have.")
    Key(
      "notRequested", written: \.shared?.unasked, .count,
      "The number of blocks that were not requested, because the server was slow or failed.")
    Key("invalid", written: \.shared?.wrong, .count, "The number of responses with other data.")
    Key("added", written: \.shared?.added, .count, "The number of blocks that were sent.")
    Key("notAdded", written: \.shared?.unsent, .count, "The number of blocks that were not sent.")
    Key("error", written: \.shared?.trouble, .text, "The first failure, if there was one.")
  }
}
