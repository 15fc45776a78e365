import BAPackKit
import DeviceSimulator
import Faults
import TestSupport
import Testing

@Suite struct ModelTests {
  private static let ids = ["cave", "forest", "island", "tutorial", "late", "en", "es", "fr"]
  private static let languages = ["en": "en", "es": "es-US", "fr": "fr"]
  private static let tags = ["en", "es-MX", "es-US", "fr", "de"]

  private func releases(_ random: inout Seeded) -> ([Release], DeviceModel) {
    var model = DeviceModel()
    var releases: [Release] = []
    for number in 0..<3 {
      var packs: [ReleasedPack] = []
      var known: [String: DeviceModel.Pack] = [:]
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
        known[id] = DeviceModel.Pack(
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
    func channel() -> Channel { Channel.allCases[random.next(below: 3)] }
    switch random.next(below: 30) {
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
      let kinds = ["cut 60%", "reset 0", "status 503", "truncate", "corrupt", "tls-close"]
      let name = random.next(below: 6) == 0 ? "manifest" : Self.ids[random.next(below: 8)]
      let kind = kinds[random.next(below: kinds.count)]
      return .fault(try DownloadFault(parsing: "\(name): \(kind)"))
    case 22: return .read(Self.ids[random.next(below: 8)], in: nil, for: nil)
    case 23: return .release(random.next(below: 3), in: channel())
    case 24:
      return .submit(
        random.next(below: 2) == 0 ? .store : .external, random.next(below: 2) == 0 ? [] : ids())
    case 25: return random.next(below: 3) == 0 ? .uninstall : .install
    case 26: return .cancel(ids())
    case 27:
      return .allow(AutomaticDownloads.allCases[random.next(below: 3)], random.next(below: 2) == 0)
    default:
      var profile = DeviceProfile()
      profile.channel = random.next(below: 2) == 0 ? .store : channel()
      profile.essentialFailure = EssentialFailure.allCases[random.next(below: 2)]
      for rule in SemanticRule.switchable where random.next(below: 4) == 0 {
        profile.otherwise.insert(rule)
      }
      profile.platform = random.next(below: 4) == 0 ? .macOS : .iOS
      profile.system = DeviceSystem(
        random.next(below: 4) == 0 ? 26 : 27, random.next(below: 5))
      profile.languages = [tag()].compactMap { $0 }
      profile.primaryLanguage = tag()
      profile.free = random.next(below: 3) == 0 ? UInt64(random.next(below: 900)) : nil
      return .device(profile)
    }
  }

  private func play(seed: UInt64) throws {
    var random = Seeded(seed: seed)
    var (releases, model) = releases(&random)
    let source = ReleaseSource(releases)
    var state = DeviceState()
    var steps: [Step] = [.release(0), .install]
    for _ in 0..<38 { steps.append(try step(&random)) }
    for (number, step) in steps.enumerated() {
      let before = state
      let result = state.after(step, in: source)
      state = result.state
      model.play(step)
      let ours = Dictionary(
        uniqueKeysWithValues: state.installed.map { ($0.key.text, $0.value.pack.version) })
      try #require(
        ours == model.have.mapValues(\.version), "seed \(seed), step \(number): \(step)")
      try #require(state.hasApp == model.hasApp, "seed \(seed), step \(number): \(step)")
      let requested = Set(state.installed.filter { $0.value.isRequested }.keys.map(\.text))
      try #require(requested == model.requested, "seed \(seed), step \(number): \(step)")
      // Facts that are true independently of the model.
      try #require(state.used == model.used)
      try #require(state.clock >= before.clock)
      for event in result.events {
        guard case .downloaded(let download) = event.kind else { continue }
        try #require(before.isOnline && download.version > (download.previous ?? 0))
      }
    }
  }

  @Test func `a device has only states that the model allows`()
    throws
  {
    for seed in 0..<UInt64(25) { try play(seed: seed) }
  }

  @Test(.heavy) func `500 scenarios of 40 steps reach only states that the model allows`()
    throws
  {
    for seed in 1000..<UInt64(1500) { try play(seed: seed) }
  }
}
