// Long because it is one device: its state, and the effects of each step.
import BAPackKit
import DeviceSimulator
import Faults

/// A second device, written from the reference and not from the simulator.
///
/// It keeps versions in a dictionary. After each step it has the expected packs of the device and
/// the effects of the step.
struct DeviceModel {
  struct Pack {
    var version: Int
    var policy: DownloadPolicy
    var language: String?
    var platforms: [Platform]
    var size: UInt64
  }

  /// The effects of one step.
  struct StepEffects {
    var downloads: [(id: String, isUpdate: Bool, size: UInt64, policy: DownloadPolicy)] = []
    var failed: Set<String> = []
    /// Packs that the app requested and did not get, without a failure.
    var absent: Set<String> = []
    var removed: Set<String> = []
    /// Packs that the settings of the user prevent, which is not an error.
    var withheld: Set<String> = []
    /// The packs whose failure is an error, unless the scenario expects it.
    var errors: Set<String> { absent.union(failed).subtracting(refused).subtracting(withheld) }
    /// The packs that the extension refuses.
    var refused: Set<String> = []
    /// Whether the step has no effect, because it requires the app or requires its absence.
    var isIgnored = false
  }

  var releases: [[String: Pack]] = []
  var order: [[String]] = []
  /// The release of each channel, and the releases of packs that were submitted to it later.
  var live: [Channel: (release: Int?, submitted: [String: Int])] = [:]
  /// The packs of the manifest that the device read last, in order.
  var known: [(id: String, pack: Pack)]?
  var channel = Channel.store
  var blocksLaunch = false
  /// The IDs of the rules of which the device has the other behavior.
  var otherwise: Set<String> = []
  var disallowed: Set<AutomaticDownloads> = []
  var cancelling: Set<String> = []
  var cancelled: Set<String> = []
  var hasApp = false
  var isOnline = true
  var have: [String: (version: Int, language: String?, size: UInt64)] = [:]
  var requested: Set<String> = []
  var refused: Set<String> = []
  /// Packs whose prefetch failed.
  var missed: Set<String> = []
  /// Faults of packs or of `manifest`, each with its remaining count; nil for no limit.
  var faults: [(fault: DownloadFault, left: Int?)] = []
  var wanted: [String] = []
  var primary: String?
  var chosen: String?
  var platform = Platform.iOS
  var system = DeviceSystem(27)
  var free: UInt64?
  /// The time in hours.
  var clock = 0
  var lastLaunch: Int?
  var lastPoll = 0
  private(set) var effects = StepEffects()

  var used: UInt64 { have.values.reduce(0) { $0 + $1.size } }

  /// Returns a pack of the known manifest if it is offered to the device.
  func offer(_ id: String) -> Pack? {
    guard let pack = known?.first(where: { $0.id == id })?.pack else { return nil }
    let isForPlatform = pack.platforms.isEmpty || pack.platforms.contains(platform)
    return isForPlatform && (system.major >= 27 || pack.language == nil) ? pack : nil
  }

  private var offers: [String] { known?.map(\.id).filter { offer($0) != nil } ?? [] }

  /// The packs that the channel of the device offers; nil if it offers none.
  private var offered: [(id: String, pack: Pack)]? {
    guard let live = live[channel], live.release != nil || !live.submitted.isEmpty else {
      return nil
    }
    var packs =
      live.release.map { number in
        order[number].compactMap { id in releases[number][id].map { (id, $0) } }
      } ?? []
    for (id, number) in live.submitted.sorted(by: { $0.key < $1.key }) {
      guard let pack = releases[number][id] else { continue }
      if let place = packs.firstIndex(where: { $0.0 == id }) {
        packs[place].1 = pack
      } else {
        packs.append((id, pack))
      }
    }
    return packs.map { (id: $0.0, pack: $0.1) }
  }

  /// The resolved language, for the few languages of the tests: `es-MX` matches `es-US`.
  var language: String? {
    guard system.major >= 27 else { return nil }
    let there = Set(offers.compactMap { offer($0)?.language })
    func match(_ tag: String) -> String? {
      if there.contains(tag) { return tag }
      return tag == "es-MX" && there.contains("es-US") ? "es-US" : nil
    }
    if let chosen { return match(chosen) }
    return wanted.lazy.compactMap(match).first ?? primary.flatMap { there.contains($0) ? $0 : nil }
  }

  /// Returns the kind of the fault that applies to the next request, if any.
  private mutating func strikes(_ subject: String) -> String? {
    for index in faults.indices where "\(faults[index].fault.subject)" == subject {
      let fault = faults[index].fault
      let kind = "\(fault)".split(separator: ":").last?.drop { $0 == " " } ?? ""
      guard let left = faults[index].left else { return String(kind) }
      if left > 0 {
        faults[index].left = left - 1
        return String(kind)
      }
    }
    return nil
  }

  /// Whether the settings of the user prevent an automatic download.
  private func isDisallowed(_ pack: Pack) -> Bool {
    if disallowed.contains(.inAppContent) { return true }
    guard case .essential = pack.policy else { return !disallowed.isEmpty }
    return false
  }

