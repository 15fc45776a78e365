import BAPackKit
import SourceDiagnostics
import SystemIO
import TerminalText

/// A comparison as text for a terminal.
package struct ComparisonText {
  /// The maximum number of files that are shown for each pack; nil for all.
  package var filesShown: Int?
  private let verdict: Verdict
  /// The breaks, accepted or not.
  private let found: [BrokenPath: Break]
  private var comparison: Comparison { verdict.comparison }

  package init(_ verdict: Verdict, filesShown: Int? = 20) {
    self.verdict = verdict
    self.filesShown = filesShown
    let all = verdict.breaks + verdict.accepted.map(\.found)
    found = Dictionary(all.map { (BrokenPath($0), $0) }) { first, _ in first }
  }

  /// The lines: the channel, the packs, then their costs.
  package var lines: [String] {
    let width = min(
      40, comparison.changes.map { ColumnCount(shown($0.id.text)).columns }.max() ?? 0)
    var lines = verdict.channel.map { ["channel \($0):"] } ?? []
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
      name.padded(to: width) + "  " + phrase(change)
        + (breaks.map { "   " + verdict.phrase(for: $0) } ?? ""))
    for attribute in change.attributes {
      let found = Self.onlyBreak(of: attribute.key, in: change)
      lines.append(
        "    \(attribute.key)  \(Self.phrase(of: attribute.old)) -> "
          + Self.phrase(of: attribute.new)
          + (found.map { "   " + verdict.phrase(for: $0) } ?? ""))
    }
    addOthers(change, &lines)
    // For a new, removed or rewritten pack, only the files that break apps are listed.
    let listed =
      change.kind == .changed ? change.files : change.files.filter { $0.breakage != nil }
    let files = listed.prefix(filesShown ?? .max)
    let rows = files.map { (what: Self.word($0), name: Self.name($0), file: $0) }
    let widest = min(60, rows.map { ColumnCount($0.name).columns }.max() ?? 0)
    for row in rows {
      var line = "    " + row.what.padded(to: 10) + row.name.padded(to: widest)
      let sizes = Self.sizes(row.file.oldSize, row.file.newSize)
      if !sizes.isEmpty { line += "   " + sizes }
      if let found = found(row.file, in: change) { line += "   " + verdict.phrase(for: found) }
      lines.append(line.droppingTrailing(" "))
    }
    let rest = listed.count - files.count
    if rest > 0 {
      let breaking = listed.dropFirst(files.count).count { $0.breakage != nil }
      lines.append(
        "    and \(Quantity.count(rest, "file")) more"
          + (breaking > 0 ? ", of which \(breaking) BREAK apps" : ""))
    }
  }

  /// Adds the breaks that neither a changed file nor a changed attribute shows.
  private func addOthers(_ change: PackChange, _ lines: inout [String]) {
    let others = change.breaks.filter { found in
      guard found.pack == change.id else { return true }
      if found.breakage == .packRemoved { return false }
      return !change.attributes.contains { Self.onlyBreak(of: $0.key, in: change) == found }
    }
    for found in others.prefix(filesShown ?? .max) {
      let subject = found.path?.shown ?? shown(found.pack.text)
      let what = found.what.map { " (\(shown($0)))" } ?? ""
      lines.append("    \(subject)\(what)   \(verdict.phrase(for: found))")
    }
    let rest = others.count - min(others.count, filesShown ?? .max)
    if rest > 0 { lines.append("    and \(Quantity.count(rest, "path")) more that BREAK apps") }
  }

  /// Returns the break that an attribute causes; nil if there is none, or more than one.
  private static func onlyBreak(of key: String, in change: PackChange) -> Break? {
    let breaks = change.breaks.filter {
      $0.pack == change.id && Self.key(of: $0.breakage) == key
    }
    return breaks.count == 1 ? breaks[0] : nil
  }

  private func found(_ file: FileChange, in change: PackChange) -> Break? {
    file.breakage.flatMap { found[BrokenPath(breakage: $0, path: file.brokenPath)] }
  }

  private func phrase(_ change: PackChange) -> String {
    switch change.kind {
    case .added:
      return "new" + (change.new.flatMap(Self.size).map { ", \(Quantity.bytes($0))" } ?? "")
        + (change.new?.policy.map { ", \($0.name)" } ?? "")
    case .removed:
      return "removed" + (change.old.flatMap(Self.size).map { ", \(Quantity.bytes($0))" } ?? "")
    case .unknown:
      return change.isWhole
        ? "may have changed: the SHA-256 digest of an archive is unknown"
        : "may have changed: the files of one release are unknown"
    case .changed, .rewritten:
      var parts: [String] = []
      let sizes = Self.sizes(change.old.flatMap(Self.size), change.new.flatMap(Self.size))
      if !sizes.isEmpty { parts.append(sizes) }
      if change.kind == .rewritten {
        parts.append("the same files: \(change.rewriting)")
      }
      if change.isDownloadedAgain {
        parts.append(
          change.downloadAgain.map { "devices download \(Quantity.bytes($0)) again" }
            ?? "devices download it again")
      }
      return parts.joined(separator: "   ")
    }
  }

  /// Returns the size of the archive, or of the files if it does not exist yet.
  private static func size(_ pack: InventoryPack) -> UInt64? {
    pack.downloadSize ?? pack.unpackedSize
  }

  /// Returns `1.1 -> 5.3 MB`, `1.1 MB` if both are equal, or an empty text if both are unknown.
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
    case .renamed(let from): "\(from.shown) -> \(file.path.shown)"
    case .moved(let pack): "\(file.path.shown) from \(shown(pack.text))"
    default: file.path.shown
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

  private static func phrase(of value: JSONValue) -> String {
    let text = value == .null ? "none" : shown(JSONWriter.string(value, .compact))
    return text.count > 60 ? text.prefix(57) + "…" : text
  }

  // MARK: Costs

  private var costs: [String] {
    let costs = comparison.costs
    var lines: [String] = []
    if comparison.old.isMissing {
      lines.append("update: none, this is the first release")
    } else if !comparison.isEmpty {
      lines += updates
    }
    if costs.isKnown, costs.isOldKnown {
      lines.append("first launch: " + pair(\.oldFirstLaunch, \.firstLaunch))
      lines.append("first installation: " + pair(\.oldInstall, \.install))
    }
    if let hosted = costs.hosted {
      var phrase =
        "hosted: " + Self.sizes(comparison.old.isMissing ? nil : costs.oldHosted, hosted)
      if let unpacked = costs.unpacked, unpacked > hosted {
        phrase += "; compression saves \(Quantity.bytes(unpacked - hosted))"
      }
      lines.append(phrase)
    }
    if comparison.changes.contains(where: { $0.isDownloadedAgain }) {
      lines.append("(devices download whole packs; partial updates are undocumented)")
    }
    return lines
  }

  /// The largest update and its devices, then the other updates.
  private var updates: [String] {
    let costs = comparison.costs
    guard costs.isKnown, costs.isOldKnown else { return ["update: unknown: \(unknown)"] }
    let groups = costs.groups { Quantity.bytes($0.wholeUpdate) }
    guard let worst = groups.first else { return [] }
    var phrase = "update: \(worst.value)" + (worst.players.map { " (\($0))" } ?? "")
    let onDemand = worst.rows.map(\.updateOnDemand).max() ?? 0
    if onDemand > 0 {
      phrase += "; up to \(Quantity.bytes(onDemand)) of it on demand"
    }
    let doubtful = comparison.changes.count { $0.kind == .unknown }
    if doubtful > 0 {
      phrase += ", plus \(Quantity.count(doubtful, "pack")) that may have changed"
    }
    let others = groups.dropFirst().prefix(Self.mostUpdates)
    let width = others.map(\.value.count).max() ?? 0
    let rest = groups.count - 1 - others.count
    return [phrase] + others.map { "    \($0.value.padded(to: width))  \($0.players ?? "all")" }
      + (rest > 0 ? ["    and \(Quantity.count(rest, "smaller update"))"] : [])
  }

  /// The maximum number of shown updates that are smaller than the largest.
  private static let mostUpdates = 6

  /// The reason why the downloads are unknown.
  private var unknown: String {
    let packs = comparison.old.packs + comparison.new.packs
    return packs.contains { $0.policy == nil }
      ? "a list of digests contains no download policies" : "some packs are not packed yet"
  }

  /// Returns the old and new maximum.
  private func pair(
    _ before: (UpdateCosts.Row) -> UInt64, _ now: (UpdateCosts.Row) -> UInt64
  ) -> String {
    let rows = comparison.costs.rows
    let (old, new) = (rows.map(before).max() ?? 0, rows.map(now).max() ?? 0)
    if comparison.old.isMissing { return Quantity.bytes(new) }
    return old == new ? "\(Quantity.bytes(new)), unchanged" : Self.sizes(old, new)
  }

  private var hints: [String] {
    verdict.hints.map { "hint: " + $0.phrase(naming: { $0 }) }
  }
}
