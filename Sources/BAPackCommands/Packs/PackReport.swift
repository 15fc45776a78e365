import BAPackKit
import SourceDiagnostics
import SystemIO
import TerminalText

/// What `pack` prints about its work.
struct PackReport {
  private let console: Console
  private let format: ReportFormat

  init(_ console: Console, format: ReportFormat) {
    self.console = console
    self.format = format
  }

  /// The result of a plan: a line for people on standard error, the rest on standard output.
  func summary(_ summary: PackSummary) {
    let digest = summary.sha256.map(hexadecimal)
    switch format {
    case .text:
      if let digest { console.result(checksumLine(digest, summary.path.text)) }
    case .json:
      var members = facts(
        summary.path.text, summary.assetPackID, files: summary.fileCount, summary.contentBytes)
      members += [
        .init("archiveBytes", .number("\(summary.archiveBytes)")),
        .init("blocks", .number("\(summary.blockCount)")),
        .init("storedBlocks", .number("\(summary.storedBlockCount)")),
        .init("seconds", .number(thousandths(summary.seconds))),
      ]
      if let use = summary.cacheUse {
        members.append(.init("cacheHits", .number("\(use.hits)")))
        members.append(.init("cacheMisses", .number("\(use.misses)")))
      }
      if let digest { members.append(.init("sha256", .string(digest))) }
      console.result(JSONWriter.string(.object(members), .compact))
    }
    console.summary(
      "\(summary.path.text): \(Quantity.count(summary.fileCount, "file")), "
        + "\(Quantity.bytes(summary.contentBytes)) in, \(Quantity.bytes(summary.archiveBytes)) out"
        + "\(share(summary.archiveBytes, of: summary.contentBytes)), \(reuse(summary))"
        + Quantity.seconds(summary.seconds))
  }

  /// What all archives took together.
  func total(_ summaries: [PackSummary], _ time: Duration) {
    let content = summaries.lazy.map(\.contentBytes).reduce(UInt64(0)) { $0.addingSaturated($1) }
    let archives = summaries.lazy.map(\.archiveBytes).reduce(UInt64(0)) { $0.addingSaturated($1) }
    console.summary(
      "\(Quantity.count(summaries.count, "pack")): "
        + "\(Quantity.count(summaries.reduce(0) { $0 + $1.fileCount }, "file")), "
        + "\(Quantity.bytes(content)) in, \(Quantity.bytes(archives)) out"
        + "\(share(archives, of: content)), \(Quantity.seconds(time / .seconds(1)))")
  }

  /// An archive that stays as it is.
  func unchanged(_ updateCheck: UpdateCheck, printingDigest: Bool) {
    guard let record = updateCheck.record else { return }
    let digest = printingDigest ? hexadecimal(record.sha256) : nil
    switch format {
    case .text:
      if let digest { console.result(checksumLine(digest, updateCheck.archive)) }
    case .json:
      var members = facts(
        updateCheck.archive, updateCheck.assetPackID, files: record.fileCount, record.contentBytes)
      members += [
        .init("archiveBytes", .number("\(record.output.size)")),
        .init("blocks", .number("\(record.blockCount)")),
        .init("storedBlocks", .number("\(record.storedBlockCount)")),
        .init("unchanged", .bool(true)),
      ]
      if let digest { members.append(.init("sha256", .string(digest))) }
      console.result(JSONWriter.string(.object(members), .compact))
    }
    console.detail("\(updateCheck.archive): unchanged")
  }

  /// Says which archives would be made and why; returns whether there is none.
  func check(_ updateChecks: [UpdateCheck]) -> Bool {
    for updateCheck in updateChecks {
      if format == .json {
        var members: [JSONValue.Member] = [
          .init("path", .string(updateCheck.archive)),
          .init(Manifest.key(of: \.assetPackID), .string(updateCheck.assetPackID)),
          .init("unchanged", .bool(updateCheck.isUnchanged)),
        ]
        if let reason = updateCheck.reason {
          members.append(.init("reason", .string(reason.description)))
        }
        console.result(JSONWriter.string(.object(members), .compact))
      }
      if let reason = updateCheck.reason {
        console.finding(
          text: shown("\(updateCheck.archive): would be made because \(reason)") + "\n")
      } else {
        console.detail("\(updateCheck.archive): unchanged")
      }
    }
    console.summary(counts(updateChecks, "to pack"))
    return updateChecks.allSatisfy(\.isUnchanged)
  }

