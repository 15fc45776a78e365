import BAPackKit
import TestSupport
import Testing

@Suite("Download plans")
struct DownloadPlanTests {
  private static func pack(
    _ id: PackID, _ policy: DownloadPolicy, on platforms: [Platform] = [],
    for language: String? = nil,
    _ download: UInt64, _ unpacked: UInt64
  ) -> OfferedPack {
    OfferedPack(
      id: id, policy: policy, platforms: platforms, language: language.flatMap { LanguageTag($0) },
      size: PackSize(download: download, unpacked: unpacked))
  }

  /// The packs of a game: a tutorial, two languages, textures for phones, a level, and news.
  private let game = [
    pack("tutorial", .essential([.firstInstallation, .subsequentUpdate]), 1000, 4000),
    pack("voices-en", .essential([.firstInstallation]), for: "en", 300, 500),
    pack("voices-fr", .essential([.firstInstallation]), for: "fr", 350, 450),
    pack("textures", .prefetch([.firstInstallation]), on: [.iOS, .visionOS], 20_000, 30_000),
    pack("level-2", .onDemand, 70, 90),
    pack("news", .prefetch([.subsequentUpdate]), 5, 6),
  ]

  private func ids(_ group: DownloadPlan.Group) -> [String] { group.packs.map(\.id.text) }

  @Test
  func `the plan of a first installation on a phone in French`() {
    let plan = DownloadPlan(
      of: game, on: Device(platform: .iOS, language: LanguageTag("fr")))
    #expect(ids(plan.beforeLaunch) == ["tutorial", "voices-fr"])
    #expect(plan.beforeLaunch.size == PackSize(download: 1350, unpacked: 4450))
    #expect(ids(plan.inBackground) == ["textures"])
    #expect(plan.inBackground.size == PackSize(download: 20_000, unpacked: 30_000))
    #expect(ids(plan.onRequest) == ["level-2", "news"])
    #expect(plan.onRequest.size == PackSize(download: 75, unpacked: 96))
    #expect(ids(plan.offered) == ["tutorial", "voices-fr", "textures", "level-2", "news"])
    #expect(plan.offered.size == PackSize(download: 21_425, unpacked: 34_546))
  }

  @Test
  func `packs for first installations are on request during an update`() {
    let plan = DownloadPlan(
      of: game,
      on: Device(platform: .macOS, event: .subsequentUpdate, language: LanguageTag("en")))
    #expect(ids(plan.beforeLaunch) == ["tutorial"])
    #expect(ids(plan.inBackground) == ["news"])
    #expect(ids(plan.onRequest) == ["voices-en", "level-2"])
    #expect(plan.onRequest.size == PackSize(download: 370, unpacked: 590))
  }

  @Test
  func `a device without a language downloads only packs without a language`() {
    let plan = DownloadPlan(of: game, on: Device(platform: .tvOS))
    #expect(ids(plan.offered) == ["tutorial", "level-2", "news"])
    let other = DownloadPlan(of: game, on: Device(platform: .tvOS, language: LanguageTag("de")))
    #expect(other == plan)
  }

  @Test
  func `the plan of a platform contains every language and every event`() {
    let plan = DownloadPlan(ofAll: game, on: .macOS)
    #expect(ids(plan.beforeLaunch) == ["tutorial", "voices-en", "voices-fr"])
    #expect(plan.beforeLaunch.size == PackSize(download: 1650, unpacked: 4950))
    #expect(ids(plan.inBackground) == ["news"])
    #expect(ids(DownloadPlan(ofAll: game).inBackground) == ["textures", "news"])
  }

