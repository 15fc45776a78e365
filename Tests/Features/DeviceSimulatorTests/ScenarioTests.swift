// Long because each kind of step and expectation has valid and invalid examples here.
import BAPackKit
import Faults
import Properties
import SourceDiagnostics
import TestSupport
import Testing

@testable import DeviceSimulator

@Suite struct ScenarioTests {
  @Test func `a scenario of all steps is parsed completely`() {
    let text = """
      # what the issue shows
      device iOS 27, languages es-MX en, primary en, free 4G, bandwidth 50mbit
      release one                    # what the server has
      install
      expect app installed
      expect downloaded tutorial island voices-es-us
      expect essential <= 200M
      launch
      read Levels/tutorial.json      # the merged namespace
      read Voices/door.wav for es-US
      read "Levels/Cave/map.json" in cave
      request cave
      release two
      check-for-updates
      expect updated cave costing <= 60M
      expect readable Levels/Cave/map.json
      expect readable Levels/Cave/map.json in cave
      expect missing Levels/Cave/map.json for es-US
      device-language en
      set-language fr
      set-language default
      reconcile
      offline
      request late
      expect failed late
      online
      refuse island
      fault cave: status 503 twice
      remove cave
      wait 8 days
      update-app
      expect app updated
      status
      expect not obsolete tutorial
      expect missing nowhere.txt
      expect disk <= 1G
      cancel cave
      request cave
      expect failed cave
      low-power
      low-power off
      background-refresh off
      background-refresh
      in-app-content off
      in-app-content on
      submit external cave
      uninstall
      """
    let run = Lantern.play(text)
    #expect(run.findings.map(\.message) == [])
    #expect(run.scenario.lines.count == 46)
    #expect(Set(ScenarioReader.forms.map(\.name)).count == 24)
    #expect(run.state.profile.free == 4_000_000_000)
    #expect(run.state.profile.bytesPerSecond == 6_250_000)
  }