  private mutating func fetch() -> Bool {
    guard isOnline, let offered, strikes("manifest") == nil else { return false }
    known = offered
    return true
  }

  /// Downloads a pack; with `bySystem`, the extension can refuse a new pack.
  private mutating func download(_ id: String, bySystem: Bool, byHand: Bool) -> Bool {
    guard let pack = offer(id) else { return false }
    var mayRepeat = otherwise.contains("retries")
    func comes(_ model: inout Self) -> Bool {
      guard model.isOnline, model.offered != nil else { return false }
      // The archive needs space before the download. Its contents need space after the download.
      let archive = model.otherwise.contains("low-storage") ? 0 : pack.size
      if let free = model.free, archive > 0, model.used + archive > free {
        mayRepeat = false
        return false
      }
      if model.cancelling.remove(id) != nil {
        let isFirst = model.cancelled.insert(id).inserted
        if isFirst || model.system.major > 26 || model.system.minor > 3 {
          mayRepeat = false
          return false
        }
      }
      if let kind = model.strikes(id) {
        // Only a connection that ends is repeated; a damaged archive is not.
        if kind.hasPrefix("truncate") || kind.hasPrefix("corrupt") { mayRepeat = false }
        return false
      }
      if let free = model.free, model.used + archive + pack.size > free {
        mayRepeat = false
        return false
      }
      return true
    }
    if bySystem, have[id] == nil, refused.contains(id) {
      effects.failed.insert(id)
      effects.refused.insert(id)
      return false
    }
    if bySystem, isDisallowed(pack) {
      effects.failed.insert(id)
      effects.withheld.insert(id)
      return false
    }
    guard comes(&self) || mayRepeat && isOnline && offered != nil && comes(&self) else {
      effects.failed.insert(id)
      return false
    }
    effects.downloads.append((id, have[id] != nil, pack.size, pack.policy))
    have[id] = (pack.version, pack.language, pack.size)
    missed.remove(id)
    if byHand { requested.insert(id) }
    return true
  }

  private func isOld(_ id: String) -> Bool {
    guard let own = have[id], let pack = offer(id) else { return false }
    return pack.version > own.version
  }

  private func comes(_ id: String, on event: InstallationEvent) -> (essential: Bool, prefetch: Bool)
  {
    guard let pack = offer(id), pack.language == nil || pack.language == language else {
      return (false, false)
    }
    switch pack.policy {
    case .essential(let events): return (events.contains(event), false)
    case .prefetch(let events): return (false, events.contains(event))
    case .onDemand: return (false, false)
    }
  }

  private mutating func install(_ event: InstallationEvent) -> Bool {
    guard (event == .firstInstallation) != hasApp else {
      effects.isIgnored = true
      return false
    }
    guard fetch() else { return false }
    for id in offers where comes(id, on: event).essential && (have[id] == nil || isOld(id)) {
      if have[id] == nil, refused.contains(id) {
        effects.failed.insert(id)
        effects.refused.insert(id)
        if blocksLaunch, otherwise.contains("refused-essential") { return false }
      } else if !download(id, bySystem: true, byHand: false), blocksLaunch,
        !effects.withheld.contains(id)
      {
        return false
      }
    }
    if !hasApp { lastPoll = clock }
    hasApp = true
    for id in offers where comes(id, on: event).prefetch && (have[id] == nil || isOld(id)) {
      let came = download(id, bySystem: true, byHand: false)
      if !came, have[id] == nil, !refused.contains(id) { missed.insert(id) }
    }
    if event == .subsequentUpdate, otherwise.contains("update-of-app") { updateInstalled() }
    return true
  }

  private mutating func update() {
    guard fetch() else { return }
    updateInstalled()
    if otherwise.contains("missed-prefetch") { return }
    // A pack that is no longer a prefetch pack, or is refused now, is no longer missed.
    for id in missed {
      if case .prefetch? = offer(id)?.policy, !refused.contains(id) { continue }
      missed.remove(id)
    }
    for id in offers where missed.contains(id) {
      guard offer(id)?.language == nil || offer(id)?.language == language else { continue }
      _ = download(id, bySystem: true, byHand: false)
    }
  }

  private mutating func updateInstalled() {
    for id in have.keys.sorted(by: { PackID($0) < PackID($1) }) {
      if offer(id) == nil {
        forget(id)
        effects.removed.insert(id)
      } else if isOld(id) {
        _ = download(id, bySystem: false, byHand: false)
      }
    }
  }

  private mutating func forget(_ id: String) {
    have[id] = nil
    requested.remove(id)
  }

  private mutating func wait(_ hours: Int) {
    let end = clock + hours
    while clock <= end {
      if hasApp, let lastLaunch, clock <= lastLaunch + 28 * 24 {
        let isDaily = max(lastPoll + 24, clock) <= lastLaunch + 7 * 24
        if clock >= lastPoll + (isDaily ? 24 : 7 * 24) {
          lastPoll = clock
          if disallowed.isDisjoint(with: [.normalPower, .backgroundRefresh]) { update() }
        }
      }
      clock += 1
    }
    clock = end
  }

