import AssetServer
import BAPackKit
import Testing

@Suite struct FaultTests {
  @Test(arguments: [
    ("level-*: cut 60%", Fault("level-*", .cut(.percent(60)))),
    ("*:cut 1M", Fault("*", .cut(.bytes(1 << 20)))),
    ("a: reset 1500", Fault("a", .reset(.bytes(1500)))), ("a: cut 0", Fault("a", .cut(.bytes(0)))),
    ("a: reset 1k", Fault("a", .reset(.bytes(1024)))),
    ("a : status 503 twice", Fault("a", .status(503), times: 2)),
    ("a: status 404 once", Fault("a", .status(404), times: 1)),
    ("a: stall 10s 5 times", Fault("a", .stall(.seconds(10)), times: 5)),
    ("a: stall 500ms", Fault("a", .stall(.milliseconds(500)))),
    ("a: stall 5802s", Fault("a", .stall(.seconds(5802)))),
    ("a: truncate", Fault("a", .truncate)), ("a: corrupt once", Fault("a", .corrupt, times: 1)),
    ("manifest: stale", Fault("manifest", .stale)),
    ("manifest: not-json", Fault("manifest", .notJSON)),
    ("manifest: tls-close", Fault("manifest", .tlsClose)),
    ("a:b: corrupt", Fault("a:b", .corrupt)),
  ])
  func `a fault is read, and written as it is read`(text: String, fault: Fault) throws {
    #expect(try Fault(parsing: text) == fault)
    #expect(try Fault(parsing: fault.description) == fault)
  }

  @Test(arguments: [
    ("cut 60%", "before a ':' stands whom"), (": cut 1%", "nobody stands before"),
    ("a:", "nothing stands behind the ':'; a fault is one of 'cut 60%', 'cut 1M', 'reset 1M'"),
    ("a: cutt 1M", "there is no fault 'cutt'; a fault is one of"),
    ("a: cut", "'cut' needs one value"),
    ("a: cut 1M 2M", "'cut' needs one value, as in 'cut 60%'"),
    ("a: cut 101%", "'101%' is no share"),
    ("a: cut 1X", "'1X' is no amount"), ("a: cut -1", "'-1' is no amount"),
    ("a[: corrupt", "'a[' is no pattern"),
    ("a: status 200", "'200' is no status of an error"), ("a: stall 10", "'10' is no time"),
    ("a: truncate 1", "nothing but how often"), ("a: corrupt x times", "a number stands before"),
    ("a: corrupt 0 times", "a number stands before"), ("a: stale", "to the manifest only"),
    ("level-*: not-json", "'manifest: not-json'"),
  ])
  func `a misspelt fault says what would be right`(text: String, reason: String) {
    let mistake = #expect(throws: Fault.Mistake.self) { try Fault(parsing: text) }
    #expect(mistake?.reason.contains(reason) == true, "\(mistake?.reason ?? "")")
  }

  @Test(arguments: [
    ("levle-*: cut 60%, tiny: corrupt", 16, ["levle-*: cut 60%", "tiny: corrupt"]),
    ("a: corrupt once;b: truncate", 15, ["a: corrupt once", "b: truncate"]),
    ("ü: stale\nb: cut 1M, c: reset 1k", 8, ["ü: stale", "b: cut 1M", "c: reset 1k"]),
    ("a: status 503,b: exploode", 13, ["a: status 503", "b: exploode"]),
    ("a:b: cut 60%, c: corrupt", 12, ["a:b: cut 60%", "c: corrupt"]),
  ])
  func `several faults in one text are an error at the start of the second fault`(
    text: String, place: Int, parts: [String]
  ) {
    let mistake = #expect(throws: Fault.Mistake.self) { try Fault(parsing: text) }
    #expect(mistake?.reason.contains("one fault is expected") == true)
    #expect(mistake?.place == place..<place + 1)
    #expect(mistake?.parts == parts)
  }

  @Test func `an ID with a comma or a colon is a valid subject`() throws {
    for id in ["a,b", "a: b, c", "a;b:c"] {
      #expect(try Fault(parsing: "\(id): corrupt").subject == id)
    }
  }

  @Test func `a misspelled subject is compared with the IDs of existing packs`() {
    let ids = ["level-abyss", "tiny", "music"]
    #expect(Fault("levle-*", .corrupt).nearestSubject(among: ids) == "level-*")
    #expect(Fault("tinny", .corrupt).nearestSubject(among: ids) == "tiny")
    #expect(Fault("manfest", .corrupt).nearestSubject(among: ids) == "manifest")
    #expect(Fault("zebra", .corrupt).nearestSubject(among: ids) == nil)
  }

  @Test(arguments: [
    ("*", "anything", true), ("*", "", true), ("level-*", "level-cave", true),
    ("level-*", "level", false), ("*-*", "a-b", true), ("*cave", "level-cave", true),
    ("*cave", "level-caves", false), ("l*l*e", "level-cave", true), ("a*b*c", "abxbxc", true),
    ("a*b*c", "abxbx", false), ("a", "a", true), ("a", "A", false), ("", "", true),
    ("**a", "ba", true), ("level-[12]", "level-2", true), ("?b", "ab", true), ("*", ".a", true),
  ])
  func `a subject is a pattern as for names of files`(pattern: String, id: String, fits: Bool) {
    #expect(Fault(pattern, .corrupt).concerns(.pack(id)) == fits)
  }

