// Long because it contains the scenarios of all rules.
import BAPackKit
import DeviceSimulator
import SourceDiagnostics
import Testing

/// Tests that each rule applies in a scenario whose expectations are met.
@Suite struct SemanticsTests {
  private static let spanish = """
    device iOS 27, languages es-MX en, primary en
    release one
    install

    """

  /// The scenarios of documented rules, by name.
  static let documented: [String: String] = [
    "policy-essential": "release one\ninstall\nexpect downloaded tutorial\nexpect essential = 100",
    "essential-failure": """
    release one
    fault tutorial: status 503 once
    install
    expect failed tutorial
    expect app installed
    launch
    expect absent tutorial
    request tutorial
    expect readable Levels/tutorial.json
    uninstall
    fault tutorial: status 503 once
    device essential-failure blocks-launch
    install
    expect app not installed
    """,
    "update-progress": "release news\ninstall\nupdate-app\nexpect downloaded news",
    "channel": """
    device iOS 27, channel internal
    release one
    release two channel internal
    install
    expect downloaded tutorial
    uninstall
    device channel store
    install
    request forest
    expect downloaded forest
    submit store cave
    request cave
    expect downloaded cave
    submit store
    check-for-updates
    expect updated tutorial
    """,
    "cancel": "release one\ninstall\ncancel cave\nrequest cave\nexpect failed cave",
    "second-cancel": """
    device iOS 26.3
    release one
    install
    cancel cave
    request cave
    expect failed cave
    cancel cave
    request cave
    expect downloaded cave
    remove cave
    device iOS 26.4
    cancel cave
    request cave
    expect failed cave
    """,
    "background-downloads": """
    release one
    low-power
    install
    expect downloaded tutorial
    expect not downloaded island
    launch
    release two
    wait 2 days
    expect not updated tutorial
    low-power off
    background-refresh off
    wait 1 day
    expect not updated tutorial
    background-refresh on
    wait 1 day
    expect updated tutorial
    """,
    "in-app-content": """
    release one
    in-app-content off
    install
    expect not downloaded tutorial island
    request tutorial
    expect downloaded tutorial
    """,
    "status-updates": "release one\ninstall\nlaunch\nrequest cave\nstatus\nexpect downloaded cave",
    "policy-prefetch": "release one\ninstall\nexpect downloaded island\nexpect prefetch = 100",
    "policy-on-demand": """
    release one
    install
    expect not downloaded cave forest
    request cave
    expect downloaded cave
    """,
    "policy-events": """
    release one
    install
    expect not downloaded late
    remove tutorial
    update-app
    expect downloaded late
    expect not downloaded tutorial
    """,
    "platform": """
    release one
    install
    request mac
    expect failed mac
    device macOS
    request mac
    expect downloaded mac
    """,
    "manifest-asked": """
    release one
    install
    request forest
    release two
    request cave
    expect obsolete forest
    """,
    "override": "release two\ninstall\nexpect downloaded tutorial",
    "no-digest": "release one\ninstall\nfault cave: truncate\nrequest cave\nexpect failed cave",
    "local-status": "release one\ninstall\noffline\nstatus\nexpect downloaded tutorial",
    "folders": "release one\ninstall\nread Levels\nexpect missing Levels",
    "no-language": """
    device languages es, primary en
    release plain
    install
    set-language es
    expect language none
    """,
    "local-languages": spanish + "status\nexpect downloaded voices-es-us",
    "old-system": """
    device iOS 26, languages en
    release one
    install
    set-language en
    request voices-en
    expect failed voices-en
    """,
    "version-rises": """
    release one
    install
    release two
    check-for-updates
    expect updated tutorial costing = 100
    """,
    "version-falls": """
    release one
    install
    release two
    check-for-updates
    expect downloaded island
    expect not updated island
    """,
    "obsolete": """
    release one
    install
    request forest
    release two
    request cave
    expect obsolete forest
    check-for-updates
    expect removed forest
    """,
    "check-for-updates": """
    release one
    install
    request cave forest
    release two
    check-for-updates
    expect updated cave tutorial
    expect removed forest
    expect cost = 580
    """,
    "replaced": """
    release one
    install
    request cave
    release two
    request cave latest
    expect updated cave
    """,
    "whole-download": """
    release one
    install
    request cave
    release two
    check-for-updates
    expect updated cave costing = 480
    """,
    "kept": """
    release one
    install
    check-for-updates
    expect downloaded tutorial island
    expect cost = 0
    """,
    "remove": """
    release one
    install
    remove tutorial
    expect removed tutorial
    expect missing Levels/tutorial.json
    """,
    "ensure-local": """
    release one
    install
    request cave
    release two
    request cave
    expect not updated cave
    expect cost = 0
    """,
    "ensure-latest": """
    release one
    install
    request cave
    release two
    request cave latest
    expect updated cave
    """,
    "partial-success": """
    release one
    install
    request cave nothing
    expect downloaded cave
    expect failed nothing
    """,
    "pack-not-found": "release one\ninstall\nrequest nothing\nexpect failed nothing",
    "should-download": """
    release one
    install
    refuse cave island tutorial
    update-app
    request cave
    expect downloaded cave
    remove island
    update-app
    expect failed island
    release two
    check-for-updates
    expect updated tutorial
    """,
    "status": "release one\ninstall\nstatus\nexpect not obsolete tutorial",
    "polling": """
    release one
    install
    launch
    release two
    wait 23 hours
    expect not updated tutorial
    wait 1 day
    expect updated tutorial
    """,
    "namespace": """
    release one
    install
    read Levels/tutorial.json
    expect readable Levels/tutorial.json
    expect readable Textures/hero.png
    expect missing Levels/Cave/map.json
    """,
    "same-path": """
    release one
    install
    request forest
    read Textures/hero.png
    expect ambiguous Textures/hero.png
    """,
    "in-pack": "release one\ninstall\nrequest forest\nread Textures/hero.png in forest",
    "for-language": spanish + "read Voices/door.wav for es-US",
    "shared-by-languages": spanish + """
      request voices-fr
      read Voices/door.wav
      expect ambiguous Voices/door.wav
      expect readable Voices/door.wav for fr
      """,
    "file-not-found": "release one\ninstall\nread no.png\nexpect missing no.png",
    "one-language": spanish + "expect downloaded voices-es-us\nexpect not downloaded voices-en",
    "language-equivalent": """
    device languages en-Latn-US
    release one
    install
    expect language en
    expect downloaded voices-en
    """,
    "language-region": spanish + "expect language es-US",
    "language-primary": """
    device languages ja, primary en-US
    release one
    install
    expect language en
    expect downloaded voices-en
    """,
    "resolved-language": spanish + """
      set-language fr
      expect language fr
      expect cost = 0
      expect downloaded voices-es-us
      set-language default
      expect language es-US
      """,
    "reconcile": spanish + """
      request voices-fr
      set-language en
      reconcile
      expect downloaded voices-en voices-fr
      expect removed voices-es-us
      """,
  ]