  @Test(arguments: [
    ("‸instal‸", "scenario.unknown-step", "unknown step 'instal'"),
    ("install ‸now‸", "scenario.step", "'install' takes no arguments"),
    ("‸release‸", "scenario.step", "expected a path after 'release'"),
    ("‸request‸", "scenario.step", "expected the ID of a pack"),
    ("wait ‸eight‸ days", "scenario.step", "invalid duration"),
    ("wait ‸99999‸ weeks", "scenario.step", "invalid duration"),
    ("read a ‸at‸ b", "scenario.step", "unexpected 'at'"),
    ("read a ‸in‸", "scenario.step", "unexpected 'in'"),
    ("read a for ‸english‸", "scenario.step", "'english' is not a language"),
    ("device ‸watchOS‸", "scenario.step", "'watchOS' is not a property of a device"),
    (
      "device iOS ‸25‸", "scenario.step",
      "'25' is not a supported system version; expected 26 or 27"
    ),
    ("device iOS 27, free ‸much‸", "scenario.step", "'much' is not a size"),
    ("device bandwidth ‸50‸", "scenario.step", "'50' is not a bandwidth"),
    ("device ‸languages‸", "scenario.step", "expected a language"),
    ("‸fault cave‸", "scenario.step", "expected '<packs>: <fault>'"),
    ("expect ‸happy‸", "scenario.step", "unknown expectation 'happy'"),
    ("‸expect‸", "scenario.step", "the expectation is missing"),
    ("expect ‸essential‸", "scenario.step", "expected a comparison and a size after 'essential'"),
    ("expect cost ‸==‸ 5", "scenario.step", "'==' is not a comparison"),
    ("expect removed cave ‸costing‸ <= 5", "scenario.step", "'removed' has no cost"),
    (
      "expect not updated cave ‸costing‸ <= 5", "scenario.step",
      "a negated expectation has no cost"
    ),
    ("expect ‸downlaoded‸ cave", "scenario.step", "unknown expectation 'downlaoded'"),
    ("expect app ‸gone‸", "scenario.step", "unknown state 'gone' of the app"),
    ("‸expect app‸", "scenario.step", "expected 'installed' or 'updated' after 'app'"),
    ("expect ‸not‸ app installed", "scenario.step", "write 'not' after 'app'"),
    ("‸expect app not installed‸", "scenario.expectation", "failed: the app is installed"),
    ("‸expect app updated‸", "scenario.expectation", "failed: the scenario did not update the app"),
    (
      "‸fault lave-*: cut 60%‸", "scenario.unknown-pack",
      "no release contains a pack that matches 'lave-*'"
    ),
    ("remove ‸cave‸", "scenario.absent", "'cave': it is not on the device"),
    ("‸read nowhere.txt‸", "scenario.absent", "'nowhere.txt' is in no pack"),
    ("expect readable a ‸of‸ cave", "scenario.step", "unexpected 'of'"),
    ("‸install‸", "scenario.no-effect", "this step has no effect: the app is already installed"),
    ("expect cost <= ‸x‸", "scenario.step", "'x' is not a size"),
    ("expect updated cave ‸costing‸ 60M", "scenario.step", "expected a comparison and a size"),
    ("‸set-language‸", "scenario.step", "expected one language or 'default'"),
    ("read ‸\"a b‸", "scenario.step", "a quote is not closed"),
    ("remove ‸caev‸", "scenario.unknown-pack", "no release contains a pack 'caev'"),
    ("‸expect downloaded cave‸", "scenario.expectation", "failed: 'cave' is not on the device"),
    ("‸expect language fr‸", "scenario.expectation", "no language is resolved"),
    ("‸expect not missing x‸  # so", "scenario.expectation", "failed: 'x' is in no pack"),
    ("‸expect cost = 1K‸", "scenario.expectation", "failed: 200 bytes were downloaded"),
    (
      "‸expect updated tutorial‸", "scenario.expectation", "it has version 1 (upToDate, downloaded)"
    ),
  ])
  func `a mistake has its place in the text`(line: String, id: String, message: String) throws {
    let marks = line.split(separator: "‸", omittingEmptySubsequences: false)
    let head = "release one\ninstall\n"
    let start = head.utf8.count + marks[0].utf8.count
    let run = Lantern.play(head + marks.joined())
    let finding = try #require(run.findings.first { $0.id.name == id })
    #expect(run.findings.count == (id == "scenario.unknown-pack" ? 1 : 1))
    #expect(finding.message.contains(message), "\(finding.message)")
    #expect(finding.span == SourceSpan(start, start + marks[1].utf8.count))
  }

