import AssetHistory
import BAPackKit
import Reporting
import SystemIO

/// Makes the proposals of a plan: searches for borders, writes selectors, and replays the history
/// with the packs that result.
struct ProposalMaker: Sendable {
  private let history: AssetHistory
  private let manifests: [Manifest]
  private let measure: Inventory
  private let options: Plan.Options
  /// The updates that the search sees.
  private let seen: StoredHistory
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
    _ history: AssetHistory, _ manifests: [Manifest], measuredBy measure: Inventory,
    _ options: Plan.Options, _ work: Work
  ) throws(PackError) {
    self.history = history
    self.manifests = manifests
    self.measure = measure
    self.options = options
    self.work = work
    let updates = history.releases.count - 1
    // With few updates, the search sees all of them.
    let unseen = updates < 4 ? 0 : updates * 3 / 10
    seen = try StoredHistory(
      history, manifests, measuredBy: measure, updates: 1..<(updates - unseen + 1), work)
    var keys: [Kind] = []
    kinds = manifests.map { manifest in
      let kind = Kind(manifest)
      if let index = keys.firstIndex(of: kind) { return index }
      keys.append(kind)
      return keys.count - 1
    }
    var conditions = BorderSearch.Conditions()
    conditions.frame = 500
    if let weights = options.weights {
      for (index, kind) in keys.enumerated() {
        conditions.weights[index] = seen.updates.map {
          weights.devices(of: history.releases[$0].name, kind.platforms, kind.language)
        }
      }
    }
    let replay = try PackReplay(
      history, manifests.map { ($0, $0.assetPackID) }, measuredBy: measure, work)
    let costs = try UpdateHistory(replaying: [replay], work)
    lastOfToday = Inventory("today", replay.packs(in: updates))
    let device = costs.largest.flatMap { sum in
      sum.platforms.first.map { (platform: $0, language: sum.language) }
    }
    self.device = device
    let figures = Self.figures(of: costs, manifests, unseen, options.weights, device)
    plan = Plan(
      releases: history.releases.map(\.name), files: history.releases.last?.files.count ?? 0,
      today: figures.figures, changed: figures.changed, seenUpdates: updates - unseen,
      unseenUpdates: unseen, notes: history.notes)
    // One more pack must save a hundredth of today's downloads.
    conditions.penalty = figures.figures.updates / 100
    self.conditions = conditions
    plan.fixed = fixedPacks
  }

  /// The values that a proposal does not change.
  private struct Kind: Equatable {
    let policy: DownloadPolicy
    let platforms: [Platform]
    let language: LanguageTag?

    init(_ manifest: Manifest) {
      policy = manifest.downloadPolicy
      platforms = manifest.platforms
      language = manifest.language
    }
  }

  /// The packs that stay as they are.
  private var fixedPacks: [(pack: String, reason: String)] {
    manifests.enumerated().compactMap { index, manifest in
      let id = manifest.assetPackID
      if options.pinned.contains(id) { return (id, "it is pinned") }
      if manifest.downloadPolicy == .onDemand {
        return (id, "released apps request it for the files that it contains")
      }
      if !seen.packs[index].keepsPaths { return (id, "its selectors give other paths to files") }
      return nil
    }
  }

  // MARK: Search

  /// Returns the proposals: the best division of one pack, of each pack, and of all together.
  func drafts(_ search: Work) throws(PackError) -> [Plan.Proposal] {
    let fixed = Set(plan.fixed.map(\.pack))
    let free = manifests.indices.filter { !fixed.contains(manifests[$0].assetPackID) }
    guard !free.isEmpty, !seen.updates.isEmpty else { return [] }
    let units = units(of: free)
    var drafts: [Plan.Proposal] = []
    var alone: [(gain: UInt64, pack: Int)] = []
    var borders: [Int: [Int]] = [:]
    for pack in free where !search.isStopped {
      let own = units.filter { $0.pack == pack }
      guard own.count > 1 else { continue }
      let most = max(1, options.mostPacks - manifests.count + 1)
      let (found, gain) = best(own, [pack], most, search)
      if gain > 0 {
        alone.append((gain, pack))
        borders[pack] = found
      }
    }
    if let largest = alone.max(by: { $0.gain == $1.gain ? $0.pack > $1.pack : $0.gain < $1.gain }) {
      let name = "split \(manifests[largest.pack].assetPackID)"
      let own = units.filter { $0.pack == largest.pack }
      drafts += try [proposal(name, own, [largest.pack], search)].compactMap(\.self)
    }
    drafts += try [proposal("best found", units, free, search)].compactMap(\.self)
    return drafts
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

  private func best(
    _ units: [AssetUnit], _ packs: [Int], _ most: Int, _ search: Work
  ) -> (borders: [Int], gain: UInt64) {
    var conditions = conditions
    conditions.mostPacks = most
    for pack in packs { conditions.fewestPacks[kinds[pack], default: 0] += 1 }
    let borders = BorderSearch(units.map(\.borders), conditions)
    let today = units.map(\.pack)
    let found = borders.best(from: today, search)
    let (before, after) = (borders.objective(of: today), borders.objective(of: found))
    return (found, before > after ? before - after : 0)
  }

  /// Returns a proposal; nil if there is none that keeps what released apps need.
  private func proposal(
    _ name: String, _ units: [AssetUnit], _ packs: [Int], _ search: Work
  ) throws(PackError) -> Plan.Proposal? {
    var packs = packs
    // Each round leaves out packs that must stay as they are.
    for _ in manifests.indices where !packs.isEmpty {
      let own = units.filter { packs.contains($0.pack) }
      let most = max(1, options.mostPacks - manifests.count + packs.count)
      let (found, gain) = best(own, packs, most, search)
      guard gain > 0 else { return nil }
      let planned: PlannedPacks
      do throws(PlannedPacks.Refused) {
        planned = try PlannedPacks(own, found, of: manifests, in: seen)
      } catch {
        packs.removeAll { $0 == error.pack }
        continue
      }
      let replay = try PackReplay(
        history, planned.packs.map { ($0.manifest, $0.manifest.assetPackID) },
        measuredBy: measure, work)
      let last = Inventory("proposal", replay.packs(in: history.releases.count - 1))
      let change = try Comparison(from: lastOfToday, to: last, work)
      let broken = Set(change.breaks.map(\.pack))
      guard broken.isEmpty else {
        let count = packs.count
        packs.removeAll { broken.contains(PackID(manifests[$0].assetPackID)) }
        if packs.count == count { return nil }
        continue
      }
      return try proposal(name, planned, replay, change, own)
    }
    return nil
  }

  private func proposal(
    _ name: String, _ planned: PlannedPacks, _ replay: PackReplay, _ change: Comparison,
    _ units: [AssetUnit]
  ) throws(PackError) -> Plan.Proposal {
    let costs = try UpdateHistory(replaying: [replay], work)
    return Plan.Proposal(
      name: name, packs: planned,
      figures: Self.figures(
        of: costs, planned.packs.map(\.manifest), plan.unseenUpdates, options.weights, device
      ).figures,
      reasons: reasons(for: planned, units),
      transition: bytes(of: change))
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
    figures.firstLaunch =
      rows.first { $0.platform == device.platform && $0.language == device.language }?.firstLaunch
      ?? 0
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
      let all = seen.with(updates: 1..<history.releases.count)
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
