import Arguments
import BAPackKit
import Proposing
import SystemIO
import TerminalText

/// A proposal as text for the user.
struct ProposalText {
  private let proposal: Proposal
  private let layout: ProjectLayout
  /// Whether the user chose the primary language.
  private let isChosen: Bool

  init(_ proposal: Proposal, _ layout: ProjectLayout, isChosen: Bool) {
    self.proposal = proposal
    self.layout = layout
    self.isChosen = isChosen
  }

  /// Returns the lines, wrapped to a number of columns.
  func text(columns: Int) -> String {
    let width = max(40, columns)
    let advice = sentences(of: proposal.project.advice)
    let paragraphs =
      [place] + advice + [languages] + sentences(of: proposal.notes) + [costs, explanation]
    let lines =
      wrap(header, to: width) + [""] + table(width) + [""]
      + paragraphs.compactMap(\.self).flatMap { wrap($0, to: width) }
    return lines.joined(separator: "\n") + "\n"
  }
}

// MARK: - Sentences

extension ProposalText {
  /// The project and the size of its assets.
  private var header: String {
    let project = proposal.project
    let version = project.version.map { " " + $0 } ?? ""
    let kind = project.engine.map { "\($0.article) \($0.name)\(version) project" }
    let marker = project.marker.map { " (\($0))" } ?? ""
    let count =
      proposal.packs.map(\.count).reduce(0, +)
      + proposal.leftOut.map(\.count).reduce(0, +)
    let bytes = (proposal.packs.map(\.bytes) + proposal.leftOut.map(\.bytes)).saturatedSum
    let root = layout.sourceRoot.components.isEmpty ? "" : " in '\(layout.sourceRoot)'"
    return shown(
      "Found \(kind ?? "a folder of files")\(marker). Assets: \(Quantity.count(count, "file")), "
        + "\(Quantity.bytes(bytes))\(root).")
  }

  /// The folder of the project, unless it is the current folder.
  private var place: String? {
    layout.projectFolder == "."
      ? nil : "The project file belongs to the folder '\(layout.projectFolder)'."
  }

  private func sentences(of notes: [Reason]) -> [String] {
    notes.map { note in
      shown(note.text.prefix(1).uppercased() + note.text.dropFirst() + ".")
        + hints(for: note.rule.id.name).map { " " + $0 }.joined()
    }
  }

  /// Returns the options about a note, by the ID of its rule.
  private func hints(for rule: String) -> [String] {
    switch rule {
    case "init.localized":
      (proposal.project.oldestSystem == nil
        ? ["'--oldest-os' states the oldest system version of the app."] : [])
        + ["With '--no-localized', the app chooses the packs of languages."]
    case "init.script": ["'--include' packs files, such as '*.lua'."]
    case "init.core": ["'--essential-limit' sets it."]
    case _: []
    }
  }

  private var languages: String? {
    guard let language = proposal.primaryLanguage else { return nil }
    let origin = proposal.primaryLanguageOrigin.map { " (\($0))" } ?? ""
    let isGuess =
      !isChosen && proposal.project.primaryLanguage == nil && proposal.languages.count > 1
    return shown("Primary language: \(language)\(origin).")
      + (isGuess ? " '--primary-language' sets another one." : "")
  }

  /// The downloads of devices; a range if they differ.
  private var costs: String? {
    let costs = proposal.deviceCosts
    guard let most = costs.max(by: { $0.beforeLaunch < $1.beforeLaunch }),
      let least = costs.min(by: { $0.beforeLaunch < $1.beforeLaunch })
    else { return nil }
    let first =
      Quantity.bytes(most.beforeLaunch) == Quantity.bytes(least.beforeLaunch)
      ? Quantity.bytes(most.beforeLaunch)
      : "\(Quantity.bytes(least.beforeLaunch))\(least.device) to "
        + "\(Quantity.bytes(most.beforeLaunch))\(most.device)"
    let totals = costs.map(\.total).sorted()
    let all =
      Set([totals.first, totals.last].compactMap { $0.map(Quantity.bytes) }).count == 1
      ? Quantity.bytes(totals[0])
      : "\(Quantity.bytes(totals[0])) to \(Quantity.bytes(totals[totals.count - 1]))"
    return "Before the first launch a device downloads \(first). All packs of a device: \(all). "
      + "(* estimated from a sample)"
  }

  /// The command that describes a rule of the proposal.
  private var explanation: String? {
    let rules = proposal.packs.flatMap { $0.reasons.map(\.rule.id.name) }
    let example = proposal.packs.first { $0.manifest.language != nil }?.reasons.first?.rule.id.name
    return (example ?? rules.first).map { "'ba-package explain \($0)' explains a decision." }
  }
}

extension DeviceCost {
  /// The kind of device in parentheses: " (iOS, de)"; empty for all devices.
  fileprivate var device: String {
    let parts = [platform?.rawValue, language?.description].compactMap(\.self)
    return parts.isEmpty ? "" : " (\(parts.joined(separator: ", ")))"
  }
}

// MARK: - The table

extension ProposalText {
  private struct Row {
    var cells: [String]
    var why: String
  }

  /// The maximum number of rows for files that are left out.
  private static let mostLeftOut = 6
  /// The maximum width of a name that does not move its row to the right.
  private static let widestName = 24
  /// The minimum width of the reasons next to the other columns.
  private static let narrowestReason = 20

