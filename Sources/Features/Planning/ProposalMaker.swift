import AssetHistory
import BAPackKit
import Reporting
import SystemIO

/// Makes the proposals of a plan: searches for borders, writes selectors, and replays the history
/// with the packs that result.
struct ProposalMaker: Sendable {
  private let roots: [Plan.Root]
  private let manifests: [Manifest]
  private let measure: Inventory
  private let options: Plan.Options
  /// The updates that the search sees.
  private let seen: StoredHistory
  private let allKinds: [Kind]
  /// The kind of each pack, as an index in `allKinds`.
  private let kinds: [Int]
  private let conditions: BorderSearch.Conditions
  private let work: Work
  /// The plan without proposals.
  private(set) var plan: Plan
  private let lastOfToday: Inventory
  private let device: (platform: Platform, language: LanguageTag?)?

  /// The number of units up to which a search takes less than a few seconds.
  private static let mostUnits = 300

  init(
    _ roots: [Plan.Root], _ manifests: [Manifest], measuredBy measure: Inventory,
    _ options: Plan.Options, _ work: Work
  ) throws(PackError) {
    self.roots = roots
    self.manifests = manifests
    self.measure = measure
    self.options = options
    self.work = work
    let releases = roots.first?.history.releases.map(\.name) ?? []
    let updates = max(0, releases.count - 1)
    // With few updates, the search sees all of them.
    let unseen = updates < 4 ? 0 : updates * 3 / 10
    seen = try StoredHistory(
      roots, manifests, measuredBy: measure, updates: 1..<(updates - unseen + 1), work)
    var keys: [Kind] = []
    kinds = manifests.enumerated().map { index, manifest in
      let kind = Kind(manifest, root: roots.firstIndex { $0.packs.contains(index) } ?? 0)
      if let index = keys.firstIndex(of: kind) { return index }
      keys.append(kind)
      return keys.count - 1
    }
    var conditions = BorderSearch.Conditions()
    conditions.frame = 500
    allKinds = keys
    conditions.weights = Self.weights(options.weights, of: keys, seen.updates, releases)
    let replays = try roots.map { (root) throws(PackError) in
      try root.replay(manifests.enumerated().map { ($1, $0) }, measuredBy: measure, work)
    }
    let costs = try UpdateHistory(replaying: replays, work)
    lastOfToday = Inventory("today", replays.flatMap { $0.packs(in: updates) })
    let device = costs.largest.flatMap { sum in
      sum.platforms.first.map { (platform: $0, language: sum.language) }
    }
    self.device = device
    let figures = Self.figures(of: costs, manifests, unseen, options.weights, device)
    plan = Plan(
      releases: releases,
      files: roots.reduce(0) { $0 + ($1.history.releases.last?.files.count ?? 0) },
      today: figures.figures, changed: figures.changed, seenUpdates: updates - unseen,
      unseenUpdates: unseen,
      notes: roots.flatMap(\.history.notes).reduce(into: []) { notes, note in
        if !notes.contains(note) { notes.append(note) }
      })
    // One more pack must save a hundredth of today's downloads.
    conditions.penalty = min(figures.figures.updates / 100, BorderSearch.Unit.largestSize)
    self.conditions = conditions
    plan.fixed = fixedPacks
  }

  /// The values that a proposal does not change.
  private struct Kind: Equatable {
    let policy: DownloadPolicy
    let platforms: [Platform]
    let language: LanguageTag?
    /// The source root, by its index.
    let root: Int

    init(_ manifest: Manifest, root: Int) {
      self.root = root
      policy = manifest.downloadPolicy
      platforms = manifest.platforms
      language = manifest.language
    }
  }

  /// The packs that stay as they are.
  private var fixedPacks: [Plan.FixedPack] {
    manifests.enumerated().compactMap { index, manifest in
      reasonToKeep(manifest, seen.packs[index]).map {
        Plan.FixedPack(pack: manifest.assetPackID, reason: $0)
      }
    }
  }

