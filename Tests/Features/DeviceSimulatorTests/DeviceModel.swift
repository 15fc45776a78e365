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
    /// Whether the step has no effect, because it requires the app or requires its absence.
    var isIgnored = false
  }

  var releases: [[String: Pack]] = []
  var order: [[String]] = []
  var server: Int?
  var known: Int?
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
  var system = 27
  var free: UInt64?
  /// The time in hours.
  var clock = 0
  var lastLaunch: Int?
  var lastPoll = 0
  private(set) var effects = StepEffects()

  var used: UInt64 { have.values.reduce(0) { $0 + $1.size } }

  /// Returns a pack of the known manifest if it is offered to the device.
  func offer(_ id: String) -> Pack? {
    guard let known, let pack = releases[known][id] else { return nil }
    let isForPlatform = pack.platforms.isEmpty || pack.platforms.contains(platform)
    return isForPlatform && (system >= 27 || pack.language == nil) ? pack : nil
  }

  private var offers: [String] { known.map { order[$0].filter { offer($0) != nil } } ?? [] }

  /// The resolved language, for the few languages of the tests: `es-MX` matches `es-US`.
  var language: String? {
    guard system >= 27 else { return nil }
    let there = Set(offers.compactMap { offer($0)?.language })
    func match(_ tag: String) -> String? {
      if there.contains(tag) { return tag }
      return tag == "es-MX" && there.contains("es-US") ? "es-US" : nil
    }
    if let chosen { return match(chosen) }
    return wanted.lazy.compactMap(match).first ?? primary.flatMap { there.contains($0) ? $0 : nil }
  }

  private mutating func strikes(_ subject: String) -> Bool {
    for index in faults.indices where "\(faults[index].fault.subject)" == subject {
      guard let left = faults[index].left else { return true }
      if left > 0 {
        faults[index].left = left - 1
        return true
      }
    }
    return false
  }

  private mutating func fetch() -> Bool {
    guard isOnline, let server, !strikes("manifest") else { return false }
    known = server
    return true
  }

  /// Downloads a pack; with `bySystem`, the extension can refuse a new pack.
  private mutating func download(_ id: String, bySystem: Bool, byHand: Bool) -> Bool {
    guard let pack = offer(id) else { return false }
    func comes(_ model: inout Self) -> Bool {
      if bySystem, model.have[id] == nil, model.refused.contains(id) { return false }
      guard model.isOnline, model.server != nil else { return false }
      // The archive needs space before the download. Its contents need space after the download.
      if let free = model.free, model.used + pack.size > free { return false }
      if model.strikes(id) { return false }
      if let free = model.free, model.used + pack.size * 2 > free { return false }
      return true
    }
    guard comes(&self) else {
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
      } else if !download(id, bySystem: true, byHand: false) {
        return false
      }
    }
    if !hasApp { lastPoll = clock }
    hasApp = true
    for id in offers where comes(id, on: event).prefetch && (have[id] == nil || isOld(id)) {
      let came = download(id, bySystem: true, byHand: false)
      if !came, have[id] == nil, !refused.contains(id) { missed.insert(id) }
    }
    return true
  }

  private mutating func update() {
    guard fetch() else { return }
    for id in have.keys.sorted(by: { PackID($0) < PackID($1) }) {
      if offer(id) == nil {
        forget(id)
        effects.removed.insert(id)
      } else if isOld(id) {
        _ = download(id, bySystem: false, byHand: false)
      }
    }
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
          update()
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
      case .launch, .request, .checkForUpdates, .read, .setLanguage, .reconcile, .remove: true
      default: false
      }
    if needsApp, !hasApp {
      effects.isIgnored = true
      return true
    }
    switch step {
    case .device(let profile):
      platform = profile.platform
      system = profile.system
      wanted = profile.languages.map(\.description)
      primary = profile.primaryLanguage?.description
      free = profile.free
    case .release(let number): server = number
    case .install: return install(.firstInstallation)
    case .updateApp: return install(.subsequentUpdate)
    case .request(let ids, let latest): request(ids.map(\.text), latest: latest)
    case .checkForUpdates: update()
    case .deviceLanguage(let tags): wanted = tags.map(\.description)
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
    case .launch: lastLaunch = clock
    case .read, .status: break
    }
    return true
  }

  /// Performs a request of the app for packs.
  private mutating func request(_ ids: [String], latest: Bool) {
    if latest || ids.contains(where: { have[$0] == nil }) { _ = fetch() }
    for id in ids {
      if have[id] != nil { requested.insert(id) }
      if offer(id) == nil, latest || have[id] == nil {
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
    guard system >= 27, known != nil else { return }
    let groups: [(Self, String) -> Bool] = [
      { $0.comes($1, on: .firstInstallation).essential },
      { $0.comes($1, on: .firstInstallation).prefetch },
    ]
    for isNeeded in groups {
      for id in offers where offer(id)?.language != nil && isNeeded(self, id) {
        if have[id] == nil || isOld(id) { _ = download(id, bySystem: false, byHand: false) }
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