  private static let alignments: [ColumnAlignment] = [.left, .left, .right, .right, .right]

  /// Returns the table with wrapped reasons.
  private func table(_ columns: Int) -> [String] {
    let head = Row(cells: ["pack", "policy", "files", "size", "compressed*"], why: "why")
    let rows = [head] + packRows + leftOutRows
    let widths = Self.alignments.indices.map { column in
      rows.map { ColumnCount($0.cells[column]).columns }
        .filter { column > 0 || $0 <= Self.widestName }.max() ?? 0
    }
    let indent = widths.reduce(0) { $0 + $1 + 2 }
    let isBeside = columns - indent >= Self.narrowestReason
    return rows.flatMap { row in
      let cells = zip(row.cells, zip(widths, Self.alignments)).map { cell, form in
        cell.padded(to: form.0, form.1)
      }
      let line = cells.joined(separator: "  ")
      guard isBeside else {
        return [line.droppingTrailing(" ")] + wrap(row.why, to: columns - 4).map { "    " + $0 }
      }
      let reasons = wrap(row.why, to: columns - indent)
      let space = String(repeating: " ", count: indent)
      let isMoved = ColumnCount(line).columns > indent - 2
      let first = isMoved ? nil : reasons.first
      return [(first.map { line + "  " + $0 } ?? line).droppingTrailing(" ")]
        + reasons.dropFirst(isMoved ? 0 : 1).map { space + $0 }
    }
  }

  private var packRows: [Row] {
    groups.map { packs in
      let sizes = packs.compactMap(\.compressed)
      return Row(
        cells: [
          Self.name(of: packs), packs[0].manifest.downloadPolicy.phrase,
          Quantity.grouped(packs.map(\.count).reduce(0, +)),
          Quantity.bytes(packs.map(\.bytes).saturatedSum),
          sizes.count == packs.count ? Quantity.bytes(sizes.saturatedSum) : "",
        ],
        why: Self.reasons(of: packs))
    }
  }

  /// The packs, with those of a series and a policy together.
  private var groups: [[ProposedPack]] {
    var groups: [[ProposedPack]] = []
    for pack in proposal.packs {
      let index = groups.firstIndex { group in
        pack.series != nil && group[0].series?.name == pack.series?.name
          && group[0].manifest.downloadPolicy == pack.manifest.downloadPolicy
      }
      if let index { groups[index].append(pack) } else { groups.append([pack]) }
    }
    return groups
  }

  /// Returns the ID of a pack, or those of a series: `world-02 … 09`, `voices-en/es/de`.
  private static func name(of packs: [ProposedPack]) -> String {
    guard packs.count > 1, let name = packs[0].series?.name else {
      return shown(packs[0].manifest.assetPackID)
    }
    let parts = packs.compactMap { $0.series?.part }
    let areNumbers = parts.allSatisfy { $0.utf8.allSatisfy(\.isDigit) }
    let list = parts.joined(separator: "/")
    let isShort = list.count <= widestName - name.count && !(areNumbers && parts.count > 2)
    return shown("\(name)-\(isShort ? list : "\(parts[0]) … \(parts[parts.count - 1])")")
  }

  /// Returns the reasons, one for each rule.
  private static func reasons(of packs: [ProposedPack]) -> String {
    var texts: [(rule: String, text: String)] = []
    let reasons = packs.flatMap(\.reasons)
    for reason in reasons where packs.count == 1 || !reason.isOfHistory {
      let rule = reason.rule.id.name
      if !texts.contains(where: { $0.rule == rule }) { texts.append((rule, reason.text)) }
    }
    return shown(texts.map(\.text).joined(separator: "; "))
  }

  /// The groups of files that are left out, the largest first.
  private var leftOutRows: [Row] {
    let groups = proposal.leftOut.enumerated().sorted { left, right in
      (right.element.bytes, right.element.count, left.offset)
        < (left.element.bytes, left.element.count, right.offset)
    }.map(\.element)
    let most = groups.count > Self.mostLeftOut ? Self.mostLeftOut - 1 : groups.count
    let rest = groups.dropFirst(most)
    var rows = groups.prefix(most).map { group in
      row(group.count, group.bytes, group.reason.text + Self.names(of: group))
    }
    if !rest.isEmpty {
      rows.append(
        row(
          rest.map(\.count).reduce(0, +), rest.map(\.bytes).saturatedSum,
          "\(Quantity.count(rest.count, "other reason")), in the result of '--format json'"))
    }
    if !rows.isEmpty { rows[0].cells[0] = "left out" }
    return rows
  }

  private func row(_ count: Int, _ bytes: UInt64, _ why: String) -> Row {
    Row(cells: ["", "", Quantity.grouped(count), Quantity.bytes(bytes), ""], why: shown(why))
  }

  private static func names(of group: LeftOut) -> String {
    let most = 3
    guard group.kinds.isEmpty else { return " (\(group.kinds.joined(separator: ", ")))" }
    guard !group.examples.isEmpty else { return "" }
    let more = group.count > min(most, group.examples.count) ? ", …" : ""
    return ": " + group.examples.prefix(most).joined(separator: ", ") + more
  }
}

extension DownloadPolicy {
  /// The policy in words.
  var phrase: String {
    switch self {
    case .essential: "essential"
    case .prefetch: "prefetch"
    case .onDemand: "on demand"
    }
  }
}