  @Test
  func `the largest size of a device contains only one language`() {
    // The download is larger in French, the unpacked size is larger in English.
    #expect(
      DownloadPlan.largestSize(of: game, at: .beforeLaunch)
        == PackSize(download: 1350, unpacked: 4500))
    #expect(
      DownloadPlan.largestSize(of: game, at: .inBackground)
        == PackSize(download: 20_000, unpacked: 30_000))
    #expect(DownloadPlan.largestSize(of: [], at: .onRequest) == PackSize())
  }

  @Test
  func `sums do not overflow`() {
    let packs = [
      Self.pack("a", .essential, .max, 1), Self.pack("b", .essential, 2, .max),
      Self.pack("c", .onDemand, 3, 3),
    ]
    let plan = DownloadPlan(of: packs, on: Device(platform: .iOS))
    #expect(plan.beforeLaunch.size == PackSize(download: .max, unpacked: .max))
    #expect(plan.offered.size == PackSize(download: .max, unpacked: .max))
    #expect(plan.onRequest.size == PackSize(download: 3, unpacked: 3))
  }

  @Test
  func `the sizes in a property list are the sums of a plan`() {
    let plan = DownloadPlan(ofAll: game)
    let sizes = InfoPlist.SizeKey.allCases.map { $0.size(of: plan) }
    #expect(sizes == [1650, 20_005, 4950, 30_006])
  }

  private static func random(_ random: inout Seeded) -> [OfferedPack] {
    func events() -> Set<InstallationEvent> {
      Set(InstallationEvent.allCases.shuffled(using: &random).prefix(1 + Int(random.next() % 2)))
    }
    return (0..<Int(random.next() % 12)).map { number in
      let policy: DownloadPolicy =
        switch random.next() % 3 {
        case 0: .essential(events())
        case 1: .prefetch(events())
        default: .onDemand
        }
      let platforms = Platform.allCases.shuffled(using: &random).prefix(Int(random.next() % 4))
      let language = [nil, nil, "en", "fr", "zh-Hant"].randomElement(using: &random) ?? nil
      // Some sizes are near the maximum, so that sums would overflow.
      let shift = random.next() % 8 == 0 ? 0 : 20 + random.next() % 40
      return pack(
        PackID("p\(number)"), policy, on: Array(platforms), for: language,
        random.next() >> shift, random.next() >> shift)
    }
  }

  @Test
  func `each offered pack is in one group, and the sums are correct`() {
    var random = Seeded(seed: 21)
    for _ in 0..<100 {
      let packs = Self.random(&random)
      for device in Device.all(for: packs) {
        let plan = DownloadPlan(of: packs, on: device)
        let parts = DownloadTime.allCases.map { plan[$0] }
        #expect(parts.map(\.size).sum == plan.offered.size)
        #expect(plan.offered.size == plan.offered.packs.map(\.size).sum)
        #expect(parts.allSatisfy { $0.size == $0.packs.map(\.size).sum })
        #expect(
          parts.flatMap(\.packs).map(\.id).sorted() == plan.offered.packs.map(\.id).sorted())
        #expect(plan.offered.packs == packs.filter { $0.isOffered(to: device) })
      }
    }
  }

  @Test
  func `no device downloads more than the size in the property list`() {
    var random = Seeded(seed: 22)
    var wasReached = 0
    for _ in 0..<100 {
      let packs = Self.random(&random)
      for key in InfoPlist.SizeKey.allCases {
        let most = key.size(of: DownloadPlan(ofAll: packs))
        let largest = DownloadPlan.largestSize(of: packs, at: key.time)
        #expect((key.isDownload ? largest.download : largest.unpacked) <= most)
        for device in Device.all(for: packs) {
          let own = key.size(of: DownloadPlan(of: packs, on: device))
          #expect(own <= key.size(of: DownloadPlan(ofAll: packs, on: device.platform)))
          #expect(own <= (key.isDownload ? largest.download : largest.unpacked))
          if own == most, own > 0 { wasReached += 1 }
        }
      }
    }
    #expect(wasReached > 0)
  }
}

extension Device {
  /// Returns one device for each combination of platform, event and language of the packs.
  fileprivate static func all(for packs: [OfferedPack]) -> [Device] {
    let languages = [nil] + packs.compactMap(\.language).inOrder.map(Optional.some)
    return Platform.allCases.flatMap { platform in
      InstallationEvent.allCases.flatMap { event in
        languages.map { Device(platform: platform, event: event, language: $0) }
      }
    }
  }
}
