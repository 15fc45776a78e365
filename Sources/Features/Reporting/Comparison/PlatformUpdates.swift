import BAPackKit
import SystemIO

/// The updates of the devices of one platform: each device resolves its language among the packs of
/// the old release, and again among those of the new one.
struct PlatformUpdates {
  /// A new pack, with the old one of the same ID.
  private struct Update {
    var pack: OfferedPack
    var former: OfferedPack?
    var hasChanged: Bool
  }

  private let platform: Platform
  private let old: [OfferedPack]?
  private let new: [OfferedPack]
  private let oldLanguages: LanguageCandidates
  private let newLanguages: LanguageCandidates
  /// The new packs that devices of every language have or download.
  private var common: [Update] = []
  /// The other new packs, by the language of the old pack, and of the new one.
  private var byOld: [LanguageMeaning: [Update]] = [:]
  private var byNew: [LanguageMeaning: [Update]] = [:]
  private let oldPlans: LanguagePlans
  private let newPlans: LanguagePlans

  /// Prepares the updates; without an old release, no device has an app to update.
  init(
    from before: [OfferedPack]?, to now: [OfferedPack], changed: Set<PackID>, on platform: Platform
  ) {
    self.platform = platform
    old = before?.filter { $0.isOffered(on: platform) }
    new = now.filter { $0.isOffered(on: platform) }
    oldLanguages = (old ?? []).languages(on: platform)
    newLanguages = new.languages(on: platform)
    oldPlans = LanguagePlans(of: old ?? [], on: platform)
    newPlans = LanguagePlans(of: new, on: platform)
    guard let old else { return }
    let had = Dictionary(old.map { ($0.id, $0) }) { first, _ in first }
    for pack in new {
      let former = had[pack.id]
      let update = Update(pack: pack, former: former, hasChanged: changed.contains(pack.id))
      guard let language = pack.language, former == nil || former?.language != nil else {
        common.append(update)
        continue
      }
      byNew[language.meaning, default: []].append(update)
      if let own = former?.language { byOld[own.meaning, default: []].append(update) }
    }
  }

  /// Returns a row for each preferred language, and one for languages without packs.
  func rows(of languages: [LanguageTag]) -> [UpdateCosts.Row] {
    let others: [LanguageTag?] = [nil]
    // The fallbacks with the largest updates are first.
    func inOrder(_ tags: [LanguageTag], _ row: (LanguageTag) -> UpdateCosts.Row) -> [LanguageTag] {
      let sizes = tags.map { row($0).wholeUpdate }
      return tags.indices.sorted { (sizes[$1], $0) < (sizes[$0], $1) }.map { tags[$0] }
    }
    let gone = inOrder(newLanguages.tags) { row(nil, from: nil, to: $0) }
    let come = inOrder(oldLanguages.tags) { row(nil, from: $0, to: nil) }
    return (others + languages.map(Optional.some)).map { language in
      let before = Device.language(among: oldLanguages, preferring: language)
      let now = Device.language(among: newLanguages, preferring: language)
      switch (before, now) {
      case (let before?, nil):
        // A pack of the device can change its language, so its size is not counted twice.
        let own = Set((byOld[before.meaning] ?? []).compactMap { $0.pack.language?.meaning })
        return largest(row(language, from: before, to: nil), gone, except: own) {
          row(language, from: before, to: $0)
        }
      case (nil, let now?) where old != nil:
        let own = Set((byNew[now.meaning] ?? []).compactMap { $0.former?.language?.meaning })
        return largest(row(language, from: nil, to: now), come, except: own) {
          row(language, from: $0, to: now)
        }
      case (_, _): return row(language, from: before, to: now)
      }
    }
  }

  /// Returns the largest update with a fallback, or `plain` if none is larger.
  private func largest(
    _ plain: UpdateCosts.Row, _ fallbacks: [LanguageTag], except own: Set<LanguageMeaning>,
    _ row: (LanguageTag) -> UpdateCosts.Row
  ) -> UpdateCosts.Row {
    var largest = plain
    for fallback in fallbacks {
      let isIndependent = !own.contains(fallback.meaning)
      var next = row(fallback)
      next.fallback = fallback
      if next.wholeUpdate > largest.wholeUpdate { largest = next }
      // The update with each later fallback is smaller.
      if isIndependent { break }
    }
    return largest
  }

  /// Returns the downloads of a device that resolves one language before and one after the release.
  private func row(
    _ language: LanguageTag?, from before: LanguageTag?, to now: LanguageTag?
  ) -> UpdateCosts.Row {
    let (first, second) = (oldPlans[before], newPlans[now])
    var row = UpdateCosts.Row(
      platform: platform, language: language, oldResolved: before, resolved: now, update: 0,
      updateOnDemand: 0, oldFirstLaunch: first.beforeLaunch.download,
      firstLaunch: second.beforeLaunch.download,
      oldInstall: (first.beforeLaunch + first.inBackground).download,
      install: (second.beforeLaunch + second.inBackground).download)
    guard old != nil else { return row }
    let own = before.flatMap { byOld[$0.meaning] } ?? []
    let come = now.flatMap { byNew[$0.meaning] } ?? []
    for update in common + own + come {
      // Installed packs are updated, even if they are for a language that no longer applies.
      let wasInstalled = update.former.map { $0.language.serves(before) } ?? false
      let isDownloaded =
        wasInstalled
        ? update.hasChanged
        : update.pack.language.serves(now)
          && update.pack.policy.time(on: .subsequentUpdate) != .onRequest
      if isDownloaded { row.add(update.pack) }
    }
    return row
  }
}

/// The downloads of an installation on the devices of one platform, by language.
struct LanguagePlans {
  /// The sizes of the downloads at each time.
  struct Sizes {
    var beforeLaunch = PackSize()
    var inBackground = PackSize()
    var onRequest = PackSize()

    fileprivate init(_ packs: [OfferedPack], _ device: Device) {
      let plan = DownloadPlan(of: packs, on: device)
      beforeLaunch = plan.beforeLaunch.size
      inBackground = plan.inBackground.size
      onRequest = plan.onRequest.size
    }
  }

  private let platform: Platform
  private let common: Sizes
  private let localized: [LanguageMeaning: [OfferedPack]]

  init(of packs: [OfferedPack], on platform: Platform) {
    self.platform = platform
    common = Sizes(packs.filter { $0.language == nil }, Device(platform: platform))
    localized = Dictionary(grouping: packs.filter { $0.language != nil }) {
      ($0.language ?? LanguageTag(language: "")).meaning
    }
  }

  /// The downloads of a device that resolves a language.
  subscript(language: LanguageTag?) -> Sizes {
    guard let language, let packs = localized[language.meaning] else { return common }
    var sizes = Sizes(packs, Device(platform: platform, language: language))
    sizes.beforeLaunch = sizes.beforeLaunch + common.beforeLaunch
    sizes.inBackground = sizes.inBackground + common.inBackground
    sizes.onRequest = sizes.onRequest + common.onRequest
    return sizes
  }
}

extension UpdateCosts.Row {
  fileprivate mutating func add(_ pack: OfferedPack) {
    guard downloads.insert(pack.id).inserted else { return }
    if pack.policy == .onDemand {
      updateOnDemand = updateOnDemand.addingSaturated(pack.size.download)
    } else {
      update = update.addingSaturated(pack.size.download)
    }
  }
}
