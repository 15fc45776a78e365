import AssetServer
import BAPackKit
import DeviceSimulator
import TestSupport
import Testing

/// A second device, written from the reference and not from the simulator: it keeps versions in a
/// dictionary and says after each step what a device may have.
private struct Model {
  struct Pack {
    var version: Int
    var policy: DownloadPolicy
    var language: String?
    var platforms: [Platform]
    var size: UInt64
  }

  var releases: [[String: Pack]] = []
  var order: [[String]] = []
  var server: Int?
  var known: Int?
  var hasApp = false
  var isOnline = true
  var have: [String: (version: Int, language: String?, size: UInt64)] = [:]
  var asked: Set<String> = []
  var refused: Set<String> = []
  /// The packs whose archives do not come, and whether the manifest does.
  var broken: Set<String> = []
  var wanted: [String] = []
  var primary: String?
  var chosen: String?
  var platform = Platform.iOS
  var system = 27
  var free: UInt64?

  var used: UInt64 { have.values.reduce(0) { $0 + $1.size } }

  /// What the device is offered of the manifest that it knows.
  private func offer(_ id: String) -> Pack? {
    guard let known, let pack = releases[known][id] else { return nil }
    let isForPlatform = pack.platforms.isEmpty || pack.platforms.contains(platform)
    return isForPlatform && (system >= 27 || pack.language == nil) ? pack : nil
  }

  private var offers: [String] { known.map { order[$0].filter { offer($0) != nil } } ?? [] }

  /// By hand, for the few languages that are played with: `es-MX` finds `es-US`.
  private var language: String? {
    guard system >= 27 else { return nil }
    let there = Set(offers.compactMap { offer($0)?.language })
    func match(_ tag: String) -> String? {
      if there.contains(tag) { return tag }
      return tag == "es-MX" && there.contains("es-US") ? "es-US" : nil
    }
    if let chosen { return match(chosen) }
    return wanted.lazy.compactMap(match).first ?? primary.flatMap { there.contains($0) ? $0 : nil }
  }

  private mutating func fetch() -> Bool {
    guard isOnline, let server, !broken.contains("manifest") else { return false }
    known = server
    return true
  }

  private mutating func download(_ id: String, bySystem: Bool, byHand: Bool) -> Bool {
    guard let pack = offer(id), isOnline, !(bySystem && refused.contains(id)) else { return false }
    if let free, used + pack.size * 2 > free { return false }
    if broken.contains(id) { return false }
    have[id] = (pack.version, pack.language, pack.size)
    if byHand { asked.insert(id) }
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

  private mutating func install(_ event: InstallationEvent) {
    guard (event == .firstInstallation) != hasApp, fetch() else { return }
    for id in offers where comes(id, on: event).essential && (have[id] == nil || isOld(id)) {
      if refused.contains(id) { continue }
      if !download(id, bySystem: true, byHand: false) { return }
    }
    hasApp = true
    for id in offers where comes(id, on: event).prefetch && (have[id] == nil || isOld(id)) {
      _ = download(id, bySystem: true, byHand: false)
    }
  }

  private mutating func update() {
    guard hasApp, fetch() else { return }
    for id in have.keys.sorted(by: { PackID($0) < PackID($1) }) {
      if offer(id) == nil {
        forget(id)
      } else if isOld(id) {
        _ = download(id, bySystem: false, byHand: false)
      }
    }
  }

  private mutating func forget(_ id: String) {
    have[id] = nil
    asked.remove(id)
  }

  mutating func play(_ step: Step) {
    switch step {
    case .device(let profile):
      platform = profile.platform
      system = profile.system
      wanted = profile.languages.map(\.description)
      primary = profile.primaryLanguage?.description
      free = profile.free
    case .release(let number): server = number
    case .install: install(.firstInstallation)
    case .updateApp: install(.subsequentUpdate)
    case .request(let ids, let latest):
      guard hasApp else { return }
      if latest || ids.contains(where: { have[$0.text] == nil }) { _ = fetch() }
      for id in ids.map(\.text) {
        if have[id] != nil {
          asked.insert(id)
          if latest, isOld(id) { _ = download(id, bySystem: false, byHand: true) }
        } else {
          _ = download(id, bySystem: false, byHand: true)
        }
      }
    case .checkForUpdates: update()
    case .deviceLanguage(let tags): wanted = tags.map(\.description)
    case .setLanguage(let tag): if hasApp { chosen = tag?.description }
    case .reconcile:
      guard hasApp else { return }
      _ = fetch()
      guard system >= 27, known != nil else { return }
      let groups: [(Model, String) -> Bool] = [
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
        if !asked.contains(id) { forget(id) }
      }
    case .refuse(let ids): refused.formUnion(ids.map(\.text))
    case .remove(let ids): if hasApp { for id in ids { forget(id.text) } }
    case .online: isOnline = true
    case .offline: isOnline = false
    case .fault(let fault): broken.insert(fault.subject)
    case .launch, .read, .wait, .status: break
    }
  }
}

@Suite struct ModelTests {
  private static let ids = ["cave", "forest", "island", "tutorial", "late", "en", "es", "fr"]
  private static let languages = ["en": "en", "es": "es-US", "fr": "fr"]
  private static let tags = ["en", "es-MX", "es-US", "fr", "de"]