  /// The scenarios of undocumented rules, by name.
  static let undocumented: [String: String] = [
    "order": "release one\ninstall\nexpect downloaded tutorial",
    "platform-none": """
    device visionOS
    release one
    install
    request cave
    expect downloaded cave
    """,
    "platform-of-archive": """
    device macOS
    release published
    install
    expect not downloaded phone
    device iOS
    update-app
    request phone
    expect downloaded phone
    """,
    "similar-paths": """
    device macOS
    release one
    install
    read Levels/tutorial.json
    expect ambiguous Levels/tutorial.json
    expect missing LEVELS/tutorial.json
    """,
    "retries": "release one\ninstall\nfault cave: cut 50% once\nrequest cave\nexpect failed cave",
    "equal-paths": "release one\ninstall\nrequest forest\nread Textures/hero.png",
    "update-of-app": """
    device languages en
    release one
    install
    request forest
    release two
    update-app
    expect downloaded late forest
    expect not updated tutorial
    expect updated voices-en
    """,
    "low-storage": """
    device free 250
    release one
    install
    expect downloaded tutorial
    request cave
    expect failed cave
    expect disk <= 250
    """,
    "damaged": "release one\ninstall\nfault cave: truncate\nrequest cave\nexpect failed cave",
    "manifest-fails": """
    release one
    install
    release two
    fault manifest: not-json
    check-for-updates
    expect not updated tutorial
    expect downloaded tutorial
    """,
    "language-which-region": spanish + "expect language es-US",
    "language-parent": """
    device languages nb-NO
    release norwegian
    install
    expect language no
    expect downloaded voices-no
    """,
    "language-next": """
    device languages ja fr
    release one
    install
    expect language fr
    """,
    "language-none": """
    device languages ja, primary en-GB
    release one
    install
    expect language none
    expect not downloaded voices-en
    """,
    "language-of-manifest": "release one\ninstall\nrequest voices-fr\nexpect downloaded voices-fr",
    "language-change": spanish + """
      device-language en
      expect language en
      expect not downloaded voices-en
      update-app
      expect downloaded voices-en voices-es-us
      """,
    "refused-essential": """
    release one
    refuse tutorial
    install
    expect failed tutorial
    request cave
    expect downloaded cave
    """,
    "launch": "release one\ninstall\nlaunch\nexpect cost = 0",
    "language-request": spanish + "request voices-fr\nexpect downloaded voices-fr",
    "latest-of-obsolete": """
    release one
    install
    request forest
    release two
    request forest latest
    expect failed forest
    expect readable Levels/Forest/map.json
    """,
    "reconcile-on-demand": spanish + """
      set-language en
      reconcile
      set-language fr
      reconcile
      expect not downloaded voices-fr voices-en voices-es-us
      """,
    "missed-prefetch": """
    release one
    fault island: status 503 once
    install
    expect failed island
    launch
    expect not downloaded island
    check-for-updates
    expect downloaded island
    """,
  ]