  private func reasonToKeep(_ manifest: Manifest, _ files: StoredHistory.Pack) -> String? {
    if options.pinned.contains(manifest.assetPackID) { return "it is pinned" }
    if manifest.downloadPolicy == .onDemand {
      return "released apps request it for the files that it contains"
    }
    if files.isMember.contains(true), !files.isMovable.contains(true) {
      return "its selectors give other paths to all files"
    }
    if manifest.language != nil {
      return "released apps can request it in each language for the files that it contains"
    }
    return nil
  }

  // MARK: Search

  /// Returns the proposals: the best division of one pack, and of all together; and the number of
  /// those that save nothing in the updates that the search did not see.
  func drafts(
    _ search: Work, faults: (PlannedPacks) throws(PackError) -> Set<Int>
  ) throws(PackError) -> (drafts: [Plan.Proposal], overfitted: Int) {
    let fixed = Set(plan.fixed.map(\.pack))
    let free = manifests.indices.filter { !fixed.contains(manifests[$0].assetPackID) }
    guard !free.isEmpty, !seen.updates.isEmpty else { return ([], 0) }
    let units = units(of: free)
    // Each pack is divided alone; together, these divisions are a start for the last search.
    var together = units.map(\.pack)
    var best: (gain: UInt64, pack: Int)?
    for pack in free where !search.isStopped {
      let places = units.indices.filter { units[$0].pack == pack }
      guard places.count > 1 else { continue }
      let (found, gain) = borders(places.map { units[$0] }, hasNewPacks: true, [], 1, search)
      guard gain > 0 else { continue }
      for (place, number) in zip(places, found) {
        together[place] = number == pack ? pack : manifests.count * (pack + 1) + number
      }
      if gain > best?.gain ?? 0 { best = (gain, pack) }
    }
    var wanted = [Wanted(name: "best without new packs", packs: free, hasNewPacks: false)]
    if let best {
      wanted.append(
        Wanted(
          name: "split \(manifests[best.pack].assetPackID)", packs: [best.pack], hasNewPacks: true))
    }
    wanted.append(Wanted(name: "best found", packs: free, hasNewPacks: true))
    var drafts: [Plan.Proposal] = []
    var overfitted = 0
    for wish in wanted {
      // A search that is fitted to the past has more in common with the rest if packs cost more.
      for factor: UInt64 in [1, 4, 16] {
        switch try proposal(wish, units, together, factor, search, faults) {
        case .found(let draft) where draft.figures.updates < plan.today.updates:
          drafts.append(draft)
        case .fitted:
          if factor == 1 { overfitted += 1 }
          continue
        case .found, .none: break
        }
        break
      }
    }
    return (drafts, overfitted)
  }

  /// The result of a search for one proposal.
  private enum Draft {
    case found(Plan.Proposal)
    /// It saves nothing in the updates that the search did not see.
    case fitted
    case none
  }

  /// A proposal to search for.
  private struct Wanted {
    var name: String
    /// The packs of today whose files it may move.
    var packs: [Int]
    var hasNewPacks: Bool
  }

  private func units(of packs: [Int]) -> [AssetUnit] {
    var least: UInt64 = 0
    while true {
      let units = packs.flatMap {
        AssetUnits(of: $0, kind: kinds[$0], in: seen, conditions, saving: least).units
      }
      if units.count <= Self.mostUnits || least > 1 << 40 { return units }
      least = least == 0 ? 4096 : least * 4
    }
  }

  /// Returns the best borders of units, and what they save; each pack costs `factor` times as much
  /// as usual.
  private func borders(
    _ units: [AssetUnit], hasNewPacks: Bool, _ known: [[Int]],
    _ factor: UInt64, _ search: Work
  ) -> (borders: [Int], gain: UInt64) {
    var conditions = conditions
    let used = Set(units.map(\.pack))
    let most = hasNewPacks ? max(0, options.mostPacks - manifests.count) : 0
    conditions.mostPacks = max(1, most + used.count)
    conditions.penalty *= factor
    for pack in used { conditions.fewestPacks[kinds[pack], default: 0] += 1 }
    let borders = BorderSearch(units.map(\.borders), conditions)
    let today = units.map(\.pack)
    let found = borders.best(from: today, or: known, search)
    let (before, after) = (borders.objective(of: today), borders.objective(of: found))
    return (found, before > after ? before - after : 0)
  }

