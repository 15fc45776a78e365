import BAPackKit
import DeviceSimulator
import SystemIO
import TestSupport
import Testing

@Suite struct ComparingTests {
  @Test func `languages are compared with the primary one`() throws {
    var packs = Lantern.one.packs
    packs.append(
      Lantern.pack(
        "texts-en", .onDemand, language: "en", files: ["Texts/a.txt": 1, "Texts/b.txt": 1]))
    packs.append(Lantern.pack("texts-fr", .onDemand, language: "fr", files: ["Texts/a.txt": 2]))
    var profile = DeviceProfile()
    profile.primaryLanguage = LanguageTag("en")
    profile.languages = [try #require(LanguageTag("ja"))]
    let matrix = DeviceMatrix(.languages, for: profile) { _ in Release("r", packs) }
    #expect(matrix.rows.map(\.name) == ["en", "ja", "es-US", "fr"])
    #expect(matrix.rows.map { $0.language?.description } == ["en", "en", "es-US", "fr"])
    #expect(
      matrix.rows.map(\.missing) == [[], [], ["Texts/a.txt", "Texts/b.txt"], ["Texts/b.txt"]])
    #expect(matrix.rows[0].downloaded == ["tutorial", "island", "voices-en"])
    #expect(matrix.rows[3].downloaded == ["tutorial", "island"])
    #expect(matrix.rows[0].essential + matrix.rows[0].prefetch == 300)
    #expect(matrix.comparison == "en")
  }

  @Test(arguments: 0..<40)
  func `each row is an installation from the whole release`(seed: Int) throws {
    var numbers = Seeded(seed: UInt64(seed))
    let tags: [String?] = [
      nil, "en", "en-US", "en-GB", "es", "es-MX", "es-419", "pt-BR", "zh-Hans",
    ]
    let policies: [DownloadPolicy] = [
      .essential(Lantern.always), .prefetch(Lantern.always), .onDemand,
    ]
    let packs = (0..<1 + numbers.next(below: 9)).map { number in
      Lantern.pack(
        PackID("pack-\(number)"), policies[numbers.next(below: 3)],
        language: tags[numbers.next(below: tags.count)], files: ["\(number)/a": 1])
    }
    var profile = DeviceProfile()
    profile.primaryLanguage = tags[numbers.next(below: tags.count)].flatMap { LanguageTag($0) }
    profile.languages = ["fr", "en"].compactMap { LanguageTag($0) }
    let release = Release("r", packs)
    let matrix = DeviceMatrix(.languages, for: profile) { _ in release }
    for row in matrix.rows {
      var state = DeviceState()
      state.profile = profile
      state.profile.languages = [try #require(LanguageTag(row.name))]
      state.publish(0)
      let (after, events) = state.after(.install, in: ReleaseSource([release]))
      #expect(row.language == after.language.language)
      #expect(row.downloaded == events.compactMap { $0.kind.download?.id })
      #expect(row.rules == events.rules)
    }
  }

  @Test func `a system without localized packs has one row for all languages, and the reason`()
    throws
  {
    var profile = DeviceProfile()
    profile.system = DeviceSystem(26)
    profile.languages = [try #require(LanguageTag("en"))]
    let matrix = DeviceMatrix(.languages, for: profile) { _ in Lantern.one }
    #expect(matrix.rows.map(\.name) == ["en, iOS 27", "any, iOS 26"])
    #expect(
      matrix.rows.map(\.downloaded) == [
        ["tutorial", "island", "voices-en"], ["tutorial", "island"],
      ])
    #expect(matrix.rows[1].missing == ["Voices/door.wav"])
    #expect(matrix.reason == "iOS 26 receives no localized packs.")
    profile.languages = []
    #expect(
      DeviceMatrix(.languages, for: profile) { _ in Lantern.one }.rows.map(\.name) == [
        "any, iOS 26"
      ])
  }

  @Test func `paths that differ only in the language are not missing`() throws {
    var profile = DeviceProfile()
    profile.primaryLanguage = LanguageTag("en")
    let packs = [
      Lantern.pack("one", .onDemand, language: "en", files: ["V/en/a": 1, "V/en/b": 1]),
      Lantern.pack("two", .onDemand, language: "es-ES", files: ["V/es/a": 1]),
    ]
    let matrix = DeviceMatrix(.languages, for: profile) { _ in Release("r", packs) }
    #expect(matrix.rows.map(\.missing) == [[], ["V/en/b"]])
  }

  @Test(arguments: [
    ("iOS 26 languages fr", "expect downloaded voices-fr", "iOS 26 receives no localized packs"),
    ("iOS 26", "expect readable Voices/door.wav", "iOS 26 receives no localized packs"),
    (
      "iOS 26", "expect not missing Voices/door.wav",
      "it is in 'voices-en', which is not installed: iOS 26 receives no localized packs"
    ),
    (
      "iOS 26", "expect ambiguous Voices/door.wav",
      "it is in 'voices-en', which is not installed: iOS 26 receives no localized packs"
    ),
    (
      "iOS 26", "expect prefetch >= 1G",
      "bytes were downloaded in the background; iOS 26 receives no localized packs"
    ),
    (
      "iOS 26", "expect not essential < 1G",
      "bytes were downloaded before the app could open; iOS 26 receives no localized packs"
    ), ("iOS 26", "expect disk > 1G", "bytes are used; iOS 26 receives no localized packs"),
    ("iOS 26 languages fr", "expect language fr", "iOS 26 receives no localized packs"),
    ("iOS 27", "expect downloaded mac", "it is for macOS, but the platform of the device is iOS"),
    (
      "iOS 27 languages fr", "expect downloaded voices-en",
      "it is for 'en', but the device's language is 'fr'"
    ),
  ])
  func `a failed expectation has the reason for a missing pack`(
    device: String, expectation: String, reason: String
  ) {
    let run = Lantern.play("device \(device)\nrelease one\ninstall\n\(expectation)")
    let instead = run.moments.last?.instead ?? ""
    #expect(instead.contains(reason), "\(instead)")
    #expect(run.findings.contains { $0.message.contains(reason) })
  }