  /// Plays a step, and returns false if an installation or an update of the app fails.
  @discardableResult
  mutating func play(_ step: Step) -> Bool {
    effects = StepEffects()
    let needsApp =
      switch step {
      case .launch, .request, .checkForUpdates, .read, .setLanguage, .reconcile, .remove,
        .uninstall:
        true
      default: false
      }
    if needsApp, !hasApp {
      effects.isIgnored = true
      return true
    }
    switch step {
    case .device, .release, .submit, .uninstall, .cancel, .allow: change(step)
    case .install: return install(.firstInstallation)
    case .updateApp: return install(.subsequentUpdate)
    case .request(let ids, let latest): request(ids.map(\.text), latest: latest)
    case .checkForUpdates: update()
    case .deviceLanguage(let tags):
      wanted = tags.map(\.description)
      if hasApp, otherwise.contains("language-change") { reconcile() }
    case .setLanguage(let tag): chosen = tag?.description
    case .reconcile: reconcile()
    case .refuse(let ids): refused.formUnion(ids.map(\.text))
    case .remove(let ids):
      for id in ids.map(\.text) {
        if have[id] == nil {
          effects.failed.insert(id)
          effects.absent.insert(id)
        } else {
          forget(id)
          effects.removed.insert(id)
        }
      }
    case .wait(let time): wait(Int(time / 3_600_000))
    case .online: isOnline = true
    case .offline: isOnline = false
    case .fault(let fault):
      faults.removeAll { $0.fault == fault }
      let left: Int? = if case .first(let count) = fault.turns { count } else { nil }
      faults.append((fault, left))
    case .launch:
      lastLaunch = clock
      if otherwise.contains("launch") { update() }
    case .read, .status: break
    }
    return true
  }

  /// Changes the device, the server or a setting.
  private mutating func change(_ step: Step) {
    switch step {
    case .device(let profile, _):
      channel = profile.channel
      blocksLaunch = profile.essentialFailure == .blocksLaunch
      otherwise = Set(profile.otherwise.map(\.id))
      platform = profile.platform
      system = profile.system
      wanted = profile.languages.map(\.description)
      primary = profile.primaryLanguage?.description
      free = profile.free
    case .release(let number, let channel):
      for channel in channel.map({ [$0] }) ?? Channel.allCases { live[channel] = (number, [:]) }
    case .submit(let channel, let ids):
      guard let number = live[.internal]?.release else {
        effects.isIgnored = true
        break
      }
      for id in ids.isEmpty ? order[number] : ids.map(\.text) {
        if releases[number][id] == nil {
          effects.isIgnored = true
        } else {
          live[channel, default: (nil, [:])].submitted[id] = number
        }
      }
    case .uninstall:
      (have, requested, missed, cancelling, cancelled) = ([:], [], [], [], [])
      (hasApp, known, chosen, lastLaunch) = (false, nil, nil, nil)
    case .cancel(let ids): cancelling.formUnion(ids.map(\.text))
    case .allow(let condition, let isAllowed):
      if isAllowed { disallowed.remove(condition) } else { disallowed.insert(condition) }
    default: break
    }
  }

  /// Performs a request of the app for packs.
  private mutating func request(_ ids: [String], latest: Bool) {
    if latest || ids.contains(where: { have[$0] == nil }) { _ = fetch() }
    for id in ids {
      if have[id] != nil { requested.insert(id) }
      if offer(id) == nil, latest || have[id] == nil {
        if have[id] != nil, otherwise.contains("latest-of-obsolete") { continue }
        effects.failed.insert(id)
        effects.absent.insert(id)
      } else if have[id] == nil || latest && isOld(id), let own = offer(id)?.language,
        own != language, otherwise.contains("language-request")
      {
        effects.failed.insert(id)
        effects.absent.insert(id)
      } else if have[id] == nil || latest && isOld(id) {
        _ = download(id, bySystem: false, byHand: true)
      }
    }
  }

  /// Updates the localized packs for the languages of the device.
  private mutating func reconcile() {
    _ = fetch()
    guard system.major >= 27, known != nil else { return }
    let groups: [(Self, String) -> Bool] = [
      { $0.comes($1, on: .firstInstallation).essential },
      { $0.comes($1, on: .firstInstallation).prefetch },
    ]
    for isNeeded in groups {
      for id in offers where offer(id)?.language != nil && isNeeded(self, id) {
        if have[id] == nil || isOld(id) { _ = download(id, bySystem: false, byHand: false) }
      }
    }
    if otherwise.contains("reconcile-on-demand") {
      for id in offers {
        guard let pack = offer(id), let own = pack.language, own == language else { continue }
        let needed = comes(id, on: .firstInstallation)
        if !needed.essential, !needed.prefetch, have[id] == nil || isOld(id) {
          _ = download(id, bySystem: false, byHand: false)
        }
      }
    }
    let language = language
    for (id, pack) in have where pack.language != nil && pack.language != language {
      if !requested.contains(id) {
        forget(id)
        effects.removed.insert(id)
      }
    }
  }
}