  private func releases(_ random: inout Seeded) -> ([Release], Model) {
    var model = Model()
    var releases: [Release] = []
    for number in 0..<3 {
      var packs: [ReleasedPack] = []
      var known: [String: Model.Pack] = [:]
      for id in Self.ids where random.next(below: 5) > 0 {
        let events: [Set<InstallationEvent>] = [
          [.firstInstallation], [.subsequentUpdate], [.firstInstallation, .subsequentUpdate],
        ]
        let set = events[random.next(below: 3)]
        let policy: DownloadPolicy =
          [.essential(set), .prefetch(set), .onDemand][random.next(below: 3)]
        let size = UInt64(10 + random.next(below: 100))
        let platforms: [Platform] = random.next(below: 4) == 0 ? [.macOS] : []
        let version = 1 + random.next(below: number + 2)
        packs.append(
          Lantern.pack(
            PackID(id), policy, version: version, size: size, platforms: platforms,
            language: Self.languages[id], files: [id: size]))
        known[id] = Model.Pack(
          version: version, policy: policy, language: Self.languages[id], platforms: platforms,
          size: size)
      }
      releases.append(Release("\(number)", packs))
      model.releases.append(known)
      model.order.append(packs.map(\.id.text))
    }
    return (releases, model)
  }

  private func step(_ random: inout Seeded) throws -> Step {
    func ids() -> [PackID] {
      var ids: [PackID] = []
      for _ in 0...random.next(below: 3) { ids.append(PackID(Self.ids[random.next(below: 8)])) }
      return Array(Set(ids)).sorted()
    }
    func tag() -> LanguageTag? { LanguageTag(Self.tags[random.next(below: 5)]) }
    switch random.next(below: 24) {
    case 0: return .install
    case 1, 2: return .updateApp
    case 3...6: return .request(ids(), latest: random.next(below: 3) == 0)
    case 7...9: return .checkForUpdates
    case 10, 11: return .release(random.next(below: 3))
    case 12: return .setLanguage(random.next(below: 3) == 0 ? nil : tag())
    case 13: return .deviceLanguage([tag(), tag()].compactMap { $0 })
    case 14, 15: return .reconcile
    case 16: return random.next(below: 6) == 0 ? .refuse(ids()) : .launch
    case 17: return .remove(ids())
    case 18: return .offline
    case 19, 20: return .online
    case 21:
      guard random.next(below: 4) == 0 else { return .status }
      let kinds: [Fault.Kind] = [
        .cut(.percent(60)), .reset(.bytes(1)), .status(503), .truncate, .corrupt, .tlsClose,
      ]
      let name = random.next(below: 6) == 0 ? "manifest" : Self.ids[random.next(below: 8)]
      return .fault(Fault(name, kinds[random.next(below: kinds.count)]))
    case 22: return .read(Self.ids[random.next(below: 8)], in: nil, for: nil)
    default:
      var profile = DeviceProfile()
      profile.platform = random.next(below: 4) == 0 ? .macOS : .iOS
      profile.system = random.next(below: 4) == 0 ? 26 : 27
      profile.languages = [tag()].compactMap { $0 }
      profile.primaryLanguage = tag()
      profile.free = random.next(below: 3) == 0 ? UInt64(random.next(below: 900)) : nil
      return .device(profile)
    }
  }

  private func play(seed: UInt64) throws {
    var random = Seeded(seed: seed)
    var (releases, model) = releases(&random)
    let world = World(releases)
    var state = DeviceState()
    var steps: [Step] = [.release(0), .install]
    for _ in 0..<38 { steps.append(try step(&random)) }
    for (number, step) in steps.enumerated() {
      let before = state
      let result = state.after(step, in: world)
      state = result.state
      model.play(step)
      let ours = Dictionary(
        uniqueKeysWithValues: state.installed.map { ($0.key.text, $0.value.pack.version) })
      try #require(
        ours == model.have.mapValues(\.version), "seed \(seed), step \(number): \(step)")
      try #require(state.hasApp == model.hasApp, "seed \(seed), step \(number): \(step)")
      let asked = Set(state.installed.filter { $0.value.isAskedFor }.keys.map(\.text))
      try #require(asked == model.asked, "seed \(seed), step \(number): \(step)")
      // What holds whatever the model says.
      try #require(state.used == model.used)
      try #require(state.clock >= before.clock)
      for event in result.events {
        guard case .downloaded(let download) = event.kind else { continue }
        try #require(before.isOnline && download.version > (download.previous ?? 0))
      }
    }
  }

  @Test func `a device is in no state that a model written from the reference does not allow`()
    throws
  {
    for seed in 0..<UInt64(25) { try play(seed: seed) }
  }

  @Test(.heavy) func `500 scenarios of 40 steps reach no state that the model does not allow`()
    throws
  {
    for seed in 1000..<UInt64(1500) { try play(seed: seed) }
  }
}