  @Test(arguments: [
    ("iOS 26", "one", "expect cost <= 1"), ("iOS 27", "one", "expect cost >= 1G"),
    ("iOS 26", "plain", "expect cost >= 1G"), ("iOS 26", "one", "expect not cost > 1"),
  ])
  func `localized packs are not a reason if they have no effect`(
    device: String, release: String, expectation: String
  ) {
    let run = Lantern.play("device \(device)\nrelease \(release)\ninstall\n\(expectation)")
    let instead = run.moments.last?.instead ?? ""
    #expect(instead.hasSuffix(" bytes were downloaded"), "\(instead)")
  }

  @Test func `a request that the device's system rejects has the reason`() {
    let run = Lantern.play("device iOS 26\nrelease one\ninstall\nrequest voices-fr")
    let reasons = run.moments.flatMap(\.events).compactMap { event -> String? in
      if case .failed(_, let reason) = event.kind { reason.phrase } else { nil }
    }
    #expect(reasons == ["iOS 26 receives no localized packs"])
  }

  @Test func `the packs of other platforms cause no note about localized packs`() {
    func notes(_ platforms: [Platform]) -> [String] {
      let pack = OfferedPack(
        id: "voices", policy: .onDemand, platforms: platforms, language: LanguageTag("fr"),
        size: PackSize())
      var state = DeviceState()
      state.profile.system = DeviceSystem(26)
      state.publish(0)
      let source = ReleaseSource([Release("r", [ReleasedPack(pack, version: 1)])])
      return state.after(.install, in: source).events.compactMap { event in
        if case .noted(let text) = event.kind { text } else { nil }
      }
    }
    #expect(notes([.iOS]) == ["iOS 26 receives no localized packs"])
    #expect(notes([.macOS]) == [])
  }

  @Test func `platforms are compared`() {
    let matrix = DeviceMatrix(.platforms, for: DeviceProfile()) { _ in Lantern.one }
    #expect(matrix.rows.map(\.name) == ["iOS", "macOS", "tvOS", "visionOS"])
    #expect(matrix.rows[1].downloaded.contains("mac"))
    #expect(matrix.rows[1].essential == 200)
    #expect(matrix.rows[2].missing == [])
  }

  @Test func `missing files are unknown if only a manifest is known`() {
    var pack = Lantern.one.packs[6]
    pack.contents = nil
    var profile = DeviceProfile()
    profile.primaryLanguage = LanguageTag("en")
    let matrix = DeviceMatrix(.languages, for: profile) { _ in Release("r", [pack]) }
    #expect(matrix.rows.map(\.missing) == [nil])
  }

  @Test func `shared paths are reported, except those of different languages`() {
    let source = ReleaseSource([Lantern.one])
    let shared = SharedPaths(of: Lantern.one, for: DeviceProfile(), in: source)
    #expect(shared.paths.map(\.path) == ["Textures/hero.png", "logo.png"])
    #expect(shared.paths.map(\.packs) == [["forest", "island"], ["island", "tutorial"]])
    #expect(shared.paths.map(\.hasSameBytes) == [false, nil])
    let same = ReleaseSource([Lantern.one], bytesAreSame: true)
    #expect(
      SharedPaths(of: Lantern.one, for: DeviceProfile(), in: same).paths.map(\.hasSameBytes) == [
        false, true,
      ])
  }

  @Test func `packs share paths only if they have the same language or no language`() {
    func pack(_ id: PackID, _ language: String?) -> ReleasedPack {
      Lantern.pack(id, .onDemand, language: language, files: ["door.wav": 1])
    }
    func shared(_ packs: [ReleasedPack]) -> [[PackID]] {
      let release = Release("r", packs)
      return SharedPaths(of: release, for: DeviceProfile(), in: ReleaseSource([release])).paths.map(
        \.packs)
    }
    let localized = [pack("a", "en"), pack("b", "en-US"), pack("c", "fr"), pack("d", "fr-FR")]
    #expect(shared(localized) == [["a", "b"], ["c", "d"]])
    #expect(shared([localized[0], localized[2]]) == [])
    #expect(shared([localized[0], localized[2], pack("all", nil)]) == [["a", "c", "all"]])
  }

  /// The number of reads of each pack.
  private final class Reads: @unchecked Sendable {
    // Only one thread compares.
    var counts: [PackID: Int] = [:]
  }

  @Test func `each pack is read at most once to compare all paths that it shares`() throws {
    let files = Dictionary(uniqueKeysWithValues: (0..<10).map { ("shared/\($0)", UInt64(5)) })
    let packs = (0..<300).map { Lantern.pack(PackID("p\($0)"), .onDemand, files: files) }
    let release = Release("r", packs)
    for areSame in [true, false] {
      let reads = Reads()
      let source = ReleaseSource([release]) { pack, paths in
        reads.counts[pack.id, default: 0] += 1
        return paths.map { Array($0.bytes) + (areSame || pack.id != "p7" ? [] : [1]) }
      }
      let shared = SharedPaths(of: release, for: DeviceProfile(), in: source)
      #expect(shared.paths.count == 10)
      #expect(shared.paths.allSatisfy { $0.hasSameBytes == areSame && $0.packs.count == 300 })
      // After all paths are known to differ, no more packs are read.
      #expect(reads.counts.count == (areSame ? 300 : 8))
      #expect(reads.counts.values.allSatisfy { $0 == 1 })
    }
  }
}