  /// Returns a proposal that keeps what released apps need, if there is one.
  private func proposal(
    _ wanted: Wanted, _ units: [AssetUnit], _ known: [Int], _ factor: UInt64, _ search: Work,
    _ faults: (PlannedPacks) throws(PackError) -> Set<Int>
  ) throws(PackError) -> Draft {
    var packs = wanted.packs
    // Each round leaves out packs that must stay as they are.
    for _ in manifests.indices where !packs.isEmpty {
      let places = units.indices.filter { packs.contains(units[$0].pack) }
      let own = places.map { units[$0] }
      let (found, gain) = borders(
        own, hasNewPacks: wanted.hasNewPacks, [places.map { known[$0] }], factor, search)
      guard gain > 0 else { return .none }
      // This is faster than a replay, and nearly exact.
      guard savesUnseen(own, found) else { return .fitted }
      let planned: PlannedPacks
      do throws(PlannedPacks.Refused) {
        planned = try PlannedPacks(
          own, found, of: manifests, in: seen, takenIDs: options.takenIDs)
      } catch {
        packs.removeAll { $0 == error.pack }
        continue
      }
      let replays = try roots.map { (root) throws(PackError) in
        try root.replay(planned.packs.map { ($0.manifest, $0.source) }, measuredBy: measure, work)
      }
      let last = Inventory(
        "proposal", replays.flatMap { $0.packs(in: plan.releases.count - 1) })
      let change = try Comparison(from: lastOfToday, to: last, work)
      let breaks = change.breaks
      let others = breaks.filter { !Self.isForFormerApps($0, last, planned) }
      let broken = Set(others.map(\.pack))
      var wrong = Set(packs.filter { broken.contains(PackID(manifests[$0].assetPackID)) })
      if broken.isEmpty { wrong = try faults(planned) }
      if wrong.isEmpty {
        guard broken.isEmpty,
          let draft = try proposal(
            wanted.name, planned, replays, change, own, lacking: breaks.count)
        else { return .none }
        let saves = plan.unseenUpdates == 0 || draft.figures.unseen < plan.today.unseen
        return saves ? .found(draft) : .fitted
      }
      let count = packs.count
      packs.removeAll(where: wrong.contains)
      if packs.count == count { return .none }
    }
    return .none
  }

  /// Returns the weight of each update for each kind of pack; empty if all are equal.
  private static func weights(
    _ weights: InstallWeights?, of kinds: [Kind], _ updates: Range<Int>, _ releases: [String]
  ) -> [Int: [UInt64]] {
    guard let weights else { return [:] }
    let rows = kinds.map { kind in
      updates.map { weights.devices(of: releases[$0], kind.platforms, kind.language) }
    }
    return Dictionary(uniqueKeysWithValues: zip(kinds.indices, InstallWeights.ratios(of: rows)))
  }

  /// Whether borders save downloads in the updates that the search does not see.
  private func savesUnseen(_ units: [AssetUnit], _ borders: [Int]) -> Bool {
    guard plan.unseenUpdates > 0 else { return true }
    let rest = seen.with(updates: seen.updates.upperBound..<plan.releases.count)
    var conditions = BorderSearch.Conditions()
    conditions.frame = self.conditions.frame
    conditions.weights = Self.weights(options.weights, of: allKinds, rest.updates, plan.releases)
    let search = BorderSearch(
      units.map { unit in
        var borders = rest.changes(of: unit.files)
        borders.kind = unit.borders.kind
        return borders
      }, conditions)
    return search.cost(of: borders) < search.cost(of: units.map(\.pack))
  }

  /// Whether a break only concerns app versions from before the proposal: a file is in a new pack,
  /// which a device downloads with the next update of the app.
  private static func isForFormerApps(
    _ found: Break, _ last: Inventory, _ planned: PlannedPacks
  ) -> Bool {
    guard found.breakage == .policyWeakened, let path = found.path else { return false }
    return planned.packs.contains { pack in
      pack.today == nil
        && last[PackID(pack.manifest.assetPackID)]?.contents?.index(of: path) != nil
    }
  }