  @Test func `what can happen to the manifest happens to no pack`() {
    #expect(Fault("manifest", .stale).concerns(.manifest))
    #expect(!Fault("manifest", .stale).concerns(.pack("manifest")))
    #expect(Fault("manifest", .corrupt).concerns(.pack("manifest")))
    #expect(Fault("manifest", .corrupt).concerns(.manifest))
    #expect(!Fault("*", .corrupt).concerns(.manifest))
  }

  @Test func `an amount is never more than there is`() {
    #expect(Fault.Amount.percent(60).bytes(of: 1000) == 600)
    #expect(Fault.Amount.percent(33).bytes(of: 10) == 3)
    #expect(Fault.Amount.percent(100).bytes(of: 7) == 7)
    #expect(Fault.Amount.percent(0).bytes(of: 7) == 0)
    #expect(Fault.Amount.bytes(10).bytes(of: 7) == 7)
  }

  @Test func `times and rates are read as people write them`() {
    #expect(Duration(written: "200ms") == .milliseconds(200))
    #expect(Duration(written: "1.5s") == .milliseconds(1500))
    #expect(Duration(written: "2m") == .seconds(120))
    #expect(Duration(written: "2h") == .seconds(7200))
    #expect(Throttle.bytesPerSecond(written: "3mbit") == 375_000)
    #expect(Throttle.bytesPerSecond(written: "0.5Mbit") == 62_500)
    for text in ["1ms", "1500ms", "2s", "86400s"] {
      #expect(Duration(written: text)?.written == text)
    }
    for text in ["8kbit", "3mbit", "62.504kbit", "1000mbit", "0.008kbit"] {
      let rate = Throttle.bytesPerSecond(written: text)
      #expect(rate.map { Throttle.written(bytesPerSecond: $0) } == text)
    }
    for wrong in [
      "", "10", "s", "1H", "25h", "2d", "25000m", "1.s", ".5s", "1e3s", "-1s", "1.2.3s",
    ] {
      #expect(Duration(written: wrong) == nil, "\(wrong)")
    }
    for wrong in ["", "3", "3m", "mbit", "0kbit", "0.001kbit", "99999999999gbit"] {
      #expect(Throttle.bytesPerSecond(written: wrong) == nil, "\(wrong)")
    }
  }
}

@Suite struct RouteTests {
  private static let packs: Set<PackID> = [
    "cave", "manifest", "a.aar", "a", "assets", "ü b", "\u{301}x",
  ]

  @Test(
    arguments: [
      ("/", .page), ("/manifest", .manifest), ("/assetpacks/cave", .pack("cave")),
      ("/assets/cave", .pack("cave")), ("/cave", .pack("cave")), ("/cave.aar", .pack("cave")),
      ("/assetpacks/manifest", .pack("manifest")), ("/manifest.aar", .pack("manifest")),
      ("/a.aar", .pack("a.aar")), ("/a", .pack("a")), ("/a.aar.aar", .pack("a.aar")),
      ("/assets", .pack("assets")), ("/assets/", .unknown), ("/assetpacks/ü b", .pack("ü b")),
      ("/nothing", .unknown), ("/manifest/", .unknown), ("/.aar", .unknown), ("/CAVE", .unknown),
      ("/assetpacks/cave/", .unknown), ("/assets/\u{301}x", .pack("\u{301}x")),
      ("/\u{301}x.aar", .pack("\u{301}x")),
    ] as [(String, Route)])
  func `every path that a device may ask for leads to its pack`(path: String, route: Route) {
    #expect(Route(Array(path.utf8), among: Self.packs.contains) == route)
  }

  @Test(
    arguments: [
      ([], .any), ([""], .any), (["iOS"], .known(.iOS)), (["ios"], .known(.iOS)),
      (["iOS Simulator"], .known(.iOS)), (["iossimulator"], .known(.iOS)),
      (["iPadOS"], .known(.iOS)),
      (["tvOS-simulator"], .known(.tvOS)), (["macCatalyst"], .known(.macOS)),
      (["xrOS"], .known(.visionOS)), (["visionOSSimulator"], .known(.visionOS)),
      (["iphonesimulator"], .known(.iOS)), (["iphoneos"], .known(.iOS)),
      (["iPad"], .known(.iOS)), (["macosx"], .known(.macOS)), (["OSX"], .known(.macOS)),
      (["appletvsimulator"], .known(.tvOS)), (["appletvos"], .known(.tvOS)),
      (["xrsimulator"], .known(.visionOS)), (["PLATFORM_IOSSIMULATOR"], .known(.iOS)),
      (["watchsimulator"], .unknown("watchsimulator")), (["driverkit"], .unknown("driverkit")),
      (["watchOS"], .unknown("watchOS")), (["simulator"], .unknown("simulator")),
    ] as [([String], AskedPlatform)])
  func `platforms are compared without case, and variants are what they stand for`(
    values: [String], platform: AskedPlatform
  ) {
    #expect(AskedPlatform(values) == platform)
  }
}