  /// Scenarios of devices that have the other behavior of an undocumented rule, by its name.
  static let otherwise: [String: String] = [
    "retries":
      "release one\ninstall\nfault cave: cut 50% once\nrequest cave\nexpect downloaded cave",
    "equal-paths": """
    release one
    install
    expect ambiguous logo.png
    """,
    "similar-paths": """
    device macOS
    release one
    install
    read Levels/tutorial.json
    expect readable Levels/tutorial.json
    """,
    "update-of-app": """
    release one
    install
    release two
    update-app
    expect updated tutorial
    """,
    "low-storage": """
    device free 110
    release one
    install
    expect downloaded tutorial island
    """,
    "language-change": spanish + "device-language en\nexpect downloaded voices-en",
    "refused-essential": """
    device essential-failure blocks-launch
    release one
    refuse tutorial
    install
    expect app not installed
    """,
    "launch": "release one\ninstall\nrelease two\nlaunch\nexpect updated tutorial",
    "language-request": spanish + "request voices-fr\nexpect failed voices-fr",
    "latest-of-obsolete": """
    release one
    install
    request forest
    release two
    request forest latest
    expect not failed forest
    """,
    "reconcile-on-demand": spanish + "set-language fr\nreconcile\nexpect downloaded voices-fr",
    "missed-prefetch": """
    release one
    fault island: status 503 once
    install
    expect failed island
    check-for-updates
    expect not downloaded island
    """,
  ]

  @Test(arguments: otherwise.map { $0 }.sorted { $0.key < $1.key })
  func `a device can have the other behavior of a rule`(rule: String, scenario: String) {
    // Without the other behavior, an expectation is not met.
    let usual = Lantern.play(scenario, bytesAreSame: rule == "equal-paths")
    #expect(usual.findings.hasErrors, "\(rule)")
    let run = Lantern.play(
      "device otherwise \(rule)\n" + scenario, bytesAreSame: rule == "equal-paths")
    let errors = run.findings.filter { $0.severity == .error }
    #expect(errors.map(\.message) == [], "\(rule)")
  }