  private func proposal(
    _ name: String, _ planned: PlannedPacks, _ replays: [PackReplay], _ change: Comparison,
    _ units: [AssetUnit], lacking: Int
  ) throws(PackError) -> Plan.Proposal? {
    // Each archive has a header.
    let headers = conditions.frame * UInt64(planned.packs.count - manifests.count)
    guard
      change.costs.rows.allSatisfy({ $0.firstLaunch <= $0.oldFirstLaunch.addingSaturated(headers) })
    else { return nil }
    let costs = try UpdateHistory(replaying: replays, work)
    return Plan.Proposal(
      name: name, packs: planned,
      figures: Self.figures(
        of: costs, planned.packs.map(\.manifest), plan.unseenUpdates, options.weights, device
      ).figures,
      reasons: reasons(for: planned, units),
      transition: bytes(of: change), lackingFiles: lacking)
  }

  private func bytes(of change: Comparison) -> UInt64 {
    guard let device else { return 0 }
    return UpdateHistory.Update(change).bytes(on: device.platform, device.language).downloaded
  }

  // MARK: Figures

  /// Returns the figures of releases as they were published.
  func figures(of releases: [Inventory]) throws(PackError) -> Plan.Figures {
    var costs = UpdateHistory()
    for (old, new) in zip(releases, releases.dropFirst()) {
      costs.append(try Comparison(from: old, to: new, work))
    }
    var figures = Self.figures(of: costs, manifests, 0, options.weights, device).figures
    figures.packs = releases.last?.packs.count ?? 0
    return figures
  }

  private static func figures(
    of costs: UpdateHistory, _ packs: [Manifest], _ unseen: Int, _ weights: InstallWeights?,
    _ device: (platform: Platform, language: LanguageTag?)?
  ) -> (figures: Plan.Figures, changed: UInt64) {
    var figures = Plan.Figures(packs: packs.count, updates: 0, unseen: 0, firstLaunch: 0)
    var changed: UInt64 = 0
    guard let device else { return (figures, changed) }
    for (index, update) in costs.updates.enumerated() {
      var bytes = update.bytes(on: device.platform, device.language)
      if let weights {
        bytes = update.packs.reduce(into: UpdateHistory.Bytes()) { sum, pack in
          let manifest = packs.first { PackID($0.assetPackID) == pack.id }
          let devices = weights.devices(
            of: update.new, manifest?.platforms ?? [], manifest?.language)
          sum.downloaded.addSaturated(multiplied(pack.bytes.downloaded, devices))
          sum.changed.addSaturated(multiplied(pack.bytes.changed, devices))
        }
      }
      figures.updates.addSaturated(bytes.downloaded)
      changed.addSaturated(bytes.changed)
      if index >= costs.updates.count - unseen { figures.unseen.addSaturated(bytes.downloaded) }
    }
    let rows = costs.updates.last?.costs.rows ?? []
    let row = rows.first {
      $0.platform == device.platform && $0.language.isEquivalent(to: device.language)
    }
    figures.firstLaunch = row?.firstLaunch ?? 0
    return (figures, changed)
  }

  private static func multiplied(_ bytes: UInt64, _ count: UInt64) -> UInt64 {
    let (product, overflows) = bytes.multipliedReportingOverflow(by: count)
    return overflows ? .max : product
  }

  // MARK: Reasons

  private func reasons(for planned: PlannedPacks, _ units: [AssetUnit]) -> [Plan.Reason] {
    planned.packs.filter(\.isChanged).map { pack in
      let isNew = pack.today == nil
      let own = units.filter { unit in
        isNew
          ? unit.selector.map(pack.manifest.fileSelectors.contains) ?? false
          : unit.selector.map(pack.added.contains) ?? false
      }
      let parents = Set(own.map(\.pack)).sorted()
      let files = own.flatMap(\.files)
      let taken = Set(files)
      let all = seen.with(updates: 1..<plan.releases.count)
      let rest = units.filter { parents.contains($0.pack) }.flatMap(\.files)
        .filter { !taken.contains($0) }
      return Plan.Reason(
        pack: pack.manifest.assetPackID, parents: parents.map { manifests[$0].assetPackID },
        selectors: own.compactMap(\.selector), size: all.size(of: files),
        changes: all.changes(of: files).changes.count { $0 },
        changesOfRest: all.changes(of: rest).changes.count { $0 })
    }.filter { !$0.selectors.isEmpty }
  }
}