  @Test func `a scenario with a mistake is not run, and a misspelled word has a suggestion`() {
    let run = Lantern.play("release one\ninstal\nexpect downloadde tutorial\nexpect cost <= 0")
    #expect(run.moments.isEmpty)
    #expect(run.state.installed.isEmpty)
    #expect(
      run.findings.map { $0.fixes.map(\.message) } == [
        ["write 'install'"], ["write 'downloaded'"],
      ])
    #expect(ScenarioRun.junit(of: [run]).text.contains("tests=\"2\" failures=\"0\" errors=\"2\""))
  }

  @Test func `steps before the installation have no effect, and are reported`() {
    let run = Lantern.play("release one\nrequest cave\nlaunch\nexpect not downloaded cave")
    #expect(
      run.findings.map(\.id) == [
        "scenario.no-effect", "scenario.no-effect", "scenario.expectation",
      ])
  }

  /// One expectation of each kind.
  private static let expectations = [
    "downloaded cave", "not downloaded cave", "updated cave", "not updated cave", "removed cave",
    "not removed cave", "obsolete cave", "not obsolete cave", "not failed cave",
    "readable Levels/tutorial.json", "not readable Levels/tutorial.json",
    "missing Levels/tutorial.json", "not missing Levels/tutorial.json",
    "ambiguous Levels/tutorial.json", "not ambiguous Levels/tutorial.json", "language fr",
    "not language fr", "language none", "essential <= 200M", "not essential > 200M",
    "prefetch <= 200M", "cost <= 200M", "disk <= 200M", "not disk > 200M", "app installed",
  ]

  @Test(arguments: [
    "install", "release one\noffline\ninstall",
    "device free 99 essential-failure blocks-launch\nrelease one\ninstall",
    "release one\nfault manifest: not-json\ninstall", "release one\nupdate-app",
    "device essential-failure blocks-launch\nrelease one\nfault tutorial: cut 0\ninstall",
  ])
  func `every expectation fails if the app is not installed`(steps: String) throws {
    let step = steps.split(separator: "\n").count
    for expectation in Self.expectations {
      let run = Lantern.play("\(steps)\nexpect \(expectation)")
      let lines = run.findings.map { finding in
        run.scenario.source.position(of: finding.span?.start ?? 0).line
      }
      #expect(lines == [step, step + 1], "\(expectation): \(run.findings.map(\.message))")
      #expect(run.findings.count(.error) == 2)
      #expect(ScenarioRun.junit(of: [run]).text.contains("failures=\"1\" errors=\"1\""))
      let text = JSONWriter.string(ScenarioRun.table.value(of: run), .compact)
      #expect(text.contains(#""errors":2"#) && text.contains(#""error":"the app is not "#))
    }
    let expected = Lantern.play("\(steps)\nexpect app not installed")
    #expect(!expected.findings.hasErrors, "\(expected.findings.map(\.message))")
    #expect(ScenarioRun.junit(of: [expected]).text.contains("failures=\"0\" errors=\"0\""))
    // The same expectations are evaluated if the app is installed.
    for expectation in Self.expectations {
      let run = Lantern.play("release one\ninstall\nexpect \(expectation)")
      #expect(!run.findings.contains { $0.message.contains("the app is not installed") })
    }
  }

  @Test func `a failed update of the app is an error unless it is expected`() {
    let head = "release one\ninstall\noffline\nupdate-app\n"
    let failed = Lantern.play(head + "expect downloaded tutorial")
    #expect(
      failed.findings.map(\.message) == [
        "the app is not updated: no manifest: the device is offline"
      ])
    #expect(!Lantern.play(head + "expect app not updated").findings.hasErrors)
    // An expectation after the next update applies to that update.
    #expect(Lantern.play(head + "update-app\nexpect app not updated").findings.count(.error) == 1)
    #expect(Lantern.play(head + "expect app updated").findings.count(.error) == 2)
  }

  @Test func `a failed download can be expected even if the app is not installed`() {
    let run = Lantern.play(
      "device essential-failure blocks-launch\nrelease one\nfault tutorial: status 503\ninstall\n"
        + "expect failed tutorial\nexpect app not installed"
    )
    #expect(run.findings.isEmpty)
  }

  @Test func `files of an app that failed to install cannot be read`() {
    let run = Lantern.play(
      """
      release one
      install
      remove tutorial
      read Levels/tutorial.json
      expect missing Levels/tutorial.json
      read logo.png
      read Levels/tutorial.json
      """)
    // An expected absence is not reported. An unexpected one names the line that removed the pack.
    #expect(run.findings.map(\.id) == ["scenario.absent"])
    let labels = run.findings.flatMap(\.labels)
    #expect(labels.map(\.text) == ["'tutorial' is removed here"])
    #expect(labels.map { run.scenario.source.position(of: $0.span.start).line } == [3])
    let failed = Lantern.play(
      "release one\nfault mac: cut 0\ndevice macOS essential-failure blocks-launch\ninstall\n"
        + "read Levels/tutorial.json")
    #expect(failed.state.installed["tutorial"] != nil && !failed.state.hasApp)
    #expect(failed.findings.contains { $0.id == "scenario.no-effect" })
    #expect(failed.moments.last?.events.map(\.kind) == [.ignored("the app is not installed")])
  }

  @Test func `an expectation about a step fails if there is no step`() {
    var state = DeviceState()
    state.publish(0)
    let source = ReleaseSource([Lantern.one])
    state = state.after(.install, in: source).state
    for expectation in [
      "cost = 0", "not updated cave", "not removed cave", "not failed cave", "essential <= 1G",
      "prefetch <= 1G",
    ] {
      let document = ScenarioDocument(
        parsing: Array("expect \(expectation)".utf8), named: "s", hasRelease: true)
      let run = ScenarioRun(document, from: state, in: source, releases: [Lantern.one])
      #expect(run.findings.count(.error) == 1, "\(expectation)")
    }
  }

  @Test func `a 'device' line keeps the languages of 'device-language'`() {
    let run = Lantern.play(
      """
      device languages en, primary en
      release one
      install
      device-language fr
      device free 1G
      expect language fr
      device languages es-MX
      expect language es-US
      """)
    #expect(run.findings.map(\.message) == [])
    #expect(run.state.profile.free == 1_000_000_000)
  }

  @Test func `system versions and locales are parsed like those of options`() {
    let run = Lantern.play(
      """
      device iOS 26.1, languages es_MX fr_CA, primary zh_Hant_TW
      release one
      install
      device-language es_MX
      """)
    #expect(run.findings.filter { $0.severity == .error }.map(\.message) == [])
    #expect(run.state.profile.system == DeviceSystem(26, 1))
    #expect(run.state.profile.languages.map(\.description) == ["es-MX"])
    #expect(run.state.profile.primaryLanguage?.description == "zh-Hant-TW")
    for word in ["26.x", "26.", "+26", "25.1", ".26"] {
      #expect(DeviceSystem(word) == nil, "\(word)")
    }
    #expect(DeviceSystem("27.0.1") == DeviceSystem(27))
  }

  @Test(arguments: ["", "\n\n", "# install\n# expect downloaded cave\n", "\u{FEFF}", "  \t\r\n"])
  func `a scenario without steps and expectations fails`(text: String) {
    let run = Lantern.play(text)
    #expect(run.findings.map(\.id) == ["scenario.empty"])
    #expect(run.findings.hasErrors && run.moments.isEmpty)
    #expect(ScenarioRun.junit(of: [run]).text.contains("errors=\"1\""))
  }

  @Test func `each release line is a separate release, unless it repeats the current release`() {
    let run = Lantern.play("release one\nrelease ./one/\nrelease two\nrelease one\ninstall")
    let numbers = run.scenario.lines.compactMap { line in
      if case .step(.release(let number, _)) = line.action { number } else { nil }
    }
    #expect(numbers == [0, 0, 1, 2])
    #expect(run.scenario.releases.map(\.paths) == [["one"], ["two"], ["one"]])
    // The contents of an address can change, so each line is a separate release.
    let addresses = ScenarioDocument(
      parsing: Array("release https://a.example//x\nrelease https://a.example/x".utf8), named: "s")
    #expect(addresses.releases.count == 2)
  }

  @Test func `a release on a server that was never read is an error at its line`() {
    func run(_ text: String, fails: Bool = true) -> ScenarioRun {
      let document = ScenarioDocument(parsing: Array(text.utf8), named: "s")
      let source = ReleaseSource(manifest: { number, _ in
        fails && number == 1 ? .failure(ReleaseFailure("nothing there")) : .success(Lantern.one)
      })
      let releases = document.releases.indices.map { $0 == 1 ? Release("", []) : Lantern.one }
      return ScenarioRun(
        document, from: DeviceState(), in: source, releases: releases, unread: [1])
    }
    func found(_ run: ScenarioRun) -> [String] {
      run.findings.map { finding in
        let line = finding.span.map { run.scenario.source.position(of: $0.start).line } ?? 0
        return "\(line) \(finding.id.name)"
      }
    }
    let head = "release one\ninstall\nrelease https://a.example\n"
    #expect(found(run(head)) == ["3 scenario.release"])
    #expect(
      found(run(head + "check-for-updates\nexpect not updated tutorial")) == [
        "3 scenario.release"
      ])
    #expect(found(run(head + "update-app")) == ["4 scenario.installation"])
    #expect(found(run(head + "update-app\nexpect app not updated")) == [])
    // Without the release, the pack ID cannot be checked.
    #expect(found(run(head + "request nothing\nexpect failed nothing")) == ["3 scenario.release"])
    #expect(
      found(run(head + "request nothing\nexpect failed nothing", fails: false)) == [
        "4 scenario.unknown-pack"
      ])
    #expect(found(run(head, fails: false)) == [])
  }

  @Test func `the fuzzing corpus has the properties`() throws {
    let inputs = try FuzzCorpus.inputs("scenarios")
    let characters = "<=,#\"\n\r *:%|"
    for bytes in inputs + FuzzCorpus.mutations(of: inputs, count: 200, signs: characters) {
      #expect(ScenarioProperties.violation(in: bytes) == nil)
    }
  }

  @Test func `all line endings are supported, and a byte order mark is not a step`() {
    let run = Lantern.play("\u{FEFF}release one\r\ninstall\r\n\r\n  expect downloaded tutorial\r\n")
    #expect(run.findings.isEmpty)
    #expect(run.moments.count == 3)
  }

  @Test func `the timeline contains every line, its events, and the rules`() throws {
    let run = Lantern.play("release one\ninstall\nexpect downloaded cave")
    let text = JSONWriter.string(ScenarioRun.table.value(of: run), .compact)
    let json = JSONDocument(parsing: SourceText(Array(text.utf8), named: "t"))
    let root = try #require(json.root)
    let steps = try #require(root["steps"])
    #expect(steps.count == 3)
    let install = Array(steps.elements)[1]
    let names = install["events"]?.elements.compactMap { $0["event"]?.string }
    #expect(
      names == ["manifest", "language", "downloaded", "app-ready", "downloaded", "waiting", "disk"])
    #expect(Array(steps.elements)[2]["met"]?.bool == false)
    #expect(root["failed"]?.number == "1")
    #expect(ScenarioRun.junit(of: [run]).text.contains("tests=\"1\" failures=\"1\" errors=\"0\""))
    #expect(
      ScenarioRun.junit(of: [run]).text.contains(
        "<failure message=\"'cave' is not on the device\"/>"))
  }

  @Test func `any bytes are a scenario or findings`() {
    var random = Seeded(seed: 17)
    let words =
      ScenarioReader.forms.map(\.name) + [
        "expect", "iOS", "27", "languages", "en", "<=", "60M", "costing", "not", "#", "\"", "cave",
        ",", "\n",
        "\r\n", "\u{0}", "*: cut 60%", "latest", "in", "for", "8", "days", "downloaded", "readable",
        "ü",
      ]
    for _ in 0..<300 {
      var text = ""
      for _ in 0..<random.next(below: 40) {
        text += words[random.next(below: words.count)]
        text += random.next(below: 4) == 0 ? "\n" : " "
      }
      #expect(ScenarioProperties.violation(in: Array(text.utf8)) == nil)
      #expect(ScenarioProperties.violation(in: random.noise(200)) == nil)
    }
  }

  @Test func `a text without end is not read completely`() {
    let bytes = [UInt8](repeating: UInt8(ascii: "\n"), count: ScenarioDocument.largestText + 1)
    #expect(ScenarioDocument(parsing: bytes, named: "t").findings.hasErrors)
  }

  private static let faults = FaultScope.downloads.kinds.flatMap { kind in
    [FaultRoute.pack, .manifest].filter(kind.routes.contains).map { (kind.name, $0) }
  }

  @Test(arguments: faults)
  func `each kind of fault in the table applies at each of its places`(
    name: String, place: FaultRoute
  ) throws {
    let kind = try #require(FaultKind.all.first { $0.name == name })
    let example = kind.examples[0].replacing("1M", with: "7")
    let subject = place == .manifest ? "manifest" : "cave"
    let run = Lantern.play(
      """
      release one
      install
      release two
      fault \(subject): \(example) once
      \(place == .manifest ? "check-for-updates" : "request cave")
      """)
    let target = place == .manifest ? DownloadFault.Target.manifest : .pack("cave")
    #expect(run.state.faults.strikes(on: target) == 1)
    let kinds = try #require(run.moments.last).events.map(\.kind)
    let hasFailed = kinds.contains { event in
      switch event {
      case .manifestFailed, .failed: true
      default: false
      }
    }
    #expect(hasFailed == !["stall", "stale"].contains(name))
    if name == "stale" { #expect(run.state.manifest?.name == "one") }
    if name == "stall", place == .pack { #expect(run.state.clock >= 10_000) }
  }
}
