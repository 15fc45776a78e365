import AssetHistory
import BAPackKit
import Planning
import Reporting
import SourceDiagnostics
import TerminalText

/// The result of `plan`.
struct PlanResult: Described {
  /// The releases that the command chose.
  enum Choice {
    /// The newest tags, and the end of the history.
    case tags
    /// Commits at equal distances.
    case commits
  }

  let plan: Plan
  /// Nil if the user chose the releases.
  private let choice: Choice?
  /// The name of the proposal that was written; nil if none was.
  var written: String?

  init(_ plan: Plan, choice: Choice?) {
    self.plan = plan
    self.choice = choice
  }

  static let table = Table<Self>(written: "proposals for borders of packs") {
    Key("releases", written: \.plan.releases, .list(of: .text), "The releases, the oldest first.")
    Key("files", written: \.plan.files, .count, "The number of files in the last release.")
    Key("today", written: \.plan.today, .object(figures), "The cost of today's packs.")
    Key(
      "asReleased", written: \.plan.asReleased, .object(figures),
      "The cost of the packs of former releases; absent if they are unknown.")
    Key(
      "lowerBound", written: \.plan.changed, .bytes,
      "The bytes of the changed files in all updates.")
    Key(
      "seenUpdates", written: \.plan.seenUpdates, .count,
      "The number of updates that the search used, the oldest ones.")
    Key(
      "unseenUpdates", written: \.plan.unseenUpdates, .count,
      "The number of the other updates, on which each proposal is tested.")
    Key(
      "proposals", written: \.plan.proposals, .list(of: .object(proposal)),
      "The proposals, the one with the smallest updates last.")
    Key(
      "fitted", written: \.plan.overfitted, .count,
      "The number of proposals that are left out because they save nothing in the other updates.")
    Key(
      "fixed", written: \.plan.fixed, .list(of: .object(fixed)),
      "The packs that stay as they are.")
    Key("interrupted", written: \.plan.isInterrupted, .flag, "Whether the search was interrupted.")
    Key("notes", written: \.plan.notes, .list(of: .text), "The omissions of the history.")
    Key("written", written: \.written, .text, "The proposal that was written; absent if none was.")
  }

  private static let figures = Table<Plan.Figures>(written: "the cost of packs") {
    Key("packs", written: \.packs, .count, "The number of packs.")
    Key("updates", written: \.updates, .bytes, "The bytes of the downloads in all updates.")
    Key("unseen", written: \.unseen, .bytes, "Those in updates that the search did not use.")
    Key(
      "firstLaunch", written: \.firstLaunch, .bytes,
      "The bytes of the downloads before the first launch.")
  }

  private static let proposal = Table<Plan.Proposal>(written: "a proposal") {
    Key("name", written: \.name, .text, "The name, for '--write'.")
    Key("cost", written: \.figures, .object(figures), "The cost of its packs.")
    Key(
      "transition", written: \.transition, .bytes,
      "The bytes of the downloads in the update that introduces these packs.")
    Key(
      "lackingFiles", written: \.lackingFiles, .count,
      "The number of files in new packs, which apps lack until they are updated.")
    Key("reasons", written: \.reasons, .list(of: .object(reason)), "The packs that get files.")
    Key(
      "packs", written: \.packs.packs, .list(of: .object(pack)),
      "All packs: today's in their order, then the new ones.")
  }

  private static let reason = Table<Plan.Reason>(written: "a reason") {
    Key("pack", written: \.pack, .text, "The ID of the pack that gets files.")
    Key("from", written: \.parents, .list(of: .text), "The packs that contain them today.")
    Key("size", written: \.size, .bytes, "Their bytes in archives of the last release.")
    Key("changes", written: \.changes, .count, "The number of updates in which they changed.")
    Key(
      "changesOfRest", written: \.changesOfRest, .count,
      "The number of updates in which the other files of the old packs changed.")
  }

  private static let pack = Table<PlannedPacks.Pack>(written: "a pack of a proposal") {
    Key(Manifest.key(of: \.assetPackID), written: \.manifest.assetPackID, .text, "The ID.")
    Key("new", written: { $0.today == nil }, .flag, "Whether the pack is new.")
    Key("changed", written: \.isChanged, .flag, "Whether its selectors are others than today's.")
    Key(
      Manifest.key(of: \.fileSelectors), written: { $0.manifest.fileSelectors.map(\.jsonValue) },
      .list(of: .anything), "The selectors.")
  }

  private static let fixed = Table<Plan.FixedPack>(written: "a pack that stays as it is") {
    Key("pack", written: \.pack, .text, "The ID.")
    Key("reason", written: \.reason, .text, "The reason.")
  }
}

// MARK: - Text