  @Test func `every rule with another behavior has a scenario for it`() {
    #expect(Set(SemanticRule.switchable.map(\.id)) == Set(Self.otherwise.keys))
    #expect(
      SemanticRule.undocumented.filter { !$0.source.hasSuffix("; searched 2026-11-29") } == [])
  }

  @Test func `every rule has exactly one scenario`() {
    #expect(Set(SemanticRule.documented.map(\.id)) == Set(Self.documented.keys))
    #expect(Set(SemanticRule.undocumented.map(\.id)) == Set(Self.undocumented.keys))
    #expect(SemanticRule.documented.filter { !$0.isDocumented } == [])
    #expect(SemanticRule.undocumented.filter { $0.isDocumented } == [])
    #expect(Set(SemanticRule.all.map(\.id)).count == SemanticRule.all.count)
  }

  @Test(arguments: (documented.map { $0 } + undocumented.map { $0 }).sorted { $0.key < $1.key })
  func `a device behaves according to the rule, and its events contain the rule`(
    rule: String, scenario: String
  ) {
    let run = Lantern.play(scenario)
    let errors = run.findings.filter { $0.severity == .error }
    #expect(errors.map(\.message) == [], "\(rule)")
    #expect(run.events.rules.contains { $0.id == rule }, "\(rule): \(run.events.rules.map(\.id))")
  }

  @Test func `a step is a function: the same state and step give the same events`() {
    var state = DeviceState()
    state.publish(0)
    let source = ReleaseSource([Lantern.one])
    let first = state.after(.install, in: source)
    let second = state.after(.install, in: source)
    #expect(first.state == second.state)
    #expect(first.events == second.events)
    #expect(state.installed.isEmpty)
  }

  @Test func `the app opens when the essential packs are downloaded at the device's bandwidth`() {
    var state = DeviceState()
    state.publish(0)
    state.profile.bytesPerSecond = 100
    let events = state.after(.install, in: ReleaseSource([Lantern.one])).events
    let ready = events.first { $0.kind == .appReady }
    #expect(ready?.time == 1000)
    let ends = events.compactMap { event -> UInt64? in
      if case .downloaded(let download) = event.kind { download.end } else { nil }
    }
    #expect(ends == [1000, 2000])
  }

  @Test func `equal bytes at one path are not ambiguous, and different bytes of one size are`() {
    let text = "release one\ninstall\nexpect ambiguous logo.png"
    #expect(Lantern.play(text).findings.hasErrors == false)
    let same = Lantern.play(text, bytesAreSame: true)
    #expect(
      same.findings.map(\.message) == [
        "'expect ambiguous logo.png' failed: 'logo.png' is in 'island' and 'tutorial', "
          + "with the same bytes"
      ])
  }

  @Test func `results that require contents are unknown without packs`() {
    var pack = Lantern.pack("a", .essential(Lantern.first))
    pack.contents = nil
    var state = DeviceState()
    state.publish(0)
    let source = ReleaseSource([Release("manifest", [pack])])
    state = state.after(.install, in: source).state
    #expect(state.find("x", source).answer == .notKnown(["a"]))
    #expect(state.find("x", source).answer.phrase("x") == "'x' is unknown: no packs were specified")
    #expect(state.used == 100)
  }

  @Test func `paths that a file system treats as equal are ambiguous only there`() {
    func run(_ platform: Platform, _ left: String, _ right: String) -> (Event.ReadResult, [String])
    {
      let release = Release(
        "r",
        [
          Lantern.pack("a", .essential(Lantern.first), files: [left: 1]),
          Lantern.pack("b", .essential(Lantern.first), files: [right: 1]),
        ])
      let source = ReleaseSource([release], bytesAreSame: true)
      var state = DeviceState()
      state.publish(0)
      state.profile.platform = platform
      state = state.after(.install, in: source).state
      let shared = SharedPaths(of: release, for: state.profile, in: source)
      return (state.find(left, source).answer, shared.paths.flatMap(\.alike))
    }
    let both = Event.ReadResult.ambiguous(["a", "b"])
    let one = Event.ReadResult.readable(["a"], haveSameBytes: false)
    #expect(run(.iOS, "Hero.png", "hero.png") == (one, []))
    #expect(run(.macOS, "Hero.png", "hero.png") == (both, ["hero.png"]))
    // Composed and decomposed.
    for platform in Platform.allCases {
      #expect(run(platform, "Caf\u{E9}.png", "Cafe\u{301}.png") == (both, ["Cafe\u{301}.png"]))
      #expect(run(platform, "5\u{212A}.png", "5K.png") == (both, ["5K.png"]))
    }
    #expect(run(.iOS, "Stra\u{DF}e", "STRASSE") == (one, []))
    #expect(run(.macOS, "Stra\u{DF}e", "STRASSE") == (both, ["STRASSE"]))
    #expect(run(.macOS, "a/Hero.png", "b/hero.png") == (one, []))
  }

  @Test func `a device without a manifest has no obsolete packs`() {
    var state = DeviceState()
    state.put(InstalledPack(Lantern.one.packs[0], isRequested: false))
    #expect(state.status(of: "cave") == [.downloaded])
    #expect(state.status(of: "forest") == [])
  }

  @Test func `polling ends 28 days after the app was opened last`() {
    let run = Lantern.play("release one\ninstall\nlaunch\nwait 60 days")
    let events = run.moments.flatMap(\.events)
    let polls = events.filter { $0.kind == .polled }.map { $0.time / 86_400_000 }
    #expect(polls == [1, 2, 3, 4, 5, 6, 7, 14, 21, 28])
    #expect(events.contains { $0.kind == .pollingEnded })
    let never = Lantern.play(
      "release one\ninstall\nrelease two\nwait 60 days\nexpect not updated tutorial")
    #expect(!never.findings.hasErrors)
  }
}