  /// Names the packs in a folder that no manifest makes any more; `run` is the project that the folder
  /// belongs to, if it does.
  func stale(_ names: [String], in folder: String, of run: ProjectRun?) {
    let (most, isOne) = (5, names.count == 1)
    let list = names.prefix(most).joined(separator: ", ") + (names.count > most ? ", …" : "")
    let project = run?.place.flatMap { $0.isNamed ? " --project \($0.path)" : nil } ?? ""
    let (it, them) = isOne ? ("it is", "it") : ("they are", "them")
    console.summary(
      "In '\(folder)' \(Quantity.count(names.count, "pack")) \(isOne ? "has" : "have") no manifest "
        + "any more (\(list)): "
        + (run == nil
          ? "remove \(them), or \(it) served and uploaded with the others"
          : "'ba-package clean --stale\(project)' removes \(them)"))
  }

  /// Names packs in a folder that none of the given manifests makes, and of which no record proves where
  /// they come from.
  func unrecorded(_ names: [String], in folder: String) {
    let (most, isOne) = (5, names.count == 1)
    let list = names.prefix(most).joined(separator: ", ") + (names.count > most ? ", …" : "")
    console.summary(
      "In '\(folder)' \(Quantity.count(names.count, "pack")) \(isOne ? "is" : "are") not made by "
        + "these manifests (\(list)): if \(isOne ? "its manifest was" : "their manifests were") removed or "
        + "renamed, remove \(isOne ? "the pack" : "the packs"), or \(isOne ? "it is" : "they are") served "
        + "and uploaded with the others")
  }

  /// The last line of an update.
  func counts(_ updateChecks: [UpdateCheck], _ word: String, failures: Int = 0) -> String {
    let unchanged = updateChecks.count(where: \.isUnchanged)
    return "\(updateChecks.count - unchanged - failures) \(word), \(unchanged) unchanged"
      + (failures > 0 ? ", \(failures) failed" : "")
  }

  /// A line in the form of `sha256sum`.
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

  /// What a plan would write: a line about the pack, and one for each entry.
  func plan(_ plan: PackPlan, at path: String) {
    switch format {
    case .json:
      var members = facts(
        path, plan.manifest.assetPackID, files: plan.selection.fileCount,
        plan.selection.totalSize)
      members.append(.init("entries", .array(plan.selection.map(entry))))
      console.result(JSONWriter.string(.object(members), .compact))
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

  private func facts(
    _ path: String, _ id: String, files: Int, _ bytes: UInt64
  ) -> [JSONValue.Member] {
    [
      .init("path", .string(path)), .init(Manifest.key(of: \.assetPackID), .string(id)),
      .init("files", .number("\(files)")), .init("contentBytes", .number("\(bytes)")),
    ]
  }

  private func entry(_ entry: Selection.Entry) -> JSONValue {
    var members: [JSONValue.Member] = [
      .init("path", .string(entry.destination.text)),
      .init("type", .string(entry.kind == .file ? "file" : "directory")),
    ]
    if let source = entry.source { members.append(.init("source", .string(source.text))) }
    if entry.kind == .file { members.append(.init("size", .number("\(entry.size)"))) }
    if let selector = entry.selector {
      members.append(.init("selector", .number("\(selector)")))
    }
    return .object(members)
  }

  private func reuse(_ summary: PackSummary) -> String {
    guard let use = summary.cacheUse else { return "" }
    return "\(use.hits) of \(Quantity.count(use.hits + use.misses, "block")) from the cache, "
  }

  private func share(_ part: UInt64, of whole: UInt64) -> String {
    guard whole > 0 else { return "" }
    let tenths = Int((Double(part) / Double(whole) * 1000).rounded())
    return " (\(tenths / 10).\(tenths % 10) %)"
  }

  private func thousandths(_ seconds: Double) -> String {
    let count = Int((seconds * 1000).rounded())
    let digits = String(count % 1000)
    return "\(count / 1000)." + String(repeating: "0", count: 3 - digits.count) + digits
  }
}