extension PlanResult {
  var text: String {
    let updates = plan.releases.count - 1
    var lines = [
      "\(Quantity.count(plan.releases.count, "release")), \(Quantity.count(plan.files, "file")), "
        + "\(Quantity.count(plan.today.packs, "pack"))."
    ]
    if let choice { lines.append(releases(choice)) }
    lines += [
      "A device with all packs downloaded \(Quantity.bytes(plan.today.updates)) in "
        + "\(Quantity.count(updates, "update")); \(Quantity.bytes(plan.changed)) of that had "
        + "changed (\(ratio(plan.today.updates)) x).",
      "",
    ]
    lines += rows
    for proposal in plan.proposals { lines += [""] + reasons(proposal) }
    if !notes.isEmpty { lines += [""] + notes }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The releases that the command chose, as a line.
  private func releases(_ choice: Choice) -> String {
    var names = plan.releases
    func text(_ noun: String) -> String {
      let ends = names.count > 1 ? "\(names[0]) to \(names[names.count - 1])" : names.joined()
      return shown("\(Quantity.count(names.count, noun)) (\(ends))")
    }
    let hint = "; '--history' and '--releases' select others."
    switch choice {
    case .tags:
      let end = names.last == GitReleases.end ? names.popLast() : nil
      return "Releases: the newest \(text("tag"))\(end.map { " and \($0)" } ?? "")\(hint)"
    case .commits:
      return "Releases: \(text("commit")) at equal distances, because there are fewer than "
        + "\(GitReleases.fewestTags) tags\(hint)"
    }
  }

  /// The downloads for each changed byte, such as `3.6`.
  private func ratio(_ bytes: UInt64) -> String {
    let text = UpdateHistory.Bytes(downloaded: bytes, changed: plan.changed).ratioText
    return text.hasSuffix(" x") ? String(text.dropLast(2)) : text
  }

  private var rows: [String] {
    var table = TextTable([.left, .right, .right, .right, .right, .left])
    table.add("proposal", "packs", "updates", "first launch", "x")
    func add(_ name: String, _ figures: Plan.Figures, _ remark: String = "") {
      table.add(
        name, "\(figures.packs)", Quantity.bytes(figures.updates),
        Quantity.bytes(figures.firstLaunch), ratio(figures.updates), remark)
    }
    if let released = plan.asReleased { add("as released", released) }
    add("today", plan.today)
    for proposal in plan.proposals { add(proposal.name, proposal.figures, remark(proposal)) }
    table.add(
      "lower bound", "-", Quantity.bytes(plan.changed), "-", ratio(plan.changed),
      "each changed file alone")
    return table.lines
  }

  /// The new packs of a proposal for one pack: `art -> art-text (changes in 7 of 7) and the rest`.
  private func remark(_ proposal: Plan.Proposal) -> String {
    let parents = Set(proposal.reasons.flatMap(\.parents))
    guard parents.count == 1, let parent = parents.first else { return "" }
    let parts = proposal.reasons.prefix(2).map {
      "\($0.pack) (changes in \($0.changes) of \(plan.releases.count - 1))"
    }
    let more = proposal.reasons.count - parts.count
    return "\(parent) -> " + (parts + (more > 0 ? ["\(more) more"] : [])).joined(separator: ", ")
      + " and the rest"
  }

  /// The changes of a proposal, and its savings in the updates that the search did not use.
  private func reasons(_ proposal: Plan.Proposal) -> [String] {
    var lines = ["\(proposal.name): \(test(proposal))"]
    let updates = plan.releases.count - 1
    for reason in proposal.reasons {
      lines.append(
        "  \(reason.parents.joined(separator: ", ")) -> \(reason.pack): "
          + "\(Quantity.bytes(reason.size)), changes in \(reason.changes) of \(updates), the rest "
          + "in \(reason.changesOfRest)")
    }
    lines.append(
      "  The update to these packs downloads \(Quantity.bytes(proposal.transition)) once.")
    if proposal.lackingFiles > 0 {
      lines.append(
        "  Apps that are not updated lack \(Quantity.count(proposal.lackingFiles, "file")) in new "
          + "packs until their update: 'diff' reports breaking changes.")
    }
    return lines.map { shown($0) }
  }

  private func test(_ proposal: Plan.Proposal) -> String {
    guard plan.unseenUpdates > 0, plan.today.unseen > 0 else {
      return "found in all \(Quantity.count(plan.seenUpdates, "update")), so it is not tested"
    }
    let rest = Double(proposal.figures.unseen) / Double(plan.today.unseen)
    return "found in \(Quantity.count(plan.seenUpdates, "update")); saves "
      + "\(100 - Int((rest * 100).rounded())) % in the \(plan.unseenUpdates) later "
      + "\(plan.unseenUpdates == 1 ? "one" : "ones"), which the search did not use"
  }

  private var notes: [String] {
    var notes: [String] = []
    if plan.proposals.isEmpty { notes.append("No proposal makes the updates smaller.") }
    if plan.overfitted > 0 {
      notes.append(
        "\(Quantity.count(plan.overfitted, "proposal")) saved nothing in the later updates, and "
          + "\(plan.overfitted == 1 ? "is" : "are") not shown.")
    }
    for fixed in plan.fixed { notes.append("'\(fixed.pack)' is unchanged: \(fixed.reason).") }
    if plan.isInterrupted {
      notes.append("The search was interrupted. These are the best proposals up to then.")
    }
    return notes.map { shown($0) }
  }
}
