import BAPackKit
import DeviceSimulator
import SourceDiagnostics
import TestSupport
import Testing

@Suite struct ScenarioTests {
  @Test func `a scenario of all steps is read whole`() {
    let text = """
      # what the issue shows
      device iOS 27, languages es-MX en, primary en, free 4G, bandwidth 50mbit
      release one                    # what the server has
      install
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
      status
      expect not obsolete tutorial
      expect missing nowhere.txt
      expect disk <= 1G
      """
    let run = Lantern.play(text)
    #expect(run.findings.map(\.message) == [])
    #expect(run.scenario.lines.count == 33)
    #expect(Set(ScenarioDocument.steps).count == 18)
    #expect(run.state.profile.free == 4_000_000_000)
    #expect(run.state.profile.bytesPerSecond == 6_250_000)
  }

  @Test(arguments: [
    ("‸instal‸", "scenario.unknown-step", "there is no step 'instal'"),
    ("install ‸now‸", "scenario.step", "'install' stands alone"),
    ("‸release‸", "scenario.step", "a release has a path"),
    ("‸request‸", "scenario.step", "no pack is named"),
    ("wait ‸eight‸ days", "scenario.step", "this is no time"),
    ("wait ‸99999‸ weeks", "scenario.step", "this is no time"),
    ("read a ‸at‸ b", "scenario.step", "'at' does not belong here"),
    ("read a ‸in‸", "scenario.step", "'in' does not belong here"),
    ("read a for ‸english‸", "scenario.step", "'english' is no language"),
    ("device ‸watchOS‸", "scenario.step", "'watchOS' says nothing about a device"),
    ("device iOS ‸25‸", "scenario.step", "'25' says nothing"),
    ("device iOS 27, free ‸much‸", "scenario.step", "'much' is no size"),
    ("device bandwidth ‸50‸", "scenario.step", "'50' is no bandwidth"),
    ("device ‸languages‸", "scenario.step", "no language is named"),
    ("‸fault cave‸", "scenario.step", "before a ':' stands"),
    ("expect ‸happy‸", "scenario.step", "'happy' cannot be expected"),
    ("‸expect‸", "scenario.step", "nothing is expected"),
    ("expect ‸essential‸", "scenario.step", "a comparison and a size stand behind 'essential'"),
    ("expect cost ‸==‸ 5", "scenario.step", "'==' is no comparison"),
    ("expect removed cave ‸costing‸ <= 5", "scenario.step", "what is removed has no cost"),
    ("expect not updated cave ‸costing‸ <= 5", "scenario.step", "what is not expected has no cost"),
    ("expect ‸downlaoded‸ cave", "scenario.step", "'downlaoded' cannot be expected"),
    ("expect readable a ‸of‸ cave", "scenario.step", "'of' does not belong here"),
    ("‸install‸", "scenario.no-effect", "nothing happens: the app is installed already"),
    ("expect cost <= ‸x‸", "scenario.step", "'x' is no size"),
    ("expect updated cave ‸costing‸ 60M", "scenario.step", "a comparison and a size"),
    ("‸set-language‸", "scenario.step", "one language stands behind"),
    ("read ‸\"a b‸", "scenario.step", "a quote does not end"),
    ("remove ‸caev‸", "scenario.unknown-pack", "no release has a pack 'caev'"),
    ("‸expect downloaded cave‸", "scenario.expectation", "but 'cave' is not on the device"),
    ("‸expect language fr‸", "scenario.expectation", "but there is none"),
    ("‸expect not missing x‸  # so", "scenario.expectation", "but 'x' is in no pack"),
    ("‸expect cost = 1K‸", "scenario.expectation", "but 200 bytes were downloaded"),
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

  @Test func `a scenario with a mistake is not played, and a misspelt word is told`() {
    let run = Lantern.play("release one\ninstal\nexpect downloadde tutorial\nexpect cost <= 0")
    #expect(run.moments.isEmpty)
    #expect(run.state.installed.isEmpty)
    #expect(
      run.findings.map { $0.fixes.map(\.message) } == [
        ["write 'install'"], ["write 'downloaded'"],
      ])
    #expect(run.junit.contains("tests=\"2\" failures=\"0\" errors=\"2\""))
  }

  @Test func `steps before the app is there have no effect, and say so`() {
    let run = Lantern.play("release one\nrequest cave\nlaunch\nexpect not downloaded cave")
    #expect(run.findings.map(\.id) == ["scenario.no-effect", "scenario.no-effect"])
    #expect(!run.findings.hasErrors)
  }

  @Test func `what a fuzzer found stays right`() throws {
    let inputs = try FuzzCorpus.inputs("scenarios")
    let signs = "<=,#\"\n\r *:%|"
    for bytes in inputs + FuzzCorpus.mutations(of: inputs, count: 200, signs: signs) {
      #expect(ScenarioProperties.violation(in: bytes) == nil)
    }
  }

  @Test func `lines end in any way, and a byte order mark is no step`() {
    let run = Lantern.play("\u{FEFF}release one\r\ninstall\r\n\r\n  expect downloaded tutorial\r\n")
    #expect(run.findings.isEmpty)
    #expect(run.moments.count == 3)
  }

  @Test func `the timeline has every line, what happened, and the rules`() throws {
    let run = Lantern.play("release one\ninstall\nexpect downloaded cave")
    let text = JSONWriter.string(run.json, .compact)
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
    #expect(run.junit.contains("tests=\"1\" failures=\"1\" errors=\"0\""))
    #expect(run.junit.contains("<failure message=\"'cave' is not on the device\"/>"))
  }

  @Test func `any bytes are a scenario or findings`() {
    var random = Seeded(seed: 17)
    let words =
      ScenarioDocument.steps + [
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

  @Test func `a text without end is not read to it`() {
    let bytes = [UInt8](repeating: UInt8(ascii: "\n"), count: ScenarioDocument.largestText + 1)
    #expect(ScenarioDocument(parsing: bytes, named: "t").findings.hasErrors)
  }
}
