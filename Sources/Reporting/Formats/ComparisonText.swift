import BAPackKit
import SourceDiagnostics
import SystemIO
import TerminalText

/// A comparison as people read it in a terminal.
package struct ComparisonText {
  /// How many files of a pack are shown; nil for all.
  package var filesShown: Int?
  private let verdict: Verdict
  private var comparison: Comparison { verdict.comparison }

  /// Prepares the text of a verdict.
  package init(_ verdict: Verdict, filesShown: Int? = 20) {
    self.verdict = verdict
    self.filesShown = filesShown
  }

  /// The lines, packs first, then what they cost.
  package var lines: [String] {
    let width = min(
      40, comparison.changes.map { ColumnCount(shown($0.id.text)).columns }.max() ?? 0)
    var lines: [String] = []
    for change in comparison.changes { add(change, width, &lines) }
    let unchanged = comparison.unchanged.count
    if unchanged > 0 || comparison.isEmpty {
      lines.append("\(Quantity.count(unchanged, "pack")) unchanged")
    }
    return lines + costs + hints
  }

  // MARK: Packs

  private func add(_ change: PackChange, _ width: Int, _ lines: inout [String]) {
    let name = shown(change.id.text)
    let breaks = change.breaks.first { $0.breakage == .packRemoved }
    lines.append(
      Self.filled(name, width) + "  " + words(change)
        + (breaks.map { "   " + verdict.words(for: $0) } ?? ""))
    for attribute in change.attributes {
      let found = change.breaks.first { Self.key(of: $0.breakage) == attribute.key }
      lines.append(
        "    \(attribute.key)  \(Self.words(of: attribute.old)) -> \(Self.words(of: attribute.new))"
          + (found.map { "   " + verdict.words(for: $0) } ?? ""))
    }
    guard change.kind == .changed else { return }
    let files = change.files.prefix(filesShown ?? .max)
    let rows = files.map { (what: Self.word($0), name: Self.name($0), file: $0) }
    let widest = min(60, rows.map { ColumnCount($0.name).columns }.max() ?? 0)
    for row in rows {
      var line = "    " + Self.filled(row.what, 10) + Self.filled(row.name, widest)
      let sizes = Self.sizes(row.file.oldSize, row.file.newSize)
      if !sizes.isEmpty { line += "   " + sizes }
      if let found = found(row.file, in: change) { line += "   " + verdict.words(for: found) }
      lines.append(String(line.reversed().drop { $0 == " " }.reversed()))
    }
    let rest = change.files.count - files.count
    if rest > 0 {
      let breaking = change.files.dropFirst(files.count).count { $0.breakage != nil }
      lines.append(
        "    and \(Quantity.count(rest, "file")) more"
          + (breaking > 0 ? ", of which \(breaking) BREAK apps" : ""))
    }
  }

  private func found(_ file: FileChange, in change: PackChange) -> Break? {
    file.breakage.flatMap { breakage in
      (verdict.breaks + verdict.accepted.map(\.found)).first {
        $0.breakage == breakage && $0.path == file.brokenPath
      }
    }
  }

  private func words(_ change: PackChange) -> String {
    switch change.kind {
    case .added:
      return "new" + (change.new.flatMap(Self.size).map { ", \(Quantity.bytes($0))" } ?? "")
        + (change.new?.policy.map { ", \($0.name)" } ?? "")
    case .removed:
      return "removed" + (change.old.flatMap(Self.size).map { ", \(Quantity.bytes($0))" } ?? "")
    case .unknown: return "may have changed: the files of one side are not known"
    case .changed, .rewritten:
      var words: [String] = []
      let sizes = Self.sizes(change.old.flatMap(Self.size), change.new.flatMap(Self.size))
      if !sizes.isEmpty { words.append(sizes) }
      if change.kind == .rewritten {
        let settings =
          change.settings.isEmpty ? "encoded otherwise" : change.settings.joined(separator: ", ")
        words.append("the same files: \(settings)")
      }
      if change.isDownloadedAgain {
        words.append(
          change.downloadAgain.map { "players download \(Quantity.bytes($0)) again" }
            ?? "players download it again")
      }
      return words.joined(separator: "   ")
    }
  }

  /// The size of an archive, or of its files where it is not made yet.
  private static func size(_ pack: InventoryPack) -> UInt64? {
    pack.downloadSize ?? pack.unpackedSize
  }

  /// `1.1 -> 5.3 MB`, `1.1 MB` where it is the same, nothing where neither is known.
  static func sizes(_ old: UInt64?, _ new: UInt64?) -> String {
    switch (old.map(Quantity.bytes), new.map(Quantity.bytes)) {
    case (nil, nil): return ""
    case (let size?, nil), (nil, let size?): return size
    case (let before?, let now?):
      if before == now { return now }
      let unit = now.drop { $0 != " " }
      return (before.hasSuffix(unit) ? String(before.dropLast(unit.count)) : before) + " -> " + now
    }
  }

  private static func word(_ file: FileChange) -> String {
    switch file.kind {
    case .added: "added"
    case .removed: "removed"
    case .changed: "changed"
    case .renamed: "renamed"
    case .moved: "moved"
    case .unknown: "unknown"
    }
  }

  private static func name(_ file: FileChange) -> String {
    switch file.kind {
    case .renamed(let from): "\(FilePath(from).shown) -> \(file.shownPath)"
    case .moved(let pack): "\(file.shownPath) from \(shown(pack.text))"
    default: file.shownPath
    }
  }

  private static func key(of breakage: Breakage) -> String? {
    switch breakage {
    case .platformDropped: Manifest.key(of: \.platforms)
    case .languageDropped: Manifest.key(of: \.language)
    case .policyWeakened: Manifest.key(of: \.downloadPolicy)
    default: nil
    }
  }

  private static func words(of value: JSONValue) -> String {
    let text = value == .null ? "none" : shown(JSONWriter.string(value, .compact))
    return text.count > 60 ? text.prefix(57) + "…" : text
  }

  private static func filled(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - ColumnCount(text).columns))
  }

  // MARK: Costs

  private var costs: [String] {
    let costs = comparison.costs
    var lines: [String] = []
    if costs.isKnown, costs.isOldKnown, let usual = costs.rows.first {
      let update = Self.summed(costs.rows) { Quantity.bytes($0.wholeUpdate) }
      var words = "update: \(update)"
      let onDemand = costs.rows.map(\.updateOnDemand).max() ?? 0
      if onDemand > 0 {
        words += "; up to \(Quantity.bytes(onDemand)) of it are packs on demand"
      }
      let doubtful = comparison.changes.count { $0.kind == .unknown }
      if doubtful > 0 {
        words += ", and what of \(Quantity.count(doubtful, "pack")) may have changed"
      }
      if !comparison.isEmpty { lines.append(words) }
      lines.append(
        "first launch: "
          + Self.pair(costs.rows.map { ($0.oldFirstLaunch, $0.firstLaunch) }, usual.platform))
      lines.append(
        "first installation: "
          + Self.pair(costs.rows.map { ($0.oldInstall, $0.install) }, usual.platform))
    } else if !comparison.isEmpty {
      lines.append("update: not known: \(unknown)")
    }
    if let hosted = costs.hosted {
      var words =
        "hosted: " + (costs.oldHosted.map { Self.sizes($0, hosted) } ?? Quantity.bytes(hosted))
      if let unpacked = costs.unpacked, unpacked > hosted {
        words += "; compression saves \(Quantity.bytes(unpacked - hosted))"
      }
      lines.append(words)
    }
    if comparison.changes.contains(where: { $0.isDownloadedAgain }) {
      lines.append("(whole packs are downloaded again: nobody documents that less is)")
    }
    return lines
  }

  /// Why nobody can tell what players download.
  private var unknown: String {
    let packs = comparison.old.packs + comparison.new.packs
    return packs.contains { $0.policy == nil }
      ? "a list of digests does not say when packs are downloaded" : "not all packs are packed"
  }

  /// The value of most rows, and those that have another, by platform and language.
  private static func summed(
    _ rows: [UpdateCosts.Row], _ value: (UpdateCosts.Row) -> String
  ) -> String {
    let values = rows.map(value)
    guard let usual = values.first else { return "" }
    var groups: [(value: String, names: [String])] = []
    for (language, group) in Dictionary(grouping: rows.indices, by: { rows[$0].language })
      .sorted(by: { ($0.key?.description ?? "") < ($1.key?.description ?? "") })
    {
      let differing = group.filter { values[$0] != usual }
      if differing.isEmpty { continue }
      for (value, indices) in Dictionary(grouping: differing, by: { values[$0] })
        .sorted(by: { $0.key < $1.key })
      {
        let all = indices.count == Platform.allCases.count
        let names =
          (all ? [] : indices.map { rows[$0].platform.rawValue })
          + [language?.description].compactMap { $0 }
        groups.append((value, [names.joined(separator: ", ")]))
      }
    }
    if groups.isEmpty { return usual }
    return usual + " (" + groups.map { "\($0.names.joined()): \($0.value)" }.joined(separator: "; ")
      + ")"
  }

  /// The largest before and now.
  private static func pair(_ sizes: [(old: UInt64, new: UInt64)], _ platform: Platform) -> String {
    let (old, new) = (sizes.map(\.old).max() ?? 0, sizes.map(\.new).max() ?? 0)
    return old == new ? "\(Quantity.bytes(new)), unchanged" : Self.sizes(old, new)
  }

  private var hints: [String] {
    verdict.hints.map { hint in
      let name = FilePath(FilePath(hint.largest).name.bytes).shown
      let what =
        hint.files == 1
        ? "\(name) in a pack of its own"
        : "\(name) and \(Quantity.count(hint.files - 1, "other changed file")) in a pack of their own"
      return "hint: \(what) would have made this update \(Quantity.bytes(hint.instead))"
    }
  }
}
