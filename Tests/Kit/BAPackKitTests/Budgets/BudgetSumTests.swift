import BAPackKit
import TestSupport
import Testing

/// The sums of budgets, compared with sums over all devices and files.
@Suite struct BudgetSumTests {
  private static func random(_ random: inout Seeded) -> [BudgetTests.Pack] {
    func events() -> Set<InstallationEvent> {
      Set(InstallationEvent.allCases.shuffled(using: &random).prefix(1 + Int(random.next() % 2)))
    }
    return (0..<Int(random.next() % 14)).map { number in
      let policy: DownloadPolicy =
        switch random.next() % 3 {
        case 0: .essential(events())
        case 1: .prefetch(events())
        default: .onDemand
        }
      let platforms = Platform.allCases.shuffled(using: &random).prefix(Int(random.next() % 4))
      let language = [nil, nil, "en", "fr", "zh-Hant"].randomElement(using: &random) ?? nil
      let id = "\(["voices", "music", "level"][Int(random.next() % 3)])-\(number)"
      return BudgetTests.pack(
        PackID(id), random.next() >> 30, policy, on: Array(platforms), for: language,
        files: (0..<Int(random.next() % 4)).map {
          (
            "\(["a", "b"][$0 % 2])/\($0).\(["wav", "png"][Int(random.next() % 2)])",
            random.next() >> 40
          )
        })
    }
  }

  /// Returns the largest sum of any device.
  private static func most(
    _ packs: [BudgetTests.Pack], _ size: (BudgetTests.Pack, InstallationEvent) -> UInt64
  ) -> UInt64 {
    var most: UInt64 = 0
    for platform in Platform.allCases {
      for event in InstallationEvent.allCases {
        for language in [nil, "en", "fr", "zh-Hant"] as [String?] {
          var sum: UInt64 = 0
          for pack in packs
          where (pack.platforms.isEmpty || pack.platforms.contains(platform))
            && (pack.language == nil || pack.language?.description == language)
          { sum += size(pack, event) }
          most = max(most, sum)
        }
      }
    }
    return most
  }

  @Test(arguments: 0..<200 as Range<UInt64>)
  func `every sum equals the sum over all devices and files`(_ seed: UInt64)
    throws
  {
    var random = Seeded(seed: seed)
    let packs = Self.random(&random)
    var update: [PackID: UInt64] = [:]
    for pack in packs where random.next() % 2 == 0 { update[pack.id] = random.next() >> 20 }
    func used(_ name: String) throws -> UInt64 {
      let use = try BudgetTests.use(name, "1G", packs, update: update)
      #expect(
        use.contributors.reduce(0) { $0 + $1.size } + use.others.size == use.used, "\(name)")
      let sizes = use.contributors.map { $0.size }
      #expect(sizes == sizes.sorted(by: >))
      return use.used
    }
    let essential = Self.most(packs) { pack, event in
      guard case .essential(let events) = pack.policy, events.contains(event) else { return 0 }
      return pack.archiveSize ?? 0
    }
    #expect(try used("essential") == essential)
    #expect(
      DownloadPlan.largestSize(
        of: packs.map {
          OfferedPack(
            id: $0.id, policy: $0.policy, platforms: $0.platforms, language: $0.language,
            size: PackSize(download: $0.archiveSize ?? 0))
        }, at: .beforeLaunch
      ).download == essential)
    #expect(try used("total") == Self.most(packs) { pack, _ in pack.archiveSize ?? 0 })
    #expect(try used("update") == update.values.reduce(0, +))
    #expect(try used("hosted") == packs.reduce(0) { $0 + ($1.archiveSize ?? 0) })
    #expect(
      try used("voices-*")
        == packs.filter { $0.id.text.hasPrefix("voices-") }.reduce(0) { $0 + ($1.archiveSize ?? 0) }
    )
    var files: UInt64 = 0
    for pack in packs {
      pack.files? { path, size in
        if path.text.hasPrefix("a/"), path.text.hasSuffix(".wav") { files += size }
      }
    }
    #expect(try used("a/*.wav") == files)
  }
}
